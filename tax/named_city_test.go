package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// A city that is named is never replaced by another. Its own tax is taken where it lies in the ZIP, or in the county. A
// name that does not tax is outside of all cities.
func TestTheNamedCityIsTaken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to, tax string
		doubted       bool
		sure          tax.Confidence
	}{
		{"a city of the ZIP that does not tax", "Glendale, WI 53209", "5.90", false, tax.ConfidenceHigh},
		{"the city of the post office, of which others share the ZIP", "Milwaukee, WI 53209", "7.90", true,
			tax.ConfidenceMedium},
		{"a ZIP alone has the tax of its largest part", ", WI 53209", "7.90", true, tax.ConfidenceMedium},
		{"a name that is no place, where the ZIP has several totals", "Nowhere, WI 53209", "5.90", true,
			tax.ConfidenceMedium},
		{"a name that is no place, where the ZIP has one", "Nowhere, NY 10118", "8.88", false, tax.ConfidenceHigh},
		{"a city of the county that does not tax", "Shorewood, WI 53203", "5.90", true, tax.ConfidenceMedium},
		{"a city of the county that taxes", "Milwaukee, WI 53110", "7.90", true, tax.ConfidenceMedium},
		{"a borough is the name of a post office", "Brooklyn, NY 11201", "8.88", false, tax.ConfidenceHigh},
		{"a city in the ZIP of another", "Lenexa, KS 66210", "9.35", false, tax.ConfidenceMedium},
		{"a city beyond the border of its county", "Tulsa, OK 74116", "8.52", true, tax.ConfidenceMedium},
		{"a county that has no tax of its cities", "Loveland, OH 45140", "6.75", true, tax.ConfidenceMedium},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := sale{test.to, "PHYSICAL", "100.00", "", "2026-11-20"}.calculate(t)
			require.Equal(t, test.tax, r.Tax.String())
			require.Equal(t, test.doubted, slices.Contains(codes(r), tax.WarningAmbiguousPlace), r.Warnings)
			require.Equal(t, test.sure, r.Confidence)
		})
	}
}

// The warning names the places, their rates, and what settles the doubt.
func TestAnAmbiguousPlaceNamesThePlaces(t *testing.T) {
	t.Parallel()
	r := sale{"Milwaukee, WI 53209", "PHYSICAL", "100.00", "", "2026-11-20"}.calculate(t)
	require.Len(t, r.Warnings, 1)
	require.Equal(t, "ZIP 53209 lies in places with different taxes: Milwaukee (7.9 %) was taken, Milwaukee County "+
		"outside of cities that tax (5.9 %). Where the ZIP has one post office for them, only the street tells: name the "+
		"city or county that the address lies in, or mark it as unincorporated.", r.Warnings[0].Message)
	a := address("Milwaukee, WI 53209")
	a.Unincorporated = true
	require.False(t, loaded(t).Resolve(a).Ambiguous)
}

// Rates of 2026 that began during the year hold from their first day, and those before hold until the day before.
func TestChangesOfTheYearAreRowsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, before, from string }{
		{"Albany, GA 31701", "2026-09-30 8.00", "2026-10-01 9.00"},
		{"Mason, OH 45040", "2026-09-30 6.75", "2026-10-01 7.25"},
		{"Danielsville, GA 30633", "2026-06-30 8.00", "2026-07-01 7.00"},
		{"Welch, WV 24801", "2026-06-30 6.00", "2026-07-01 7.00"},
		{"Albert Lea, MN 56007", "2026-09-30 7.88", "2026-10-01 7.38"},
		{"Casper, WY 82601", "2026-06-30 6.00", "2026-07-01 5.00"},
		{"Bristol, VT 05443", "2026-06-30 6.00", "2026-07-01 7.00"},
	} {
		for _, on := range []string{test.before, test.from} {
			r := sale{test.to, "PHYSICAL", "100.00", "", on[:10]}.calculate(t)
			require.Equal(t, on[11:], r.Tax.String(), "%s on %s", test.to, on[:10])
		}
	}
}
