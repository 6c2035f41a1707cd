package models

import (
	"encoding/json"
	"fmt"
	"time"

	"levy/tax"
)

// OrganizationDetails are the details of an organization from the steps 3 to 7. The documents are as they were
// accepted, with personal values masked.
type OrganizationDetails struct {
	OrganizationID      string `gorm:"primaryKey"`
	ID                  string
	BusinessDetails     json.RawMessage `gorm:"type:jsonb"`
	BusinessAddress     json.RawMessage `gorm:"type:jsonb"` // fields that the steps 3 and 4 share
	BusinessInformation json.RawMessage `gorm:"type:jsonb"`
	BusinessContact     json.RawMessage `gorm:"type:jsonb"`
	BusinessOwners      json.RawMessage `gorm:"type:jsonb"`
	AutoRegister        bool
	AutoFile            bool
	Place               json.RawMessage `gorm:"type:jsonb"` // a tax.Place; nil before step 4
	AddressStatus       string
	Revision            int
	CreatedAt           time.Time
	UpdatedAt           time.Time

	OrganizationName *string `gorm:"->;-:migration"`
}

// TableName returns the same name for one and many.
func (OrganizationDetails) TableName() string { return "organization_details" }

// BankDetails is the bank account of an organization, with masked numbers.
type BankDetails struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string
	Details        json.RawMessage `gorm:"type:jsonb"`
	Revision       int
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// TableName returns the same name for one and many.
func (BankDetails) TableName() string { return "bank_details" }

// Names of the documents, which are columns too.
const (
	DocumentDetails     = "business_details"
	DocumentAddress     = "business_address"
	DocumentInformation = "business_information"
	DocumentContact     = "business_contact"
	DocumentOwners      = "business_owners"
	DocumentBank        = "details"
)

// The documents of the steps. Their JSON is that of the contract; decoding a
// request into a stored document merges the two.

// BusinessDetails is the document of step 3, without the fields it shares with step 4.
type BusinessDetails struct {
	EntityType            string  `json:"entity_type"`
	IncorporationCountry  string  `json:"incorporation_country"`
	DBA                   *string `json:"dba,omitempty"`
	IncorporationState    *string `json:"incorporation_state,omitempty"`
	EIN                   *string `json:"ein,omitempty"`
	BusinessDescription   *string `json:"business_description,omitempty"`
	TaxID                 *string `json:"tax_id,omitempty"`
	HomeStateRegistration *string `json:"home_state_registration,omitempty"`
	NAICS                 *string `json:"naics,omitempty"`
	FirstOperationsDate   *string `json:"first_operations_date,omitempty"`
	IncorporationDate     *string `json:"incorporation_date,omitempty"`
	AutoRegister          *bool   `json:"auto_register"`
	AutoFile              *bool   `json:"auto_file"`
}

// BusinessAddress are the common fields of the steps 3 and 4: name and address of the company.
type BusinessAddress struct {
	BusinessName   *string `json:"business_name,omitempty"`
	Address1       *string `json:"company_address_1,omitempty"`
	Address2       *string `json:"company_address_2,omitempty"`
	City           *string `json:"company_city,omitempty"`
	State          *string `json:"company_state,omitempty"`
	PostalCode     *string `json:"company_postal_code,omitempty"`
	Country        *string `json:"company_country_code,omitempty"`
	Unincorporated *bool   `json:"company_city_is_unincorporated,omitempty"`
}

// Parts returns the address for the tax engine.
func (a BusinessAddress) Parts() tax.Address {
	return tax.Address{
		Street1: textOf(a.Address1), Street2: textOf(a.Address2), City: textOf(a.City), State: textOf(a.State),
		PostalCode: textOf(a.PostalCode), Country: textOf(a.Country), Unincorporated: a.Unincorporated != nil &&
			*a.Unincorporated,
	}
}

// BusinessOf decodes the document of a business address. It returns an error for a document that is no address,
// which the service never writes.
func BusinessOf(document []byte, fallback bool) (*Business, error) {
	var address BusinessAddress
	if err := json.Unmarshal(document, &address); err != nil {
		return nil, fmt.Errorf("business address: %w", err)
	}
	return &Business{Address: address.Parts(), Fallback: fallback}, nil
}

// BusinessInformation is the document of step 5.
type BusinessInformation struct {
	Phone             string  `json:"business_phone"`
	Email             string  `json:"business_email"`
	FiscalYearEnd     string  `json:"business_fiscal_year_end"`
	AccountingModel   *string `json:"accounting_model"`
	Address1          *string `json:"business_address_1,omitempty"`
	Address2          *string `json:"business_address_2,omitempty"`
	City              *string `json:"business_city,omitempty"`
	State             *string `json:"business_state,omitempty"`
	PostalCode        *string `json:"business_postal_code,omitempty"`
	Country           *string `json:"business_country_code,omitempty"`
	MailingAddress1   *string `json:"business_mailing_address_1,omitempty"`
	MailingAddress2   *string `json:"business_mailing_address_2,omitempty"`
	MailingCity       *string `json:"business_mailing_city,omitempty"`
	MailingState      *string `json:"business_mailing_state,omitempty"`
	MailingPostalCode *string `json:"business_mailing_postal_code,omitempty"`
	MailingCountry    *string `json:"business_mailing_country_code,omitempty"`
}

// WithDefaults fills in the address of step 4, and the business address as mailing address, if neither was submitted.
func (i BusinessInformation) WithDefaults(company BusinessAddress) BusinessInformation {
	if i.Address1 == nil && i.Address2 == nil && i.City == nil && i.State == nil && i.PostalCode == nil &&
		i.Country == nil {
		i.Address1, i.Address2, i.City = company.Address1, company.Address2, company.City
		i.State, i.PostalCode, i.Country = company.State, company.PostalCode, company.Country
	}
	if i.MailingAddress1 == nil && i.MailingAddress2 == nil && i.MailingCity == nil && i.MailingState == nil &&
		i.MailingPostalCode == nil && i.MailingCountry == nil {
		i.MailingAddress1, i.MailingAddress2, i.MailingCity = i.Address1, i.Address2, i.City
		i.MailingState, i.MailingPostalCode, i.MailingCountry = i.State, i.PostalCode, i.Country
	}
	return i
}

// BusinessContact is the document of step 6.
type BusinessContact struct {
	Name       string  `json:"business_contact_name"`
	Phone      string  `json:"business_contact_phone"`
	Email      string  `json:"business_contact_email"`
	DOB        *string `json:"business_contact_dob,omitempty"` // personal
	SSN        *string `json:"business_contact_ssn,omitempty"` // personal
	DL         *string `json:"business_contact_dl,omitempty"`  // personal
	Title      *string `json:"business_contact_title,omitempty"`
	Address1   string  `json:"business_contact_address_1"`
	Address2   *string `json:"business_contact_address_2,omitempty"`
	City       string  `json:"business_contact_city"`
	State      *string `json:"business_contact_state,omitempty"`
	PostalCode *string `json:"business_contact_postal_code,omitempty"`
	Country    string  `json:"business_contact_country_code"`
}

// Bank is the document of step 8.
type Bank struct {
	AccountType       string  `json:"account_type"`
	RoutingNumber     *string `json:"routing_number,omitempty"` // personal
	AccountNumber     *string `json:"account_number,omitempty"` // personal
	AccountHolderName string  `json:"account_holder_name"`
	BankName          *string `json:"bank_name,omitempty"`
}

// Sealer seals and opens the personal values of one organization, or the pieces of one document, such as
// *secret.DataKey.
type Sealer interface {
	Seal(field string, plain []byte) []byte
	Open(field string, sealed []byte) ([]byte, error)
}

// StepRecords are the records that a step from 3 on starts from.
type StepRecords struct {
	Details OrganizationDetails
	Bank    *BankDetails      // nil before step 8
	Sealed  map[string][]byte // the personal values of the contact, for a step that copies them
}

// Document decodes a document into to. A missing document leaves to unchanged.
func Document[T any](raw json.RawMessage, to *T) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("stored document of %T: %w", *to, err)
	}
	return nil
}
