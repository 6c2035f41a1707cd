package nexus

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

// The first and the last day on which one sale counts, and the days around them.
func TestTheDaysOnWhichASaleCounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model     PeriodModel
		sale      string
		before    string // the last day on which it is not met yet
		from      string
		until     string // the last day on which it is met
		met       string
		forgotten string
	}{
		{PeriodCurrentOrPrevious, "2026-05-15", "2026-05-14", "2026-05-15", "2027-12-31", "2026-05-15", "2028-01-01"},
		{PeriodCurrentOrPrevious, "2026-01-01", "2025-12-31", "2026-01-01", "2027-12-31", "2026-01-01", "2028-01-01"},
		{PeriodCurrentOrPrevious, "2026-12-31", "2026-12-30", "2026-12-31", "2027-12-31", "2026-12-31", "2028-01-01"},
		{PeriodCalendarYear, "2026-12-31", "2026-12-30", "2026-12-31", "2026-12-31", "2026-12-31", "2027-01-01"},
		{PeriodCalendarYear, "2026-01-01", "2025-12-31", "2026-01-01", "2026-12-31", "2026-01-01", "2027-01-01"},
		{PeriodPrecedingYear, "2026-01-01", "2026-12-31", "2027-01-01", "2027-12-31", "2026-12-31", "2028-01-01"},
		{PeriodPrecedingYear, "2026-12-31", "2026-12-31", "2027-01-01", "2027-12-31", "2026-12-31", "2028-01-01"},
		{PeriodPrevious12Months, "2026-05-15", "2026-05-14", "2026-05-15", "2027-05-14", "2026-05-15", "2027-05-15"},
		{PeriodPrevious12Months, "2024-02-29", "2024-02-28", "2024-02-29", "2025-02-28", "2024-02-29", "2025-03-01"},
		{PeriodPrevious12Months, "2023-03-01", "2023-02-28", "2023-03-01", "2024-02-29", "2023-03-01", "2024-03-01"},
		{PeriodPrevious4Quarters, "2026-05-15", "2026-06-30", "2026-07-01", "2027-06-30", "", "2027-07-01"},
		{PeriodPrevious4Quarters, "2026-03-31", "2026-03-31", "2026-04-01", "2027-03-31", "", "2027-04-01"},
		{PeriodPrevious4Quarters, "2026-04-01", "2026-06-30", "2026-07-01", "2027-06-30", "", "2027-07-01"},
		{PeriodPrevious4QuartersOffset, "2026-05-31", "2026-05-31", "2026-06-01", "2027-05-31", "", "2027-06-01"},
		{PeriodPrevious4QuartersOffset, "2026-06-01", "2026-08-31", "2026-09-01", "2027-08-31", "", "2027-09-01"},
		{PeriodPrevious4QuartersOffset, "2024-02-29", "2024-02-29", "2024-03-01", "2025-02-28", "", "2025-03-01"},
		{PeriodPrevious4QuartersOffset, "2025-12-01", "2026-02-28", "2026-03-01", "2027-02-28", "", "2027-03-01"},
		{PeriodPrecedingYearQuarterly, "2026-12-31", "2026-12-31", "2027-01-01", "2027-12-31", "", "2028-01-01"},
		{PeriodPrecedingYearQuarterlyOffset, "2026-11-30", "2026-11-30", "2026-12-01", "2027-11-30", "", "2027-12-01"},
		{
			PeriodPrecedingYearFromOctober, "2026-09-30", "2026-09-30", "2026-10-01", "2027-09-30", "2026-09-30",
			"2027-10-01",
		},
		{
			PeriodPrecedingYearFromOctober, "2026-10-01", "2027-09-30", "2027-10-01", "2028-09-30", "2027-09-30",
			"2028-10-01",
		},
	} {
		rule := with(func(r *Rule) { r.Period, r.Test = test.model, TestSales })
		sales := []DailySales{sold(test.sale, "100000.01", 1)}
		on := func(day string) Evaluation {
			e, err := Evaluate(&rule, calendar.MustDate(day), sales, false, ApproachingPercent)
			require.NoError(t, err)
			return e
		}
		require.False(t, on(test.before).Met, "%s: %s on %s", test.model, test.sale, test.before)
		require.True(t, on(test.from).Met, "%s: %s on %s", test.model, test.sale, test.from)
		require.True(t, on(test.until).Met, "%s: %s on %s", test.model, test.sale, test.until)
		require.False(t, on(test.forgotten).Met, "%s: %s on %s", test.model, test.sale, test.forgotten)
		if test.met != "" {
			require.Equal(t, test.met, on(test.until).MetDate.String(), "%s: %s", test.model, test.sale)
		}
	}
}

// Two sales of 60,000 count together only when one period holds both.
func TestSalesOfDifferentPeriodsDoNotAddUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model         PeriodModel
		first, second string
		met           string // the day that the first evaluation returns
	}{
		{PeriodCurrentOrPrevious, "2026-01-01", "2026-12-31", "2026-12-31"},
		{PeriodCurrentOrPrevious, "2025-12-31", "2026-01-01", ""},
		{PeriodCalendarYear, "2025-12-31", "2026-01-01", ""},
		{PeriodCalendarYear, "2024-01-01", "2024-12-31", "2024-12-31"},
		{PeriodPrecedingYear, "2026-01-01", "2026-12-31", "2026-12-31"},
		{PeriodPrecedingYear, "2025-12-31", "2026-01-01", ""},
		{PeriodPrevious12Months, "2025-05-16", "2026-05-15", "2026-05-15"},
		{PeriodPrevious12Months, "2025-05-15", "2026-05-15", ""},
		{PeriodPrevious12Months, "2024-02-29", "2025-02-28", "2025-02-28"},
		{PeriodPrevious12Months, "2024-02-28", "2025-02-28", ""},
		{PeriodPrevious4Quarters, "2025-04-01", "2026-03-31", "2026-03-31"},
		{PeriodPrevious4Quarters, "2025-03-31", "2026-01-01", ""},
		{PeriodPrevious4QuartersOffset, "2025-03-01", "2026-02-28", "2026-02-28"},
		{PeriodPrevious4QuartersOffset, "2025-02-28", "2025-12-01", ""},
		{PeriodPrecedingYearQuarterly, "2025-10-01", "2026-09-30", "2026-09-30"},
		{PeriodPrecedingYearQuarterlyOffset, "2025-12-01", "2026-11-30", "2026-11-30"},
		{PeriodPrecedingYearFromOctober, "2025-10-01", "2026-09-30", "2026-09-30"},
		{PeriodPrecedingYearFromOctober, "2026-09-30", "2026-10-01", ""},
	} {
		rules := []Rule{with(func(r *Rule) { r.Period, r.Test = test.model, TestSales })}
		e, ok, err := First(rules, calendar.MustDate("2028-12-31"), []DailySales{
			sold(test.first, "60000", 1), sold(test.second, "60000", 1),
		}, false)
		require.NoError(t, err)
		require.Equal(t, test.met != "", ok, "%s: %s and %s", test.model, test.first, test.second)
		require.Equal(t, test.met, e.MetDate.String(), "%s: %s and %s", test.model, test.first, test.second)
	}
}

func TestTriggersAtTheEndsOfMonthsAndYears(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		trigger    Trigger
		met, start string
	}{
		{TriggerImmediate, "2024-02-29", "2024-02-29"},
		{TriggerNextTransaction, "2024-02-28", "2024-02-29"},
		{TriggerNextTransaction, "2025-02-28", "2025-03-01"},
		{TriggerDays30, "2024-02-01", "2024-03-02"},
		{TriggerDays30, "2025-12-02", "2026-01-01"},
		{TriggerDays50, "2026-11-11", "2026-12-31"},
		{TriggerDays50, "2026-11-12", "2027-01-01"},
		{TriggerDays60, "2025-12-31", "2026-03-01"},
		{TriggerDays60, "2023-12-31", "2024-02-29"},
		{TriggerFirstOfNextMonth, "2024-01-31", "2024-02-01"},
		{TriggerFirstOfSecondMonth, "2025-12-31", "2026-02-01"},
		{TriggerFirstOfSecondMonth, "2026-12-01", "2027-02-01"},
		{TriggerFirstOfThirdMonth, "2026-10-01", "2027-01-01"},
		{TriggerFirstOfFourthMonth, "2026-09-30", "2027-01-01"},
		{TriggerFirstOfFourthMonth, "2026-08-31", "2026-12-01"},
		{TriggerFirstAfter30Days, "2026-01-30", "2026-03-01"}, // 30 days are 1 March
		{TriggerFirstAfter30Days, "2026-01-31", "2026-04-01"}, // 2 March
		{TriggerFirstAfter30Days, "2024-01-31", "2024-03-01"}, // a leap year: 1 March
		{TriggerFirstAfter30Days, "2025-12-02", "2026-01-01"},
		{TriggerFirstAfter30Days, "2025-12-03", "2026-02-01"},
		{TriggerFirstAfter60Days, "2025-12-31", "2026-03-01"},
		{TriggerFirstAfter60Days, "2026-01-01", "2026-04-01"},
		{TriggerFirstAfter90Days, "2025-12-01", "2026-03-01"},
		{TriggerFirstAfter90Days, "2025-12-02", "2026-04-01"},
		{TriggerFirstAfter2Months, "2025-12-31", "2026-03-01"}, // two months are 28 February
		{TriggerFirstAfter2Months, "2026-10-31", "2027-01-01"},
		{TriggerFirstAfter2Months, "2026-12-01", "2027-02-01"},
		{TriggerFirstWithin60Days, "2025-12-31", "2026-03-01"}, // the 60th day itself
		{TriggerFirstWithin60Days, "2025-12-30", "2026-02-01"},
		{TriggerNextCalendarYear, "2026-12-31", "2027-01-01"},
		{TriggerNextCalendarYearOrDays60, "2026-11-02", "2027-01-01"}, // both
		{TriggerNextCalendarYearOrDays60, "2026-11-01", "2026-12-31"},
		{TriggerNextCalendarYearOrDays60, "2026-11-03", "2027-01-01"},
		{TriggerNextApril, "2026-03-31", "2026-04-01"},
		{TriggerNextApril, "2026-04-02", "2027-04-01"},
	} {
		start, ok := test.trigger.Start(calendar.MustDate(test.met))
		require.True(t, ok)
		require.Equal(t, test.start, start.String(), "%s of %s", test.trigger, test.met)
	}
}

// Every test with thresholds of 1,000.00 and 10 sales, on, below and above them.
func TestWhatMeetsAThreshold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		test                    Test
		exceedAmount, exceedNum bool
		amount                  string
		count                   int
		met                     bool
	}{
		{TestSales, false, false, "999.99", 11, false}, {TestSales, false, false, "1000.00", 1, true},
		{TestSales, false, true, "1000.01", 1, true}, {TestSales, true, false, "1000.00", 11, false},
		{TestSales, true, false, "1000.01", 1, true}, {TestSales, true, true, "1000.00", 11, false},
		{TestTransactions, false, false, "9999", 9, false}, {TestTransactions, false, false, "0", 10, true},
		{TestTransactions, false, true, "9999", 10, false}, {TestTransactions, false, true, "0", 11, true},
		{TestTransactions, true, false, "1000", 10, true},
		{TestEither, false, false, "999.99", 9, false}, {TestEither, false, false, "1000.00", 9, true},
		{TestEither, false, false, "999.99", 10, true}, {TestEither, true, true, "1000.00", 10, false},
		{TestEither, true, true, "1000.01", 10, true}, {TestEither, true, true, "1000.00", 11, true},
		{TestEither, true, false, "1000.00", 10, true}, {TestEither, false, true, "1000.00", 10, true},
		{TestBoth, false, false, "1000.00", 9, false}, {TestBoth, false, false, "999.99", 10, false},
		{TestBoth, false, false, "1000.00", 10, true}, {TestBoth, true, false, "1000.00", 10, false},
		{TestBoth, true, false, "1000.01", 10, true}, {TestBoth, false, true, "1000.00", 10, false},
		{TestBoth, false, true, "1000.00", 11, true}, {TestBoth, true, true, "1000.01", 11, true},
		{TestSales, false, false, "-1000.00", 1, false}, {TestEither, false, false, "-1000.00", 10, true},
		{"", false, false, "9999", 99, false},
	} {
		rule := Rule{
			Test: test.test, Amount: decimal.MustParse("1000"), Count: 10,
			AmountExceeded: test.exceedAmount, CountExceeded: test.exceedNum,
		}
		require.Equal(t, test.met, rule.metBy(decimal.MustParse(test.amount), test.count), "%+v", test)
		rule.Presence = true
		require.False(t, rule.metBy(decimal.MustParse(test.amount), test.count), "presence alone makes nexus")
	}
}

// Of the sales in order only the one that crosses is returned, with the sums before it.
func TestTheSaleThatCrossesAThresholdIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		change  func(*Rule)
		before  Measurement
		sales   []DailySales
		crosses int // index of the sale; -1: none
		amount  string
		count   int
	}{
		{"the amount", func(*Rule) {}, Measurement{BeforeAmount: decimal.MustParse("99990.00"), BeforeCount: 3},
			[]DailySales{sold("2026-05-15", "10.00", 1), sold("2026-05-15", "0.01", 1), sold("2026-05-15", "5", 1)},
			1, "100000.01", 5},
		{"the number", func(*Rule) {}, Measurement{BeforeAmount: decimal.MustParse("10.00"), BeforeCount: 198},
			[]DailySales{sold("2026-05-15", "1", 1), sold("2026-05-15", "1", 1)}, 1, "12.00", 200},
		{"a refund in between", func(*Rule) {}, Measurement{
			BeforeAmount: decimal.MustParse("99999.99"), BeforeCount: 1,
		},
			[]DailySales{sold("2026-05-15", "-5.00", 0), sold("2026-05-15", "5.00", 1), sold("2026-05-15", "0.02", 1)},
			2, "100000.01", 3},
		{"sales through marketplaces do not count", func(*Rule) {},
			Measurement{BeforeAmount: decimal.MustParse("99999.99"), BeforeCount: 1},
			[]DailySales{
				{Day: 20260515, Marketplace: true, Amount: decimal.MustParse("900"), Count: 300},
			}, -1, "99999.99", 1},
		{"where they do", func(r *Rule) { r.Marketplace = true },
			Measurement{BeforeAmount: decimal.MustParse("99999.99"), BeforeCount: 1},
			[]DailySales{
				{Day: 20260515, Marketplace: true, Amount: decimal.MustParse("900"), Count: 1},
			}, 0, "100899.99", 2},
		{"exempt sales that do not count", func(r *Rule) { r.Exempt = ExemptExcluded },
			Measurement{BeforeAmount: decimal.MustParse("99999.99"), BeforeCount: 1},
			[]DailySales{{
				Day: 20260515, Amount: decimal.MustParse("10"), Count: 1, ExemptAmount: decimal.MustParse("10"), ExemptCount: 1,
			}}, -1, "99999.99", 1},
	} {
		rule := with(test.change)
		crossing := rule.Crossing(&test.before, false)
		at := -1
		for i, sale := range test.sales {
			crossed, err := crossing.Add(sale)
			require.NoError(t, err, test.name)
			if crossed {
				at = i
				break
			}
		}
		require.Equal(t, test.crosses, at, test.name)
		require.Equal(t, test.amount, money.Format(crossing.Amount), test.name)
		require.Equal(t, test.count, crossing.Count, test.name)
	}
}
