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

// Doubts about a price with its tax do not count for the price before tax. With its part of a delivery of 17.00 clothing
// of 95.00 comes to the limit of 110 dollars in New York, and not with its part of the 15.61 before tax.
func TestOnlyThePriceBeforeTaxIsDoubted(t *testing.T) {
	t.Parallel()
	sold := basket{
		to: "New York, NY 10118", lines: []string{"CLOTHING 95.00", "PHYSICAL 10.89", "SHIPPING 17.00"},
	}.request(t)
	sold.PricesIncludeTax = true
	r, err := loaded(t).Calculate(sold)
	require.NoError(t, err)
	require.Equal(t, "15.61", r.Explanation.Items[2].NetAmount.String())
	require.Equal(t, tax.ConfidenceMedium, r.Confidence, r.Warnings)
	require.Equal(t, []tax.WarningCode{tax.WarningClassTooCoarse}, codes(r), r.Warnings)
	require.Contains(t, r.Warnings[0].Message, "What is delivered is taxed differently")
}

// Where no price before tax leads to a price, the tax takes the cent that is left, and no sentence calls it rounded.
func TestTheCentThatAPriceHoldsBesidesIsExplained(t *testing.T) {
	t.Parallel()
	for _, request := range []tax.Request{
		sale{"Nashville, TN 37203", "PHYSICAL", "1700.00", "", ""}.request(t),
		abroad{to: "CA-QC", class: "PHYSICAL", amount: "0.10", currency: "CAD"}.request(t),
	} {
		request.PricesIncludeTax = true
		r, err := loaded(t).Calculate(request)
		require.NoError(t, err)
		item := r.Explanation.Items[0]
		before, err := item.NetAmount.Add(r.Tax)
		require.NoError(t, err)
		require.Equal(t, request.Lines[0].Amount.String(), before.String())
		t.Log(said(r))
	}
	r := sale{"Nashville, TN 37203", "PHYSICAL", "1700.00", "", ""}.request(t)
	r.PricesIncludeTax = true
	result, err := loaded(t).Calculate(r)
	require.NoError(t, err)
	require.Contains(t, said(result), "gives 151.024575, rounded so that it adds up to the price: 151.03.")
}

// What is sold at a price including tax is as sure, and has the same warnings, as the same sale at the prices before tax.
func TestInclusivePricesHaveTheDoubtsOfThePriceBeforeTax(t *testing.T) {
	t.Parallel()
	places := []string{
		"New York, NY 10118", "Miami, FL 33101", "Columbus, OH 43215", "Houston, TX 77002", "Providence, RI 02903",
		"Nashville, TN 37203", "Hartford, CT 06103", "Los Angeles, CA 90012",
	}
	rapid.Check(t, func(r *rapid.T) {
		sold := basket{
			to:  rapid.SampledFrom(places).Draw(r, "place"),
			day: rapid.SampledFrom([]string{"2025-08-05", "2026-05-15", "2026-08-08", "2026-08-18"}).Draw(r, "day"),
		}
		for range rapid.IntRange(1, 4).Draw(r, "lines") {
			class := rapid.SampledFrom([]string{"PHYSICAL", "CLOTHING", "SHIPPING", "FOOD"}).Draw(r, "class")
			cents := rapid.Int64Range(1, 200_000).Draw(r, "cents")
			sold.lines = append(sold.lines, class+" "+decimal.MustNew(cents, 2).String())
		}
		request := sold.request(r)
		request.PricesIncludeTax = true
		included, err := loaded(r).Calculate(request)
		if err != nil {
			require.ErrorIs(r, err, tax.ErrNoNetPrice)
			return
		}
		before := request
		before.PricesIncludeTax, before.Lines = false, nil
		for i, line := range request.Lines {
			line.Amount = included.Explanation.Items[i].NetAmount
			before.Lines = append(before.Lines, line)
		}
		want, err := loaded(r).Calculate(before)
		require.NoError(r, err)
		require.Equal(r, want.Confidence, included.Confidence)
		require.Equal(r, want.Warnings, included.Warnings)
	})
}
