package convert

import (
	"errors"

	"levy/contract/validate"
	"levy/models"
)

// FaultsOf are the faults of which an error consists; nil for another one.
func FaultsOf(err error) []models.Fault {
	if invalid, ok := errors.AsType[*models.InvalidError](err); ok {
		return invalid.Faults
	}
	return nil
}

func UnknownJurisdiction(path string) models.Fault {
	return models.Fault{Code: models.FieldInvalidEnum, Path: path, Message: validate.MessageJurisdiction}
}
