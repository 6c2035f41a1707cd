package catalog

import (
	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// CustomerAnswer returns a customer in the form of the contract.
func CustomerAnswer(c models.Customer) contract.Customer {
	return contract.Customer{
		ID:                 c.ID,
		OrganizationID:     c.OrganizationID,
		ExternalID:         c.ExternalID,
		Name:               convert.ValueOf(c.Name),
		Status:             contract.CustomerStatus(c.Status),
		Email:              convert.ValueOf(c.Email),
		Phone:              convert.ValueOf(c.Phone),
		Street1:            convert.ValueOf(c.Street1),
		Street2:            convert.ValueOf(c.Street2),
		City:               convert.ValueOf(c.City),
		County:             convert.ValueOf(c.County),
		State:              convert.ValueOf(c.State),
		PostalCode:         convert.ValueOf(c.PostalCode),
		Country:            convert.ValueOf(c.Country),
		FullAddress:        convert.ValueOf(c.FullAddress),
		AddressStatus:      contract.AddressStatus(c.AddressStatus),
		Source:             c.Source,
		ConnectionID:       convert.ValueOf(c.ConnectionID),
		RegistrationNumber: convert.ValueOf(c.RegistrationNumber),
		ExternalFriendlyID: convert.ValueOf(c.ExternalFriendlyID),
		CustomerTaxRegistrations: convert.ConvertAll(c.TaxRegistrations,
			func(r models.CustomerTaxRegistration) contract.CustomerTaxRegistration {
				return contract.CustomerTaxRegistration{
					ID: r.ID, CustomerID: c.ID, CountryCode: r.CountryCode,
					TaxType: contract.CustomerTaxType(r.TaxType), TaxID: r.TaxID,
					IsValid: r.IsValid,
				}
			}),
		CreatedAt: convert.Instant(c.CreatedAt),
		UpdatedAt: convert.Instant(c.UpdatedAt),
	}
}
