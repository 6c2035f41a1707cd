package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// ConvertedAmounts converts amounts of a transaction into its destination currency. The zero value is that of a
// transaction that is not PROCESSED. It has no such amounts, and answers leave them out.
type ConvertedAmounts struct {
	Currency string
	rate     decimal.Decimal
}

// ConvertedAmountsOf returns the stored conversion of a transaction.
func ConvertedAmountsOf(t *models.Transaction) ConvertedAmounts {
	if t.DestinationCurrency == nil || t.ConversionRate == nil {
		return ConvertedAmounts{}
	}
	return ConvertedAmounts{Currency: *t.DestinationCurrency, rate: *t.ConversionRate}
}

// RateText returns the rate with 9 decimals.
func (c ConvertedAmounts) RateText() string {
	if c.Currency == "" {
		return ""
	}
	return money.FormatRate(c.rate)
}

// Money returns an amount as text, converted and rounded once; empty if it is too large.
func (c ConvertedAmounts) Money(d decimal.Decimal) string {
	if c.Currency == "" {
		return ""
	}
	converted, err := money.Convert(d, c.rate)
	if err != nil { // processing stores no rate with which an amount grows too large
		return ""
	}
	return money.Format(converted)
}

// Final returns the final total as the sum of its converted parts.
func (c ConvertedAmounts) Final(t *models.Transaction) string {
	if c.Currency == "" {
		return ""
	}
	if paysByLines(t) {
		return c.Money(*t.GrossAmount)
	}
	var amounts []decimal.Decimal
	for _, part := range []decimal.Decimal{t.Subtotal, t.TotalDiscount.Neg(), t.TotalTaxLiabilityAmount} {
		converted, err := money.Convert(part, c.rate)
		if err != nil {
			return ""
		}
		amounts = append(amounts, converted)
	}
	return money.Format(sumOf(amounts))
}

// sumOf adds up amounts of a stored document, which fit.
func sumOf(amounts []decimal.Decimal) (sum decimal.Decimal) {
	for _, amount := range amounts {
		next, err := money.Add(sum, amount)
		if err != nil {
			return sum
		}
		sum = next
	}
	return sum
}

// ConvertedParts are converted amounts of lines or tax lines.
type ConvertedParts []decimal.Decimal

// At returns an amount as text; empty if there is none.
func (p ConvertedParts) At(i int) string {
	if i >= len(p) {
		return ""
	}
	return money.Format(p[i])
}

// Of returns an amount; nil if there is none.
func (p ConvertedParts) Of(i int) *decimal.Decimal {
	if i >= len(p) {
		return nil
	}
	return &p[i]
}

// ConvertedLines are the amounts of the lines. They add up to those of the document if the unconverted ones do.
type ConvertedLines struct{ Amount, Subtotal, Discount, Taxable, Imported, Calculated ConvertedParts }

// Lines converts the amounts of the lines.
func (c ConvertedAmounts) Lines(t *models.Transaction) ConvertedLines {
	if c.Currency == "" {
		return ConvertedLines{}
	}
	spread := func(of func(*models.TransactionItem) decimal.Decimal) ConvertedParts {
		amounts := make([]decimal.Decimal, len(t.Items))
		for i := range t.Items {
			amounts[i] = of(&t.Items[i])
		}
		return c.spread(sumOf(amounts), amounts)
	}
	subtotal := spread(func(i *models.TransactionItem) decimal.Decimal { return i.Amount })
	amount := subtotal
	if t.PricesIncludeTax() {
		amount = spread(func(i *models.TransactionItem) decimal.Decimal { return i.SubmittedAmount() })
	}
	return ConvertedLines{
		Amount: amount, Subtotal: subtotal,
		Discount:   spread(func(i *models.TransactionItem) decimal.Decimal { return i.TotalDiscount }),
		Taxable:    spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxableAmount }),
		Imported:   spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxAmountImported }),
		Calculated: spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxAmountCalculated }),
	}
}

// spread converts the amounts so that they add up to the converted sum.
func (c ConvertedAmounts) spread(sum decimal.Decimal, amounts []decimal.Decimal) ConvertedParts {
	if c.rate.Cmp(decimal.One) == 0 {
		return amounts
	}
	whole, err := money.Convert(sum, c.rate)
	if err != nil { // processing stores no rate with which an amount grows too large
		return nil
	}
	return c.partsOf(whole, amounts)
}

// partsOf converts amounts so that they add up to a converted whole. Amounts that are not its parts are converted one
// by one.
func (c ConvertedAmounts) partsOf(whole decimal.Decimal, amounts []decimal.Decimal) ConvertedParts {
	if converted, err := money.ConvertParts(whole, amounts, c.rate); err == nil {
		return converted
	}
	alone := make(ConvertedParts, len(amounts))
	for i, amount := range amounts {
		converted, err := money.Convert(amount, c.rate)
		if err != nil {
			return nil
		}
		alone[i] = converted
	}
	return alone
}

// TaxItems converts tax lines: the calculated ones add up to the calculated tax of
// their line.
func (c ConvertedAmounts) TaxItems(items []models.TaxItem, calculated *decimal.Decimal) []string {
	texts := make([]string, len(items))
	var amounts []decimal.Decimal
	var places []int
	for i := range items {
		if items[i].Type != models.TaxItemCalculated {
			texts[i] = c.Money(items[i].Amount)
			continue
		}
		amounts, places = append(amounts, items[i].Amount), append(places, i)
	}
	if calculated == nil || amounts == nil {
		return texts
	}
	converted := c.partsOf(*calculated, amounts)
	for n, i := range places {
		texts[i] = converted.At(n)
	}
	return texts
}
