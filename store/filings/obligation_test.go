package filings_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// obligationBundle is an organization with a processed sale of January, a return for it and records of its nexus.
type obligationBundle struct {
	*storetest.FilingBundle
	sold   models.Ref
	filing models.Filing
	nexus  models.NexusRef
}

func setupObligation(t *testing.T) *obligationBundle {
	t.Helper()
	b := &obligationBundle{FilingBundle: storetest.SetupFilings(t)}
	b.sold = b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, b.sold)
	b.filing = b.January(t, models.FilingUnfiled)
	storetest.BeginNexus(t, b.Store)
	require.NoError(t, b.SQL.QueryRow(t.Context(),
		"SELECT organization_id, id FROM nexus_records WHERE state_code = 'NY'").
		Scan(&b.nexus.OrganizationID, &b.nexus.NexusID))
	return b
}

// evaluate evaluates what changed; from New York's obligation begins on a day.
func (b *obligationBundle) evaluate(t *testing.T, from string) {
	t.Helper()
	today, day := calendar.DateOf(time.Now().UTC()), calendar.MustDate(from).Time()
	c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
	require.NoError(t, err)
	outcomes := storetest.Evaluated(c, today)
	for i := range outcomes {
		if outcomes[i].ID == b.nexus.NexusID {
			outcomes[i].ObligedFrom = &day
		}
	}
	require.Equal(t, len(outcomes), storetest.WriteNexus(t, b.Store, c, outcomes))
}

// queueAgain queues the transactions of the days that an obligation changed, and records that all of them follow it.
func (b *obligationBundle) queueAgain(t *testing.T) {
	t.Helper()
	change, err := b.Store.Transactions.NexusObligation(t.Context(), b.nexus)
	require.NoError(t, err)
	_, err = b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, change, models.ObligationCursor{})
	require.NoError(t, err)
	require.NoError(t, b.Store.Transactions.ApplyObligation(t.Context(), change))
}

// notReady reports whether the refusal of an approval names the obligation.
func (b *obligationBundle) notReady(t *testing.T, why string) (namesObligation bool) {
	t.Helper()
	pending := 0
	_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, b.filing.ID,
		func(f *models.Filing) error {
			pending = f.Pending
			return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
		})
	var notReady *models.FilingNotReadyError
	require.ErrorAs(t, err, &notReady, why)
	namesObligation = notReady.WaitsForObligation
	require.Positive(t, pending, "it is refused before it claims anything: %s", why)
	pending, err = b.createApproved()
	require.ErrorAs(t, err, &notReady, "nor is one created: %s", why)
	require.Positive(t, pending)
	require.Equal(t, namesObligation, notReady.WaitsForObligation, why)
	require.Equal(t, models.FilingUnfiled, b.Read(t, b.filing.ID).Status)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM filing_transactions"))
	return namesObligation
}

// createApproved creates a return of the same days that is to be filed at once. pending is what holds it up.
func (b *obligationBundle) createApproved() (pending int, err error) {
	f := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	f.FilingCategory = "PREPAYMENT"
	_, err = b.Store.Filings.CreateFiling(context.Background(), b.Scope, models.Actor{}, f,
		func(f *models.Filing, _ models.Registration) error {
			pending = f.Pending
			return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
		})
	return pending, err
}

// A registration starts the obligation to collect on its first day. Transactions since that day are then calculated
// again. No return is approved between the registration and the end of that calculation.
func TestAReturnIsNotApprovedBeforeWhatItsRegistrationChangesIsCalculated(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	require.True(t, b.notReady(t, "the obligation was never evaluated"))
	b.evaluate(t, "2026-01-01")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM nexus_changes WHERE pending"))
	b.notReady(t, "the obligation begins, and its transactions are not queued again")
	require.Equal(
		t, 1, b.Count(t, "SELECT count(*) FROM nexus_changes WHERE pending"),
		"the change is due for a workflow",
	)
	b.queueAgain(t)
	require.False(t, b.notReady(t, "its transactions are calculated"))
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 2})

	_, err := b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, b.Registration.ID,
		func(r *models.Registration) error {
			day := calendar.MustDate("2026-01-20").Time()
			r.RegistrationDate = &day
			return nil
		})
	require.NoError(t, err)
	b.notReady(t, "the registration has another day")
	b.evaluate(t, "2026-01-20")
	b.notReady(t, "the obligation has changed")
	b.queueAgain(t)
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 3})

	california := models.PhysicalNexus{ID: models.NewID(models.PrefixPhysicalNexus), CountryCode: "US", StateCode: "CA",
		Category:  "OFFICE",
		StartDate: calendar.MustDate("2026-01-01").Time()}
	require.NoError(t, b.Store.Nexus.CreatePhysicalNexus(t.Context(), b.Scope, models.Actor{}, &california))
	filed, err := b.Approve(b.filing.ID)
	require.NoError(t, err, "the obligation of another state holds up no return")
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(filed))
	_, err = b.createApproved()
	require.NoError(t, err)
}

// A presence makes an obligation, too.
func TestAReturnIsNotApprovedBeforeAPresenceIsEvaluated(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	b.evaluate(t, "2026-01-01")
	b.queueAgain(t)
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 2})
	office := models.PhysicalNexus{ID: models.NewID(models.PrefixPhysicalNexus), CountryCode: "US", StateCode: "NY",
		Category:  "OFFICE",
		StartDate: calendar.MustDate("2025-01-01").Time()}
	require.NoError(t, b.Store.Nexus.CreatePhysicalNexus(t.Context(), b.Scope, models.Actor{}, &office))
	b.notReady(t, "a presence is to be evaluated")
}

// An obligation changes while its return is approved: transactions that were queued again would be missing in it.
func TestAnApprovalIsRefusedWhenTheObligationChangesMeanwhile(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	b.evaluate(t, "2026-02-01")
	b.queueAgain(t)
	_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, b.filing.ID,
		func(f *models.Filing) error {
			require.NoError(
				t, f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC()), "nothing blocks the approval yet",
			)
			b.Process(t, b.Sale(t, "2026-03-10", "1.00")) // evaluates the change
			b.evaluate(t, "2026-01-01")
			b.queueAgain(t)
			return nil
		})
	var notReady *models.FilingNotReadyError
	require.ErrorAs(t, err, &notReady)
	require.True(t, notReady.WaitsForObligation)
	b.notReady(t, "its sale is calculated")
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 2})
	filed, err := b.Approve(b.filing.ID)
	require.NoError(t, err)
	require.Equal(t, "1 100.00 10.00", storetest.FilingSums(filed))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM filings WHERE filing_category = 'AMENDMENT'"))
}

// A filing is not shown as one that can be approved while its obligation is undecided.
func TestAFilingSaysThatItsObligationIsUndecided(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	require.Equal(t, []string{models.BlockerInProcessing}, b.Read(t, b.filing.ID).Blockers(), "never evaluated")
	b.evaluate(t, "2026-01-01")
	require.Equal(t, []string{models.BlockerInProcessing}, b.Read(t, b.filing.ID).Blockers(), "not applied")
	b.queueAgain(t)
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 2})
	require.Empty(t, b.Read(t, b.filing.ID).Blockers())
}

// An obligation changes, and changes back while its transactions are queued again. Those that were calculated with the
// obligation in between are calculated once more before a return is approved.
func TestAReturnIsNotApprovedAfterTheObligationChangedAndChangedBack(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	b.evaluate(t, "2026-02-01")
	b.queueAgain(t) // nothing is owed in January

	touch := func() { b.Process(t, b.Sale(t, "2026-03-10", "1.00")) } // evaluates the change
	touch()
	b.evaluate(t, "2026-01-01")
	change, err := b.Store.Transactions.NexusObligation(t.Context(), b.nexus)
	require.NoError(t, err)
	_, err = b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, change, models.ObligationCursor{})
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND background", b.sold.ID),
		"background work yields to new transactions")
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 2})
	touch()
	b.evaluate(t, "2026-02-01")
	b.notReady(t, "its sale is calculated by the obligation in between")

	require.NoError(t, b.Store.Transactions.ApplyObligation(t.Context(), change))
	b.notReady(t, "the sale is not queued again by the current obligation")
	b.queueAgain(t)
	b.notReady(t, "it is calculated")
	b.Process(t, models.Ref{OrganizationID: b.sold.OrganizationID, ID: b.sold.ID, Epoch: 3})
	_, err = b.Approve(b.filing.ID)
	require.NoError(t, err)
}

// A calculation that read the obligation before it changed saves nothing afterwards, however long it takes.
func TestACalculationByAnOutdatedObligationIsNotSaved(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	b.evaluate(t, "2026-02-01")
	b.queueAgain(t)
	slow := b.Sale(t, "2026-01-12", "50.00")
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, []models.Ref{slow})
		require.NoError(t, err)
	}
	b.evaluate(t, "2026-01-01") // and the calculation has read the one before
	b.queueAgain(t)
	b.Calculate(t, slow)
	require.Equal(t, "NEXUS_DONE", b.Processing(t, slow))
	b.notReady(t, "it has to be calculated by the current obligation")
	slow.Epoch = 2
	b.Calculate(t, slow)
	require.Equal(t, "PROCESSED", b.Processing(t, slow))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox WHERE aggregate_id = $1", slow.ID))
	require.Equal(t, 1, b.Count(t, `
		SELECT count(*) FROM (
		  SELECT array_agg(stage ORDER BY seq) AS stages FROM transaction_stages WHERE transaction_id = $1 AND epoch = 2) j
		 WHERE stages = ARRAY['ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE',
		       'PROCESSED']`, slow.ID), "the journal has every stage")
}

// Two obligations that apply to the same sale overtake its calculation at once. Each is a version of its own, whose
// journal begins with the stages that it does not repeat.
func TestACalculationThatIsOvertakenTwiceKeepsItsJournal(t *testing.T) {
	t.Parallel()
	b := setupObligation(t)
	b.evaluate(t, "2026-01-01")
	ref := b.Sale(t, "2026-01-12", "50.00")
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, []models.Ref{ref})
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, []models.Ref{ref})
		require.NoError(t, err)
	}
	change, err := b.Store.Transactions.NexusObligation(t.Context(), b.nexus)
	require.NoError(t, err)
	other, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.Background()) }()
	for _, sql := range []string{
		"UPDATE transactions SET epoch = 2 WHERE id = $1",
		"UPDATE outbox SET epoch = 2 WHERE aggregate_id = $1",
		`INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
		        run_id, detail)
		 SELECT organization_id, transaction_id, 2, stage, revision, attempt, workflow_id, run_id, detail
		   FROM transaction_stages WHERE transaction_id = $1 AND stage <> 'QUEUED' ORDER BY seq`,
	} {
		_, err = other.Exec(t.Context(), sql, ref.ID)
		require.NoError(t, err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, change, models.ObligationCursor{})
		done <- err
	}()
	require.Eventually(t, func() bool {
		return b.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event = 'transactionid'`) == 1
	}, waitLimit, pollEvery)
	require.NoError(t, other.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, 3, b.Count(t, `SELECT count(*) FROM transactions t
		  JOIN transaction_stages s ON (s.organization_id, s.transaction_id, s.epoch) = (t.organization_id, t.id, t.epoch)
		 WHERE t.id = $1`, ref.ID))
}
