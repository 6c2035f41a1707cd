package catalog

import (
	"levy/contract"
	"levy/models"
	"levy/tax/taxid"
)

// TaxRegistrationDraft converts a submitted tax registration.
func TaxRegistrationDraft(r contract.CustomerTaxRegistrationCreate) models.CustomerTaxRegistration {
	return models.CustomerTaxRegistration{
		CountryCode: r.CountryCode, TaxType: string(r.TaxType), TaxID: r.TaxID,
		IsValid: taxid.Valid(r.CountryCode, string(r.TaxType), r.TaxID),
	}
}
