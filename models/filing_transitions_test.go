package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

func TestAFilingThatWaitsAgainIsNotApproved(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	f := models.Filing{
		Status: models.FilingUnfiled, EndDate: calendar.MustDate("2026-01-31").Time(),
		Today: calendar.MustDate("2026-03-02"), Elapsed: calendar.MustDate("2026-03-01"),
	}
	require.NoError(t, f.Approve(models.FilingApproval{By: "auto", Auto: true}, now))
	reason := "WRONG_FIGURES"
	f.Status, f.IssueReason = models.FilingIssue, &reason

	issue := f
	f.Enter(models.FilingUnfiled)
	require.Equal(t, []any{
		(*string)(nil), (*string)(nil), (*time.Time)(nil), false,
	}, []any{f.IssueReason, f.ApprovedBy, f.ApprovedAt, f.AutoApproved})
	require.NoError(t, f.Approve(models.FilingApproval{By: "Ann"}, now))
	require.Equal(t, []any{2, "Ann", false}, []any{f.Attempt, *f.ApprovedBy, f.AutoApproved})

	require.NoError(t, f.Approve(models.FilingApproval{By: "Bob"}, now.Add(time.Hour)))
	require.Equal(t, []any{2, "Ann", now}, []any{f.Attempt, *f.ApprovedBy, *f.ApprovedAt},
		"a second approval says who approved")

	require.NoError(t, issue.Retry())
	require.Nil(t, issue.IssueReason)
	require.Equal(t, "auto", *issue.ApprovedBy, "a retry files what was approved")
}

// A filing that is not ready names all that is missing, so that nobody is refused again for what was known before.
func TestAFilingThatIsNotReadyNamesAllThatIsMissing(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled, Today: 1, Elapsed: 1, Pending: 2}
	f.EndDate, f.Unresolved.Transactions = calendar.Date(0).Time(), 1
	var refused *models.FilingNotReadyError
	require.ErrorAs(t, f.Approve(models.FilingApproval{By: "Ann"}, time.Time{}), &refused)
	refused.WaitsForObligation = true
	require.Regexp(t, "^2 transactions .* processed. What obliges you .* itself. One transaction .* corrected.$",
		refused.Error())
	require.ErrorAs(t, f.Approve(models.FilingApproval{By: "Ann", ExcludeUnresolved: true}, time.Time{}), &refused)
	require.Equal(t, models.FilingNotReadyError{Pending: 2}, *refused, "what is left out is not missing")
}

// The status that was refused is never among the allowed ones.
func TestARefusedTransitionIsNotListedAsAllowed(t *testing.T) {
	t.Parallel()
	var refused *models.TransitionError
	issue := models.Filing{Status: models.FilingIssue}
	require.ErrorAs(t, issue.Approve(models.FilingApproval{By: "Ann"}, time.Time{}), &refused)
	require.Equal(t, []string{"UNFILED", "SKIPPED", "CANCELLED"}, refused.Allowed)
	waiting := models.Filing{Status: models.FilingUnfiled}
	require.ErrorAs(t, waiting.Retry(), &refused)
	require.Equal(t, []string{"PAUSED", "SKIPPED", "CANCELLED"}, refused.Allowed)
	processing := models.Registration{Status: models.RegistrationProcessing}
	require.ErrorAs(t, processing.Deregister(time.Time{}, nil, time.Time{}), &refused)
	require.Equal(t, []string{"AWAITING_CLARIFICATION", "REGISTERED", "CANCELLED"}, refused.Allowed)
}

// A submission without an answer may have arrived.
func TestASubmissionAfterALostAnswerIsUnsure(t *testing.T) {
	t.Parallel()
	for _, since := range []*time.Time{nil, {}} {
		s, err := models.Filing{UnansweredSince: since}.Submission()
		require.NoError(t, err)
		require.Equal(t, since != nil, s.Unsure)
	}
}
