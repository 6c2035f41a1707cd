package tax

import (
	"errors"
	"fmt"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
)

// Request is one sale, refund or estimate, with everything that decides its
// tax apart from the content.
type Request struct {
	TaxDate     calendar.Date
	Currency    string
	Destination Place
	Origin      *Place // SHIP_FROM or the business address; nil when unknown
	Marketplace bool   // the tax by law is the same: only who owes it is doubted
	Seller      string // of a marketplace: the country where the seller is established; empty when unknown
	Rounding    RoundingUnit
	// SmallestUnit is that of the currency in hundredths, to which tax is rounded; 0 for the one of today. Records that
	// were calculated in cents of a currency without them have 1.
	SmallestUnit int64
	// Registered are the places of taxation in which the seller is registered, "CA" and "CA-QC"; nil when not known. The
	// tax of a marketplace depends on it, and whether goods are imported into Switzerland or supplied there.
	Registered []string
	// CustomerVAT holds the countries in which the customer has a valid VAT id.
	CustomerVAT []string
	// BelowUnionThreshold says that the seller is established in one member state of the European Union and stays below
	// its threshold for distance sales. The seller is not registered for the one-stop shop.
	BelowUnionThreshold bool
	// Rates are the units of each currency for one unit of Currency, on the tax date. They convert limits of a law in
	// another currency. Without a rate the limit is compared unconverted.
	Rates map[string]decimal.Decimal
	// Overrides are rates that the seller set himself; of two for one thing the first counts.
	Overrides []Override
	Lines     []Line
	// PricesIncludeTax says that amounts and discounts of the lines include the tax.
	PricesIncludeTax bool
	// EachAlone taxes negative lines by themselves, as before coupon lines were spread. Stored explanations need it.
	EachAlone bool
	// Reasons says how much of the explanation the caller wants; what is not wanted is not made.
	Reasons Reasons
}

// Reasons is how much of its explanation a result has.
type Reasons int

// How much of an explanation there is. Each has the jurisdictions.
const (
	AllReasons Reasons = iota // those that a record stores, with the hashes
	Sentences                 // the steps in words
	NoReasons
)

// Line is one thing sold. Amount is the price of the whole line before tax and
// before Discount; Quantity only matters for limits per item, zero counts as 1.
// A negative line beside a positive one is a coupon line: see SpreadCoupons.
type Line struct {
	ID, ExternalID, ExternalProductID string
	Class                             TaxClass
	Classification                    Classification
	Amount, Discount, Quantity        decimal.Decimal
	Exempt                            *Exempt
	Terms                             *DiscountTerms // nil for most lines
}

// Exempt is an exemption that applies to a line.
type Exempt struct {
	TaxExemption TaxExemption `json:"tax_exemption"`
	Reason       TaxReason    `json:"reason,omitempty"` // empty: the usual one for TaxExemption
	ExemptionID  string       `json:"exemption_id,omitempty"`
	Category     string       `json:"category,omitempty"` // why, in the words of returns; it decides no tax
	// Country and State restrict the exemption to sales taxed there, outside the United States State to the tax of
	// that part of the country. Empty means everywhere.
	Country string `json:"country,omitempty"`
	State   string `json:"state,omitempty"`
}

// ErrPlaceUnknown is returned when not even the country of the destination (in
// the United States and Canada: the state) is known.
var ErrPlaceUnknown = errors.New("the destination is not known well enough to tax a sale there")

// ErrClass is wrapped when a line has a class the engine does not know.
var ErrClass = errors.New("unknown tax class")

// ErrRounding is wrapped when the unit of rounding is not one of the three.
var ErrRounding = errors.New("unknown rounding unit")

// UnknownJurisdictionError is returned for a place that names a jurisdiction
// which this content does not have.
type UnknownJurisdictionError struct{ ID string }

func (e *UnknownJurisdictionError) Error() string {
	return fmt.Sprintf("jurisdiction %q is not in the tax content", e.ID)
}
