package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// CountRefund adds a calculated refund to its original, for the refunds that are calculated after it. Errors:
// money.ErrOverflow.
func CountRefund(t models.Transaction, outcome models.TaxOutcome) (err error) {
	if !outcome.Calculated() {
		return nil
	}
	original := t.Original
	original.Refunded = append(original.Refunded, refundedLines(t, outcome)...)
	if len(original.Totals) > 0 { // else they are not needed, and those of the sale are missing
		original.Totals = append(original.Totals, outcome.Totals...)
	}
	original.Left, err = leftBy(t, outcome.TaxableAmount, outcome.TaxAmount, outcome.LiabilityAmount)
	return err
}

// leftBy returns what a refund leaves of its original, in their currency. Errors: money.ErrOverflow.
func leftBy(t models.Transaction, taxable, calculated, owed decimal.Decimal) (left models.ReturnAmounts, err error) {
	sales, err := NetSales(t, decimal.One)
	if err != nil {
		return left, err
	}
	left = models.ReturnAmounts{
		Sales: sales, Taxable: taxable, Tax: calculated,
		Collected: Signed(t.Type, t.TotalTaxAmountImported), Liability: owed,
	}
	for _, figure := range returnFigures {
		amount := figure(&left)
		if *amount, err = money.Add(*amount, *figure(&t.Original.Left)); err != nil {
			return left, err
		}
	}
	return left, nil
}

// returnFigures are the amounts that a transaction adds to returns.
var returnFigures = []func(*models.ReturnAmounts) *decimal.Decimal{
	func(a *models.ReturnAmounts) *decimal.Decimal { return &a.Sales },
	func(a *models.ReturnAmounts) *decimal.Decimal { return &a.Taxable },
	func(a *models.ReturnAmounts) *decimal.Decimal { return &a.Tax },
	func(a *models.ReturnAmounts) *decimal.Decimal { return &a.Collected },
	func(a *models.ReturnAmounts) *decimal.Decimal { return &a.Liability },
}

// takeRemainders gives a refund the remainders of its sale in each return, for amounts of which it leaves nothing.
// Sharing out and converting each document separately would leave cents there. If the country changed its currency
// between the sale and one of its refunds, there is no remainder in one currency. Errors: money.ErrOverflow.
func (c *calculation) takeRemainders(t models.Transaction, totals []models.AuthorityTotal) error {
	before := t.Original.Totals
	if len(before) == 0 || slices.ContainsFunc(before, func(a models.AuthorityTotal) bool {
		return a.Currency != totals[0].Currency
	}) {
		return nil
	}
	left, err := leftBy(t, c.result.TaxableAmount, c.result.Tax, c.owes.Amount)
	if err != nil {
		return err
	}
	for _, figure := range returnFigures {
		if !figure(&left).IsZero() {
			continue
		}
		for i := range totals {
			remainder := nothing
			for j := range before {
				if before[j].CountryCode != totals[i].CountryCode || before[j].StateCode != totals[i].StateCode {
					continue
				}
				if remainder, err = money.Add(remainder, *figure(&before[j].ReturnAmounts)); err != nil {
					return err
				}
			}
			*figure(&totals[i].ReturnAmounts) = remainder.Neg()
		}
	}
	return nil
}
