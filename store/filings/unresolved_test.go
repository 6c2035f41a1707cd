package filings_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/report"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/money"
)

// hold posts a sale whose taxable place is not known, or only in part.
func hold(t *testing.T, b *storetest.FilingBundle, day, amount string, place tax.Place) models.Ref {
	t.Helper()
	ref := b.Sale(t, day, amount)
	_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET subtotal = $2::text::numeric WHERE id = $1", ref.ID, amount)
	require.NoError(t, err)
	place.Status = tax.StatusUnverifiable
	_, err = b.Store.Transactions.SaveAddresses(t.Context(), storetest.Run, []models.Ref{ref}, []models.AddressOutcome{{
		Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "The state of the destination is not certain.", Place: place,
	}})
	require.NoError(t, err)
	return ref
}

// resolve gives a sale another version that is delivered to New York, and processes it.
func resolve(t *testing.T, b *storetest.FilingBundle, ref models.Ref) {
	t.Helper()
	_, err := b.Update(ref.ID, func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustParse("9999.00") })
	require.NoError(t, err)
	b.Process(t, models.Ref{OrganizationID: ref.OrganizationID, ID: ref.ID, Epoch: 2})
}

func approveWith(b *storetest.FilingBundle, id string, a models.FilingApproval) (models.Filing, error) {
	return b.Store.Filings.UpdateFiling(context.Background(), b.Scope, models.Actor{APIKeyID: "akey_1"}, id,
		func(f *models.Filing) error {
			return f.Approve(a, time.Now().UTC())
		})
}

func history(t *testing.T, b *storetest.FilingBundle, id string) []models.FilingEvent {
	t.Helper()
	list, err := b.Store.Filings.FilingHistory(t.Context(), b.Scope, id, models.Page{Limit: 100})
	require.NoError(t, err)
	require.Equal(t, int64(len(list.Items)), list.Total)
	return list.Items
}

var nowhereInTheUnitedStates = tax.Place{Country: "US"}

// A transaction that cannot be processed blocks every return that it may belong to, and no other one.
func TestWhichReturnsAnUnresolvedTransactionHoldsUp(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	canada, quebec := b.Register(t, "CA", "CA"), b.Register(t, "CA", "QC")
	of := map[string]models.Filing{"New York in January": b.January(t, models.FilingUnfiled)}
	of["New York in February"] = b.Create(t,
		storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	of["Canada"] = b.Create(t, storetest.FilingOf(canada, models.FilingUnfiled, "2026-01-01", "2026-01-31"))
	of["Québec"] = b.Create(t, storetest.FilingOf(quebec, models.FilingUnfiled, "2026-01-01", "2026-01-31"))
	for _, test := range []struct {
		what  string
		place tax.Place
		holds []string
	}{
		{"somewhere in the United States", nowhereInTheUnitedStates, []string{"New York in January"}},
		{"to New York, without a rate", tax.Place{Country: "US", State: "NY"}, []string{"New York in January"}},
		{"to Nevada, without a rate", tax.Place{Country: "US", State: "NV"}, nil},
		{"to Ontario, without a rate", tax.Place{Country: "CA", State: "ON"}, []string{"Canada"}},
		{"somewhere in Canada", tax.Place{Country: "CA"}, []string{"Canada", "Québec"}},
		{"unknown place", tax.Place{}, []string{"New York in January", "Canada", "Québec"}},
	} {
		held := hold(t, b, "2026-01-10", "9999.00", test.place)
		var holds []string
		for _, name := range []string{"New York in January", "New York in February", "Canada", "Québec"} {
			f := b.Read(t, of[name].ID)
			require.Zero(t, f.Pending)
			if f.Unresolved.Transactions == 0 {
				require.NotContains(t, f.Blockers(), models.BlockerUnresolved)
				continue
			}
			holds = append(holds, name)
			require.Equal(t, 1, f.Unresolved.Transactions)
			require.Equal(t, []string{models.BlockerUnresolved}, f.Blockers())
			_, err := b.Approve(f.ID)
			var unresolved *models.FilingUnresolvedError
			require.ErrorAs(t, err, &unresolved, test.what)
			require.Equal(t, f.Unresolved, unresolved.UnresolvedTransactions)
			listed, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope,
				models.TransactionFilter{UnresolvedOf: f.ID}, nil, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, int64(1), listed.Total)
			require.Equal(t, held.ID, listed.Items[0].ID)
			require.Equal(t, "The state of the destination is not certain.", *listed.Items[0].ProcessingReason)
		}
		require.Equal(t, test.holds, holds, test.what)
		_, err := b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{held.ID})
		require.NoError(t, err)
	}
	require.Equal(t, "9999.00", func() string {
		hold(t, b, "2026-01-10", "9999.00", nowhereInTheUnitedStates)
		return b.Read(t, of["New York in January"].ID).Unresolved.Amount.String()
	}())
}

// A return does not wait for a transaction that fails repeatedly, but shows it as unresolved, and a refund of it too.
func TestATransactionThatFailsRepeatedlyIsUnresolved(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	failing := b.Sale(t, "2026-01-10", "100.00")
	require.Equal(t, []string{models.BlockerInProcessing}, b.Read(t, f.ID).Blockers())
	_, err := b.SQL.Exec(t.Context(), "UPDATE outbox SET last_error = 'unexpected', attempts = 10")
	require.NoError(t, err)
	require.Equal(t, []string{models.BlockerUnresolved}, b.Read(t, f.ID).Blockers())
	note := b.CreditNote(t, failing, "2026-01-11", "10.00")
	require.Equal(t, []string{models.BlockerInProcessing, models.BlockerUnresolved}, b.Read(t, f.ID).Blockers())
	_, err = b.SQL.Exec(t.Context(), "UPDATE outbox SET waits_for = $2 WHERE aggregate_id = $1", note.ID, failing.ID)
	require.NoError(t, err)
	require.Equal(t, []string{models.BlockerUnresolved}, b.Read(t, f.ID).Blockers())
	require.Equal(t, 2, b.Read(t, f.ID).Unresolved.Transactions)
}

// The approval of a return without unresolved transactions records the person and the transactions that are left out.
// When one of them is resolved, it opens an amendment.
func TestAnApprovalRecordsTheTransactionsThatItLeavesOut(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	held := hold(t, b, "2026-01-11", "9999.00", nowhereInTheUnitedStates)
	other := hold(t, b, "2026-01-12", "1.00", tax.Place{Country: "US", State: "NV"})
	f := b.January(t, models.FilingUnfiled)
	_, err := approveWith(b, f.ID, models.FilingApproval{By: models.ApprovedByTimer, Auto: true, ExcludeUnresolved: true})
	var unresolved *models.FilingUnresolvedError
	require.ErrorAs(t, err, &unresolved, "the timer never leaves anything out")

	filing, err := approveWith(b, f.ID, models.FilingApproval{By: "Ann", ExcludeUnresolved: true})
	require.NoError(t, err)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(filing))
	events := history(t, b, f.ID)
	require.Len(t, events, 2)
	require.Equal(t, models.FilingWasApproved, events[1].Action)
	require.Equal(t, models.FilingActor{Type: models.ActorAPIKey, ID: "akey_1", Name: "Ann"}, events[1].Actor)
	require.Equal(t, &models.FilingExclusion{Transactions: 1, Amount: amountOf(t, "9999.00"),
		TransactionIDs: []string{held.ID}}, events[1].Excluded)

	_, err = b.Transition(f.ID, models.FilingFiled)
	require.NoError(t, err)
	for _, resolved := range []models.Ref{held, other} { // and also when something of it has been resolved
		err = b.Store.Filings.ReadReport(t.Context(), b.Scope, f.ID, report.Reader{Limit: 5, Head: func(h *report.Head) error {
			require.Equal(t, int64(1), h.Excluded.Count)
			require.Equal(t, "9999.00", h.Excluded.Amount)
			require.Equal(t, "Ann", *h.Excluded.DecidedBy)
			require.Equal(t, held.ID, h.Excluded.Transactions[0].ID)
			require.Equal(t, "100.00", h.Totals.AmountSales)
			require.Len(t, h.History, 3)
			return nil
		}, Transaction: func(*report.Transaction) error { return nil }})
		require.NoError(t, err)
		resolve(t, b, resolved)
	}
	_, result, err := b.Store.Filings.VerifyReport(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	for _, d := range result.Differences {
		require.NotEqual(t, "report_hash", d.Where, "what was left out is part of what was filed")
	}
	amendments := b.Amendments(t, f.ID)
	require.Len(t, amendments, 1)
	require.Equal(t, "2 19998.00 1999.80", storetest.FilingSums(amendments[0]))
}

// A sale becomes unresolved while its return is approved: nobody has decided to leave it out.
func TestAnApprovalIsRefusedWhenATransactionBecomesUnresolvedMeanwhile(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		require.NoError(t, f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC()), "nothing blocks the approval yet")
		hold(t, b, "2026-01-11", "9999.00", nowhereInTheUnitedStates)
		return nil
	})
	var unresolved *models.FilingUnresolvedError
	require.ErrorAs(t, err, &unresolved)
	require.Equal(t, "9999.00", unresolved.Amount.String())
	require.Equal(t, models.FilingUnfiled, b.Read(t, f.ID).Status)
	_, err = b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{}, func() models.Filing {
		f := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
		f.FilingCategory = "PREPAYMENT"
		return f
	}(), func(f *models.Filing, _ models.Registration) error {
		return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
	})
	require.ErrorAs(t, err, &unresolved, "nor is one created without it")
}

// The amount is compared when the transactions are claimed: it includes those that were processed between reading and
// claiming.
func TestTheExpectedAmountIsThatOfTheClaim(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	late := b.Sale(t, "2026-01-12", "50.00")
	_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET tax_date = '2026-03-01' WHERE id = $1", late.ID)
	require.NoError(t, err)
	f := b.January(t, models.FilingUnfiled)
	expected := amountOf(t, "10.00")
	_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET tax_date = '2026-01-12' WHERE id = $1", late.ID)
		require.NoError(t, err)
		b.Process(t, late)
		return f.Approve(models.FilingApproval{By: "Ann", Expected: &expected}, time.Now().UTC())
	})
	var changed *models.FilingAmountError
	require.ErrorAs(t, err, &changed)
	require.Equal(t, "15.00", changed.Amount.String())
	require.Equal(t, models.FilingUnfiled, b.Read(t, f.ID).Status)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM filing_transactions"))

	now := amountOf(t, "15.00")
	_, err = approveWith(b, f.ID, models.FilingApproval{By: "Ann", Expected: &now})
	require.NoError(t, err)
	again, err := approveWith(b, f.ID, models.FilingApproval{By: "Bob", Expected: &now})
	require.NoError(t, err)
	require.Equal(t, "Ann", *again.ApprovedBy, "a repeat says who approved")
	_, err = approveWith(b, f.ID, models.FilingApproval{By: "Bob", Expected: &expected})
	require.ErrorAs(t, err, &changed, "an approval that expects another amount is refused")
}

func amountOf(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

// Of many unresolved transactions only those of the days of a return are read.
func TestUnresolvedTransactionsAreFoundByTheirDay(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	held := hold(t, b, "2026-01-11", "9999.00", nowhereInTheUnitedStates)
	tx, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	batch := &pgx.Batch{}
	batch.Queue("SET LOCAL session_replication_role = replica") // their transactions are not needed
	batch.Queue(`INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason, tax_date)
		SELECT $1, 'txn_' || n, 1, 'ADDRESS', '2025-01-01'::date + n % 300
		FROM generate_series(1, 20000) n`, held.OrganizationID)
	require.NoError(t, tx.SendBatch(t.Context(), batch).Close())
	require.NoError(t, tx.Commit(t.Context()))
	_, err = b.SQL.Exec(t.Context(), "ANALYZE transaction_refetches")
	require.NoError(t, err)
	rows, err := b.SQL.Query(t.Context(), "EXPLAIN "+filings.UnresolvedOf, b.Scope.OrganizationID, []string{f.ID},
		filings.UnionReturns())
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	require.Contains(t, plan, "transaction_refetches_day")
	require.NotContains(t, plan, "Seq Scan on transaction")
	require.Equal(t, 1, b.Read(t, f.ID).Unresolved.Transactions)
}

// When the last unresolved transaction of its days is resolved, the workflow of a return that the timer approves
// reads the return again at once.
func TestTheLastResolutionWakesTheReturnsThatWaitForIt(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	january := b.January(t, models.FilingUnfiled)
	february := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	woken := func() (ids []string) {
		rows, err := b.SQL.Query(t.Context(), "SELECT id FROM filings WHERE next_check_at IS NOT NULL ORDER BY start_date")
		require.NoError(t, err)
		ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return ids
	}
	sleep := func(autoFile bool) {
		for _, sql := range []string{
			fmt.Sprintf("UPDATE organization_details SET auto_file = %t", autoFile), "UPDATE filings SET next_check_at = NULL",
		} {
			_, err := b.SQL.Exec(t.Context(), sql)
			require.NoError(t, err)
		}
	}
	first, last := hold(t, b, "2026-01-10", "1.00", tax.Place{}), hold(t, b, "2026-01-11", "1.00", tax.Place{})
	later := hold(t, b, "2026-02-11", "1.00", tax.Place{})
	sleep(true)
	resolve(t, b, first)
	require.Empty(t, woken(), "another one is left")
	resolve(t, b, last)
	require.Equal(t, []string{january.ID}, woken())
	sleep(false)
	resolve(t, b, later)
	require.Empty(t, woken(), "it waits for a person to approve it")
	require.Zero(t, b.Read(t, february.ID).Unresolved.Transactions)
}
