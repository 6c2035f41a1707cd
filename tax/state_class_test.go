package tax_test

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

// The tax on 100.00 of each class where only the state is known: that of the state and those that are due everywhere
// in it.
func TestEveryClassInEveryState(t *testing.T) {
	t.Parallel()
	classes := []tax.TaxClass{
		tax.ClassPhysical, tax.ClassClothing, tax.ClassFood, tax.ClassPreparedFood, tax.ClassDrugsRx, tax.ClassDigital,
		tax.ClassSaaS, tax.ClassSoftwareDownload, tax.ClassService, tax.ClassShipping,
	}
	for state, taxes := range map[string]string{
		"AK": "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"AL": "4.00 4.00 2.00 4.00 0.00 4.00 0.00 4.00 0.00 0.00",
		"AR": "6.50 6.50 0.00 6.50 0.00 6.50 0.00 0.00 0.00 6.50",
		"AZ": "5.60 5.60 0.00 5.60 0.00 5.60 5.60 5.60 0.00 0.00",
		"CA": "7.25 7.25 0.00 7.25 0.00 0.00 0.00 0.00 0.00 0.00",
		"CO": "2.90 2.90 0.00 2.90 0.00 2.90 0.00 0.00 0.00 0.00",
		"CT": "6.35 6.35 0.00 7.35 0.00 6.35 6.35 6.35 0.00 6.35",
		"DC": "6.00 6.00 0.00 10.00 0.00 6.00 6.00 6.00 0.00 6.00",
		"DE": "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"FL": "6.00 6.00 0.00 6.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"GA": "4.00 4.00 0.00 4.00 0.00 4.00 0.00 0.00 0.00 4.00",
		"HI": "4.00 4.00 4.00 4.00 0.00 4.00 4.00 4.00 4.00 4.00",
		"IA": "6.00 6.00 0.00 6.00 0.00 6.00 6.00 6.00 0.00 0.00",
		"ID": "6.00 6.00 6.00 6.00 0.00 6.00 0.00 0.00 0.00 0.00",
		"IL": "6.25 6.25 0.00 6.25 1.00 0.00 0.00 6.25 0.00 0.00",
		"IN": "7.00 7.00 0.00 7.00 0.00 7.00 0.00 7.00 0.00 7.00",
		"KS": "6.50 6.50 0.00 6.50 0.00 0.00 0.00 6.50 0.00 0.00",
		"KY": "6.00 6.00 0.00 6.00 0.00 6.00 6.00 6.00 0.00 6.00",
		"LA": "5.00 5.00 0.00 5.00 0.00 5.00 5.00 5.00 0.00 5.00",
		"MA": "6.25 0.00 0.00 6.25 0.00 0.00 6.25 6.25 0.00 0.00",
		"MD": "6.00 6.00 0.00 6.00 0.00 6.00 6.00 6.00 0.00 0.00",
		"ME": "5.50 5.50 0.00 8.00 0.00 5.50 0.00 5.50 0.00 0.00",
		"MI": "6.00 6.00 0.00 6.00 0.00 0.00 0.00 6.00 0.00 0.00",
		"MN": "6.88 0.00 0.00 6.88 0.00 6.88 0.00 6.88 0.00 6.88",
		"MO": "4.23 4.23 1.23 4.23 0.00 0.00 0.00 0.00 0.00 0.00",
		"MS": "7.00 7.00 5.00 7.00 0.00 7.00 7.00 7.00 0.00 7.00",
		"MT": "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"NC": "4.75 4.75 2.00 4.75 0.00 4.75 0.00 4.75 0.00 4.75",
		"ND": "5.00 5.00 0.00 5.00 0.00 0.00 0.00 5.00 0.00 5.00",
		"NE": "5.50 5.50 0.00 5.50 0.00 5.50 0.00 5.50 0.00 5.50",
		"NH": "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"NJ": "6.63 0.00 0.00 6.63 0.00 6.63 0.00 6.63 0.00 6.63",
		"NM": "4.88 4.88 0.00 4.88 0.00 4.88 4.88 4.88 4.88 4.88",
		"NV": "6.85 6.85 0.00 6.85 0.00 0.00 0.00 0.00 0.00 0.00",
		"NY": "4.00 0.00 0.00 4.00 0.00 0.00 4.00 4.00 0.00 4.00",
		"OH": "5.75 5.75 0.00 5.75 0.00 5.75 5.75 5.75 0.00 5.75",
		"OK": "4.50 4.50 0.00 4.50 0.00 0.00 0.00 0.00 0.00 0.00",
		"OR": "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
		"PA": "6.00 0.00 0.00 6.00 0.00 6.00 6.00 6.00 0.00 6.00",
		"PR": "11.50 11.50 0.00 7.00 0.00 11.50 11.50 11.50 11.50 11.50",
		"RI": "7.00 0.00 0.00 8.00 0.00 7.00 7.00 7.00 0.00 7.00",
		"SC": "6.00 6.00 0.00 6.00 0.00 0.00 6.00 0.00 0.00 6.00",
		"SD": "4.20 4.20 4.20 4.20 0.00 4.20 4.20 4.20 4.20 4.20",
		"TN": "7.00 7.00 4.00 7.00 0.00 7.00 7.00 7.00 0.00 7.00",
		"TX": "6.25 6.25 0.00 6.25 0.00 6.25 5.00 6.25 0.00 6.25",
		"UT": "4.85 4.85 3.00 4.85 0.00 4.85 4.85 4.85 0.00 0.00",
		"VA": "5.30 5.30 1.00 5.30 0.00 0.00 0.00 0.00 0.00 0.00",
		"VT": "6.00 0.00 0.00 9.00 0.00 6.00 6.00 6.00 0.00 6.00",
		"WA": "6.50 6.50 0.00 6.50 0.00 6.50 6.50 6.50 0.00 6.50",
		"WI": "5.00 5.00 0.00 5.00 0.00 5.00 0.00 5.00 0.00 5.00",
		"WV": "6.00 6.00 0.00 6.00 0.00 0.00 6.00 6.00 6.00 6.00",
		"WY": "4.00 4.00 0.00 4.00 0.00 4.00 0.00 4.00 0.00 0.00",
	} {
		want := strings.Fields(taxes)
		require.Len(t, want, len(classes), state)
		for i, class := range classes {
			got := sale{", " + state + " ", string(class), "100.00", "", ""}.calculate(t)
			require.Equal(t, want[i], got.Tax.String(), "%s in %s", class, state)
			refund := sale{", " + state + " ", string(class), "-100.00", "", ""}.calculate(t)
			require.Equal(t, got.Tax.Neg().Pad(2).String(), refund.Tax.String(), "%s in %s, given back", class, state)
		}
		books := sale{", " + state + " ", string(tax.ClassBook), "100.00", "", ""}.calculate(t)
		require.Equal(t, want[0], books.Tax.String(), "books are goods in %s", state)
		children := sale{", " + state + " ", string(tax.ClassClothingChild), "100.00", "", ""}.calculate(t)
		require.Equal(t, want[1], children.Tax.String(), "children's clothing is clothing in %s", state)
		never := sale{", " + state + " ", string(tax.ClassNotTaxable), "100.00", "", ""}.calculate(t)
		require.Equal(t, "0.00", never.Tax.String(), state)
	}
}

// The first and the last day of each standard rate, on goods of 1,000.00.
func TestStandardRatesAbroadOnTheirFirstAndLastDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ country, day, tax string }{
		{"AT", "1984-01-01", "200.00"},
		{"BE", "1996-01-01", "210.00"},
		{"BG", "1999-01-01", "200.00"},
		{"CH", "2011-01-01", "80.00"},
		{"CH", "2017-12-31", "80.00"},
		{"CH", "2018-01-01", "77.00"},
		{"CH", "2023-12-31", "77.00"},
		{"CH", "2024-01-01", "81.00"},
		{"CY", "2003-01-01", "150.00"},
		{"CY", "2012-02-29", "150.00"},
		{"CY", "2012-03-01", "170.00"},
		{"CY", "2013-01-13", "170.00"},
		{"CY", "2013-01-14", "180.00"},
		{"CY", "2014-01-12", "180.00"},
		{"CY", "2014-01-13", "190.00"},
		{"CZ", "1995-01-01", "220.00"},
		{"CZ", "2004-04-30", "220.00"},
		{"CZ", "2004-05-01", "190.00"},
		{"CZ", "2009-12-31", "190.00"},
		{"CZ", "2010-01-01", "200.00"},
		{"CZ", "2012-12-31", "200.00"},
		{"CZ", "2013-01-01", "210.00"},
		{"DE", "1998-04-01", "160.00"},
		{"DE", "2006-12-31", "160.00"},
		{"DE", "2007-01-01", "190.00"},
		{"DE", "2020-06-30", "190.00"},
		{"DE", "2020-07-01", "160.00"},
		{"DE", "2020-12-31", "160.00"},
		{"DE", "2021-01-01", "190.00"},
		{"DK", "1992-01-01", "250.00"},
		{"EE", "1993-01-01", "180.00"},
		{"EE", "2009-06-30", "180.00"},
		{"EE", "2009-07-01", "200.00"},
		{"EE", "2023-12-31", "200.00"},
		{"EE", "2024-01-01", "220.00"},
		{"EE", "2025-06-30", "220.00"},
		{"EE", "2025-07-01", "240.00"},
		{"ES", "1995-01-01", "160.00"},
		{"ES", "2010-06-30", "160.00"},
		{"ES", "2010-07-01", "180.00"},
		{"ES", "2012-08-31", "180.00"},
		{"ES", "2012-09-01", "210.00"},
		{"FI", "1994-06-01", "220.00"},
		{"FI", "2010-06-30", "220.00"},
		{"FI", "2010-07-01", "230.00"},
		{"FI", "2012-12-31", "230.00"},
		{"FI", "2013-01-01", "240.00"},
		{"FI", "2024-08-31", "240.00"},
		{"FI", "2024-09-01", "255.00"},
		{"FR", "2000-04-01", "196.00"},
		{"FR", "2013-12-31", "196.00"},
		{"FR", "2014-01-01", "200.00"},
		{"GB", "1991-04-01", "175.00"},
		{"GB", "2008-11-30", "175.00"},
		{"GB", "2008-12-01", "150.00"},
		{"GB", "2009-12-31", "150.00"},
		{"GB", "2010-01-01", "175.00"},
		{"GB", "2011-01-03", "175.00"},
		{"GB", "2011-01-04", "200.00"},
		{"GR", "2010-07-01", "230.00"},
		{"GR", "2016-05-31", "230.00"},
		{"GR", "2016-06-01", "240.00"},
		{"HR", "2009-08-01", "230.00"},
		{"HR", "2012-02-29", "230.00"},
		{"HR", "2012-03-01", "250.00"},
		{"HU", "1988-01-01", "250.00"},
		{"HU", "2005-12-31", "250.00"},
		{"HU", "2006-01-01", "200.00"},
		{"HU", "2009-06-30", "200.00"},
		{"HU", "2009-07-01", "250.00"},
		{"HU", "2011-12-31", "250.00"},
		{"HU", "2012-01-01", "270.00"},
		{"IE", "2010-01-01", "210.00"},
		{"IE", "2011-12-31", "210.00"},
		{"IE", "2012-01-01", "230.00"},
		{"IE", "2020-08-31", "230.00"},
		{"IE", "2020-09-01", "210.00"},
		{"IE", "2021-02-28", "210.00"},
		{"IE", "2021-03-01", "230.00"},
		{"IT", "1997-10-01", "200.00"},
		{"IT", "2011-09-16", "200.00"},
		{"IT", "2011-09-17", "210.00"},
		{"IT", "2013-09-30", "210.00"},
		{"IT", "2013-10-01", "220.00"},
		{"LT", "1994-05-01", "180.00"},
		{"LT", "2008-12-31", "180.00"},
		{"LT", "2009-01-01", "190.00"},
		{"LT", "2009-08-31", "190.00"},
		{"LT", "2009-09-01", "210.00"},
		{"LU", "1992-01-01", "150.00"},
		{"LU", "2014-12-31", "150.00"},
		{"LU", "2015-01-01", "170.00"},
		{"LU", "2022-12-31", "170.00"},
		{"LU", "2023-01-01", "160.00"},
		{"LU", "2023-12-31", "160.00"},
		{"LU", "2024-01-01", "170.00"},
		{"LV", "1995-05-01", "180.00"},
		{"LV", "2008-12-31", "180.00"},
		{"LV", "2009-01-01", "210.00"},
		{"LV", "2010-12-31", "210.00"},
		{"LV", "2011-01-01", "220.00"},
		{"LV", "2012-06-30", "220.00"},
		{"LV", "2012-07-01", "210.00"},
		{"MT", "1995-01-01", "150.00"},
		{"MT", "2003-12-31", "150.00"},
		{"MT", "2004-01-01", "180.00"},
		{"NL", "2001-01-01", "190.00"},
		{"NL", "2012-09-30", "190.00"},
		{"NL", "2012-10-01", "210.00"},
		{"NO", "2005-01-01", "250.00"},
		{"PL", "1993-01-08", "220.00"},
		{"PL", "2010-12-31", "220.00"},
		{"PL", "2011-01-01", "230.00"},
		{"PT", "2002-06-05", "190.00"},
		{"PT", "2005-06-30", "190.00"},
		{"PT", "2005-07-01", "210.00"},
		{"PT", "2008-06-30", "210.00"},
		{"PT", "2008-07-01", "200.00"},
		{"PT", "2010-06-30", "200.00"},
		{"PT", "2010-07-01", "210.00"},
		{"PT", "2010-12-31", "210.00"},
		{"PT", "2011-01-01", "230.00"},
		{"RO", "2000-01-01", "190.00"},
		{"RO", "2010-06-30", "190.00"},
		{"RO", "2010-07-01", "240.00"},
		{"RO", "2015-12-31", "240.00"},
		{"RO", "2016-01-01", "200.00"},
		{"RO", "2016-12-31", "200.00"},
		{"RO", "2017-01-01", "190.00"},
		{"RO", "2025-07-31", "190.00"},
		{"RO", "2025-08-01", "210.00"},
		{"SE", "1990-07-01", "250.00"},
		{"SI", "2002-01-01", "200.00"},
		{"SI", "2013-06-30", "200.00"},
		{"SI", "2013-07-01", "220.00"},
		{"SK", "2004-01-01", "190.00"},
		{"SK", "2010-12-31", "190.00"},
		{"SK", "2011-01-01", "200.00"},
		{"SK", "2024-12-31", "200.00"},
		{"SK", "2025-01-01", "230.00"},
	} {
		r, err := loaded(t).Calculate(tax.Request{
			TaxDate: calendar.MustDate(test.day), Destination: placeAbroad(t, test.country),
			Lines: []tax.Line{{
				Class: tax.ClassPhysical, Amount: decimal.MustParse("1000.00"), Quantity: decimal.One,
			}},
		})
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), "%s on %s", test.country, test.day)
	}
}

// The holidays that free a whole class, of each year by the law of that year: the largest price
// that is free, a cent more, and the days around them.
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

func codesOf(r tax.Result) (codes []tax.WarningCode) {
	for _, w := range r.Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

// Classes whose treatment changed by law: 100.00 on the first and the last day of each.
func TestTreatmentsOnTheirFirstAndLastDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ state, class, day, tax string }{
		{"AL", "FOOD", "2023-08-31", "4.00"},
		{"AL", "FOOD", "2023-09-01", "3.00"},
		{"AL", "FOOD", "2025-08-31", "3.00"},
		{"AL", "FOOD", "2025-09-01", "2.00"},
		{"AR", "FOOD", "2018-12-31", "1.50"},
		{"AR", "FOOD", "2019-01-01", "0.13"},
		{"AR", "FOOD", "2025-12-31", "0.13"},
		{"AR", "FOOD", "2026-01-01", "0.00"},
		{"CT", "PREPARED_FOOD", "2019-10-01", "7.35"},
		{"GA", "DIGITAL", "2023-12-31", "0.00"},
		{"GA", "DIGITAL", "2024-01-01", "4.00"},
		{"IL", "FOOD", "2022-06-30", "1.00"},
		{"IL", "FOOD", "2022-07-01", "0.00"},
		{"IL", "FOOD", "2023-06-30", "0.00"},
		{"IL", "FOOD", "2023-07-01", "1.00"},
		{"IL", "FOOD", "2025-12-31", "1.00"},
		{"IL", "FOOD", "2026-01-01", "0.00"},
		{"KS", "FOOD", "2015-07-01", "6.50"},
		{"KS", "FOOD", "2022-12-31", "6.50"},
		{"KS", "FOOD", "2023-01-01", "4.00"},
		{"KS", "FOOD", "2023-12-31", "4.00"},
		{"KS", "FOOD", "2024-01-01", "2.00"},
		{"KS", "FOOD", "2024-12-31", "2.00"},
		{"KS", "FOOD", "2025-01-01", "0.00"},
		{"KY", "SAAS", "2022-12-31", "0.00"},
		{"KY", "SAAS", "2023-01-01", "6.00"},
		{"LA", "DIGITAL", "2025-01-01", "5.00"},
		{"LA", "SAAS", "2025-01-01", "5.00"},
		{"MD", "SOFTWARE_DOWNLOAD", "2021-03-14", "6.00"},
		{"MS", "FOOD", "2025-06-30", "7.00"},
		{"MS", "FOOD", "2025-07-01", "5.00"},
		{"OK", "FOOD", "2024-08-28", "4.50"},
		{"OK", "FOOD", "2024-08-29", "0.00"},
		{"SD", "FOOD", "2023-07-01", "4.20"},
		{"TN", "FOOD", "2013-07-01", "5.00"},
		{"TN", "FOOD", "2017-06-30", "5.00"},
		{"TN", "FOOD", "2017-07-01", "4.00"},
		{"VA", "FOOD", "2022-12-31", "2.50"},
		{"VA", "FOOD", "2023-01-01", "1.00"},
		{"VT", "SAAS", "2024-06-30", "0.00"},
		{"VT", "SAAS", "2024-07-01", "6.00"},
	} {
		r := sale{", " + test.state + " ", test.class, "100.00", "", test.day}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), "%s in %s on %s", test.class, test.state, test.day)
	}
}

// Puerto Rico frees school uniforms and materials on two days of January and of July. No class tells them apart.
// 13 L.P.R.A. 32030; Internal Revenue Circular Letter 25-13.
func TestSchoolUniformsInPuertoRico(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		class, day string
		noted      bool
	}{
		{"CLOTHING", "2025-07-18", true}, {"CLOTHING_CHILD", "2025-07-19", true}, {"PHYSICAL", "2025-07-18", true},
		{"CLOTHING", "2025-07-20", false}, {"CLOTHING", "2026-01-02", true}, {"CLOTHING", "2026-01-04", false},
		{"CLOTHING", "2026-07-17", true}, {"CLOTHING", "2026-05-15", false}, {"BOOK", "2025-07-18", false},
	} {
		r := sale{"San Juan, PR 00901", test.class, "100.00", "", test.day}.calculate(t)
		require.Equal(t, test.noted, slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool {
			return strings.Contains(w.Message, "school uniforms")
		}), "%s on %s: %v", test.class, test.day, r.Warnings)
	}
}

// A rule whose note names its first day begins on it: before it, something else was the law.
func TestARuleBeginsOnTheDayThatItsNoteNames(t *testing.T) {
	t.Parallel()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	for _, row := range d.Taxability {
		if since, found := strings.CutPrefix(row.Notes, "since "); found {
			require.Equal(t, since, row.From.String(), "%s: %s in %s", row.At, row.Class, row.State)
		}
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
