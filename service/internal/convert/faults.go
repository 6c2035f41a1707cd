package convert

import (
	"errors"

	"levy/contract/validate"
	"levy/models"
)

// FaultsOf returns the faults of an *models.InvalidError; nil for another error.
func FaultsOf(err error) []models.Fault {
	if invalid, ok := errors.AsType[*models.InvalidError](err); ok {
		return invalid.Faults
	}
	return nil
}

// UnknownJurisdiction returns the fault for a field that names no taxing jurisdiction.
func UnknownJurisdiction(path string) models.Fault {
	return models.Fault{Code: models.FieldInvalidEnum, Path: path, Message: validate.MessageJurisdiction}
}
