package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// If an authority does not answer, the record shows this, and after an hour the list of work for people shows it too.
// This ends when the authority answers or the record waits for something else.
func TestAnAuthorityThatDoesNotAnswerIsSeenAtItsRecords(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	execute := func(statement string) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), statement, b.Scope.OrganizationID)
		require.NoError(t, err)
	}
	found := func() (found []string) {
		t.Helper()
		for _, e := range exceptionsOf(t, b) {
			if e.Unanswered != nil {
				require.WithinRange(t, *e.Unanswered, time.Now().Add(-3*time.Hour), time.Now().Add(-time.Hour))
				found = append(found, e.Type+" "+e.Code)
			}
		}
		return found
	}
	filing, ohio := b.January(t, models.FilingFiling), b.Register(t, "US", "OH")
	execute("UPDATE registrations SET status = 'DEREGISTERING', deregistration_date = '2026-01-31' " +
		"WHERE organization_id = $1 AND state_code = 'OH'")
	note := func(attempt int, answered bool) {
		t.Helper()
		require.NoError(t, b.Store.Filings.NoteFilingContact(t.Context(), b.Scope,
			models.Attempt{RecordID: filing.ID, Number: attempt}, answered))
		require.NoError(t, b.Store.Registrations.NoteRegistrationContact(t.Context(), b.Scope,
			models.Attempt{RecordID: ohio.ID, Number: ohio.Attempt + attempt - filing.Attempt}, answered))
	}
	since := func() []*time.Time {
		t.Helper()
		r, err := b.Store.Registrations.Registration(t.Context(), b.Scope, ohio.ID)
		require.NoError(t, err)
		return []*time.Time{b.Read(t, filing.ID).Unanswered(), r.Unanswered()}
	}
	answered := []*time.Time{nil, nil}
	note(filing.Attempt+1, false)
	require.Equal(t, answered, since(), "another attempt does not count")
	note(filing.Attempt, false)
	require.NotContains(t, since(), (*time.Time)(nil))
	require.Empty(t, found(), "most outages are over within minutes")
	for _, table := range []string{"filings", "registrations"} {
		execute("UPDATE " + table + " SET unanswered_since = unanswered_since - interval '2 hours' WHERE organization_id = $1")
	}
	first := since()
	note(filing.Attempt, false)
	require.Equal(t, first, since(), "it is the first call that counts")
	execute("UPDATE filings SET due_date = current_date + 2 WHERE organization_id = $1")
	require.ElementsMatch(t, []string{
		"FILING_WAITING AUTHORITY_UNANSWERED", "REGISTRATION_WAITING AUTHORITY_UNANSWERED",
	}, found())
	execute("UPDATE filings SET due_date = current_date - 2 WHERE organization_id = $1")
	require.Contains(t, found(), "FILING_OVERDUE AUTHORITY_UNANSWERED")

	_, err := b.Transition(filing.ID, models.FilingIssue)
	require.NoError(t, err)
	require.Nil(t, since()[0], "it waits for people now")
	retried, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, filing.ID, (*models.Filing).Retry)
	require.NoError(t, err)
	require.Nil(t, retried.Unanswered(), "the next attempt was not tried yet")
	note(filing.Attempt, true)
	require.Equal(t, answered, since())
	require.Empty(t, found())
}
