package rules

import (
	"encoding/json"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// taxingCurrency returns the currency of the country that taxes. A country without one has that of the sale.
func taxingCurrency(t models.Transaction) string {
	country, _ := taxingState(t)
	if currency, ok := CurrencyOf(country, calendar.DateOf(t.TaxDate)); ok {
		return currency
	}
	return t.Currency
}

// ConversionPairs lists the rates that the transactions of a batch need, each once. It returns nil if nothing is
// converted.
func ConversionPairs(transactions []models.Transaction) (pairs []models.CurrencyPair) {
	wanted := map[models.CurrencyPair]bool{}
	for _, t := range transactions {
		if t.Place == nil {
			continue
		}
		for _, pair := range append(lawPairs(t), pairOf(t)) {
			if !wanted[pair] && pair.From != pair.To {
				wanted[pair] = true
				pairs = append(pairs, pair)
			}
		}
	}
	return pairs
}

// lawPairs lists the rates that limits of the law need, in addition to that of the taxing country. An example is the
// import limit of the European Union: it is in euro in all members.
func lawPairs(t models.Transaction) []models.CurrencyPair {
	day := calendar.DateOf(t.TaxDate)
	if t.Type.IsCredit() || t.Currency == euro || t.Origin == nil || t.Place == nil ||
		!nexus.UnionMember(t.Place.Country, day) || nexus.UnionMember(t.Origin.Country, day) || taxingCurrency(t) == euro {
		return nil
	}
	return []models.CurrencyPair{{From: t.Currency, To: euro, Day: t.TaxDate}}
}

const euro = "EUR"

// lawRates returns the rates of a sale by the currency of the law; nil if the sale is in that currency.
func lawRates(t models.Transaction, rates Rates) map[string]decimal.Decimal {
	if len(rates) == 0 {
		return nil
	}
	var by map[string]decimal.Decimal
	for _, pair := range append(lawPairs(t), pairOf(t)) {
		if rate, ok := rates[pair]; ok && pair.From != pair.To {
			if by == nil {
				by = map[string]decimal.Decimal{}
			}
			by[pair.To] = rate.Rate
		}
	}
	return by
}

func pairOf(t models.Transaction) models.CurrencyPair {
	return models.CurrencyPair{From: t.Currency, To: taxingCurrency(t), Day: t.TaxDate}
}

// conversion says how a transaction was converted. Its JSON is a part of the explanation.
type conversion struct {
	From   string          `json:"from_currency"`
	To     string          `json:"to_currency"`
	Rate   decimal.Decimal `json:"-"`
	Text   string          `json:"rate"`
	Day    calendar.Date   `json:"rate_date"`
	Source string          `json:"source"`
}

// conversionOf returns the conversion of a sale by the rate of its tax date; nil if the sale is in the currency of the
// destination. ok is false if there is no rate.
func conversionOf(t models.Transaction, rates Rates) (found *conversion, ok bool) {
	pair := pairOf(t)
	if pair.From == pair.To {
		return nil, true
	}
	rate, ok := rates[pair]
	if !ok {
		return nil, false
	}
	return &conversion{
		From: pair.From, To: pair.To, Rate: rate.Rate, Text: money.FormatRate(rate.Rate), Day: calendar.DateOf(rate.Day),
		Source: rate.Source,
	}, true
}

// conversionOfRefund returns the conversion of the refunded sale: after a full refund, nothing of the sale is left in
// any return. If the country has changed its currency since, it returns a conversion by the rate of the day of the
// refund. ok is false if there is no rate.
func conversionOfRefund(t models.Transaction, sold *conversion, rates Rates) (found *conversion, ok bool) {
	if sold == nil || sold.From != t.Currency || sold.To != taxingCurrency(t) {
		return conversionOf(t, rates)
	}
	return sold, true
}

// UnmarshalJSON reads the conversion of a stored explanation.
func (c *conversion) UnmarshalJSON(text []byte) (err error) {
	type shown conversion
	if err = json.Unmarshal(text, (*shown)(c)); err == nil {
		c.Rate, err = money.ParseDecimal(c.Text)
	}
	return err
}

// rate returns 1 if nothing is converted.
func (c *conversion) rate() decimal.Decimal {
	if c == nil {
		return decimal.One
	}
	return c.Rate
}

// fits reports whether every amount of the transaction stays within 10 digits.
func (c *conversion) fits(t models.Transaction, result tax.Result, owed decimal.Decimal) bool {
	if c == nil {
		return true
	}
	amounts := []decimal.Decimal{
		t.TotalAmount, t.Subtotal, t.TotalDiscount, t.TotalTaxAmountImported, result.TaxableAmount, result.Tax,
		owed,
	}
	if t.GrossAmount != nil {
		amounts = append(amounts, *t.GrossAmount)
	}
	for _, item := range t.Items {
		amounts = append(amounts, item.Amount, item.SubmittedAmount(), item.TotalDiscount, item.TaxAmountImported)
		for _, imported := range item.TaxItems {
			amounts = append(amounts, imported.Amount)
		}
	}
	for _, line := range result.Lines {
		amounts = append(amounts, line.TaxableAmount, line.Tax)
		for _, item := range line.TaxItems {
			amounts = append(amounts, item.Amount)
		}
	}
	final := decimal.Zero
	for _, amount := range amounts {
		if _, err := money.Convert(amount, c.Rate); err != nil {
			return false
		}
	}
	for _, part := range []decimal.Decimal{t.Subtotal, t.TotalDiscount.Neg(), owed} {
		converted, err := money.Convert(part, c.Rate)
		if err == nil {
			final, err = money.Add(final, converted)
		}
		if err != nil {
			return false
		}
	}
	_, err := money.Convert(final, decimal.One)
	return err == nil
}

// NoConversionRate begins the reason of transactions that wait for conversion rates.
const NoConversionRate = "No conversion rate from "

// noRate and tooLarge return reasons for NEEDS_REFETCH.
func noRate(pair models.CurrencyPair) string {
	return NoConversionRate + pair.From + " to " + pair.To +
		" for the tax date or the 7 days before."
}

func (c *conversion) tooLarge() string {
	return "An amount converted to " + c.To + " needs more than 10 digits before the point."
}

// sentence is the sentence of the explanation.
func (c *conversion) sentence() string {
	return "Converted from " + c.From + " to " + c.To + " at " + c.Text + ", the reference rate of " +
		c.Day.String() + " (" + c.Source + ")."
}
