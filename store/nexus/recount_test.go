package nexus_test

import (
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// contributes is the contribution that the stages of these tests decide for a sale.
func contributes(t models.Transaction) (models.NexusOutcome, error) {
	return models.NexusOutcome{
		Ref: models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch},
		Contributions: []models.NexusContribution{{
			CountryCode: "US", StateCode: "NY", Currency: "USD", Day: t.TaxDate, Count: 1,
			Amount: decimal.MustParse("100.00"), CollectedTax: decimal.MustParse("8.88"),
			SoldAt: t.Date,
		}},
	}, nil
}

func TestRecountFindsAndRepairsEveryDifference(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	b.Store.Nexus.ReadSlices(1)
	refs := b.Accepted(t, 5)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	recounted := func(repair bool) (differences []models.NexusDifference) {
		step, err := b.Store.Transactions.RecountContributions(t.Context(),
			models.NexusRecount{OrganizationID: b.Scope.OrganizationID, Repair: repair, Run: storetest.Run},
			func(sale models.Transaction) (models.NexusOutcome, error) {
				require.Equal(t, []int{0, 2}, sale.NexusExemptLines, "as stage 3 decided")
				return contributes(sale)
			})
		require.NoError(t, err)
		require.Equal(t, 5, step.Counted)
		require.Empty(t, step.Next)
		counters, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, repair)
		require.NoError(t, err)
		return append(step.Differences, counters...)
	}
	require.Empty(t, recounted(true), "exactly zero")

	for name, damage := range map[string]string{
		"a counter is off by a cent": "UPDATE nexus_counters SET amount = amount - 0.01",
		"a counter counted twice":    "UPDATE nexus_counters SET n = n + 1",
		"a counter is gone":          "DELETE FROM nexus_counters",
		"a contribution is of another day": `UPDATE nexus_contributions
			SET day = day - 1
			WHERE transaction_id = (SELECT min(transaction_id) FROM nexus_contributions)`,
		"the taxes of a day are off by a cent": `INSERT INTO nexus_tax_changes SELECT organization_id, country_code,
			  state_code, member_code, currency, tax_date, 0, 0, 0.01
			FROM transaction_totals LIMIT 1`,
		"the taxes of a day are gone": "DELETE FROM nexus_tax_changes",
		"a contribution is gone": `DELETE FROM nexus_contributions
			WHERE transaction_id = (SELECT min(transaction_id) FROM nexus_contributions)`,
	} {
		_, err := b.SQL.Exec(t.Context(), damage)
		require.NoError(t, err, name)
		before := b.Count(t, "SELECT count(*) FROM nexus_repairs")
		require.NotEmpty(t, recounted(false), name)
		require.Equal(
			t, before, b.Count(t, "SELECT count(*) FROM nexus_repairs"), "%s: without repair nothing is written",
			name,
		)
		found := recounted(true)
		require.NotEmpty(t, found, name)
		require.Equal(t, before+len(found), b.Count(t, "SELECT count(*) FROM nexus_repairs"), name)
		require.Empty(t, recounted(true), "%s: it is repaired", name)
		require.Equal(
			t, 1,
			b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 5 AND amount = 500 AND collected_tax = 44.40"),
			name,
		)
	}
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	require.Zero(t, b.Count(t, storetest.TaxesDiffer))
}

// versions are the versions and locks of the rows that a recount reads.
const versions = `
	SELECT string_agg(concat_ws(' ', xmin, xmax, ctid), ',' ORDER BY source, ctid) FROM (
	  SELECT 1 AS source, xmin, xmax, ctid FROM transactions UNION ALL
	  SELECT 2, xmin, xmax, ctid FROM nexus_contributions UNION ALL
	  SELECT 3, xmin, xmax, ctid FROM nexus_counters UNION ALL
	  SELECT 4, xmin, xmax, ctid FROM nexus_taxes UNION ALL
	  SELECT 5, xmin, xmax, ctid FROM nexus_tax_changes) x`

// A recount writes and locks no row where nothing differs, and waits for none that others have locked.
func TestARecountLeavesRowsAlone(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	refs := b.Accepted(t, 5)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	var before, after string
	require.NoError(t, b.SQL.QueryRow(t.Context(), versions).Scan(&before))
	ids := make([]string, len(refs))
	for i := range refs {
		ids[i] = refs[i].ID
	}
	recount := func() {
		for _, of := range [][]string{nil, ids} {
			step, err := b.Store.Transactions.RecountContributions(t.Context(), models.NexusRecount{
				OrganizationID: b.Scope.OrganizationID, IDs: of, Repair: true, Run: storetest.Run,
			}, contributes)
			require.NoError(t, err)
			require.Equal(t, 5, step.Counted)
			require.Empty(t, step.Differences)
		}
		differences, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, true)
		require.NoError(t, err)
		require.Empty(t, differences)
		differences, err = b.Store.Nexus.RecountDaysOf(t.Context(), storetest.Run, b.Scope.OrganizationID, ids, true)
		require.NoError(t, err)
		require.Empty(t, differences)
	}
	recount()
	require.NoError(t, b.SQL.QueryRow(t.Context(), versions).Scan(&after))
	require.Equal(t, before, after)
	busy, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	for _, table := range []string{"transactions", "nexus_contributions", "nexus_counters"} {
		_, err := busy.Exec(t.Context(), "SELECT FROM "+table+" FOR UPDATE")
		require.NoError(t, err)
	}
	recount()
	require.NoError(t, busy.Rollback(t.Context()))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM nexus_repairs"))
}

// A slice ends with a whole day. Slices of any size find what is wrong on any day, in each currency, and the counters of
// days without contributions.
func TestSlicesCoverAllDays(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO nexus_counters (organization_id, country_code, state_code, currency, day,
		  marketplace, n, amount, exempt_n, exempt_amount, resale_amount, collected_tax)
		SELECT $1, country, state, currency, day, marketplace, 1, 1, 0, 0, 0, 0
		  FROM unnest(ARRAY['AU', 'US', 'ZA']) country, unnest(ARRAY['', 'NY', 'WY']) state,
		       unnest(ARRAY['EUR', 'USD']) currency, unnest(ARRAY['2024-01-01', '2026-02-28']::date[]) day,
		       unnest(ARRAY[true, false]) marketplace`, b.Scope.OrganizationID)
	require.NoError(t, err)
	refs := b.Accepted(t, 4)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	_, err = b.SQL.Exec(t.Context(), `UPDATE nexus_contributions c SET day = day - n.row::int * 3, state_code = 'WA'
		  FROM (SELECT transaction_id, row_number() OVER (ORDER BY transaction_id) % 2 + 1 AS row FROM nexus_contributions) n
		 WHERE n.transaction_id = c.transaction_id`)
	require.NoError(t, err)
	var all []models.NexusDifference
	for _, rows := range []int{20_000, 1, 2} {
		b.Store.Nexus.ReadSlices(rows)
		found, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, false)
		require.NoError(t, err)
		if all == nil {
			all = found
		}
		require.ElementsMatch(t, all, found, "slices of %d rows", rows)
	}
	require.Len(t, all, 3*3*2*2*2+2+1)

	found, err := b.Store.Nexus.RecountDaysOf(t.Context(), storetest.Run, b.Scope.OrganizationID,
		[]string{refs[0].ID, refs[2].ID}, false)
	require.NoError(t, err)
	require.Len(t, found, 1, "they have one day")
	repaired, err := b.Store.Nexus.RecountDaysOf(t.Context(), storetest.Run, b.Scope.OrganizationID,
		[]string{refs[0].ID, refs[2].ID}, true)
	require.NoError(t, err)
	require.Equal(t, found, repaired)
	again, err := b.Store.Nexus.RecountDaysOf(t.Context(), storetest.Run, b.Scope.OrganizationID, []string{refs[0].ID}, true)
	require.NoError(t, err)
	require.Empty(t, again)
	_, err = b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, true)
	require.NoError(t, err)
	require.Zero(t, b.Count(t, storetest.RecountNexus))
}

// Two repairs of the same difference at once add it once: the second waits, and compares again.
func TestTwoRepairsAddADifferenceOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	refs := b.Accepted(t, 2)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	_, err := b.Store.Nexus.RecountProgress(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE nexus_counters SET n = n - 1")
	require.NoError(t, err)
	gate, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = gate.Exec(t.Context(), "SELECT FROM nexus_recounts FOR UPDATE")
	require.NoError(t, err)
	const both = 2
	found := make(chan int, both)
	for range both {
		go func() {
			differences, err := b.Store.Nexus.RecountDaysOf(t.Context(), storetest.Run, b.Scope.OrganizationID,
				[]string{refs[0].ID}, true)
			if err != nil {
				found <- -1
				return
			}
			found <- len(differences)
		}()
	}
	require.Eventually(t, func() bool {
		return b.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND query LIKE '%nexus_recounts%'`) == both
	}, time.Minute, time.Millisecond)
	require.NoError(t, gate.Rollback(t.Context()))
	require.Equal(t, 1, <-found+<-found)
	require.Zero(t, b.Count(t, storetest.RecountNexus))
}

// The record says where the next night goes on. A failure stays until a night ends.
func TestTheProgressOfARecountIsRecorded(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	id := b.Scope.OrganizationID
	at, err := b.Store.Nexus.RecountProgress(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, models.RecountTransactions, at.Stage)
	require.Zero(t, at.AfterEvent, "the events of two days are counted")
	at.AfterEvent, at.After, at.Stage, at.Counted, at.ChangesDone = 7, "tran_7", models.RecountCounters, 70, true
	at.SealedThrough, at.CoveredFrom, at.Pages = 9, 4, 3
	at.Place = models.NexusRecountPlace{CountryCode: "US", StateCode: "NY", Day: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)}
	require.NoError(t, b.Store.Nexus.SaveRecountProgress(t.Context(), at))
	want := at
	want.ChangesDone = false
	at, err = b.Store.Nexus.RecountProgress(t.Context(), id)
	require.NoError(t, err)
	want.Expected = at.Expected
	require.Equal(t, want, at)

	require.NoError(t, b.Store.Nexus.FailRecount(t.Context(), id, "database_57014"))
	require.NoError(t, b.Store.Nexus.SaveRecountProgress(t.Context(), at))
	found, err := b.Store.Nexus.Recounts(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), found.Failed)
	require.Equal(t, []string{id}, found.Examples)
	at.PassDone, at.NightDone, at.Pages = true, true, 70
	require.NoError(t, b.Store.Nexus.SaveRecountProgress(t.Context(), at))
	found, err = b.Store.Nexus.Recounts(t.Context())
	require.NoError(t, err)
	require.Zero(t, found.Failed)
	require.Empty(t, found.Examples)
	at, err = b.Store.Nexus.RecountProgress(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, int64(70), at.Expected, "the next pass has as many pages")
	require.Zero(t, at.Pages)
	require.Zero(t, at.Counted)

	// The pass before had fewer pages, as that of a release before or of a smaller organization.
	storetest.Execute(t, b.URL, `INSERT INTO transaction_counts (organization_id, span, start, cell, settled, type, status, source,
		marketplace, n) SELECT $1, s.span, '2026-01-01', gen_random_uuid(), false, 'SALE', 'COMMITTED', 'API', false, 400000
		FROM unnest(ARRAY['month of all', 'month', 'day of all', 'day']) AS s (span)`, id)
	at, err = b.Store.Nexus.RecountProgress(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, int64(1000), at.Expected)
	at.PassDone, at.Pages, at.Counted = true, 3, 100
	require.NoError(t, b.Store.Nexus.SaveRecountProgress(t.Context(), at))
	require.Equal(t, 1000, b.Count(t, "SELECT last_pages FROM nexus_recounts"))
	storetest.Execute(t, b.URL, "UPDATE nexus_recounts SET counted = 800000, last_pages = 1")
	at, err = b.Store.Nexus.RecountProgress(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, int64(2000), at.Expected, "it has counted more than there are now")
}

// A change that is committed late is counted, although later numbers were counted before.
func TestChangesThatCommitLateAreCounted(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	changed := func(after int64, limit int) ([]string, int64, bool) {
		changed, through, all, err := b.Store.Events.ChangedRecords(t.Context(), b.Scope.OrganizationID, after, limit)
		require.NoError(t, err)
		return changed.Transactions, through, all
	}
	refs := b.Accepted(t, 3)
	ids, through, all := changed(0, 2)
	require.Len(t, ids, 2)
	require.False(t, all)
	rest, through, all := changed(through, 100)
	require.True(t, all)
	require.ElementsMatch(t, []string{refs[0].ID, refs[1].ID, refs[2].ID}, append(ids, rest...))

	const event = `INSERT INTO events (organization_id, type, object_id, record) VALUES ($1, 'transaction.updated', $2, '{}')`
	late, err := b.SQL.BeginTx(t.Context(), pgx.TxOptions{})
	require.NoError(t, err)
	_, err = late.Exec(t.Context(), event, b.Scope.OrganizationID, refs[0].ID)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), event, b.Scope.OrganizationID, refs[1].ID)
	require.NoError(t, err)
	ids, through, all = changed(through, 100)
	require.Empty(t, ids, "no number is passed over")
	require.True(t, all)
	require.NoError(t, late.Commit(t.Context()))
	ids, through, _ = changed(through, 100)
	require.Equal(t, []string{refs[0].ID, refs[1].ID}, ids)
	ids, _, _ = changed(through, 100)
	require.Empty(t, ids)
}
