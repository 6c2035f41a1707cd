package activities

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// obligation is what the organization owes in the taxing state on the tax date,
// from its nexus and its registrations. The zero value is no obligation.
type obligation struct {
	NexusID     string
	NexusStatus string
	StartDate   tax.Date // zero: none
}

// existsOn reports whether tax must be collected on that day.
func (o obligation) existsOn(day tax.Date) bool { return !o.StartDate.IsZero() && o.StartDate <= day }

// liability is what a transaction adds to the tax its organization owes, in the
// shape in which the explanation shows it.
type liability struct {
	Source              models.TaxLiabilitySource `json:"source"`
	Amount              decimal.Decimal           `json:"amount"`
	CollectedAmount     decimal.Decimal           `json:"collected_amount"`
	CalculatedAmount    decimal.Decimal           `json:"calculated_amount"`
	NexusID             *string                   `json:"nexus_id"`
	NexusStatus         *string                   `json:"nexus_status_on_tax_date"`
	ObligationStartDate *tax.Date                 `json:"obligation_start_date"`
	Marketplace         bool                      `json:"marketplace"`
	Rule                string                    `json:"rule"`
}

// decideLiability decides what of the calculated or the collected tax is owed; the
// first case that fits counts.
func decideLiability(t models.Transaction, settings models.OrganizationSettings, owed obligation, calculated decimal.Decimal) liability {
	imported := t.TotalTaxAmountImported
	l := liability{
		CollectedAmount:     imported,
		CalculatedAmount:    calculated,
		NexusID:             given(owed.NexusID),
		NexusStatus:         given(owed.NexusStatus),
		ObligationStartDate: given(owed.StartDate),
		Marketplace:         t.Marketplace,
	}
	obliged := owed.existsOn(tax.DateOf(t.TaxDate))
	switch {
	case t.Marketplace:
		l.Source, l.Amount = models.LiabilityCalculated, nothing
		l.Rule = "The marketplace collects and remits the tax: nothing is owed."
	case !obliged && imported.IsPos():
		l.Source, l.Amount = models.LiabilityCollected, imported
		l.Rule = "No obligation on the tax date, but tax was collected: what was collected is owed."
	case !obliged:
		l.Source, l.Amount = models.LiabilityCalculated, nothing
		l.Rule = "No obligation on the tax date and no tax collected: nothing is owed."
	case settings.PreferCollectedTaxAmounts && imported.IsPos():
		l.Source, l.Amount = models.LiabilityCollected, imported
		l.Rule = "The organization prefers collected amounts: what was collected is owed."
	default:
		l.Source, l.Amount = models.LiabilityCalculated, calculated
		l.Rule = "The calculated tax is owed."
	}
	return l
}

// nothing is 0.00.
var nothing = decimal.MustNew(0, 2)

// given is nil for the zero value.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
