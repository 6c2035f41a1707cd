package tax_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax"
	"levy/tax/content"
)

// The authority that registers sellers decides which registration covers a part of the tax.
func TestEveryTaxNamesTheAuthorityThatRegistersForIt(t *testing.T) {
	t.Parallel()
	type who struct {
		level     tax.JurisdictionType
		name      string
		state     string
		authority tax.Authority
	}
	for to, want := range map[string][]who{
		"CA-ON": {{tax.TypeCountry, "Canada", "ON", tax.Authority{Country: "CA"}}},
		"CA-BC": {
			{tax.TypeCountry, "Canada", "", tax.Authority{Country: "CA"}},
			{tax.TypeState, "British Columbia", "BC", tax.Authority{Country: "CA", State: "BC"}},
		},
		"CA-QC": {
			{tax.TypeCountry, "Canada", "", tax.Authority{Country: "CA"}},
			{tax.TypeState, "Quebec", "QC", tax.Authority{Country: "CA", State: "QC"}},
		},
		"DE":      {{tax.TypeCountry, "Germany", "", tax.Authority{Country: "DE"}}},
		"PT 9000": {{tax.TypeCountry, "Madeira", "", tax.Authority{Country: "PT"}}},
		"US-TX":   {{tax.TypeState, "Texas", "TX", tax.Authority{Country: "US", State: "TX"}}},
		"EG":      {{tax.TypeCountry, "Egypt", "", tax.Authority{}}},
	} {
		r, err := loaded(t).Calculate(abroad{to: to, class: "PHYSICAL", amount: "100"}.request(t))
		require.NoError(t, err)
		var got []who
		for _, i := range r.Lines[0].TaxItems {
			got = append(got, who{i.JurisdictionType, i.JurisdictionName, i.State, i.Authority})
		}
		require.Equal(t, want, got, to)
	}
}

func TestShippingFollowsTheGoodsOfEachTax(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to string
		classes  []string
		shipping string
	}{
		{"alone it bears the general rate", "DE", nil, "de-vat 1.90"},
		{"with books it has their rate", "DE", []string{"BOOK"}, "de-vat 0.70"},
		{"with goods at two rates it has the higher", "DE", []string{"BOOK", "PHYSICAL"}, "de-vat 1.90"},
		{"with zero-rated goods it is zero-rated", "GB", []string{"BOOK"}, "gb-vat 0.00"},
		{"each tax follows its own goods", "CA-BC", []string{"BOOK"}, "ca-gst 0.50, ca-bc-pst 0.00"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			req := abroad{to: test.to, class: "SHIPPING", amount: "10"}.request(t)
			for _, class := range test.classes {
				req.Lines = append(req.Lines, tax.Line{
					Class: tax.TaxClass(class), Amount: decimal.MustParse("5"), Quantity: decimal.One,
				})
			}
			r, err := loaded(t).Calculate(req)
			require.NoError(t, err)
			require.Equal(t, test.shipping, parts(r.Lines[0]))
		})
	}
}

func TestTheUnitsOfRoundingInCanada(t *testing.T) {
	t.Parallel()
	// 0.50 three times: GST 0.025 becomes 0.03 a line, but 0.075 becomes 0.08 a document.
	for unit, want := range map[tax.RoundingUnit]string{
		tax.TaxPerLine: "0.09 0.12", tax.JurisdictionPerLine: "0.09 0.12", tax.TaxPerDocument: "0.08 0.11",
	} {
		req := abroad{to: "CA-BC", class: "PHYSICAL", amount: "0.50"}.request(t)
		req.Rounding = unit
		req.Lines = append(req.Lines, req.Lines[0], req.Lines[0])
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		gst, pst := decimal.MustNew(0, 2), decimal.MustNew(0, 2)
		for _, l := range r.Lines {
			gst, pst = sum(t, gst, l.TaxItems[0].Amount), sum(t, pst, l.TaxItems[1].Amount)
		}
		require.Equal(t, want, gst.String()+" "+pst.String(), unit)
	}
}

func TestTheExplanationTellsEachTaxByItself(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(abroad{to: "CA-QC H2X 1Y4", class: "PHYSICAL", amount: "100"}.request(t))
	require.NoError(t, err)
	var texts []string
	for _, s := range r.Explanation.Steps {
		texts = append(texts, s.Text)
	}
	require.Equal(t, []string{
		"Taxed at the destination, QC H2X 1Y4. Sales are taxed where they are delivered.",
		"Canada and Quebec: found by state.",
		"Class PHYSICAL.",
		"Canada GST 5 % on 100.00 gives 5.00, rounded to 5.00; Quebec QST 9.975 % on 100.00 gives 9.975, rounded to 9.98.",
		"Rounded half away from zero, once per tax and line; jurisdictions add up to the lines and lines to the total.",
	}, texts)
}

// The answer says why the confidence is not high. Examples are a class rule that counts as taxable, a date before the
// evidence, and a limit in another currency.
func TestConfidenceAbroad(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		sale abroad
		want tax.Confidence
	}{
		{"standard goods", abroad{to: "NL", class: "PHYSICAL", amount: "1"}, tax.ConfidenceHigh},
		{"a class rule with doubt", abroad{to: "HU", class: "FOOD", amount: "1"}, tax.ConfidenceLow},
		{"services can be exempt by kind", abroad{to: "DE", class: "SERVICE", amount: "1"}, tax.ConfidenceMedium},
		{
			"a special territory cannot be ruled out", abroad{to: "ES", class: "PHYSICAL", amount: "1"},
			tax.ConfidenceMedium,
		},
		{"a postal code rules it out", abroad{to: "ES 28001", class: "PHYSICAL", amount: "1"}, tax.ConfidenceHigh},
		{
			"Ontario before its HST: the old provincial tax is missing",
			abroad{to: "CA-ON", class: "PHYSICAL", amount: "1", day: "2010-06-30"}, tax.ConfidenceLow,
		},
		{
			"an import limit that cannot be compared",
			abroad{to: "SE", from: "US-NY 10118", class: "PHYSICAL", amount: "1", currency: "SEK"},
			tax.ConfidenceLow,
		},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		require.Equal(t, test.want, r.Confidence, test.rule)
	}
}

// The properties of sales in the United States hold abroad too.
func TestSalesAbroadAddUpAndRefundsCancel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(allUnits...).Draw(t, "sale")
		s.EachAlone = true
		s.Destination = placeAbroad(t, rapid.SampledFrom(abroadPlaces).Draw(t, "to"))
		origin := placeAbroad(t, rapid.SampledFrom(abroadPlaces).Draw(t, "from"))
		s.Origin = &origin
		s.Currency = rapid.SampledFrom([]string{"EUR", "GBP", "USD"}).Draw(t, "currency")
		s.BelowUnionThreshold = rapid.Bool().Draw(t, "below")
		if rapid.Bool().Draw(t, "business") {
			s.CustomerVAT = []string{rapid.SampledFrom([]string{"DE", "FR", "GB"}).Draw(t, "vat")}
		}
		refund := s
		refund.Lines = append([]tax.Line(nil), s.Lines...)
		for i := range refund.Lines {
			refund.Lines[i].Amount, refund.Lines[i].Discount = refund.Lines[i].Amount.Neg(), refund.Lines[i].Discount.Neg()
		}
		a, err := loaded(t).Calculate(s)
		require.NoError(t, err)
		b, err := loaded(t).Calculate(refund)
		require.NoError(t, err)
		total := decimal.MustNew(0, 2)
		for i, l := range a.Lines {
			part := decimal.MustNew(0, 2)
			for j, item := range l.TaxItems {
				part = sum(t, part, item.Amount)
				require.True(t, sum(t, item.Amount, b.Lines[i].TaxItems[j].Amount).IsZero())
			}
			require.Equal(t, l.Tax, part)
			total = sum(t, total, l.Tax)
		}
		require.Equal(t, a.Tax, total)
	})
}

// Every place whose law has a VAT or GST answers today, and every state of the
// United States does.

func TestEveryCoveredPlaceHasATaxToday(t *testing.T) {
	t.Parallel()
	places := []string{}
	data, err := content.Parse(content.Packed())
	require.NoError(t, err)
	for _, j := range data.Jurisdictions {
		switch {
		case j.Level == "STATE" && j.Country == "CA":
			places = append(places, "CA-"+j.State)
		case j.Level == "COUNTRY" && j.Country != "US" && j.Country != "CA" && j.ID == j.Country:
			places = append(places, j.Country)
		}
	}
	require.Len(t, places, 13+30+12)
	for _, to := range places {
		r, err := loaded(t).Calculate(abroad{to: to, class: "PHYSICAL", amount: "100", day: "2026-11-21"}.request(t))
		require.NoError(t, err)
		require.Equal(t, to != "BR", r.Tax.IsPos(), to) // the test year of Brazil
	}
}
