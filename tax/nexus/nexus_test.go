package nexus

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

func TestPeriodsOfEveryModel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model             PeriodModel
		day               string
		current, previous string
	}{
		{PeriodCurrentOrPrevious, "2026-05-15", "2026-01-01 2026-12-31", "2025-01-01 2025-12-31"},
		{PeriodCalendarYear, "2026-01-01", "2026-01-01 2026-12-31", ""},
		{PeriodCalendarYear, "2025-12-31", "2025-01-01 2025-12-31", ""},
		{PeriodPrecedingYear, "2026-05-15", "2025-01-01 2025-12-31", ""},
		{PeriodPrevious12Months, "2026-05-15", "2025-05-16 2026-05-15", ""},
		{PeriodPrevious12Months, "2024-02-29", "2023-03-01 2024-02-29", ""},
		{PeriodPrevious12Months, "2025-02-28", "2024-02-29 2025-02-28", ""},
		{PeriodPrevious12Months, "2024-12-31", "2024-01-01 2024-12-31", ""},
		{PeriodPrevious4Quarters, "2026-03-31", "2025-01-01 2025-12-31", ""},
		{PeriodPrevious4Quarters, "2026-04-01", "2025-04-01 2026-03-31", ""},
		{PeriodPrevious4QuartersOffset, "2026-02-28", "2024-12-01 2025-11-30", ""},
		{PeriodPrevious4QuartersOffset, "2026-03-01", "2025-03-01 2026-02-28", ""},
		{PeriodPrevious4QuartersOffset, "2024-03-01", "2023-03-01 2024-02-29", ""},
		{PeriodPrevious4QuartersOffset, "2026-01-15", "2024-12-01 2025-11-30", ""},
		{PeriodPrecedingYearQuarterly, "2026-06-30", "2025-04-01 2026-03-31", ""},
		{PeriodPrecedingYearQuarterly, "2026-07-01", "2025-07-01 2026-06-30", ""},
		{PeriodPrecedingYearQuarterlyOffset, "2026-06-01", "2025-06-01 2026-05-31", ""},
		{PeriodPrecedingYearFromOctober, "2026-09-30", "2024-10-01 2025-09-30", ""},
		{PeriodPrecedingYearFromOctober, "2026-10-01", "2025-10-01 2026-09-30", ""},
	} {
		current, previous, ok := PeriodsOn(test.model, calendar.MustDate(test.day))
		require.True(t, ok)
		show := func(p calendar.Period) string {
			if p.IsZero() {
				return ""
			}
			return p.Start.String() + " " + p.End.String()
		}
		require.Equal(t, test.current, show(current), "%s on %s", test.model, test.day)
		require.Equal(t, test.previous, show(previous), "%s on %s", test.model, test.day)
	}
	_, _, ok := PeriodsOn("WEEKLY", 20260101)
	require.False(t, ok)
}

func TestWhenCollectingBegins(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		trigger    Trigger
		met, start string
	}{
		{TriggerImmediate, "2026-05-15", "2026-05-15"},
		{TriggerNextTransaction, "2026-12-31", "2027-01-01"},
		{TriggerDays30, "2026-01-31", "2026-03-02"},
		{TriggerDays50, "2026-02-28", "2026-04-19"},
		{TriggerDays60, "2024-01-01", "2024-03-01"},
		{TriggerFirstOfNextMonth, "2026-05-01", "2026-06-01"},
		{TriggerFirstOfNextMonth, "2026-12-31", "2027-01-01"},
		{TriggerFirstOfSecondMonth, "2026-05-31", "2026-07-01"},
		{TriggerFirstOfThirdMonth, "2026-11-15", "2027-02-01"},
		{TriggerFirstOfFourthMonth, "2026-03-31", "2026-07-01"},
		{TriggerFirstAfter30Days, "2026-05-02", "2026-06-01"},
		{TriggerFirstAfter30Days, "2026-05-03", "2026-07-01"},
		{TriggerFirstAfter60Days, "2026-05-02", "2026-07-01"},
		{TriggerFirstAfter60Days, "2026-05-03", "2026-08-01"},
		{TriggerFirstAfter90Days, "2026-05-03", "2026-08-01"},
		{TriggerFirstAfter2Months, "2026-05-01", "2026-07-01"},
		{TriggerFirstAfter2Months, "2026-05-02", "2026-08-01"},
		{TriggerFirstWithin60Days, "2026-05-15", "2026-07-01"},
		{TriggerFirstWithin60Days, "2026-05-03", "2026-07-01"},
		{TriggerFirstWithin60Days, "2026-05-01", "2026-06-01"},
		{TriggerNextCalendarYear, "2026-01-01", "2027-01-01"},
		{TriggerNextCalendarYearOrDays60, "2026-05-15", "2026-07-14"},
		{TriggerNextCalendarYearOrDays60, "2026-12-15", "2027-01-01"},
		{TriggerNextApril, "2025-12-31", "2026-04-01"},
		{TriggerNextApril, "2026-04-01", "2027-04-01"},
	} {
		start, ok := test.trigger.Start(calendar.MustDate(test.met))
		require.True(t, ok)
		require.Equal(t, test.start, start.String(), "%s of %s", test.trigger, test.met)
	}
	_, ok := Trigger("SOME_DAY").Start(20260101)
	require.False(t, ok)
}

func sold(day, amount string, count int) DailySales {
	return DailySales{Day: calendar.MustDate(day), Amount: decimal.MustParse(amount), Count: count}
}

// either is a rule of 100,000 or 200 sales in this year or the one before.
func either() Rule {
	return Rule{Country: "US", State: "XX", Seller: SellerAny, Currency: "USD", Test: TestEither,
		Amount: decimal.MustParse("100000"), Count: 200,
		AmountExceeded: true, Period: PeriodCurrentOrPrevious, Exempt: ExemptIncluded, Trigger: TriggerNextTransaction,
		From: calendar.MustDate("2018-10-01")}
}

func with(change func(*Rule)) Rule {
	r := either()
	change(&r)
	return r
}

func TestThresholdsToTheCentAndToTheSale(t *testing.T) {
	t.Parallel()
	both := with(func(r *Rule) { r.Test, r.AmountExceeded = TestBoth, false })
	for _, test := range []struct {
		rule   string
		of     Rule
		amount string
		count  int
		met    bool
	}{
		{"more than: the threshold is not enough", either(), "100000.00", 1, false},
		{"more than: a cent over", either(), "100000.01", 1, true},
		{"at least: a cent under", with(func(r *Rule) { r.AmountExceeded = false }), "99999.99", 1, false},
		{"at least: the threshold", with(func(r *Rule) { r.AmountExceeded = false }), "100000", 1, true},
		{"199 sales", either(), "1", 199, false},
		{"exactly 200 sales", either(), "1", 200, true},
		{"more than 200 sales: 200", with(func(r *Rule) { r.CountExceeded = true }), "1", 200, false},
		{"more than 200 sales: 201", with(func(r *Rule) { r.CountExceeded = true }), "1", 201, true},
		{"both: only the amount", both, "500000", 199, false},
		{"both: only the number", both, "99999.99", 1000, false},
		{"both", both, "100000", 200, true},
		{"only amounts: a thousand sales", with(func(r *Rule) { r.Test = TestSales }), "100000", 1000, false},
		{"only numbers: a million", with(func(r *Rule) { r.Test = TestTransactions }), "1000000", 199, false},
		{
			"no threshold: the first cent", with(func(r *Rule) { r.Test, r.Amount = TestSales, decimal.Zero }),
			"0.01", 1, true,
		},
		{
			"no threshold: nothing sold", with(func(r *Rule) { r.Test, r.Amount = TestSales, decimal.Zero }),
			"0", 1, false,
		},
	} {
		e, err := Evaluate(&test.of, 20260601, []DailySales{
			sold("2026-05-15", test.amount, test.count),
		}, false, ApproachingPercent)
		require.NoError(t, err)
		require.Equal(t, test.met, e.Met, test.rule)
		if test.met {
			require.Equal(t, "2026-05-15", e.MetDate.String(), test.rule)
			require.Equal(t, "2026-05-16", e.ObligationStart.String(), test.rule)
		} else {
			require.True(t, e.MetDate.IsZero() && e.ObligationStart.IsZero(), test.rule)
		}
	}
}

func TestWhichSalesCount(t *testing.T) {
	t.Parallel()
	sales := []DailySales{
		{
			Day: 20260515, Count: 10, Amount: decimal.MustParse("1000"), ExemptCount: 4,
			ExemptAmount: decimal.MustParse("400"), ResaleCount: 1, ResaleAmount: decimal.MustParse("100"),
		},
		{
			Day: 20260515, Marketplace: true, Count: 5, Amount: decimal.MustParse("50"),
			ExemptAmount: decimal.Zero, ResaleAmount: decimal.Zero,
		},
	}
	for _, test := range []struct {
		exempt      ExemptTreatment
		marketplace bool
		presence    bool
		amount      string
		count       int
	}{
		{ExemptIncluded, false, false, "1000", 10},
		{ExemptIncluded, true, false, "1050", 15},
		{ExemptExcluded, false, true, "600", 6},
		{ExemptDepends, false, false, "900", 9},
		{ExemptIncludeIfPresence, false, false, "600", 6},
		{ExemptIncludeIfPresence, false, true, "1000", 10},
		{ExemptSalesOnly, false, false, "1000", 6},
	} {
		rule := with(func(r *Rule) { r.Exempt, r.Marketplace = test.exempt, test.marketplace })
		e, err := Evaluate(&rule, 20260601, sales, test.presence, ApproachingPercent)
		require.NoError(t, err)
		require.Equal(t, test.count, e.Current.Count, "%+v", test)
		require.Zero(t, e.Current.Amount.Cmp(decimal.MustParse(test.amount)), "%+v: %s", test, e.Current.Amount)
	}
}

func TestTheCrossingOfAThreshold(t *testing.T) {
	t.Parallel()
	sales := []DailySales{
		sold("2025-03-01", "60000", 1), sold("2025-12-31", "40000", 1), sold("2026-01-01", "60000", 1),
		sold("2026-02-01", "40000", 1), {
			Day: 20260201, Marketplace: true, Amount: decimal.MustParse("900000"), Count: 900,
		},
		sold("2026-02-02", "0.01", 1), sold("2026-03-01", "-50000", 0),
	}
	rule := either()
	at := func(day string) Evaluation {
		e, err := Evaluate(&rule, calendar.MustDate(day), sales, false, ApproachingPercent)
		require.NoError(t, err)
		return e
	}
	require.False(t, at("2026-02-01").Met, "the years are not added up, and marketplaces do not count")
	crossed := at("2026-02-02")
	require.True(t, crossed.Met)
	require.Equal(t, calendar.MustDate("2026-02-02"), crossed.Current.Crossing)
	require.Equal(t, 3, crossed.Current.CrossingCount)
	require.Equal(t, 2, crossed.Current.BeforeCount)
	require.Equal(t, "100000.00", money.Format(crossed.Current.BeforeAmount))
	require.Equal(t, "100000.01", money.Format(crossed.Current.CrossingAmount))
	require.Equal(t, "2026-02-03", crossed.ObligationStart.String())
	later := at("2026-12-31")
	require.True(t, later.Met, "what is refunded later does not undo the crossing")
	require.Equal(t, "50000.01", money.Format(later.Current.Amount))
	next := at("2027-12-31")
	require.True(t, next.Met, "by the year before")
	require.Equal(t, calendar.MustDate("2026-02-02"), next.MetDate)
	require.False(t, next.Current.Met)
	require.False(t, at("2028-01-01").Met, "forgotten after two years")

	over := with(func(r *Rule) { r.Period, r.Trigger = PeriodPrecedingYear, TriggerNextCalendarYear })
	e, err := Evaluate(&over, 20261231, sales, false, ApproachingPercent)
	require.NoError(t, err)
	require.False(t, e.Met, "2025 made 100,000.00")
	e, err = Evaluate(&over, 20270101, append(sales, sold("2026-12-31", "50000", 1)), false, ApproachingPercent)
	require.NoError(t, err)
	require.True(t, e.Met, "the total of a year that is over counts")
	require.Equal(t, "2026-12-31 2027-01-01", e.MetDate.String()+" "+e.ObligationStart.String())
	require.Equal(t, calendar.MustDate("2026-02-02"), e.Current.Crossing)
}

func TestALawMakesNoNexusBeforeItBegins(t *testing.T) {
	t.Parallel()
	rule := either()
	e, err := Evaluate(&rule, 20181001, []DailySales{sold("2018-02-01", "200000", 1)}, false, ApproachingPercent)
	require.NoError(t, err)
	require.Equal(t, "2018-10-01 2018-10-02", e.MetDate.String()+" "+e.ObligationStart.String())
}

func TestNexusIsApproachingFromFourFifthsOfTheThreshold(t *testing.T) {
	t.Parallel()
	both := with(func(r *Rule) { r.Test = TestBoth })
	for _, test := range []struct {
		of     Rule
		amount string
		count  int
		near   bool
	}{
		{either(), "79999.99", 159, false}, {either(), "80000", 1, true}, {either(), "1", 160, true},
		{either(), "100000.01", 1, false},
		{both, "80000", 159, false}, {both, "80000", 160, true}, {both, "1", 160, false},
		{with(func(r *Rule) { r.Count = 101 }), "1", 80, false}, {with(func(r *Rule) { r.Count = 101 }), "1", 81, true},
		{with(func(r *Rule) { r.Test, r.Amount = TestSales, decimal.Zero }), "0", 0, false},
	} {
		e, err := Evaluate(&test.of, 20260601, []DailySales{
			sold("2026-05-15", test.amount, test.count),
		}, false, ApproachingPercent)
		require.NoError(t, err)
		require.Equal(t, test.near, e.Approaching, "%s %d", test.amount, test.count)
	}
	for _, test := range []struct {
		model  PeriodModel
		amount string
		near   bool
	}{
		{PeriodCurrentOrPrevious, "79999.99", false}, {PeriodCurrentOrPrevious, "80000.00", true},
		{PeriodCalendarYear, "80000.00", false},
	} {
		rule := with(func(r *Rule) { r.Period = test.model })
		e, err := Evaluate(&rule, 20260601, []DailySales{sold("2025-12-31", test.amount, 1)}, false, ApproachingPercent)
		require.NoError(t, err)
		require.Equal(t, test.near, e.Approaching, "the year before made %s: %s", test.amount, test.model)
	}
}

func TestAForecastContinuesTheAverageOfSixMonths(t *testing.T) {
	t.Parallel()
	rule := with(func(r *Rule) { r.Period = PeriodPrevious12Months })
	months := []string{"2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05"}
	sales := func(amounts ...string) (all []DailySales) {
		for i, a := range amounts {
			all = append(all, sold(months[i]+"-10", a, 1))
		}
		return append(all, sold("2026-06-10", "5000", 1))
	}
	for _, test := range []struct {
		rule       string
		sales      []DailySales
		ok         bool
		months     int
		confidence int
	}{
		{"equal months", sales("10000", "10000", "10000", "10000", "10000", "10000"), true, 4, 100},
		{"one month has everything", sales("60000", "0", "0", "0", "0", "0"), true, 4, 0},
		{"the other months alternate", sales("15000", "5000", "15000", "5000", "15000", "5000"), true, 4, 50},
		{"too little", sales("1000", "1000", "1000", "1000", "1000", "1000"), false, 0, 0},
		{"met already", sales("20000", "20000", "20000", "20000", "20000", "20000"), false, 0, 0},
		{"nothing sold", nil, false, 0, 0},
	} {
		f, ok, err := predict(&rule, 20260615, test.sales, false)
		require.NoError(t, err)
		require.Equal(t, test.ok, ok, test.rule)
		require.Equal(t, Forecast{test.months, test.confidence}, f, test.rule)
	}
	yearly := with(func(r *Rule) { r.Period = PeriodCalendarYear })
	_, ok, err := predict(&yearly, 20261115, []DailySales{sold("2026-05-10", "8000", 1), sold("2026-06-10", "8000", 1),
		sold("2026-07-10", "8000", 1),
		sold("2026-08-10", "8000", 1), sold("2026-09-10", "8000", 1), sold("2026-10-10", "8000", 1)}, false)
	require.NoError(t, err)
	require.False(t, ok, "a new year begins with nothing")
}

func TestTheFirstDayOfNexus(t *testing.T) {
	t.Parallel()
	old := with(func(r *Rule) { r.To = calendar.MustDate("2023-06-30") })
	now := with(func(r *Rule) { r.From, r.Test = calendar.MustDate("2023-07-01"), TestSales })
	rules := []Rule{old, now}
	first := func(sales ...DailySales) string {
		e, ok, err := First(rules, calendar.MustDate("2024-12-31"), sales, false)
		require.NoError(t, err)
		if !ok {
			return ""
		}
		return e.MetDate.String()
	}
	require.Equal(t, "2023-06-30", first(sold("2023-06-30", "1", 200)), "the last day on which 200 sales count")
	require.Empty(t, first(sold("2023-06-30", "1", 199), sold("2023-07-01", "1", 1)), "the day after")
	require.Equal(t, "2023-08-01", first(sold("2023-06-30", "1", 199), sold("2023-08-01", "100000", 1)))
	require.Empty(t, first())

	rolling := []Rule{with(func(r *Rule) { r.Period = PeriodPrevious12Months })}
	e, ok, err := First(rolling, calendar.MustDate("2026-12-31"), []DailySales{
		sold("2025-01-10", "60000", 1), sold("2026-01-09", "40000.01", 1), sold("2026-11-01", "60000", 1),
	}, false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "2026-01-09", e.MetDate.String(), "the last day of the window that holds both")
	_, ok, err = First(rolling, calendar.MustDate("2026-10-31"), []DailySales{
		sold("2025-01-10", "60000", 1), sold("2026-01-10", "40000.01", 1),
	}, false)
	require.NoError(t, err)
	require.False(t, ok, "a day later the window has moved on")
}

// Sales of a year met no threshold while a refund of an earlier sale was among them. They meet it on the day on which
// the refund is a year ago, and not before: until then the seller owed nothing.
func TestNexusBeginsWhenARefundLeavesTheWindow(t *testing.T) {
	t.Parallel()
	rolling := []Rule{with(func(r *Rule) { r.Period, r.Trigger = PeriodPrevious12Months, TriggerImmediate })}
	for refund, met := range map[string]string{
		"2025-03-10": "2026-03-10", "2024-02-29": "2025-03-01", "2025-02-28": "2026-02-28",
	} {
		back := calendar.MustDate(refund)
		sales := []DailySales{
			sold(back.AddDays(-366).String(), "60000", 1), sold(refund, "-50000", 0),
			sold(back.AddDays(100).String(), "70000", 1), sold(back.AddDays(200).String(), "40000", 1),
		}
		e, ok, err := First(rolling, back.AddDays(700), sales, false)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, []string{met, met}, []string{e.MetDate.String(), e.ObligationStart.String()})
		require.Equal(t, sales[3].Day, e.Current.Crossing, "the sale that it takes is that of its day")
	}
}

func TestSumsThatDoNotFitAreAnError(t *testing.T) {
	t.Parallel()
	rule := either()
	huge := sold("2026-01-01", "99999999999999999.99", 1)
	_, err := Evaluate(&rule, 20260601, []DailySales{huge, huge}, false, ApproachingPercent)
	require.ErrorIs(t, err, money.ErrOverflow)
	rule.Period = "WEEKLY"
	_, err = Evaluate(&rule, 20260601, nil, false, ApproachingPercent)
	require.ErrorIs(t, err, ErrPeriodModel)
}

// A sum that is too large, and an unknown period model, are errors wherever sales are added up.
func TestEveryFunctionReportsErrors(t *testing.T) {
	t.Parallel()
	huge := sold("2026-01-10", "99999999999999999.99", 1)
	freed := huge
	freed.Amount, freed.ExemptAmount = huge.Amount.Neg(), huge.Amount // the counted amount is twice the amount below zero
	for _, test := range []struct {
		why   string
		rule  Rule
		sales []DailySales
		want  error
	}{
		{"two days that do not add up", with(func(r *Rule) { r.Period = PeriodCalendarYear }),
			[]DailySales{huge, huge}, money.ErrOverflow},
		{"exempt sales that are more than all", with(func(r *Rule) { r.Exempt = ExemptExcluded }),
			[]DailySales{freed}, money.ErrOverflow},
		{"two days of the year before", either(), []DailySales{
			sold("2025-01-10", "99999999999999999.99", 1), sold("2025-02-10", "99999999999999999.99", 1),
		}, money.ErrOverflow},
		{"a period model of another release", with(func(r *Rule) { r.Period = "WEEKLY" }),
			[]DailySales{sold("2026-01-10", "1.00", 1)}, ErrPeriodModel},
		{"no error", either(), []DailySales{huge}, nil},
	} {
		_, err := Evaluate(&test.rule, 20260601, test.sales, false, ApproachingPercent)
		require.ErrorIs(t, err, test.want, test.why)
		_, _, err = First([]Rule{test.rule}, 20260601, test.sales, false)
		require.ErrorIs(t, err, test.want, test.why)
		_, _, err = predict(&test.rule, 20260601, test.sales, false)
		require.ErrorIs(t, err, test.want, test.why)
		_, err = Assess(&Facts{
			Day: 20260601, Terms: test.rule, Rules: []Rule{test.rule}, Sales: test.sales, Approaching: ApproachingPercent,
		})
		require.ErrorIs(t, err, test.want, test.why)
	}
	rule := either()
	for _, sale := range []DailySales{huge, freed} {
		rule.Exempt = ExemptExcluded
		crossing := rule.Crossing(&Measurement{BeforeAmount: huge.Amount}, false)
		crossed, err := crossing.Add(sale)
		require.ErrorIs(t, err, money.ErrOverflow)
		require.False(t, crossed)
	}
	month := []DailySales{sold("2026-01-10", "99999999999999999.99", 1), sold("2026-01-11", "99999999999999999.99", 1)}
	_, _, err := Months(&rule, 20260601, 7, month, false)
	require.ErrorIs(t, err, money.ErrOverflow, "of one month")
	month[1].Day = 20260210
	_, _, err = Months(&rule, 20260601, 7, month, false)
	require.ErrorIs(t, err, money.ErrOverflow, "of two, which have an average together")
	_, _, err = Months(&rule, 20260601, 7, []DailySales{sold("2026-01-10", "90000000000000000.00", 1)}, false)
	require.NoError(t, err)
	large := with(func(r *Rule) { r.Amount = decimal.MustParse("9999999999999999999") })
	_, err = Evaluate(&large, 20260601, nil, false, 100)
	require.ErrorIs(t, err, money.ErrOverflow, "a threshold without an exact share in cents")
}

func TestApproachingAtOtherShares(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		percent int
		amount  string
		count   int
		near    bool
	}{
		{50, "49999.99", 99, false}, {50, "50000.00", 1, true}, {50, "1.00", 100, true},
		{99, "98999.99", 197, false}, {99, "99000.00", 1, true}, {99, "1.00", 198, true},
		{100, "99999.99", 199, false}, {100, "100000.00", 1, true}, // at the threshold, which must be exceeded
		{1, "999.99", 1, false}, {1, "1000.00", 1, true}, {1, "1.00", 2, true},
		{0, "0.00", 0, false}, {0, "0.01", 0, true}, {0, "0.00", 1, true}, // no sales approach nothing
		{50, "100000.01", 1, false}, {50, "-60000.00", 1, false}, // met already; more given back than sold
	} {
		rule := either()
		e, err := Evaluate(&rule, 20260601, []DailySales{
			sold("2026-05-15", test.amount, test.count),
		}, false, test.percent)
		require.NoError(t, err)
		require.Equal(t, test.near, e.Approaching, "%+v", test)
	}
}
