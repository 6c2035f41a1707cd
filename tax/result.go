package tax

import (
	"github.com/govalues/decimal"

	"levy/tax/money"
)

// Result is the tax of a request. Lines are in the order of the request.
type Result struct {
	Lines []LineResult
	// TaxableAmount and Tax are the sums of the lines. Rate is the unrounded tax divided by TaxableAmount, with 9
	// decimals. It is zero if TaxableAmount is zero, or if lines of both signs leave no quotient below 1000.
	TaxableAmount, Tax, Rate decimal.Decimal
	Sourcing                 SourcingRule
	// Taxed is the place whose law was applied.
	Taxed          Place
	Completeness   Completeness
	Confidence     Confidence
	Warnings       []Warning
	ContentVersion string
	Explanation    Explanation
}

// LineResult is the tax of one line. TaxExemption is set on every line that bears no tax. Exempt reports whether an
// exemption or a rule frees the line. It is false for lines without value, with a zero rate, or without any rule.
type LineResult struct {
	ID, ExternalID           string
	TaxableAmount, Tax, Rate decimal.Decimal
	// Net and Gross are the price of the line itself after its discount, without and with its tax, of prices that include
	// tax.
	Net, Gross decimal.Decimal
	Exempt     bool
	// NexusExempt tells whether the line is an exempt sale for thresholds of nexus where it is
	// delivered: see calculation.nexusExempt.
	NexusExempt bool
	// NexusUncounted tells whether the line does not count as a sale for the threshold there, which
	// counts only other kinds of sales.
	NexusUncounted bool
	TaxExemption   TaxExemption
	ExemptionID    string
	TaxItems       []TaxItem
}

// Authority is the body that registers sellers for a tax: a country (State is empty), or a state or province of it. The
// registration of a state of the United States covers all taxes inside it. In Canada, GST and HST are federal, while
// PST, RST and QST are provincial. The zero value is no authority.
type Authority struct{ Country, State string }

// TaxItem is the part of one jurisdiction in the tax of a line. The amounts of
// the items add up to the tax of the line exactly. Rate is the rate applied:
// zero where the jurisdiction does not tax the line.
type TaxItem struct {
	RuleID, Name        string
	JurisdictionID      string
	JurisdictionType    JurisdictionType
	JurisdictionName    string
	Country, State      string
	Authority           Authority
	Rate, TaxableAmount decimal.Decimal
	Unrounded           money.Exact
	Amount              decimal.Decimal
	Reason              TaxReason
	Exempt              bool
	Source              *ExplainedSource // the law or publication; without a document where there is no rule
}
