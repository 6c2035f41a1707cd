package web

// comparedAmount is an amount of a return next to that of the previous period.
type comparedAmount struct{ Label, Now, Before, Change string }

// Amounts returns the amounts of a return; if it is filed, also the amount paid.
func (p filingPage) Amounts() []comparedAmount {
	before := filing{}
	if p.Before != nil {
		before = *p.Before
	}
	amounts := []comparedAmount{
		{Label: "To pay", Now: p.Amount, Before: before.Amount},
		{Label: "Sales", Now: p.Sales, Before: before.Sales},
		{Label: "Taxable", Now: p.Taxable, Before: before.Taxable},
		{Label: "Tax calculated", Now: p.Calculated, Before: before.Calculated},
		{Label: "Tax collected", Now: p.Collected, Before: before.Collected},
		{Label: "Tax owed", Now: p.Liability, Before: before.Liability},
		{Label: "Adjusted", Now: p.Adjusted, Before: before.Adjusted},
		{Label: "Discounts", Now: p.Discounts, Before: before.Discounts},
		{Label: "Fees", Now: p.Fees, Before: before.Fees},
		{Label: "Penalties", Now: p.Penalties, Before: before.Penalties},
	}
	if p.Status == "FILED" {
		amounts = append(amounts, comparedAmount{Label: "Paid", Now: p.Remitted, Before: before.Remitted})
	}
	for i := range amounts {
		amounts[i].Change = amountDifference(amounts[i].Now, amounts[i].Before)
	}
	return amounts
}
