package rules_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
	"levy/tax/money"
)

// A step finds the filing as it is by then: what does not fit any more is not done.
func TestStepsThatAreNotDone(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-03-10T12:00:00Z")
	day := func(text string) *time.Time { d := calendar.MustDate(text).Time(); return &d }
	approve := func(w models.FilingFacts) func(*models.Filing) error {
		return func(f *models.Filing) error {
			return rules.AutoApproveFiling(f, w, now, rules.DefaultFilingPolicy())
		}
	}
	settle := func(f *models.Filing) error {
		return rules.ApplyAuthorityAnswer(f, 2, models.AuthorityAnswer{Outcome: models.AuthorityAccepted}, now)
	}
	resume := func(f *models.Filing) error { return rules.ResumeFiling(f, now) }
	over := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	waiting := models.Filing{Status: models.FilingUnfiled, EndDate: over, Today: 20260310, Elapsed: 20260309}
	manual := watch(models.FilingUnfiled)
	manual.AutoFile = false
	for _, c := range []struct {
		rule   string
		filing models.Filing
		step   func(*models.Filing) error
		want   error // nil: it is done
		status models.FilingStatus
	}{
		{"the time has come", waiting, approve(watch(models.FilingUnfiled)), nil, "FILING"},
		{"it is approved already", models.Filing{Status: "FILING"}, approve(watch(models.FilingFiling)),
			rules.ErrFilingStays, "FILING"},
		{"the organization approves itself by now", waiting, approve(manual), models.ErrChangedMeanwhile, "UNFILED"},
		{"an answer", models.Filing{Status: "FILING", Attempt: 2}, settle, nil, "FILED"},
		{"one to an earlier attempt", models.Filing{Status: "FILING", Attempt: 3}, settle, rules.ErrFilingStays, "FILING"},
		{"one that somebody else gave", models.Filing{Status: "FILED", Attempt: 2}, settle, rules.ErrFilingStays, "FILED"},
		{"a pause whose day has come", models.Filing{Status: "PAUSED", PausedUntilDate: day("2026-03-10")}, resume, nil,
			"UNFILED"},
		{"one that was extended", models.Filing{Status: "PAUSED", PausedUntilDate: day("2026-03-11")}, resume,
			rules.ErrFilingStays, "PAUSED"},
		{"one without an end", models.Filing{Status: "PAUSED"}, resume, rules.ErrFilingStays, "PAUSED"},
		{"no pause", models.Filing{Status: "FILING", PausedUntilDate: day("2026-03-10")}, resume, rules.ErrFilingStays,
			"FILING"},
		{"an empty amendment", models.Filing{Status: "UNFILED"}, rules.CancelEmptyAmendment, nil, "CANCELLED"},
		{"one in which people entered a fee", models.Filing{Status: "PAUSED", AmountFees: total(t, "1.00")},
			rules.CancelEmptyAmendment, models.ErrChangedMeanwhile, "PAUSED"},
		{"one whose period has more to come", models.Filing{Status: "UNFILED", Pending: 1}, rules.CancelEmptyAmendment,
			models.ErrChangedMeanwhile, "UNFILED"},
		{"one that is handed over", models.Filing{Status: "FILING"}, rules.CancelEmptyAmendment,
			models.ErrChangedMeanwhile, "FILING"},
	} {
		f := c.filing
		require.ErrorIs(t, c.step(&f), c.want, c.rule)
		require.Equal(t, c.status, f.Status, c.rule)
	}
}

func TestWhatTheAuthorityDecidesAboutAFiling(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-03-10T23:30:00-05:00")
	f := models.Filing{Status: models.FilingFiling, Attempt: 1}
	require.NoError(t, rules.ApplyAuthorityAnswer(&f, 1, models.AuthorityAnswer{
		Outcome: models.AuthorityAccepted, Confirmation: "R-1", PaymentConfirmation: "P-1"}, now))
	require.Equal(t, []string{"FILED", "R-1", "P-1", "2026-03-11"}, []string{
		string(f.Status), *f.ReturnConfirmationID, *f.PaymentConfirmationID, f.DateFiled.Format(time.DateOnly)})
	require.False(t, *f.IsManual)

	// In Florida it is still the due day, by which the discount is decided.
	f = models.Filing{Status: models.FilingFiling, Attempt: 1, CountryCode: "US", StateCode: "FL"}
	accepted := models.AuthorityAnswer{Outcome: models.AuthorityAccepted}
	require.NoError(t, rules.ApplyAuthorityAnswer(&f, 1, accepted, at(t, "2026-08-20T21:00:00-04:00")))
	require.Equal(t, "2026-08-20", f.DateFiled.Format(time.DateOnly))

	f = models.Filing{Status: models.FilingFiling, Attempt: 1}
	require.NoError(t, rules.ApplyAuthorityAnswer(&f, 1, models.AuthorityAnswer{
		Outcome: models.AuthorityRejected, Reason: "NO_ACCOUNT"}, now))
	require.Equal(t, []string{"ISSUE", "NO_ACCOUNT"}, []string{string(f.Status), *f.IssueReason})
}

func TestTransitionsThatStaffAskFor(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-03-10T12:00:00Z")
	over := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rule    string
		from    models.FilingStatus
		change  models.FilingTransition
		refused bool
	}{
		{"an approval", "UNFILED", models.FilingTransition{To: "FILING", By: "Ada", Expected: "10.00"}, false},
		{"a retry", "ISSUE", models.FilingTransition{To: "FILING"}, false},
		{"a pause", "UNFILED", models.FilingTransition{To: "PAUSED", Until: 20260401}, false},
		{"its end", "PAUSED", models.FilingTransition{To: "UNFILED"}, false},
		{"a skip", "UNFILED", models.FilingTransition{To: "SKIPPED", Reason: "nothing sold"}, false},
		{"a cancellation", "ISSUE", models.FilingTransition{To: "CANCELLED", Reason: "closed"}, false},
		{"the authority confirms", "FILING", models.FilingTransition{To: "FILED"}, true},
		{"the authority rejects", "FILING", models.FilingTransition{To: "ISSUE"}, true},
		{"no such transition", "FILED", models.FilingTransition{To: "UNFILED"}, true},
	} {
		f := models.Filing{Status: c.from, EndDate: over, Today: 20260310, Elapsed: 20260309, Attempt: 4}
		err := rules.TransitionFiling(&f, c.change, now)
		if c.refused {
			var refused *models.TransitionError
			require.ErrorAs(t, err, &refused, c.rule)
			require.Equal(t, c.from, f.Status, c.rule)
			continue
		}
		require.NoError(t, err, c.rule)
		require.Equal(t, c.change.To, f.Status, c.rule)
		switch c.change.To {
		case models.FilingFiling:
			require.Equal(t, 5, f.Attempt, c.rule)
			if c.from == models.FilingUnfiled {
				expected := total(t, "10.00")
				require.Equal(t, &models.FilingApproval{By: "Ada", Expected: &expected}, f.Approval)
			}
		case models.FilingPaused:
			require.Equal(t, "2026-04-01", f.PausedUntilDate.Format(time.DateOnly))
		case models.FilingSkipped:
			require.Equal(t, "nothing sold", *f.SkipReason)
		case models.FilingCancelled:
			require.Equal(t, "closed", *f.CancelledReason)
		case models.FilingUnfiled, models.FilingFiled, models.FilingIssue:
		}
	}
	f := models.Filing{Status: models.FilingUnfiled, EndDate: over, Today: 20260310, Elapsed: 20260309}
	require.Error(t, rules.TransitionFiling(&f, models.FilingTransition{To: "FILING", Expected: "ten"}, now))
}

func TestWhatTakesThePlaceOfAFilingWaitsForPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule   string
		filing models.Filing
		waits  bool
	}{
		{"one that nobody held", models.Filing{Status: "UNFILED"}, false},
		{"one that was blocked", models.Filing{Status: "UNFILED", BlockApproval: true}, true},
		{"one that was paused", models.Filing{Status: "PAUSED"}, true},
		{"one in which people entered an amount", models.Filing{Status: "UNFILED", AmountPenalties: money.Total{}}, false},
		{"or another than none", models.Filing{Status: "UNFILED", AmountPenalties: total(t, "-1.00")}, true},
	} {
		f := c.filing
		rules.CancelLaterFiling(&f, models.EndedWithRegistration)
		require.Equal(t, models.FilingCancelled, f.Status, c.rule)
		require.Equal(t, models.EndedWithRegistration, *f.CancelledReason, c.rule)
		require.Equal(t, c.waits, f.BlockApproval, c.rule)
	}
	before := "people decided so"
	f := models.Filing{Status: models.FilingCancelled, CancelledReason: &before}
	rules.CancelLaterFiling(&f, models.EndedWithRegistration)
	require.Equal(t, before, *f.CancelledReason, "one that is cancelled stays")
}
