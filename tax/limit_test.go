package tax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

// A limit of the law is an amount of money. A sale in another currency is compared with it at the rate of the tax date.
// Without a rate it is compared unconverted, with a warning.
func TestLimitsInAnotherCurrency(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to, from, class, amount, currency string
		rates                                   map[string]string
		taxed                                   bool
		warns                                   bool
	}{
		{"clothing below 110 dollars", "US-NY 10118", "", "CLOTHING", "87.99", "EUR", map[string]string{"USD": "1.25"},
			false, false},
		{"clothing at 110 dollars", "US-NY 10118", "", "CLOTHING", "88.00", "EUR", map[string]string{"USD": "1.25"},
			true, false},
		{"clothing without a rate", "US-NY 10118", "", "CLOTHING", "100.00", "EUR", nil, false, true},
		{"a rate of another currency", "US-NY 10118", "", "CLOTHING", "110.00", "EUR", map[string]string{"CAD": "1.25"},
			true, true},
		{"a class without a limit", "US-NY 10118", "", "PHYSICAL", "100.00", "EUR", nil, true, false},
		{"more than any amount", "US-NY 10118", "", "CLOTHING", "9999999999.99", "EUR",
			map[string]string{"USD": "0.000000001"}, false, false},
		{"dollars", "US-NY 10118", "", "CLOTHING", "110.00", "USD", nil, true, false},
		{"an import of 144 euro", "SE", "US-NY 10118", "PHYSICAL", "1600.00", "SEK", map[string]string{"EUR": "0.09"},
			true, false},
		{"an import of 153 euro", "SE", "US-NY 10118", "PHYSICAL", "1700.00", "SEK", map[string]string{"EUR": "0.09"},
			false, false},
		{"an import without a rate", "SE", "US-NY 10118", "PHYSICAL", "151.00", "SEK", nil, false, true},
		{"no goods", "SE", "US-NY 10118", "DIGITAL", "1700.00", "SEK", nil, true, false},
	} {
		req := abroad{to: test.to, from: test.from, class: test.class, amount: test.amount,
			currency: test.currency}.request(t)
		for currency, rate := range test.rates {
			req.Rates = map[string]decimal.Decimal{currency: decimal.MustParse(rate)}
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err, test.rule)
		require.Equal(t, test.taxed, r.Tax.IsPos(), test.rule)
		warned := false
		for _, w := range r.Warnings {
			warned = warned || w.Code == tax.WarningRateMissing
		}
		require.Equal(t, test.warns, warned, test.rule)
		require.Equal(t, test.warns, r.Confidence == tax.ConfidenceLow, test.rule)

		again, err := r.Explanation.Request()
		require.NoError(t, err)
		recomputed, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&r.Explanation, &recomputed.Explanation), test.rule)
	}
}

// Every kind of limit is converted: that of a holiday, a cap and a band.
func TestEveryLimitIsConverted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, to, class, day, dollars, euro string }{
		{"the limit of a holiday", "US-TX 78701", "CLOTHING", "2026-08-08", "99.98", "49.99"},
		{"the cap of the county surtax and a single item", "US-FL 33101", "PHYSICAL", "", "6000.00", "3000.00"},
		{"the single article and its band", "US-TN 37201", "PHYSICAL", "", "3000.00", "1500.00"},
		{"what lies above a limit", "US-RI 02903", "CLOTHING", "", "300.00", "150.00"},
	} {
		taxOf := func(amount, currency string, rates map[string]decimal.Decimal) decimal.Decimal {
			req := abroad{to: test.to, class: test.class, amount: amount, currency: currency, day: test.day}.request(t)
			req.Rates = rates
			r, err := loaded(t).Calculate(req)
			require.NoError(t, err)
			for _, w := range r.Warnings {
				require.NotEqual(t, tax.WarningRateMissing, w.Code, test.rule)
			}
			return r.Tax
		}
		two := decimal.MustParse("2")
		inEuro, err := taxOf(test.euro, "EUR", map[string]decimal.Decimal{"USD": two}).Mul(two)
		require.NoError(t, err)
		inDollars := taxOf(test.dollars, "USD", nil)
		require.Zero(t, inDollars.Cmp(inEuro), "%s: %s in dollars, %s in euro", test.rule, inDollars, inEuro)
	}
}

// An explanation names a limit that was exceeded after conversion: 900 EUR are 1,125 USD.
func TestTheReasonOfARateFollowsTheConvertedLimit(t *testing.T) {
	t.Parallel()
	for amount, says := range map[string]bool{"900.00": true, "799.00": false} {
		req := abroad{to: "US-CT 06103", class: "CLOTHING", amount: amount, currency: "EUR"}.request(t)
		req.Rates = map[string]decimal.Decimal{"USD": decimal.MustParse("1.25")}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		said := false
		for _, s := range r.Explanation.Steps {
			said = said || strings.Contains(s.Text, "taxes clothing above 1000.00 USD an item at 7.75 %")
		}
		require.Equal(t, says, said, amount)
	}
}

// A converted limit is not rounded: no amount is above it, or below it, by rounding.
func TestNoLimitIsPassedByRounding(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to, from, class, amount, currency, rate string
		quantity, day                                 string
		taxed                                         bool
	}{
		// 110 USD at 1.19 are 92.437 EUR; only what costs less is free.
		{"below 110 dollars by less than a cent", "US-NY 10118", "", "CLOTHING", "92.43", "EUR", "1.19", "1", "", false},
		{"above 110 dollars by less than a cent", "US-NY 10118", "", "CLOTHING", "92.44", "EUR", "1.19", "1", "", true},
		// 110 USD at 1.17 are 94.017 EUR.
		{"rounded down", "US-NY 10118", "", "CLOTHING", "94.01", "EUR", "1.17", "1", "", false},
		{"and a cent above", "US-NY 10118", "", "CLOTHING", "94.02", "EUR", "1.17", "1", "", true},
		{"two items of 94.015 EUR", "US-NY 10118", "", "CLOTHING", "188.03", "EUR", "1.17", "2", "", false},
		{"two items of 94.02 EUR", "US-NY 10118", "", "CLOTHING", "188.04", "EUR", "1.17", "2", "", true},
		// 150 EUR at 0.0877 are 1,710.376 SEK; what is above is taxed at the border.
		{"an import below 150 euro", "SE", "US-NY 10118", "PHYSICAL", "1710.37", "SEK", "0.0877", "1", "", true},
		{"an import above 150 euro", "SE", "US-NY 10118", "PHYSICAL", "1710.38", "SEK", "0.0877", "1", "", false},
		// 150 EUR at 0.0876 are 1,712.329 SEK.
		{"an import of 149.998 euro", "SE", "US-NY 10118", "PHYSICAL", "1712.31", "SEK", "0.0876", "1", "", true},
		{"an import of 150.0001 euro", "SE", "US-NY 10118", "PHYSICAL", "1712.33", "SEK", "0.0876", "1", "", false},
		// 100 USD at 1.17 are 85.470 EUR, the limit of a holiday in Texas for what costs less.
		{"a holiday", "US-TX 78701", "", "CLOTHING", "85.47", "EUR", "1.17", "1", "2026-08-08", false},
		{"above a holiday", "US-TX 78701", "", "CLOTHING", "85.48", "EUR", "1.17", "1", "2026-08-08", true},
	} {
		req := abroad{to: test.to, from: test.from, class: test.class, amount: test.amount, currency: test.currency,
			day: test.day}.request(t)
		req.Lines[0].Quantity = decimal.MustParse(test.quantity)
		of := "USD"
		if test.to == "SE" {
			of = "EUR"
		}
		req.Rates = map[string]decimal.Decimal{of: decimal.MustParse(test.rate)}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err, test.rule)
		require.Equal(t, test.taxed, r.Tax.IsPos(), test.rule)
	}
}

// Several of one kind that are usually sold together are one item for the surtax of a county in Florida. Electric power
// is one item, however many units a bill has. Source: Fla. Admin. Code 12A-15.004.
func TestWhatIsOneItemInFloridaIsDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line, tax string
		doubted   bool
	}{
		{"PHYSICAL 12000.00", "770.00", false}, // 6 % of it, 1 % of 5,000
		{"PHYSICAL 12000.00 2", "820.00", true},
		{"PHYSICAL 12000.00 200", "840.00", true},
		{"PHYSICAL 5000.00 10", "350.00", false},
		{"UTILITY 20000.00 100000", "1400.00", true},
		{"UTILITY 20000.00", "1250.00", false},
		{"ADMISSION 20000.00 10", "1400.00", false}, // the surtax has no limit there
		{"PHYSICAL -12000.00 200", "-840.00", true},
	} {
		r := basket{to: "Miami, FL 33101", lines: []string{test.line}}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), test.line)
		require.Equal(t, test.doubted, strings.Contains(fmt.Sprint(r.Warnings), "can be one item"),
			"%s: %v", test.line, r.Warnings)
		if test.doubted {
			require.Equal(t, tax.ConfidenceLow, r.Confidence, test.line)
		}
	}
}
