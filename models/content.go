package models

import (
	"time"

	"github.com/govalues/decimal"
)

// ContentVersion is one version of the tax content.
type ContentVersion struct {
	Version string
	// Base is the version that an import changed; "" for content of a program.
	Base    string
	Note    string
	Sources []ContentSource
	// RecordedAt is when the content was recorded here, ActivatedAt when it was last activated.
	RecordedAt  time.Time
	ActivatedAt *time.Time
	Active      bool
}

// ContentSource is an imported file.
type ContentSource struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// RateChange is a new rate of a rule.
type RateChange struct {
	RuleID   string
	Old, New decimal.Decimal
}

// ContentChanges are the differences of the rates of two versions of the tax content.
type ContentChanges struct {
	InForce  string // "" for the content of the program
	From, To string // "" without another version
	Total    int
	Changes  []ContentChange // the first changes
	States   []string        // the states with another boundary file
}

// ContentChange is a rate that changes for a time.
type ContentChange struct {
	State, Jurisdiction, Class string // without a class: goods in general
	Old, New                   string // in percent; empty for none
	From                       time.Time
	Until                      *time.Time // nil without a known end
}

// RateImpact is the effect of changed rates on recorded sales.
type RateImpact struct {
	Lines      int64
	Difference string // of the tax, two decimals; a sum over all currencies
}

// CurrencyPair requests a conversion rate on a day.
type CurrencyPair struct {
	From, To string // currency codes
	Day      time.Time
}

// ConversionRate is the value of one unit of a currency in another.
type ConversionRate struct {
	Rate   decimal.Decimal // positive, 9 decimals
	Day    time.Time       // the day of the underlying rates
	Source string          // the publisher of the rates
}
