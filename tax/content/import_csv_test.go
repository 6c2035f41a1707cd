package content_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// imported returns the content of the program after the import of a table of rates, and what the import did. Of its places
// it has those around Denver and one ZIP of Alabama.
func imported(t *testing.T, lines ...string) (*tax.Content, content.RateImport) {
	t.Helper()
	tables, err := content.Unpack(content.Packed())
	require.NoError(t, err)
	var places []string
	for i, line := range strings.SplitAfter(string(tables["places.csv"]), "\n") {
		if i == 0 || strings.HasPrefix(line, "80") || strings.HasPrefix(line, "35210") {
			places = append(places, line)
		}
	}
	tables["places.csv"] = []byte(strings.Join(places, ""))
	head := "zip,city,county,state,level,name,rate,valid_from,valid_to,source\n"
	if strings.HasSuffix(lines[0], ",Y") {
		head = strings.TrimSpace(head) + ",complete\n"
	}
	rates, err := content.ReadCSV("own.csv", strings.NewReader(head+strings.Join(lines, "\n")))
	require.NoError(t, err)
	done, err := tables.ImportCSV(rates)
	require.NoError(t, err)
	tables.Name()
	pack, err := tables.Pack()
	require.NoError(t, err)
	c, err := tax.ParseContent(pack)
	require.NoError(t, err)
	return c, done
}

// goodsIn is the tax on goods of 100.00 in a ZIP of Colorado, part by part.
func goodsIn(t *testing.T, c *tax.Content, zip, day string) (parts []string) {
	t.Helper()
	r, err := c.Calculate(tax.Request{
		TaxDate: calendar.MustDate(day), Currency: "USD",
		Destination: c.Resolve(tax.Address{State: "CO", PostalCode: zip, Country: "US"}),
		Lines:       []tax.Line{{Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
	})
	require.NoError(t, err)
	for _, i := range r.Lines[0].TaxItems {
		require.LessOrEqual(t, len(i.RuleID), 50)
		parts = append(parts, i.JurisdictionName+" "+i.Amount.String())
	}
	return parts
}

// Jurisdictions of any name can be imported: long names, one name for a city and a district, and names with
// characters that ids cannot have. In Denver the state takes 2.9 % and the city 5.15 %; the imported taxes are added.
func TestImportedJurisdictionsOfAnyName(t *testing.T) {
	t.Parallel()
	before, _ := imported(t, ",,,CO,CITY,Denver,0.0515,2026-01-01,,Code")
	denver := goodsIn(t, before, "80202", "2026-05-15")
	for _, test := range []struct {
		rule  string
		names []string // of districts, or of cities after "CITY "
	}{
		{"a short name", []string{"Lake"}},
		{"a name of 22 letters", []string{"Twenty Two Lettersxxxx"}},
		{"a name of 23 letters", []string{"Twenty Three Lettersxxx"}},
		{"a long name", []string{"Southeast Public Improvement Metropolitan District"}},
		{"two long names that begin alike", []string{
			"Southeast Public Improvement District No. 1", "Southeast Public Improvement District No. 2",
		}},
		{"a district that is called like a city", []string{"CITY Lakeshore", "Lakeshore"}},
		{"a city that is called like a district", []string{"Lakeshore", "CITY Lakeshore"}},
		{"names without a character for an id", []string{"Ñ", "Ö"}},
		{"names with the same id", []string{"Ñ Park", "Ö Park"}},
		{"a name that is the end of another", []string{"Upper Park", "Park"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			var lines, names []string
			for _, name := range test.names {
				level := "DISTRICT"
				if city, ok := strings.CutPrefix(name, "CITY "); ok {
					level, name = "CITY", city
				}
				lines = append(lines, "80202,,,CO,"+level+","+name+",0.01,2026-02-01,2026-12-31,Act of "+name)
				names = append(names, name+" 1.00")
			}
			c, done := imported(t, lines...)
			require.Equal(t, len(lines), done.New)
			require.ElementsMatch(t, append(names, denver...), goodsIn(t, c, "80202", "2026-05-15"))
			for day, holds := range map[string]bool{
				"2026-01-31": false, "2026-02-01": true, "2026-12-31": true, "2027-01-01": false,
			} {
				require.Equal(t, holds, len(goodsIn(t, c, "80202", day)) == len(denver)+len(names), day)
			}
			require.Equal(t, goodsIn(t, before, "80014", "2026-05-15"), goodsIn(t, c, "80014", "2026-05-15"),
				"elsewhere nothing changes")
		})
	}
}

// A rate of an operator applies from its first day on, and before it the rate of the program: Denver has had 5.15 %
// since 2025.
func TestAnImportedRateHoldsFromItsFirstDay(t *testing.T) {
	t.Parallel()
	c, done := imported(t,
		",,,CO,CITY,denver,0.06,2026-07-01,2026-12-31,Notice", ",,,CO,CITY,Denver,0.0625,2027-01-01,,Notice")
	require.Equal(t, content.RateImport{Jurisdictions: 1, Rates: 2}, done)
	for day, want := range map[string]string{
		"2024-12-31": "0.0481", "2025-01-01": "0.0515", "2026-06-30": "0.0515", "2026-07-01": "0.06", "2026-12-31": "0.06",
		"2027-01-01": "0.0625", "2099-12-31": "0.0625",
	} {
		rate, ok := c.GeneralRate("US-CO-M-denver", calendar.MustDate(day))
		require.True(t, ok, day)
		require.Equal(t, want, rate.String(), day)
	}
}

// A city that an operator imports is not added to what lies outside of it. Most of this ZIP has the name of its post office
// alone.
func TestAnImportedCityEndsAtItsLimits(t *testing.T) {
	t.Parallel()
	c, done := imported(t, "80643,Keenesburg,,CO,CITY,Keenesburg,0.04,2026-01-01,,Ordinance")
	require.Equal(t, 1, done.Jurisdictions)
	const city = "Keenesburg 4.00"
	require.NotContains(t, goodsIn(t, c, "80643", "2026-05-15"), city)
	named := c.Resolve(tax.Address{City: "Keenesburg", State: "CO", PostalCode: "80643", Country: "US"})
	require.Condition(t, func() bool {
		return strings.Contains(strings.Join(named.Jurisdictions, " "), "csv-keenesburg")
	}, "%v", named.Jurisdictions)
}

// Where the operator says that no other local tax is due, none is missing: in the city of the line, or outside of cities.
func TestAnOperatorMakesAPlaceComplete(t *testing.T) {
	t.Parallel()
	c, _ := imported(t, "35210,Irondale,,AL,CITY,Irondale,0.04,2026-01-01,,Ordinance,Y")
	other, _ := imported(t, "35210,,Jefferson,AL,COUNTY,Jefferson,0.02,2026-01-01,,Code,Y")
	for _, test := range []struct {
		content  *tax.Content
		to       tax.Address
		complete bool
	}{
		{c, tax.Address{City: "Irondale"}, true},
		{c, tax.Address{City: "Leeds"}, false},
		{c, tax.Address{City: "Birmingham", Unincorporated: true}, false},
		{other, tax.Address{City: "Irondale"}, false},
		{other, tax.Address{City: "Birmingham", Unincorporated: true}, true},
	} {
		test.to.State, test.to.PostalCode, test.to.Country = "AL", "35210", "US"
		r, err := test.content.Calculate(tax.Request{
			TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Destination: test.content.Resolve(test.to),
			Lines: []tax.Line{{Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
		})
		require.NoError(t, err)
		require.Equal(t, test.complete, !slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool {
			return w.Code == tax.WarningLocalTaxUnknown
		}), "%v %v", test.to, r.Warnings)
	}
}
