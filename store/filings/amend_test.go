package filings_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

func TestLateTransactionsGoToOneAmendment(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	sold := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, sold)
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)

	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	opened := b.Amendments(t, f.ID)
	require.Len(t, opened, 1, "already while the return is being filed")
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(opened[0]), "with what is new alone")
	require.Equal(t, []any{f.StartDate, f.EndDate, f.RegistrationID, "USD"},
		[]any{opened[0].StartDate, opened[0].EndDate, opened[0].RegistrationID, opened[0].Currency})

	_, err = b.Transition(f.ID, models.FilingFiled)
	require.NoError(t, err)
	moved := b.Sale(t, "2026-02-10", "7.00")
	b.Process(t, moved)
	_, err = b.Update(moved.ID, func(d *models.TransactionDraft) {
		d.Date, d.TaxDate = calendar.MustDate("2026-01-30").Time(), calendar.MustDate("2026-01-30").Time()
	})
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE transactions SET created_at = '2026-01-30' WHERE id = $1", moved.ID)
	require.NoError(t, err)
	moved.Epoch = 2
	b.Process(t, b.CreditNote(t, sold, "2026-01-31", "30.00"), moved)
	joined := b.Amendments(t, f.ID)
	require.Len(t, joined, 1, "others join it")
	require.Equal(t, "3 90.00 9.00", storetest.FilingSums(joined[0]))
	require.Equal(t, []models.FilingCause{
		{Reason: "CHANGED", Transactions: 1}, {Reason: "CREDIT_NOTE", Transactions: 1},
		{Reason: "LATE", Transactions: 1},
	}, joined[0].Causes)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(b.Read(t, f.ID)), "a filed return does not change")

	amended, err := b.Approve(joined[0].ID)
	require.NoError(t, err)
	require.Equal(t, "3 90.00 9.00", storetest.FilingSums(amended))
	b.Process(t, b.Sale(t, "2026-01-12", "1.00"))
	later := b.Amendments(t, f.ID)
	require.Len(t, later, 2, "one that is being filed is not joined")
	require.Equal(t, "1 1.00 0.10", storetest.FilingSums(later[1]))
	b.Process(t, b.Sale(t, "2026-02-12", "1.00"))
	require.Len(t, b.Amendments(t, f.ID), 2, "another period is not amended")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))
}

func TestAStageThatRunsTwiceAmendsOnce(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingFiled)
	late := b.Sale(t, "2026-01-11", "20.00")
	b.Process(t, late)
	b.Calculate(t, late)
	found := b.Amendments(t, f.ID)
	require.Len(t, found, 1)
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(found[0]))
	_, err := b.Approve(found[0].ID)
	require.NoError(t, err)
	b.Calculate(t, late)
	require.Len(t, b.Amendments(t, f.ID), 1, "a claimed transaction is not late any more")
}

func TestStagesAtOnceOpenOneAmendment(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingFiled)
	var refs []models.Ref
	for i := range 24 {
		refs = append(refs, b.Sale(t, "2026-01-11", fmt.Sprintf("%d0.00", i+1)))
	}
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, refs)
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = b.TryCalculate(refs[i*3 : i*3+3]...) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	_, err = b.Store.Filings.AmendFilings(t.Context()) // the transaction was left by a stage for the next claim or stage
	require.NoError(t, err)
	found := b.Amendments(t, f.ID)
	require.Len(t, found, 1)
	require.Equal(t, "24 3000.00 300.00", storetest.FilingSums(found[0]))
	require.Equal(t, 24, found[0].Causes[0].Transactions)
}

// A stage during a claim neither waits for it nor loses what it processed.
func TestAStageDuringAClaimNeitherWaitsNorLosesTransactions(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	ref := b.Sale(t, "2026-01-11", "20.00")
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, []models.Ref{ref})
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, []models.Ref{ref})
		require.NoError(t, err)
	}
	claim, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = claim.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", b.Registration.ID)
	require.NoError(t, err)
	b.Calculate(t, ref)
	require.Equal(t, "PROCESSED", b.Processing(t, ref), "the stage did not wait")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM late_transactions"), "and noted what it could not decide")
	_, err = claim.Exec(t.Context(), "UPDATE filings SET status = 'FILING', claimed_at = now() WHERE id = $1", f.ID)
	require.NoError(t, err)
	require.NoError(t, claim.Commit(context.Background()))
	_, err = b.Store.Filings.AmendFilings(t.Context())
	require.NoError(t, err)
	require.Len(t, b.Amendments(t, f.ID), 1)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))

	// A claim waits for a stage that began before it, and sees what the stage wrote.
	february := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	stage, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = stage.Exec(t.Context(), "SELECT pg_try_advisory_xact_lock_shared(10, hashtext($1))", b.Registration.ID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := b.Approve(february.ID)
		done <- err
	}()
	require.Eventually(t, func() bool {
		return b.Count(t, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 10 AND NOT granted") == 1
	}, waitLimit, pollEvery, "the claim waits")
	require.NoError(t, stage.Commit(context.Background()))
	require.NoError(t, <-done)
}

// The return of a registration waits for a stage that read the registrations before there was one, and then includes
// its sale.
func TestAReturnWaitsForStagesThatDidNotSeeItsRegistration(t *testing.T) {
	t.Parallel()
	b := &storetest.FilingBundle{Bundle: storetest.Setup(t, 1, 8)}
	_, err := b.SQL.Exec(t.Context(), `
		CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
		  $$ BEGIN PERFORM pg_advisory_xact_lock_shared(99, 1); RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON transaction_totals DEFERRABLE INITIALLY DEFERRED
		  FOR EACH ROW EXECUTE FUNCTION hold_commit()`)
	require.NoError(t, err)
	ref := b.Sale(t, "2026-01-11", "20.00")
	_, err = b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, []models.Ref{ref})
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, []models.Ref{ref})
		require.NoError(t, err)
	}
	waiting := func(class int) bool {
		return b.Count(t, `SELECT count(*)
			FROM pg_locks
			WHERE locktype = 'advisory' AND classid = $1::int AND NOT granted`, class) == 1
	}
	commit, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = commit.Exec(t.Context(), "SELECT pg_advisory_xact_lock(99, 1)")
	require.NoError(t, err)
	processed, filed := make(chan error, 1), make(chan error, 1)
	go func() { processed <- b.TryCalculate(ref) }()
	require.Eventually(t, func() bool { return waiting(99) }, waitLimit, pollEvery, "the stage has done all but commit")
	b.Registration = b.Register(t, "US", "NY")
	january := storetest.FilingOf(b.Registration, models.FilingFiled, "2026-01-01", "2026-01-31")
	go func() {
		_, err := b.Store.Filings.CreateFiling(context.Background(), b.Scope, models.Actor{}, january, storetest.AnyFiling)
		filed <- err
	}()
	require.Eventually(t, func() bool { return waiting(11) || len(filed) == 1 }, waitLimit, pollEvery)
	require.NoError(t, commit.Rollback(context.Background()))
	require.NoError(t, <-processed)
	require.NoError(t, <-filed)
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(b.Read(t, january.ID)))
	require.Empty(t, b.Amendments(t, january.ID))
}

const (
	waitLimit = 3 * time.Minute
	pollEvery = 10 * time.Millisecond
)

func TestAnOpenAmendmentIsUnique(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingFiled)
	own := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	own.FilingCategory = models.FilingAmendment
	made := b.Create(t, own)
	require.Equal(t, f.ID, *made.AmendsFilingID)
	own.ID = models.NewID(models.PrefixFiling)
	_, err := b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{}, own, storetest.AnyFiling)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, models.DuplicateError{Field: "amendment", ExistingID: made.ID}, *duplicate)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	require.Len(t, b.Amendments(t, f.ID), 1, "late transactions join an amendment that a person created")
}

// Nothing is owed for a period that is skipped. If a transaction is processed later and owes something,
// a new return is created for the period with all transactions of the period. An example is a sale that could not be
// processed before.
func TestAPeriodThatWasSkippedAndOwesSomethingLaterGetsAnotherReturn(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	regular := func() []models.Filing {
		list, err := b.Store.Filings.ListFilings(t.Context(), b.Scope,
			models.FilingFilter{Categories: []string{string(calendar.FilingRegular)}},
			[]models.Order{{Column: "created_at"}}, models.Page{Limit: 100})
		require.NoError(t, err)
		return list.Items
	}
	held := hold(t, b, "2026-01-11", "9999.00", nowhereInTheUnitedStates)
	draft := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	due := calendar.MustDate("2026-02-20").Time()
	draft.DueDate = &due
	skipped := b.Create(t, draft)
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err, "nothing shows that it owes anything")
	free := b.Sale(t, "2026-01-12", "0.00")
	b.Process(t, free)
	b.Process(t, b.Sale(t, "2026-02-12", "20.00"))
	require.Len(t, regular(), 1, "neither a transaction that owes nothing nor another period opens one")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))

	resolve(t, b, held)
	found := regular()
	require.Len(t, found, 2)
	require.Equal(t, []any{models.FilingUnfiled, skipped.StartDate, skipped.EndDate, &due, "2 9999.00 999.90"},
		[]any{found[1].Status, found[1].StartDate, found[1].EndDate, found[1].DueDate, storetest.FilingSums(found[1])})
	require.NotNil(t, found[1].NextCheckAt, "its workflow is started")
	told := history(t, b, found[1].ID)
	require.Len(t, told, 1)
	require.Equal(t, []any{models.ActorSystem, "OWES_AFTER_SKIP"}, []any{told[0].Actor.Type, told[0].Reason})
	b.Process(t, b.Sale(t, "2026-01-13", "10.00"))
	require.Len(t, regular(), 2, "which other transactions join")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))

	_, err = b.Transition(found[1].ID, models.FilingCancelled)
	require.NoError(t, err)
	b.Process(t, b.Sale(t, "2026-01-14", "-1009.00"), b.Sale(t, "2026-01-14", "-9000.00"))
	require.Len(t, regular(), 2, "the period owes nothing again")
	_, err = b.Approve(skipped.ID)
	require.Error(t, err, "a skipped return stays skipped")
}

// Another registration at the authority may have a return for the days. Then a late transaction amends that return.
// The skipped period gets no return of its own, or the same sale would be filed twice.
func TestAPeriodThatWasSkippedStaysSkippedWhereAnotherRegistrationHasReturnedIt(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	skipped := b.January(t, models.FilingUnfiled)
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err)
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err = b.SQL.Exec(t.Context(),
			"UPDATE registrations SET status = $2, deregistration_date = '2026-01-31' WHERE id = $1", b.Registration.ID, status)
		require.NoError(t, err)
	}
	b.Registration = b.Register(t, "US", "NY")
	filed := b.January(t, models.FilingFiled)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	require.Len(t, b.Amendments(t, filed.ID), 1)
	require.Len(t, filingsOf(t, b.Store, b.Scope), 3, "the skipped one, the one that was filed, and its amendment")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))
}

// Where another return has some days of a period that was skipped, what is owed for the others is filed by itself.
func TestTheRestOfAPeriodThatWasSkippedGetsAnotherReturn(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Create(t, storetest.FilingOf(b.Registration, models.FilingSkipped, "2026-01-01", "2026-03-31"))
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := b.SQL.Exec(t.Context(),
			"UPDATE registrations SET status = $2, deregistration_date = '2026-03-31' WHERE id = $1", b.Registration.ID, status)
		require.NoError(t, err)
	}
	ended := b.Registration
	b.Registration = b.Register(t, "US", "NY")
	filed := b.Create(t, storetest.FilingOf(b.Registration, models.FilingFiled, "2026-02-15", "2026-02-28"))
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"), b.Sale(t, "2026-02-20", "300.00"), b.Sale(t, "2026-03-12", "4000.00"))
	require.Len(t, b.Amendments(t, filed.ID), 1)
	var reopened []string
	for _, f := range filingsOf(t, b.Store, b.Scope) {
		if f.RegistrationID == ended.ID && f.Status == models.FilingUnfiled {
			reopened = append(reopened, f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly)+" "+
				f.TotalTaxLiability.String())
		}
	}
	require.ElementsMatch(t, []string{"2026-01-01 2026-02-14 2.00", "2026-03-01 2026-03-31 400.00"}, reopened)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))
}

// Late transactions of a return that is being claimed or cannot be amended do not delay those of other returns,
// however many they are. A stage does not amend returns for transactions that others have processed either.
func TestWhatCannotBeAmendedHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingFiled)
	const held, refused = "a_held", "a_refused" // registrations before the other one
	late := func(registration string) int {
		return b.Count(t, "SELECT count(*) FROM late_transactions WHERE registration_id = $1", registration)
	}
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
		SELECT $1, $2, 'txn_' || n FROM generate_series(1, 1100) n UNION ALL SELECT $1, $3, 'txn_1'`,
		b.Scope.OrganizationID, held, refused)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
		CREATE TRIGGER refuse BEFORE DELETE ON late_transactions FOR EACH ROW WHEN (OLD.registration_id = 'a_refused')
		EXECUTE FUNCTION refuse()`)
	require.NoError(t, err)
	claim, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = claim.Rollback(context.Background()) }()
	_, err = claim.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", held)
	require.NoError(t, err)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	_, err = b.Store.Filings.AmendFilings(t.Context())
	require.Error(t, err)
	require.Len(t, b.Amendments(t, f.ID), 1)
	require.Equal(t, []int{0, 1100, 1}, []int{late(b.Registration.ID), late(held), late(refused)})

	require.NoError(t, claim.Rollback(t.Context()))
	b.Store.Filings.AmendAfter(t.Context(), 1, []models.Ref{{OrganizationID: "org_other"}})
	require.Equal(t, 1100, late(held))
	_, err = b.Store.Filings.AmendFilings(t.Context())
	require.Error(t, err)
	require.Equal(t, []int{0, 1}, []int{late(held), late(refused)})
}

// A period was skipped because a refund took back what a sale owed. When the refund is archived, the sale owes
// something again, and nothing else is processed that would tell.
func TestAPeriodThatWasSkippedOwesSomethingWithoutItsRefund(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	skipped := b.January(t, models.FilingUnfiled)
	sale, refund := b.Sale(t, "2026-01-11", "20.00"), b.Sale(t, "2026-01-12", "-20.00")
	b.Process(t, sale, refund, b.Sale(t, "2026-02-11", "300.00"))
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err)
	results, err := b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{refund.ID})
	require.NoError(t, err)
	require.NoError(t, results[0])
	_, err = b.Store.Filings.AmendFilings(t.Context())
	require.NoError(t, err)
	found := filingsOf(t, b.Store, b.Scope)
	require.Len(t, found, 2)
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(found[1]))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))

	// While a person decides about the period, it is not known whether it will be skipped.
	claim, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = claim.Rollback(context.Background()) }()
	_, err = claim.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", b.Registration.ID)
	require.NoError(t, err)
	late := b.Sale(t, "2026-01-14", "-10.00")
	b.Process(t, late)
	_, err = b.SQL.Exec(t.Context(), "DELETE FROM late_transactions")
	require.NoError(t, err)
	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{late.ID})
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM late_transactions WHERE transaction_id = $1", sale.ID))
}

// A late transaction may be recorded again while an amendment is opened for it. It is then checked again,
// because the amendment may have read an earlier state of it.
func TestALateTransactionThatIsNotedAgainMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	note := func() error {
		_, err := b.SQL.Exec(t.Context(), `
			INSERT INTO late_transactions (organization_id, registration_id, transaction_id) VALUES ($1, $2, 'txn_1')
			ON CONFLICT DO NOTHING`, b.Scope.OrganizationID, b.Registration.ID)
		return err
	}
	waiting := func(event string) bool {
		return b.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1`, event) == 1
	}
	require.NoError(t, note())
	other, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.Background()) }()
	_, err = other.Exec(t.Context(), "LOCK TABLE filing_causes")
	require.NoError(t, err)
	amended, noted := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := b.Store.Filings.AmendFilings(t.Context())
		amended <- err
	}()
	require.Eventually(t, func() bool { return waiting("relation") }, waitLimit, pollEvery, "it has read")
	go func() { noted <- note() }()
	require.Eventually(t, func() bool { return waiting("transactionid") || len(noted) == 1 }, waitLimit, pollEvery)
	require.NoError(t, other.Rollback(t.Context()))
	require.NoError(t, <-amended)
	require.NoError(t, <-noted)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM late_transactions"))
}
