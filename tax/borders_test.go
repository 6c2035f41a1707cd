package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// What crosses a border: services to a business, goods to and from Northern Ireland, and parcels to
// Switzerland.
func TestAcrossBorders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		sale      abroad
		tax       string
		exemption tax.TaxExemption
	}{
		{
			"advice from New York to a business in Germany",
			abroad{to: "DE", from: "US-NY", vat: "DE", class: "PROFESSIONAL", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{"and to a consumer there", abroad{to: "DE", from: "US-NY", class: "PROFESSIONAL", amount: "100"}, "19.00", ""},
		{
			"the number of another member will do",
			abroad{to: "DE", from: "US-NY", vat: "FR", class: "SAAS", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"a number of elsewhere will not",
			abroad{to: "DE", from: "US-NY", vat: "GB", class: "SAAS", amount: "100"}, "19.00", "",
		},
		{
			"software from Germany to a business in Switzerland",
			abroad{to: "CH", from: "DE", vat: "CH", class: "SAAS", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"a ticket is taxed where the event is",
			abroad{to: "DE", from: "US-NY", vat: "DE", class: "ADMISSION", amount: "100"}, "19.00", "",
		},
		{
			"a service in one country is no import",
			abroad{to: "GB", from: "GB", vat: "GB", class: "SAAS", amount: "100"}, "20.00", "",
		},
		{
			"goods bear the tax at their sale, whoever buys them",
			abroad{to: "DE", from: "US-NY", vat: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, "19.00", "",
		},
		{
			"goods from Ireland to a business in Belfast",
			abroad{to: "GB BT1 1AA", from: "IE", vat: "XI", class: "PHYSICAL",
				amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"goods of any value to a consumer there cross no border",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1000", currency: "GBP"}, "200.00", "",
		},
		{
			"to London they do",
			abroad{to: "GB EC1A 1BB", from: "IE", class: "PHYSICAL", amount: "1000", currency: "GBP"},
			"0.00", tax.ExemptionHighValue,
		},
		{
			"goods from Belfast to a consumer in France",
			abroad{to: "FR", from: "GB BT1 1AA", class: "PHYSICAL", amount: "1000", currency: "EUR"}, "200.00", "",
		},
		{
			"services to Belfast are those to the United Kingdom",
			abroad{to: "GB BT1 1AA", from: "IE", vat: "XI", class: "SAAS", amount: "100"}, "20.00", "",
		},
		{
			"tax of less than 5 francs is taken at the sale",
			abroad{to: "CH", from: "DE", class: "PHYSICAL", amount: "61.72", currency: "CHF"}, "5.00", "",
		},
		{
			"from 5 francs on at the border",
			abroad{to: "CH", from: "DE", class: "PHYSICAL", amount: "61.73", currency: "CHF"}, "0.00", tax.ExemptionHighValue,
		},
		{
			"books reach it later",
			abroad{to: "CH", from: "DE", class: "BOOK", amount: "192.30", currency: "CHF"}, "5.00", "",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r, err := loaded(t).Calculate(test.sale.request(t))
			require.NoError(t, err)
			require.Equal(t, test.tax, r.Tax.String())
			require.Equal(t, test.exemption, r.Lines[0].TaxExemption)
		})
	}
}
