package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Where a state leaves a class to its cities, and what these do is not in the content, the answer says so.
func TestWhatCitiesDecideForThemselvesIsNotSure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, class string
		unknown   bool
	}{
		{"Boulder, CO 80302", "FOOD", true}, // the city taxes food for home use
		{"Phoenix, AZ 85003", "FOOD", true}, // others in Arizona tax it
		{"Boulder, CO 80302", "PHYSICAL", false},
		{"Hempstead, NY 11550", "CLOTHING", false}, // the content lists who frees it
		{"Los Angeles, CA 90012", "FOOD", false},
	} {
		r := sale{test.to, test.class, "99.00", "", ""}.calculate(t)
		if !test.unknown {
			require.NotContains(t, codesOf(r), tax.WarningLocalTaxUnknown, test.to)
			continue
		}
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.to)
		require.Contains(t, codesOf(r), tax.WarningLocalTaxUnknown, test.to)
	}
}

// A holiday for goods that no class tells apart can free what is sold as goods of any kind.
func TestAHolidayForGoodsThatNoClassTellsApartIsSaid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, class, amount, day string
		says                   string // empty: nothing
	}{
		{
			"Houston, TX 77002", "PHYSICAL", "100.00", "2026-05-24",
			"Energy Star + Water-Efficient Products (2026) frees energy star and water efficient",
		},
		{"Houston, TX 77002", "PHYSICAL", "100.00", "2026-05-26", ""},
		{"Houston, TX 77002", "CLOTHING", "100.00", "2026-05-24", ""},
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2026-08-08", "Back-to-School (2026) frees school supplies"},
		{"Tampa, FL 33602", "PHYSICAL", "900.00", "2026-08-10", "Back-to-School (2026) frees school supplies and computers"},
		{"Charleston, WV 25301", "PHYSICAL", "10.00", "2026-08-01", "frees computers"},
		{"Charleston, WV 25301", "PHYSICAL", "600.00", "2026-08-01", ""}, // above the limits of all
		{"Boston, MA 02108", "PHYSICAL", "2600.00", "2026-08-08", ""},
		{"Boston, MA 02108", "PHYSICAL", "100.00", "2026-08-08", ""},
	} {
		r := sale{test.to, test.class, test.amount, "", test.day}.calculate(t)
		if test.says == "" {
			require.NotContains(t, codesOf(r), tax.WarningClassTooCoarse, test.to+" "+test.day)
			continue
		}
		require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, test.to)
		require.Contains(t, codesOf(r), tax.WarningClassTooCoarse, test.to+" "+test.day)
		require.Contains(t, r.Warnings[0].Message, test.says)
	}
}

// Such holidays come back, and on which days of another year is not in the content.
func TestAHolidayWhoseDaysAreNotKnownIsSaid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, class, amount, day string
		says                   string // empty: nothing
	}{
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2027-08-07", "may free school supplies"},
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2025-04-27", "may free emergency supplies"}, // 2025 has others
		{"Houston, TX 77002", "PHYSICAL", "3500.00", "2025-04-27", ""},
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2025-04-18", "may free emergency supplies"},
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2025-04-17", ""}, // more than a week before
		{"Houston, TX 77002", "CLOTHING", "150.00", "2025-04-27", ""},
		{"Houston, TX 77002", "PHYSICAL", "15.00", "2026-08-20", ""}, // this year's are known
		{"Richmond, VA 23219", "PHYSICAL", "15.00", "2025-08-02", "may free school supplies"},
		{"Columbus, OH 43215", "PHYSICAL", "60.00", "2025-08-15", ""}, // all goods were free until the day before
	} {
		r := sale{test.to, test.class, test.amount, "", test.day}.calculate(t)
		if test.says == "" {
			require.NotContains(t, codesOf(r), tax.WarningClassTooCoarse, test.to+" "+test.day)
			continue
		}
		require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, test.to+" "+test.day)
		require.Contains(t, codesOf(r), tax.WarningClassTooCoarse, test.to+" "+test.day)
		said := r.Warnings[slices.Index(codesOf(r), tax.WarningClassTooCoarse)].Message
		require.Contains(t, said, test.says)
		require.Contains(t, said, "on which days of "+test.day[:4]+" is not in the content")
	}
}
