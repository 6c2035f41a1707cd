package models

import (
	"time"

	"github.com/govalues/decimal"
)

// RateOverride is a rate of an organization for a jurisdiction on the days from StartDate to EndDate, both included. It
// continues without an end. See tax.Override for its effect.
type RateOverride struct {
	OrganizationID   string `gorm:"primaryKey"`
	ID               string `gorm:"primaryKey"`
	JurisdictionID   string // of the tax content
	CountryCode      string
	StateCode        string // "" if the country has no states
	JurisdictionType string
	JurisdictionName string
	TaxClass         string // "": the general rate
	Rate             decimal.Decimal
	StartDate        time.Time  `gorm:"type:date"`
	EndDate          *time.Time `gorm:"type:date"`
	Reason           string
	CreatedAt        time.Time
}

// MaxRateOverrides is the most rates of an organization, because each calculation reads all of them.
const MaxRateOverrides = 200

// LimitRateOverrides is the subject of a LimitError of rate overrides.
const LimitRateOverrides = "rate overrides"

// RateOverrideFilter selects overrides of a list. Empty parts select all.
type RateOverrideFilter struct {
	Country, State string
}
