package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// A return whose adapter has no document of it is not approved, and says why.
func TestAnIncompleteReturnIsNotApproved(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 2, 0, 0, 0, 0, time.UTC)
	f := Filing{Status: FilingUnfiled, EndDate: now.AddDate(0, 0, -2), Elapsed: calendar.DateOf(now), ReturnRefusals: []string{"ID_MISSING"}}
	require.Equal(t, []string{BlockerReturnIncomplete}, f.Blockers())
	var refused *FilingDocumentError
	require.ErrorAs(t, f.Approve(FilingApproval{By: "Ann"}, now), &refused)
	require.Equal(t, f.ReturnRefusals, refused.Findings)
	require.Equal(t, FilingUnfiled, f.Status)
	f.ReturnRefusals = nil
	require.NoError(t, f.Approve(FilingApproval{By: "Ann"}, now))
}
