package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

func TestHolidaysFreeClothingOnTheirDaysUpToTheLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule  string
		sale  sale
		freed bool
	}{
		{"Texas, the day before", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-06"}, false},
		{"Texas, first day", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-07"}, true},
		{"Texas, last day", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-09"}, true},
		{"Texas, the day after", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-10"}, false},
		{
			"Texas frees items below 100, not at 100",
			sale{"Houston, TX 77002", "CLOTHING", "100.00", "", "2026-08-08"}, false,
		},
		{"Mississippi frees items below 100, not at 100", sale{", MS ", "CLOTHING", "100.00", "", "2026-07-10"}, false},
		{"a cent below it is free there", sale{", MS ", "CLOTHING", "99.99", "", "2026-07-12"}, true},
		{"not the day after", sale{", MS ", "CLOTHING", "99.99", "", "2026-07-13"}, false},
		{"Florida frees items up to 100", sale{"Miami, FL 33101", "CLOTHING", "100.00", "", "2026-08-08"}, true},
		{"the limit counts per item", sale{"Miami, FL 33101", "CLOTHING", "200.00", "2", "2026-08-08"}, true},
		{"a cent above the limit", sale{"Miami, FL 33101", "CLOTHING", "100.01", "", "2026-08-08"}, false},
		{"other goods are not freed", sale{"Miami, FL 33101", "PHYSICAL", "50.00", "", "2026-08-08"}, false},
		{
			"Massachusetts frees all goods up to 2,500",
			sale{"Boston, MA 02108", "PHYSICAL", "2500.00", "", "2026-08-08"}, true,
		},
		{"but not above", sale{"Boston, MA 02108", "PHYSICAL", "2500.01", "", "2026-08-08"}, false},
		{"and not meals", sale{"Boston, MA 02108", "PREPARED_FOOD", "20.00", "", "2026-08-08"}, false},
		{"a refund of a freed item is free", sale{"Houston, TX 77002", "CLOTHING", "-99.99", "", "2026-08-08"}, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			l := test.sale.calculate(t).Lines[0]
			require.Equal(t, test.freed, l.Tax.IsZero())
			require.Equal(t, test.freed, l.Exempt)
			for _, i := range l.TaxItems {
				require.Equal(t, test.freed, i.Reason == tax.ReasonTaxHoliday)
			}
		})
	}
}

// Rates and rules of earlier days. Documented rates have no warning; before the first documented day of a rate the
// result has a warning, whatever rate it uses.
func TestRatesAndRulesOfEarlierDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law     string
		sale    sale
		tax     string
		unknown bool
	}{
		{
			"CDTFA, Los Angeles County until Measure A of 2024",
			sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2025-03-31"}, "9.50", false,
		},
		{
			"CDTFA, Los Angeles County from 1 April 2025",
			sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2025-04-01"}, "9.75", false,
		},
		{
			"before Measure H of 2017", sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2017-09-30"}, "7.25", true,
		},
		{
			"CDTFA, Oakland before Measure A of 2025",
			sale{"Oakland, CA 94612", "PHYSICAL", "100.00", "", "2025-09-30"}, "10.25", false,
		},
		{"and with it", sale{"Oakland, CA 94612", "PHYSICAL", "100.00", "", "2025-10-01"}, "10.75", false},
		{"Denver: 4.81 until 2024", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2024-12-31"}, "8.81", false},
		{"Denver: 5.15 from 2025", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2025-01-01"}, "9.15", false},
		{"Denver: 4.31 until 2020", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2020-12-31"}, "8.31", false},
		{
			"Phoenix City Code 14-460: 2.3 until June 2025",
			sale{"Phoenix, AZ 85003", "PHYSICAL", "100.00", "", "2025-06-30"}, "8.60", false,
		},
		{"and 2.8 from July", sale{"Phoenix, AZ 85003", "PHYSICAL", "100.00", "", "2025-07-01"}, "9.10", false},
		{"Seattle, unknown", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2015-05-15"}, "10.10", true},
		{"Seattle until 2020", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2020-12-31"}, "10.10", false},
		{"Seattle from 2021", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2021-01-01"}, "10.20", false},
		{"Salt Lake City, unknown", sale{"Salt Lake City, UT 84101", "PHYSICAL", "100.00", "", "2019-12-31"}, "7.75", true},
		{"Salt Lake City until 2024", sale{"Salt Lake City, UT 84101", "PHYSICAL", "100.00", "", "2024-12-31"},
			"7.75", false},
		{
			"Milwaukee before the city tax and the higher county tax of 2024 (Wis. Stat. 77.70, 77.701)",
			sale{"Milwaukee, WI 53202", "PHYSICAL", "100.00", "", "2023-12-31"}, "5.50", false,
		},
		{"and with them", sale{"Milwaukee, WI 53202", "PHYSICAL", "100.00", "", "2024-01-01"}, "7.90", false},
		{
			"Nashville before its transit tax", sale{"Nashville, TN 37203", "PHYSICAL", "100.00", "", "2025-01-31"},
			"9.25", true, // Davidson County has evidence from 2026 on only
		},
		{"Maui before its surcharge (HRS 46-16.8)", sale{"Wailuku, HI 96793", "PHYSICAL", "100.00", "", "2023-12-31"},
			"4.00", false},
		{"and with it", sale{"Wailuku, HI 96793", "PHYSICAL", "100.00", "", "2024-01-01"}, "4.50", false},
		{"Ark. Code 26-52-317: Act 110 of 2007", sale{", AR ", "FOOD", "100.00", "", "2009-06-30"}, "3.00", false},
		{"Ark. Code 26-52-317: Act 436 of 2009", sale{", AR ", "FOOD", "100.00", "", "2009-07-01"}, "2.00", false},
		{"Ark. Code 26-52-317: Act 436 of 2009", sale{", AR ", "FOOD", "100.00", "", "2011-06-30"}, "2.00", false},
		{"Ark. Code 26-52-317: Act 755 of 2011", sale{", AR ", "FOOD", "100.00", "", "2011-07-01"}, "1.50", false},
		{"Ark. Code 26-52-317: Act 755 of 2011", sale{", AR ", "FOOD", "100.00", "", "2013-06-30"}, "1.50", false},
		{"Arkansas, 6 % until Amendment 91", sale{", AR ", "PHYSICAL", "100.00", "", "2013-06-30"}, "6.00", false},
		{"and 6.5 % with it", sale{", AR ", "PHYSICAL", "100.00", "", "2013-07-01"}, "6.50", false},
		{"Juneau, Proposition 2 of 2025", sale{"Juneau, AK 99801", "FOOD", "100.00", "", "2026-06-01"}, "0.00", false},
		{"Juneau taxed food before", sale{"Juneau, AK 99801", "FOOD", "100.00", "", "2025-06-01"}, "5.00", true},
	} {
		r := test.sale.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), test.law)
		if test.unknown {
			require.Contains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", test.law, test.sale.day)
			require.Equal(t, tax.ConfidenceLow, r.Confidence)
		} else {
			require.NotContains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", test.law, test.sale.day)
		}
		require.NotContains(t, codesOf(r), tax.WarningNoRuleFound, test.law)
	}
}

// New Mexico reported gross receipts where the seller is until June 2021 (NMSA 7-1-14).

func TestSourcingOfNewMexico(t *testing.T) {
	t.Parallel()
	origin := loaded(t).Resolve(address("Santa Fe, NM 87501"))
	for day, want := range map[string]tax.SourcingRule{
		"2021-06-30": tax.SourcingOrigin, "2021-07-01": tax.SourcingDestination,
	} {
		req := sale{"Albuquerque, NM 87102", "PHYSICAL", "100.00", "", day}.request(t)
		req.Origin = &origin
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, want, r.Sourcing, day)
	}
}
