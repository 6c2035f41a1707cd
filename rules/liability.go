package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// obligation is the obligation of the organization in the taxing state on the tax date, by its nexus and its
// registrations. The zero value is none.
type obligation struct {
	Exists      bool
	NexusID     string
	NexusStatus string
	StartDate   calendar.Date
}

// obligationOf returns the obligation of a sale. It names the first obligation that exists on the day, else the first one.
func obligationOf(t models.Transaction) (o obligation) {
	day := calendar.DateOf(t.TaxDate)
	named := func(r *models.NexusObligation) {
		o.NexusID, o.NexusStatus = r.ID, string(r.StatusOn(day))
		if r.From != nil {
			o.StartDate = r.Start(day)
		}
	}
	country, state := taxingState(t)
	for i := range t.Obligations {
		r := &t.Obligations[i]
		if !r.Place().Counts(country, state, t.Home, day) {
			continue
		}
		if o.NexusID == "" || !o.Exists && r.Exists(day) {
			named(r)
		}
		o.Exists = o.Exists || r.Exists(day)
	}
	return o
}

// owedTo reports whether the organization has an obligation to an authority. Sales to
// a member of the European Union are owed to the member, or to the one-stop shop.
func owedTo(t models.Transaction, authority tax.Authority, day calendar.Date) bool {
	return slices.ContainsFunc(t.Obligations, func(r models.NexusObligation) bool {
		if !r.Exists(day) {
			return false
		}
		place := r.Place()
		if place.Country == nexus.EuropeanUnion {
			return place.Counts(authority.Country, authority.State, t.Home, day)
		}
		return place.Country == authority.Country && place.State == authority.State
	})
}

// liability is what a transaction adds to the tax that its organization owes. Its JSON is a part of the explanation.
type liability struct {
	Source              models.TaxLiabilitySource `json:"source"`
	Amount              decimal.Decimal           `json:"amount"`
	CollectedAmount     decimal.Decimal           `json:"collected_amount"`
	CalculatedAmount    decimal.Decimal           `json:"calculated_amount"`
	NexusID             *string                   `json:"nexus_id"`
	NexusStatus         *string                   `json:"nexus_status_on_tax_date"`
	ObligationStartDate *calendar.Date            `json:"obligation_start_date"`
	Marketplace         bool                      `json:"marketplace"`
	Rule                string                    `json:"rule"`
	// Case is 0 in explanations of earlier releases. Of several authorities it is that of the first.
	Case        owedCase             `json:"case,omitempty"`
	Authorities []authorityLiability `json:"authorities,omitempty"`
}

// authorityLiability is the part of one authority in the liability of a document with several.
type authorityLiability struct {
	CountryCode      string          `json:"country_code"`
	StateCode        string          `json:"state_code"`
	Case             owedCase        `json:"case"`
	Obligation       bool            `json:"obligation"`
	CollectedAmount  decimal.Decimal `json:"collected_amount"`
	CalculatedAmount decimal.Decimal `json:"calculated_amount"`
	Amount           decimal.Decimal `json:"amount"`
}

// termsOf returns how a sale owes tax, but for the cases. Errors: money.ErrOverflow.
func termsOf(t models.Transaction, o obligation, authorities []tax.Authority, sold []decimal.Decimal) *owedTerms {
	terms := &owedTerms{
		authorities: authorities, obliged: []bool{o.Exists}, sold: sold, unmatched: returnsAlone(t),
		imported: !t.TotalTaxAmountImported.IsZero(),
	}
	if len(authorities) > 1 {
		terms.obliged = make([]bool, len(authorities))
		for i, a := range authorities {
			terms.obliged[i] = owedTo(t, a, calendar.DateOf(t.TaxDate))
		}
	}
	return terms
}

// returnsAlone reports whether a sale only takes back: none of its lines is above zero, and one is below.
func returnsAlone(t models.Transaction) bool {
	below := false
	for i := range t.Items {
		switch t.Items[i].Amount.Sign() {
		case 1:
			return false
		case -1:
			below = true
		}
	}
	return below
}

// describe writes the cases of a document into its liability, with the source and the rule. Errors: money.ErrOverflow.
func (l *liability) describe(terms *owedTerms, taxes judged) error {
	obliged, preferred := nothing, false
	for i, c := range terms.cases {
		var err error
		if terms.obliged[i] && c != caseMarketplace {
			if obliged, err = money.Add(obliged, taxes.calculated[i]); err != nil {
				return err
			}
		}
		preferred = preferred || c == casePreferred
	}
	l.Source = models.LiabilityCalculated
	if preferred || taxes.sum.Cmp(obliged) != 0 {
		l.Source = models.LiabilityCollected
	}
	l.Case, l.Rule = terms.cases[0], terms.sentence(taxes, 0)
	if len(terms.cases) > 1 {
		l.Authorities = terms.authorityLiabilities(taxes)
		if other := terms.sentence(taxes, 1); other != l.Rule {
			l.Rule = "Each authority counts by itself. " + terms.nameOf(0) + ": " + l.Rule + " " + terms.nameOf(1) + ": " + other
		}
	}
	return nil
}

func (t *owedTerms) sentence(taxes judged, i int) string {
	return t.cases[i].sentence(taxes.collected[i].Cmp(taxes.calculated[i]) > 0)
}

func (t *owedTerms) nameOf(i int) string { return asRegistered(t.authorities[i]).State }

func (t *owedTerms) authorityLiabilities(taxes judged) []authorityLiability {
	parts := make([]authorityLiability, len(t.cases))
	for i, c := range t.cases {
		parts[i] = authorityLiability{
			CountryCode: t.authorities[i].Country, StateCode: t.nameOf(i), Case: c, Obligation: t.obliged[i],
			CollectedAmount: taxes.collected[i].Pad(2), CalculatedAmount: taxes.calculated[i].Pad(2), Amount: taxes.owed[i],
		}
	}
	return parts
}

// nothing is 0.00.
var nothing = decimal.MustNew(0, 2)

// given returns a pointer to a value; nil for the zero value.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
