package tax_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Sales across a border: services to a business, goods to and from Northern Ireland, and parcels to Switzerland.
func TestTaxOfSalesAcrossBorders(t *testing.T) {
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
			"the VAT id of another member is accepted",
			abroad{to: "DE", from: "US-NY", vat: "FR", class: "SAAS", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"a VAT id from outside the Union is not",
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
			"goods from Belfast to a business in Germany",
			abroad{to: "DE", from: "GB BT1 1AA", vat: "DE", class: "PHYSICAL", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"goods from London to a business in Germany",
			abroad{to: "DE", from: "GB EC1A 1BB", vat: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, "19.00", "",
		},
		{
			"a room is taxed where it is, also for a business in another member state",
			abroad{to: "FR", from: "DE", vat: "ES", class: "LODGING", amount: "100"}, "10.00", "",
		},
		{
			"where it is the business can account for the tax",
			abroad{to: "FR", from: "DE", vat: "FR", class: "LODGING", amount: "100"}, "0.00", tax.ExemptionReverseCharge,
		},
		{
			"goods of any value to a consumer there cross no border",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1000", currency: "GBP"}, "200.00", "",
		},
		{
			"without a postal code the state decides",
			abroad{to: "GB-Northern_Ireland", from: "IE", class: "PHYSICAL", amount: "1000", currency: "GBP"}, "200.00", "",
		},
		{
			"its code as well", abroad{to: "GB-NIR", from: "IE", vat: "XI", class: "PHYSICAL", amount: "1000", currency: "GBP"},
			"0.00", tax.ExemptionReverseCharge,
		},
		{
			"the postal code comes first",
			abroad{to: "GB-NIR EC1A 1BB", from: "IE", class: "PHYSICAL", amount: "1000", currency: "GBP"},
			"0.00", tax.ExemptionHighValue,
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
			"tax of at most 5 francs is taken at the sale",
			abroad{to: "CH", from: "DE", class: "PHYSICAL", amount: "61.72", currency: "CHF"}, "5.00", "",
		},
		{
			"above 5 francs at the border",
			abroad{to: "CH", from: "DE", class: "PHYSICAL", amount: "61.73", currency: "CHF"}, "0.00", tax.ExemptionHighValue,
		},
		{
			"books reach it later",
			abroad{to: "CH", from: "DE", class: "BOOK", amount: "192.30", currency: "CHF"}, "5.00", "",
		},
		{
			"5 francs to the cent",
			abroad{to: "CH", from: "DE", class: "BOOK", amount: "200.00", currency: "CHF", day: "2023-12-31"}, "5.00", "",
		},
		{
			"less than a cent above it, which is rounded down to it",
			abroad{to: "CH", from: "DE", class: "BOOK", amount: "200.01", currency: "CHF", day: "2023-12-31"},
			"0.00", tax.ExemptionHighValue,
		},
		{
			"a sale out of the tax territory is an export, also to a business with a VAT id",
			abroad{to: "ES 35001", from: "FR", vat: "ES", class: "PHYSICAL", amount: "100"}, "0.00", tax.ExemptionExport,
		},
		{
			"and a sale into it is an import",
			abroad{to: "DE", from: "ES 35001", vat: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, "19.00", "",
		},
		{
			"a sale to a territory of the same country is an export, too",
			abroad{to: "DE 27498", from: "DE 10115", class: "PHYSICAL", amount: "100"}, "0.00", tax.ExemptionExport,
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

// The import tax of Switzerland is on what the delivery to the buyer costs, too. MWSTG, article 54(3)(b).
func TestTheSwissImportLimitHoldsTheDelivery(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ class, amount, delivery, tax string }{
		{"PHYSICAL", "60.00", "1.72", "5.00"}, // 61.72 at 8.1 %: the tax would be 4.99932
		{"PHYSICAL", "60.00", "1.73", "0.00"},
		{"BOOK", "190.00", "2.30", "5.00"},
		{"BOOK", "190.00", "2.31", "0.00"},
		{"PHYSICAL", "-60.00", "-1.73", "0.00"},
		{"EBOOK", "60.00", "10.00", "1.82"}, // is no import
	} {
		req := abroad{to: "CH", from: "DE", class: test.class, amount: test.amount, currency: "CHF"}.request(t)
		for _, charge := range []string{test.delivery, "0.00"} {
			req.Lines = append(req.Lines, tax.Line{
				Class: "SHIPPING", Amount: decimal.MustParse(charge), Quantity: decimal.One,
			})
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), "%s %s, delivered for %s", test.class, test.amount, test.delivery)
		require.Equal(t, test.tax == "0.00", r.Lines[0].TaxExemption == tax.ExemptionHighValue)
	}
}

// A rule that exempts services does not affect goods in the same sale, and the reverse. Each line has the tax that it
// would have alone. Sources: Directive 2006/112/EC, article 196 for services to a business, article 369l for goods
// above 150 EUR; VAT Act 1994, section 8; Windsor Framework, article 8.
func TestGoodsAndServicesInOneSaleAcrossABorder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule            string
		sale            abroad // of the goods
		vat             []string
		service         string // sold with them for 10.00
		goods, services string // tax
		goodsBy         tax.TaxExemption
		servicesBy      tax.TaxExemption
	}{
		{
			"goods above the limit and software to a business in Germany",
			abroad{to: "DE", from: "US-NY", class: "PHYSICAL", amount: "150.01", currency: "EUR"}, []string{"DE"}, "SAAS",
			"0.00", "0.00", tax.ExemptionHighValue, tax.ExemptionReverseCharge,
		},
		{
			"goods at the limit bear the tax beside them",
			abroad{to: "DE", from: "US-NY", class: "PHYSICAL", amount: "150.00", currency: "EUR"}, []string{"DE"}, "SAAS",
			"28.50", "0.00", "", tax.ExemptionReverseCharge,
		},
		{
			"a ticket, which is taxed where the event is",
			abroad{to: "DE", from: "US-NY", class: "PHYSICAL", amount: "150.01", currency: "EUR"}, []string{"DE"}, "ADMISSION",
			"0.00", "1.90", tax.ExemptionHighValue, "",
		},
		{
			"goods above the limit and software to a consumer",
			abroad{to: "DE", from: "US-NY", class: "PHYSICAL", amount: "150.01", currency: "EUR"}, nil, "SAAS",
			"0.00", "1.90", tax.ExemptionHighValue, "",
		},
		{
			"goods and software from Ireland to a business in Belfast with both of its numbers",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1000.00", currency: "GBP"}, []string{"XI", "GB"},
			"SAAS", "0.00", "0.00", tax.ExemptionReverseCharge, tax.ExemptionReverseCharge,
		},
		{
			"with the one for goods alone the software is taxed",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1000.00", currency: "GBP"}, []string{"XI"}, "SAAS",
			"0.00", "2.00", tax.ExemptionReverseCharge, "",
		},
		{
			"with the one for services alone the goods are taxed",
			abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1000.00", currency: "GBP"}, []string{"GB"}, "SAAS",
			"200.00", "0.00", "", tax.ExemptionReverseCharge,
		},
		{
			"inside the Union the business accounts for both",
			abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "1000.00", currency: "EUR"}, []string{"FR"}, "ADMISSION",
			"0.00", "0.00", tax.ExemptionReverseCharge, tax.ExemptionReverseCharge,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			goods := test.sale.request(t)
			goods.CustomerVAT = test.vat
			both, service := goods, goods
			service.Lines = []tax.Line{{
				Class: tax.TaxClass(test.service), Amount: decimal.MustParse("10.00"), Quantity: decimal.One,
			}}
			both.Lines = append([]tax.Line{goods.Lines[0]}, service.Lines...)
			r, err := loaded(t).Calculate(both)
			require.NoError(t, err)
			require.Equal(t, []string{test.goods, test.services}, []string{r.Lines[0].Tax.String(), r.Lines[1].Tax.String()})
			require.Equal(t, []tax.TaxExemption{test.goodsBy, test.servicesBy},
				[]tax.TaxExemption{r.Lines[0].TaxExemption, r.Lines[1].TaxExemption})
			for i, alone := range []tax.Request{goods, service} {
				one, err := loaded(t).Calculate(alone)
				require.NoError(t, err)
				require.Equal(t, one.Lines[0], r.Lines[i], "as if it were sold alone")
			}
		})
	}
}

// Where the law asks more than a sale says, the answer says what.
func TestWhatIsNotSureAcrossBorders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		sale abroad
		says string // empty: nothing
	}{
		{
			"Directive 2006/112/EC art. 45: advice to a consumer is taxed at the seller",
			abroad{to: "FR", from: "DE", class: "PROFESSIONAL", amount: "100", currency: "EUR"},
			"services to a consumer are taxed where the seller is established",
		},
		{
			"VAT Act 1994 s. 7A(2)(b)", abroad{to: "GB", from: "US-NY", class: "ADVERTISING", amount: "100", currency: "GBP"},
			"services to a consumer are taxed where the seller is established",
		},
		{
			"software is taxed at the consumer", abroad{to: "FR", from: "DE", class: "SAAS", amount: "100", currency: "EUR"}, "",
		},
		{
			"Directive 2006/112/EC art. 45: a service to a consumer abroad is taxed at the seller",
			abroad{to: "DE 27498", from: "DE", class: "SERVICE", amount: "100", currency: "EUR"},
			"services to a consumer in another country are taxed where the seller is established",
		},
		{
			"Directive 2006/112/EC art. 59: advice to a consumer abroad is not",
			abroad{to: "DE 27498", from: "DE", class: "PROFESSIONAL", amount: "100", currency: "EUR"}, "",
		},
		{"goods that leave", abroad{to: "DE 27498", from: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, ""},
		{
			"Switzerland has no such rule",
			abroad{to: "DE 27498", from: "CH", class: "SERVICE", amount: "100", currency: "CHF"}, "",
		},
		{
			"Directive 2006/112/EC art. 196: a business may account for the tax on services from the Canary Islands",
			abroad{to: "ES 28001", from: "ES 35001", class: "SAAS", amount: "100", currency: "EUR", vat: "ES"},
			"a business may account itself for the tax on services from a seller outside the territory",
		},
		{
			"a consumer does not", abroad{to: "ES 28001", from: "ES 35001", class: "SAAS", amount: "100", currency: "EUR"}, "",
		},
		{
			"a business of the same territory",
			abroad{to: "ES 28001", from: "ES 28001", class: "SAAS", amount: "100", currency: "EUR", vat: "ES"}, "",
		},
		{"advice at home", abroad{to: "FR", from: "FR", class: "PROFESSIONAL", amount: "100", currency: "EUR"}, ""},
		{
			"Switzerland taxes services at the buyer",
			abroad{to: "CH", from: "DE", class: "PROFESSIONAL", amount: "100", currency: "CHF"}, "",
		},
		{
			"a home-taxed sale is taxed at the seller",
			abroad{to: "FR", from: "DE", class: "PROFESSIONAL", amount: "100", currency: "EUR", below: true}, "",
		},
		{
			"art. 194: a member state may let the business account for it",
			abroad{to: "FR", from: "DE", vat: "FR", class: "LODGING", amount: "100", currency: "EUR"},
			"article 194",
		},
		{
			"art. 194: the same for a seller outside the Union",
			abroad{to: "DE", from: "US-NY", vat: "DE", class: "ADMISSION", amount: "100", currency: "EUR"},
			"article 194",
		},
		{
			"art. 369l: the scheme is for consumers",
			abroad{to: "DE", from: "US-NY", vat: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"},
			"a business accounts for the tax on goods from abroad itself",
		},
		{
			"the United Kingdom lets the business account for it",
			abroad{to: "GB", from: "US-NY", vat: "GB", class: "PHYSICAL", amount: "100", currency: "GBP"},
			"a business accounts for the tax on goods from abroad itself",
		},
		{
			"art. 369l: not for products subject to excise duty",
			abroad{to: "DE", from: "US-NY", class: "ALCOHOL", amount: "100", currency: "EUR"},
			"goods that bear an excise duty",
		},
		{
			"VOEC: no food", abroad{to: "NO", from: "US-NY", class: "CANDY", amount: "100", currency: "NOK"},
			"food",
		},
		{"wine inside the Union", abroad{to: "DE", from: "FR", class: "ALCOHOL", amount: "100", currency: "EUR"}, ""},
		{"food to the Union", abroad{to: "DE", from: "US-NY", class: "FOOD", amount: "100", currency: "EUR"}, ""},
		{"goods to a consumer", abroad{to: "DE", from: "US-NY", class: "PHYSICAL", amount: "100", currency: "EUR"}, ""},
		{
			"above the limit it is due at the border anyway",
			abroad{to: "DE", from: "US-NY", class: "ALCOHOL", amount: "200", currency: "EUR"}, "",
		},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		if test.says == "" {
			require.NotContains(t, codesOf(r), tax.WarningLowConfidence, test.rule)
			require.NotContains(t, codesOf(r), tax.WarningClassTooCoarse, test.rule)
			continue
		}
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.rule)
		last := r.Warnings[len(r.Warnings)-1]
		require.Equal(t, tax.WarningClassTooCoarse, last.Code, test.rule)
		require.Equal(t, 0, *last.Line, test.rule)
		require.Contains(t, last.Message, test.says, test.rule)
	}
}
