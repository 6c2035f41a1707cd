package transactions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestArchivedTransactionsAreNotCountedAndDoNotChange(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 5)
	b.Processed(t, refs[:2])
	note := func(externalID string, status models.TransactionStatus, of string) string {
		d := storetest.Draft(b.Scope, externalID)
		d.Type, d.Status, d.RelatedTo = models.TypePartialCreditNote, status, &of
		accept(t, b.Store, d)
		return d.ID
	}
	committed, cancelled := note("NOTE-1", models.StatusCommitted, refs[3].ID),
		note("NOTE-2", models.StatusCancelled, refs[0].ID)
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE transactions SET processing_status = 'FILING_STARTED', filing_id = 'file_1' WHERE id = $1", refs[1].ID)
	require.NoError(t, err)
	unknown := models.NewID(models.PrefixTransaction)
	ids := []string{refs[0].ID, refs[1].ID, refs[2].ID, refs[3].ID, committed, cancelled, unknown}
	for range 2 { // the second time nothing more happens
		results, err := b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{RequestID: "req_1"}, ids)
		require.NoError(t, err)
		var locked *models.LockedError
		var credited *models.HasCreditNotesError
		var transition *models.TransitionError
		require.NoError(t, results[0])
		require.ErrorAs(t, results[1], &locked)
		require.Equal(t, "file_1", locked.FilingID)
		require.NoError(t, results[2])
		require.ErrorAs(t, results[3], &credited)
		require.ErrorAs(t, results[4], &transition)
		require.Equal(t, []string{"CANCELLED"}, transition.Allowed)
		require.NoError(t, results[5])
		require.ErrorIs(t, results[6], models.ErrNotFound)
		require.Equal(
			t, 3,
			b.Count(
				t,
				"SELECT count(*) FROM transactions WHERE status = 'ARCHIVED' AND processing_status = 'ARCHIVED'",
			),
		)
		require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM audit WHERE action = 'archive' AND request_id = 'req_1'"))
		require.Equal(
			t, 1, b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 1 AND amount = 100"),
			"only the one in a filing counts",
		)
		require.Zero(t, b.Count(t, storetest.RecountNexus))
		require.Zero(t, b.Count(t, storetest.TaxesDiffer))
		require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox WHERE aggregate_id = $1", refs[2].ID))
	}
	before := b.Facts(t)
	_, err = b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, refs[2:3])
	require.NoError(t, err)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs[2:3])
		require.NoError(t, err)
	}
	require.Equal(t, before, b.Facts(t))
	results, err := b.Store.Transactions.ArchiveTransactions(t.Context(), models.Scope{OrganizationID: "org_x"},
		models.Actor{}, []string{refs[4].ID})
	require.NoError(t, err)
	require.ErrorIs(t, results[0], models.ErrNotFound, "nobody archives transactions of others")
}

func TestRelatedTransactions(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 2)
	var notes []string
	for i, kind := range []models.TransactionType{models.TypePartialCreditNote, models.TypeTaxRefund, models.TypeSale} {
		d := storetest.Draft(b.Scope, "NOTE"+string(rune('1'+i)))
		d.Type, d.RelatedTo, d.Date = kind, &refs[0].ID, d.Date.AddDate(0, 0, -i)
		accept(t, b.Store, d)
		notes = append(notes, d.ID)
	}
	related := func(id string) (ids []string) {
		list, err := b.Store.Transactions.RelatedTransactions(t.Context(), b.Scope, id, models.Page{Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, len(list.Items), list.Total)
		for _, item := range list.Items {
			ids = append(ids, item.ID)
		}
		return ids
	}
	require.Equal(t, []string{notes[1], notes[0]}, related(refs[0].ID), "its credits by date; another sale is none")
	require.Equal(t, []string{notes[1], refs[0].ID}, related(notes[0])[:2])
	require.Empty(t, related(refs[1].ID))
	_, err := b.Store.Transactions.RelatedTransactions(t.Context(), models.Scope{OrganizationID: "org_x"}, refs[0].ID,
		models.Page{Limit: 10})
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestTransactionsAreArchivedByDate(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	day := func(n int) time.Time { return time.Date(2020, time.January, n, 12, 0, 0, 0, time.UTC) }
	ids := map[string]string{}
	for n, externalID := range []string{"BEFORE", "FIRST", "SAME-1", "SAME-2", "LOCKED", "LAST", "AFTER"} {
		d := storetest.Draft(b.Scope, externalID)
		d.Date = day([]int{1, 2, 3, 3, 4, 5, 6}[n])
		accept(t, b.Store, d)
		ids[d.ID] = externalID
	}
	_, err := b.SQL.Exec(t.Context(),
		"BEGIN; SET LOCAL session_replication_role = replica; UPDATE transactions SET processing_status = 'FILING_STARTED' "+
			"WHERE external_id = 'LOCKED'; COMMIT")
	require.NoError(t, err) // no triggers: it has not been processed
	from, to := day(2).Truncate(24*time.Hour), day(6).Truncate(24*time.Hour)
	var archived, refused []string
	each := func(id string, result error) {
		if result == nil {
			archived = append(archived, ids[id])
			return
		}
		var locked *models.LockedError
		require.ErrorAs(t, result, &locked)
		refused = append(refused, ids[id])
	}
	calls, after := 0, ""
	for {
		after, err = b.Store.Transactions.ArchiveByDate(t.Context(), b.Scope, models.Actor{RequestID: "req_1"},
			models.ArchivePeriod{From: from, To: to, After: after, Limit: 2}, each)
		require.NoError(t, err)
		if calls++; after == "" {
			break
		}
	}
	require.Equal(t, 3, calls)
	require.ElementsMatch(t, []string{"FIRST", "SAME-1", "SAME-2", "LAST"}, archived)
	require.Equal(t, []string{"LOCKED"}, refused)
	require.Equal(t, 4, b.Count(t, "SELECT count(*) FROM transactions WHERE status = 'ARCHIVED'"))
	require.Equal(t, 4, b.Count(t, "SELECT count(*) FROM audit WHERE action = 'archive' AND request_id = 'req_1'"))
	archived = nil
	after, err = b.Store.Transactions.ArchiveByDate(t.Context(), b.Scope, models.Actor{},
		models.ArchivePeriod{From: from, To: to, Limit: 100}, each)
	require.NoError(t, err)
	require.Empty(t, after)
	require.Empty(t, archived, "repeating archives nothing more")
	_, err = b.Store.Transactions.ArchiveByDate(t.Context(), storetest.Organization(t, b.URL), models.Actor{},
		models.ArchivePeriod{From: from, To: to, After: ids["none"], Limit: 100}, each)
	require.NoError(t, err)
	var missing *models.ReferencesNotFoundError
	_, err = b.Store.Transactions.ArchiveByDate(t.Context(), b.Scope, models.Actor{},
		models.ArchivePeriod{From: from, To: to, After: models.NewID(models.PrefixTransaction), Limit: 100}, each)
	require.ErrorAs(t, err, &missing)
}
