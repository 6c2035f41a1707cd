package tax_test

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax"
)

func TestPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule     string
		request  tax.Request
		net, tax string
	}{
		{"German VAT", abroad{to: "DE", class: "PHYSICAL", amount: "119.00"}.request(t), "100.00", "19.00"},
		{
			"a price that no rounded tax leads to",
			abroad{to: "DE", class: "PHYSICAL", amount: "0.03"}.request(t), "0.03", "0.00",
		},
		{"a refund", abroad{to: "DE", class: "PHYSICAL", amount: "-119.00"}.request(t), "-100.00", "-19.00"},
		{"two taxes", abroad{to: "CA-QC", class: "PHYSICAL", amount: "114.98"}.request(t), "100.00", "14.98"},
		{
			"a price at a zero rate contains no tax", abroad{to: "GB", class: "BOOK", amount: "100.00"}.request(t),
			"100.00", "0.00",
		},
		{"New York City", sale{"New York, NY 10118", "PHYSICAL", "108.88", "", ""}.request(t), "100.00", "8.88"},
		{
			"the limit counts before tax", sale{"New York, NY 10118", "CLOTHING", "119.76", "", ""}.request(t),
			"110.00", "9.76",
		},
		{
			"below it there is no tax", sale{"New York, NY 10118", "CLOTHING", "109.99", "", ""}.request(t),
			"109.99", "0.00",
		},
		{
			"only the excess is taxed", sale{"Boston, MA 02108", "CLOTHING", "281.25", "", ""}.request(t),
			"275.00", "6.25",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			test.request.PricesIncludeTax = true
			r, err := loaded(t).Calculate(test.request)
			require.NoError(t, err)
			require.Equal(t, test.net, r.Explanation.Items[0].NetAmount.String())
			require.Equal(t, test.tax, r.Tax.String())
			told := false
			for _, s := range r.Explanation.Steps {
				told = told || strings.Contains(s.Text, "includes the tax")
			}
			require.Equal(t, r.Lines[0].TaxExemption == "", told)
		})
	}
}

func TestAPriceThatNoTaxLeadsToIsRefused(t *testing.T) {
	t.Parallel()
	req := sale{"New York, NY 10118", "CLOTHING", "115.00", "", ""}.request(t)
	req.PricesIncludeTax = true
	_, err := loaded(t).Calculate(req)
	require.ErrorIs(t, err, tax.ErrNoNetPrice)
}

// The price with its tax, taken apart again, gives the same price and tax.
func TestTaxAddedAndTakenOutAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(tax.TaxPerLine, tax.JurisdictionPerLine).Draw(t, "sale")
		if rapid.Bool().Draw(t, "abroad") {
			s.Destination = placeAbroad(t, rapid.SampledFrom(abroadPlaces).Draw(t, "to"))
			s.Origin = nil
		}
		for i := range s.Lines { // prices, without limits per item and shipping that follows
			l := &s.Lines[i]
			l.Class = rapid.SampledFrom([]tax.TaxClass{
				tax.ClassSaaS, tax.ClassDigital, tax.ClassPreparedFood, tax.ClassService,
			}).Draw(t, "class")
			l.Discount, l.Quantity = decimal.MustNew(0, 2), decimal.One
		}
		a, err := loaded(t).Calculate(s)
		require.NoError(t, err)
		back := s
		back.PricesIncludeTax = true
		back.Lines = append([]tax.Line(nil), s.Lines...)
		for i := range back.Lines {
			back.Lines[i].Amount = sum(t, s.Lines[i].Amount, a.Lines[i].Tax)
		}
		b, err := loaded(t).Calculate(back)
		require.NoError(t, err)
		for i, l := range b.Lines {
			net := b.Explanation.Items[i].NetAmount
			require.Zero(t, back.Lines[i].Amount.Cmp(sum(t, net, l.Tax)), "both add up to the price")
			require.LessOrEqual(t, sum(t, net, s.Lines[i].Amount.Neg()).Abs().Cmp(decimal.MustNew(1, 2)), 0)
			if len(l.TaxItems) == 0 || s.Destination.Country != "CA" { // two taxes rounded apart can meet at the next cent
				require.Zero(t, net.Cmp(s.Lines[i].Amount))
				require.Equal(t, a.Lines[i].TaxItems, l.TaxItems)
			}
		}
		request, err := b.Explanation.Request()
		require.NoError(t, err)
		again, err := loaded(t).Calculate(request)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&b.Explanation, &again.Explanation))
	})
}
