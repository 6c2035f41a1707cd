package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// historyLines is a history in short: the action, who did it, and the change of the status.
func historyLines(events []models.FilingEvent) []string {
	lines := make([]string, len(events))
	for i, e := range events {
		lines[i] = string(e.Action) + " " + string(e.Actor.Type) + " " + e.Actor.Name + ": " + string(e.From) + ">" +
			string(e.To)
		if e.Reason != "" {
			lines[i] += " " + e.Reason
		}
	}
	return lines
}

// The history keeps everything that happened to a return, also what a retry overwrites in the filing.
func TestTheHistoryOfAFilingIsKept(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	staff := func(move models.FilingTransition) {
		t.Helper()
		_, err := b.Store.Filings.TransitionFiling(t.Context(), b.Scope, f.ID, move)
		require.NoError(t, err)
	}
	settle := func(attempt int, answer models.AuthorityAnswer) {
		t.Helper()
		for range 2 { // activities may run twice
			require.NoError(t, b.Store.Filings.NoteSubmission(t.Context(), b.Scope, attemptOf(f.ID, attempt), "simulated"))
			require.NoError(t, b.Store.Filings.SettleFiling(t.Context(), b.Scope, attemptOf(f.ID, attempt), answer, f.CreatedAt))
		}
	}
	staff(models.FilingTransition{To: models.FilingPaused, By: "Ann"})
	staff(models.FilingTransition{To: models.FilingUnfiled, By: "Ann"})
	staff(models.FilingTransition{To: models.FilingFiling, By: "Ann"})
	settle(1, models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "E-17",
		Message: "The number is wrong."})
	staff(models.FilingTransition{To: models.FilingFiling, By: "Bob"})
	settle(2, models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"})
	events := history(t, b, f.ID)
	require.Equal(t, []string{
		"CREATED SYSTEM : >UNFILED", "PAUSED STAFF Ann: UNFILED>PAUSED", "RESUMED STAFF Ann: PAUSED>UNFILED",
		"APPROVED STAFF Ann: UNFILED>FILING", "SUBMITTED SYSTEM : FILING>FILING", "REJECTED SYSTEM : FILING>ISSUE E-17",
		"RETRIED STAFF Bob: ISSUE>FILING", "SUBMITTED SYSTEM : FILING>FILING", "FILED SYSTEM : FILING>FILED",
	}, historyLines(events))
	require.Nil(t, b.Read(t, f.ID).IssueReason, "the filing itself no longer shows it")
	require.Equal(t, &models.FilingAuthority{Name: "simulated", Code: "E-17", Message: "The number is wrong."},
		events[5].Authority)
	require.Equal(t, "SIM-1", events[8].Authority.ConfirmationID)
	require.Equal(t, []int{1, 2}, []int{events[4].Attempt, events[7].Attempt})

	for _, sql := range []string{
		"UPDATE filing_history SET actor_name = 'Eve' WHERE filing_id = $1",
		"DELETE FROM filing_history WHERE filing_id = $1",
	} {
		_, err := b.SQL.Exec(t.Context(), sql, f.ID)
		require.ErrorContains(t, err, "rows of filing_history are only added")
	}
	_, err := b.Store.Filings.FilingHistory(t.Context(), models.Scope{OrganizationID: "org_other"}, f.ID,
		models.Page{Limit: 1})
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A return whose payment its authority refused is filed, and nothing of it is paid. A later change pays nothing either.
func TestARefusedPaymentRemitsNothing(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{"": "10.00", models.PaymentRefused: "0.00"} {
		b := storetest.SetupFilings(t)
		b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
		f := b.January(t, models.FilingUnfiled)
		_, err := b.Approve(f.ID)
		require.NoError(t, err)
		answer := models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: "SIM-1", Reason: reason}
		require.NoError(t, b.Store.Filings.SettleFiling(t.Context(), b.Scope, attemptOf(f.ID, 1), answer, time.Now()))
		_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID,
			func(f *models.Filing) error { f.InternalNotes = new("a note"); return nil })
		require.NoError(t, err)
		filed := b.Read(t, f.ID)
		require.Equal(t, models.FilingFiled, filed.Status)
		require.Equal(t, want, filed.TaxRemitted.String(), reason)
	}
}

// A transition that the service did not record, such as a manual one, has its line in the history all the same.
func TestEveryTransitionIsInTheHistory(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE filings SET status = 'CANCELLED', cancelled_reason = 'BY_HAND' WHERE id = $1 AND "+storetest.RegistrationLocked, f.ID)
	require.NoError(t, err)
	planned := storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28")
	planned.OrganizationID, planned.Planned = b.Scope.OrganizationID, true
	made, err := b.Store.Filings.InsertPlannedFilings(t.Context(), []models.Filing{planned})
	require.NoError(t, err)
	require.Len(t, made, 1)
	require.Equal(t, []string{"CREATED SYSTEM : >UNFILED", "CANCELLED SYSTEM : UNFILED>CANCELLED BY_HAND"},
		historyLines(history(t, b, f.ID)))
	require.Equal(t, []string{"CREATED SYSTEM : >UNFILED"}, historyLines(history(t, b, planned.ID)))
}
