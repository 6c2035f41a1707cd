package models

import "levy/tax/money"

// AmendedTotals are what a return should have been, by an amendment and everything filed before it.
type AmendedTotals struct {
	AmountSales        money.Total `json:"amount_sales"`
	TotalTaxableSales  money.Total `json:"total_taxable_sales"`
	AmountCalculated   money.Total `json:"amount_calculated"`
	AmountTaxCollected money.Total `json:"amount_tax_collected"`
	TotalTaxLiability  money.Total `json:"total_tax_liability"`
	// PreviouslyReportedLiability is that of the return and its filed amendments.
	PreviouslyReportedLiability money.Total `json:"previously_reported_liability"`
	// PreviouslyPaid is what the authority has for them, besides fees and penalties.
	PreviouslyPaid money.Total `json:"previously_paid"`
}

// Amends sets the amended totals of a live amendment by what was filed before. It sets none if they are too large.
func (f *Filing) Amends(before AmendedTotals) {
	t := before
	t.TotalTaxLiability = before.PreviouslyReportedLiability
	for _, add := range []struct {
		to    *money.Total
		delta money.Total
	}{
		{&t.AmountSales, f.AmountSales}, {&t.TotalTaxableSales, f.TotalTaxableSales},
		{&t.AmountCalculated, f.AmountCalculated}, {&t.AmountTaxCollected, f.AmountTaxCollected},
		{&t.TotalTaxLiability, f.TotalTaxLiability},
	} {
		sum, err := add.to.Plus(add.delta)
		if err != nil {
			return
		}
		*add.to = sum
	}
	f.AmendedTotals = &t
}

// CheckAmendable returns an error if the filing cannot be amended on demand. Errors: *TransitionError.
func (f Filing) CheckAmendable() error {
	// guard: filing: what is not filed is changed, and not amended
	if f.Status != FilingFiled || !f.LeavesCredit() {
		return FilingTransitions.Refuse(string(f.Status), string(FilingAmendment))
	}
	return nil
}
