package nexus

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// The taxing place decides for which place a sale counts. The threshold of the Union is for supplies to other members.
// Since the United Kingdom left on 31 December 2020, supplies to it do not count. Source: Directive 2006/112/EC,
// article 59c.
func TestWhichSalesCountForAPlace(t *testing.T) {
	t.Parallel()
	state, country, union := Place{Country: "US", State: "NY"}, Place{Country: "CH"}, Place{Country: EuropeanUnion}
	for _, test := range []struct {
		place                Place
		country, state, home string
		day                  calendar.Date
		counts               bool
	}{
		{state, "US", "NY", "US", 20260515, true},
		{state, "US", "NJ", "US", 20260515, false},
		{state, "CA", "NY", "US", 20260515, false},
		{state, "US", "", "US", 20260515, false},
		{country, "CH", "", "US", 20260515, true},
		{country, "CH", "ZH", "US", 20260515, true},
		{country, "LI", "", "US", 20260515, false},
		{union, "FR", "", "DE", 20260515, true},
		{union, "DE", "", "DE", 20260515, false},
		{union, "FR", "", "US", 20260515, true},
		{union, "FR", "", "", 20260515, true},
		{union, "US", "NY", "DE", 20260515, false},
		{union, "GB", "", "DE", 20201231, true},
		{union, "GB", "", "DE", 20210101, false},
		{union, "HR", "", "DE", 20130630, false},
		{union, "HR", "", "DE", 20130701, true},
	} {
		got := test.place.Counts(test.country, test.state, test.home, test.day)
		require.Equal(t, test.counts, got, "%+v", test)
	}
}

// Without a rule in force the terms are those of the nearest rule of the place, without its threshold. Its currency and
// its kinds of sales stay, so that sales are displayed as they will be counted.
func TestTermsWithoutAThreshold(t *testing.T) {
	t.Parallel()
	rule := func(country, state, currency string, seller Seller, from, to calendar.Date) Rule {
		return Rule{
			Country: country, State: state, Currency: currency, Seller: seller, From: from, To: to, Test: TestEither,
			Amount: decimal.MustParse("1000"), Count: 10, Period: PeriodCalendarYear, Exempt: ExemptIncluded,
			Source: currency + " law",
		}
	}
	table := &Table{name: func(string) string { return "" }, rules: []Rule{
		rule("US", "AA", "USD", SellerAny, 20190101, 20191231), rule("US", "AA", "AAA", SellerAny, 20200301, 0),
		rule("US", "BB", "BBB", SellerAny, 20200101, 0),
		rule("NO", "", "NOK", SellerForeign, 20200401, 0),
		rule("GB", "", "XXX", SellerForeign, 20120101, 0), rule("GB", "", "GBP", SellerDomestic, 20170401, 0),
		rule(EuropeanUnion, "", "EUR", SellerAny, 20210701, 0),
	}}
	for _, test := range []struct {
		why         string
		place       Place
		home        string
		day         calendar.Date
		presence    bool
		currency    string
		source      string
		memberSince calendar.Date
	}{
		{"before the first rule the last one of the place", Place{Country: "US", State: "AA"}, "US", 20181231, true,
			"AAA", "AAA law", 0},
		{"on the first day of a rule", Place{Country: "US", State: "AA"}, "US", 20190101, false, "USD", "USD law", 0},
		{"on its last day", Place{Country: "US", State: "AA"}, "US", 20191231, false, "USD", "USD law", 0},
		{"the day after, which no rule holds", Place{Country: "US", State: "AA"}, "US", 20200101, true, "AAA", "AAA law", 0},
		{"on the leap day before the next", Place{Country: "US", State: "AA"}, "US", 20200229, true, "AAA", "AAA law", 0},
		{"on the first day of the next", Place{Country: "US", State: "AA"}, "US", 20200301, false, "AAA", "AAA law", 0},
		{"of another state nothing", Place{Country: "US", State: "BB"}, "US", 20191231, true, "BBB", "BBB law", 0},
		{"a rule for others alone, at home", Place{Country: "NO"}, "NO", 20260515, true, "NOK", "NOK law", 0},
		{"a rule for others alone, from abroad", Place{Country: "NO"}, "US", 20260515, false, "NOK", "NOK law", 0},
		{"of two the one for the seller", Place{Country: "GB"}, "GB", 20160101, true, "GBP", "GBP law", 0},
		{"of two the one for others", Place{Country: "GB"}, "US", 20110101, true, "XXX", "XXX law", 0},
		{"a member has the words of the Union", Place{Country: "DE"}, "DE", 20260515, true, "EUR", "EUR law", 19930101},
		{"a member that joined later", Place{Country: "HR"}, "DE", 20260515, true, "EUR", "EUR law", 20130701},
		{"a member before the Union's rule", Place{Country: "DE"}, "DE", 20200101, true, "EUR", "EUR law", 19930101},
		{"the Union", Place{Country: EuropeanUnion}, "DE", 20260515, false, "EUR", "EUR law", 0},
	} {
		terms := table.Terms(test.place, test.home, test.day)
		require.Equal(t, test.presence, terms.Presence, test.why)
		require.Equal(t, test.currency, terms.Currency, test.why)
		require.Equal(t, test.source, terms.Source, test.why)
		require.Equal(t, test.place.Country+test.place.State, terms.Country+terms.State, test.why)
		if test.presence {
			require.False(t, terms.HasAmount(), test.why)
			require.False(t, terms.HasCount(), test.why)
		}
		if test.memberSince != 0 {
			require.Equal(t, TypeEUMemberState, terms.Type, test.why)
			require.Equal(t, calendar.Span{From: test.memberSince}, calendar.Span{From: terms.From, To: terms.To}, test.why)
		}
	}
}

func TestKindsOfWhatIsSold(t *testing.T) {
	t.Parallel()
	var all Kinds
	for name, want := range map[string]Kinds{
		"TANGIBLE": KindTangible, "DIGITAL": KindDigital, "SOFTWARE": KindSoftware, "SAAS": KindSaaS, "SERVICE": KindService,
	} {
		kind, ok := KindNamed(name)
		require.True(t, ok, name)
		require.Equal(t, want, kind, name)
		all |= kind
	}
	require.EqualValues(t, 31, all, "each has a bit of its own")
	for _, name := range []string{"", "tangible", "GOODS"} {
		_, ok := KindNamed(name)
		require.False(t, ok, name)
	}
	for kinds, sentence := range map[Kinds]string{
		0: "Sales of goods and services count.",
		KindTangible: "Only sales of tangible personal property count; those of digital goods, software that is delivered " +
			"electronically, software as a service and services do not.",
		KindTangible | KindSoftware: "Only sales of tangible personal property and software that is delivered electronically count; " +
			"those of digital goods, software as a service and services do not.",
		all &^ KindService: "Only sales of tangible personal property, digital goods, software that is delivered electronically and " +
			"software as a service count; those of services do not.",
	} {
		require.Equal(t, sentence, kinds.Sentence())
	}
}

// Some laws count exempt sales only of sellers with a place of business. A presence decides on its first day, on its
// last day and between them, and on no other day.
func TestAPresenceMakesExemptSalesCount(t *testing.T) {
	t.Parallel()
	rule := with(func(r *Rule) { r.Exempt, r.Test = ExemptIncludeIfPresence, TestSales })
	exempt := DailySales{
		Day: 20260201, Count: 2, Amount: decimal.MustParse("100000.01"), ExemptCount: 1, ExemptAmount: decimal.MustParse("0.01"),
	}
	for _, test := range []struct {
		presences []calendar.Period
		met       bool
	}{
		{nil, false},
		{[]calendar.Period{{Start: 20260515}}, true},
		{[]calendar.Period{{Start: 20260516}}, false},
		{[]calendar.Period{{Start: 20250101, End: 20260515}}, true},
		{[]calendar.Period{{Start: 20250101, End: 20260514}}, false},
	} {
		a, err := Assess(&Facts{
			Day: 20260515, Terms: rule, Rules: []Rule{rule}, Sales: []DailySales{exempt}, Presences: test.presences,
			Approaching: ApproachingPercent,
		})
		require.NoError(t, err)
		require.Equal(t, test.met, a.Now.Met, "%v", test.presences)
		require.Equal(t, test.met, a.Economic != 0, "%v", test.presences)
		require.Equal(t, test.met, a.Periods[0].Met, "%v", test.presences)
	}
}

// A law that begins counts the sales before it on its first day, in the middle of a month too, and not a day earlier.
func TestANewLawCountsEarlierSalesFromItsFirstDay(t *testing.T) {
	t.Parallel()
	rules := []Rule{with(func(r *Rule) { r.From = 20260515 })}
	sales := []DailySales{sold("2026-01-10", "100000.01", 1)}
	_, ok, err := First(rules, 20260514, sales, false)
	require.NoError(t, err)
	require.False(t, ok)
	e, ok, err := First(rules, 20260515, sales, false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "2026-05-15", e.MetDate.String())
	require.Equal(t, "2026-05-16", e.ObligationStart.String(), "from the next sale on")
}

func TestThePeriodBeforeIsTwelveMonths(t *testing.T) {
	t.Parallel()
	for start, want := range map[calendar.Date]calendar.Period{
		20260101: {Start: 20250101, End: 20251231},
		20240301: {Start: 20230301, End: 20240229},
		20250301: {Start: 20240301, End: 20250228},
		20251001: {Start: 20241001, End: 20250930},
	} {
		require.Equal(t, want, PeriodBefore(start))
	}
}

// The rule of the day decides the kinds of sales that count. Sales from before the first rule are measured by that one.
// California Revenue and Taxation Code, § 6203(c)(4), counts tangible personal property alone.
func TestTheKindsOfSalesThatCountFollowTheDay(t *testing.T) {
	t.Parallel()
	rule := func(state string, from calendar.Date, only Kinds) Rule {
		return Rule{Country: "US", State: state, From: from, Only: only}
	}
	table := &Table{byKind: []Rule{
		rule("AA", 20190401, KindTangible), rule("AA", 20240229, KindTangible|KindSoftware), rule("BB", 20190401,
			KindTangible),
	}}
	for _, test := range []struct {
		country, state string
		day            calendar.Date
		only           Kinds
	}{
		{"US", "AA", 20190331, KindTangible}, // before the first rule
		{"US", "AA", 20190401, KindTangible},
		{"US", "AA", 20240228, KindTangible},
		{"US", "AA", 20240229, KindTangible | KindSoftware},
		{"US", "AA", 20240301, KindTangible | KindSoftware},
		{"US", "BB", 20240301, KindTangible},
		{"US", "CC", 20240301, 0},
		{"CA", "AA", 20240301, 0},
	} {
		require.Equal(t, test.only, table.Only(test.country, test.state, test.day), "%+v", test)
	}
}
