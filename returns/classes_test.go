package returns

import (
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// placesOfLayouts are the ZIP codes of a place with local taxes in each state with a form of its own.
var placesOfLayouts = map[string]string{
	"TX": "78701", "WA": "98101", "FL": "33101", "CA": "94607", "NY": "10118", "PA": "19103", "IL": "60601", "NE": "68102",
	"GA": "30303", "OH": "44113", "MO": "63101", "WI": "53202", "MD": "21201", "MI": "48201", "UT": "84101", "VA": "23219",
	"IN": "46204",
}

// soldOf is a return of one sale of 1,000.00 of a class in a place.
func soldOf(t *testing.T, law *tax.Content, place tax.Place, day calendar.Date, class tax.TaxClass) (in Input) {
	t.Helper()
	result, err := law.Calculate(tax.Request{
		TaxDate: day, Currency: "USD", Destination: place,
		Lines: []tax.Line{{Class: class, Classification: tax.ClassificationSubcategory, Amount: decimal.MustParse("1000.00")}},
	})
	require.NoError(t, err)
	gross := total(t, "1000.00")
	for _, item := range result.Lines[0].TaxItems {
		x := models.FilingFigure{
			FigureKey: models.FigureKey{
				Level: string(item.JurisdictionType), Name: item.JurisdictionName, Rate: item.Rate.Trim(0).String(),
				Channel: models.ChannelOwn, Sign: models.FigureSale, Class: string(class),
			},
			Place: "Home", Transactions: 1, Taxable: total(t, item.TaxableAmount.String()), Tax: total(t, item.Amount.String()),
		}
		x.Owed = x.Tax
		if item.JurisdictionType == tax.TypeState {
			x.Gross, gross = gross, money.Total{}
		}
		in.Figures.Figures = append(in.Figures.Figures, x)
	}
	in.Filing.CountryCode, in.Filing.StateCode, in.Filing.EndDate = "US", place.State, day.LastOfMonth().Time()
	return in
}

// A sale of any class is on a line that taxes it as it was taxed, in places with local taxes and without. Whole dollars
// differ by two at most. A line at another rate differs by ten or more.
func TestEachClassIsOnALineOfItsRate(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	classes := map[tax.TaxClass]bool{}
	for _, c := range law.Categories() {
		for _, s := range c.Subcategories {
			classes[s.TaxClass] = true
		}
	}
	require.Greater(t, len(classes), 100)
	most := total(t, "2.00")
	const newest = calendar.Date(20260715)
	for state, zip := range placesOfLayouts {
		place := law.Resolve(tax.Address{State: state, PostalCode: zip, Country: "US"})
		for _, day := range []calendar.Date{20221115, 20251115, newest} {
			layout, ok := law.ReturnLayout("US", state, day.LastOfMonth())
			require.True(t, ok)
			if now, _ := law.ReturnLayout("US", state, newest); layout.Country == tax.AnyCountry || day != newest && layout.ID == now.ID {
				continue
			}
			for class := range classes {
				in := soldOf(t, law, place, day, class)
				in.Layout = layout
				check := func(where string) {
					amounts, _ := made(t, in)
					difference := total(t, amounts["XD"])
					off := money.MaxTotal(difference, difference.Neg())
					require.Equal(t, off, money.MinTotal(off, most), "%s %s %s %s", layout.ID, day, class, where)
				}
				check("in a place with local taxes")
				if state != "CA" { // its uniform local tax is everywhere
					in.Figures.Figures = slices.DeleteFunc(in.Figures.Figures, func(x models.FilingFigure) bool {
						return x.Level != string(tax.TypeState)
					})
					check("in a place without")
				}
			}
		}
	}
}

// Candy and water are food where the law taxes or frees them as food.
func TestFoodIsOnTheLinesOfFood(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	for _, c := range []struct{ state, class, line, amount string }{
		{"UT", "CANDY", "8b", "30.00"}, {"UT", "BOTTLED_WATER", "8b", "30.00"}, {"UT", "SOFT_DRINK", "8b", "30.00"},
		{"UT", "PHYSICAL", "8b", "0.00"}, {"CA", "CANDY", "A5", "1000.00"}, {"CA", "SOFT_DRINK", "A5", "0.00"},
		{"VA", "CANDY", "5", "1000.00"}, {"VA", "SUPPLEMENT", "5", "0.00"}, {"MI", "HOME_ENERGY", "2e", "40.00"},
		{"IL", "INSULIN", "5a", "1000.00"}, {"IL", "MEDICAL_DEVICE", "4a", "1000.00"},
	} {
		place := law.Resolve(tax.Address{State: c.state, PostalCode: placesOfLayouts[c.state], Country: "US"})
		in := soldOf(t, law, place, 20260715, tax.TaxClass(c.class))
		in.Layout, _ = law.ReturnLayout("US", c.state, 20260731)
		amounts, _ := made(t, in)
		require.Equal(t, c.amount, amounts[c.line], c)
	}
}
