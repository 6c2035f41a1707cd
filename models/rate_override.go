package models

import (
	"time"

	"github.com/govalues/decimal"
)

// RateOverride is a rate that an organization set for a jurisdiction on the days from StartDate to EndDate, both
// included; without an end it goes on. See tax.Override for what it means.
type RateOverride struct {
	OrganizationID   string `gorm:"primaryKey"`
	ID               string `gorm:"primaryKey"`
	JurisdictionID   string // of the tax content
	CountryCode      string
	StateCode        string // empty where the country has no states
	JurisdictionType string
	JurisdictionName string
	TaxClass         string // empty: the general rate
	Rate             decimal.Decimal
	StartDate        time.Time  `gorm:"type:date"`
	EndDate          *time.Time `gorm:"type:date"`
	Reason           string
	CreatedAt        time.Time
}

// MaxRateOverrides is the number of rates that an organization may have set: each calculation reads all of them.
const MaxRateOverrides = 200

// LimitRateOverrides is what a LimitError of rates that were set says.
const LimitRateOverrides = "rate overrides"

// RateOverrideFilter selects overrides of a list. Empty parts select all.
type RateOverrideFilter struct {
	Country, State string
}
