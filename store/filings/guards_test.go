package filings_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax/calendar"
)

func TestReasonsThatBlockAnApproval(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	today := time.Now().UTC().Format(time.DateOnly)
	running := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-03-01", today))
	_, err := b.Approve(running.ID)
	var open *models.FilingPeriodOpenError
	require.ErrorAs(t, err, &open)
	require.Equal(t, calendar.MustDate(today).AddDays(1).Time().Add(12*time.Hour), open.AvailableAt)

	f := b.January(t, models.FilingUnfiled)
	_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		f.BlockApproval = true
		return nil
	})
	require.NoError(t, err)
	_, err = b.Approve(f.ID)
	require.ErrorIs(t, err, models.ErrFilingBlocked)
	_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		f.BlockApproval = false
		return nil
	})
	require.NoError(t, err)
	ref := b.Sale(t, "2026-01-10", "100.00")
	_, err = b.Approve(f.ID)
	var notReady *models.FilingNotReadyError
	require.ErrorAs(t, err, &notReady)
	require.Equal(t, 1, notReady.Pending)
	b.Process(t, ref)
	_, err = b.Transition(f.ID, models.FilingSkipped)
	var owed *models.FilingLiabilityError
	require.ErrorAs(t, err, &owed)
	require.Equal(t, "10.00", owed.Liability.String())
	cancelled, err := b.Transition(f.ID, models.FilingCancelled)
	require.NoError(t, err)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(cancelled))
	b.Process(t, b.Sale(t, "2026-01-11", "5.00"))
	require.Equal(
		t, "1 100.00 10.00", storetest.FilingSums(b.Read(t, f.ID)), "the sums stay as they were at that moment",
	)
}

func TestFilingsOfEveryStatusAreWritten(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	ref := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, ref)
	for i, status := range []models.FilingStatus{
		models.FilingUnfiled, models.FilingPaused, models.FilingIssue, models.FilingSkipped,
		models.FilingCancelled, models.FilingFiling,
	} {
		f := storetest.FilingOf(b.Registration, status, "2025-0"+fmt.Sprint(i+1)+"-01", "2025-0"+fmt.Sprint(i+1)+"-28")
		require.Equal(t, status, b.Create(t, f).Status)
	}
	filed := b.January(t, models.FilingFiled)
	require.Equal(t, models.FilingFiled, filed.Status)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(filed))
	require.Equal(t, "10.00", filed.TaxRemitted.String())
	require.Equal(t, "FILING_DONE "+filed.ID, b.Processing(t, ref), "without a stop in between")

	_, err := b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{},
		storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-31", "2026-02-28"), storetest.AnyFiling)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, models.DuplicateError{Field: "filing", ExistingID: filed.ID}, *duplicate)
	overlapping := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	overlapping.FilingCategory = "PREPAYMENT"
	require.Equal(
		t, "1 100.00 10.00", storetest.FilingSums(b.Create(t, overlapping)),
		"another category reports it besides",
	)
	stranger := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-05-01", "2026-05-31")
	stranger.RegistrationID = models.NewID(models.PrefixRegistration)
	_, err = b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{}, stranger, storetest.AnyFiling)
	var unknown *models.ReferencesNotFoundError
	require.ErrorAs(t, err, &unknown)
}

func TestThePlanMakesEachFilingOnce(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	other := b.Register(t, "US", "TX")
	plan := func() []models.Filing {
		var filings []models.Filing
		for _, r := range []models.Registration{b.Registration, other} {
			for _, month := range []string{"01", "02"} {
				f := storetest.FilingOf(r, models.FilingUnfiled, "2026-"+month+"-01", "2026-"+month+"-28")
				f.OrganizationID, f.Planned = b.Scope.OrganizationID, true
				filings = append(filings, f)
			}
		}
		return filings
	}
	b.Create(t, storetest.FilingOf(b.Registration, models.FilingFiled, "2026-01-15", "2026-02-14"))
	made, err := b.Store.Filings.InsertPlannedFilings(t.Context(), plan())
	require.NoError(t, err)
	require.Len(t, made, 2, "what overlaps the filing that is there is left out")
	_, err = b.Transition(made[0], models.FilingCancelled)
	require.NoError(t, err)
	again, err := b.Store.Filings.InsertPlannedFilings(t.Context(), plan())
	require.NoError(t, err)
	require.Empty(t, again, "also when one was cancelled")
}

// Sums that are too large for a return are shown exactly, and refused when they are claimed.
func TestSumsThatAreTooLargeAreShownAndNotClaimed(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-11", "100.00"))
	f := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "ALTER TABLE transaction_totals ALTER sales TYPE numeric")
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET sales = 999999999999999999.99")
	require.NoError(t, err)
	require.Equal(t, "2 1999999999999999999.98 20.00", storetest.FilingSums(b.Read(t, f.ID)))
	_, err = b.Approve(f.ID)
	var refused *models.InvalidError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, models.FilingUnfiled, b.Read(t, f.ID).Status)
}

// A sale that is processed again while a claim waits for it is not claimed with its previous version.
func TestAClaimTakesNoSaleThatChangedWhileItWaited(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"another version": "UPDATE transactions SET epoch = 2 WHERE id = $1",
		"queued again":    "UPDATE transactions SET processing_status = 'QUEUED' WHERE id = $1",
		"archived":        "UPDATE transactions SET status = 'ARCHIVED' WHERE id = $1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := storetest.SetupFilings(t)
			f := b.January(t, models.FilingUnfiled)
			stays, changes := b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-11", "50.00")
			b.Process(t, stays, changes)
			stage, err := b.SQL.Begin(t.Context())
			require.NoError(t, err)
			_, err = stage.Exec(t.Context(), change, changes.ID)
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() {
				_, err := b.Approve(f.ID)
				done <- err
			}()
			require.Eventually(t, func() bool {
				return b.Count(t, `SELECT count(*)
					FROM pg_stat_activity
					WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
			}, waitLimit, pollEvery, "the claim waits")
			require.NoError(t, stage.Commit(context.Background()))
			require.NoError(t, <-done)
			require.Equal(t, "1 100.00 10.00", storetest.FilingSums(b.Read(t, f.ID)))
		})
	}
}

// A second claim finds nothing to claim, and leaves the sums of the first.
func TestAClaimHappensOnce(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	f := b.January(t, models.FilingUnfiled)
	claim := func(rows int, why string) {
		t.Helper()
		tx, err := b.SQL.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.Background()) }() // no effect after a commit
		_, err = tx.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", f.RegistrationID)
		require.NoError(t, err)
		for _, statement := range []string{filings.ClaimRegular, filings.SumReturnLines} {
			done, err := tx.Exec(t.Context(), statement, f.OrganizationID, f.ID)
			require.NoError(t, err)
			require.EqualValues(t, rows, done.RowsAffected(), why)
		}
		require.NoError(t, tx.Commit(t.Context()))
	}
	for i := range 2 {
		claim(1-i, "a claimed filing claims nothing more")
		b.Process(t, b.Sale(t, "2026-01-11", "20.00")) // it comes late
	}
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(b.Read(t, f.ID)))
	_, err := b.Transition(f.ID, models.FilingIssue)
	require.NoError(t, err)
	claim(0, "an issue keeps what it claimed")
}

// The database refuses a second return for a transaction, independently of the code.
func TestTheDatabaseRefusesToReturnASaleTwice(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	ref := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, ref)
	f := b.January(t, models.FilingFiled)
	amendment := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	amendment.FilingCategory = models.FilingAmendment
	amendment = b.Create(t, amendment)
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO filing_transactions
		SELECT organization_id, $1, transaction_id, registration_id, claims_as, epoch, tax_date,
		marketplace, sales, taxable, tax, collected, liability
		FROM filing_transactions
		WHERE filing_id = $2`, amendment.ID, f.ID)
	require.ErrorContains(t, err, "filing_transactions_once")
	for sql, guard := range map[string]string{
		`UPDATE filings
		    SET status = 'UNFILED', claimed_at = NULL, filed_at = NULL
		  WHERE id = $1`: "filings_status_moves",
		"UPDATE filings SET claimed_at = NULL WHERE id = $1": "filings_claimed",
		"UPDATE filings SET filed_at = NULL WHERE id = $1":   "filings_filed",
		`UPDATE filings
		    SET amount_sales = 'NaN'
		  WHERE id = $1`: "filings_amount_sales_check",
		`UPDATE filings
		    SET report_hash = repeat('0', 64)
		  WHERE id = $1`: "filings_report_fixed",
		"UPDATE filings SET filing_category = 'REGULAR' WHERE amends_filing_id = $1": "filings_regular",
		`UPDATE transactions
		    SET processing_status = 'PROCESSED', filing_id = NULL
		  WHERE filing_id = $1`: "transactions_processing_moves",
	} {
		_, err := b.SQL.Exec(t.Context(), sql, f.ID)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, sql)
		require.Equal(t, guard, refused.ConstraintName, sql)
	}
}

// A stage of processing could miss a transition that does not lock the registration: the database refuses it.
func TestATransitionOfAFilingLocksItsRegistration(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	try := func(lock string, args ...any) error {
		tx, err := b.SQL.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.Background()) }()
		_, err = tx.Exec(t.Context(), lock, args...)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "UPDATE filings SET status = 'PAUSED' WHERE id = $1", f.ID)
		return err
	}
	for _, lock := range []string{"SELECT", "SELECT pg_advisory_xact_lock_shared(10, hashtext($1))",
		"SELECT pg_advisory_xact_lock(11, hashtext($1))",
		"SELECT pg_advisory_xact_lock(10, hashtext($1) + 1)", "SELECT pg_advisory_xact_lock(hashtext($1))"} {
		args := []any{f.RegistrationID}
		if lock == "SELECT" {
			args = nil
		}
		err := try(lock, args...)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, lock)
		require.Equal(t, "filings_status_moves_held", refused.ConstraintName, lock)
	}
	require.NoError(t, try("SELECT pg_advisory_xact_lock(10, hashtext($1))", f.RegistrationID))
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET internal_notes = 'x' WHERE id = $1", f.ID)
	require.NoError(t, err, "a change that is no transition needs no lock")
}

// Adding up a waiting filing may take long: reads and writes of it have a longer timeout than other statements.
func TestSumsOfAWaitingFilingHaveALongerTimeout(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	for _, sql := range []string{ // a sum that returns its timeout
		`UPDATE transaction_totals SET currency = 'EUR'`,
		`CREATE OR REPLACE FUNCTION euro_rate(code text, on_day date) RETURNS numeric LANGUAGE plpgsql STABLE AS $$
		 BEGIN
		   IF current_setting('statement_timeout')::interval < interval '50 seconds' THEN
		     RAISE EXCEPTION 'a sum has % only', current_setting('statement_timeout');
		   END IF;
		   RETURN 1;
		 END $$`,
	} {
		_, err := b.SQL.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	f := b.January(t, models.FilingUnfiled)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(f))
	require.Equal(t, storetest.FilingSums(f), storetest.FilingSums(b.Read(t, f.ID)))
	paused, err := b.Transition(f.ID, models.FilingPaused)
	require.NoError(t, err)
	require.Equal(t, storetest.FilingSums(f), storetest.FilingSums(paused))
}
