package rules

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// onDay is the day for which the records of these tests are evaluated.
var onDay = calendar.MustDate("2026-05-15")

func at(text string) *time.Time {
	moment := day(text)
	return &moment
}

func registered(status models.RegistrationStatus, from, last string) *models.NexusRegistration {
	return &models.NexusRegistration{
		ID: "regs_1", Status: string(status), RegistrationDate: given(from), DeregistrationDate: given(last),
	}
}

// after is a registration in a jurisdiction where earlier ones have ended.
func after(g *models.NexusRegistration, ended ...*models.NexusRegistration) *models.NexusRegistration {
	for _, earlier := range ended {
		g.Earlier = append(g.Earlier, *earlier)
	}
	return g
}

func TestStatusOfANexusRecord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		registration *models.NexusRegistration
		found        models.NexusFinding
		approaching  bool
		want         models.NexusStatus
	}{
		"nothing was found":   {nil, models.NexusFinding{}, false, models.NexusNotExposed},
		"a threshold is near": {nil, models.NexusFinding{}, true, models.NexusApproaching},
		"it was crossed":      {nil, models.NexusFinding{EconomicNexusMet: true}, true, models.NexusExposed},
		"there is a presence": {nil, models.NexusFinding{PhysicalNexusMet: true}, false, models.NexusExposed},
		"tax was collected":   {nil, models.NexusFinding{CollectedTaxNexusMet: true}, false, models.NexusExposed},
		"it is registered": {
			registered(models.RegistrationRegistered, "", ""), models.NexusFinding{}, false,
			models.NexusRegistered,
		},
		"the end is under way": {
			registered(models.RegistrationDeregistering, "", ""), models.NexusFinding{}, false,
			models.NexusRegistered,
		},
		"it asks to register": {
			registered(models.RegistrationUnregistered, "", ""), models.NexusFinding{}, true,
			models.NexusPendingRegistration,
		},
		"it was handed over": {
			registered(models.RegistrationProcessing, "", ""), models.NexusFinding{}, false,
			models.NexusPendingRegistration,
		},
		"it is being decided": {
			registered(models.RegistrationValidating, "", ""), models.NexusFinding{}, false,
			models.NexusPendingRegistration,
		},
		"it waits for people": {
			registered(models.RegistrationClarification, "", ""), models.NexusFinding{}, false,
			models.NexusPendingRegistration,
		},
		"an end leaves what was found": {
			registered(models.RegistrationDeregistered, "", ""),
			models.NexusFinding{EconomicNexusMet: true}, false, models.NexusExposed,
		},
		"so does a cancellation": {
			registered(models.RegistrationCancelled, "", ""), models.NexusFinding{}, true,
			models.NexusApproaching,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := models.NexusState{NexusRecord: models.NexusRecord{Registration: c.registration, NexusFinding: c.found}}
			require.Equal(t, c.want, nexusStatusOf(&r, c.approaching))
		})
	}
}

func TestDaysThatARegistrationCovers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		registration *models.NexusRegistration
		first, last  string
	}{
		"none":                        {registration: nil},
		"one without a date":          {registration: registered(models.RegistrationRegistered, "", "")},
		"one with an unreadable date": {registration: registered(models.RegistrationRegistered, "soon", "")},
		"in force": {
			registration: registered(models.RegistrationRegistered, "2026-01-01", ""), first: "2026-01-01",
		},
		"in force until its end is confirmed": {
			registration: registered(models.RegistrationDeregistering, "2026-01-01", "2026-03-31"), first: "2026-01-01",
		},
		"ended": {
			registration: registered(models.RegistrationDeregistered, "2026-01-01", "2026-03-31"),
			first:        "2026-01-01", last: "2026-03-31",
		},
		"ended on the day it began": {
			registration: registered(models.RegistrationDeregistered, "2026-01-01", "2026-01-01"),
			first:        "2026-01-01", last: "2026-01-01",
		},
		"ended before it began": {
			registration: registered(models.RegistrationDeregistered, "2026-01-02", "2026-01-01"),
		},
		"ended on an unknown day":    {registration: registered(models.RegistrationDeregistered, "2026-01-01", "")},
		"on its way":                 {registration: registered(models.RegistrationProcessing, "2026-01-01", "")},
		"cancelled before it began":  {registration: registered(models.RegistrationCancelled, "2026-01-01", "")},
		"waiting for its onboarding": {registration: registered(models.RegistrationUnregistered, "2026-01-01", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, last, ok := registeredDays(c.registration)
			require.Equal(t, c.first != "", ok)
			if !ok {
				return
			}
			require.Equal(t, calendar.MustDate(c.first), first)
			if c.last == "" {
				require.Zero(t, last, "it goes on")
				return
			}
			require.Equal(t, calendar.MustDate(c.last), last)
		})
	}
}

func TestTheDaysOnWhichTaxMustBeCollected(t *testing.T) {
	t.Parallel()
	economic := &nexus.Assessment{First: nexus.Evaluation{ObligationStart: calendar.MustDate("2026-03-01")}}
	shop := calendar.Period{Start: calendar.MustDate("2026-02-01"), End: calendar.MustDate("2026-02-20")}
	open := calendar.Period{Start: calendar.MustDate("2026-04-10")}
	disregarded := func(kinds ...models.NexusKind) models.NexusDisregard {
		return models.NexusDisregard{DisregardedAt: at("2026-05-01"), Kinds: kinds}
	}
	for name, c := range map[string]struct {
		assessed     *nexus.Assessment
		presences    []calendar.Period
		disregard    models.NexusDisregard
		registration *models.NexusRegistration
		start        string // of the obligation that there is by nexus today
		from, until  string
		gaps         []models.Gap
	}{
		"nothing obliges":                 {assessed: &nexus.Assessment{}},
		"economic nexus obliges for good": {assessed: economic, start: "2026-03-01", from: "2026-03-01"},
		"a presence obliges for its days": {
			assessed: &nexus.Assessment{}, presences: []calendar.Period{shop}, from: "2026-02-01", until: "2026-02-20",
		},
		"one that ends today obliges today": {
			assessed: &nexus.Assessment{}, presences: []calendar.Period{{Start: shop.Start, End: onDay}},
			start: "2026-02-01", from: "2026-02-01", until: "2026-05-15",
		},
		"one that ended yesterday does not": {
			assessed: &nexus.Assessment{}, presences: []calendar.Period{{Start: shop.Start, End: onDay.AddDays(-1)}},
			from: "2026-02-01", until: "2026-05-14",
		},
		"one that lasts goes on": {
			assessed: &nexus.Assessment{}, presences: []calendar.Period{open}, start: "2026-04-10", from: "2026-04-10",
		},
		"days between are a gap": {
			assessed: economic, presences: []calendar.Period{shop}, start: "2026-02-01", from: "2026-02-01",
			gaps: []models.Gap{{Start: calendar.MustDate("2026-02-21"), End: calendar.MustDate("2026-02-28")}},
		},
		"economic nexus that is disregarded": {
			assessed: economic, presences: []calendar.Period{open}, disregard: disregarded(models.NexusEconomic),
			start: "2026-04-10", from: "2026-04-10",
		},
		"a presence that is disregarded": {
			assessed: economic, presences: []calendar.Period{shop}, disregard: disregarded(models.NexusPhysical),
			start: "2026-03-01", from: "2026-03-01",
		},
		"a registration obliges whatever is disregarded": {
			assessed: economic, disregard: disregarded(models.NexusEconomic),
			registration: registered(models.RegistrationRegistered, "2026-05-01", ""), from: "2026-05-01",
		},
		"for its days": {
			assessed: &nexus.Assessment{}, registration: registered(
				models.RegistrationDeregistered, "2026-01-01", "2026-03-31",
			),
			from: "2026-01-01", until: "2026-03-31",
		},
		"one after another that ended": {
			assessed: &nexus.Assessment{}, registration: after(
				registered(models.RegistrationRegistered, "2026-05-01", ""),
				registered(models.RegistrationDeregistered, "2026-01-01", "2026-03-31"),
			),
			from: "2026-01-01",
			gaps: []models.Gap{{Start: calendar.MustDate("2026-04-01"), End: calendar.MustDate("2026-04-30")}},
		},
		"one on its way after others that ended": {
			assessed: &nexus.Assessment{}, registration: after(
				registered(models.RegistrationProcessing, "2026-06-01", ""),
				registered(models.RegistrationDeregistered, "2025-01-01", "2025-12-31"),
				registered(models.RegistrationDeregistered, "2026-01-01", "2026-03-31"),
			),
			from: "2025-01-01", until: "2026-03-31",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := models.NexusState{
				NexusRecord: models.NexusRecord{Registration: c.registration, Disregard: c.disregard},
			}
			setObligation(&r, c.assessed, c.presences, onDay)
			date := func(text string) *time.Time {
				if text == "" {
					return nil
				}
				return at(text)
			}
			require.Equal(t, date(c.start), r.ObligationStartDate)
			require.Equal(t, date(c.from), r.ObligedFrom)
			require.Equal(t, date(c.until), r.ObligedUntil)
			require.Equal(t, append([]models.Gap{}, c.gaps...), r.ObligedGaps)
		})
	}
}

func TestWhenVoluntaryDisclosureIsOffered(t *testing.T) {
	t.Parallel()
	rule := nexus.Rule{Test: nexus.TestSales, Amount: amountOf("100000"), Currency: "USD"}
	for name, c := range map[string]struct {
		met          string
		registration *models.NexusRegistration
		want         bool
	}{
		"90 days after nexus it is too early": {"2026-02-14", nil, false},
		"a day later it is not":               {"2026-02-13", nil, true},
		"nor for one that is registered":      {"2026-01-01", registered(models.RegistrationRegistered, "", ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := models.NexusState{NexusRecord: models.NexusRecord{Registration: c.registration}}
			e := NexusEvaluation{
				Before: before, Terms: rule, Today: onDay, Assessment: nexus.Assessment{Economic: calendar.MustDate(c.met)},
			}
			after, err := e.decide(nil)
			require.NoError(t, err)
			require.Equal(t, c.want, after.VDAEligible)
			require.Equal(t, at(c.met), after.NexusMetDate)
		})
	}
}

func TestKindsOfNexusAndTheirDays(t *testing.T) {
	t.Parallel()
	rule := nexus.Rule{Test: nexus.TestSales, Amount: amountOf("100000"), Currency: "USD"}
	e := NexusEvaluation{
		Terms: rule, Today: onDay, Sales: NexusSold{CollectedSince: calendar.MustDate("2026-01-05")},
		Assessment: nexus.Assessment{
			Economic: calendar.MustDate("2026-03-01"), Physical: calendar.MustDate("2026-02-01"),
		},
	}
	after, err := e.decide(nil)
	require.NoError(t, err)
	require.Equal(t, []*time.Time{at("2026-03-01"), at("2026-02-01"), at("2026-01-05"), at("2026-01-05")},
		[]*time.Time{
			after.EconomicNexusMetDate, after.PhysicalNexusMetDate, after.CollectedTaxNexusMetDate,
			after.NexusMetDate,
		})
	require.True(t, after.EconomicNexusMet && after.PhysicalNexusMet && after.CollectedTaxNexusMet && after.NexusMet)
	require.Equal(t, "100000.00", after.ThresholdSales.String())

	e.Sales.CollectedSince = 0
	e.Before = models.NexusState{NexusRecord: models.NexusRecord{Disregard: models.NexusDisregard{
		DisregardedAt: at("2026-05-01"), DisregardedUntil: at("2026-05-16"), Kinds: []models.NexusKind{models.NexusPhysical},
	}}}
	after, err = e.decide(nil)
	require.NoError(t, err)
	require.False(t, after.CollectedTaxNexusMet, "what was collected was given back")
	require.True(t, after.PhysicalNexusMet, "it is listed, although it does not count")
	require.Equal(t, at("2026-03-01"), after.NexusMetDate)
	e.Today = onDay.AddDays(1)
	after, err = e.decide(nil)
	require.NoError(t, err)
	require.Equal(t, at("2026-02-01"), after.NexusMetDate, "the decision has ended")
}

func TestARecordShowsTheCurrentForecast(t *testing.T) {
	t.Parallel()
	rule := nexus.Rule{Test: nexus.TestTransactions, Count: 200, Currency: "USD"}
	months := 3
	before := models.NexusState{
		NexusRecord: models.NexusRecord{NexusFinding: models.NexusFinding{PredictedMonthFromToday: &months}},
	}
	e := NexusEvaluation{Before: before, Terms: rule, Today: onDay}
	after, err := e.decide(nil)
	require.NoError(t, err)
	require.Nil(t, after.PredictedMonthFromToday)
	e.Assessment.Forecast = &nexus.Forecast{Months: 2, Confidence: 80}
	after, err = e.decide(nil)
	require.NoError(t, err)
	require.Equal(t, []int{2, 80}, []int{*after.PredictedMonthFromToday, *after.ConfidenceLevel})
	require.Nil(t, after.ThresholdSales)
	require.Equal(t, 200, *after.ThresholdTransactions)
}

func TestSalesOfThePeriodsOfARecord(t *testing.T) {
	t.Parallel()
	year := func(start, end string) nexus.Measurement {
		return nexus.Measurement{Period: calendar.Period{Start: calendar.MustDate(start), End: calendar.MustDate(end)}}
	}
	current, previous := year("2026-01-01", "2026-12-31"), year("2025-01-01", "2025-12-31")
	current.Count, current.Amount = 2, amountOf("30")
	previous.Count, previous.Amount = 1, amountOf("10")
	assessed := nexus.Assessment{
		Now:     nexus.Evaluation{Current: current, Previous: &previous},
		Periods: []nexus.Measurement{current, previous},
	}
	sold := NexusSold{Days: []nexus.DailySales{
		{Day: calendar.MustDate("2025-12-31"), Count: 1, Amount: amountOf("10.00")},
		{
			Day: calendar.MustDate("2026-01-01"), Count: 2, Amount: amountOf("30.00"), ExemptCount: 1,
			ExemptAmount: amountOf("5.00"),
		},
		{
			Day: calendar.MustDate("2026-01-01"), Marketplace: true, Count: 4, Amount: amountOf("70.00"), ExemptCount: 1,
			ExemptAmount: amountOf("2.00"),
		},
		{Day: calendar.MustDate("2024-12-31"), Count: 9, Amount: amountOf("90.00")},
	}}
	e := NexusEvaluation{Today: onDay, Assessment: assessed, Sales: sold}
	e.Before.Periods = []models.NexusPeriod{
		{StartDate: previous.Start, EndDate: previous.End, CrossingTransactionID: "txn_1", FoundBy: "x"},
		{StartDate: previous.Start, EndDate: current.End, CrossingTransactionID: "txn_2"},
	}
	r, err := e.decide(nil)
	require.NoError(t, err)
	require.Equal(t, []int{7, 3, 2, 4}, []int{
		r.TotalTransactions, r.TotalTransactionsIncluded, r.TotalTransactionsExempted, r.TotalTransactionsMarketplace,
	})
	require.Equal(t, []string{"30.00", "10.00"}, []string{
		r.TransactionsAmount.String(), r.PreviousTransactionsAmount.String(),
	})
	require.Equal(t, at("2025-01-01"), r.PreviousPeriodStartDate)
	require.Len(t, r.Periods, 2)
	require.Equal(t, []string{"7.00", "70.00"}, []string{
		r.Periods[0].ExemptAmount.String(), r.Periods[0].MarketplaceAmount.String(),
	})
	require.Equal(t, "txn_1", r.Periods[1].CrossingTransactionID, "what was found for a period is kept")
	require.Empty(t, r.Periods[0].CrossingTransactionID)
}

func TestARecordIsComparedWithItsPreviousState(t *testing.T) {
	t.Parallel()
	seen := int64(4)
	for name, c := range map[string]struct {
		alter func(*models.NexusState)
		want  bool
	}{
		"nothing changed": {func(*models.NexusState) {}, false},
		"only when it was evaluated": {
			func(r *models.NexusState) { r.LastProcessedAt, r.UpdatedAt = at("2026-05-15"), day("2026-05-15") },
			false,
		},
		"only what was seen": {
			func(r *models.NexusState) { r.Evaluated, r.EvaluatedOn, r.WithoutRate = &seen, at("2026-05-15"), true },
			false,
		},
		"the status": {func(r *models.NexusState) { r.Status = models.NexusExposed }, true},
		"an amount": {
			func(r *models.NexusState) { r.TransactionsAmount = amountOf("10.01") }, true,
		},
		"from when on tax must be charged": {func(r *models.NexusState) { r.ObligedFrom = at("2026-05-15") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := models.NexusState{
				NexusRecord: models.NexusRecord{
					NexusPeriods: models.NexusPeriods{TransactionsAmount: amountOf("10.00")},
				},
			}
			after := before
			c.alter(&after)
			require.Equal(t, c.want, changedSince(&before, &after))
		})
	}
}
