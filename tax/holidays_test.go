package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// Each holiday that frees a whole class is tested by the law of its year. The cases are the largest free price, a cent
// more, and the days around it.
func TestHolidaysOfEveryState(t *testing.T) {
	t.Parallel()
	expanded := "Ohio R.C. 5739.41: set by the Department of Taxation for the year"
	for _, test := range []struct {
		state, law, class, free, taxed string
		days                           []string // the first and the last day of each holiday
	}{
		{
			"AL", "Code of Ala. 40-23-211: from the third Friday of July to Sunday", "CLOTHING", "100.00", "100.01",
			[]string{"2024-07-19", "2024-07-21", "2025-07-18", "2025-07-20", "2026-07-17", "2026-07-19"},
		},
		{
			"AL", "Code of Ala. 40-23-211(c): books", "BOOK", "30.00", "30.01",
			[]string{"2024-07-19", "2024-07-21", "2025-07-18", "2025-07-20", "2026-07-17", "2026-07-19"},
		},
		{
			"AR", "Ark. Code 26-52-444: the first Saturday and Sunday of August", "CLOTHING", "99.99", "100.00",
			[]string{"2024-08-03", "2024-08-04", "2025-08-02", "2025-08-03", "2026-08-01", "2026-08-02"},
		},
		{
			"CT", "Conn. Gen. Stat. 12-407e: from the third Sunday of August to Saturday", "CLOTHING", "99.99", "100.00",
			[]string{"2024-08-18", "2024-08-24", "2025-08-17", "2025-08-23", "2026-08-16", "2026-08-22"},
		},
		{
			"FL", "Laws of Florida 2023-157 and 2024-158; Fla. Stat. 212.08(20): all of August since 2025",
			"CLOTHING", "100.00", "100.01", []string{
				"2024-01-01", "2024-01-14", "2024-07-29", "2024-08-11", "2025-08-01", "2025-08-31", "2026-08-01", "2026-08-31",
			},
		},
		{
			"IA", "Iowa Code 423.3(68): the first Friday of August and the day after", "CLOTHING_CHILD", "99.99", "100.00",
			[]string{"2024-08-02", "2024-08-03", "2025-08-01", "2025-08-02", "2026-08-07", "2026-08-08"},
		},
		{
			"MA", "M.G.L. c. 64H s. 6A: a weekend of August", "PHYSICAL", "2500.00", "2500.01",
			[]string{"2024-08-10", "2024-08-11", "2025-08-09", "2025-08-10", "2026-08-08", "2026-08-09"},
		},
		{
			"MA", "M.G.L. c. 64H s. 6A: all goods", "BOOK", "2500.00", "2500.01",
			[]string{"2024-08-10", "2024-08-11", "2025-08-09", "2025-08-10", "2026-08-08", "2026-08-09"},
		},
		{
			"MD", "Md. Code Tax-Gen. 11-228: seven days from the second Sunday of August", "CLOTHING", "100.00", "100.01",
			[]string{"2024-08-11", "2024-08-17", "2025-08-10", "2025-08-16", "2026-08-09", "2026-08-15"},
		},
		{
			"MO", "RSMo 144.049: from the first Friday of August to Sunday", "CLOTHING", "100.00", "100.01",
			[]string{"2024-08-02", "2024-08-04", "2025-08-01", "2025-08-03", "2026-08-07", "2026-08-09"},
		},
		{
			"MS", "Miss. Code 27-65-111(bb): from the second Friday of July to Sunday", "CLOTHING", "99.99", "100.00",
			[]string{"2024-07-12", "2024-07-14", "2025-07-11", "2025-07-13", "2026-07-10", "2026-07-12"},
		},
		{
			"NM", "NMSA 7-9-95: from the last Friday of July to Sunday", "CLOTHING", "99.99", "100.00",
			[]string{"2024-07-26", "2024-07-28", "2025-07-25", "2025-07-27", "2026-07-31", "2026-08-02"},
		},
		{"OH", expanded, "PHYSICAL", "500.00", "500.01", []string{"2024-07-30", "2024-08-08", "2025-08-01", "2025-08-14"}},
		{"OH", expanded, "CLOTHING", "500.00", "500.01", []string{"2024-07-30", "2024-08-08", "2025-08-01", "2025-08-14"}},
		{
			"OH", "Ohio R.C. 5739.02(B)(55): from the first Friday of August to Sunday", "CLOTHING", "75.00", "75.01",
			[]string{"2026-08-07", "2026-08-09"},
		},
		{
			"OK", "68 O.S. 1357.10: from the first Friday of August to Sunday", "CLOTHING", "99.99", "100.00",
			[]string{"2024-08-02", "2024-08-04", "2025-08-01", "2025-08-03", "2026-08-07", "2026-08-09"},
		},
		{
			"SC", "S.C. Code 12-36-2120(57): from the first Friday of August to Sunday, without a limit",
			"CLOTHING", "99999.99", "",
			[]string{"2024-08-02", "2024-08-04", "2025-08-01", "2025-08-03", "2026-08-07", "2026-08-09"},
		},
		{
			"TN", "Tenn. Code Ann. 67-6-393: from the last Friday of July to Sunday", "CLOTHING", "100.00", "100.01",
			[]string{"2024-07-26", "2024-07-28", "2025-07-25", "2025-07-27", "2026-07-31", "2026-08-02"},
		},
		{
			"TX", "Tex. Tax Code 151.326: the Friday before the 15th day before the fourth Monday of August",
			"CLOTHING", "99.99", "100.00",
			[]string{"2024-08-09", "2024-08-11", "2025-08-08", "2025-08-10", "2026-08-07", "2026-08-09"},
		},
		{
			"VA", "Va. Code 58.1-611.2: from the first Friday of August to Sunday", "CLOTHING", "100.00", "100.01",
			[]string{"2024-08-02", "2024-08-04", "2025-08-01", "2025-08-03", "2026-08-07", "2026-08-09"},
		},
		{
			"WV", "W. Va. Code 11-15-9s: four days from the Friday before the first Sunday of August",
			"CLOTHING", "125.00", "125.01",
			[]string{"2024-08-02", "2024-08-05", "2025-08-01", "2025-08-04", "2026-07-31", "2026-08-03"},
		},
	} {
		free := func(amount, quantity string, day calendar.Date) bool {
			r := sale{", " + test.state + " ", test.class, amount, quantity, day.String()}.calculate(t)
			require.NotContains(t, codesOf(r), tax.WarningBeforeKnownHistory)
			return r.Tax.IsZero() && r.Lines[0].TaxItems[0].Reason == tax.ReasonTaxHoliday
		}
		for i := 0; i < len(test.days); i += 2 {
			first, last := calendar.MustDate(test.days[i]), calendar.MustDate(test.days[i+1])
			require.False(t, free(test.free, "", first.AddDays(-1)), "the day before %s, %s", first, test.law)
			require.True(t, free(test.free, "", first), "%s, %s", first, test.law)
			require.True(t, free(test.free, "", last), "%s, %s", last, test.law)
			require.False(t, free(test.free, "", last.AddDays(1)), "the day after %s, %s", last, test.law)
			if test.taxed != "" {
				require.False(t, free(test.taxed, "", first), "%s at %s", test.law, test.taxed)
				require.True(t, free(test.taxed, "2", first), "two at half of %s, %s", test.taxed, test.law)
			}
		}
	}
}

// A holiday for goods of all kinds leaves out what bears an excise tax. Sources: Ohio R.C. 5739.41; M.G.L. c. 64H s. 6A.
func TestAHolidayForAllGoodsLeavesOutAlcoholTobaccoAndCannabis(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, class, day, tax string }{
		{"Columbus, OH 43215", "TOBACCO", "2025-08-05", "1.60"},
		{"Columbus, OH 43215", "ALCOHOL", "2025-08-05", "1.60"},
		{"Columbus, OH 43215", "DRUGS_OTC", "2025-08-05", "0.00"},
		{"Boston, MA 02108", "TOBACCO", "2026-08-08", "1.25"},
		{"Boston, MA 02108", "CANNABIS", "2026-08-09", "1.25"},
		{"Boston, MA 02108", "DRUGS_OTC", "2026-08-09", "0.00"},
	} {
		r := sale{test.to, test.class, "20.00", "", test.day}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), "%s in %s", test.class, test.to)
	}
}

// In a year whose holidays are not known nothing is exempt, and in their season the result has a warning.
func TestHolidaysOfOtherYearsAreNotDerived(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		day, class string
		sure       bool
		warnings   []tax.WarningCode
	}{
		{"2023-08-21", "CLOTHING", false, []tax.WarningCode{tax.WarningBeforeKnownHistory, tax.WarningLowConfidence}},
		{"2023-08-21", "PHYSICAL", true, nil},
		{"2023-04-12", "CLOTHING", true, nil},
		{"2026-08-23", "CLOTHING", true, nil},
		{"2027-08-16", "CLOTHING", false, []tax.WarningCode{tax.WarningLowConfidence}},
		{"2027-08-01", "CLOTHING", true, nil}, // its season: two weeks before and after those that are known
		{"2027-08-02", "CLOTHING", false, []tax.WarningCode{tax.WarningLowConfidence}},
		{"2027-09-07", "CLOTHING", false, []tax.WarningCode{tax.WarningLowConfidence}},
		{"2027-09-08", "CLOTHING", true, nil},
	} {
		r := sale{"Hartford, CT 06103", test.class, "50.00", "", test.day}.calculate(t)
		require.Equal(t, "3.18", r.Tax.String())
		require.Equal(t, test.sure, r.Confidence != tax.ConfidenceLow, test.day)
		require.Equal(t, test.warnings, codesOf(r), test.day)
	}
}

// The food holidays of Tennessee of 2022 and 2023: Tenn. Code 67-6-393 and the notices of the years.
func TestFoodHolidaysOfTennessee(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ day, state string }{
		{"2022-07-31", "4.00"}, {"2022-08-01", "0.00"}, {"2022-08-31", "0.00"}, {"2022-09-01", "4.00"},
		{"2023-07-31", "4.00"}, {"2023-08-01", "0.00"}, {"2023-10-31", "0.00"}, {"2023-11-01", "4.00"},
	} {
		r := sale{"Nashville, TN 37203", "FOOD", "100.00", "", test.day}.calculate(t)
		require.Equal(t, test.state, r.Lines[0].TaxItems[0].Amount.String(), test.day)
		require.Equal(t, test.state == "0.00", r.Tax.IsZero(), test.day)
	}
}
