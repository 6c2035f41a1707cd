package calendar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// The quarters of each stagger group, and the year of annual accounting. Other countries and frequencies have no group.
func TestPeriodsOfTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		frequency calendar.FilingFrequency
		year      calendar.TaxYear
		day       calendar.Date
		want      calendar.Period
	}{
		{calendar.FilingQuarterly, calendar.TaxYear{}, 20260315, calendar.Period{Start: 20260101, End: 20260331}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 1}, 20260331, calendar.Period{Start: 20260101, End: 20260331}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 2}, 20260331, calendar.Period{Start: 20260201, End: 20260430}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 2}, 20260131, calendar.Period{Start: 20251101, End: 20260131}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 3}, 20260228, calendar.Period{Start: 20251201, End: 20260228}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 3}, 20260301, calendar.Period{Start: 20260301, End: 20260531}},
		{calendar.FilingQuarterly, calendar.TaxYear{Stagger: 3}, 20271231, calendar.Period{Start: 20271201, End: 20280229}},
		{calendar.FilingMonthly, calendar.TaxYear{Stagger: 3}, 20260315, calendar.Period{Start: 20260301, End: 20260331}},
		{calendar.FilingAnnually, calendar.TaxYear{Stagger: 3}, 20260315, calendar.Period{Start: 20260101, End: 20261231}},
		{
			calendar.FilingAnnually, calendar.TaxYear{AnnualEnd: time.April}, 20260501,
			calendar.Period{Start: 20260501, End: 20270430},
		},
		{
			calendar.FilingAnnually, calendar.TaxYear{AnnualEnd: time.December}, 20260501,
			calendar.Period{Start: 20260101, End: 20261231},
		},
	} {
		test.year.Country, test.year.State = "GB", "GB"
		got, ok := test.frequency.PeriodOn(test.day, test.year)
		require.True(t, ok)
		require.Equal(t, test.want, got, "%s %+v", test.frequency, test.year)
	}
	got, _ := calendar.FilingQuarterly.PeriodOn(20260331, calendar.TaxYear{Country: "DE", State: "DE", Stagger: 2})
	require.Equal(t, calendar.Period{Start: 20260101, End: 20260331}, got)
}

// A return is due one month and seven days after its period, that of a year at the end of the second month.
func TestDueDaysOfTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	for _, test := range []struct {
		frequency calendar.FilingFrequency
		end, due  calendar.Date
	}{
		{calendar.FilingMonthly, 20260131, 20260307}, {calendar.FilingQuarterly, 20260331, 20260507},
		{calendar.FilingQuarterly, 20260430, 20260607}, {calendar.FilingQuarterly, 20260531, 20260707},
		{calendar.FilingQuarterly, 20261130, 20270107},
		{calendar.FilingAnnually, 20260331, 20260531}, {calendar.FilingAnnually, 20260430, 20260630},
		{calendar.FilingAnnually, 20261231, 20270228}, {calendar.FilingAnnually, 20261130, 20270131},
		{calendar.FilingAnnualFiscalYear, 20260630, 20260831},
	} {
		p := calendar.FilingPeriod{Period: calendar.Period{Start: test.end, End: test.end}, Category: calendar.FilingRegular}
		due, ok := content.Calendar().DueIn("GB", "GB", test.frequency, p)
		require.True(t, ok)
		require.Equal(t, test.due, due.Date, "%s that ends on %s", test.frequency, test.end)
	}
}

// Holidays as the government published them for England and Wales, and the days before them.
func TestPaymentsArriveOnAWorkingDay(t *testing.T) {
	t.Parallel()
	for day, want := range map[calendar.Date]calendar.Date{
		20260507: 20260507, // a Thursday
		20260607: 20260605, // a Sunday
		20230407: 20230406, // Good Friday
		20210405: 20210401, // Easter Monday
		20200508: 20200507, // the early May holiday of 2020
		20200504: 20200504, // the holiday of May moved in 2020
		20260504: 20260501, // early May
		20220603: 20220601, // the platinum jubilee, and the spring holiday that was moved
		20220530: 20220530,
		20220919: 20220916, 20230508: 20230505,
		20260525: 20260522, 20260831: 20260828,
		20220103: 20211231, // 1 January was a Saturday
		20270101: 20261231,
		20261228: 20261224, // Boxing Day was a Saturday
		20211228: 20211224, // Christmas was a Saturday
		20221227: 20221223, // Christmas was a Sunday
		20260316: 20260316,
	} {
		got, ok := calendar.LastWorkingDay("GB", day)
		require.True(t, ok)
		require.Equal(t, want, got, day)
	}
	_, ok := calendar.LastWorkingDay("DE", 20260607)
	require.False(t, ok, "its holidays are not known")
}
