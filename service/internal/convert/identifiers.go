package convert

import (
	"errors"
	"strings"

	"github.com/oapi-codegen/nullable"

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

// IsIdentifier reports whether a submitted identifier is the stored one, which may have white space around it.
func IsIdentifier(sent, stored string) bool {
	// guard: identifiers: one that an answer shows is no change
	return strings.TrimSpace(stored) == strings.TrimSpace(sent)
}

// KeepIdentifier returns a submitted identifier, or the stored one if it is the same but for white space around it.
func KeepIdentifier(sent, stored string) string {
	if IsIdentifier(sent, stored) {
		return stored
	}
	return sent
}

// KeepOptional is KeepIdentifier for a field that an update may omit.
func KeepOptional(sent nullable.Nullable[string], stored *string) nullable.Nullable[string] {
	if value, ok := sent[true]; ok && stored != nil {
		return nullable.NewNullableWithValue(KeepIdentifier(value, *stored))
	}
	return sent
}
