package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Work that no adapter sends waits for a person from its approval on, and its record shows this.
func TestWhatPeopleHandOverIsListed(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	filing, ohio := b.January(t, models.FilingFiling), b.Register(t, "US", "OH")
	execute := func(statement string) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), statement, b.Scope.OrganizationID)
		require.NoError(t, err)
	}
	execute("UPDATE filings SET due_date = current_date + 2 WHERE organization_id = $1")
	execute("UPDATE registrations SET status = 'DEREGISTERING', deregistration_date = '2026-01-31' " +
		"WHERE organization_id = $1 AND state_code = 'OH'")
	listed := func() (listed []string) {
		t.Helper()
		for _, e := range exceptionsOf(t, b) {
			if e.ObjectID == filing.ID || e.ObjectID == ohio.ID {
				listed = append(listed, e.Type+" "+e.Code+" "+e.Status)
			}
		}
		return listed
	}
	note := func(attempt int) {
		t.Helper()
		require.NoError(t, b.Store.Filings.NoteManualFiling(t.Context(), b.Scope,
			models.Attempt{RecordID: filing.ID, Number: attempt}))
	}
	note(filing.Attempt + 1)
	require.Empty(t, listed(), "another attempt does not count")
	require.Equal(t, models.WaitsForAuthority, b.Read(t, filing.ID).WaitsFor())

	note(filing.Attempt)
	execute("UPDATE registrations SET authority = 'manual' WHERE organization_id = $1 AND state_code = 'OH'")
	require.ElementsMatch(t, []string{
		"FILING_WAITING CONFIRMATION FILING", "REGISTRATION_WAITING CONFIRMATION DEREGISTERING",
	}, listed())
	require.Equal(t, models.WaitsForConfirmation, b.Read(t, filing.ID).WaitsFor())
	r, err := b.Store.Registrations.Registration(t.Context(), b.Scope, ohio.ID)
	require.NoError(t, err)
	require.True(t, r.Manual())
	people, err := b.Store.Engine.WaitingForPeople(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, people.ToFile)
	execute("UPDATE filings SET due_date = current_date - 2 WHERE organization_id = $1")
	require.Contains(t, listed(), "FILING_OVERDUE CONFIRMATION FILING")

	_, err = b.Transition(filing.ID, models.FilingIssue)
	require.NoError(t, err)
	retried, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, filing.ID, (*models.Filing).Retry)
	require.NoError(t, err)
	require.Nil(t, retried.Manual(), "an adapter may take the next attempt")
}
