package tax

import "github.com/govalues/decimal"

// Request is one sale, refund or estimate, complete with everything that
// decides its tax besides the content.
type Request struct {
	TaxDate     Date
	Currency    string
	Destination Place
	Origin      *Place // SHIP_FROM or the business address; nil when unknown
	Marketplace bool   // recorded only: the tax by law is the same
	Rounding    RoundingUnit
	// CustomerVAT holds the countries in which the customer has a valid VAT id.
	CustomerVAT []string
	// BelowUnionThreshold says that the seller, established in one member state
	// of the European Union, stays below the Union-wide threshold for distance
	// sales and is not registered for the one-stop shop.
	BelowUnionThreshold bool
	// PricesIncludeTax says that amounts and discounts include the tax, which is
	// taken out of them. Each line is then rounded by itself.
	PricesIncludeTax bool
	Lines            []Line
}

// Line is one thing sold. Amount is the price of the whole line before tax and
// before Discount; Quantity only matters for limits per item, zero counts as 1.
type Line struct {
	ID, ExternalID, ExternalProductID string
	Class                             TaxClass
	Classification                    Classification
	Amount, Discount, Quantity        decimal.Decimal
	Exempt                            *Exempt
}

// Exempt is an exemption that applies to a line.
type Exempt struct {
	TaxExemption TaxExemption `json:"tax_exemption"`
	Reason       TaxReason    `json:"reason,omitempty"` // empty: the usual one for TaxExemption
	ExemptionID  string       `json:"exemption_id,omitempty"`
	// Country and State restrict the exemption to sales taxed there.
	// Empty means everywhere.
	Country string `json:"country,omitempty"`
	State   string `json:"state,omitempty"`
}

// Result is the tax of a request. Lines are in the order of the request.
type Result struct {
	Lines []LineResult
	// TaxableAmount and Tax are the sums of the lines. Rate is the unrounded
	// tax divided by TaxableAmount, 9 decimals; zero when that is zero or when
	// lines of both signs leave no meaningful quotient below 1000.
	TaxableAmount, Tax, Rate decimal.Decimal
	Sourcing                 SourcingRule
	// Taxed is the place whose law was applied.
	Taxed          Place
	Completeness   Completeness
	Confidence     Confidence
	ContentVersion string
	Explanation    Explanation
}

// LineResult is the tax of one line. TaxExemption is set on every line that
// bears no tax; Exempt tells whether an exemption or a rule freed it (false for
// lines without value, at a zero rate, or without any rule).
type LineResult struct {
	ID, ExternalID           string
	TaxableAmount, Tax, Rate decimal.Decimal
	Exempt                   bool
	TaxExemption             TaxExemption
	ExemptionID              string
	TaxItems                 []TaxItem
}

// Authority is who registers sellers for a tax: a country (State is empty), or
// a state or province of it. All taxes inside a state of the United States are
// covered by the registration of the state; in Canada GST and HST are federal
// while PST, RST and QST are provincial. The zero value is nobody.
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
	Unrounded           Exact
	Amount              decimal.Decimal
	Reason              TaxReason
	Exempt              bool
}
