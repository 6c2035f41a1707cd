package web

import (
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/models/report"
)

// comparedAmount is an amount of a return next to that of the previous period.
type comparedAmount struct {
	Label, Now, Before, Change string
	Optional                   bool // most returns lack it
}

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
		{Label: "Adjusted", Optional: true, Now: p.AmountAdjusted, Before: before.AmountAdjusted},
		{Label: "Discounts", Optional: true, Now: p.AmountDiscounts, Before: before.AmountDiscounts},
		{Label: "Fees", Optional: true, Now: p.AmountFees, Before: before.AmountFees},
		{Label: "Penalties", Optional: true, Now: p.AmountPenalties, Before: before.AmountPenalties},
		{Label: "Prepaid", Optional: true, Now: p.AmountPrepaid, Before: before.AmountPrepaid},
		{Label: "Credit taken off", Optional: true, Now: p.AmountCreditApplied, Before: before.AmountCreditApplied},
		{Label: "Credit left over", Optional: true, Now: p.AmountCreditCarried, Before: before.AmountCreditCarried},
	}
	if p.status() == models.FilingFiled {
		amounts = append(amounts, comparedAmount{Label: "Paid", Now: p.TaxRemitted, Before: before.TaxRemitted})
	}
	for i := range amounts {
		amounts[i].Change = amountDifference(amounts[i].Now, amounts[i].Before)
	}
	return amounts
}

// Written returns the amounts that have a row of their own: those to pay and of the tax, and all others but 0.00.
func (p filingPage) Written() []comparedAmount {
	return slices.DeleteFunc(p.Amounts(), comparedAmount.small)
}

// Zeros returns the other amounts, which were 0.00 in the period before, too.
func (p filingPage) Zeros() []comparedAmount {
	return slices.DeleteFunc(p.Amounts(), func(a comparedAmount) bool { return !a.small() })
}

// small reports whether an amount that most returns lack is 0.00, and was in the period before.
func (a comparedAmount) small() bool {
	return a.Optional && (a.Now == "" || isZero(a.Now)) && (a.Before == "" || isZero(a.Before))
}

// OwesTax reports whether tax is owed for the period. Such a return cannot be skipped.
func (p filingPage) OwesTax() bool {
	return p.TotalTaxLiability != "" && !isZero(strings.TrimPrefix(p.TotalTaxLiability, "-"))
}

// CodeOf returns the code that authorities have for a jurisdiction; "" for one that only the tax content knows.
func (p filingPage) CodeOf(part report.Jurisdiction) string {
	if strings.HasPrefix(part.Code, p.CountryCode+"-") {
		return ""
	}
	return part.Code
}

// PartsTotal returns the tax of all jurisdictions; "" for a single one. Taxable amounts do not add up: a state and its
// counties tax the same sales.
func (p filingPage) PartsTotal() string {
	if len(p.Parts) < 2 {
		return ""
	}
	amounts := make([]string, len(p.Parts))
	for i, part := range p.Parts {
		amounts[i] = part.TaxAmount
	}
	return sumOf(amounts...)
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
