package rules

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

func soldOn(date, country, state, currency, amount string) models.NexusDay {
	return models.NexusDay{
		CountryCode: country, StateCode: state, Currency: currency, Day: day(date), N: 1, Amount: amountOf(amount),
	}
}

var texas = nexus.Place{Country: "US", State: "TX", Name: "Texas"}

func TestTheSalesOfAJurisdiction(t *testing.T) {
	t.Parallel()
	rates := Rates{
		{From: "EUR", To: "USD", Day: day("2026-05-01")}: {Rate: decimal.MustParse("1.1")},
		{From: "EUR", To: "USD", Day: day("2026-05-02")}: {Rate: decimal.MustParse("1.2")},
	}
	three := soldOn("2026-05-03", "US", "TX", "EUR", "10.00")
	three.N = 3
	marketplace := soldOn("2026-05-01", "US", "TX", "USD", "7.00")
	marketplace.Marketplace, marketplace.CollectedTax = true, amountOf("9.00")
	for name, c := range map[string]struct {
		place       nexus.Place
		days        []models.NexusDay
		want        []string // day, whether through a marketplace, count, amount
		missing     int
		unconverted int
	}{
		"nothing": {place: texas},
		"sales to other states do not count": {
			place: texas, want: []string{"20260501 false 1 10.00"},
			days: []models.NexusDay{
				soldOn("2026-05-01", "US", "TX", "USD", "10.00"),
				soldOn("2026-05-01", "US", "NY", "USD", "90.00"),
			},
		},
		"currencies of one day are added up": {
			place: texas, want: []string{"20260501 false 2 21.00"},
			days: []models.NexusDay{
				soldOn("2026-05-01", "US", "TX", "USD", "10.00"),
				soldOn("2026-05-01", "US", "TX", "EUR", "10.00"),
			},
		},
		"each at the rate of its day": {
			place: texas, want: []string{"20260501 false 1 11.00", "20260502 false 1 12.00"},
			days: []models.NexusDay{
				soldOn("2026-05-01", "US", "TX", "EUR", "10.00"),
				soldOn("2026-05-02", "US", "TX", "EUR", "10.00"),
			},
		},
		"marketplaces stand apart, and what they collect is theirs": {
			place: texas, want: []string{"20260501 true 1 7.00", "20260501 false 1 1.00"},
			days: []models.NexusDay{marketplace, soldOn("2026-05-01", "US", "TX", "USD", "1.00")},
		},
		"without a rate only the number counts": {
			place: texas, want: []string{"20260503 false 3 0"}, missing: 1, unconverted: 3,
			days: []models.NexusDay{three},
		},
		"the union counts all members but the seller's own": {
			place: nexus.Place{Country: nexus.EuropeanUnion}, want: []string{"20260501 false 2 3.00"},
			days: []models.NexusDay{
				soldOn("2026-05-01", "FR", "", "USD", "1.00"),
				soldOn("2026-05-01", "SE", "", "USD", "2.00"), soldOn("2026-05-01", "DE", "", "USD", "50.00"),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sold, err := NexusSalesIn(&models.NexusCase{Home: "DE", Days: c.days}, c.place, "USD", onDay, rates)
			require.NoError(t, err)
			var shown []string
			for _, d := range sold.Days {
				amount := d.Amount.String()
				shown = append(shown, d.Day.Time().Format("20060102")+map[bool]string{
					true: " true ", false: " false ",
				}[d.Marketplace]+
					string(rune('0'+d.Count))+" "+amount)
			}
			require.Equal(t, c.want, shown)
			require.Len(t, sold.Missing, c.missing)
			require.Equal(t, c.unconverted, sold.Unconverted)
		})
	}
}

// Tax is collected there while, in any currency, more of it was taken than given back: rates have no part in it.
func TestSinceWhenTaxIsCollected(t *testing.T) {
	t.Parallel()
	collected := func(date, currency, amount string) models.NexusDay {
		d := soldOn(date, "US", "TX", currency, "0.00")
		d.N, d.CollectedTax = 0, amountOf(amount)
		return d
	}
	marketplace := collected("2026-05-01", "USD", "9.00")
	marketplace.Marketplace = true
	elsewhere := collected("2026-05-01", "USD", "9.00")
	elsewhere.StateCode = "NY"
	for name, c := range map[string]struct {
		days  []models.NexusDay
		since string
	}{
		"never": {},
		"from the first day with more than nothing": {[]models.NexusDay{
			collected("2026-05-01", "USD", "0.00"), collected("2026-05-02", "USD", "2.00"),
			collected("2026-05-03", "USD", "-1.00"),
		}, "2026-05-02"},
		"today":                               {[]models.NexusDay{collected("2026-05-15", "USD", "2.00")}, "2026-05-15"},
		"a later day makes nothing yet":       {[]models.NexusDay{collected("2026-05-16", "USD", "2.00")}, ""},
		"what marketplaces collect is theirs": {[]models.NexusDay{marketplace}, ""},
		"other states are others":             {[]models.NexusDay{elsewhere}, ""},
		"a refund of a later day takes nothing back yet": {[]models.NexusDay{
			collected("2026-05-01", "USD", "2.00"), collected("2026-05-16", "USD", "-2.00"),
		}, "2026-05-01"},
		"all was given back": {[]models.NexusDay{
			collected("2026-05-01", "USD", "2.00"), collected("2026-05-02", "USD", "-2.00"),
		}, ""},
		"it began again": {[]models.NexusDay{
			collected("2026-05-01", "USD", "2.00"), collected("2026-05-02", "USD", "-2.00"),
			collected("2026-05-05", "USD", "3.00"), collected("2026-05-06", "USD", "3.00"),
		}, "2026-05-05"},
		"within one day it does not end": {[]models.NexusDay{
			collected("2026-05-01", "EUR", "2.00"), collected("2026-05-02", "EUR", "-2.00"),
			collected("2026-05-02", "USD", "3.00"),
		}, "2026-05-01"},
		"another currency continues it": {[]models.NexusDay{
			collected("2026-05-01", "EUR", "2.00"), collected("2026-05-02", "USD", "3.00"),
			collected("2026-05-03", "EUR", "-2.00"),
		}, "2026-05-01"},
		"all was given back at another rate": {[]models.NexusDay{
			collected("2026-05-02", "EUR", "10.00"), collected("2026-05-05", "EUR", "-10.00"),
		}, ""},
		"there is no rate": {[]models.NexusDay{collected("2026-05-03", "EUR", "10.00")}, "2026-05-03"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rates := Rates{
				{From: "EUR", To: "USD", Day: day("2026-05-01")}: {Rate: decimal.MustParse("1.1")},
				{From: "EUR", To: "USD", Day: day("2026-05-02")}: {Rate: decimal.MustParse("1.2")},
				{From: "EUR", To: "USD", Day: day("2026-05-05")}: {Rate: decimal.MustParse("1.1")},
			}
			sold, err := NexusSalesIn(&models.NexusCase{Home: "DE", Days: c.days}, texas, "USD", onDay, rates)
			require.NoError(t, err)
			var since calendar.Date
			if c.since != "" {
				since = calendar.MustDate(c.since)
			}
			require.Equal(t, since, sold.CollectedSince)
		})
	}
}

func TestRatesThatAnEvaluationNeeds(t *testing.T) {
	t.Parallel()
	c := &models.NexusCase{
		Records: []models.NexusState{
			{
				NexusRecord: models.NexusRecord{CountryCode: "US", StateCode: "TX"},
			}, {NexusRecord: models.NexusRecord{CountryCode: "GB", StateCode: "GB"}},
		},
		Days: []models.NexusDay{
			soldOn("2026-05-01", "US", "TX", "EUR", "1"),
			soldOn("2026-05-01", "US", "TX", "EUR", "2"), soldOn("2026-05-01", "US", "TX", "USD", "1"),
			soldOn("2026-05-01", "GB", "", "USD", "1"), soldOn("2026-05-01", "US", "NY", "EUR", "1"),
		},
	}
	require.ElementsMatch(t, []models.CurrencyPair{
		{From: "EUR", To: "USD", Day: day("2026-05-01")}, {From: "USD", To: "GBP", Day: day("2026-05-01")},
	}, NexusRatesFor(c, []nexus.Rule{{Currency: "USD"}, {Currency: "GBP"}}, onDay))
}

func TestPresencesOfAJurisdiction(t *testing.T) {
	t.Parallel()
	presence := func(country, state, start string, end *string) models.PhysicalNexus {
		p := models.PhysicalNexus{CountryCode: country, StateCode: state, StartDate: day(start)}
		if end != nil {
			p.EndDate = at(*end)
		}
		return p
	}
	c := &models.NexusCase{Presences: []models.PhysicalNexus{
		presence("US", "TX", "2026-01-01", nil), presence("US", "TX", "2025-01-01", given("2025-02-01")),
		presence("US", "TX", "2026-05-16", nil),
		presence("US", "NY", "2026-01-01", nil), presence("DE", "DE", "2026-01-01", nil),
	}}
	require.Equal(t, []calendar.Period{
		{Start: calendar.MustDate("2026-01-01")},
		{Start: calendar.MustDate("2025-01-01"), End: calendar.MustDate("2025-02-01")},
	}, PresencesIn(c, texas, onDay), "one that has not begun does not count")
	require.Len(t, PresencesIn(c, nexus.Place{Country: "DE"}, onDay), 1)
	require.Len(t, PresencesIn(c, nexus.Place{Country: "US"}, onDay), 3, "a whole country has those of its states")
	require.Len(t, PresencesIn(c, texas, onDay.AddDays(1)), 3)
}

// evaluationIn is that of one jurisdiction by the embedded content.
func evaluationIn(t *testing.T, country, state string, days ...models.NexusDay) *NexusEvaluation {
	t.Helper()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	before := models.NexusState{NexusRecord: models.NexusRecord{CountryCode: country, StateCode: state}}
	c := &models.NexusCase{Home: "DE", Records: []models.NexusState{before}, Days: days}
	return &NexusEvaluation{
		Case: c, Before: before, Content: law, Terms: law.Nexus().Terms(before.Place(), c.Home, onDay),
		Today: onDay, Approaching: 80, Rates: Rates{},
	}
}

func TestAThresholdIsExactToTheCent(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]models.NexusStatus{
		"399999.99": models.NexusNotExposed, "400000.00": models.NexusApproaching, "500000.00": models.NexusExposed,
	} {
		e := evaluationIn(t, "US", "TX", soldOn("2026-05-01", "US", "TX", "USD", amount))
		after, err := e.Assess()
		require.NoError(t, err)
		require.Equal(t, want, after.Status, amount)
		require.False(t, e.Present())
	}
}

func TestAnEvaluationReadsOnlyTheSalesThatItNeeds(t *testing.T) {
	t.Parallel()
	e := evaluationIn(
		t, "US", "TX", soldOn("2026-05-01", "US", "TX", "USD", "10.00"),
		soldOn("2026-05-02", "US", "TX", "USD", "10.00"), soldOn("2026-05-03", "US", "TX", "USD", "10.00"),
		soldOn("2026-05-04", "US", "TX", "USD", "-5.00"),
	)
	e.Case.Days[3].N = 0 // a refund
	e.Case.Days[1].Marketplace, e.Case.Days[1].CollectedTax = true, amountOf("1.00")
	e.Case.Days[2].CollectedTax = amountOf("1.00")
	after, err := e.Assess()
	require.NoError(t, err)
	q, sold := e.DetailQuery(&after)
	require.True(t, sold)
	require.Equal(t, models.NexusDetailQuery{
		Country: "US", AuthorityState: "TX", Countries: []string{"US"}, State: "TX", Currency: "USD",
		First: day("2026-05-01"), Last: day("2026-05-03"), Collected: at("2026-05-03"), ObligedFrom: at("2026-05-03"),
	}, q, "what was collected without an obligation is owed, too")

	e.Case.Days[3].CollectedTax = amountOf("-1.00")
	after, err = e.Assess()
	require.NoError(t, err)
	q, _ = e.DetailQuery(&after)
	require.Equal(t, at("2026-05-03"), q.Collected, "the first sale with tax, though all of it was given back")
	require.Nil(t, q.ObligedFrom, "so that nothing is owed")

	none := evaluationIn(t, "US", "TX")
	after, err = none.Assess()
	require.NoError(t, err)
	q, sold = none.DetailQuery(&after)
	require.False(t, sold)
	require.Nil(t, q.ObligedFrom)
	WithoutSales(&after)
	require.Equal(t, "0.00", after.TaxLiability.String())

	union := evaluationIn(t, nexus.EuropeanUnion, nexus.EuropeanUnion)
	countries, state := union.Countries()
	require.Empty(t, state)
	require.NotContains(t, countries, "DE")
	require.Contains(t, countries, "FR")
	require.True(t, union.Counts("FR", "") && !union.Counts("DE", "") && !union.Counts("US", "TX"))
}

func TestTaxesOfARecord(t *testing.T) {
	t.Parallel()
	e := evaluationIn(t, "US", "TX")
	found := models.NexusDetail{Taxes: []models.NexusTaxSum{
		{Currency: "USD", Calculated: amountOf("1.00"), Imported: amountOf("2.00"), Liability: amountOf("3.00")},
		{
			Currency: "EUR", Day: at("2026-05-01"), Calculated: amountOf("10.00"), Imported: amountOf("0.01"),
			Liability: amountOf("0.00"),
		},
	}}
	pairs := e.TaxRates(found.Taxes)
	require.Equal(t, []models.CurrencyPair{{From: "EUR", To: "USD", Day: day("2026-05-01")}}, pairs)
	for name, c := range map[string]struct {
		rates   Rates
		obliged bool
		want    []string
		missing bool
	}{
		"converted and added up": {
			Rates{pairs[0]: {Rate: decimal.MustParse("1.5")}}, true, []string{"16.00", "2.02", "3.00"}, false,
		},
		"without an obligation nothing is charged": {
			Rates{pairs[0]: {Rate: decimal.MustParse("1.5")}}, false, []string{"0.00", "2.02", "3.00"}, false,
		},
		"without a rate it is left out": {nil, true, []string{"1.00", "2.00", "3.00"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := *e
			r := own.Before
			if c.obliged {
				r.ObligedFrom = at("2026-01-01")
			}
			require.NoError(t, own.Detail(&r, found, c.rates))
			require.Equal(t, c.want, []string{
				r.CalculatedTaxLiability.String(), r.ImportedTaxLiability.String(), r.TaxLiability.String(),
			})
			require.Equal(t, c.missing, len(own.Missing) > 0)
			require.Equal(t, c.missing, own.Finish(r, day("2026-05-15")).WithoutRate)
		})
	}
}

func TestTheCrossingSaleIsSearchedAgainWhenItsPeriodChanges(t *testing.T) {
	t.Parallel()
	e := evaluationIn(t, "US", "TX")
	rule := e.RuleOn(onDay)
	require.Equal(t, e.Terms.Amount, rule.Amount)
	require.Equal(t, e.Terms, e.RuleOn(calendar.MustDate("1990-01-01")), "before any rule the terms of today count")
	period := nexus.Measurement{Crossing: onDay, CrossingCount: 1, CrossingAmount: amountOf("600000.00")}
	base := e.FoundBy(&rule, &period)
	require.Equal(t, base, e.FoundBy(&rule, &nexus.Measurement{
		Crossing: onDay, CrossingCount: 1, CrossingAmount: amountOf("600000"),
	}))
	period.BeforeCount = 1
	require.NotEqual(t, base, e.FoundBy(&rule, &period))
}

func TestOnlyAChangedRecordGetsANewTime(t *testing.T) {
	t.Parallel()
	e := evaluationIn(t, "US", "TX")
	same := e.Finish(e.Before, day("2026-05-15"))
	require.False(t, same.Changed)
	require.True(t, same.UpdatedAt.IsZero())
	after := e.Before
	after.Status = models.NexusExposed
	changed := e.Finish(after, day("2026-05-15"))
	require.True(t, changed.Changed)
	require.Equal(t, day("2026-05-15"), changed.UpdatedAt)
}

// All that was sold on a day is taken back, by two refunds of different days, when the rate is another one: nothing is left
// of it. Converted each by itself, at the rate of its sale, the refunds would leave a cent.
func TestRefundsTakeBackWhatTheirSalesWereConvertedTo(t *testing.T) {
	t.Parallel()
	rates := Rates{
		{From: "EUR", To: "USD", Day: day("2026-05-01")}: {Rate: decimal.MustParse("1.15")},
		{From: "EUR", To: "USD", Day: day("2026-05-02")}: {Rate: decimal.MustParse("1.3")},
	}
	refund := func(on, amount string) models.NexusDay {
		d, sold := soldOn(on, "US", "TX", "EUR", amount), day("2026-05-01")
		d.N, d.SoldOn = 0, &sold
		return d
	}
	c := &models.NexusCase{Days: []models.NexusDay{
		soldOn("2026-05-01", "US", "TX", "EUR", "20.06"),
		soldOn("2026-05-02", "US", "TX", "EUR", "10.00"), refund("2026-05-02", "-10.03"), refund("2026-05-03", "-10.03"),
	}}
	sold, err := NexusSalesIn(c, texas, "USD", onDay, rates)
	require.NoError(t, err)
	require.Empty(t, sold.Missing)
	var amounts []string
	for _, d := range sold.Days {
		amounts = append(amounts, d.Amount.String())
	}
	require.Equal(t, []string{"23.07", "1.46", "-11.53"}, amounts)
}
