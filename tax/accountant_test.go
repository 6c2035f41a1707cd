package tax_test

import (
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Cases of many kinds are calculated by hand from the law. Each tax is right to the cent, and only facts that the sale
// does not tell are doubted.
func TestCasesOfAnAccountant(t *testing.T) {
	t.Parallel()
	const ny, miami, boston = "New York, NY 10118", "Miami, FL 33101", "Boston, MA 02108"
	const berlin, paris, london, usa = "DE 10115", "FR 75001", "GB EC1A 1BB", "US-NY 10118"
	below := func(r *tax.Request) { r.BelowUnionThreshold = true }
	perDocument := func(r *tax.Request) { r.Rounding = tax.TaxPerDocument }
	less := func(discount string) func(*tax.Request) {
		return func(r *tax.Request) { r.Lines[0].Discount = decimal.MustParse(discount) }
	}
	at := func(currency, rate string) func(*tax.Request) {
		return func(r *tax.Request) { r.Rates = map[string]decimal.Decimal{currency: decimal.MustParse(rate)} }
	}
	for _, c := range []struct {
		law, tax string
		sale     basket
		with     func(*tax.Request)
		doubted  bool
	}{
		{"NY Tax Law 1115(a)(30): below 110 dollars", "0.00",
			basket{to: ny, lines: []string{"CLOTHING 219.98 2"}}, nil, false},
		{"and not at it", "19.53", basket{to: ny, lines: []string{"CLOTHING 220.00 2"}}, nil, false},
		{"after a discount", "0.00", basket{to: ny, lines: []string{"CLOTHING 120.00"}}, less("11.00"), false},
		{"in dinar at 3.25 dollars: 107.25", "0.00",
			basket{to: ny, currency: "KWD", lines: []string{"CLOTHING 33.00"}}, at("USD", "3.25"), false},
		{"110.50", "3.02", basket{to: ny, currency: "KWD", lines: []string{"CLOTHING 34.00"}}, at("USD", "3.25"), false},
		{"in yen at 0.00667: 106.72", "0.00",
			basket{to: ny, currency: "JPY", lines: []string{"CLOTHING 16000"}}, at("USD", "0.00667"), false},
		{"M.G.L. c. 64H s. 6(k): above 175 dollars", "4.69",
			basket{to: boston, lines: []string{"CLOTHING 250.00"}}, nil, false},
		{"delivery stated apart", "6.25",
			basket{to: boston, lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"}}, nil, false},
		{"the holiday, at its limit", "0.00",
			basket{to: boston, day: "2026-08-09", lines: []string{"PHYSICAL 2500.00"}}, nil, false},
		{"the day after", "156.25", basket{to: boston, day: "2026-08-10", lines: []string{"PHYSICAL 2500.00"}}, nil, false},
		{"above its limit, in full", "156.25",
			basket{to: boston, day: "2026-08-09", lines: []string{"PHYSICAL 2500.01"}}, nil, false},
		{"Fla. Stat. 212.054: the first 5,000 dollars", "770.00",
			basket{to: miami, lines: []string{"PHYSICAL 12000.00"}}, nil, false},
		{"the last day of August", "0.00",
			basket{to: miami, day: "2026-08-31", lines: []string{"CLOTHING 100.00"}}, nil, false},
		{"Conn. Gen. Stat. 12-408(1)(H): above 1,000 dollars", "85.25",
			basket{to: "Hartford, CT 06103", lines: []string{"CLOTHING 1100.00"}}, nil, false},
		{"Tex. Tax Code 151.351: 80 %", "6.60",
			basket{to: "Houston, TX 77002", lines: []string{"DATA_PROCESSING 100.00"}}, nil, false},
		{"each line by itself", "0.00",
			basket{to: ny, lines: []string{"PHYSICAL 0.05", "PHYSICAL 0.05", "PHYSICAL 0.05"}}, nil, false},
		{"the document", "0.01",
			basket{to: ny, lines: []string{"PHYSICAL 0.05", "PHYSICAL 0.05", "PHYSICAL 0.05"}}, perDocument, false},
		{"36 M.R.S. 1811: 9 % on rooms, with other taxes besides", "9.00",
			basket{to: "Portland, ME 04101", lines: []string{"LODGING 100.00"}}, nil, true},
		{"36 M.R.S. 1811: 10 % on vehicles", "10.00",
			basket{to: "Portland, ME 04101", lines: []string{"RENTAL_VEHICLE 100.00"}}, nil, true},
		{"Tenn. Code Ann. 67-6-702: local to 1,600 dollars, 2.75 % from there to 3,200", "368.00",
			basket{to: "Nashville, TN 37203", lines: []string{"PHYSICAL 4000.00"}}, nil, false},
		{"35 ILCS 120/2-10: from 2026 food bears the 1.25 % of the RTA alone, candy all", "11.50",
			basket{to: "Chicago, IL 60601", lines: []string{"FOOD 100.00", "CANDY 100.00"}}, nil, false},
		{"Conn. Gen. Stat. 12-407e: below 100 dollars", "6.35",
			basket{to: "Hartford, CT 06103", day: "2026-08-18", lines: []string{"CLOTHING 99.99", "CLOTHING 100.00"}}, nil, false},
		{"Iowa Code 423.3(104): free for a business", "7.00",
			basket{to: "Des Moines, IA 50309", lines: []string{"SAAS_B2B 100.00", "SAAS_B2C 100.00"}}, nil, false},
		{"36 M.R.S. 1760(3) and 1811: no staple, and a meal at 8 %", "13.50",
			basket{to: "Portland, ME 04101", lines: []string{"FOOD 100.00", "CANDY 100.00", "PREPARED_FOOD 100.00"}}, nil, false},

		{"Directive 2006/112/EC, article 138", "0.00",
			basket{to: paris, from: berlin, vat: "FR", currency: "EUR", lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"}},
			nil, false},
		{"an id of the seller's own country", "20.00",
			basket{to: paris, from: berlin, vat: "DE", currency: "EUR", lines: []string{"PHYSICAL 100.00"}}, nil, false},
		{"article 59c: at home", "7.00",
			basket{to: paris, from: berlin, currency: "EUR", lines: []string{"BOOK 100.00"}}, below, false},
		{"article 44", "0.00",
			basket{to: berlin, from: usa, vat: "DE", currency: "EUR", lines: []string{"SAAS_B2B 100.00"}}, nil, false},
		{"article 369l: 150 euro", "28.50",
			basket{to: berlin, from: usa, currency: "EUR", lines: []string{"PHYSICAL 150.00"}}, nil, false},
		{"of the consignment", "0.00",
			basket{to: berlin, from: usa, currency: "EUR", lines: []string{"PHYSICAL 100.00", "PHYSICAL 60.00"}}, nil, false},
		{"without its delivery", "31.35",
			basket{to: berlin, from: usa, currency: "EUR", lines: []string{"PHYSICAL 145.00", "SHIPPING 20.00"}}, nil, false},
		{"in dollars: 145.45 euro", "30.40",
			basket{to: berlin, from: usa, currency: "USD", lines: []string{"PHYSICAL 160.00"}}, at("EUR", "0.909090909"), false},
		{"what comes back", "-28.50",
			basket{to: berlin, from: usa, currency: "EUR", lines: []string{"PHYSICAL -150.00"}}, nil, false},
		{"HMRC: 135 pounds", "27.00",
			basket{to: london, from: "CN", currency: "GBP", lines: []string{"PHYSICAL 135.00"}}, nil, false},
		{"above it", "0.00",
			basket{to: london, from: "CN", currency: "GBP", lines: []string{"PHYSICAL 135.01"}}, nil, false},
		{"26,000 yen are 135.20 pounds", "0.00",
			basket{to: london, from: "JP", currency: "JPY", lines: []string{"PHYSICAL 26000"}}, at("GBP", "0.0052"), false},
		{"goods at the border, what is electronic here", "0.55",
			basket{to: paris, from: london, currency: "EUR", lines: []string{"BOOK 100.00", "PHYSICAL 100.00", "EBOOK 10.00"}},
			nil, false},
		{"CIVA article 18(3): Madeira", "26.00",
			basket{to: "PT 9000", from: berlin, currency: "EUR", lines: []string{"BOOK 100.00", "PHYSICAL 100.00"}}, nil, false},
		{"a business accounts for it itself", "20.00",
			basket{to: london, from: berlin, vat: "GB", currency: "GBP", lines: []string{"PHYSICAL 100.00"}}, nil, true},
		{"MWSTG article 53: 5 francs of tax", "4.94",
			basket{to: "CH 8001", from: berlin, currency: "CHF", lines: []string{"PHYSICAL 61.00"}}, nil, false},
		{"with its delivery above", "0.00",
			basket{to: "CH 8001", from: berlin, currency: "CHF", lines: []string{"PHYSICAL 61.00", "SHIPPING 10.00"}},
			nil, false},
		{"books and their delivery, 5.20 francs of tax", "0.00",
			basket{to: "CH 8001", from: berlin, currency: "CHF", lines: []string{"BOOK 190.00", "SHIPPING 10.00"}}, nil, false},
		{"VOEC: one item above takes the others with it", "0.00",
			basket{to: "NO 0150", from: berlin, currency: "NOK", lines: []string{"PHYSICAL 3000.00", "PHYSICAL 3000.01"}}, nil, false},
		{"VOEC: 3,000 kroner an item", "1250.00",
			basket{to: "NO 0150", from: berlin, currency: "NOK", lines: []string{"PHYSICAL 5000.00 2"}}, nil, false},

		{"GST 5 %, QST 9.975 %", "14.98",
			basket{to: "CA-QC H2Y 1C6", currency: "CAD", lines: []string{"PHYSICAL 100.00"}}, nil, false},
		{"no provincial tax on books", "5.00",
			basket{to: "CA-BC V6B 1A1", currency: "CAD", lines: []string{"BOOK 100.00"}}, nil, false},
		{"HST by the place of delivery, 14 % since April 2025", "15.40",
			basket{to: "CA-NS B3H 1A1", from: "CA-ON M5V 3L9", currency: "CAD", lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"}},
			nil, false},
		{"HST on delivery", "14.30",
			basket{to: "CA-ON M5V 3L9", currency: "CAD", lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"}}, nil, false},
	} {
		req := c.sale.request(t)
		if c.with != nil {
			c.with(&req)
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err, "%s: %v", c.law, c.sale)
		require.Equal(t, c.tax, r.Tax.String(), "%s: %v", c.law, c.sale)
		require.Equal(t, c.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", c.law, r.Warnings)
	}
}
