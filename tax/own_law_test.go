package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Some laws look at more than the exemption of the buyer, the address or the price.
func TestWhatALawAsksBesidesIsDoubted(t *testing.T) {
	t.Parallel()
	exempt := func(kind tax.TaxExemption) *tax.Exempt { return &tax.Exempt{TaxExemption: kind} }
	for _, test := range []struct {
		sale   sale
		exempt *tax.Exempt
		says   string // empty: nothing
	}{
		// The general excise tax is one on the seller: HRS 237-4, 237-13(2) and 237-25.
		{sale{"Honolulu, HI 96813", "PHYSICAL", "100.00", "", ""}, exempt(tax.ExemptionWholesale), "bear 0.5 %"},
		{sale{"Honolulu, HI 96813", "PHYSICAL", "100.00", "", ""}, exempt(tax.ExemptionCustomer), "few customers are free"},
		{sale{"Honolulu, HI 96813", "PHYSICAL", "100.00", "", ""}, exempt(tax.ExemptionProduct), ""},
		{sale{"Honolulu, HI 96813", "PHYSICAL", "0.00", "", ""}, exempt(tax.ExemptionWholesale), ""},
		{sale{"Honolulu, HI 96813", "PHYSICAL", "100.00", "", ""}, nil, ""},
		{sale{"Houston, TX 77002", "PHYSICAL", "100.00", "", ""}, exempt(tax.ExemptionWholesale), ""},
		// NMSA 7-1-14
		{sale{"Santa Fe, NM 87501", "PROFESSIONAL", "100.00", "", ""}, nil, "taxed where they are performed"},
		{sale{"Santa Fe, NM 87501", "PROFESSIONAL", "100.00", "", "2021-06-30"}, nil, ""},
		{sale{"Santa Fe, NM 87501", "PROFESSIONAL", "100.00", "", ""}, exempt(tax.ExemptionCustomer), ""},
		{sale{"Santa Fe, NM 87501", "PHYSICAL", "100.00", "", ""}, nil, ""},
		// Tenn. Code Ann. 67-6-702
		{sale{"Nashville, TN 37203", "RENTAL_GOODS", "1600.01", "", ""}, nil, "a single article"},
		{sale{"Nashville, TN 37203", "RENTAL_GOODS", "1600.00", "", ""}, nil, ""},
		{sale{"Nashville, TN 37203", "PHYSICAL", "1600.01", "", ""}, nil, ""},
	} {
		req := test.sale.request(t)
		req.Lines[0].Exempt = test.exempt
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		if test.says == "" {
			for _, w := range r.Warnings {
				require.NotContains(t, w.Message, "asks more", "%+v", test)
			}
			continue
		}
		require.Equal(t, tax.ConfidenceLow, r.Confidence, "%+v", test)
		messages := ""
		for _, w := range r.Warnings {
			messages += w.Message + "\n"
		}
		require.Contains(t, messages, test.says, "%+v", test)
	}
}

// A tax on value added is due on sales for resale too, and the buyer deducts it. The PST and RST of provinces free
// them. Sources: Directive 2006/112/EC, article 168; Excise Tax Act, section 169.
func TestAnExemptionOfResaleFromATaxOnValueAddedIsDoubted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		to, state, amount string
		kind              tax.TaxExemption
		doubted           bool
	}{
		{"DE 10115", "", "100.00", tax.ExemptionWholesale, true},
		{"CH 8001", "", "100.00", tax.ExemptionWholesale, true},
		{"CA-ON M5V 3L9", "", "100.00", tax.ExemptionWholesale, true},
		{"CA-BC V6B 1A1", "", "100.00", tax.ExemptionWholesale, true},
		{"CA-QC H2Y 1C6", "QC", "100.00", tax.ExemptionWholesale, true},
		{"CA-BC V6B 1A1", "BC", "100.00", tax.ExemptionWholesale, false},
		{"DE 10115", "", "100.00", tax.ExemptionCustomer, false},
		{"DE 10115", "", "0.00", tax.ExemptionWholesale, false},
		{"US-NY 10118", "", "100.00", tax.ExemptionWholesale, false},
	} {
		req := basket{to: c.to, lines: []string{"PHYSICAL " + c.amount}}.request(t)
		req.Lines[0].Exempt = &tax.Exempt{TaxExemption: c.kind, ExemptionID: "exmp_1", State: c.state}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, c.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%+v: %v", c, r.Warnings)
		require.Equal(t, c.doubted, r.Confidence == tax.ConfidenceLow, "%+v: %v", c, r.Warnings)
	}
}

// Until June 2021 each member state had its own threshold for distance sales, and electronic services had one for
// themselves.
// Source: Directive 2006/112/EC, articles 33, 34 and 58, before Directive (EU) 2017/2455.
func TestDistanceSalesBeforeTheThresholdOfTheUnionAreDoubted(t *testing.T) {
	t.Parallel()
	const own = "each member state had a threshold of its own"
	const electronic = "electronic services were taxed where the consumer is"
	for _, test := range []struct {
		sale abroad
		says string // empty: nothing
	}{
		{abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "10", below: true, day: "2021-06-30"}, own},
		{abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "10", below: true, day: "2021-07-01"}, ""},
		{abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "10", day: "2021-06-30"}, ""},
		{abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "0", below: true, day: "2021-06-30"}, ""},
		{abroad{to: "FR", from: "DE", class: "EBOOK", amount: "10", below: true, day: "2021-06-30"}, electronic},
		{abroad{to: "FR", from: "DE", class: "EBOOK", amount: "10", below: true, day: "2015-01-01"}, electronic},
		{abroad{to: "FR", from: "DE", class: "EBOOK", amount: "10", below: true, day: "2014-12-31"}, ""},
		{abroad{to: "FR", from: "DE", class: "EBOOK", amount: "10", below: true, day: "2021-07-01"}, ""},
		{abroad{to: "FR", from: "DE", class: "PROFESSIONAL", amount: "10", below: true, day: "2021-06-30"}, ""},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		said := ""
		for _, w := range r.Warnings {
			said += w.Message
		}
		if test.says == "" {
			require.NotContains(t, said, own, "%+v", test.sale)
			require.NotContains(t, said, electronic, "%+v", test.sale)
			continue
		}
		require.Contains(t, said, test.says, "%+v", test.sale)
		require.Equal(t, tax.ConfidenceLow, r.Confidence)
	}
}
