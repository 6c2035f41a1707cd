package web

import (
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
)

// comparedAmount is an amount of a return next to that of the previous period.
type comparedAmount struct{ Label, Now, Before, Change string }

// Amounts returns the amounts of a return; if it is filed, also the amount paid.
func (p filingPage) Amounts() []comparedAmount {
	before := contract.Filing{}
	if p.Before != nil {
		before = p.Before.Filing
	}
	amounts := []comparedAmount{
		{Label: "To pay", Now: p.Amount, Before: before.Amount},
		{Label: "Sales", Now: p.AmountSales, Before: before.AmountSales},
		{Label: "Taxable", Now: p.TotalTaxableSales, Before: before.TotalTaxableSales},
		{Label: "Tax calculated", Now: p.AmountCalculated, Before: before.AmountCalculated},
		{Label: "Tax collected", Now: p.AmountTaxCollected, Before: before.AmountTaxCollected},
		{Label: "Tax owed", Now: p.TotalTaxLiability, Before: before.TotalTaxLiability},
		{Label: "Adjusted", Now: p.AmountAdjusted, Before: before.AmountAdjusted},
		{Label: "Discounts", Now: p.AmountDiscounts, Before: before.AmountDiscounts},
		{Label: "Fees", Now: p.AmountFees, Before: before.AmountFees},
		{Label: "Penalties", Now: p.AmountPenalties, Before: before.AmountPenalties},
		{Label: "Prepaid", Now: p.AmountPrepaid, Before: before.AmountPrepaid},
		{Label: "Credit taken off", Now: p.AmountCreditApplied, Before: before.AmountCreditApplied},
		{Label: "Credit left over", Now: p.AmountCreditCarried, Before: before.AmountCreditCarried},
	}
	if p.status() == models.FilingFiled {
		amounts = append(amounts, comparedAmount{Label: "Paid", Now: p.TaxRemitted, Before: before.TaxRemitted})
	}
	for i := range amounts {
		amounts[i].Change = amountDifference(amounts[i].Now, amounts[i].Before)
	}
	return amounts
}

// Known returns what a person should know about the return. Findings that are of no amount have none.
func (p filingPage) Known() []contract.FilingFinding {
	known := slices.Clone(p.Findings)
	for i := range known {
		if strings.Trim(known[i].Amount, "0.") == "" {
			known[i].Amount = ""
		}
	}
	return known
}
