package filings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
)

// An amendment for which nothing is left is cancelled: what came late was archived or has another date. Nobody files
// one that is empty.
func TestAnAmendmentOfWhichNothingIsLeftIsCancelled(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	january := b.January(t, models.FilingFiled)
	amend := func() models.Filing {
		_, err := b.SQL.Exec(t.Context(), "UPDATE late_transactions SET at = now()")
		require.NoError(t, err)
		_, err = b.Store.Filings.AmendFilings(t.Context())
		require.NoError(t, err)
		all := b.Amendments(t, january.ID)
		return all[len(all)-1]
	}
	archived, moved := b.Sale(t, "2026-01-11", "20.00"), b.Sale(t, "2026-01-12", "50.00")
	b.Process(t, archived, moved)
	opened := amend()
	archive(t, b, archived)
	require.Equal(t, models.FilingUnfiled, amend().Status, "it still has one")
	redate(t, b, moved, "2026-01-31")
	require.Equal(t, models.FilingUnfiled, amend().Status, "nobody knows yet what that adds")
	moved.Epoch = 2
	b.Process(t, moved)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(amend()))

	redate(t, b, moved, "2026-02-12")
	emptied := amend()
	require.Equal(t, []any{opened.ID, models.FilingCancelled}, []any{emptied.ID, emptied.Status})
	told := history(t, b, opened.ID)
	last := told[len(told)-1]
	require.Equal(t, []any{models.FilingUnfiled, models.ActorSystem, models.NothingToAmend},
		[]any{last.From, last.Actor.Type, last.Reason})
	require.Equal(t, emptied.UpdatedAt, amend().UpdatedAt)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"), "that is all")

	late := b.Sale(t, "2026-01-14", "30.00")
	b.Process(t, late)
	penalties, err := money.ParseTotal("5.00")
	require.NoError(t, err)
	_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, amend().ID,
		func(f *models.Filing) error { f.AmountPenalties = penalties; return nil })
	require.NoError(t, err)
	archive(t, b, late)
	require.Equal(t, models.FilingUnfiled, amend().Status, "what people entered is filed")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))
}

func archive(t *testing.T, b *storetest.FilingBundle, ref models.Ref) {
	t.Helper()
	results, err := b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{ref.ID})
	require.NoError(t, err)
	require.NoError(t, results[0])
}

func redate(t *testing.T, b *storetest.FilingBundle, ref models.Ref, day string) {
	t.Helper()
	_, err := b.Update(ref.ID, func(d *models.TransactionDraft) {
		d.Date, d.TaxDate = calendar.MustDate(day).Time(), calendar.MustDate(day).Time()
	})
	require.NoError(t, err)
}
