package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// authorityTotals is what a transaction adds to the return of each authority that it
// can be reported to. All of them see the whole sale. Each has the tax of its own
// lines; what is collected for the document is shared by it, and what is owed goes to
// those with an obligation on the day of the sale. The amounts of the authorities of a
// country add up to those of the document.
func authorityTotals(
	t models.Transaction, result tax.Result, owes liability, day calendar.Date, converted *conversion,
) ([]models.AuthorityTotal, error) {
	rate := converted.rate()
	sales, err := netSales(t, rate)
	if err != nil {
		return nil, err
	}
	authorities := authoritiesOf(t)
	taxes, taxables, err := taxesOf(result, authorities)
	if err != nil {
		return nil, err
	}
	calculated, err := shareOut(result.Tax, taxes, result.Tax, rate)
	if err != nil {
		return nil, err
	}
	collected, err := shareOut(signed(t.Type, t.TotalTaxAmountImported), taxes, result.Tax, rate)
	if err != nil {
		return nil, err
	}
	owed, sum, err := owedShares(t, owes, day, authorities, taxes)
	if err != nil {
		return nil, err
	}
	owing, err := shareOut(owes.Amount, owed, sum, rate)
	if err != nil {
		return nil, err
	}
	totals := make([]models.AuthorityTotal, 0, len(authorities)+1)
	country, _ := TaxingState(t)
	for i, a := range authorities {
		taxable, err := money.Convert(taxables[i], rate)
		if err != nil {
			return nil, err
		}
		total := models.AuthorityTotal{
			CountryCode: a.Country, StateCode: a.State, MemberCode: country, Currency: taxingCurrency(t),
			ReturnAmounts: models.ReturnAmounts{
				Sales: sales, Taxable: taxable, Tax: calculated[i], Collected: collected[i], Liability: owing[i],
			},
		}
		if total.StateCode == "" {
			total.StateCode = a.Country
		}
		totals = append(totals, total)
	}
	if nexus.UnionMember(country, calendar.DateOf(t.TaxDate)) {
		shop := totals[0]
		shop.CountryCode, shop.StateCode = nexus.EuropeanUnion, nexus.EuropeanUnion
		totals = append(totals, shop)
	}
	return totals, nil
}

// authoritiesOf lists the authorities to which the transaction may have to be reported: the
// state in the United States, country and province in Canada, the country elsewhere.
func authoritiesOf(t models.Transaction) []tax.Authority {
	country, state := TaxingState(t)
	switch country {
	case "US":
		return []tax.Authority{{Country: country, State: state}}
	case "CA":
		return []tax.Authority{{Country: country}, {Country: country, State: state}}
	}
	return []tax.Authority{{Country: country}}
}

// netSales are the lines before tax and after discounts, in the currency of the
// country that taxes, as answers show the two. A refund of tax alone takes back no sale.
func netSales(t models.Transaction, rate decimal.Decimal) (decimal.Decimal, error) {
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
	return signed(t.Type, net), nil
}

// taxesOf sums up the tax and its base by authority. Tax without a known authority belongs
// to the first.
func taxesOf(result tax.Result, authorities []tax.Authority) (taxes, taxables []decimal.Decimal, err error) {
	if len(authorities) == 1 {
		return []decimal.Decimal{result.Tax}, []decimal.Decimal{result.TaxableAmount}, nil
	}
	taxes, taxables = zeros(len(authorities)), zeros(len(authorities))
	for _, line := range result.Lines {
		bases := zeros(len(authorities))
		for _, item := range line.TaxItems {
			i := 0
			for n, a := range authorities {
				if a == item.Authority {
					i = n
				}
			}
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

// owedShares are the shares of the authorities in what is owed, and their sum: what is
// owed by calculation goes to those with an obligation, and what was collected to all
// that it was collected for.
func owedShares(
	t models.Transaction, owes liability, day calendar.Date, authorities []tax.Authority, taxes []decimal.Decimal,
) (shares []decimal.Decimal, sum decimal.Decimal, err error) {
	shares, sum, whole := zeros(len(taxes)), nothing, nothing
	for i, a := range authorities {
		if whole, err = money.Add(whole, taxes[i]); err != nil {
			return nil, sum, err
		}
		if owes.Source != models.LiabilityCalculated || !owedTo(t, a, day) {
			continue
		}
		shares[i] = taxes[i]
		if sum, err = money.Add(sum, taxes[i]); err != nil {
			return nil, sum, err
		}
	}
	if sum.IsZero() {
		return taxes, whole, nil
	}
	return shares, sum, nil
}

// shareOut divides an amount of the document among authorities by their taxes and
// converts the parts so that they add up to the amount as converted. Without tax the
// first has all of it.
func shareOut(whole decimal.Decimal, taxes []decimal.Decimal, sum, rate decimal.Decimal) ([]decimal.Decimal, error) {
	converted, err := money.Convert(whole, rate)
	if err != nil {
		return nil, err
	}
	if len(taxes) == 1 || sum.IsZero() {
		parts := zeros(len(taxes))
		parts[0] = converted
		return parts, nil
	}
	parts := make([]decimal.Decimal, len(taxes))
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
	return money.ConvertParts(converted, parts, rate)
}

func zeros(n int) []decimal.Decimal {
	all := make([]decimal.Decimal, n)
	for i := range all {
		all[i] = nothing
	}
	return all
}
