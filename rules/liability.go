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
	Calculated  decimal.Decimal // the calculated tax of the authorities it is owed to
	NexusID     string
	NexusStatus string
	StartDate   calendar.Date
}

// obligationOf returns the obligation of a sale. If several authorities tax it, each part is owed to its own. It names
// the first obligation that exists on the day, else the first one. Errors: money.ErrOverflow.
func obligationOf(t models.Transaction, result tax.Result) (o obligation, err error) {
	day := calendar.DateOf(t.TaxDate)
	o.Calculated = nothing
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
	for _, line := range result.Lines {
		for _, item := range line.TaxItems {
			if !owedTo(t, item.Authority, day) {
				continue
			}
			if o.Calculated, err = money.Add(o.Calculated, item.Amount); err != nil {
				return o, err
			}
		}
	}
	return o, nil
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
}

// decideLiability decides whether the calculated or the collected tax is owed. The first case that applies counts.
func decideLiability(
	t models.Transaction, settings models.OrganizationSettings, owed obligation, calculated decimal.Decimal,
) liability {
	imported := t.TotalTaxAmountImported.Pad(2) // zero loses its decimals
	l := liability{
		CollectedAmount:     imported,
		CalculatedAmount:    calculated,
		NexusID:             given(owed.NexusID),
		NexusStatus:         given(owed.NexusStatus),
		ObligationStartDate: given(owed.StartDate),
		Marketplace:         t.Marketplace,
	}
	switch {
	case t.Marketplace:
		l.Source, l.Amount = models.LiabilityCalculated, nothing
		l.Rule = "The marketplace collects and remits the tax: nothing is owed."
	case !owed.Exists && imported.IsPos():
		l.Source, l.Amount = models.LiabilityCollected, imported
		l.Rule = "No obligation on the tax date, but tax was collected: what was collected is owed."
	case !owed.Exists:
		l.Source, l.Amount = models.LiabilityCalculated, nothing
		l.Rule = "No obligation on the tax date and no tax collected: nothing is owed."
	case settings.PreferCollectedTaxAmounts && imported.IsPos():
		l.Source, l.Amount = models.LiabilityCollected, imported
		l.Rule = "The organization prefers collected amounts: what was collected is owed."
	default:
		l.Source, l.Amount = models.LiabilityCalculated, owed.Calculated
		l.Rule = "The calculated tax is owed."
		if owed.Calculated.Cmp(calculated) != 0 {
			l.Rule = "The calculated tax of the authorities with an obligation is owed."
		}
	}
	return l
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
