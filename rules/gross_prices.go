package rules

import (
	"errors"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// ShareOfPrice returns the share of an amount in the proportion of a part of a price to all of it. So a discount loses
// its tax. The share is at most the amount, so that it fits. It is the amount where the price is 0.00. A currency without
// cents has whole shares of whole amounts.
func ShareOfPrice(amount, part, price decimal.Decimal, currency string) decimal.Decimal {
	if price.IsZero() {
		return amount
	}
	unit, of := money.UnitOf(currency), amount
	cents, err := money.Cents(amount)
	if unit == 1 || err != nil || cents%unit != 0 {
		unit = 1
	} else {
		of = money.FromCents(cents / unit)
	}
	share, err := money.ShareBetween(of, decimal.Zero, part, price)
	if err != nil {
		return amount
	}
	if unit == 1 {
		return share
	}
	if cents, err = money.Cents(share); err != nil {
		return amount
	}
	return money.FromCents(cents * unit)
}

// AsSubmitted returns a transaction whose prices include tax with the submitted amounts. Another is returned unchanged.
func AsSubmitted(t *models.Transaction) *models.Transaction {
	if !t.PricesIncludeTax() {
		return t
	}
	submitted := *t
	submitted.Items = slices.Clone(t.Items)
	for i := range submitted.Items {
		item := &submitted.Items[i]
		item.Amount, item.TotalDiscount = item.SubmittedAmount(), item.SubmittedDiscount()
	}
	sumLines(&submitted) // its faults were found before
	return &submitted
}

// WithKnownPrices returns a transaction for an answer. Its prices are as submitted until its tax is calculated.
func WithKnownPrices(t *models.Transaction) *models.Transaction {
	if t.DestinationCurrency == nil {
		return AsSubmitted(t)
	}
	return t
}

// AfterDiscount returns an amount of a stored line less its discount.
func AfterDiscount(amount, discount decimal.Decimal) decimal.Decimal {
	return sumOf([]decimal.Decimal{amount, discount.Neg()})
}

// NotePrices notes the submitted amounts of the lines of a transaction whose prices include tax.
func NotePrices(t *models.Transaction) {
	if !t.PricesIncludeTax() {
		return
	}
	for i := range t.Items {
		item := &t.Items[i]
		item.SetGross(models.GrossPrice{Amount: item.Amount, Discount: item.TotalDiscount})
	}
}

// takeTaxOut makes the amounts of a transaction net whose prices include tax. nets are the lines after discounts, before
// coupon lines. The lines are those of AsSubmitted, which no other transaction shares. Errors: money.ErrOverflow.
func takeTaxOut(t *models.Transaction, nets []decimal.Decimal) (err error) {
	for i := range t.Items {
		item, price := &t.Items[i], t.Items[i].GrossPrice()
		if price == nil || t.Type == models.TypeTaxRefund {
			continue
		}
		gross, err := money.Sub(price.Amount, price.Discount)
		if err != nil {
			return err
		}
		item.TotalDiscount = ShareOfPrice(price.Discount, nets[i], gross, t.Currency)
		if item.Amount, err = money.Add(nets[i], item.TotalDiscount); err != nil {
			return err
		}
	}
	sumLines(t) // net amounts are at most the prices
	return nil
}

// netsForNexus returns the net prices by which stage 3 counts lines whose prices include tax. They follow the law of the
// destination, those of a refund its sale. Stage 4 counts them anew by the law that applies. nil means that they are
// not known. Errors: money.ErrOverflow.
func netsForNexus(t models.Transaction, result *tax.Result) ([]decimal.Decimal, error) {
	switch {
	case result != nil:
		return netPrices(result.Lines), nil
	case t.Original == nil:
		return nil, nil
	}
	nets := make([]decimal.Decimal, len(t.Items))
	for i := range t.Items {
		gross, err := t.Items[i].NetAmount()
		if err != nil {
			return nil, err
		}
		nets[i] = gross
		at := slices.IndexFunc(t.Original.Items, func(o models.TransactionItem) bool {
			return t.Items[i].OriginalLine != nil && o.LineNo == *t.Items[i].OriginalLine
		})
		if at < 0 {
			continue
		}
		net, err := t.Original.Items[at].NetAmount()
		if err != nil {
			return nil, err
		}
		price, err := money.Add(net, t.Original.Items[at].TaxAmountCalculated)
		if err != nil {
			return nil, err
		}
		nets[i] = ShareOfPrice(gross, net, price, t.Currency)
	}
	return nets, nil
}

// netPrices are the net prices of calculated lines.
func netPrices(lines []tax.LineResult) []decimal.Decimal {
	nets := make([]decimal.Decimal, len(lines))
	for i := range lines {
		nets[i] = lines[i].Net
	}
	return nets
}

// paysByLines reports whether the submitted lines of a document say what the buyer pays or gets back, with the tax. Those
// of a refund of tax alone do not.
func paysByLines(t *models.Transaction) bool {
	return t.PricesIncludeTax() && t.Type != models.TypeTaxRefund && !t.GrossAmount.IsZero()
}

// NoNetPrice returns the index of the line whose law allows no net price, if an error of the calculation says so.
func NoNetPrice(err error) (line int, found bool) {
	if refused, ok := errors.AsType[*tax.NoNetPriceError](err); ok {
		return refused.Line, true
	}
	return 0, false
}

// NoNetPriceMessage says why a price is refused.
func NoNetPriceMessage(price decimal.Decimal) string {
	return "No net price comes to " + money.Format(price) + " with its tax: a limit of the law lies between."
}

// addNetPrices adds to an outcome what is stored of net prices, and what they add to nexus. Errors: money.ErrOverflow.
func addNetPrices(outcome *models.TaxOutcome, t models.Transaction) error {
	for i := range t.Items {
		outcome.Lines[i].Net = &models.NetPrice{Amount: t.Items[i].Amount, Discount: t.Items[i].TotalDiscount}
	}
	outcome.Net = &models.NetPrice{Amount: t.Subtotal, Discount: t.TotalDiscount}
	// guard: gross prices: nexus counts the net prices of the law that applies
	nexus, err := CountNexus(t)
	outcome.Nexus = nexus.Contributions
	return err
}
