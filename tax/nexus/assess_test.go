package nexus

import (
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax/calendar"
	"levy/tax/money"
)

func TestThePeriodsOfAnAssessment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model   PeriodModel
		sale    string
		periods []string // newest first, on 15 May 2026
	}{
		{PeriodCurrentOrPrevious, "2025-03-01", []string{"2026-01-01 2026-12-31", "2025-01-01 2025-12-31"}},
		{PeriodCurrentOrPrevious, "2026-05-15", []string{"2026-01-01 2026-12-31", "2025-01-01 2025-12-31"}},
		{PeriodCurrentOrPrevious, "2024-12-31", []string{
			"2026-01-01 2026-12-31", "2025-01-01 2025-12-31", "2024-01-01 2024-12-31",
		}},
		{PeriodCalendarYear, "2025-01-01", []string{"2026-01-01 2026-12-31", "2025-01-01 2025-12-31"}},
		{PeriodPrevious12Months, "2025-01-10", []string{"2025-05-16 2026-05-15", "2024-05-16 2025-05-15"}},
		{PeriodPrevious12Months, "2025-05-16", []string{"2025-05-16 2026-05-15"}},
		{PeriodPrevious12Months, "2025-05-15", []string{"2025-05-16 2026-05-15", "2024-05-16 2025-05-15"}},
		{PeriodPrevious4Quarters, "2025-11-01", []string{"2025-04-01 2026-03-31", "2025-01-01 2025-12-31"}},
		{PeriodPrecedingYear, "2024-06-01", []string{"2025-01-01 2025-12-31", "2024-01-01 2024-12-31"}},
		{PeriodPrecedingYearFromOctober, "2024-10-01", []string{"2024-10-01 2025-09-30"}},
		{PeriodPrevious4QuartersOffset, "2019-06-01", []string{ // never more than eight
			"2025-03-01 2026-02-28", "2024-12-01 2025-11-30", "2024-09-01 2025-08-31", "2024-06-01 2025-05-31",
			"2024-03-01 2025-02-28", "2023-12-01 2024-11-30", "2023-09-01 2024-08-31", "2023-06-01 2024-05-31",
		}},
	} {
		rule := with(func(r *Rule) { r.Period = test.model })
		a, err := Assess(&Facts{
			Day: 20260515, Terms: rule, Rules: []Rule{rule}, Approaching: ApproachingPercent,
			Sales: []DailySales{sold(test.sale, "10", 1)},
		})
		require.NoError(t, err)
		var periods []string
		for _, p := range a.Periods {
			periods = append(periods, p.Start.String()+" "+p.End.String())
		}
		require.Equal(t, test.periods, periods, "%s since %s", test.model, test.sale)
	}
}

func TestTheStatusOfASeller(t *testing.T) {
	t.Parallel()
	rule := either()
	late := with(func(r *Rule) { r.From = calendar.MustDate("2026-01-01") })
	open := func(start string) calendar.Period { return calendar.Period{Start: calendar.MustDate(start)} }
	for _, test := range []struct {
		name                     string
		rule                     Rule
		day                      string
		sales                    []DailySales
		presences                []calendar.Period
		economic, start, crossed string // crossed: the first day of the period
		physical                 string
		met                      bool
	}{
		{"nothing sold", rule, "2026-05-15", nil, nil, "", "", "", "", false},
		{
			"the day before", rule, "2025-10-31", []DailySales{sold("2025-11-01", "100000.01", 1)}, nil, "", "",
			"", "", false,
		},
		{
			"the day of the crossing", rule, "2025-11-01", []DailySales{sold("2025-11-01", "100000.01", 1)}, nil,
			"2025-11-01", "2025-11-02", "2025-01-01", "", true,
		},
		{
			"years later nexus stays", rule, "2030-01-01", []DailySales{sold("2025-11-01", "100000.01", 1)}, nil,
			"2025-11-01", "2025-11-02", "2025-01-01", "", false,
		},
		{
			"sales of the year before a law begins", late, "2026-05-15", []DailySales{
				sold("2025-11-01", "100000.01", 1),
			},
			nil, "2026-01-01", "2026-01-02", "2025-01-01", "", true,
		},
		{
			"sales two years before a law begins", late, "2026-05-15", []DailySales{sold("2024-12-31", "100000.01", 1)},
			nil, "", "", "", "", false,
		},
		{
			"refunded on the same day", rule, "2026-05-15",
			[]DailySales{sold("2026-05-15", "100000.01", 1), sold("2026-05-15", "-1", 0)}, nil, "", "", "", "", false,
		},
		{
			"refunded a day later", rule, "2026-05-16",
			[]DailySales{sold("2026-05-15", "100000.01", 1), sold("2026-05-16", "-1", 0)}, nil,
			"2026-05-15", "2026-05-16", "2026-01-01", "", true,
		},
		{
			"a shop since the day", rule, "2026-05-15", nil, []calendar.Period{open("2026-05-15")}, "", "", "",
			"2026-05-15", false,
		},
		{"a shop from tomorrow", rule, "2026-05-15", nil, []calendar.Period{open("2026-05-16")}, "", "", "", "", false},
		{
			"a shop until the day", rule, "2026-05-15", nil,
			[]calendar.Period{{Start: 20250101, End: 20260515}}, "", "", "", "2025-01-01", false,
		},
		{
			"a shop until yesterday", rule, "2026-05-15", nil,
			[]calendar.Period{{Start: 20250101, End: 20260514}}, "", "", "", "", false,
		},
		{
			"the earlier of two shops that are open", rule, "2026-05-15", nil,
			[]calendar.Period{open("2025-06-01"), {Start: 20240601, End: 20261231}, {Start: 20200101, End: 20211231}},
			"", "", "", "2024-06-01", false,
		},
	} {
		a, err := Assess(&Facts{
			Day: calendar.MustDate(test.day), Terms: test.rule, Rules: []Rule{test.rule}, Sales: test.sales,
			Presences: test.presences, Approaching: ApproachingPercent,
		})
		require.NoError(t, err, test.name)
		require.Equal(t, test.economic, a.Economic.String(), test.name)
		require.Equal(t, test.start, a.First.ObligationStart.String(), test.name)
		require.Equal(t, test.physical, a.Physical.String(), test.name)
		require.Equal(t, test.met, a.Now.Met, test.name)
		require.Equal(t, test.crossed != "", a.Crossed != nil, test.name)
		if a.Crossed != nil {
			require.Equal(t, test.crossed, a.Crossed.Start.String(), test.name)
			require.Equal(t, 1, a.Crossed.CrossingCount, test.name)
			require.Equal(t, "100000.01", money.Format(a.Crossed.CrossingAmount), test.name)
		}
	}
}

func TestForecastsOfAnAssessment(t *testing.T) {
	t.Parallel()
	byCount := func(r *Rule) { r.Test, r.Period = TestTransactions, PeriodCalendarYear }
	monthly := func(counts ...int) (sales []DailySales) {
		for i, n := range counts { // December to May
			sales = append(sales, DailySales{
				Day: calendar.Date(20251210).AddMonths(i), Amount: decimal.MustParse("1.00"), Count: n,
			})
		}
		return sales
	}
	for _, test := range []struct {
		name   string
		change func(*Rule)
		sales  []DailySales
		want   *Forecast
	}{
		// 100 sales since January, 20 more each month: 200 on 15 November.
		{"equal months", byCount, monthly(20, 20, 20, 20, 20, 20), &Forecast{5, 100}},
		// 15 on average, each month 5 away from it: 33 percent.
		{"months that alternate", byCount, monthly(10, 20, 10, 20, 10, 20), nil},
		{"the same with a lower threshold", func(r *Rule) { byCount(r); r.Count = 110 },
			monthly(10, 20, 10, 20, 10, 20), &Forecast{2, 67}},
		{"sales after the day do not count", byCount,
			append(monthly(20, 20, 20, 20, 20, 20), DailySales{Day: 20260616, Count: 90, Amount: decimal.Zero}),
			&Forecast{5, 100}},
		{"what was sold this month counts", byCount,
			append(monthly(20, 20, 20, 20, 20, 20), DailySales{Day: 20260615, Count: 40, Amount: decimal.Zero}),
			&Forecast{3, 100}},
		{"met already", byCount, monthly(20, 40, 40, 40, 40, 40), nil},
		{"presence alone", func(r *Rule) { byCount(r); r.Presence = true }, monthly(20, 20, 20, 20, 20, 20), nil},
	} {
		rule := with(test.change)
		a, err := Assess(&Facts{
			Day: 20260615, Terms: rule, Rules: []Rule{rule}, Sales: test.sales, Approaching: ApproachingPercent,
		})
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, a.Forecast, test.name)
	}
	for _, test := range []struct {
		amounts [6]string
		counts  [6]int
		amount  string
		count   int
	}{
		{[6]string{"0.11", "0", "0", "0", "0", "0"}, [6]int{3}, "0.01", 1}, // cents are cut, numbers rounded
		{[6]string{"0.05", "0", "0", "0", "0", "0"}, [6]int{2}, "0.00", 0},
		{[6]string{"-0.11", "0", "0", "0", "0", "0"}, [6]int{9}, "-0.01", 2},
		{[6]string{"100", "-40", "0", "0", "0", "0"}, [6]int{0, 4}, "10.00", 1},
	} {
		var months []DailySales
		for i := range test.amounts {
			months = append(months, DailySales{Amount: decimal.MustParse(test.amounts[i]), Count: test.counts[i]})
		}
		average, err := averageOf(months)
		require.NoError(t, err)
		require.Equal(t, test.amount, money.Format(average.Amount))
		require.Equal(t, test.count, average.Count)
	}
}

func TestTotalsOfAPeriod(t *testing.T) {
	t.Parallel()
	day := func(day, amount, exempt string, count, exemptCount int, marketplace bool) DailySales {
		return DailySales{
			Day: calendar.MustDate(day), Marketplace: marketplace, Count: count, Amount: decimal.MustParse(amount),
			ExemptCount: exemptCount, ExemptAmount: decimal.MustParse(exempt),
		}
	}
	direct, marketplace, err := Totals(calendar.Period{Start: 20260101, End: 20261231}, []DailySales{
		day("2025-12-31", "1000.00", "0", 1, 0, false), day("2026-01-01", "10.00", "4.00", 2, 1, false),
		day("2026-05-15", "-3.00", "0", 0, 0, false), day("2026-05-15", "7.50", "7.50", 3, 3, true),
		day("2026-12-31", "0.01", "0", 1, 0, false), day("2026-12-31", "0.49", "0", 1, 0, true),
		day("2027-01-01", "1000.00", "0", 1, 0, true),
	})
	require.NoError(t, err)
	require.Equal(t, "7.01 4.00", money.Format(direct.Amount)+" "+money.Format(direct.ExemptAmount))
	require.Equal(t, []int{3, 1}, []int{direct.Count, direct.ExemptCount})
	require.Equal(t, "7.99 7.50", money.Format(marketplace.Amount)+" "+money.Format(marketplace.ExemptAmount))
	require.Equal(t, []int{4, 3}, []int{marketplace.Count, marketplace.ExemptCount})
	huge := day("2026-05-15", "99999999999999999.99", "0", 1, 0, false)
	_, _, err = Totals(calendar.Period{Start: 20260101, End: 20261231}, []DailySales{huge, huge})
	require.ErrorIs(t, err, money.ErrOverflow)
	huge = day("2026-05-15", "0", "99999999999999999.99", 1, 0, false)
	_, _, err = Totals(calendar.Period{Start: 20260101, End: 20261231}, []DailySales{huge, huge})
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestTheDaysOnWhichAnEvaluationCanFindNexus(t *testing.T) {
	t.Parallel()
	rules := []Rule{{From: 20251201}, {From: 20260210}, {From: 20260402}}
	require.Equal(t, []calendar.Date{20260115, 20260201, 20260210, 20260301, 20260302, 20260401},
		testDays(rules, 20260401, []DailySales{{Day: 20260115}, {Day: 20260302}, {Day: 20260302, Marketplace: true}}))
	refunds := []DailySales{
		{Day: 20240114, Amount: decimal.MustParse("-1")}, {Day: 20240115}, {Day: 20240116, ExemptAmount: decimal.MustParse("1")},
	}
	for model, want := range map[PeriodModel][]calendar.Date{
		PeriodPrevious12Months: {20250101, 20250114, 20250116}, PeriodCalendarYear: {20250101},
	} {
		days := testDays([]Rule{{Period: model}}, 20250131, refunds)
		require.Equal(t, want, days[len(days)-len(want):])
	}
	require.Equal(t, []calendar.Date{20260501}, testDays(nil, 20260515, []DailySales{{Day: 20260501}, {Day: 20260516}}))
	require.Empty(t, testDays(rules, 20260401, nil))
}

// The first day of nexus equals that of an evaluation on every single day.
func TestTheFirstDayOfNexusEqualsThatOfDailyEvaluations(t *testing.T) {
	t.Parallel()
	models := []PeriodModel{
		PeriodCurrentOrPrevious, PeriodCalendarYear, PeriodPrecedingYear, PeriodPrevious12Months, PeriodPrevious4Quarters,
		PeriodPrevious4QuartersOffset, PeriodPrecedingYearFromOctober,
	}
	const from, until = calendar.Date(20240101), calendar.Date(20261231)
	rapid.Check(t, func(t *rapid.T) {
		rule := with(func(r *Rule) {
			r.Period = rapid.SampledFrom(models).Draw(t, "model")
			r.Test = rapid.SampledFrom([]Test{TestSales, TestTransactions, TestEither, TestBoth}).Draw(t, "test")
			r.Amount, r.Count = decimal.MustParse("100"), 5
			r.From = from.AddDays(rapid.IntRange(0, 400).Draw(t, "law"))
		})
		day := from
		var sales []DailySales
		for range rapid.IntRange(1, 8).Draw(t, "days") {
			day = day.AddDays(rapid.IntRange(1, 150).Draw(t, "apart"))
			sales = append(sales, DailySales{
				Day: day, Amount: decimal.MustNew(rapid.Int64Range(-30_00, 80_00).Draw(t, "cents"), 2),
				Count: rapid.IntRange(0, 3).Draw(
					t, "count",
				), Marketplace: rapid.IntRange(0, 4).Draw(t, "marketplace") == 0,
			})
		}
		got, ok, err := First([]Rule{rule}, until, sales, false)
		require.NoError(t, err)
		for day := sales[0].Day; day <= until; day = day.AddDays(1) {
			if !rule.Holds(day) {
				continue
			}
			e, err := Evaluate(&rule, day, sales, false, ApproachingPercent)
			require.NoError(t, err)
			if e.Met {
				require.True(t, ok)
				if rule.Period == PeriodPrevious12Months { // the days before, which were evaluated too, did not meet it
					e.MetDate = day
					e.ObligationStart, _ = rule.Trigger.Start(day)
				}
				require.Equal(t, e.MetDate, got.MetDate)
				require.Equal(t, e.ObligationStart, got.ObligationStart)
				return
			}
		}
		require.False(t, ok)
	})
}

// The months that are shown are those of the forecast, with the current one up to today.
func TestMonthsAreThoseOfTheForecast(t *testing.T) {
	t.Parallel()
	rule := with(func(r *Rule) { r.Exempt = ExemptExcluded })
	sales := []DailySales{
		sold("2025-12-31", "7", 7), sold("2026-01-01", "60", 6), sold("2026-05-31", "1", 1), sold("2026-06-01", "5",
			2), sold("2026-06-16", "9", 9),
	}
	sales[1].ExemptAmount, sales[1].ExemptCount = decimal.MustParse("30"), 3
	months, average, err := Months(&rule, 20260615, 8, sales, false)
	require.NoError(t, err)
	texts := []string{}
	for _, m := range months {
		texts = append(texts, fmt.Sprintf("%s %s %d", m.Day, money.Format(m.Amount), m.Count))
	}
	require.Equal(t, []string{
		"2025-11-01 0.00 0", "2025-12-01 7.00 7", "2026-01-01 30.00 3", "2026-02-01 0.00 0", "2026-03-01 0.00 0",
		"2026-04-01 0.00 0",
		"2026-05-01 1.00 1", "2026-06-01 5.00 2",
	}, texts)
	require.Equal(t, "6.33", money.Format(average.Amount), "38 dollars in the six months from December to May")
	require.Equal(t, 2, average.Count, "11 sales")
}
