package convert

import (
	"errors"
	"strings"

	"levy/models"
)

// ByIdentifier finds a record by an identifier of the client as it is spelled, else without the white space around it.
// Records of earlier releases may have white space there. Errors: those of find.
func ByIdentifier[R any](identifier string, find func(identifier string) (R, error)) (R, error) {
	found, err := find(identifier)
	if trimmed := strings.TrimSpace(identifier); errors.Is(err, models.ErrNotFound) && trimmed != identifier {
		return find(trimmed)
	}
	return found, err
}
