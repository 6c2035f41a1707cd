package nexus_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
	taxnexus "levy/tax/nexus"
)

func TestEvaluationsSeeEveryChange(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	all := storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	load := func() models.NexusCase {
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
		require.NoError(t, err)
		return c
	}
	save := func(c models.NexusCase) int {
		return storetest.WriteNexus(t, b.Store, c, storetest.Evaluated(c, today))
	}
	status := func(state string) string {
		var status string
		require.NoError(t, b.SQL.QueryRow(t.Context(), `
			SELECT CASE WHEN r.evaluated IS NULL THEN 'NOT_READY'
			            WHEN r.evaluated < (
			              SELECT sum(n) FROM nexus_changes c
			               WHERE c.country_code IN ('', r.country_code)
			                 AND c.state_code IN ('', r.state_code)) THEN 'NEEDS_RERUN'
			            ELSE 'UP_TO_DATE' END
			  FROM nexus_records r WHERE state_code = $1`, state).Scan(&status))
		return status
	}

	first := load()
	require.Len(t, first.Records, len(all), "none was ever evaluated")
	require.Equal(t, len(all), save(first))
	require.Equal(t, "UP_TO_DATE", status("NY"))
	require.Empty(t, load().Records)

	refs := b.Accepted(t, 2)
	toNexus := func(ref models.Ref) {
		for _, stage := range storetest.Stages[:3] {
			_, err := stage.Save(b.Store, storetest.Run, []models.Ref{ref})
			require.NoError(t, err)
		}
	}
	toNexus(refs[0])
	require.Equal(t, "NEEDS_RERUN", status("NY"))
	require.Equal(t, "UP_TO_DATE", status("TX"))
	one := load()
	require.Len(t, one.Records, 1)
	require.Len(t, one.Days, 1)
	toNexus(refs[1]) // while the evaluation is under way
	require.Equal(t, 1, save(one))
	require.Equal(t, "NEEDS_RERUN", status("NY"), "the second sale was not seen")
	two := load()
	stale := load()
	require.Equal(t, 1, save(two))
	require.Zero(t, save(stale), "of two evaluations of one state the slower one is not written")
	require.Equal(t, "UP_TO_DATE", status("NY"))
	require.Equal(t, 1, countNexus(t, b.URL, b.Scope.OrganizationID, "state_code = 'NY' AND transaction_count = 2"))
}

func TestConcurrentEvaluationsAndSalesLoseNothing(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	const sales = 60
	refs := b.Accepted(t, sales)
	var selling, evaluating sync.WaitGroup
	done := make(chan struct{})
	for worker := range 4 {
		selling.Go(func() {
			for i := worker; i < sales; i += 4 {
				for _, stage := range storetest.Stages[:3] {
					_, err := stage.Save(b.Store, storetest.Run, refs[i:i+1])
					require.NoError(t, err)
				}
			}
		})
	}
	evaluate := func() (records int) {
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
		require.NoError(t, err)
		storetest.WriteNexus(t, b.Store, c, storetest.Evaluated(c, today))
		return len(c.Records)
	}
	for range 3 {
		evaluating.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					evaluate()
				}
			}
		})
	}
	selling.Wait()
	close(done)
	evaluating.Wait()
	for evaluate() > 0 {
	}
	require.Equal(t, 1, countNexus(t, b.URL, b.Scope.OrganizationID, "state_code = 'NY' AND transaction_count = 60"))
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM nexus_changes WHERE pending"))
}

func TestOrganizationsAreLeasedOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	leased, err := b.Store.Nexus.LeaseNexus(t.Context(), 10, time.Hour)
	require.NoError(t, err)
	require.Equal(t, []string{b.Scope.OrganizationID}, leased)
	leased, err = b.Store.Nexus.LeaseNexus(t.Context(), 10, time.Hour)
	require.NoError(t, err)
	require.Empty(t, leased)
}

// Sales in a place that follow each other share evaluations. An evaluation after a decision of a person does not wait.
func TestAnEvaluatedPlaceRestsFromItsSales(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	refs := b.Accepted(t, 2)
	sell := func(ref models.Ref) {
		for _, stage := range storetest.Stages[:3] {
			_, err := stage.Save(b.Store, storetest.Run, []models.Ref{ref})
			require.NoError(t, err)
		}
	}
	var began time.Time
	evaluate := func() {
		require.NoError(t, b.SQL.QueryRow(t.Context(), "SELECT now()").Scan(&began))
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
		require.NoError(t, err)
		storetest.WriteNexus(t, b.Store, c, storetest.Evaluated(c, today))
	}
	rests := func() (rests bool) {
		require.NoError(t, b.SQL.QueryRow(t.Context(),
			"SELECT min(due_at) >= $1::timestamptz + interval '500 milliseconds' FROM nexus_changes WHERE pending",
			began).Scan(&rests))
		return rests
	}
	sell(refs[0])
	evaluate()
	sell(refs[1])
	require.True(t, rests())
	require.NoError(t, b.Store.Nexus.AllOrganizationsChanged(t.Context()))
	leased, err := b.Store.Nexus.LeaseNexus(t.Context(), 10, time.Hour)
	require.NoError(t, err)
	require.Equal(t, []string{b.Scope.OrganizationID}, leased)
}

// The status of a record is computed by all changes that it has seen.
func TestAnEvaluatedRecordIsUpToDate(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	_, err := b.SQL.Exec(t.Context(),
		`UPDATE organization_details SET place = '{"country": "DE"}' WHERE organization_id = $1`,
		b.Scope.OrganizationID)
	require.NoError(t, err)
	today := calendar.DateOf(time.Now().UTC())
	for _, place := range [][2]string{
		{"", ""}, {"DE", ""}, {"FR", ""}, {"ZZ_EU", ""}, {"CA", ""}, {"CA", "BC"}, {"CA", "ON"}, {"US", "NY"},
	} {
		_, err := b.SQL.Exec(t.Context(), `INSERT INTO nexus_changes (organization_id, country_code, state_code, n, pending)
			VALUES ($1, $2, $3, 3, true)
			ON CONFLICT (organization_id, country_code, state_code) DO UPDATE
			SET n = nexus_changes.n + 3, pending = true`, b.Scope.OrganizationID, place[0], place[1])
		require.NoError(t, err)
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
		require.NoError(t, err)
		require.NotEmpty(t, c.Records, place)
		storetest.WriteNexus(t, b.Store, c, storetest.Evaluated(c, today))
		all, err := b.Store.Nexus.ListNexus(t.Context(), b.Scope, models.NexusFilter{Today: today.Time()}, nil,
			models.Page{Limit: 1000})
		require.NoError(t, err)
		for _, r := range all.Items {
			require.Equal(
				t, models.NexusUpToDate, r.ProcessingStatus, "%s %s after a change of %s", r.CountryCode,
				r.StateCode, place,
			)
		}
	}
}

// Sums without the amounts of some sales, because there is no conversion rate, are never shown as complete.
// The import of the missing rates makes them due again, also while the sums are being written.
func TestNexusWithoutARateIsEvaluatedAgainAfterItsImport(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	pair := models.CurrencyPair{From: "PLN", To: "EUR", Day: time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)}
	lacking := func() (models.NexusCase, []models.NexusEvaluated) {
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, true)
		require.NoError(t, err)
		all := storetest.Evaluated(c, today)
		for i := range all {
			if r := &all[i]; r.CountryCode == taxnexus.EuropeanUnion {
				r.WithoutRate, r.Missing = true, []models.CurrencyPair{pair}
			}
		}
		return c, all
	}
	imports := func(rates string) {
		read, err := money.ReadReferenceRates(strings.NewReader(rates))
		require.NoError(t, err)
		_, err = b.Store.Content.ImportRates(t.Context(), "ECB", read, func(int) {})
		require.NoError(t, err)
	}
	rerun := func() (countries []string) {
		all, err := b.Store.Nexus.ListNexus(t.Context(), b.Scope, models.NexusFilter{Today: today.Time()}, nil,
			models.Page{Limit: 1000})
		require.NoError(t, err)
		for _, r := range all.Items {
			if r.ProcessingStatus == models.NexusNeedsRerun {
				countries = append(countries, r.CountryCode)
			}
		}
		return countries
	}
	leased := func() int {
		organizations, err := b.Store.Nexus.LeaseNexus(t.Context(), 10, 0)
		require.NoError(t, err)
		return len(organizations)
	}
	c, all := lacking()
	storetest.WriteNexus(t, b.Store, c, all)
	require.Equal(t, []string{taxnexus.EuropeanUnion}, rerun())
	require.Zero(t, leased(), "nothing is done before there are rates")

	c, all = lacking()
	imports("Date,PLN\n2026-05-15,4.25\n")
	require.Equal(t, 1, leased(), "the import made it due")
	_, err := b.Store.Nexus.SaveNexusRecords(t.Context(), c, all)
	require.ErrorIs(t, err, models.ErrUnavailable, "what was evaluated before the import is evaluated again")
	c, err = b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
	require.NoError(t, err)
	require.NotEmpty(t, c.Records)
	all = storetest.Evaluated(c, today)
	for i := range all {
		all[i].WithoutRate = false
	}
	storetest.WriteNexus(t, b.Store, c, all)
	require.Empty(t, rerun())
	imports("Date,PLN\n2026-05-15,4.26\n")
	require.Zero(t, leased(), "nothing lacks a rate any more")
}

// A registration in a jurisdiction where others have ended is read with their days: tax on sales of those days stays
// owed.
func TestARegistrationIsReadWithThoseThatHaveEnded(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	register := func(status models.RegistrationStatus, from, last string) {
		t.Helper()
		r := storetest.Registration("US", "NY")
		first := calendar.MustDate(from).Time()
		r.Status, r.RegistrationDate = models.RegistrationRegistered, &first
		require.NoError(t, b.Store.Registrations.CreateRegistration(t.Context(), b.Scope, models.Actor{}, &r))
		if status == models.RegistrationRegistered {
			return
		}
		end := calendar.MustDate(last).Time()
		for _, to := range []models.RegistrationStatus{models.RegistrationDeregistering, status} {
			_, err := b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, r.ID,
				func(r *models.Registration) error {
					r.Status, r.DeregistrationDate = to, &end
					return nil
				})
			require.NoError(t, err)
		}
	}
	read := func() string {
		t.Helper()
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, calendar.DateOf(time.Now().UTC()), true)
		require.NoError(t, err)
		for i := range c.Records {
			if c.Records[i].StateCode != "NY" {
				continue
			}
			g := c.Records[i].Registration
			days := []string{g.Status + " " + *g.RegistrationDate}
			for _, e := range g.Earlier {
				days = append(days, e.Status+" "+*e.RegistrationDate+" "+*e.DeregistrationDate)
			}
			return strings.Join(days, ", ")
		}
		return ""
	}
	register(models.RegistrationDeregistered, "2024-01-01", "2024-03-31")
	require.Equal(t, "DEREGISTERED 2024-01-01", read())
	register(models.RegistrationDeregistered, "2025-01-01", "2025-03-31")
	require.Equal(t, "DEREGISTERED 2025-01-01, DEREGISTERED 2024-01-01 2024-03-31", read())
	register(models.RegistrationRegistered, "2026-01-01", "")
	require.Equal(t,
		"REGISTERED 2026-01-01, DEREGISTERED 2024-01-01 2024-03-31, DEREGISTERED 2025-01-01 2025-03-31", read())
}
