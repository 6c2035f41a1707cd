package models

import (
	"time"

	"github.com/govalues/decimal"
)

// ContentVersion describes one snapshot of the tax content.
type ContentVersion struct {
	Version string
	// Base is the version it was made from by an import; empty for content that
	// came with a program.
	Base    string
	Note    string
	Sources []ContentSource
	// RecordedAt is when the content became known here; ActivatedAt when it last
	// came into force.
	RecordedAt  time.Time
	ActivatedAt *time.Time
	Active      bool
}

// ContentSource is a file that was imported.
type ContentSource struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// RateChange is another rate for what was taxed under a rule.
type RateChange struct {
	RuleID   string
	Old, New decimal.Decimal
}

// ContentChanges are how the rates of two versions of the tax content differ.
type ContentChanges struct {
	InForce  string // empty for what the program carries
	From, To string // empty when there is no other version
	Total    int
	Changes  []ContentChange // the first of them
	States   []string        // whose boundary file is another one
}

// ContentChange is a rate that is another one for a time.
type ContentChange struct {
	State, Jurisdiction, Class string // no class: goods in general
	Old, New                   string // in percent; empty for none
	From                       time.Time
	Until                      *time.Time // nil while no end is known
}

// RateImpact is what changes of rates would have meant for recorded sales.
type RateImpact struct {
	Lines      int64
	Difference string // of the tax, two decimals; a sum over all currencies
}

// CurrencyPair asks for a conversion rate on a day.
type CurrencyPair struct {
	From, To string // currency codes
	Day      time.Time
}

// ConversionRate is what one unit of a currency is worth in another.
type ConversionRate struct {
	Rate   decimal.Decimal // positive, 9 decimals
	Day    time.Time       // of the rates it comes from
	Source string          // who published them
}
