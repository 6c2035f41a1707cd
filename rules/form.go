package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// formTax is what a form computes of tax lines, and by how much the accrued tax may differ from that by roundings.
type formTax struct{ computed, rounding money.Exact }

// half of a cent, in units of 10^-4.
const half = 50

// add adds a tax line: taxable x rate. Its base and its tax were rounded to a unit, some times. Errors:
// money.ErrOverflow, money.ErrPrecision.
func (f *formTax) add(taxable, rate decimal.Decimal, unit, times int64) error {
	base, err := money.Scaled(taxable, 4)
	if err != nil {
		return err
	}
	nano, err := money.Scaled(rate, money.RateScale)
	if err != nil {
		return err
	}
	f.computed = f.computed.Plus(money.Product(base, nano))
	f.rounding = f.rounding.Plus(money.Product(half*unit*times, nano+1_000_000_000))
	return nil
}

// formTaxes returns what the forms of the authorities compute of the tax lines of a transaction. A refund rounds what
// its sale leaves, so that its tax may differ by two roundings.
func (c *calculation) formTaxes(t models.Transaction) ([]formTax, error) {
	authorities := c.document.terms.authorities
	forms, unit, times := make([]formTax, len(authorities)), money.UnitOf(t.Currency), int64(1)
	if t.Type.IsCredit() {
		times = 2
	}
	for i := range c.result.Lines {
		for j := range c.result.Lines[i].TaxItems {
			item := &c.result.Lines[i].TaxItems[j]
			at := &forms[authorityAt(authorities, item.Authority)]
			if err := at.add(item.TaxableAmount, item.Rate, unit, times); err != nil {
				return nil, err
			}
		}
	}
	return forms, nil
}

// addForms writes into the totals of a transaction what the forms compute of it. No form has what a marketplace owes,
// nor taxes that no seller owes. Errors: money.ErrOverflow, money.ErrPrecision.
func (c *calculation) addForms(t models.Transaction, totals []models.AuthorityTotal) error {
	forms, err := c.formTaxes(t)
	if err != nil {
		return err
	}
	for i := range totals {
		total := &totals[i]
		if total.Case == int(caseMarketplace) || total.Case == int(caseNothing) {
			continue
		}
		at := i
		if i == len(forms) { // the one-stop shop
			at = 0
		}
		if err := forms[at].into(total, c.converted.rate()); err != nil {
			return err
		}
	}
	return nil
}

// into writes the tax of a form into a total, in the currency of the total. Errors: money.ErrOverflow.
func (f formTax) into(total *models.AuthorityTotal, rate decimal.Decimal) error {
	computed, err := f.computed.Micro()
	if err != nil {
		return err
	}
	rounding, err := f.rounding.Micro()
	if err != nil {
		return err
	}
	if rate.Cmp(decimal.One) != 0 {
		if computed, err = money.MulRateHalfUp(computed, rate, money.MicroScale); err != nil {
			return err
		}
		if rounding, err = money.MulRateHalfUp(rounding, rate, money.MicroScale); err != nil {
			return err
		}
		if rounding, err = money.Add(rounding, decimal.MustNew(1, money.Scale)); err != nil { // the tax is converted to the cent
			return err
		}
	}
	difference, err := money.Sub(total.Tax, computed)
	if err != nil {
		return err
	}
	if !difference.IsZero() {
		total.FormTax = &computed
		// guard: form: a difference that roundings do not explain is marked
		total.BeyondRounding = difference.CmpAbs(rounding) > 0
	}
	return nil
}
