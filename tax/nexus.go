package tax

import (
	"slices"

	"github.com/govalues/decimal"
)

// NexusType is the kind of jurisdiction that a threshold is for.
type NexusType string

// The kinds. The European Union counts the sales to all its members as one.
const (
	NexusState         NexusType = "STATE"
	NexusCanadaFederal NexusType = "CANADA_FEDERAL"
	NexusEUAggregator  NexusType = "EU_AGGREGATOR"
	NexusEUMemberState NexusType = "EU_MEMBER_STATE"
	NexusCountry       NexusType = "COUNTRY"
)

// NexusTest says which of the two thresholds must be reached.
type NexusTest string

// The tests: the amount, the number of sales, one of the two, or both.
const (
	TestSales        NexusTest = "SALES"
	TestTransactions NexusTest = "TRANSACTIONS"
	TestEither       NexusTest = "EITHER"
	TestBoth         NexusTest = "BOTH"
)

// ExemptTreatment says whether exempt sales count.
type ExemptTreatment string

// The treatments. DEPENDS leaves out sales for resale only; INCLUDE_IF_PRESENCE
// counts exempt sales of sellers with a physical presence; the last counts their
// amount and not their number.
const (
	ExemptIncluded          ExemptTreatment = "INCLUDED"
	ExemptExcluded          ExemptTreatment = "EXCLUDED"
	ExemptDepends           ExemptTreatment = "DEPENDS"
	ExemptIncludeIfPresence ExemptTreatment = "INCLUDE_IF_PRESENCE"
	ExemptSalesOnly         ExemptTreatment = "YES_SALES_NO_TRANSACTIONS"
)

// EuropeanUnion is the country of rules that count the sales to all members.
const EuropeanUnion = "ZZ_EU"

// Seller says for whom a rule is, by where the business is established.
type Seller string

// Sellers: everybody, those established in the country (for the European Union in
// one of its members), and all others.
const (
	SellerAny      Seller = "ANY"
	SellerDomestic Seller = "DOMESTIC"
	SellerForeign  Seller = "FOREIGN"
)

// NexusRule is the threshold of one jurisdiction from From to To (both inclusive;
// no To: open). Amounts are in Currency.
type NexusRule struct {
	Country  string // EuropeanUnion for all its members together
	State    string // empty for a whole country
	Type     NexusType
	Seller   Seller
	Currency string

	Test   NexusTest
	Amount decimal.Decimal // of counted sales before tax; only if Test looks at amounts
	Count  int             // of counted sales; only if Test looks at numbers
	// AmountExceeded and CountExceeded mean that the threshold itself is not enough.
	AmountExceeded, CountExceeded bool
	// Presence means that there is no threshold: only being there makes nexus.
	Presence bool

	Period      PeriodModel
	Exempt      ExemptTreatment
	Marketplace bool // sales through marketplaces count
	Trigger     Trigger

	From, To   Date
	Source     string
	Confidence Confidence
}

// HasAmount and HasCount report which thresholds the rule has.
func (r *NexusRule) HasAmount() bool { return !r.Presence && r.Test != TestTransactions }

// HasCount reports whether the number of sales matters.
func (r *NexusRule) HasCount() bool { return !r.Presence && r.Test != TestSales }

func (r *NexusRule) holds(day Date) bool { return span{r.From, r.To}.holds(day) }

// Holds reports whether the rule is in force on a day.
func (r *NexusRule) Holds(day Date) bool { return r.holds(day) }

func (r *NexusRule) of(country, state string, domestic bool) bool {
	who := SellerForeign
	if domestic {
		who = SellerDomestic
	}
	return r.Country == country && r.State == state && (r.Seller == SellerAny || r.Seller == who)
}

// NexusRule finds the rule of a jurisdiction in force on a day. domestic tells
// whether the business is established in the country. ok is false where there is
// none: no sales tax, no rule yet on that day, or no content.
func (c *Content) NexusRule(country, state string, domestic bool, day Date) (rule NexusRule, ok bool) {
	i := slices.IndexFunc(c.nexus, func(r NexusRule) bool { return r.of(country, state, domestic) && r.holds(day) })
	if i < 0 {
		return NexusRule{}, false
	}
	return c.nexus[i], true
}

// NexusRules lists all rules that a jurisdiction ever had, oldest first.
func (c *Content) NexusRules(country, state string, domestic bool) []NexusRule {
	var rules []NexusRule
	for _, r := range c.nexus {
		if r.of(country, state, domestic) {
			rules = append(rules, r)
		}
	}
	return rules
}

// NexusJurisdictions lists the rules in force on a day, one for each jurisdiction,
// by country and state. home is the country the business is established in.
func (c *Content) NexusJurisdictions(home string, day Date) []NexusRule {
	var rules []NexusRule
	for _, r := range c.nexus {
		domestic := r.Country == home || r.Country == EuropeanUnion && UnionMember(home, day)
		if r.holds(day) && r.of(r.Country, r.State, domestic) {
			rules = append(rules, r)
		}
	}
	return rules
}
