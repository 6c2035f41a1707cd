package tax_test

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// roundedSale is a sale of equal lines of goods in a place.
func roundedSale(t *testing.T, address tax.Address, currency string, unit tax.RoundingUnit, amounts ...string) tax.Request {
	t.Helper()
	day := calendar.MustDate("2026-05-15")
	req := tax.Request{
		TaxDate: day, Currency: currency, Rounding: unit, Destination: loaded(t).Resolve(address),
	}
	for _, amount := range amounts {
		req.Lines = append(req.Lines, tax.Line{
			Class: tax.ClassPhysical, Amount: decimal.MustParse(amount).Pad(2), Quantity: decimal.One,
		})
	}
	return req
}

func times(n int, amount string) []string {
	return strings.Fields(strings.Repeat(amount+" ", n))
}

// partsOf returns the tax of each jurisdiction of a sale, in their order.
func partsOf(t *testing.T, r *tax.Result) (parts []string) {
	t.Helper()
	sums, names := map[string]decimal.Decimal{}, []string{}
	for _, l := range r.Lines {
		for _, i := range l.TaxItems {
			if _, known := sums[i.JurisdictionName]; !known {
				names, sums[i.JurisdictionName] = append(names, i.JurisdictionName), decimal.MustNew(0, 2)
			}
			sums[i.JurisdictionName] = sum(t, sums[i.JurisdictionName], i.Amount)
		}
	}
	for _, name := range names {
		parts = append(parts, sums[name].String())
	}
	return parts
}

func warningOfRounding(r *tax.Result) string {
	for _, w := range r.Warnings {
		if w.Code == tax.WarningRoundingUnit {
			return w.Message
		}
	}
	return ""
}

func TestTheUnitOfRoundingIsTheChoiceOfTheSeller(t *testing.T) {
	t.Parallel()
	houston := tax.Address{Street1: "1 Main St", City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	denver := tax.Address{City: "Denver", State: "CO", PostalCode: "80202", Country: "US"}
	for _, c := range []struct {
		why     string
		address tax.Address
		unit    tax.RoundingUnit
		amounts []string
		tax     string
		parts   []string
		warning string
	}{
		{"small lines come to nothing", houston, tax.TaxPerLine, times(1000, "0.05"), "0.00",
			[]string{"0.00", "0.00", "0.00"}, "by line the tax is 0.00, by document 4.13"},
		{"50.00 x 8.25 % = 4.125, then 3.125, 0.50 and 0.50", houston, tax.TaxPerDocument, times(1000, "0.05"), "4.13",
			[]string{"3.13", "0.50", "0.50"}, "by line the tax is 0.00, by document 4.13"},
		{"one line that is too small", houston, tax.TaxPerLine, times(1, "0.05"), "0.00",
			[]string{"0.00", "0.00", "0.00"}, "by line the tax is 0.00, by document 0.00"},
		{"a few cents are no warning", denver, tax.TaxPerLine, times(10, "0.45"), "0.40", nil, ""},
		{"4.50 at 9.15 %", denver, tax.TaxPerDocument, times(10, "0.45"), "0.41", nil, ""},
		{"60 sales in one", houston, tax.TaxPerLine, times(60, "1.03"), "4.80", nil, "by line the tax is 4.80, by document 5.10"},
		{"5 cents are tolerated", houston, tax.TaxPerLine, times(10, "1.03"), "0.80", []string{"0.60", "0.10", "0.10"}, ""},
		{"6 cents are not", houston, tax.TaxPerLine, times(12, "1.03"), "0.96", nil, "by line the tax is 0.96, by document 1.02"},
		{"each jurisdiction by itself", houston, tax.JurisdictionPerLine, times(1, "0.60"), "0.06",
			[]string{"0.04", "0.01", "0.01"}, ""},
	} {
		r, err := loaded(t).Calculate(roundedSale(t, c.address, "USD", c.unit, c.amounts...))
		require.NoError(t, err)
		require.Equal(t, c.tax, r.Tax.String(), c.why)
		if c.parts != nil {
			require.Equal(t, c.parts, partsOf(t, &r), c.why)
		}
		if c.warning == "" {
			require.Empty(t, warningOfRounding(&r), c.why)
		} else {
			require.Contains(t, warningOfRounding(&r), c.warning, c.why)
		}
		require.Equal(t, c.unit, r.Explanation.Items[0].Rounding.Unit)
	}
}

func TestCurrenciesWithoutCentsAreRoundedToWholeUnits(t *testing.T) {
	t.Parallel()
	sanJose := tax.Address{City: "San Jose", State: "CA", PostalCode: "95113", Country: "US"}
	for _, c := range []struct {
		why, currency string
		unit          tax.RoundingUnit
		amounts       []string
		tax           string
	}{
		{"1005 at 10 % is 100.5", "JPY", tax.TaxPerLine, times(1, "1005"), "101.00"},
		{"with cents", "USD", tax.TaxPerLine, times(1, "1005"), "100.50"},
		{"each line", "KRW", tax.TaxPerLine, times(2, "1005"), "202.00"},
		{"the document", "ISK", tax.TaxPerDocument, times(2, "1005"), "201.00"},
		{"three decimals: cents", "KWD", tax.TaxPerLine, times(1, "1005"), "100.50"},
	} {
		req := roundedSale(t, sanJose, c.currency, c.unit, c.amounts...)
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, c.tax, r.Tax.String(), c.why)
		for _, part := range partsOf(t, &r) {
			require.True(t, c.currency == "USD" || c.currency == "KWD" || strings.HasSuffix(part, ".00"), "%s: %s", c.why, part)
		}
		again, err := r.Explanation.Request()
		require.NoError(t, err)
		repeated, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&r.Explanation, &repeated.Explanation), c.why)
	}

	t.Run("a record that was calculated in cents is repeated in cents", func(t *testing.T) {
		r, err := loaded(t).Calculate(roundedSale(t, sanJose, "JPY", tax.TaxPerLine, "1005"))
		require.NoError(t, err)
		r.Explanation.Input.SmallestUnit = 0 // as an old version stored it
		again, err := r.Explanation.Request()
		require.NoError(t, err)
		old, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Equal(t, "100.50", old.Tax.String())
	})

	t.Run("its refunds are whole units that add up to it", func(t *testing.T) {
		sale, err := loaded(t).Calculate(roundedSale(t, sanJose, "JPY", tax.TaxPerLine, "1005"))
		require.NoError(t, err)
		require.Equal(t, "101.00", sale.Tax.String())
		half := func(amount string, earlier ...tax.RefundedLine) tax.Result {
			r, err := tax.Refund(tax.RefundRequest{Original: sale.Explanation, Earlier: earlier, Lines: []tax.RefundLine{{
				Amount: decimal.MustParse(amount).Pad(2),
			}}})
			require.NoError(t, err)
			return r
		}
		first := half("500")
		require.Equal(t, "-50.00", first.Tax.String())
		taken := tax.RefundedLine{Amount: decimal.MustParse("500")}
		for _, i := range first.Lines[0].TaxItems {
			require.True(t, strings.HasSuffix(i.Amount.String(), ".00"), "%s", i.Amount)
			taken.Taxes = append(taken.Taxes, tax.RefundedTax{
				RuleID: i.RuleID, JurisdictionType: i.JurisdictionType, JurisdictionName: i.JurisdictionName, Amount: i.Amount,
				TaxableAmount: i.TaxableAmount,
			})
		}
		require.Equal(t, "-51.00", half("505", taken).Tax.String())
	})
}

// A note gives back shares of what was allocated to its line, not of what the line would bear by itself.
func TestARefundOfADocumentFollowsItsAllocation(t *testing.T) {
	t.Parallel()
	houston := tax.Address{Street1: "1 Main St", City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	sale, err := loaded(t).Calculate(roundedSale(t, houston, "USD", tax.TaxPerDocument, times(4, "0.30")...))
	require.NoError(t, err)
	require.Equal(t, []string{"0.08", "0.01", "0.01"}, partsOf(t, &sale), "0.075, 0.012 and 0.012")
	require.Equal(t, "0.04", sale.Lines[0].Tax.String(), "0.02 of the state, and the cents of city and transit")
	require.Equal(t, "0.02", sale.Lines[3].Tax.String())
	for line, taken := range map[int]string{0: "-0.02", 3: "-0.01"} {
		r, err := tax.Refund(tax.RefundRequest{Original: sale.Explanation, Lines: []tax.RefundLine{{
			Line: line, Amount: decimal.MustParse("0.15"),
		}}})
		require.NoError(t, err)
		require.Equal(t, taken, r.Tax.String(), "half of line %d; unrounded it is 0.012375", line+1)
		require.Empty(t, warningOfRounding(&r), "that is about the document")
	}
}
