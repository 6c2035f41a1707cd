package store_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/tax"
)

// evaluated is a case of which every record is written as it was read, having seen
// all changes.
func evaluated(c models.NexusCase, day tax.Date) []models.NexusEvaluated {
	all := make([]models.NexusEvaluated, len(c.Records))
	for i, r := range c.Records {
		seen, now := c.Seen(r.Place(), day), time.Now().UTC()
		r.Evaluated, r.LastProcessedAt, r.LastTaxLiabilityProcessedAt = &seen, &now, &now
		r.TransactionCount = 0
		for _, d := range c.Days {
			if r.Place().Counts(d.CountryCode, d.StateCode, c.Home, day) {
				r.TransactionCount += d.N
			}
		}
		all[i] = models.NexusEvaluated{NexusState: r, Changed: true}
	}
	return all
}

// writeNexus writes what was evaluated, and takes what it has seen off the list.
func writeNexus(t *testing.T, s *store.Store, c models.NexusCase, all []models.NexusEvaluated) (saved int) {
	t.Helper()
	saved, err := s.SaveNexusRecords(t.Context(), c, all)
	require.NoError(t, err)
	if saved == len(all) {
		require.NoError(t, s.SeeNexusChanges(t.Context(), []models.NexusSeen{{OrganizationID: c.OrganizationID, Changes: c.Changes}}))
	}
	return saved
}

func TestEvaluationsSeeEveryChange(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 64)
	all := beginNexus(t, b.store)
	today := tax.DateOf(time.Now().UTC())
	load := func() models.NexusCase {
		c, err := b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, false)
		require.NoError(t, err)
		return c
	}
	save := func(c models.NexusCase) int {
		return writeNexus(t, b.store, c, evaluated(c, today))
	}
	status := func(state string) string {
		var status string
		require.NoError(t, b.sql.QueryRow(t.Context(), `SELECT CASE WHEN r.evaluated IS NULL THEN 'NOT_READY' WHEN r.evaluated < (
			SELECT sum(n) FROM nexus_changes c WHERE c.country_code IN ('', r.country_code) AND c.state_code IN ('', r.state_code)) THEN 'NEEDS_RERUN'
			ELSE 'UP_TO_DATE' END FROM nexus_records r WHERE state_code = $1`, state).Scan(&status))
		return status
	}

	first := load()
	require.Len(t, first.Records, len(all), "none was ever evaluated")
	require.Equal(t, len(all), save(first))
	require.Equal(t, "UP_TO_DATE", status("NY"))
	require.Empty(t, load().Records)

	refs := b.accepted(t, 2)
	toNexus := func(ref models.Ref) {
		for _, stage := range stages[:3] {
			_, err := stage.save(b.store, stageRun, []models.Ref{ref})
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
	require.Equal(t, 1, countNexus(t, b.url, b.scope.OrganizationID, "state_code = 'NY' AND transaction_count = 2"))
}

func TestEvaluationsBesideSalesLoseNothing(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 64)
	beginNexus(t, b.store)
	today := tax.DateOf(time.Now().UTC())
	const sales = 60
	refs := b.accepted(t, sales)
	var selling, evaluating sync.WaitGroup
	done := make(chan struct{})
	for worker := range 4 {
		selling.Go(func() {
			for i := worker; i < sales; i += 4 {
				for _, stage := range stages[:3] {
					_, err := stage.save(b.store, stageRun, refs[i:i+1])
					require.NoError(t, err)
				}
			}
		})
	}
	evaluate := func() (records int) {
		c, err := b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, false)
		require.NoError(t, err)
		writeNexus(t, b.store, c, evaluated(c, today))
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
	require.Equal(t, 1, countNexus(t, b.url, b.scope.OrganizationID, "state_code = 'NY' AND transaction_count = 60"))
	require.Zero(t, b.count(t, recount))
	require.Zero(t, b.count(t, "SELECT count(*) FROM nexus_changes WHERE pending"))
}

func TestOrganizationsAreLeasedOnce(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	beginNexus(t, b.store)
	leased, err := b.store.LeaseNexus(t.Context(), 10, time.Hour)
	require.NoError(t, err)
	require.Equal(t, []string{b.scope.OrganizationID}, leased)
	leased, err = b.store.LeaseNexus(t.Context(), 10, time.Hour)
	require.NoError(t, err)
	require.Empty(t, leased)
}

// What a record has seen is what its status is computed by, whatever changed.
func TestAnEvaluatedRecordIsUpToDate(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	beginNexus(t, b.store)
	_, err := b.sql.Exec(t.Context(), `UPDATE organization_details SET place = '{"country": "DE"}' WHERE organization_id = $1`, b.scope.OrganizationID)
	require.NoError(t, err)
	today := tax.DateOf(time.Now().UTC())
	for _, place := range [][2]string{{"", ""}, {"DE", ""}, {"FR", ""}, {"ZZ_EU", ""}, {"CA", ""}, {"CA", "BC"}, {"CA", "ON"}, {"US", "NY"}} {
		_, err := b.sql.Exec(t.Context(), `INSERT INTO nexus_changes (organization_id, country_code, state_code, n, pending) VALUES ($1, $2, $3, 3, true)
			ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = nexus_changes.n + 3, pending = true`, b.scope.OrganizationID, place[0], place[1])
		require.NoError(t, err)
		c, err := b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, false)
		require.NoError(t, err)
		require.NotEmpty(t, c.Records, place)
		writeNexus(t, b.store, c, evaluated(c, today))
		all, err := b.store.ListNexus(t.Context(), b.scope, models.NexusFilter{Today: today.Time()}, nil, models.Page{Limit: 1000})
		require.NoError(t, err)
		for _, r := range all.Items {
			require.Equal(t, models.NexusUpToDate, r.ProcessingStatus, "%s %s after a change of %s", r.CountryCode, r.StateCode, place)
		}
	}
}

// Sums that lack the amounts of sales, because there is no conversion rate, never look
// complete, and the import of rates that they lack makes them due again, also in the
// moment in which they are written.
func TestNexusThatLacksARateIsEvaluatedAgainWhenItComes(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	beginNexus(t, b.store)
	today := tax.DateOf(time.Now().UTC())
	pair := models.CurrencyPair{From: "PLN", To: "EUR", Day: time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)}
	lacking := func() (models.NexusCase, []models.NexusEvaluated) {
		c, err := b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, true)
		require.NoError(t, err)
		all := evaluated(c, today)
		for i := range all {
			if r := &all[i]; r.CountryCode == tax.EuropeanUnion {
				r.WithoutRate, r.Missing = true, []models.CurrencyPair{pair}
			}
		}
		return c, all
	}
	imports := func(rates string) {
		read, err := tax.ReadReferenceRates(strings.NewReader(rates))
		require.NoError(t, err)
		_, err = b.store.ImportRates(t.Context(), "ECB", read, func(int) {})
		require.NoError(t, err)
	}
	rerun := func() (countries []string) {
		all, err := b.store.ListNexus(t.Context(), b.scope, models.NexusFilter{Today: today.Time()}, nil, models.Page{Limit: 1000})
		require.NoError(t, err)
		for _, r := range all.Items {
			if r.ProcessingStatus == models.NexusNeedsRerun {
				countries = append(countries, r.CountryCode)
			}
		}
		return countries
	}
	leased := func() int {
		organizations, err := b.store.LeaseNexus(t.Context(), 10, 0)
		require.NoError(t, err)
		return len(organizations)
	}
	c, all := lacking()
	writeNexus(t, b.store, c, all)
	require.Equal(t, []string{tax.EuropeanUnion}, rerun())
	require.Zero(t, leased(), "nothing is done before there are rates")

	c, all = lacking()
	imports("Date,PLN\n2026-05-15,4.25\n")
	require.Equal(t, 1, leased(), "the import made it due")
	_, err := b.store.SaveNexusRecords(t.Context(), c, all)
	require.ErrorIs(t, err, models.ErrUnavailable, "what was evaluated before the import is evaluated again")
	c, err = b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, false)
	require.NoError(t, err)
	require.NotEmpty(t, c.Records)
	all = evaluated(c, today)
	for i := range all {
		all[i].WithoutRate = false
	}
	writeNexus(t, b.store, c, all)
	require.Empty(t, rerun())
	imports("Date,PLN\n2026-05-15,4.26\n")
	require.Zero(t, leased(), "nothing lacks a rate any more")
}
