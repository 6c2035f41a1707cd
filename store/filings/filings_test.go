package filings_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

func TestALiveFilingAddsUpWhatItWouldClaim(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	inside, last := b.Sale(t, "2026-01-01", "100.00"), b.Sale(t, "2026-01-31", "50.00")
	b.Process(t, inside, last, b.Sale(t, "2025-12-31", "1.00"), b.Sale(t, "2026-02-01", "2.00"))
	require.Equal(t, "2 150.00 15.00", storetest.FilingSums(b.Read(t, f.ID)))

	_, err := b.Update(inside.ID, func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustParse("70.00") })
	require.NoError(t, err)
	read := b.Read(t, f.ID)
	require.Equal(t, "1 50.00 5.00", storetest.FilingSums(read), "a transaction that is being processed again is not in it")
	require.Equal(t, 1, read.Pending)
	require.Equal(t, []string{models.BlockerInProcessing}, read.Blockers())
	inside.Epoch = 2
	b.Process(t, inside)
	require.Equal(t, "2 120.00 12.00", storetest.FilingSums(b.Read(t, f.ID)), "an edit changes the sums")

	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{last.ID})
	require.NoError(t, err)
	require.Equal(t, "1 70.00 7.00", storetest.FilingSums(b.Read(t, f.ID)))
	require.Equal(
		t, 1, b.Count(t, "SELECT count(*) FROM transaction_totals WHERE transaction_id = $1", inside.ID),
		"totals of older versions go away",
	)
}

// Sales that were refunded before they were recorded, and are recorded as such, are in a return like any other.
func TestSalesThatWereRefundedElsewhereAreInAReturn(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	for i, status := range []models.TransactionStatus{
		models.StatusFullyRefunded, models.StatusPartiallyRefunded, models.StatusCommitted,
	} {
		d := storetest.Draft(b.Scope, models.NewID(models.PrefixTransaction))
		d.Date = calendar.MustDate("2026-01-10").Time()
		d.TaxDate, d.Status = d.Date, status
		d.Items[0].Amount = decimal.MustParse([]string{"100.00", "10.00", "1.00"}[i])
		require.NoError(t, b.Intake.Accept(t.Context(), d))
		b.Process(t, models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1})
	}
	require.Equal(t, "3 111.00 11.10", storetest.FilingSums(b.Read(t, f.ID)))
	claimed, err := b.Approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, "3 111.00 11.10", storetest.FilingSums(claimed))
}

func TestAClaimHoldsItsTransactionsFromApprovalToTheEnd(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	one, market := b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-20", "40.00")
	_, err := b.Update(market.ID,
		func(d *models.TransactionDraft) { d.Marketplace, d.Items[0].Amount = true, decimal.MustParse("40.00") })
	require.NoError(t, err)
	market.Epoch = 2
	b.Process(t, one, market)

	claimed, err := b.Approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, models.FilingFiling, claimed.Status)
	require.Equal(
		t, "1 140.00 10.00", storetest.FilingSums(claimed),
		"marketplace sales count as sales, and nothing is owed for them",
	)
	require.Equal(t, int64(1), claimed.MarketplaceTransactionCount)
	require.Equal(t, 1, claimed.Attempt)
	require.Equal(t, "FILING_STARTED "+f.ID, b.Processing(t, one))
	_, err = b.Update(one.ID, func(*models.TransactionDraft) {})
	var locked *models.LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, f.ID, locked.FilingID)

	again, err := b.Approve(f.ID)
	require.NoError(t, err, "a repeat changes nothing")
	require.Equal(t, claimed.ClaimedAt, again.ClaimedAt)
	require.Equal(t, 1, again.Attempt)

	filed, err := b.Transition(f.ID, models.FilingFiled)
	require.NoError(t, err)
	require.Equal(t, "10.00", filed.TaxRemitted.String(), "the liability was paid, unless another amount is sent")
	require.Equal(t, "FILING_DONE "+f.ID, b.Processing(t, one))
	for _, to := range []models.FilingStatus{models.FilingUnfiled, models.FilingIssue, models.FilingCancelled} {
		_, err = b.Transition(f.ID, to)
		var transition *models.TransitionError
		require.ErrorAs(t, err, &transition, to)
	}
}

func TestAnIssueIsRetriedOrReleasesItsTransactions(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	one := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, one)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	_, err = b.Transition(f.ID, models.FilingIssue)
	require.NoError(t, err)
	require.Equal(t, "FILING_STARTED "+f.ID, b.Processing(t, one), "an issue keeps its transactions")
	retried, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID,
		func(f *models.Filing) error { return f.Retry() })
	require.NoError(t, err)
	require.Equal(t, 2, retried.Attempt)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(retried))
	_, err = b.Transition(f.ID, models.FilingIssue)
	require.NoError(t, err)
	released, err := b.Transition(f.ID, models.FilingUnfiled)
	require.NoError(t, err)
	require.Nil(t, released.ClaimedAt)
	require.Equal(t, "PROCESSED", b.Processing(t, one))
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(released), "they are shown as those that it would claim")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_releases"))
	_, err = b.Approve(f.ID)
	require.NoError(t, err, "and are claimed again")
	history, err := b.Store.Transactions.TransactionHistory(t.Context(), b.Scope, one.ID, models.Page{Limit: 100})
	require.NoError(t, err)
	var told []string
	for _, h := range history.Items[len(history.Items)-3:] {
		told = append(told, h.Stage)
		require.Equal(t, f.ID, h.Detail["filing_id"])
	}
	require.Equal(t, []string{"FILING_STARTED", "RELEASED", "FILING_STARTED"}, told)
	require.Equal(t, "FILING_STARTED "+f.ID, b.Processing(t, one))
}

// A sale that two registrations report follows the filing that claimed it first, and
// is free only when neither holds it.
func TestASaleOfTwoRegistrationsIsLockedUntilBothReleaseIt(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	federal, provincial := b.Register(t, "CA", "CA"), b.Register(t, "CA", "BC")
	ref := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, ref)
	_, err := b.SQL.Exec(t.Context(), `DELETE FROM transaction_totals`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `INSERT INTO transaction_totals
		SELECT $1, $2, 1, 'CA', s, 'CA', '2026-01-10', false, 'CAD', 100, 100, 5, 0, 5
		FROM unnest(ARRAY['CA', 'BC']) s`, ref.OrganizationID, ref.ID)
	require.NoError(t, err)
	filings := map[string]models.Filing{}
	for _, r := range []models.Registration{federal, provincial} {
		f := storetest.FilingOf(r, models.FilingUnfiled, "2026-01-01", "2026-01-31")
		f.Currency = "CAD"
		filings[r.ID] = b.Create(t, f)
		_, err := b.Approve(f.ID)
		require.NoError(t, err)
		require.Equal(t, "1 100.00 5.00", storetest.FilingSums(b.Read(t, f.ID)))
	}
	first, second := filings[federal.ID].ID, filings[provincial.ID].ID
	require.Equal(t, "FILING_STARTED "+first, b.Processing(t, ref))
	_, err = b.Transition(first, models.FilingIssue)
	require.NoError(t, err)
	_, err = b.Transition(first, models.FilingCancelled)
	require.NoError(t, err)
	require.Equal(t, "FILING_STARTED "+second, b.Processing(t, ref), "it follows the other one now")
	_, err = b.Transition(second, models.FilingIssue)
	require.NoError(t, err)
	_, err = b.Transition(second, models.FilingUnfiled)
	require.NoError(t, err)
	require.Equal(t, "PROCESSED", b.Processing(t, ref))

	_, err = b.Approve(second)
	require.NoError(t, err)
	_, err = b.Transition(second, models.FilingFiled)
	require.NoError(t, err)
	require.NoError(t, b.Store.Filings.LockFiling(t.Context(), b.Scope, second))
	require.Equal(t, "LOCKED "+second, b.Processing(t, ref))
	late := storetest.FilingOf(federal, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	late.Currency = "CAD"
	b.Create(t, late)
	claimed, err := b.Approve(late.ID)
	require.NoError(t, err)
	require.Equal(t, "1 100.00 5.00", storetest.FilingSums(claimed),
		"a transaction that is locked for one is in the return of the other")
}
