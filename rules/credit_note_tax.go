package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// collectBack sets the collected tax of a credit note that was submitted without it. Each line gets its share, by
// amount, of the tax that was collected for the refunded line. The note that refunds the last of a line, or of the
// sale, gets the remainder, and none gets more than is left. All notes of a sale together thus bring its tax to zero.
func collectBack(a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal) error {
	if !d.Sent.TaxFromOriginal || d.Type == models.TypeTaxRefund || a.Sale.TotalTaxAmountImported.IsZero() {
		return nil
	}
	shares, err := collectedShares(a, d)
	if err != nil {
		return err
	}
	sum, err := sumExactly(shares)
	if err != nil {
		return err
	}
	due, err := collectedDue(a, d, creditable, sum)
	if err != nil {
		return err
	}
	if due.Cmp(sum) != 0 {
		if shares, err = spreadOver(due, shares, netAmounts(d.Items)); err != nil {
			return err
		}
	}
	for i := range d.Items {
		d.Items[i].TaxAmountImported = withSubmittedSign(d, shares[i])
	}
	d.TotalTaxAmountImported = withSubmittedSign(d, due)
	return nil
}

// collectedDue returns the collected tax that a credit note refunds in all. sum is the sum of the shares of its lines.
func collectedDue(
	a *models.CreditAccount, d *models.RefundDraft, creditable, sum decimal.Decimal,
) (due decimal.Decimal, err error) {
	whole := a.Sale.TotalTaxAmountImported
	left, err := money.Sub(whole.Abs(), a.Collected)
	if err != nil {
		return due, err
	}
	if left.IsNeg() {
		left = decimal.Zero
	}
	back, err := money.Add(d.TotalAmount.Abs(), a.Taken)
	switch {
	case err != nil:
		return due, err
	case back.Cmp(creditable) >= 0:
		return left.CopySign(whole), nil
	case sum.Sign() == -whole.Sign(): // a coupon alone is taken back: that gives no tax back
		return decimal.Zero, nil
	case sum.CmpAbs(left) > 0:
		return left.CopySign(whole), nil
	}
	return sum, nil
}

// withSubmittedSign turns an amount from the sign of the sale to the submitted sign of the credit note.
func withSubmittedSign(d *models.RefundDraft, amount decimal.Decimal) decimal.Decimal {
	if d.TotalAmount.IsNeg() {
		amount = amount.Neg()
	}
	return amount.Pad(2) // zero loses its decimals
}

// collectedShares returns for each line its share in the collected tax of the refunded line, with the sign of the sale.
func collectedShares(a *models.CreditAccount, d *models.RefundDraft) ([]decimal.Decimal, error) {
	collected, err := collectedByLine(&a.Sale)
	if err != nil {
		return nil, err
	}
	taken := make(map[int]models.LineCredit, len(a.Lines))
	for line, credit := range a.Lines {
		taken[line] = credit
	}
	byLine := make(map[int]int, len(a.Sale.Items))
	for i := range a.Sale.Items {
		byLine[a.Sale.Items[i].LineNo] = i
	}
	shares := make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		line := *d.Items[i].OriginalLine
		at := byLine[line]
		credit := taken[line]
		if shares[i], err = collectedShare(&a.Sale.Items[at], &d.Items[i], collected[at], &credit); err != nil {
			return nil, err
		}
		taken[line] = credit
	}
	return shares, nil
}

// collectedShare returns the share of one line in the collected tax of the refunded line. It adds that share to taken,
// which has what other notes took.
func collectedShare(
	of, item *models.TransactionItem, collected decimal.Decimal, taken *models.LineCredit,
) (share decimal.Decimal, err error) {
	net, err := of.NetAmount()
	if err != nil {
		return share, err
	}
	amount, err := item.NetAmount()
	if err != nil || amount.IsZero() && !net.IsZero() {
		return decimal.Zero, err
	}
	left, err := money.Sub(collected.Abs(), taken.Collected)
	if err != nil {
		return share, err
	}
	if left.IsNeg() {
		left = decimal.Zero
	}
	if taken.Amount, err = money.Add(taken.Amount, amount.Abs()); err != nil {
		return share, err
	}
	share = left
	if taken.Amount.CmpAbs(net) < 0 {
		if share, err = money.ShareBetween(collected.Abs(), decimal.Zero, amount.Abs(), net.Abs()); err != nil {
			return share, err
		}
		share = share.Min(left)
	}
	if taken.Collected, err = money.Add(taken.Collected, share); err != nil {
		return share, err
	}
	return share.CopySign(collected), nil
}

// collectedByLine returns the collected tax of each line of the sale; the sum is that of the sale. If the lines do not
// add up to it, it is spread over them: in proportion to their own tax, else by amount.
func collectedByLine(sale *models.Transaction) ([]decimal.Decimal, error) {
	lines := make([]decimal.Decimal, len(sale.Items))
	for i := range sale.Items {
		lines[i] = sale.Items[i].TaxAmountImported
	}
	sum, err := sumExactly(lines)
	if err == nil && sum.Cmp(sale.TotalTaxAmountImported) == 0 {
		return lines, nil
	}
	return spreadOver(sale.TotalTaxAmountImported, lines, netAmounts(sale.Items))
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
