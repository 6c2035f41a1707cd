package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// collectBack sets the collected tax of a refund by line. If the refund was submitted without collected tax, each line
// gets its share of the tax that is left on the refunded line. All together get no more than the total leaves above the
// lines before tax, because the buyer did not get more back. Tax that was submitted for the refund as a whole is spread
// in the same way. Errors: money.ErrOverflow.
func collectBack(a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal) error {
	taxAlone, err := refundsTaxAlone(d)
	if err != nil {
		return err
	}
	lines, err := importedOfLines(d)
	switch {
	case err != nil:
		return err
	case taxAlone && lines.IsZero():
		return spreadTaxAlone(a, d)
	case taxAlone:
		d.TotalTaxAmountImported = withSubmittedSign(d, lines.Abs())
		return nil
	case !lines.IsZero():
		return nil
	}
	follows := d.Sent.TaxFromOriginal
	if follows && a.Sale.TotalTaxAmountImported.IsZero() || !follows && d.TotalTaxAmountImported.IsZero() {
		return nil
	}
	shares, nets, err := sharesOfLines(a, d, follows)
	if err != nil {
		return err
	}
	due := d.TotalTaxAmountImported.Abs()
	if follows {
		if due, err = collectedDue(a, d, creditable, shares); err != nil {
			return err
		}
	}
	if shares, err = spreadCollected(d, due, shares, nets); err != nil {
		return err
	}
	setCollected(d, due, shares)
	return nil
}

// sharesOfLines returns the shares of the lines in the collected tax, and their amounts before tax. Errors:
// money.ErrOverflow, those of the law.
func sharesOfLines(a *models.CreditAccount, d *models.RefundDraft, follows bool) (shares, nets []decimal.Decimal, err error) {
	var taken []takenTax
	if follows && JudgesPrices(a, d) {
		if taken, err = takenByLaw(a, d); err != nil {
			return nil, nil, err
		}
	}
	if taken != nil {
		return sharesByLaw(a, d, taken)
	}
	return sharesOfTotal(a, d, follows)
}

// sharesOfTotal returns the shares of the lines in the collected tax. A total that leaves room for more than all tax of
// its lower prices says nothing of them. Then they take their shares by amount. Errors: money.ErrOverflow.
func sharesOfTotal(a *models.CreditAccount, d *models.RefundDraft, follows bool) (shares, nets []decimal.Decimal, err error) {
	if !follows || a.Sale.PricesIncludeTax() { // such a total says nothing of the tax
		return collectedShares(a, d, false)
	}
	if shares, nets, err = collectedShares(a, d, true); err != nil {
		return nil, nil, err
	}
	most, err := sumExactly(shares)
	if err != nil {
		return nil, nil, err
	}
	net, err := netOfRefund(d)
	if err != nil {
		return nil, nil, err
	}
	for _, amount := range []decimal.Decimal{net, unitForEach(len(d.Items), d.Currency)} {
		if most, err = money.Add(most, amount); err != nil {
			return nil, nil, err
		}
	}
	if d.TotalAmount.CmpAbs(most) > 0 {
		return collectedShares(a, d, false)
	}
	return shares, nets, nil
}

// spreadCollected spreads the collected tax of a credit note over its lines, by their shares. Lower prices have at most
// all that is left of their lines as their share: they get what the units that come back leave. Errors:
// money.ErrOverflow.
func spreadCollected(
	d *models.RefundDraft, due decimal.Decimal, shares, nets []decimal.Decimal,
) ([]decimal.Decimal, error) {
	units, prices, ofUnits := make([]decimal.Decimal, len(shares)), make([]decimal.Decimal, len(shares)), decimal.Zero
	lowers := false
	for i, share := range shares {
		if d.Items[i].Quantity.IsZero() || nets[i].IsZero() && !share.IsZero() {
			prices[i], lowers = share, true
			continue
		}
		units[i] = share
		var err error
		if ofUnits, err = money.Add(ofUnits, share); err != nil {
			return nil, err
		}
	}
	if !lowers || ofUnits.Cmp(due) >= 0 {
		return spreadOver(due, units, shares, nets)
	}
	rest, err := money.Sub(due, ofUnits)
	if err != nil {
		return nil, err
	}
	of, err := spreadOver(rest, prices, nets)
	if err != nil {
		return nil, err
	}
	for i := range of {
		if of[i], err = money.Add(of[i], units[i]); err != nil {
			return nil, err
		}
	}
	return of, nil
}

// setCollected sets the collected tax of a refund and of its lines.
func setCollected(d *models.RefundDraft, due decimal.Decimal, shares []decimal.Decimal) {
	for i := range d.Items {
		d.Items[i].TaxAmountImported = withSubmittedSign(d, shares[i])
	}
	d.TotalTaxAmountImported = withSubmittedSign(d, due)
}

// spreadTaxAlone spreads the tax of a refund of tax alone over its lines, by the tax that is left on the refunded lines.
func spreadTaxAlone(a *models.CreditAccount, d *models.RefundDraft) error {
	due, err := refundedTax(d)
	if err != nil {
		return err
	}
	left, err := leftOfSale(a)
	if err != nil {
		return err
	}
	weights := make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		at := left.byLine[*d.Items[i].OriginalLine]
		calculated, err := money.Sub(a.Sale.Items[at].TaxAmountCalculated.Abs(), a.Lines[a.Sale.Items[at].LineNo].Calculated)
		if err != nil {
			return err
		}
		weights[i] = nothing.Max(left.collected[at]).Max(calculated)
	}
	shares, err := spreadOver(due, weights, netAmounts(d.Items))
	if err != nil {
		return err
	}
	setCollected(d, due, shares)
	return nil
}

// collectedDue returns the collected tax that a credit note refunds in all. shares are those of its lines.
func collectedDue(
	a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal, shares []decimal.Decimal,
) (due decimal.Decimal, err error) {
	left, err := money.Sub(a.Sale.TotalTaxAmountImported.Abs(), a.Collected)
	if err != nil {
		return due, err
	}
	left = nothing.Max(left)
	if due, err = sumExactly(shares); err != nil {
		return due, err
	}
	net, err := netOfRefund(d)
	if err != nil {
		return due, err
	}
	after := a.CreditSums
	if after.Total, err = money.Add(after.Total, d.TotalAmount.Abs()); err != nil {
		return due, err
	}
	if after.Net, err = money.Add(after.Net, net); err != nil {
		return due, err
	}
	whole, err := isWhole(&a.Sale, creditable, after)
	if err != nil {
		return due, err
	}
	if whole {
		due = left
	}
	above, err := money.Sub(d.TotalAmount.Abs(), net)
	if err == nil && a.Sale.PricesIncludeTax() { // the lines hold it
		above, err = money.Add(above, due)
	}
	// guard: credit note: what the buyer did not get back stays owed
	return due.Min(left).Min(nothing.Max(above)), err
}

// withSubmittedSign gives an amount the submitted sign of the refund.
func withSubmittedSign(d *models.RefundDraft, amount decimal.Decimal) decimal.Decimal {
	if d.TotalAmount.IsNeg() {
		amount = amount.Neg()
	}
	return amount.Pad(2) // zero loses its decimals
}

// collectedShares returns the share of each line in the collected tax that is left on the refunded line. Units that come
// back take it by amount. With prices, a lower price may take all of it, because the law of the sale may free it.
// Then the total of the note says how much the buyer got back. It also returns the amount of each line before tax, after
// coupons of the refund. None has a sign.
func collectedShares(
	a *models.CreditAccount, d *models.RefundDraft, prices bool,
) (shares, nets []decimal.Decimal, err error) {
	left, err := leftOfSale(a)
	if err != nil {
		return nil, nil, err
	}
	if nets, err = netsOfRefund(d); err != nil {
		return nil, nil, err
	}
	shares = make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		at := left.byLine[*d.Items[i].OriginalLine]
		if !prices || !d.Items[i].Quantity.IsZero() {
			if shares[i], err = left.take(at, nets[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	for i := range d.Items {
		at := left.byLine[*d.Items[i].OriginalLine]
		if prices && (d.Items[i].Quantity.IsZero() && nets[i].IsPos() || left.isFree(&d.Items[i], nets[i])) {
			shares[i] = decimal.Zero.Max(left.collected[at])
			left.collected[at] = decimal.Zero
		}
	}
	return shares, nets, nil
}

// netsOfRefund returns the lines of a refund before tax, after coupon lines are spread, without signs.
func netsOfRefund(d *models.RefundDraft) (nets []decimal.Decimal, err error) {
	nets = make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		if nets[i], err = d.Items[i].NetAmount(); err != nil {
			return nil, err
		}
	}
	return withoutCoupons(nets, signOfLines(d), d.Items)
}

// collectedByLine returns the collected tax of each line of the sale; the sum is that of the sale. If the lines do not
// add up to it, it is spread over them: by their own collected or calculated tax, or by amount.
func collectedByLine(sale *models.Transaction) ([]decimal.Decimal, error) {
	lines, calculated := make([]decimal.Decimal, len(sale.Items)), make([]decimal.Decimal, len(sale.Items))
	for i := range sale.Items {
		lines[i], calculated[i] = sale.Items[i].TaxAmountImported, sale.Items[i].TaxAmountCalculated
	}
	sum, err := sumExactly(lines)
	if err == nil && sum.Cmp(sale.TotalTaxAmountImported) == 0 {
		return lines, nil
	}
	return spreadOver(sale.TotalTaxAmountImported, lines, calculated, netAmounts(sale.Items))
}

// spreadOver spreads an amount over lines in proportion to the first weights that have a sum, else evenly.
func spreadOver(amount decimal.Decimal, weights ...[]decimal.Decimal) ([]decimal.Decimal, error) {
	for _, w := range weights {
		if shares, err := money.Allocate(amount, w); err == nil {
			return shares, nil
		}
	}
	even := make([]decimal.Decimal, len(weights[0]))
	for i := range even {
		even[i] = decimal.One
	}
	return money.Allocate(amount, even)
}

// netAmounts returns the net amounts of lines without their signs.
func netAmounts(items []models.TransactionItem) []decimal.Decimal {
	amounts := make([]decimal.Decimal, len(items))
	for i := range items {
		if net, err := items[i].NetAmount(); err == nil {
			amounts[i] = net.Abs()
		}
	}
	return amounts
}

func sumExactly(amounts []decimal.Decimal) (sum decimal.Decimal, err error) {
	for _, amount := range amounts {
		if sum, err = money.Add(sum, amount); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
