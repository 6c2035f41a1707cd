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

// RateWeight is what changes of rates would have meant for recorded sales.
type RateWeight struct {
	Lines      int64
	Difference string // of the tax, two decimals; a sum over all currencies
}
