package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// beforeTax returns the lines of a refund before tax, without a sign. Prices that include tax are taken in the proportion
// of the refunded lines. It returns 0 for such a sale whose tax is not known yet. Errors: money.ErrOverflow.
func beforeTax(a *models.CreditAccount, d *models.RefundDraft) (decimal.Decimal, error) {
	net, err := netOfRefund(d)
	switch {
	case err != nil || !a.Sale.PricesIncludeTax():
		return net, err
	case !a.Sale.ProcessingStatus.Calculated():
		return nothing, nil
	}
	for i := range d.Items {
		item := &d.Items[i]
		at := slices.IndexFunc(a.Sale.Items, func(o models.TransactionItem) bool { return o.LineNo == *item.OriginalLine })
		price, err := a.Sale.Items[at].NetAmount()
		if err != nil || price.IsZero() {
			continue
		}
		back, err := item.NetAmount()
		if err != nil {
			return net, err
		}
		tax := ShareOfPrice(a.Sale.Items[at].TaxAmountCalculated.Abs(), back.Abs(), price.Abs(), a.Sale.Currency)
		if net, err = money.Sub(net, tax); err != nil {
			return net, err
		}
	}
	return net, nil
}

// takeTaxOfRefund makes the lines of a refund net, whose prices include tax: net and tax of each come to what is given
// back. Errors: money.ErrOverflow.
func takeTaxOfRefund(t *models.Transaction, result *tax.Result) error {
	nets := zeros(len(t.Items))
	for i := range t.Items {
		back := amountToTax(*t, t.Items[i])
		if back.IsZero() {
			continue
		}
		net, err := money.Sub(back.Abs(), result.Lines[i].Tax.Abs())
		if err != nil {
			return err
		}
		nets[i] = nothing.Max(net).CopySign(back)
	}
	return takeTaxOut(t, nets)
}

// withNetPrices returns a transaction with the net prices of its outcome.
func withNetPrices(t models.Transaction, outcome *models.TaxOutcome) models.Transaction {
	if outcome.Net == nil {
		return t
	}
	t.Items = slices.Clone(t.Items)
	t.Subtotal, t.TotalDiscount = outcome.Net.Amount, outcome.Net.Discount
	for i := range t.Items {
		if net := outcome.Lines[i].Net; net != nil {
			t.Items[i].Amount, t.Items[i].TotalDiscount = net.Amount, net.Discount
		}
	}
	return t
}
