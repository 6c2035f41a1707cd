package tax_test

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// abroad is one line sold to "CC", "CC-province" or "CC postal code", on a day,
// perhaps from such a place.
type abroad struct {
	to, class, amount, day string
	from                   string
	vat                    string // the country of the customer's VAT id
	below                  bool   // below the threshold of the Union
	currency               string
}

func placeAbroad(t require.TestingT, s string) tax.Place {
	country, postal, _ := strings.Cut(s, " ")
	country, province, _ := strings.Cut(country, "-")
	return loaded(t).Resolve(tax.Address{Country: country, State: province, PostalCode: postal})
}

func (s abroad) request(t require.TestingT) tax.Request {
	req := tax.Request{TaxDate: calendar.MustDate(usualDay), Currency: s.currency, Destination: placeAbroad(t, s.to),
		BelowUnionThreshold: s.below,
		Lines: []tax.Line{
			{Class: tax.TaxClass(s.class), Amount: decimal.MustParse(s.amount), Quantity: decimal.One},
		}}
	if s.day != "" {
		req.TaxDate = calendar.MustDate(s.day)
	}
	if s.from != "" {
		origin := placeAbroad(t, s.from)
		req.Origin = &origin
	}
	if s.vat != "" {
		req.CustomerVAT = []string{s.vat}
	}
	return req
}

// parts writes the tax items of a line as "rule amount, ...".
func parts(l tax.LineResult) string {
	list := make([]string, len(l.TaxItems))
	for i, item := range l.TaxItems {
		list[i] = item.RuleID + " " + item.Amount.String()
	}
	return strings.Join(list, ", ")
}

func TestTaxAbroadByLaw(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		sale      abroad
		parts     string
		exemption tax.TaxExemption
	}{
		{
			"GST at 7 % on its last day",
			abroad{to: "CA-AB", class: "PHYSICAL", amount: "100", day: "2006-06-30"}, "ca-gst 7.00", "",
		},
		{
			"GST at 6 % on its first day",
			abroad{to: "CA-AB", class: "PHYSICAL", amount: "100", day: "2006-07-01"}, "ca-gst 6.00", "",
		},
		{
			"GST at 6 % on its last day",
			abroad{to: "CA-AB", class: "PHYSICAL", amount: "100", day: "2007-12-31"}, "ca-gst 6.00", "",
		},
		{
			"GST at 5 % on its first day",
			abroad{to: "CA-AB", class: "PHYSICAL", amount: "100", day: "2008-01-01"}, "ca-gst 5.00", "",
		},
		{"the territories have GST only", abroad{to: "CA-YT", class: "PHYSICAL", amount: "100"}, "ca-gst 5.00", ""},
		{
			"no GST before 1991", abroad{to: "CA-AB", class: "PHYSICAL", amount: "100", day: "1990-12-31"},
			"ca-ab-none 0.00", tax.ExemptionNoRuleFound,
		},
		{"Ontario HST replaces GST", abroad{to: "CA-ON", class: "PHYSICAL", amount: "100"}, "ca-on-hst 13.00", ""},
		{
			"Nova Scotia on the last day of 15 %",
			abroad{to: "CA-NS", class: "PHYSICAL", amount: "100", day: "2025-03-31"}, "ca-ns-hst 15.00", "",
		},
		{
			"Nova Scotia on the first day of 14 %",
			abroad{to: "CA-NS", class: "PHYSICAL", amount: "100", day: "2025-04-01"}, "ca-ns-hst 14.00", "",
		},
		{
			"New Brunswick before 15 %",
			abroad{to: "CA-NB", class: "PHYSICAL", amount: "100", day: "2016-06-30"}, "ca-nb-hst 13.00", "",
		},
		{
			"Prince Edward Island before 15 %",
			abroad{to: "CA-PE", class: "PHYSICAL", amount: "100", day: "2016-09-30"}, "ca-pe-hst 14.00", "",
		},
		{
			"Prince Edward Island from 15 % on",
			abroad{to: "CA-PE", class: "PHYSICAL", amount: "100", day: "2016-10-01"}, "ca-pe-hst 15.00", "",
		},
		{
			"British Columbia on the last day of its HST",
			abroad{to: "CA-BC", class: "PHYSICAL", amount: "100", day: "2013-03-31"}, "ca-bc-hst 12.00", "",
		},
		{
			"British Columbia back to GST and PST",
			abroad{to: "CA-BC", class: "PHYSICAL", amount: "100", day: "2013-04-01"},
			"ca-gst 5.00, ca-bc-pst 7.00", "",
		},
		{
			"Saskatchewan before 6 %", abroad{to: "CA-SK", class: "PHYSICAL", amount: "100", day: "2017-03-22"},
			"ca-gst 5.00, ca-sk-pst 5.00", "",
		},
		{
			"Saskatchewan from 6 % on", abroad{to: "CA-SK", class: "PHYSICAL", amount: "100", day: "2017-03-23"},
			"ca-gst 5.00, ca-sk-pst 6.00", "",
		},
		{
			"Manitoba before 7 %", abroad{to: "CA-MB", class: "PHYSICAL", amount: "100", day: "2019-06-30"},
			"ca-gst 5.00, ca-mb-rst 8.00", "",
		},
		{
			"Manitoba from 7 % on", abroad{to: "CA-MB", class: "PHYSICAL", amount: "100", day: "2019-07-01"},
			"ca-gst 5.00, ca-mb-rst 7.00", "",
		},
		{
			"Manitoba cloud services on the last free day",
			abroad{to: "CA-MB", class: "SAAS", amount: "100", day: "2025-12-31"}, "ca-gst 5.00, ca-mb-rst 0.00",
			"",
		},
		{
			"Manitoba cloud services from 2026 on",
			abroad{to: "CA-MB", class: "SAAS", amount: "100", day: "2026-01-01"}, "ca-gst 5.00, ca-mb-rst 7.00",
			"",
		},
		{
			"each Quebec tax is rounded by itself", abroad{to: "CA-QC", class: "PHYSICAL", amount: "100"},
			"ca-gst 5.00, ca-qc-qst 9.98", "",
		},
		{
			"two ties make two cents", abroad{to: "CA-BC", class: "PHYSICAL", amount: "0.50"},
			"ca-gst 0.03, ca-bc-pst 0.04", "",
		},
		{
			"a refund mirrors them", abroad{to: "CA-BC", class: "PHYSICAL", amount: "-0.50"},
			"ca-gst -0.03, ca-bc-pst -0.04", "",
		},
		{
			"in 2012 QST was due on the GST",
			abroad{to: "CA-QC", class: "PHYSICAL", amount: "100", day: "2012-12-31"},
			"ca-gst 5.00, ca-qc-qst-on-gst 9.98", "",
		},
		{
			"basic groceries are zero-rated", abroad{to: "CA-ON", class: "FOOD", amount: "100"},
			"ca-on-hst-food 0.00", tax.ExemptionZeroRate,
		},
		{
			"groceries in British Columbia: zero-rated and exempt",
			abroad{to: "CA-BC", class: "FOOD", amount: "100"}, "ca-gst-food 0.00, ca-bc-pst 0.00",
			tax.ExemptionZeroRate,
		},
		{
			"meals in British Columbia bear GST only",
			abroad{to: "CA-BC", class: "PREPARED_FOOD", amount: "100"}, "ca-gst 5.00, ca-bc-pst 0.00", "",
		},
		{
			"medicines on prescription are zero-rated", abroad{to: "CA-QC", class: "DRUGS_RX", amount: "100"},
			"ca-gst-drugs-rx 0.00, ca-qc-qst-drugs-rx 0.00", tax.ExemptionZeroRate,
		},
		{
			"books in Ontario bear the federal part", abroad{to: "CA-ON", class: "BOOK", amount: "100"},
			"ca-on-hst-book 5.00", "",
		},
		{
			"children's clothing in Ontario too", abroad{to: "CA-ON", class: "CLOTHING_CHILD", amount: "100"},
			"ca-on-hst-clothing-child 5.00", "",
		},
		{
			"but not in New Brunswick", abroad{to: "CA-NB", class: "CLOTHING_CHILD", amount: "100"},
			"ca-nb-hst 15.00", "",
		},
		{
			"children's clothing in Saskatchewan before its exemption ended",
			abroad{to: "CA-SK", class: "CLOTHING_CHILD", amount: "100", day: "2017-03-31"},
			"ca-gst 5.00, ca-sk-pst 0.00", "",
		},
		{
			"and after", abroad{to: "CA-SK", class: "CLOTHING_CHILD", amount: "100", day: "2017-04-01"},
			"ca-gst 5.00, ca-sk-pst 6.00", "",
		},

		{"German VAT", abroad{to: "DE", class: "PHYSICAL", amount: "100"}, "de-vat 19.00", ""},
		{
			"German VAT before the cut of 2020",
			abroad{to: "DE", class: "PHYSICAL", amount: "100", day: "2020-06-30"}, "de-vat 19.00", "",
		},
		{
			"German VAT during the cut", abroad{to: "DE", class: "PHYSICAL", amount: "100", day: "2020-12-31"},
			"de-vat 16.00", "",
		},
		{
			"German VAT after the cut", abroad{to: "DE", class: "PHYSICAL", amount: "100", day: "2021-01-01"},
			"de-vat 19.00", "",
		},
		{
			"German books during the cut", abroad{to: "DE", class: "BOOK", amount: "100", day: "2020-07-01"},
			"de-vat-book 5.00", "",
		},
		{
			"German restaurants before 2026",
			abroad{to: "DE", class: "PREPARED_FOOD", amount: "100", day: "2025-12-31"}, "de-vat 19.00", "",
		},
		{
			"German restaurants from 2026 on",
			abroad{to: "DE", class: "PREPARED_FOOD", amount: "100", day: "2026-01-01"},
			"de-vat-prepared-food 7.00", "",
		},
		{
			"Finnish VAT before 25.5 %", abroad{to: "FI", class: "PHYSICAL", amount: "100", day: "2024-08-31"},
			"fi-vat 24.00", "",
		},
		{
			"Finnish VAT from 25.5 % on", abroad{to: "FI", class: "PHYSICAL", amount: "100", day: "2024-09-01"},
			"fi-vat 25.50", "",
		},
		{
			"Finnish food from 13.5 % on", abroad{to: "FI", class: "FOOD", amount: "100", day: "2026-01-01"},
			"fi-vat-food 13.50", "",
		},
		{
			"Estonian VAT before 24 %", abroad{to: "EE", class: "PHYSICAL", amount: "100", day: "2025-06-30"},
			"ee-vat 22.00", "",
		},
		{
			"Estonian VAT from 24 % on", abroad{to: "EE", class: "PHYSICAL", amount: "100", day: "2025-07-01"},
			"ee-vat 24.00", "",
		},
		{
			"Slovak VAT from 23 % on", abroad{to: "SK", class: "PHYSICAL", amount: "100", day: "2025-01-01"},
			"sk-vat 23.00", "",
		},
		{
			"Romanian VAT before 21 %", abroad{to: "RO", class: "PHYSICAL", amount: "100", day: "2025-07-31"},
			"ro-vat 19.00", "",
		},
		{
			"Romanian VAT from 21 % on", abroad{to: "RO", class: "PHYSICAL", amount: "100", day: "2025-08-01"},
			"ro-vat 21.00", "",
		},
		{
			"Swedish food before the cut", abroad{to: "SE", class: "FOOD", amount: "100", day: "2026-03-31"},
			"se-vat-food 12.00", "",
		},
		{
			"Swedish food during the cut", abroad{to: "SE", class: "FOOD", amount: "100", day: "2026-04-01"},
			"se-vat-food 6.00", "",
		},
		{
			"Czech books are at zero", abroad{to: "CZ", class: "BOOK", amount: "100", day: "2024-01-01"},
			"cz-vat-book 0.00", tax.ExemptionZeroRate,
		},
		{
			"British VAT before 20 %", abroad{to: "GB", class: "PHYSICAL", amount: "100", day: "2011-01-03"},
			"gb-vat 17.50", "",
		},
		{
			"British VAT from 20 % on", abroad{to: "GB", class: "PHYSICAL", amount: "100", day: "2011-01-04"},
			"gb-vat 20.00", "",
		},
		{
			"British books are at zero", abroad{to: "GB", class: "BOOK", amount: "100"}, "gb-vat-book 0.00",
			tax.ExemptionZeroRate,
		},
		{
			"Swiss VAT before 8.1 %", abroad{to: "CH", class: "PHYSICAL", amount: "100", day: "2023-12-31"},
			"ch-vat 7.70", "",
		},
		{
			"Swiss VAT from 8.1 % on", abroad{to: "CH", class: "PHYSICAL", amount: "100", day: "2024-01-01"},
			"ch-vat 8.10", "",
		},
		{"Swiss books", abroad{to: "CH", class: "BOOK", amount: "100"}, "ch-vat-book 2.60", ""},
		{"Norwegian VAT", abroad{to: "NO", class: "PHYSICAL", amount: "100"}, "no-vat 25.00", ""},
		{"Norwegian food", abroad{to: "NO", class: "FOOD", amount: "100"}, "no-vat-food 15.00", ""},
		{"Madeira", abroad{to: "PT 9000-001", class: "PHYSICAL", amount: "100"}, "pt-madeira-vat 22.00", ""},
		{
			"the Canary Islands", abroad{to: "ES 35001", class: "PHYSICAL", amount: "100"}, "es-none 0.00",
			tax.ExemptionNoRuleFound,
		},
		{
			"Egypt is not in the content", abroad{to: "EG", class: "PHYSICAL", amount: "100"}, "eg-none 0.00",
			tax.ExemptionNoRuleFound,
		},
		{
			"Guam is not in the content", abroad{to: "GU", class: "PHYSICAL", amount: "100"}, "gu-none 0.00",
			tax.ExemptionNoRuleFound,
		},
		{
			"no VAT before the first row", abroad{to: "DE", class: "PHYSICAL", amount: "100", day: "1998-03-31"},
			"de-none 0.00", tax.ExemptionNoRuleFound,
		},

		{
			"inside a member state a business pays",
			abroad{to: "DE", from: "DE", vat: "DE", class: "PHYSICAL", amount: "100"}, "de-vat 19.00", "",
		},
		{
			"to a business in another member state",
			abroad{to: "FR", from: "DE", vat: "FR", class: "PHYSICAL", amount: "100"}, "fr-vat 0.00",
			tax.ExemptionReverseCharge,
		},
		{
			"to a business registered in a third member state",
			abroad{to: "FR", from: "DE", vat: "IT", class: "SAAS", amount: "100"}, "fr-vat 0.00",
			tax.ExemptionReverseCharge,
		},
		{
			"a VAT id of the seller's own state does not count",
			abroad{to: "FR", from: "DE", vat: "DE", class: "PHYSICAL", amount: "100"}, "fr-vat 20.00", "",
		},
		{
			"nor one from outside the Union",
			abroad{to: "FR", from: "DE", vat: "GB", class: "PHYSICAL", amount: "100"}, "fr-vat 20.00", "",
		},
		{
			"a business in the Union accounts itself for services from outside",
			abroad{to: "FR", from: "GB", vat: "FR", class: "SAAS", amount: "100"}, "fr-vat 0.00", tax.ExemptionReverseCharge,
		},
		{
			"the United Kingdom before it left",
			abroad{to: "GB", from: "DE", vat: "GB", class: "SAAS", amount: "100", day: "2020-12-31"},
			"gb-vat 0.00", tax.ExemptionReverseCharge,
		},
		{
			"and after",
			abroad{to: "GB", from: "DE", vat: "GB", class: "SAAS", amount: "100", day: "2021-01-01"},
			"gb-vat 0.00", tax.ExemptionReverseCharge,
		},
		{
			"a consumer in another member state pays there",
			abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "100"}, "fr-vat 20.00", "",
		},
		{
			"below the threshold he pays at the seller's home",
			abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "100", below: true}, "de-vat 19.00", "",
		},
		{
			"a business never does",
			abroad{to: "FR", from: "DE", vat: "FR", class: "PHYSICAL", amount: "100", below: true},
			"fr-vat 0.00", tax.ExemptionReverseCharge,
		},
		{
			"the threshold is the Union's",
			abroad{to: "GB", from: "DE", class: "SAAS", amount: "100", below: true}, "gb-vat 20.00", "",
		},
		{
			"an export to a place without content",
			abroad{to: "EG", from: "DE", class: "PHYSICAL", amount: "100"}, "eg-none 0.00", tax.ExemptionExport,
		},
		{
			"an export to the Canary Islands",
			abroad{to: "ES 35001", from: "FR", class: "PHYSICAL", amount: "100"}, "es-none 0.00",
			tax.ExemptionExport,
		},
		{
			"from a country without content it is no export",
			abroad{to: "EG", from: "CN", class: "PHYSICAL", amount: "100"}, "eg-none 0.00",
			tax.ExemptionNoRuleFound,
		},
		{
			"an import at the limit is taxed when it is sold",
			abroad{to: "DE", from: "US-NY 10118", class: "PHYSICAL", amount: "150.00", currency: "EUR"},
			"de-vat 28.50", "",
		},
		{
			"a cent above it is taxed at the border",
			abroad{to: "DE", from: "US-NY 10118", class: "PHYSICAL", amount: "150.01", currency: "EUR"},
			"de-vat 0.00", tax.ExemptionHighValue,
		},
		{
			"software has no border",
			abroad{to: "DE", from: "US-NY 10118", class: "SAAS", amount: "500.00", currency: "EUR"},
			"de-vat 95.00", "",
		},
		{
			"inside the Union there is none",
			abroad{to: "DE", from: "FR", class: "PHYSICAL", amount: "500.00", currency: "EUR"}, "de-vat 95.00",
			"",
		},
		{
			"the Canary Islands lie outside",
			abroad{to: "DE", from: "ES 35001", class: "PHYSICAL", amount: "150.01", currency: "EUR"}, "de-vat 0.00",
			tax.ExemptionHighValue,
		},
		{
			"the British limit",
			abroad{to: "GB", from: "FR", class: "PHYSICAL", amount: "135.01", currency: "GBP"}, "gb-vat 0.00",
			tax.ExemptionHighValue,
		},
		{
			"goods below 3,000 crowns",
			abroad{to: "NO", from: "SE", class: "PHYSICAL", amount: "2999.99", currency: "NOK"}, "no-vat 750.00",
			"",
		},
		{
			"goods at 3,000 crowns",
			abroad{to: "NO", from: "SE", class: "PHYSICAL", amount: "3000.00", currency: "NOK"}, "no-vat 0.00",
			tax.ExemptionHighValue,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r, err := loaded(t).Calculate(test.sale.request(t))
			require.NoError(t, err)
			require.Equal(t, test.parts, parts(r.Lines[0]))
			require.Equal(t, test.exemption, r.Lines[0].TaxExemption)
			for _, item := range r.Lines[0].TaxItems {
				require.NotEmpty(t, item.Reason)
				require.LessOrEqual(t, len(item.RuleID), 50)
			}
		})
	}
}

var abroadPlaces = []string{
	"CA-ON", "CA-QC", "CA-BC", "CA-AB", "CA-SK", "CA-MB", "DE", "FR", "GB", "CH", "NO", "ES 35001", "PT 9000",
	"JP", "AU", "MX", "IN", "EG",
}
