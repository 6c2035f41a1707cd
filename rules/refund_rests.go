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
	t = withNetPrices(t, &outcome)
	refunds := t.Original.Refunds
	i := slices.IndexFunc(refunds, func(r models.DecidedRefund) bool { return r.ID == t.ID })
	if i < 0 {
		t.Original.Refunds = append(refunds, models.DecidedRefund{ID: t.ID, Day: t.TaxDate})
		i = len(refunds)
	}
	r := &t.Original.Refunds[i]
	r.Calculated, r.Totals, r.Items = true, outcome.Totals, refundedLines(t, outcome)
	r.ReturnAmounts, err = amountsOf(t, outcome.TaxableAmount, outcome.TaxAmount, outcome.LiabilityAmount)
	return err
}

// amountsOf returns what a transaction adds to returns, in its currency. Errors: money.ErrOverflow.
func amountsOf(t models.Transaction, taxable, calculated, owed decimal.Decimal) (a models.ReturnAmounts, err error) {
	a = models.ReturnAmounts{
		Taxable: taxable, Tax: calculated, Collected: Signed(t.Type, t.TotalTaxAmountImported), Liability: owed,
	}
	a.Sales, err = NetSales(t, decimal.One)
	return a, err
}

// leftBy returns what a refund leaves of its original, in their currency. Errors: money.ErrOverflow.
func leftBy(t models.Transaction, taxable, calculated, owed decimal.Decimal) (left models.ReturnAmounts, err error) {
	if left, err = amountsOf(t, taxable, calculated, owed); err != nil {
		return left, err
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
// Collected and owed amounts, and converted tax, are those of the whole document anyway. Sharing out and converting each
// document separately would leave cents there. If the country changed its currency between the sale and one of its
// refunds, there is no remainder in one currency. Errors: money.ErrOverflow.
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
	for _, figure := range returnFigures[:3] {
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
