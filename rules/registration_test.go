package rules

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

func frequencies(r models.Registration) []string {
	rows := []string{}
	for _, f := range r.Frequencies {
		rows = append(rows, f.FromDate.Format(time.DateOnly)+" "+string(f.FilingFrequency))
	}
	return rows
}

func TestAChangeOfTheFrequencyCountsFromTheNextPeriod(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status models.RegistrationStatus
		from   calendar.FilingFrequency
		to     []calendar.FilingFrequency
		want   []string
	}{
		"after the month": {
			models.RegistrationRegistered, calendar.FilingMonthly, []calendar.FilingFrequency{calendar.FilingQuarterly},
			[]string{"1900-01-01 MONTHLY", "2026-06-01 QUARTERLY"},
		},
		"after the quarter": {
			models.RegistrationRegistered, calendar.FilingQuarterly, []calendar.FilingFrequency{calendar.FilingMonthly},
			[]string{"1900-01-01 QUARTERLY", "2026-07-01 MONTHLY"},
		},
		"after the fiscal year": {
			models.RegistrationRegistered, calendar.FilingAnnualFiscalYear, []calendar.FilingFrequency{calendar.FilingMonthly},
			[]string{"1900-01-01 ANNUAL_FISCAL_YEAR", "2026-10-01 MONTHLY"},
		},
		"a second change replaces the first": {
			models.RegistrationRegistered, calendar.FilingMonthly,
			[]calendar.FilingFrequency{calendar.FilingQuarterly, calendar.FilingAnnually},
			[]string{"1900-01-01 MONTHLY", "2026-06-01 ANNUALLY"},
		},
		"back before it counted": {
			models.RegistrationRegistered, calendar.FilingMonthly,
			[]calendar.FilingFrequency{
				calendar.FilingQuarterly, calendar.FilingMonthly,
			}, []string{"1900-01-01 MONTHLY"},
		},
		"at once where there were no periods": {
			models.RegistrationRegistered, calendar.FilingUnknown, []calendar.FilingFrequency{calendar.FilingMonthly},
			[]string{"1900-01-01 UNKNOWN", "2026-05-14 MONTHLY"},
		},
		"twice on a day without periods": {
			models.RegistrationRegistered, calendar.FilingUnknown,
			[]calendar.FilingFrequency{calendar.FilingMonthly, calendar.FilingQuarterly},
			[]string{"1900-01-01 UNKNOWN", "2026-05-14 MONTHLY", "2026-06-01 QUARTERLY"},
		},
		"wholly while nothing is filed under it": {
			models.RegistrationValidating, calendar.FilingMonthly, []calendar.FilingFrequency{calendar.FilingQuarterly},
			[]string{"1900-01-01 QUARTERLY"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := models.Registration{
				Status: c.status, FilingFrequency: c.from, FiscalYearEnd: calendar.MustDate("2020-09-30"),
			}
			r.Frequencies = []models.RegistrationFrequency{r.FirstFrequency()}
			for _, to := range c.to {
				ChangeFrequency(&r, to, calendar.MustDate("2026-05-14"))
				require.Equal(t, to, r.FilingFrequency)
			}
			require.Equal(t, c.want, frequencies(r))
		})
	}
}

func TestTheFrequencyOfADay(t *testing.T) {
	t.Parallel()
	r := models.Registration{Status: models.RegistrationRegistered, FilingFrequency: calendar.FilingMonthly}
	r.Frequencies = []models.RegistrationFrequency{r.FirstFrequency()}
	ChangeFrequency(&r, calendar.FilingQuarterly, calendar.MustDate("2026-05-14"))
	frequency, until := FrequencyOn(r, calendar.MustDate("2026-05-31"))
	require.Equal(t, calendar.FilingMonthly, frequency)
	require.Equal(t, calendar.MustDate("2026-05-31"), until)
	frequency, until = FrequencyOn(r, calendar.MustDate("2026-06-01"))
	require.Equal(t, calendar.FilingQuarterly, frequency)
	require.Zero(t, until)
}

func TestTheNextActionOfARegistration(t *testing.T) {
	t.Parallel()
	last := calendar.MustDate("2026-05-14").Time()
	tomorrow := calendar.MustDate("2026-05-21").Time()
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	settled, confirmed := RegistrationRun{Settled: true}, RegistrationRun{Settled: true, Confirmed: true}
	for name, c := range map[string]struct {
		r     models.Registration
		facts models.RegistrationFacts
		run   RegistrationRun
		want  RegistrationAction
		waits string
		next  time.Duration
	}{
		"default products come first": {
			models.Registration{Status: models.RegistrationProcessing},
			models.RegistrationFacts{MissingProducts: true}, RegistrationRun{}, RegistrationPrepares, "", 0,
		},
		"but not for one that is over": {
			models.Registration{Status: models.RegistrationCancelled},
			models.RegistrationFacts{MissingProducts: true}, settled, RegistrationEnds, "", 0,
		},
		"it waits for the onboarding": {
			models.Registration{Status: models.RegistrationUnregistered}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationWaits, RegistrationWaitsForOnboarding, 0,
		},
		"and continues after it": {
			models.Registration{Status: models.RegistrationUnregistered},
			models.RegistrationFacts{Onboarded: true}, RegistrationRun{}, RegistrationProceeds, "", 0,
		},
		"it is submitted": {
			models.Registration{Status: models.RegistrationProcessing, Attempt: 1}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationSubmits, RegistrationWaitsForAuthority, 0,
		},
		"also when the answer was lost": {
			models.Registration{Status: models.RegistrationValidating, Attempt: 1}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationSubmits, RegistrationWaitsForAuthority, 0,
		},
		"people submit it": {
			models.Registration{Status: models.RegistrationValidating, Attempt: 1}, models.RegistrationFacts{},
			RegistrationRun{Manual: 1}, RegistrationWaits, RegistrationWaitsForConfirmation, 0,
		},
		"a new attempt is submitted": {
			models.Registration{Status: models.RegistrationProcessing, Attempt: 2}, models.RegistrationFacts{},
			RegistrationRun{Manual: 1}, RegistrationSubmits, RegistrationWaitsForAuthority, 0,
		},
		"it waits for people": {
			models.Registration{Status: models.RegistrationClarification}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationWaits, RegistrationWaitsForClarification, 0,
		},
		"filings begin": {
			models.Registration{Status: models.RegistrationRegistered}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationSettles, "", 0,
		},
		"then nothing is left to be done": {
			models.Registration{Status: models.RegistrationRegistered}, models.RegistrationFacts{}, settled,
			RegistrationEnds, "", 0,
		},
		"unless it has changed": {
			models.Registration{Status: models.RegistrationRegistered, Changed: true},
			models.RegistrationFacts{}, settled, RegistrationSettles, "", 0,
		},
		"an end begins with the later filings": {
			models.Registration{Status: models.RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last},
			models.RegistrationFacts{}, RegistrationRun{}, RegistrationSettles, "", 0,
		},
		"continues with the authority": {
			models.Registration{Status: models.RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last},
			models.RegistrationFacts{}, settled, RegistrationSubmits, RegistrationWaitsForAuthority, 0,
		},
		"which may refuse it": {
			models.Registration{Status: models.RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last},
			models.RegistrationFacts{}, RegistrationRun{Settled: true, Refused: true}, RegistrationWaits,
			RegistrationWaitsForClarification, 0,
		},
		"waits for the last day": {
			models.Registration{Status: models.RegistrationDeregistering, DeregistrationDate: &tomorrow},
			models.RegistrationFacts{}, confirmed, RegistrationWaits, RegistrationWaitsForLastDay,
			60 * time.Hour,
		},
		"waits for its filings": {
			models.Registration{
				Status: models.RegistrationDeregistering, FilingFrequency: calendar.FilingUnknown,
				DeregistrationDate: &last,
			},
			models.RegistrationFacts{OpenFilings: 1}, confirmed, RegistrationWaits, RegistrationWaitsForFilings,
			openFilingsRecheck,
		},
		"and closes": {
			models.Registration{
				Status: models.RegistrationDeregistering, FilingFrequency: calendar.FilingUnknown,
				DeregistrationDate: &last,
			},
			models.RegistrationFacts{}, confirmed, RegistrationCloses, "", 0,
		},
		"a cancelled one takes its filings along": {
			models.Registration{Status: models.RegistrationCancelled}, models.RegistrationFacts{},
			RegistrationRun{}, RegistrationSettles, "", 0,
		},
		"and then nothing is left to be done": {
			models.Registration{Status: models.RegistrationDeregistered, DeregistrationDate: &last},
			models.RegistrationFacts{}, settled, RegistrationEnds, "", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.r.Frequencies = []models.RegistrationFrequency{c.r.FirstFrequency()}
			snapshot := NextRegistrationAction(c.r, c.facts, c.run, now)
			require.Equal(t, c.want, snapshot.Action)
			require.Equal(t, c.waits, snapshot.Waits)
			require.Equal(t, c.next, snapshot.Next)
			require.Equal(t, c.r.Status, snapshot.Status)
		})
	}
}
