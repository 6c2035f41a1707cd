package models

import (
	"slices"

	"levy/tax/calendar"
)

// Data that returns may want besides fields that a registration has for its authority alone.
const (
	WantedNumber  = "sales_tax_id"     // of the authority; a tax_id is one, too
	WantedEIN     = "ein"              // of the organization
	WantedShared  = "sst_id"           // of the organization, for the states of the Streamlined agreement
	WantedContact = "business_contact" // of the organization
	WantedBank    = "bank_details"     // of the organization
)

// ReturnWant is a piece of data that the returns of some registrations want. Empty parts select all of them.
type ReturnWant struct {
	Country       string        `json:"country"`
	State         string        `json:"state"`
	Frequency     string        `json:"frequency"`      // of the returns
	Kind          string        `json:"kind"`           // of the registration, such as ImportSST
	PaymentMethod string        `json:"payment_method"` // of the registration, such as CREDIT
	First         calendar.Date `json:"first,omitzero"` // the period ends on this day or later
	Last          calendar.Date `json:"last,omitzero"`  // and on this day or earlier
	Data          string        `json:"data"`           // one of the above, or the name of a field
}

// ReturnWants are what returns want of registrations, by the tax content.
type ReturnWants []ReturnWant

// The kinds of data that an open return may lack.
const (
	LacksNumber       = "REGISTRATION_NUMBER"
	LacksField        = "REGISTRATION_FIELD"
	LacksTaxpayer     = "TAXPAYER"
	LacksBank         = "BANK_ACCOUNT"
	LacksTransactions = "TRANSACTIONS"
)

// LackOf returns the kind of a piece of data.
func LackOf(data string) string {
	switch data {
	case WantedNumber:
		return LacksNumber
	case WantedEIN, WantedShared, WantedContact:
		return LacksTaxpayer
	case WantedBank:
		return LacksBank
	}
	return LacksField
}

// Lacks returns the kinds of data that an open return lacks.
func (f *DueFiling) Lacks() (lacks []string) {
	if f.Status.Over() {
		return nil
	}
	for _, data := range f.Lacking {
		if kind := LackOf(data); !slices.Contains(lacks, kind) {
			lacks = append(lacks, kind)
		}
	}
	if f.Unresolved.Transactions > 0 {
		lacks = append(lacks, LacksTransactions)
	}
	return lacks
}
