// Package nexus decides where and from when a seller has to collect tax. A Table holds the dated thresholds of all
// jurisdictions. Evaluate measures sales against one of them, First finds the day on which it was first met. Assess
// combines both, predict forecasts, and a Simulation changes the sales or the threshold.
package nexus

import (
	"github.com/govalues/decimal"

	"levy/tax/calendar"
)

// Type is the kind of jurisdiction that a threshold is for.
type Type string

// The kinds. The European Union counts the sales to all its members as one.
const (
	TypeState         Type = "STATE"
	TypeCanadaFederal Type = "CANADA_FEDERAL"
	TypeEUAggregator  Type = "EU_AGGREGATOR"
	TypeEUMemberState Type = "EU_MEMBER_STATE"
	TypeCountry       Type = "COUNTRY"
)

// JurisdictionKind says which kind of jurisdiction a rule is for.
type JurisdictionKind string

// The kinds of jurisdictions.
const (
	KindState    JurisdictionKind = "STATE"
	KindProvince JurisdictionKind = "PROVINCE"
	KindCountry  JurisdictionKind = "COUNTRY"
	KindUnion    JurisdictionKind = "UNION"
)

// Jurisdiction returns the kind of the jurisdiction in a country that has a rule of this type.
func (t Type) Jurisdiction(country string) JurisdictionKind {
	switch t {
	case TypeEUAggregator:
		return KindUnion
	case TypeCanadaFederal, TypeEUMemberState, TypeCountry:
		return KindCountry
	case TypeState:
		if country == "CA" {
			return KindProvince
		}
	}
	return KindState
}

// Test says which of the two thresholds must be reached.
type Test string

// The tests: the amount, the number of sales, one of the two, or both.
const (
	TestSales        Test = "SALES"
	TestTransactions Test = "TRANSACTIONS"
	TestEither       Test = "EITHER"
	TestBoth         Test = "BOTH"
)

// ExemptTreatment says whether exempt sales count.
type ExemptTreatment string

// The treatments. DEPENDS leaves out sales for resale only. INCLUDE_IF_PRESENCE counts exempt sales of sellers with a
// physical presence. The last one counts their amount and not their number.
const (
	ExemptIncluded          ExemptTreatment = "INCLUDED"
	ExemptExcluded          ExemptTreatment = "EXCLUDED"
	ExemptDepends           ExemptTreatment = "DEPENDS"
	ExemptIncludeIfPresence ExemptTreatment = "INCLUDE_IF_PRESENCE"
	ExemptSalesOnly         ExemptTreatment = "YES_SALES_NO_TRANSACTIONS"
)

// Seller says for whom a rule is, by where the business is established.
type Seller string

// Sellers: all, those established in the country (for the European Union in
// one of its members), and all others.
const (
	SellerAny      Seller = "ANY"
	SellerDomestic Seller = "DOMESTIC"
	SellerForeign  Seller = "FOREIGN"
)

// Rule is the threshold of one jurisdiction from From to To (both inclusive;
// no To: open). Amounts are in Currency.
type Rule struct {
	Country  string // EuropeanUnion for all its members together
	State    string // empty for a whole country
	Type     Type
	Seller   Seller
	Currency string

	Test   Test
	Amount decimal.Decimal // of counted sales before tax; only if Test is about amounts
	Count  int             // of counted sales; only if Test is about numbers
	// AmountExceeded and CountExceeded mean that the threshold itself is not enough.
	AmountExceeded, CountExceeded bool
	// Presence means that there is no threshold: only being there makes nexus.
	Presence bool

	Period      PeriodModel
	Exempt      ExemptTreatment
	Marketplace bool // sales through marketplaces count
	// Only has the kinds of sales that alone count; empty if all kinds count. Sales of other kinds are no exempt sales
	// here and do not enter their number.
	Only    Kinds
	Trigger Trigger

	From, To   calendar.Date
	Source     string
	Confidence string // HIGH, MED or LOW
}

// HasAmount and HasCount report which thresholds the rule has.
func (r *Rule) HasAmount() bool { return !r.Presence && r.Test != TestTransactions }

// HasCount reports whether the number of sales matters.
func (r *Rule) HasCount() bool { return !r.Presence && r.Test != TestSales }

// countsQuarters reports whether the sales of a single calendar quarter meet the threshold as well.
// Source: Excise Tax Act of Canada, sections 148(2) and 240(2.1).
func (r *Rule) countsQuarters() bool { return r.Type == TypeCanadaFederal }

// Holds reports whether the rule is in force on a day.
func (r *Rule) Holds(day calendar.Date) bool { return calendar.Span{From: r.From, To: r.To}.Holds(day) }

func (r *Rule) of(country, state string, domestic bool) bool {
	who := SellerForeign
	if domestic {
		who = SellerDomestic
	}
	return r.Country == country && r.State == state && (r.Seller == SellerAny || r.Seller == who)
}
