package tax

import (
	"levy/tax/calendar"
)

// classTreatment is how a class is treated outside the United States.
type classTreatment uint8

const (
	classExempt classTreatment = iota
	classFollowsItems
	classConditional
	classStandard
)

var classTreatments = map[string]classTreatment{
	"EXEMPT": classExempt, "FOLLOWS_ITEMS": classFollowsItems, "CONDITIONAL": classConditional,
	"STANDARD": classStandard,
}

type classRuleKey struct {
	jurisdiction uint16
	class        classKey
}

type classRule struct {
	calendar.Span
	treatment  classTreatment
	upTo       int64  // cents of an item up to which it holds; 0 for any price
	currency   string // of upTo
	note       string // of a conditional one: what it depends on
	confidence level
	doubt      string // as that of a rate
	source     ExplainedSource
}

// territory is a range of postal codes with a jurisdiction of its own.
type territory struct {
	country  string
	from, to string
	digits   int      // of a whole code, where those of the country have another number
	states   []string // normalised; those of addresses without a postal code
	ids      []string // none: outside the tax territory
	name     string
	tax      string // that is due there instead, with its source; empty for none that is known
}

// importLimit is the value from which tax on goods is due at the border.
type importLimit struct {
	calendar.Span
	territory string
	cents     int64  // 0: all goods, whatever they are worth
	currency  string // empty for 0 cents
	perItem   bool
	ofTax     bool // cents are of the tax, not of the goods
	notes     string
	source    ExplainedSource
}

// union stands for all member states of the European Union.
const union = "EU"
