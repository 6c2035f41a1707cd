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
// authority gets the whole sale and the tax of its own lines. Collected tax is shared in proportion to that. The
// liability goes to those with an obligation on the day of the sale. The amounts of the authorities of a country add up
// to those of the document. Errors: money.ErrOverflow.
func (c *calculation) authorityTotals(t models.Transaction) ([]models.AuthorityTotal, error) {
	rate := c.converted.rate()
	sales, err := NetSales(t, rate)
	if err != nil {
		return nil, err
	}
	authorities := authoritiesOf(t)
	taxes, taxables, err := taxesOf(c.result, authorities)
	if err != nil {
		return nil, err
	}
	calculated, err := convertParts(c.result.Tax, taxes, rate)
	if err != nil {
		return nil, err
	}
	collected, err := shareOut(Signed(t.Type, t.TotalTaxAmountImported), taxes, c.result.Tax, rate)
	if err != nil {
		return nil, err
	}
	shares, owed, err := c.owedAmounts(t, authorities, taxes)
	if err != nil {
		return nil, err
	}
	totals := make([]models.AuthorityTotal, 0, len(authorities)+1)
	country, _ := taxingState(t)
	for i, a := range authorities {
		a = asRegistered(a)
		taxable, err := money.Convert(taxables[i], rate)
		if err != nil {
			return nil, err
		}
		places, err := c.placesOf(t, authorities, i, shares[i], taxes[i], owed[i])
		if err != nil {
			return nil, err
		}
		totals = append(totals, models.AuthorityTotal{
			CountryCode: a.Country, StateCode: a.State, MemberCode: country, Currency: taxingCurrency(t),
			ReturnAmounts: models.ReturnAmounts{
				Sales: sales, Taxable: taxable, Tax: calculated[i], Collected: collected[i], Liability: owed[i],
			},
			Places: places,
		})
	}
	if taxedInUnion(t) {
		shop := totals[0]
		shop.CountryCode, shop.StateCode = oneStopShop.Country, oneStopShop.State
		totals = append(totals, shop)
	}
	return totals, nil
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

// owedAmounts shares out the liability: calculated tax among the authorities with an obligation, collected tax among
// all. It returns the parts in the currency of the document, and converted. Errors: money.ErrOverflow.
func (c *calculation) owedAmounts(
	t models.Transaction, authorities []tax.Authority, taxes []decimal.Decimal,
) (shares, converted []decimal.Decimal, err error) {
	shares = zeros(len(taxes))
	sum, whole := nothing, nothing
	for i, a := range authorities {
		if whole, err = money.Add(whole, taxes[i]); err != nil {
			return nil, nil, err
		}
		if t.Marketplace || c.owes.Source != models.LiabilityCalculated || !owedTo(t, a, c.owedOn) {
			continue
		}
		shares[i] = taxes[i]
		if sum, err = money.Add(sum, taxes[i]); err != nil {
			return nil, nil, err
		}
	}
	if c.owes.Amount.Cmp(sum) != 0 { // else also where they cancel each other out
		if sum.IsZero() {
			shares, sum = taxes, whole
		}
		if shares, err = sharesOf(c.owes.Amount, shares, sum); err != nil {
			return nil, nil, err
		}
	}
	converted, err = convertParts(c.owes.Amount, shares, c.converted.rate())
	return shares, converted, err
}

// shareOut divides an amount of the document among authorities by their taxes, and converts the parts. They add up to
// the converted amount. Errors: money.ErrOverflow.
func shareOut(whole decimal.Decimal, taxes []decimal.Decimal, sum, rate decimal.Decimal) ([]decimal.Decimal, error) {
	parts, err := sharesOf(whole, taxes, sum)
	if err != nil {
		return nil, err
	}
	return convertParts(whole, parts, rate)
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
