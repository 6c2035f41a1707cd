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

// UnknownJurisdiction returns the fault for a state_code that names no taxing jurisdiction.
func UnknownJurisdiction() models.Fault {
	return models.Fault{Code: models.FieldInvalidEnum, Path: "state_code", Message: validate.MessageJurisdiction}
}
