package models

import (
	"time"

	"levy/tax"
)

// CustomerStatus is ACTIVE or ARCHIVED.
type CustomerStatus string

// Customer states. Archived customers stay usable.
const (
	CustomerActive   CustomerStatus = "ACTIVE"
	CustomerArchived CustomerStatus = "ARCHIVED"
)

// Customer is a buyer known to an organization.
type Customer struct {
	OrganizationID     string `gorm:"primaryKey"`
	ID                 string `gorm:"primaryKey"`
	ExternalID         string
	Name               *string
	Status             CustomerStatus
	Email              *string
	Phone              *string
	Street1            *string `gorm:"column:street_1"`
	Street2            *string `gorm:"column:street_2"`
	City               *string
	County             *string
	State              *string
	PostalCode         *string
	Country            *string
	FullAddress        *string
	AddressStatus      tax.AddressStatus
	Source             string
	ConnectionID       *string
	RegistrationNumber *string
	ExternalFriendlyID *string
	TaxRegistrations   []CustomerTaxRegistration `gorm:"serializer:json"`
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// CustomerTaxRegistration is a tax number under which a customer is registered.
type CustomerTaxRegistration struct {
	ID          string `json:"id"`
	CountryCode string `json:"country_code"`
	TaxType     string `json:"tax_type"`
	TaxID       string `json:"tax_id"`
	IsValid     bool   `json:"is_valid"`
}

// Address returns the customer's address as it was entered.
func (c Customer) Address() tax.Address {
	return tax.Address{
		Street1: textOf(c.Street1), Street2: textOf(c.Street2), City: textOf(c.City), County: textOf(c.County),
		State: textOf(c.State), PostalCode: textOf(c.PostalCode),
		Country: textOf(c.Country), FullAddress: textOf(c.FullAddress),
	}
}

// HasAddress reports whether any part of the customer's address is set.
func (c Customer) HasAddress() bool {
	for _, part := range []*string{
		c.Street1, c.Street2, c.City, c.County, c.State, c.PostalCode, c.Country, c.FullAddress,
	} {
		if part != nil {
			return true
		}
	}
	return false
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
