package tax_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// grossSale is a sale of one line whose price includes tax, to "city, ST ZIP", "city, QC ZIP" or "city, GB ZIP".
func grossSale(t require.TestingT, to, class, quantity, price string) tax.Request {
	at := address(to)
	switch at.State {
	case "QC":
		at.Country = "CA"
	case "GB":
		at.State, at.Country = "", "GB"
	}
	return tax.Request{
		TaxDate: calendar.MustDate(usualDay), Currency: "USD", Destination: loaded(t).Resolve(at), PricesIncludeTax: true,
		Lines: []tax.Line{{
			Class: tax.TaxClass(class), Amount: decimal.MustParse(price), Quantity: decimal.MustParse(quantity),
		}},
	}
}

func TestPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, place, class, quantity string
		price, net, tax, taxable    string // no net: a refusal
	}{
		{"20 % of 149.375", "London, GB EC1A", "PHYSICAL", "1", "179.25", "149.37", "29.88", "149.37"},
		{"8.25 %", "Houston, TX 77002", "PHYSICAL", "1", "108.25", "100.00", "8.25", "100.00"},
		{"a negative price", "Houston, TX 77002", "PHYSICAL", "1", "-108.25", "-100.00", "-8.25", "-100.00"},
		{"nothing", "Houston, TX 77002", "PHYSICAL", "1", "0.00", "0.00", "0.00", "0.00"},
		{"a cent", "Houston, TX 77002", "PHYSICAL", "1", "0.01", "0.01", "0.00", "0.01"},
		{"a class that is free", "Houston, TX 77002", "FOOD", "1", "50.00", "50.00", "0.00", "0.00"},
		{"a coat below the limit", "New York, NY 10118", "CLOTHING", "1", "109.99", "109.99", "0.00", "0.00"},
		{"between: 109.99 is free and 110.00 costs 119.76", "New York, NY 10118", "CLOTHING", "1", "115.00", "", "", ""},
		{"a cent too little", "New York, NY 10118", "CLOTHING", "1", "119.75", "", "", ""},
		{"just at the limit: 110.00 + 9.7625", "New York, NY 10118", "CLOTHING", "1", "119.77", "110.01", "9.76", "110.01"},
		{"two coats, each above", "New York, NY 10118", "CLOTHING", "2", "261.30", "240.00", "21.30", "240.00"},
		{"two coats between", "New York, NY 10118", "CLOTHING", "2", "230.00", "", "", ""},
		{"6.25 % of what is above 175", "Boston, MA 02108", "CLOTHING", "1", "233.44", "230.00", "3.44", "55.00"},
		{"below 175", "Boston, MA 02108", "CLOTHING", "1", "175.00", "175.00", "0.00", "0.00"},
		{"a county tax on the first 5,000", "Miami, FL 33131", "PHYSICAL", "1", "9590.00", "9000.00", "590.00", "9000.00"},
		{"below that limit", "Miami, FL 33131", "PHYSICAL", "1", "107.00", "100.00", "7.00", "100.00"},
		{"GST and QST", "Montreal, QC H2Y", "PHYSICAL", "1", "114.98", "100.00", "14.98", "100.00"},
	} {
		req := grossSale(t, c.place, c.class, c.quantity, c.price)
		r, err := loaded(t).Calculate(req)
		if c.net == "" {
			var refused *tax.NoNetPriceError
			require.ErrorAs(t, err, &refused, c.why)
			require.ErrorIs(t, err, tax.ErrNoNetPrice)
			require.Equal(t, 0, refused.Line)
			continue
		}
		require.NoError(t, err, c.why)
		l := &r.Lines[0]
		require.Equal(t, []string{c.price, c.net, c.tax, c.taxable},
			[]string{l.Gross.String(), l.Net.String(), l.Tax.String(), l.TaxableAmount.String()}, c.why)
		require.Equal(t, c.net, r.Explanation.Items[0].NetAmount.String())
		again, err := r.Explanation.Request()
		require.NoError(t, err)
		repeated, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&r.Explanation, &repeated.Explanation), c.why)
	}
}

// Every line of a document is solved by itself. Net and tax come to the price in every unit of rounding.
func TestPricesThatIncludeTaxOnSeveralLines(t *testing.T) {
	t.Parallel()
	for _, unit := range allUnits {
		req := grossSale(t, "Houston, TX 77002", "PHYSICAL", "1", "0.05")
		req.Rounding = unit
		for range 99 {
			req.Lines = append(req.Lines, req.Lines[0])
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		for i := range r.Lines {
			l := &r.Lines[i]
			require.Equal(t, "0.05", sum(t, l.Net, l.Tax).String(), unit)
			require.Equal(t, "0.05", l.Gross.String())
		}
	}
	req := grossSale(t, "Houston, TX 77002", "PHYSICAL", "1", "0.05")
	req.Rounding = tax.TaxPerDocument
	for range 99 {
		req.Lines = append(req.Lines, req.Lines[0])
	}
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "0.38", r.Tax.String(), "5.00 x 8.25 / 108.25 = 0.381")
}

// A discount includes tax like the price that it lowers.
func TestDiscountsOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	req := grossSale(t, "Houston, TX 77002", "PHYSICAL", "1", "120.00")
	req.Lines[0].Discount = decimal.MustParse("11.75")
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, []string{"108.25", "100.00", "8.25"},
		[]string{r.Lines[0].Gross.String(), r.Lines[0].Net.String(), r.Lines[0].Tax.String()})
	require.Equal(t, "0.082500000", r.Rate.Pad(9).String())
}

// Goods from abroad for 160.00 with German tax cost 134.45 without: below the limit of 150 euros they are taxed. For
// 190.00 they are above it, the tax is due at the border, and the price has none.
func TestImportLimitsArePricesWithoutTax(t *testing.T) {
	t.Parallel()
	for price, net := range map[string]string{"160.00": "134.45", "178.50": "150.00", "178.53": "178.53", "190.00": "190.00"} {
		req := grossSale(t, "Houston, TX 77002", "PHYSICAL", "1", price)
		origin := req.Destination
		req.Origin, req.Currency = &origin, "EUR"
		req.Destination = loaded(t).Resolve(tax.Address{City: "Berlin", PostalCode: "10115", Country: "DE"})
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, net, r.Lines[0].Net.String(), price)
	}
}

// A charge for delivery includes tax as its article does. The cap of the county in Miami is on their price together.
func TestDeliveryThatIncludesTax(t *testing.T) {
	t.Parallel()
	req := grossSale(t, "Houston, TX 77002", "PHYSICAL", "1", "108.25")
	req.Lines = append(req.Lines, tax.Line{
		Class: tax.ClassShipping, Amount: decimal.MustParse("10.83"), Quantity: decimal.One,
	})
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, []string{"100.00", "10.00"}, []string{r.Lines[0].Net.String(), r.Lines[1].Net.String()})
}

// allClasses are those of the contract.
var allClasses = strings.Fields(`PHYSICAL CLOTHING CLOTHING_CHILD FOOD PREPARED_FOOD DRUGS_RX BOOK DIGITAL SAAS
	SOFTWARE_DOWNLOAD SERVICE SHIPPING NOT_TAXABLE CANDY SOFT_DRINK BOTTLED_WATER SUPPLEMENT DRUGS_OTC MEDICAL_DEVICE
	FEMININE_HYGIENE DIAPER NEWSPAPER PERIODICAL ALCOHOL TOBACCO CANNABIS RENTAL_GOODS EBOOK AUDIO_VIDEO STREAMING
	DIGITAL_NEWS SAAS_B2B SAAS_B2C IAAS SOFTWARE_CUSTOM DATA_PROCESSING REPAIR INSTALLATION MAINTENANCE_PLAN LANDSCAPING
	CLEANING CONSTRUCTION SECURITY ADVERTISING PROFESSIONAL MEDICAL PERSONAL_CARE FITNESS EDUCATION ADMISSION TELECOM
	LODGING RENTAL_VEHICLE UTILITY GRATUITY HANDLING`)

// taxedPlaces are addresses of every rate that a random ZIP finds, of every state and province, and of countries.
func taxedPlaces(r *rand.Rand) (places []tax.Address) {
	for range 600 {
		places = append(places, tax.Address{PostalCode: fmt.Sprintf("%05d", r.IntN(100_000)), Country: "US"})
	}
	for _, town := range towns {
		places = append(places, address(town))
	}
	for _, state := range strings.Fields(`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT
		NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR`) {
		places = append(places, tax.Address{State: state, Country: "US"})
	}
	for _, province := range strings.Fields("AB BC MB NB NL NS NT NU ON PE QC SK YT") {
		places = append(places, tax.Address{State: province, Country: "CA"})
	}
	for _, country := range strings.Fields(`AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO
		SE SI SK`) {
		places = append(places, tax.Address{Country: country})
	}
	return places
}

// For the rates and rules of the content, net and tax come to the price to the cent, or there is no net price. The law
// of the net prices is asked as well: they are the only ones that have the price with their tax.
func TestNetAndTaxComeToThePriceByEveryLaw(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20260515, 1710))
	days := strings.Fields("2024-02-29 2025-08-09 2026-05-15 2026-08-08 2026-12-31")
	solved, refused := 0, 0
	for _, at := range taxedPlaces(r) {
		place := loaded(t).Resolve(at)
		if !place.Known() {
			continue
		}
		for n := range 32 {
			cents := []int64{
				1 + r.Int64N(300), 1 + r.Int64N(40_000), 1 + r.Int64N(1_000_000), 1 + r.Int64N(100_000_000),
			}[r.IntN(4)]
			class, quantity := allClasses[r.IntN(len(allClasses))], []int64{1, 1, 2, 3, 7, 25}[r.IntN(6)]
			if n%4 == 0 { // around limits of clothing and of holidays
				class, cents, quantity = "CLOTHING", []int64{10_000, 11_000, 17_500, 100_000}[r.IntN(4)]+r.Int64N(1200), 1
			}
			req := tax.Request{
				TaxDate: calendar.MustDate(days[r.IntN(len(days))]), Currency: "USD", Destination: place, PricesIncludeTax: true,
				Reasons: tax.NoReasons, Rounding: allUnits[r.IntN(len(allUnits))], Lines: []tax.Line{{
					Class: tax.TaxClass(class), Amount: decimal.MustNew(cents, 2), Quantity: decimal.MustNew(quantity, n%8/7),
				}},
			}
			result, err := loaded(t).Calculate(req)
			if errors.Is(err, tax.ErrNoNetPrice) {
				refused++
				requireNoNetPrice(t, req, cents)
				continue
			}
			require.NoError(t, err)
			solved++
			l := &result.Lines[0]
			require.Equal(t, req.Lines[0].Amount, sum(t, l.Net, l.Tax), "%v", req)
			requireNetPrice(t, req, l.Net, cents)
		}
	}
	require.Positive(t, refused, "of %d prices", solved)
}

// withTax is what a net price comes to with its tax before rounding, in units of 10^-13 of the currency as text.
func withTax(t *testing.T, req tax.Request, cents int64) *money.Exact {
	t.Helper()
	req.PricesIncludeTax = false
	req.Lines = []tax.Line{req.Lines[0]}
	req.Lines[0].Amount = decimal.MustNew(cents, 2)
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	all := money.Product(cents*100, 1_000_000_000)
	for _, i := range r.Lines[0].TaxItems {
		all = all.Plus(i.Unrounded)
	}
	return &all
}

// above reports whether a net price with its tax is above a price.
func above(t *testing.T, req tax.Request, net, price int64) bool {
	t.Helper()
	more := withTax(t, req, net).Plus(money.Product(-price*100, 1_000_000_000))
	return !more.IsNeg() && !more.IsZero()
}

// requireNetPrice checks a net price by its neighbours: those of two cents less and more have another price.
func requireNetPrice(t *testing.T, req tax.Request, net decimal.Decimal, price int64) {
	t.Helper()
	cents, err := money.Cents(net)
	require.NoError(t, err)
	require.True(t, cents < 3 || !above(t, req, cents-2, price), "%s is too much of %d for %v", net, price, req)
	require.True(t, above(t, req, cents+2, price), "%s is too little of %d for %v", net, price, req)
}

// requireNoNetPrice checks that the price lies in a jump of the law. One net price is below it by more than a cent, and
// the next one above it by more than a cent.
func requireNoNetPrice(t *testing.T, req tax.Request, price int64) {
	t.Helper()
	low, high := int64(0), price+1 // low is not above the price, high is
	for high-low > 1 {
		if middle := (low + high) / 2; above(t, req, middle, price) {
			high = middle
		} else {
			low = middle
		}
	}
	require.False(t, above(t, req, low, price-1), "%d cents fit into %d for %v", low, price, req)
	require.True(t, above(t, req, high, price+1), "%d cents fit into %d for %v", high, price, req)
}
