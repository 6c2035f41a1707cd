package api

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// conversion turns amounts of a transaction into its destination currency. The
// zero value is that of a transaction that is not PROCESSED: it has no such
// amounts, and answers leave them out.
type conversion struct {
	currency string
	rate     decimal.Decimal
}

func conversionOf(t *models.Transaction) conversion {
	if t.DestinationCurrency == nil || t.ConversionRate == nil {
		return conversion{}
	}
	return conversion{currency: *t.DestinationCurrency, rate: *t.ConversionRate}
}

func (c conversion) rateText() string {
	if c.currency == "" {
		return ""
	}
	return tax.FormatRate(c.rate)
}

func (c conversion) money(d decimal.Decimal) string {
	if c.currency == "" {
		return ""
	}
	converted, err := tax.Convert(d, c.rate)
	if err != nil { // processing stores no rate with which an amount grows too large
		return ""
	}
	return tax.FormatMoney(converted)
}

// final is the sum of its parts, as that of the amounts that were converted.
func (c conversion) final(t *models.Transaction) string {
	if c.currency == "" {
		return ""
	}
	sum := total{}
	for _, part := range []decimal.Decimal{t.Subtotal, t.TotalDiscount.Neg(), t.TotalTaxLiabilityAmount} {
		converted, err := tax.Convert(part, c.rate)
		if err != nil {
			return ""
		}
		sum.add(converted)
	}
	return tax.FormatMoney(sum.sum)
}

// parts are converted amounts of lines or tax lines.
type parts []decimal.Decimal

// at is an amount as text; empty where there is none.
func (p parts) at(i int) string {
	if i >= len(p) {
		return ""
	}
	return tax.FormatMoney(p[i])
}

// of is an amount, nil where there is none.
func (p parts) of(i int) *decimal.Decimal {
	if i >= len(p) {
		return nil
	}
	return &p[i]
}

// convertedLines are the amounts of the lines. They add up to those of the
// document wherever the amounts they come from do.
type convertedLines struct{ amount, discount, taxable, imported, calculated parts }

func (c conversion) lines(t *models.Transaction) convertedLines {
	if c.currency == "" {
		return convertedLines{}
	}
	spread := func(of func(*models.TransactionItem) decimal.Decimal) parts {
		amounts := make([]decimal.Decimal, len(t.Items))
		sum := total{}
		for i := range t.Items {
			amounts[i] = of(&t.Items[i])
			sum.add(amounts[i])
		}
		return c.spread(sum.sum, amounts)
	}
	return convertedLines{
		amount:     spread(func(i *models.TransactionItem) decimal.Decimal { return i.Amount }),
		discount:   spread(func(i *models.TransactionItem) decimal.Decimal { return i.TotalDiscount }),
		taxable:    spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxableAmount }),
		imported:   spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxAmountImported }),
		calculated: spread(func(i *models.TransactionItem) decimal.Decimal { return i.TaxAmountCalculated }),
	}
}

// spread converts the amounts so that they add up to the converted sum.
func (c conversion) spread(sum decimal.Decimal, amounts []decimal.Decimal) parts {
	if c.rate.Cmp(decimal.One) == 0 {
		return amounts
	}
	whole, err := tax.Convert(sum, c.rate)
	if err != nil { // processing stores no rate with which an amount grows too large
		return nil
	}
	return c.partsOf(whole, amounts)
}

// partsOf converts amounts so that they add up to a converted whole; amounts that
// are not its parts are converted one by one.
func (c conversion) partsOf(whole decimal.Decimal, amounts []decimal.Decimal) parts {
	if converted, err := tax.ConvertParts(whole, amounts, c.rate); err == nil {
		return converted
	}
	alone := make(parts, len(amounts))
	for i, amount := range amounts {
		converted, err := tax.Convert(amount, c.rate)
		if err != nil {
			return nil
		}
		alone[i] = converted
	}
	return alone
}

// taxItems converts tax lines: the calculated ones add up to the calculated tax of
// their line.
func (c conversion) taxItems(items []models.TaxItem, calculated *decimal.Decimal) []string {
	texts := make([]string, len(items))
	var amounts []decimal.Decimal
	var places []int
	for i := range items {
		if items[i].Type != models.TaxItemCalculated {
			texts[i] = c.money(items[i].Amount)
			continue
		}
		amounts, places = append(amounts, items[i].Amount), append(places, i)
	}
	if calculated == nil || amounts == nil {
		return texts
	}
	converted := c.partsOf(*calculated, amounts)
	for n, i := range places {
		texts[i] = converted.at(n)
	}
	return texts
}
