package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

func frequencies(r Registration) []string {
	rows := []string{}
	for _, f := range r.Frequencies {
		rows = append(rows, f.FromDate.Format(time.DateOnly)+" "+string(f.FilingFrequency))
	}
	return rows
}

func TestAChangeOfTheFrequencyCountsFromTheNextPeriod(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status RegistrationStatus
		from   tax.FilingFrequency
		to     []tax.FilingFrequency
		want   []string
	}{
		"after the month":                        {RegistrationRegistered, tax.FilingMonthly, []tax.FilingFrequency{tax.FilingQuarterly}, []string{"1900-01-01 MONTHLY", "2026-06-01 QUARTERLY"}},
		"after the quarter":                      {RegistrationRegistered, tax.FilingQuarterly, []tax.FilingFrequency{tax.FilingMonthly}, []string{"1900-01-01 QUARTERLY", "2026-07-01 MONTHLY"}},
		"after the fiscal year":                  {RegistrationRegistered, tax.FilingAnnualFiscalYear, []tax.FilingFrequency{tax.FilingMonthly}, []string{"1900-01-01 ANNUAL_FISCAL_YEAR", "2026-10-01 MONTHLY"}},
		"a second change replaces the first":     {RegistrationRegistered, tax.FilingMonthly, []tax.FilingFrequency{tax.FilingQuarterly, tax.FilingAnnually}, []string{"1900-01-01 MONTHLY", "2026-06-01 ANNUALLY"}},
		"back before it counted":                 {RegistrationRegistered, tax.FilingMonthly, []tax.FilingFrequency{tax.FilingQuarterly, tax.FilingMonthly}, []string{"1900-01-01 MONTHLY"}},
		"at once where there were no periods":    {RegistrationRegistered, tax.FilingUnknown, []tax.FilingFrequency{tax.FilingMonthly}, []string{"1900-01-01 UNKNOWN", "2026-05-14 MONTHLY"}},
		"twice on a day without periods":         {RegistrationRegistered, tax.FilingUnknown, []tax.FilingFrequency{tax.FilingMonthly, tax.FilingQuarterly}, []string{"1900-01-01 UNKNOWN", "2026-05-14 MONTHLY", "2026-06-01 QUARTERLY"}},
		"wholly while nothing is filed under it": {RegistrationValidating, tax.FilingMonthly, []tax.FilingFrequency{tax.FilingQuarterly}, []string{"1900-01-01 QUARTERLY"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Registration{Status: c.status, FilingFrequency: c.from, FiscalYearEnd: tax.MustDate("2020-09-30")}
			r.Frequencies = []RegistrationFrequency{r.FirstFrequency()}
			for _, to := range c.to {
				r.ChangeFrequency(to, tax.MustDate("2026-05-14"))
				require.Equal(t, to, r.FilingFrequency)
			}
			require.Equal(t, c.want, frequencies(r))
		})
	}
}

func TestTheFrequencyOfADay(t *testing.T) {
	t.Parallel()
	r := Registration{Status: RegistrationRegistered, FilingFrequency: tax.FilingMonthly}
	r.Frequencies = []RegistrationFrequency{r.FirstFrequency()}
	r.ChangeFrequency(tax.FilingQuarterly, tax.MustDate("2026-05-14"))
	frequency, until := r.FrequencyOn(tax.MustDate("2026-05-31"))
	require.Equal(t, tax.FilingMonthly, frequency)
	require.Equal(t, tax.MustDate("2026-05-31"), until)
	frequency, until = r.FrequencyOn(tax.MustDate("2026-06-01"))
	require.Equal(t, tax.FilingQuarterly, frequency)
	require.Zero(t, until)
}

func TestHowARegistrationGoesOn(t *testing.T) {
	t.Parallel()
	last := tax.MustDate("2026-05-14").Time()
	tomorrow := tax.MustDate("2026-05-21").Time()
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	settled, confirmed := RegistrationRun{Settled: true}, RegistrationRun{Settled: true, Confirmed: true}
	for name, c := range map[string]struct {
		r     Registration
		facts RegistrationFacts
		run   RegistrationRun
		want  RegistrationAction
		waits string
		next  time.Duration
	}{
		"default products come first":             {Registration{Status: RegistrationProcessing}, RegistrationFacts{MissingProducts: true}, RegistrationRun{}, RegistrationPrepares, "", 0},
		"but not for one that is over":            {Registration{Status: RegistrationCancelled}, RegistrationFacts{MissingProducts: true}, settled, RegistrationEnds, "", 0},
		"it waits for the onboarding":             {Registration{Status: RegistrationUnregistered}, RegistrationFacts{}, RegistrationRun{}, RegistrationWaits, RegistrationWaitsForOnboarding, 0},
		"and goes on after it":                    {Registration{Status: RegistrationUnregistered}, RegistrationFacts{Onboarded: true}, RegistrationRun{}, RegistrationProceeds, "", 0},
		"it is handed over":                       {Registration{Status: RegistrationProcessing, Attempt: 1}, RegistrationFacts{}, RegistrationRun{}, RegistrationSubmits, RegistrationWaitsForAuthority, 0},
		"also when the answer was lost":           {Registration{Status: RegistrationValidating, Attempt: 1}, RegistrationFacts{}, RegistrationRun{}, RegistrationSubmits, RegistrationWaitsForAuthority, 0},
		"people hand it over":                     {Registration{Status: RegistrationValidating, Attempt: 1}, RegistrationFacts{}, RegistrationRun{ByHand: 1}, RegistrationWaits, RegistrationWaitsForConfirmation, 0},
		"a new attempt is handed over":            {Registration{Status: RegistrationProcessing, Attempt: 2}, RegistrationFacts{}, RegistrationRun{ByHand: 1}, RegistrationSubmits, RegistrationWaitsForAuthority, 0},
		"it waits for people":                     {Registration{Status: RegistrationClarification}, RegistrationFacts{}, RegistrationRun{}, RegistrationWaits, RegistrationWaitsForClarification, 0},
		"filings begin":                           {Registration{Status: RegistrationRegistered}, RegistrationFacts{}, RegistrationRun{}, RegistrationSettles, "", 0},
		"then nothing is left":                    {Registration{Status: RegistrationRegistered}, RegistrationFacts{}, settled, RegistrationEnds, "", 0},
		"unless it has changed":                   {Registration{Status: RegistrationRegistered, Changed: true}, RegistrationFacts{}, settled, RegistrationSettles, "", 0},
		"an end begins with the later filings":    {Registration{Status: RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last}, RegistrationFacts{}, RegistrationRun{}, RegistrationSettles, "", 0},
		"goes on with the authority":              {Registration{Status: RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last}, RegistrationFacts{}, settled, RegistrationSubmits, RegistrationWaitsForAuthority, 0},
		"which may refuse it":                     {Registration{Status: RegistrationDeregistering, Attempt: 2, DeregistrationDate: &last}, RegistrationFacts{}, RegistrationRun{Settled: true, Refused: true}, RegistrationWaits, RegistrationWaitsForClarification, 0},
		"waits for the last day":                  {Registration{Status: RegistrationDeregistering, DeregistrationDate: &tomorrow}, RegistrationFacts{}, confirmed, RegistrationWaits, RegistrationWaitsForLastDay, 60 * time.Hour},
		"waits for its filings":                   {Registration{Status: RegistrationDeregistering, FilingFrequency: tax.FilingUnknown, DeregistrationDate: &last}, RegistrationFacts{OpenFilings: 1}, confirmed, RegistrationWaits, RegistrationWaitsForFilings, filingsPause},
		"and closes":                              {Registration{Status: RegistrationDeregistering, FilingFrequency: tax.FilingUnknown, DeregistrationDate: &last}, RegistrationFacts{}, confirmed, RegistrationCloses, "", 0},
		"a cancelled one takes its filings along": {Registration{Status: RegistrationCancelled}, RegistrationFacts{}, RegistrationRun{}, RegistrationSettles, "", 0},
		"and then nothing is left of it":          {Registration{Status: RegistrationDeregistered, DeregistrationDate: &last}, RegistrationFacts{}, settled, RegistrationEnds, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.r.Frequencies = []RegistrationFrequency{c.r.FirstFrequency()}
			look := c.r.Look(c.facts, c.run, now)
			require.Equal(t, c.want, look.Action)
			require.Equal(t, c.waits, look.Waits)
			require.Equal(t, c.next, look.Next)
			require.Equal(t, c.r.Status, look.Status)
		})
	}
}

func TestWhatTheAuthorityDecides(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 20, 23, 30, 0, 0, time.UTC)
	accepted := AuthorityAnswer{Outcome: AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := AuthorityAnswer{Outcome: AuthorityRejected, Reason: "no"}

	r := Registration{Status: RegistrationProcessing}
	r.HandOver("simulated", now)
	require.Equal(t, RegistrationValidating, r.Status)
	require.Equal(t, now, *r.RegistrationRequested)
	registered := r
	registered.Settle(accepted, now)
	require.Equal(t, RegistrationRegistered, registered.Status)
	require.Equal(t, "2026-05-20", registered.RegistrationDate.Format(time.DateOnly))
	require.Equal(t, []string{"SIM-1", "SIM-1"}, []string{*registered.AuthorityReference, *registered.SalesTaxID})

	r.Settle(rejected, now)
	require.Equal(t, RegistrationClarification, r.Status)
	require.Equal(t, "no", *r.Clarification)
	require.NoError(t, r.Move(RegistrationProcessing, now))
	require.Nil(t, r.Clarification)
	require.Equal(t, 1, r.Attempt, "handed over anew")

	number := "NY-1"
	own := Registration{Status: RegistrationValidating, SalesTaxID: &number}
	own.Settle(accepted, now)
	require.Equal(t, "NY-1", *own.SalesTaxID, "a number that is known stays")

	require.NoError(t, registered.Deregister(now, nil, now))
	registered.HandOver("simulated", now)
	registered.Settle(rejected, now)
	require.Equal(t, RegistrationDeregistering, registered.Status)
	require.Equal(t, "no", *registered.Clarification)
}
