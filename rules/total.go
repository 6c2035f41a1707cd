package rules

import (
	"cmp"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// authorityTotals returns what a transaction adds to the return of each authority to which it can be reported. Each
// authority gets the whole sale, and its own part of the taxes and of what is owed. The amounts of the authorities of a
// country add up to those of the document. Errors: money.ErrOverflow.
func (c *calculation) authorityTotals(t models.Transaction) ([]models.AuthorityTotal, error) {
	rate, w := c.converted.rate(), c.document
	sales, err := NetSales(t, rate)
	if err != nil {
		return nil, err
	}
	calculated, err := convertParts(c.result.Tax, w.change.calculated, rate)
	if err != nil {
		return nil, err
	}
	totals := make([]models.AuthorityTotal, 0, len(w.terms.authorities)+1)
	country, _ := taxingState(t)
	for i, a := range w.terms.authorities {
		a = asRegistered(a)
		taxable, err := money.Convert(w.taxables[i], rate)
		if err != nil {
			return nil, err
		}
		totals = append(totals, models.AuthorityTotal{
			CountryCode: a.Country, StateCode: a.State, MemberCode: country, Currency: taxingCurrency(t),
			ReturnAmounts: models.ReturnAmounts{Sales: sales, Taxable: taxable, Tax: calculated[i]},
			Case:          int(w.terms.cases[i]),
		})
	}
	if err := c.addOwed(t, totals); err != nil {
		return nil, err
	}
	if taxedInUnion(t) {
		shop := totals[0]
		shop.CountryCode, shop.StateCode = oneStopShop.Country, oneStopShop.State
		totals = append(totals, shop)
	}
	return totals, nil
}

// addOwed writes collected tax and liability into the totals of the authorities. With other documents they are those of
// the whole document, converted, less what the others say. So all of them add up to what the document owes. Errors:
// money.ErrOverflow.
func (c *calculation) addOwed(t models.Transaction, totals []models.AuthorityTotal) error {
	rate, w := c.converted.rate(), c.document
	collected, err := convertSum(w.change.collected, rate)
	if err != nil {
		return err
	}
	owed, err := convertSum(w.change.owed, rate)
	if err != nil {
		return err
	}
	for i := range totals {
		totals[i].Collected, totals[i].Liability = collected[i], owed[i]
		if err := w.addExcess(&totals[i], i, rate); err != nil {
			return err
		}
	}
	if w.said != nil {
		return c.subtractSaid(t, totals)
	}
	for i := range totals {
		if totals[i].Places, err = c.placesOf(t, i, totals[i].Liability); err != nil {
			return err
		}
	}
	return nil
}

// subtractSaid completes the totals of a transaction whose document has others. Errors: money.ErrOverflow.
func (c *calculation) subtractSaid(t models.Transaction, totals []models.AuthorityTotal) error {
	rate, w := c.converted.rate(), c.document
	collected, err := convertSum(w.after.collected, rate)
	if err != nil {
		return err
	}
	owed, err := convertSum(w.after.owed, rate)
	if err != nil {
		return err
	}
	calculated, err := convertSum(w.after.calculated, rate)
	if err != nil {
		return err
	}
	for i := range totals {
		total := &totals[i]
		before, err := said(w.terms.authorities[i], total.Currency, w.said, i)
		if err == nil && before.known {
			err = subtract(total, &before, collected[i], owed[i])
		}
		// guard: liability: converted tax of a document adds up to its calculated tax
		if err == nil && before.known && c.converted != nil {
			total.Tax, err = money.Sub(calculated[i], before.Tax)
		}
		if w.capped {
			total.Liability = nothing
		}
		switch {
		case err != nil || w.capped:
		case before.known:
			total.Places, err = c.placesLeft(i, total.Liability, owed[i], &before)
		default:
			total.Places, err = c.placesOf(t, i, total.Liability)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// subtract sets the amounts of one authority to those of the document less what the others say. So converted amounts add
// up to those of the document, also where a refund in a return leaves the difference to the sale. Errors:
// money.ErrOverflow.
func subtract(total *models.AuthorityTotal, before *saidAt, collected, owed decimal.Decimal) (err error) {
	if total.Collected, err = money.Sub(collected, before.Collected); err != nil {
		return err
	}
	// guard: liability: converted amounts add up to those of the document
	if total.Liability, err = money.Sub(owed, before.Liability); err != nil {
		return err
	}
	if total.OverCollected, err = money.Sub(total.OverCollected, before.OverCollected); err != nil {
		return err
	}
	total.UnderCollected, err = money.Sub(total.UnderCollected, before.UnderCollected)
	return err
}

// addExcess writes by how much more or less was collected for the document than calculated. Errors: money.ErrOverflow.
func (w *document) addExcess(total *models.AuthorityTotal, i int, rate decimal.Decimal) error {
	excess, err := w.terms.excess(w.after, i)
	if err != nil || excess.IsZero() {
		return err
	}
	if excess, err = money.Convert(excess, rate); err != nil {
		return err
	}
	if excess.IsNeg() {
		total.UnderCollected = excess.Neg()
	} else {
		total.OverCollected = excess
	}
	return nil
}

// AuthoritiesOf lists the authorities to which a transaction may have to be reported, as registrations name them. If a
// member of the European Union taxes it, the one-stop shop is one of them.
func AuthoritiesOf(t models.Transaction) []tax.Authority {
	authorities := authoritiesOf(t)
	for i, a := range authorities {
		authorities[i] = asRegistered(a)
	}
	if taxedInUnion(t) {
		authorities = append(authorities, oneStopShop)
	}
	return authorities
}

// oneStopShop is the one-stop shop of the European Union, as registrations name it.
var oneStopShop = asRegistered(tax.Authority{Country: nexus.EuropeanUnion})

// asRegistered returns an authority as registrations name it: that of a whole country has the country as its state.
func asRegistered(a tax.Authority) tax.Authority {
	a.State = cmp.Or(a.State, a.Country)
	return a
}

// taxedInUnion reports whether a member of the European Union taxes a transaction.
func taxedInUnion(t models.Transaction) bool {
	country, _ := taxingState(t)
	return nexus.UnionMember(country, calendar.DateOf(t.TaxDate))
}

// authoritiesOf lists the authorities that tax a transaction: the state in the United States, country and province in
// Canada, the country elsewhere.
func authoritiesOf(t models.Transaction) []tax.Authority {
	country, state := taxingState(t)
	switch country {
	case models.UnitedStates:
		return []tax.Authority{{Country: country, State: state}}
	case models.Canada:
		return []tax.Authority{{Country: country}, {Country: country, State: state}}
	}
	return []tax.Authority{{Country: country}}
}

// NetSales returns the lines of a transaction before tax and after discounts, in the currency of the country that
// taxes. It converts both sums by rate, as answers do. A refund of tax alone takes back no sale. Errors:
// money.ErrOverflow.
func NetSales(t models.Transaction, rate decimal.Decimal) (decimal.Decimal, error) {
	if t.Type == models.TypeTaxRefund {
		return nothing, nil
	}
	gross, err := money.Convert(t.Subtotal, rate)
	if err != nil {
		return decimal.Decimal{}, err
	}
	discount, err := money.Convert(t.TotalDiscount, rate)
	if err != nil {
		return decimal.Decimal{}, err
	}
	net, err := money.Sub(gross, discount)
	if err != nil {
		return decimal.Decimal{}, err
	}
	return Signed(t.Type, net), nil
}

// taxesOf adds up the tax and its base by authority. Tax without a known authority belongs to the first. Errors:
// money.ErrOverflow.
func taxesOf(result tax.Result, authorities []tax.Authority) (taxes, taxables []decimal.Decimal, err error) {
	if len(authorities) == 1 {
		return []decimal.Decimal{result.Tax}, []decimal.Decimal{result.TaxableAmount}, nil
	}
	taxes, taxables = zeros(len(authorities)), zeros(len(authorities))
	for _, line := range result.Lines {
		bases := zeros(len(authorities))
		for _, item := range line.TaxItems {
			i := authorityAt(authorities, item.Authority)
			if taxes[i], err = money.Add(taxes[i], item.Amount); err != nil {
				return nil, nil, err
			}
			if item.TaxableAmount.CmpAbs(bases[i]) > 0 {
				bases[i] = item.TaxableAmount
			}
		}
		for i, base := range bases {
			if taxables[i], err = money.Add(taxables[i], base); err != nil {
				return nil, nil, err
			}
		}
	}
	return taxes, taxables, nil
}

// sharesOf divides an amount among authorities by their taxes. Without tax, the first gets all. Errors:
// money.ErrOverflow.
func sharesOf(whole decimal.Decimal, taxes []decimal.Decimal, sum decimal.Decimal) ([]decimal.Decimal, error) {
	parts := zeros(len(taxes))
	if len(taxes) == 1 || sum.IsZero() {
		parts[0] = whole
		return parts, nil
	}
	from := nothing
	for i, t := range taxes {
		to, err := money.Add(from, t)
		if err != nil {
			return nil, err
		}
		if parts[i], err = money.ShareBetween(whole, from, to, sum); err != nil {
			return nil, err
		}
		from = to
	}
	return parts, nil
}

// convertSum converts amounts so that they add up to their converted sum. Errors: money.ErrOverflow.
func convertSum(parts []decimal.Decimal, rate decimal.Decimal) ([]decimal.Decimal, error) {
	if rate.Cmp(decimal.One) == 0 {
		return parts, nil
	}
	sum, err := sumExactly(parts)
	if err != nil {
		return nil, err
	}
	return convertParts(sum, parts, rate)
}

// convertParts converts the parts of an amount so that they add up to the converted amount. Errors: money.ErrOverflow.
func convertParts(whole decimal.Decimal, parts []decimal.Decimal, rate decimal.Decimal) ([]decimal.Decimal, error) {
	converted, err := money.Convert(whole, rate)
	if err != nil {
		return nil, err
	}
	return money.ConvertParts(converted, parts, rate)
}

func zeros(n int) []decimal.Decimal {
	all := make([]decimal.Decimal, n)
	for i := range all {
		all[i] = nothing
	}
	return all
}
