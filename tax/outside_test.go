package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// Places outside the territory of VAT, written with the country that they are near or with a code of their own.
// Directive 2006/112/EC, articles 5 to 7; momsloven § 2; DPR 633/1972, article 71; merverdiavgiftsloven § 1-2.
func TestPlacesOutsideTheTerritoryOfVAT(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to        tax.Address
		from, vat string // where it comes from, and the tax on 100.00
		named     string
	}{
		{tax.Address{Country: "DK", PostalCode: "100"}, "DK", "0.00", "Faroe Islands"},
		{tax.Address{Country: "DK", PostalCode: "FO-970"}, "DK", "0.00", "Faroe Islands"},
		{tax.Address{Country: "DK", PostalCode: "FO 410"}, "DE", "0.00", "Faroe Islands"},
		{tax.Address{Country: "DK", State: "Færøerne"}, "DK", "0.00", "Faroe Islands"},
		{tax.Address{Country: "FO", PostalCode: "100"}, "DK", "0.00", "Faroe Islands"},
		{tax.Address{Country: "DK", PostalCode: "1000"}, "DK", "25.00", ""},
		{tax.Address{Country: "DK", PostalCode: "DK-4100"}, "DK", "25.00", ""},
		{tax.Address{Country: "DK", PostalCode: "0999"}, "DK", "25.00", ""},
		{tax.Address{Country: "DK", PostalCode: "3900"}, "DK", "0.00", ""},
		{tax.Address{Country: "GL", PostalCode: "3900"}, "DK", "0.00", ""},
		{tax.Address{Country: "IT", PostalCode: "47890"}, "IT", "0.00", "San Marino"},
		{tax.Address{Country: "IT", PostalCode: "47899"}, "DE", "0.00", "San Marino"},
		{tax.Address{Country: "IT", PostalCode: "47889"}, "IT", "22.00", ""},
		{tax.Address{Country: "IT", PostalCode: "47900"}, "IT", "22.00", ""},
		{tax.Address{Country: "IT", State: "San Marino"}, "IT", "0.00", "San Marino"},
		{tax.Address{Country: "SM", PostalCode: "47890"}, "IT", "0.00", "San Marino"},
		{tax.Address{Country: "IT", PostalCode: "00120"}, "IT", "0.00", ""},
		{tax.Address{Country: "IT", State: "VA", PostalCode: "21100"}, "IT", "22.00", ""}, // Varese
		{tax.Address{Country: "IT", State: "VA"}, "IT", "22.00", ""},
		{tax.Address{Country: "VA"}, "IT", "0.00", ""},
		{tax.Address{Country: "GG"}, "GB", "0.00", ""},
		{tax.Address{Country: "SJ", PostalCode: "9170"}, "NO", "0.00", ""},
	} {
		r := tax.Request{TaxDate: calendar.MustDate(usualDay), Currency: "EUR", Destination: loaded(t).Resolve(test.to),
			Lines: []tax.Line{{
				Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
			}}}
		origin := placeAbroad(t, test.from)
		r.Origin = &origin
		result, err := loaded(t).Calculate(r)
		require.NoError(t, err)
		require.Equal(t, test.vat, result.Tax.String(), test.to)
		if test.vat != "0.00" {
			continue
		}
		require.Equal(t, tax.ExemptionExport, result.Lines[0].TaxExemption, test.to)
		if test.from != "IT" || test.named != "San Marino" {
			require.Equal(t, tax.ConfidenceHigh, result.Confidence, "%v: what the law is there is known", test.to)
		}
		require.NotContains(t, codes(result), tax.WarningNoRuleFound, test.to)
		require.Contains(t, said(result), "it leaves the territory of the tax of the seller", test.to)
		if test.named == "" {
			require.NotContains(t, codes(result), tax.WarningOtherLocalTax, test.to)
			continue
		}
		require.Contains(t, codes(result), tax.WarningOtherLocalTax, test.to)
		require.True(t, slices.ContainsFunc(result.Warnings, func(w tax.Warning) bool {
			return w.Code == tax.WarningOtherLocalTax && strings.Contains(w.Message, test.named)
		}), test.to)
	}
}

// A sale without a known seller to a territory outside the tax territory bears no tax, and that is certain.
func TestATerritoryOutsideIsNotAPlaceWithoutARule(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(abroad{to: "ES 35001", class: "PHYSICAL", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Contains(t, said(r), "No tax calculated: Las Palmas (Canary Islands) lies outside the tax territory of Spain.")
}

func TestTheWarningOfSamnaunReadsWell(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(abroad{to: "CH 7562", from: "CH", class: "PHYSICAL", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Contains(t, r.Warnings[0].Message, "Samnaun: The value added tax of Switzerland on services supplied there "+
		"(goods bear none) may be due there; it is not calculated here.")
}

// A military address belongs to no state, however its country is written; the warning says so.
func TestTheWarningOfAMilitaryAddress(t *testing.T) {
	t.Parallel()
	for _, country := range []string{"US", "USA", "United States", "united states of america", "U.S.A.", "U.S.", ""} {
		r, err := loaded(t).Calculate(tax.Request{
			TaxDate: calendar.MustDate(usualDay), Currency: "USD",
			Destination: loaded(t).Resolve(tax.Address{City: "APO", State: "AE", PostalCode: "09012", Country: country}),
			Lines: []tax.Line{{
				Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
			}},
		})
		require.NoError(t, err, country)
		require.True(t, r.Tax.IsZero())
		require.Equal(t, []tax.WarningCode{tax.WarningLowConfidence, tax.WarningNoRuleFound}, codes(r), country)
		require.Equal(t, "Armed Forces Europe (AE) belongs to no state: there is no rule for sales to military addresses, "+
			"and no tax was calculated.", r.Warnings[1].Message, country)
	}
}

// The city of Lloydminster lies in two provinces. On its side of Saskatchewan most of what its residents buy is free of
// provincial tax; who buys, and what for, is not known. Provincial Sales Tax Act (Saskatchewan), exemptions.
func TestLloydminsterIsNotSureInSaskatchewan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to      tax.Address
		tax     string
		doubted bool
	}{
		{tax.Address{Country: "CA", State: "SK", PostalCode: "S9V 0A1", City: "Lloydminster"}, "11.00", true},
		{tax.Address{Country: "CA", State: "SK", PostalCode: "S9V 0A1"}, "11.00", true},
		{tax.Address{Country: "CA", State: "Saskatchewan", City: "LLOYDMINSTER"}, "11.00", true},
		{tax.Address{Country: "CA", State: "SK", PostalCode: "S4P 3Y2", City: "Regina"}, "11.00", false},
		{tax.Address{Country: "CA", State: "AB", PostalCode: "T9V 0A1", City: "Lloydminster"}, "5.00", false},
	} {
		r, err := loaded(t).Calculate(tax.Request{
			TaxDate: calendar.MustDate(usualDay), Currency: "CAD", Destination: loaded(t).Resolve(test.to),
			Lines: []tax.Line{{
				Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
			}},
		})
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), test.to)
		if !test.doubted {
			require.Empty(t, r.Warnings, test.to)
			continue
		}
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.to)
		require.Equal(t, []tax.WarningCode{tax.WarningLowConfidence, tax.WarningClassTooCoarse}, codes(r), test.to)
		require.Contains(t, r.Warnings[1].Message, "Lloydminster", test.to)
	}
}

// Goods between Northern Ireland and the Union count for the Union's threshold, and below it they are taxed where they
// come from. Whether a seller is below it is not known across the Irish Sea. Directive 2006/112/EC, article 59c;
// Windsor Framework, article 8.
func TestGoodsAcrossTheIrishSeaBelowTheThreshold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		sale    abroad
		doubted bool
	}{
		{"from Belfast to a consumer in Germany",
			abroad{to: "DE", from: "GB BT1 1AA", class: "PHYSICAL", amount: "100", currency: "EUR"}, true},
		{"from Ireland to a consumer in Belfast",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "100", currency: "GBP"}, true},
		{"to a business in Belfast",
			abroad{to: "GB BT1 1AA", from: "IE", vat: "XI", class: "PHYSICAL", amount: "100", currency: "GBP"}, false},
		{"from Belfast to a business in Germany",
			abroad{to: "DE", from: "GB BT1 1AA", vat: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, false},
		{"a digital supply, which is from a third country",
			abroad{to: "DE", from: "GB BT1 1AA", class: "SAAS_B2C", amount: "100", currency: "EUR"}, false},
		{"from London, over the border",
			abroad{to: "DE", from: "GB EC1A 1BB", class: "PHYSICAL", amount: "100", currency: "EUR"}, false},
		{"inside the United Kingdom",
			abroad{to: "GB BT1 1AA", from: "GB EC1A 1BB", class: "PHYSICAL", amount: "100", currency: "GBP"}, false},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		found := false
		for _, w := range r.Warnings {
			found = found || w.Code == tax.WarningClassTooCoarse
		}
		require.Equal(t, test.doubted, found, "%s: %v", test.rule, r.Warnings)
		if test.doubted {
			require.Equal(t, tax.ConfidenceLow, r.Confidence, test.rule)
		}
	}
}

// A business of another member state is a business, too: the scheme for consignments is for consumers.
func TestABusinessOfAnotherMemberStateIsNoConsumer(t *testing.T) {
	t.Parallel()
	for vat, doubted := range map[string]bool{"DE": true, "FR": true, "XI": true, "CH": false, "": false} {
		r, err := loaded(t).Calculate(abroad{
			to: "DE", from: "US-NY", vat: vat, class: "PHYSICAL", amount: "100", currency: "EUR",
		}.request(t))
		require.NoError(t, err)
		require.Equal(t, "19.00", r.Tax.String(), vat)
		require.Equal(t, doubted, r.Confidence == tax.ConfidenceLow, vat)
	}
}

// A line that is sent as exempt says nothing about the others.
func TestOneExemptLineDoesNotFreeTheSale(t *testing.T) {
	t.Parallel()
	req := basket{to: "Houston, TX 77002", lines: []string{"PHYSICAL 100.00", "PHYSICAL 50.00"}}.request(t)
	req.Lines[0].Exempt = &tax.Exempt{TaxExemption: tax.ExemptionTransaction}
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Contains(t, said(r), "Line 1: No tax: the line is free of tax.")
	req.Lines[1].Exempt = req.Lines[0].Exempt
	r, err = loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Contains(t, said(r), "Line 2: No tax: the sale is free of tax.")
}

// Goods from Italy for a consumer in San Marino bear the tax of Italy, except distance sales above a threshold. Goods
// from other countries are exported. Source: Decree of 21 June 2021 on trade with San Marino.
func TestGoodsFromItalyToAConsumerInSanMarinoAreDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, from, vat, line string
		doubted             bool
	}{
		{"SM 47890", "IT", "", "PHYSICAL 100.00", true},
		{"IT 47890", "IT", "", "PHYSICAL 100.00", true},
		{"SM 47890", "IT", "SM", "PHYSICAL 100.00", false},
		{"SM 47890", "DE", "", "PHYSICAL 100.00", false},
		{"SM 47890", "IT", "", "PHYSICAL 0.00", false},
		{"VA 00120", "IT", "", "PHYSICAL 100.00", false},
	} {
		r := basket{to: test.to, from: test.from, vat: test.vat, currency: "EUR", lines: []string{test.line}}.calculate(t)
		require.Equal(t, test.doubted, r.Confidence == tax.ConfidenceLow, test)
		require.Equal(t, test.doubted, slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool {
			return strings.Contains(w.Message, "bear the tax of Italy")
		}), test)
	}
}

// A line that costs nothing bears no tax, at any rate.
func TestAnIslandMakesNoDoubtAboutWhatCostsNothing(t *testing.T) {
	t.Parallel()
	r := basket{to: "GR 81100", currency: "EUR", lines: []string{"PHYSICAL 100.00", "SHIPPING 0.00"}}.calculate(t)
	require.Len(t, r.Warnings, 2)
	require.Equal(t, "The law of Greece asks more: on some islands of the Aegean the rates are lower by 30 %; they were "+
		"taken in full.", r.Warnings[1].Message)
}
