package nexus

import (
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

// show is a day of sales in one line: amount, number, and of them exempt and for resale.
func show(d DailySales) string {
	return fmt.Sprintf("%s %t %s/%d %s/%d %s/%d", d.Day, d.Marketplace, money.Format(d.Amount), d.Count,
		money.Format(d.ExemptAmount), d.ExemptCount, money.Format(d.ResaleAmount), d.ResaleCount)
}

func TestSimulatedSales(t *testing.T) {
	t.Parallel()
	share := func(percent int) *int { return &percent }
	direct := DailySales{
		Day: 20260515, Amount: decimal.MustParse("100.00"), Count: 3, ExemptAmount: decimal.MustParse("30.01"),
		ExemptCount: 1, ResaleAmount: decimal.MustParse("10.00"), ResaleCount: 1,
	}
	through := DailySales{Day: 20260515, Marketplace: true, Amount: decimal.MustParse("20.00"), Count: 1}
	refund := DailySales{Day: 20260516, Amount: decimal.MustParse("-0.01")}
	for _, test := range []struct {
		name string
		s    Simulation
		days []DailySales
		want []string
	}{
		{"as it is", Simulation{}, []DailySales{direct, through}, []string{
			"2026-05-15 false 100.00/3 30.01/1 10.00/1", "2026-05-15 true 20.00/1 0.00/0 0.00/0",
		}},
		{"half as much again", Simulation{ChangePercent: 50}, []DailySales{direct, through}, []string{
			"2026-05-15 false 150.00/5 45.02/2 15.00/2", "2026-05-15 true 30.00/2 0.00/0 0.00/0",
		}},
		{"half of it", Simulation{ChangePercent: -50}, []DailySales{direct}, []string{
			"2026-05-15 false 50.00/2 15.01/1 5.00/1", "2026-05-15 true 0.00/0 0.00/0 0.00/0",
		}},
		{"half of a refund of a cent is a cent", Simulation{ChangePercent: -50}, []DailySales{refund}, []string{
			"2026-05-16 false -0.01/0 0.00/0 0.00/0", "2026-05-16 true 0.00/0 0.00/0 0.00/0",
		}},
		{"nothing at all", Simulation{ChangePercent: -100}, []DailySales{direct}, []string{
			"2026-05-15 false 0.00/0 0.00/0 0.00/0", "2026-05-15 true 0.00/0 0.00/0 0.00/0",
		}},
		{"sales that are added do not grow", Simulation{ChangePercent: 100, Additional: []DailySales{refund, direct}},
			[]DailySales{direct}, []string{
				"2026-05-15 false 300.00/9 90.03/3 30.00/3", "2026-05-15 true 0.00/0 0.00/0 0.00/0",
				"2026-05-16 false -0.01/0 0.00/0 0.00/0", "2026-05-16 true 0.00/0 0.00/0 0.00/0",
			}},
		{"a quarter through marketplaces", Simulation{MarketplaceShare: share(25)}, []DailySales{direct, through}, []string{
			"2026-05-15 false 90.00/3 22.51/1 7.50/1", "2026-05-15 true 30.00/1 7.50/0 2.50/0",
		}},
		{"none", Simulation{MarketplaceShare: share(0)}, []DailySales{direct, through}, []string{
			"2026-05-15 false 120.00/4 30.01/1 10.00/1", "2026-05-15 true 0.00/0 0.00/0 0.00/0",
		}},
		{"all", Simulation{MarketplaceShare: share(100)}, []DailySales{direct, through}, []string{
			"2026-05-15 false 0.00/0 0.00/0 0.00/0", "2026-05-15 true 120.00/4 30.01/1 10.00/1",
		}},
		{"nothing sold", Simulation{ChangePercent: 50}, nil, nil},
	} {
		days, err := test.s.Sales(test.days)
		require.NoError(t, err, test.name)
		var got []string
		for _, d := range days {
			got = append(got, show(d))
		}
		require.Equal(t, test.want, got, test.name)
	}
	huge := sold("2026-05-15", "99999999999999999.99", 1)
	for _, s := range []Simulation{{ChangePercent: 10_000}, {Additional: []DailySales{huge}}} {
		_, err := s.Sales([]DailySales{huge})
		require.ErrorIs(t, err, money.ErrOverflow)
	}
	marketplace := huge
	marketplace.Marketplace = true
	_, err := (&Simulation{MarketplaceShare: share(50)}).Sales([]DailySales{huge, marketplace})
	require.ErrorIs(t, err, money.ErrOverflow)
}

// The number of sales changes by the percentage also where there is one a day, of which no part can be counted.
func TestSimulatedNumbersAreRoundedAsASum(t *testing.T) {
	t.Parallel()
	var year []DailySales
	for day := calendar.Date(20260101); len(year) < 200; day = day.AddDays(1) {
		year = append(year, DailySales{Day: day, Count: 1, ExemptCount: 1, ResaleCount: 1})
	}
	share := 40
	for _, test := range []struct {
		s               Simulation
		direct, through int
	}{
		{Simulation{ChangePercent: 50}, 300, 0}, {Simulation{ChangePercent: 40}, 280, 0},
		{Simulation{ChangePercent: -40}, 120, 0}, {Simulation{ChangePercent: -60}, 80, 0},
		{Simulation{MarketplaceShare: &share}, 120, 80},
	} {
		days, err := test.s.Sales(year)
		require.NoError(t, err)
		direct, through, err := Totals(calendar.Period{Start: 20260101, End: 20261231}, days)
		require.NoError(t, err)
		require.Equal(t, []int{test.direct, test.direct}, []int{direct.Count, direct.ExemptCount})
		require.Equal(t, []int{test.through, test.through}, []int{through.Count, through.ExemptCount})
	}
}

func TestSimulatedThresholds(t *testing.T) {
	t.Parallel()
	amount, count := decimal.MustParse("50000"), 40
	for _, test := range []struct {
		had           Test
		presence      bool
		amount, count bool
		want          Test
	}{
		{TestSales, false, true, false, TestSales}, {TestSales, false, false, true, TestEither},
		{TestSales, false, true, true, TestEither}, {TestTransactions, false, true, false, TestEither},
		{TestTransactions, false, false, true, TestTransactions}, {TestTransactions, false, true, true, TestEither},
		{TestEither, false, true, false, TestEither}, {TestEither, false, false, true, TestEither},
		{TestBoth, false, true, false, TestBoth}, {TestBoth, false, false, true, TestBoth},
		{TestBoth, false, true, true, TestBoth}, {TestSales, true, true, false, TestSales},
		{TestSales, true, false, true, TestTransactions}, {TestSales, true, true, true, TestEither},
	} {
		rule := with(func(r *Rule) { r.Test, r.Presence = test.had, test.presence })
		s := Simulation{}
		wantAmount, wantCount := "100000", 200
		if test.amount {
			s.Amount, wantAmount = &amount, "50000"
		}
		if test.count {
			s.Count, wantCount = &count, 40
		}
		got := s.Rule(rule)
		require.Equal(t, test.want, got.Test, "%+v", test)
		require.Equal(t, wantAmount, got.Amount.String(), "%+v", test)
		require.Equal(t, wantCount, got.Count, "%+v", test)
		require.False(t, got.Presence, "%+v", test)
	}
	there := with(func(r *Rule) { r.Presence = true })
	require.Equal(t, there, (&Simulation{ChangePercent: 10}).Rule(there), "no threshold was given")
}

// place is the place of a row in a test.
type place string

// String implements fmt.Stringer.
func (p place) String() string { return string(p) }

func TestFaultsInATableOfThresholds(t *testing.T) {
	t.Parallel()
	row := func(from, to string, change func(*Rule)) Row {
		r := with(change)
		r.Type, r.From, r.To = TypeState, 0, 0
		require.NoError(t, r.From.UnmarshalText([]byte(from)))
		require.NoError(t, r.To.UnmarshalText([]byte(to)))
		return Row{At: place(from), Rule: r}
	}
	same := func(*Rule) {}
	for _, test := range []struct {
		name string
		rows []Row
		want []string
	}{
		{"in order", []Row{row("2018-10-01", "2019-12-31", same), row("2020-01-01", "", same)}, nil},
		{"out of order", []Row{row("2020-01-01", "", same), row("2018-10-01", "2019-12-31", same)}, nil},
		{"a day is missing", []Row{row("2018-10-01", "2019-12-30", same), row("2020-01-01", "", same)},
			[]string{"2020-01-01: leaves a gap after 2018-10-01"}},
		{"a day twice", []Row{row("2018-10-01", "2020-01-01", same), row("2020-01-01", "", same)},
			[]string{"2020-01-01: overlaps with 2018-10-01"}},
		{"two that are open", []Row{row("2018-10-01", "", same), row("2020-01-01", "", same)},
			[]string{"2020-01-01: overlaps with 2018-10-01"}},
		{"two sellers", []Row{
			row("2018-10-01", "", func(r *Rule) { r.Seller = SellerDomestic }),
			row("2020-01-01", "", func(r *Rule) { r.Seller = SellerForeign }),
		}, nil},
		{
			"two states",
			[]Row{row("2018-10-01", "", same), row("2020-01-01", "", func(r *Rule) { r.State = "YY" })}, nil,
		},
		{
			"ends before it begins", []Row{row("2020-01-01", "2019-12-31", same)},
			[]string{"2020-01-01: ends before it starts"},
		},
		{"no beginning", []Row{row("", "", same)}, []string{": no start"}},
		{"words", []Row{row("2020-01-01", "", func(r *Rule) {
			r.Period, r.Trigger, r.Seller, r.Test, r.Exempt = "WEEKLY", "SOON", "SOME", "MAYBE", "PERHAPS"
		})}, []string{
			`2020-01-01: unknown period_model "WEEKLY"`, `2020-01-01: unknown trigger "SOON"`,
			`2020-01-01: unknown seller "SOME"`, `2020-01-01: unknown test "MAYBE"`,
			`2020-01-01: unknown exempt_sales "PERHAPS"`,
		}},
		{"a negative amount", []Row{row("2020-01-01", "", func(r *Rule) { r.Amount = decimal.MustParse("-0.01") })},
			[]string{"2020-01-01: threshold out of range"}},
		{"a number of zero", []Row{row("2020-01-01", "", func(r *Rule) { r.Count = 0 })},
			[]string{"2020-01-01: threshold out of range"}},
		{
			"no number where none is tested",
			[]Row{row("2020-01-01", "", func(r *Rule) { r.Count, r.Test = 0, TestSales })}, nil,
		},
	} {
		var faults []string
		table := NewTable(test.rows, func(string) string { return "" }, func(at fmt.Stringer, format string, args ...any) {
			faults = append(faults, at.String()+": "+fmt.Sprintf(format, args...))
		})
		require.Equal(t, test.want, faults, test.name)
		require.Len(t, table.rules, len(test.rows))
	}
	table := NewTable([]Row{
		row("2020-01-01", "", same), row("2018-10-01", "2019-12-31", func(r *Rule) { r.Count = 100 }),
	},
		func(string) string { return "" }, func(fmt.Stringer, string, ...any) {})
	for day, count := range map[calendar.Date]int{20181001: 100, 20191231: 100, 20200101: 200} {
		rule, ok := table.Rule("US", "XX", true, day)
		require.True(t, ok)
		require.Equal(t, count, rule.Count)
	}
	_, ok := table.Rule("US", "XX", true, 20180930)
	require.False(t, ok)
}
