package tax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// overridden calculates 100.00 of a class in Texas or Austria with overrides.
func overridden(t *testing.T, c *Content, a Address, class TaxClass, day string, given ...Override) Result {
	t.Helper()
	for i := range given {
		given[i].Reason, given[i].SetOn = "notice of the city", calendar.MustDate("2026-11-01")
	}
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate(day), Currency: "USD", Destination: c.Resolve(a), Overrides: given,
		Lines: []Line{{Class: class, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
	})
	require.NoError(t, err)
	return r
}

func ownRate(id, class, rate, from, to string) Override {
	o := Override{
		JurisdictionID: id, Class: TaxClass(class), Rate: decimal.MustParse(rate), From: calendar.MustDate(from),
	}
	if to != "" {
		o.To = calendar.MustDate(to)
	}
	return o
}

func TestARateOfTheSellerReplacesThatOfTheContent(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	houston := Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	vienna := Address{City: "Wien", PostalCode: "1010", Country: "AT"}
	const city, day = "US-TX-M-houston", "2026-06-01"
	for name, test := range map[string]struct {
		at    Address
		class TaxClass
		day   string
		given []Override
		tax   string
		set   bool // the answer rests on it
	}{
		"nothing set": {houston, ClassPhysical, day, nil, "8.25", false},
		"the city": {houston, ClassPhysical, day,
			[]Override{ownRate(city, "", "0.015", "2026-01-01", "")}, "8.25", true},
		"the city, lower": {houston, ClassPhysical, day,
			[]Override{ownRate(city, "", "0.005", "2026-01-01", "")}, "7.75", true},
		"the state": {houston, ClassPhysical, day,
			[]Override{ownRate("US-TX", "", "0.05", "2026-01-01", "")}, "7.00", true},
		"the day before": {houston, ClassPhysical, "2025-12-31",
			[]Override{ownRate(city, "", "0.005", "2026-01-01", "")}, "8.25", false},
		"the last day": {houston, ClassPhysical, "2026-06-30",
			[]Override{ownRate(city, "", "0.005", "2026-01-01", "2026-06-30")}, "7.75", true},
		"the day after": {houston, ClassPhysical, "2026-07-01",
			[]Override{ownRate(city, "", "0.005", "2026-01-01", "2026-06-30")}, "8.25", false},
		"another place": {houston, ClassPhysical, day,
			[]Override{ownRate("US-TX-M-dallas", "", "0.005", "2026-01-01", "")}, "8.25", false},
		"another class": {houston, ClassPhysical, day,
			[]Override{ownRate(city, "FOOD", "0.005", "2026-01-01", "")}, "8.25", false},
		"the first of two": {houston, ClassPhysical, day,
			[]Override{ownRate(city, "", "0.005", "2026-01-01", ""), ownRate(city, "", "0.0075", "2026-01-01", "")},
			"7.75", true},
		"a free class is taxed": {houston, ClassFood, day,
			[]Override{ownRate("US-TX", "FOOD", "0.03", "2026-01-01", "")}, "3.00", true},
		"a free class by the city": {houston, ClassFood, day,
			[]Override{ownRate("US-TX", "FOOD", "0.03", "2026-01-01", ""),
				ownRate(city, "FOOD", "0.01", "2026-01-01", "")}, "4.00", true},
		"a general rate taxes no food": {houston, ClassFood, day,
			[]Override{ownRate(city, "", "0.005", "2026-01-01", "")}, "0.00", true},
		"a class is freed": {houston, ClassPhysical, day,
			[]Override{ownRate("US-TX", "PHYSICAL", "0", "2026-01-01", "")}, "2.00", true},
		"a country": {vienna, ClassPhysical, day,
			[]Override{ownRate("AT", "", "0.21", "2026-01-01", "")}, "21.00", true},
		"a class of a country": {vienna, ClassBook, day,
			[]Override{ownRate("AT", "BOOK", "0.049", "2026-01-01", "")}, "4.90", true},
		"a class with a rate": {vienna, ClassBook, day,
			[]Override{ownRate("AT", "", "0.21", "2026-01-01", "")}, "10.00", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := overridden(t, c, test.at, test.class, test.day, test.given...)
			require.Equal(t, test.tax, r.Tax.String())
			said := r.Explanation.Steps[1].Text
			if !test.set {
				require.NotContains(t, said, "set by you")
				return
			}
			request, err := r.Explanation.Request()
			require.NoError(t, err)
			again, err := c.Calculate(request)
			require.NoError(t, err)
			require.Empty(t, Compare(&r.Explanation, &again.Explanation), "it can be calculated again from the explanation")
		})
	}
}

func TestTheExplanationSaysWhatTheSellerSet(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	houston := Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	r := overridden(t, c, houston, ClassPhysical, "2026-06-01", ownRate("US-TX-M-houston", "", "0.005", "2026-01-01", ""))
	require.Contains(t, r.Explanation.Steps[1].Text, "Houston 0.5 %: rate set by you on 2026-11-01: notice of the city.")
	require.Equal(t, ConfidenceMedium, r.Confidence, "only the seller is its source")
	var rules []string
	for i, item := range r.Lines[0].TaxItems {
		rules = append(rules, item.RuleID)
		if item.JurisdictionID == "US-TX-M-houston" {
			require.Equal(t, "Rate set by you on 2026-11-01: notice of the city",
				r.Explanation.Items[0].Lines[i].Source.Document)
		}
	}
	require.Contains(t, rules, "us-tx-houston-override")
	require.Contains(t, rules, "us-tx-general", "the others do not change")
	without := overridden(t, c, houston, ClassPhysical, "2026-06-01")
	require.NotEqual(t, without.Explanation.InputHash, r.Explanation.InputHash)
	require.True(t, c.Applies("US-TX-M-houston"))
	require.False(t, c.Applies("CA-AB"), "Alberta has no tax whose rate could be another")
	require.False(t, c.Applies("US-XX"))
}

// Denver taxes software as a service, which Colorado does not: the answer says so until the seller sets the rate.
func TestARateOfTheSellerForATaxOfACity(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	denver := Address{City: "Denver", State: "CO", PostalCode: "80202", Country: "US"}
	said := func(r Result) (said bool) {
		for _, w := range r.Warnings {
			said = said || strings.Contains(w.Message, "sales tax of Denver of 5.15 % on software as a service")
		}
		return said
	}
	untold := overridden(t, c, denver, ClassSaaSB2B, "2026-06-01")
	require.Equal(t, "0.00", untold.Tax.String())
	require.True(t, said(untold))
	set := overridden(t, c, denver, ClassSaaSB2B, "2026-06-01",
		ownRate("US-CO-M-denver", "SAAS", "0.0515", "2025-01-01", ""))
	require.Equal(t, "5.15", set.Tax.String())
	require.False(t, said(set))
}

// A seller from outside Missouri collects the tax of the state in any case. Only its local part depends on more, so the
// rates of the places alone end the doubt. Source: RSMo 144.757.
func TestTheLocalRatesOfASellerFromOutsideMissouriEndTheDoubt(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	origin := c.Resolve(Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"})
	request := Request{
		TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Origin: &origin,
		Destination: c.Resolve(Address{City: "St. Louis", State: "MO", PostalCode: "63101", Country: "US"}),
		Lines:       []Line{{Class: ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
	}
	r, err := c.Calculate(request)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(r.Warnings), "set the rates of each place at /v1/rate_overrides")
	for _, id := range request.Destination.Jurisdictions {
		if id != "US-MO" {
			request.Overrides = append(request.Overrides, ownRate(id, "", "0", "2026-01-01", ""))
		}
	}
	r, err = c.Calculate(request)
	require.NoError(t, err)
	require.Equal(t, "4.23", r.Tax.String())
	require.NotContains(t, fmt.Sprint(r.Warnings), "may be due instead")
	require.NotEqual(t, ConfidenceLow, r.Confidence)
}

// A seller from outside Alabama who takes part in its simplified use tax collects 8 % everywhere. Another one collects
// the taxes of the places. Levy does not know which, and the rates that the seller sets end the doubt. Source: Ala.
// Code 40-23-193.
func TestTheRatesOfASellerFromOutsideEndTheDoubt(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	request := Request{
		TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD",
		Destination: c.Resolve(Address{City: "Birmingham", State: "AL", PostalCode: "35203", Country: "US"}),
		Lines:       []Line{{Class: ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
	}
	origin := c.Resolve(Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"})
	request.Origin = &origin
	set := func(rates ...string) (given []Override) {
		for i, id := range []string{"US-AL", "US-AL-C073", "US-AL-M-birmingham"}[:len(rates)] {
			given = append(given, ownRate(id, "", rates[i], "2026-01-01", ""))
		}
		return given
	}
	for _, test := range []struct {
		given   []Override
		tax     string
		doubted bool
	}{
		{set(), "10.00", true},
		{set("0.08"), "14.00", true}, // the places take theirs besides: that is not meant
		{set("0.08", "0", "0"), "8.00", false},
		{set("0.04", "0.01"), "9.00", true},
		{set("0.04", "0.02", "0.04"), "10.00", false},
	} {
		request.Overrides = test.given
		r, err := c.Calculate(request)
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String())
		said := fmt.Sprint(r.Warnings)
		require.Equal(t, test.doubted, strings.Contains(said, "simplified sellers use tax of 8 %"), said)
		require.Equal(t, test.doubted, r.Confidence == ConfidenceLow)
		if test.doubted {
			require.Contains(t, said, "set the rates of the state and of each place at /v1/rate_overrides")
		}
	}
}
