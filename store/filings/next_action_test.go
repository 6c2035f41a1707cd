package filings_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// filingBed is a store with one planned filing, of January 2026 in Nevada.
type filingBed struct {
	*store.Store
	scope models.Scope
	id    string
	sql   *pgx.Conn
}

func newFilingBed(t *testing.T) *filingBed {
	t.Helper()
	url := storetest.URL(t)
	b := &filingBed{Store: storetest.Open(t, store.Options{URL: url}), scope: storetest.Organization(t, url)}
	register(t, b.Store, b.scope, "NV", calendar.FilingMonthly, "2026-01-01")
	_, err := planAll(t.Context(), b.Store, "2026-01-31")
	require.NoError(t, err)
	b.id = filingsOf(t, b.Store, b.scope)[0].ID
	b.sql, err = pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.sql.Close(context.Background())) })
	b.exec(t, "UPDATE filings SET due_date = '2026-02-20' WHERE organization_id = $1", b.scope.OrganizationID)
	return b
}

func (b *filingBed) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := b.sql.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func (b *filingBed) refresh(t *testing.T, now string) rules.FilingSnapshot {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, now)
	require.NoError(t, err)
	snapshot, err := b.Filings.RefreshFiling(t.Context(), b.scope, b.id, moment, rules.DefaultFilingPolicy())
	require.NoError(t, err)
	return snapshot
}

// due is the number of filings whose workflow would be notified now.
func (b *filingBed) due(t *testing.T) int {
	t.Helper()
	leased, err := b.Filings.LeaseFilings(t.Context(), 10)
	require.NoError(t, err)
	return len(leased)
}

func TestRefreshFilingNotesRemindersOnce(t *testing.T) {
	t.Parallel()
	b := newFilingBed(t)
	require.Equal(t, 1, b.due(t), "a planned filing is due")
	require.Zero(t, b.due(t), "for one only")

	snapshot := b.refresh(t, "2026-02-01T12:00:00Z")
	require.Equal(t, rules.WaitsForApproval, snapshot.Waits)
	require.Zero(t, b.due(t), "a filing that was read is not due")

	t.Run("a reminder is noted once", func(t *testing.T) {
		require.Equal(t, models.EventFilingDueSoon, b.refresh(t, "2026-02-15T10:00:00Z").Reminded)
		require.Empty(t, b.refresh(t, "2026-02-15T10:00:00Z").Reminded)
		require.Equal(t, models.EventFilingOverdue, b.refresh(t, "2026-02-21T10:00:00Z").Reminded)
		var noted int
		require.NoError(t, b.sql.QueryRow(t.Context(),
			"SELECT count(*) FROM audit WHERE entity_id = $1 AND action = 'remind'", b.id).Scan(&noted))
		require.Equal(t, 2, noted)
	})
	t.Run("a filing with which a workflow was started is not due, unless it has changed since", func(t *testing.T) {
		again := func() models.FilingDue {
			b.exec(t, "UPDATE filings SET next_check_at = now() WHERE organization_id = $1", b.scope.OrganizationID)
			leased, err := b.Filings.LeaseFilings(t.Context(), 10)
			require.NoError(t, err)
			require.Len(t, leased, 1)
			require.Equal(t, b.refresh(t, "2026-02-21T10:00:00Z").FilingFacts, leased[0].FilingFacts)
			b.exec(
				t, "UPDATE filings SET next_check_at = $2 WHERE organization_id = $1", b.scope.OrganizationID,
				leased[0].Leased,
			)
			return leased[0]
		}
		later := "SELECT next_check_at > now() + interval '23 hours' FROM filings WHERE organization_id = $1"
		var put bool
		require.NoError(t, b.Filings.PutOffFilings(t.Context(), []models.FilingDue{again()}))
		require.NoError(t, b.sql.QueryRow(t.Context(), later, b.scope.OrganizationID).Scan(&put))
		require.True(t, put)
		seen := again()
		b.exec(t, "UPDATE filings SET next_check_at = now() WHERE organization_id = $1", b.scope.OrganizationID)
		require.NoError(t, b.Filings.PutOffFilings(t.Context(), []models.FilingDue{seen}))
		require.Equal(t, 1, b.due(t))
	})
	t.Run("a filing with which a workflow was started is announced once, when it waits for its approval", func(t *testing.T) {
		announced := func() (n int) {
			require.NoError(t, b.sql.QueryRow(t.Context(),
				"SELECT count(*) FROM events WHERE object_id = $1 AND type = 'filing.ready_for_approval'", b.id).Scan(&n))
			return n
		}
		b.exec(t, "UPDATE filings SET announced_at = NULL WHERE organization_id = $1", b.scope.OrganizationID)
		before := announced()
		for _, step := range []struct {
			ready bool
			more  int
		}{{false, 0}, {true, 1}, {true, 1}} {
			b.exec(t, "UPDATE filings SET next_check_at = now() WHERE organization_id = $1", b.scope.OrganizationID)
			leased, err := b.Filings.LeaseFilings(t.Context(), 10)
			require.NoError(t, err)
			require.Len(t, leased, 1)
			leased[0].Ready = step.ready
			require.NoError(t, b.Filings.PutOffFilings(t.Context(), leased))
			require.Equal(t, before+step.more, announced())
		}
	})
	t.Run("a later due date brings new reminders", func(t *testing.T) {
		b.exec(t, "UPDATE filings SET due_date = '2026-03-20' WHERE organization_id = $1", b.scope.OrganizationID)
		require.Empty(t, b.refresh(t, "2026-02-21T10:00:00Z").Reminded)
		require.Equal(t, models.EventFilingDueSoon, b.refresh(t, "2026-03-11T10:00:00Z").Reminded)
	})
	for name, sql := range map[string]string{
		"auto_file": "UPDATE organization_details SET auto_file = true WHERE organization_id = $1",
		"special_tax_circumstances": `UPDATE organization_settings
			SET special_tax_circumstances = true
			WHERE organization_id = $1`,
		"filing_lookback_periods": `UPDATE organization_settings
			SET filing_lookback_periods = 3
			WHERE organization_id = $1`,
	} {
		t.Run("a change of "+name+" makes it due", func(t *testing.T) {
			b.refresh(t, "2026-02-15T10:00:00Z")
			require.Zero(t, b.due(t))
			b.exec(t, sql, b.scope.OrganizationID)
			require.Equal(t, 1, b.due(t))
		})
	}
	t.Run("an unknown filing", func(t *testing.T) {
		_, err := b.Filings.RefreshFiling(t.Context(), storetestScope(t, b), b.id, time.Now(), rules.DefaultFilingPolicy())
		require.ErrorIs(t, err, models.ErrNotFound)
	})
}

// storetestScope is another organization.
func storetestScope(t *testing.T, b *filingBed) models.Scope {
	t.Helper()
	return storetest.Organization(t, b.sql.Config().ConnString())
}

func TestStepsOfTheWorkflowTakeEffectOnce(t *testing.T) {
	t.Parallel()
	policy, now := rules.DefaultFilingPolicy(), time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	auto := func(t *testing.T) *filingBed {
		t.Helper()
		b := newFilingBed(t)
		b.exec(t, "UPDATE organization_details SET auto_file = true WHERE organization_id = $1", b.scope.OrganizationID)
		return b
	}
	t.Run("approved by the timer, settled, locked, each once", func(t *testing.T) {
		t.Parallel()
		b := auto(t)
		require.Equal(t, rules.FilingApproves, b.refresh(t, "2026-02-03T00:00:00Z").Action)
		for range 2 {
			require.NoError(t, b.Filings.AutoApproveFiling(t.Context(), b.scope, b.id, now, policy))
		}
		f, err := b.Filings.Filing(t.Context(), b.scope, b.id)
		require.NoError(t, err)
		require.Equal(t, models.FilingFiling, f.Status)
		require.Equal(t, 1, f.Attempt)
		require.Equal(t, "auto", *f.ApprovedBy)
		require.True(t, f.AutoApproved)
		require.Equal(t, 1, b.due(t))

		submission, err := b.Filings.SubmissionOfFiling(t.Context(), b.scope, attemptOf(b.id, 1))
		require.NoError(t, err)
		require.True(t, submission.Key.Whole())
		require.True(t, submission.Test)
		require.Equal(t, "0.00", submission.Return.Amount)
		_, err = b.Filings.SubmissionOfFiling(t.Context(), b.scope, attemptOf(b.id, 2))
		require.ErrorIs(t, err, models.ErrChangedMeanwhile)

		accepted := models.AuthorityAnswer{
			Outcome: models.AuthorityAccepted, Confirmation: "SIM-1", PaymentConfirmation: "SIM-2",
		}
		require.NoError(t, b.Filings.SettleFiling(t.Context(), b.scope, attemptOf(b.id, 1), accepted, now))
		late := models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "LATE"}
		require.NoError(t, b.Filings.SettleFiling(t.Context(), b.scope, attemptOf(b.id, 1), late, now), "an attempt that is over")
		f, err = b.Filings.Filing(t.Context(), b.scope, b.id)
		require.NoError(t, err)
		require.Equal(t, models.FilingFiled, f.Status)
		require.Equal(t, "SIM-1", *f.ReturnConfirmationID)
		require.Equal(t, "SIM-2", *f.PaymentConfirmationID)
		require.Equal(t, "2026-02-02", f.DateFiled.Format(time.DateOnly)) // in New York
		require.False(t, *f.IsManual)
		require.Equal(t, rules.FilingLocks, b.refresh(t, "2026-02-03T00:00:00Z").Action)
		for range 2 {
			require.NoError(t, b.Filings.LockFiling(t.Context(), b.scope, b.id))
		}
		require.Equal(t, rules.FilingEnds, b.refresh(t, "2026-02-03T00:00:00Z").Action)
		require.Zero(t, b.due(t), "no action is left")
	})
	t.Run("the timer does not approve a filing that was changed meanwhile", func(t *testing.T) {
		t.Parallel()
		for _, sql := range []string{
			"UPDATE organization_details SET auto_file = false WHERE organization_id = $1",
			"UPDATE organization_settings SET special_tax_circumstances = true WHERE organization_id = $1",
			"UPDATE organization_settings SET filing_lookback_periods = 30 WHERE organization_id = $1",
			"UPDATE filings SET block_approval = true WHERE organization_id = $1",
			"UPDATE filings SET status = 'PAUSED' WHERE organization_id = $1 AND " + storetest.RegistrationLocked,
		} {
			b := auto(t)
			b.exec(t, sql, b.scope.OrganizationID)
			require.ErrorIs(
				t, b.Filings.AutoApproveFiling(t.Context(), b.scope, b.id, now, policy),
				models.ErrChangedMeanwhile, sql,
			)
		}
	})
	t.Run("a rejection is an issue, and a retry another attempt", func(t *testing.T) {
		t.Parallel()
		b := auto(t)
		require.NoError(t, b.Filings.AutoApproveFiling(t.Context(), b.scope, b.id, now, policy))
		rejected := models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES"}
		require.NoError(t, b.Filings.SettleFiling(t.Context(), b.scope, attemptOf(b.id, 1), rejected, now))
		snapshot := b.refresh(t, "2026-02-03T00:00:00Z")
		require.Equal(t, models.FilingIssue, snapshot.Status)
		require.Equal(t, "WRONG_FIGURES", snapshot.Reason)
		status, err := b.Filings.TransitionFiling(t.Context(), b.scope, b.id, models.FilingTransition{To: models.FilingFiling})
		require.NoError(t, err)
		require.Equal(t, models.FilingFiling, status)
		require.Equal(t, 2, b.refresh(t, "2026-02-03T00:00:00Z").Attempt)
	})
	t.Run("a pause ends on its day, not before", func(t *testing.T) {
		t.Parallel()
		b := newFilingBed(t)
		_, err := b.Filings.TransitionFiling(t.Context(), b.scope, b.id, models.FilingTransition{
			To: models.FilingPaused, Until: 20260210,
		})
		require.NoError(t, err)
		require.NoError(
			t, b.Filings.ResumeFiling(t.Context(), b.scope, b.id, time.Date(2026, 2, 9, 23, 59, 0, 0, time.UTC)),
		)
		require.Equal(t, models.FilingPaused, b.refresh(t, "2026-02-09T23:59:00Z").Status)
		require.NoError(
			t, b.Filings.ResumeFiling(t.Context(), b.scope, b.id, time.Date(2026, 2, 10, 0, 0, 0, 0, time.UTC)),
		)
		require.Equal(t, models.FilingUnfiled, b.refresh(t, "2026-02-10T00:00:00Z").Status)
	})
	t.Run("staff change the status by the table only", func(t *testing.T) {
		t.Parallel()
		b := newFilingBed(t)
		for _, to := range []models.FilingStatus{models.FilingFiled, models.FilingIssue} {
			_, err := b.Filings.TransitionFiling(t.Context(), b.scope, b.id, models.FilingTransition{To: to})
			var refused *models.TransitionError
			require.ErrorAs(t, err, &refused)
		}
		status, err := b.Filings.TransitionFiling(t.Context(), b.scope, b.id, models.FilingTransition{
			To: models.FilingSkipped, Reason: "NO_SALES",
		})
		require.NoError(t, err)
		require.Equal(t, models.FilingSkipped, status)
	})
}

// The submission to the authority has the figures of the report.
func TestTheSubmissionEqualsTheReport(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 5)
	_, err := r.Filings.TransitionFiling(t.Context(), r.scope, r.filing, models.FilingTransition{
		To: models.FilingFiling, By: "Ann",
	})
	require.NoError(t, err)
	submission, err := r.Filings.SubmissionOfFiling(t.Context(), r.scope, attemptOf(r.filing, 1))
	require.NoError(t, err)
	_, head, _ := r.document(t)
	require.NotEmpty(t, head.Jurisdictions)
	require.Len(t, submission.Return.Jurisdictions, len(head.Jurisdictions))
	for i, line := range submission.Return.Jurisdictions {
		want := head.Jurisdictions[i]
		require.Equal(t, models.TaxReturnLine{
			Type: want.Type, Name: want.Name, Code: want.Code, Taxable: want.TaxableAmount, Tax: want.TaxAmount,
		}, line)
	}
	require.Equal(t, 5, submission.Return.Transactions)
	again, err := r.Filings.SubmissionOfFiling(t.Context(), r.scope, attemptOf(r.filing, 1))
	require.NoError(t, err)
	require.Equal(t, submission, again, "a repeat says the same")
}

// Late transactions of a return come in parts. The amendment waits for the rest of them for as long as a return waits
// after its period. This also holds for the new return of a skipped period.
func TestTheTimerWaitsForMoreThatComesLate(t *testing.T) {
	t.Parallel()
	policy := rules.DefaultFilingPolicy()
	for name, status := range map[string]models.FilingStatus{
		"amendment": models.FilingFiled, "after a skipped return": models.FilingSkipped,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := storetest.SetupFilings(t)
			_, err := b.SQL.Exec(t.Context(), "UPDATE organization_details SET auto_file = true WHERE organization_id = $1",
				b.Scope.OrganizationID)
			require.NoError(t, err)
			before := b.January(t, status)
			b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
			var late models.Filing
			for _, f := range filingsOf(t, b.Store, b.Scope) {
				if f.ID != before.ID {
					late = f
				}
			}
			opened := late.CreatedAt
			soon, then := opened.Add(24*time.Hour-time.Second), opened.Add(24*time.Hour)
			step, err := b.Store.Filings.RefreshFiling(t.Context(), b.Scope, late.ID, opened, policy)
			require.NoError(t, err)
			require.Equal(t, rules.WaitsForAutoApproval, step.Waits)
			require.Equal(t, 24*time.Hour, step.Next)
			require.ErrorIs(t, b.Store.Filings.AutoApproveFiling(t.Context(), b.Scope, late.ID, soon, policy),
				models.ErrChangedMeanwhile)
			b.Process(t, b.Sale(t, "2026-01-12", "30.00"))
			require.Len(t, filingsOf(t, b.Store, b.Scope), 2, "it joins the one that waits")
			require.NoError(t, b.Store.Filings.AutoApproveFiling(t.Context(), b.Scope, late.ID, then, policy))
			require.Equal(t, "2 50.00 5.00", storetest.FilingSums(b.Read(t, late.ID)))
		})
	}
}

// The authority gets no amendment of a return that it has not confirmed: the timer waits for that, however late it is.
func TestTheTimerFilesNoAmendmentBeforeItsReturn(t *testing.T) {
	t.Parallel()
	policy := rules.DefaultFilingPolicy()
	b := storetest.SetupFilings(t)
	_, err := b.SQL.Exec(t.Context(), "UPDATE organization_details SET auto_file = true WHERE organization_id = $1",
		b.Scope.OrganizationID)
	require.NoError(t, err)
	amended := b.January(t, models.FilingFiling)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	id := b.Amendments(t, amended.ID)[0].ID
	later := b.Read(t, id).CreatedAt.Add(48 * time.Hour)
	step, err := b.Store.Filings.RefreshFiling(t.Context(), b.Scope, id, later, policy)
	require.NoError(t, err)
	require.Equal(t, []any{rules.FilingWaits, rules.WaitsForReturn, time.Duration(0)},
		[]any{step.Action, step.Waits, step.Next})
	require.ErrorIs(t, b.Store.Filings.AutoApproveFiling(t.Context(), b.Scope, id, later, policy),
		models.ErrChangedMeanwhile)

	_, err = b.Transition(amended.ID, models.FilingFiled)
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filings WHERE id = $1 AND next_check_at <= now()", id),
		"its workflow looks at it")
	require.NoError(t, b.Store.Filings.AutoApproveFiling(t.Context(), b.Scope, id, later, policy))
	require.Equal(t, models.FilingFiling, b.Read(t, id).Status)
}

func attemptOf(id string, n int) models.Attempt { return models.Attempt{RecordID: id, Number: n} }
