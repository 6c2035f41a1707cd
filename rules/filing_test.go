package rules_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

func watch(status models.FilingStatus) models.FilingFacts {
	return models.FilingFacts{
		Status: status, Period: calendar.Period{Start: 20260201, End: 20260228}, Due: 20260320, AutoFile: true,
		Lookback: 1,
	}
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return moment
}

func TestTheNextActionOfAFiling(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	for _, test := range []struct {
		rule   string
		status models.FilingStatus
		alter  func(*models.FilingFacts)
		now    string
		want   rules.FilingStep
	}{
		{"auto_file waits for the end of the period and the lookback", models.FilingUnfiled, nil, "2026-02-20T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForAutoApproval, Next: 10 * 24 * hour}},
		{"a lookback of two periods waits a day longer", models.FilingUnfiled, func(w *models.FilingFacts) { w.Lookback = 2 },
			"2026-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForAutoApproval, Next: 24 * hour}},
		{"a moment before the lookback is over nothing is approved", models.FilingUnfiled, nil, "2026-03-01T23:59:59Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForAutoApproval, Next: time.Second}},
		{
			"then it is approved", models.FilingUnfiled, nil, "2026-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingApproves, Next: 8 * 24 * hour},
		},
		{"block_approval holds it up", models.FilingUnfiled, func(w *models.FilingFacts) { w.BlockApprove = true },
			"2026-03-03T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForUnblocking, Next: 7 * 24 * hour}},
		{"special circumstances require people", models.FilingUnfiled, func(w *models.FilingFacts) { w.Special = true },
			"2026-03-03T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForApproval, Next: 7 * 24 * hour}},
		{"without auto_file it waits for people once the period is over", models.FilingUnfiled,
			func(w *models.FilingFacts) { w.AutoFile = false }, "2026-03-01T11:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForPeriodEnd, Next: hour}},
		{"a pause ends at midnight UTC of its day", models.FilingPaused,
			func(w *models.FilingFacts) { w.PausedUntil = 20260305 }, "2026-03-04T23:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForResumption, Next: hour}},
		{"and not later", models.FilingPaused, func(w *models.FilingFacts) { w.PausedUntil = 20260305 },
			"2026-03-05T00:00:00Z",
			rules.FilingStep{Action: rules.FilingResumes, Waits: rules.WaitsForResumption, Next: 5 * 24 * hour}},
		{"a pause without a day waits for people", models.FilingPaused, nil, "2027-03-05T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForResumption, Reminders: 4}},
		{
			"an approved return is submitted to the authority", models.FilingFiling, nil, "2026-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingSubmits, Next: 8 * 24 * hour},
		},
		{"an issue waits for people", models.FilingIssue, func(w *models.FilingFacts) { w.Due = 0 }, "2026-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingWaits, Waits: rules.WaitsForRetry}},
		{
			"a filed return is locked", models.FilingFiled, nil, "2027-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingLocks},
		},
		{
			"then its workflow ends", models.FilingFiled, func(w *models.FilingFacts) { w.Locked = true },
			"2027-03-02T00:00:00Z", rules.FilingStep{Action: rules.FilingEnds},
		},
		{
			"the workflow of a skipped return ends", models.FilingSkipped, nil, "2027-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingEnds},
		},
		{
			"the workflow of a cancelled return ends", models.FilingCancelled, nil, "2027-03-02T00:00:00Z",
			rules.FilingStep{Action: rules.FilingEnds},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			w := watch(test.status)
			if test.alter != nil {
				test.alter(&w)
			}
			require.Equal(t, test.want, rules.NextFilingAction(w, at(t, test.now), rules.DefaultFilingPolicy()))
		})
	}
}

// The due date lasts as long as its day at the authority: its midnights, summer time
// and leap days included.
func TestReminders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, country, state string
		due                  calendar.Date
		moments              [4]string // 10, 5 and 1 days before, and overdue
	}{
		{
			"winter in New York", "US", "NY", 20260120,
			[4]string{"2026-01-10T05:00:00Z", "2026-01-15T05:00:00Z", "2026-01-19T05:00:00Z", "2026-01-21T05:00:00Z"},
		},
		{
			"summer time begins between two reminders", "US", "NY", 20260312,
			[4]string{"2026-03-02T05:00:00Z", "2026-03-07T05:00:00Z", "2026-03-11T04:00:00Z", "2026-03-13T04:00:00Z"},
		},
		{
			"summer time ends between two reminders", "US", "NY", 20261105,
			[4]string{"2026-10-26T04:00:00Z", "2026-10-31T04:00:00Z", "2026-11-04T05:00:00Z", "2026-11-06T05:00:00Z"},
		},
		{
			"Arizona has no summer time", "US", "AZ", 20260312,
			[4]string{"2026-03-02T07:00:00Z", "2026-03-07T07:00:00Z", "2026-03-11T07:00:00Z", "2026-03-13T07:00:00Z"},
		},
		{
			"Hawaii is ten hours behind", "US", "HI", 20260720,
			[4]string{"2026-07-10T10:00:00Z", "2026-07-15T10:00:00Z", "2026-07-19T10:00:00Z", "2026-07-21T10:00:00Z"},
		},
		{
			"a leap day is a day", "US", "TX", 20240301,
			[4]string{"2024-02-20T06:00:00Z", "2024-02-25T06:00:00Z", "2024-02-29T06:00:00Z", "2024-03-02T06:00:00Z"},
		},
		{
			"Berlin is ahead", "DE", "DE", 20260410,
			[4]string{"2026-03-30T22:00:00Z", "2026-04-04T22:00:00Z", "2026-04-08T22:00:00Z", "2026-04-10T22:00:00Z"},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			w := watch(models.FilingIssue)
			w.Due, w.Country, w.State = test.due, test.country, test.state
			policy := rules.DefaultFilingPolicy()
			for i, text := range test.moments {
				moment := at(t, text)
				before := rules.NextFilingAction(w, moment.Add(-time.Second), policy)
				require.Equal(t, i, before.Reminders)
				require.Equal(t, time.Second, before.Next)
				after := rules.NextFilingAction(w, moment, policy)
				require.Equal(t, i+1, after.Reminders)
				require.Equal(t, i == len(test.moments)-1, after.Overdue())
			}
			require.Zero(
				t, rules.NextFilingAction(w, at(t, test.moments[3]), policy).Next,
				"after that there is no further reminder",
			)
		})
	}
	text, err := json.Marshal(rules.FilingSnapshot{
		FilingFacts: models.FilingFacts{Reminders: 1}, FilingStep: rules.FilingStep{Reminders: 2},
	})
	require.NoError(t, err)
	var snapshot rules.FilingSnapshot
	require.NoError(t, json.Unmarshal(text, &snapshot))
	require.Equal(t, 2, snapshot.FilingStep.Reminders, "a workflow reads it as JSON")
	event, days := rules.DefaultFilingPolicy().ReminderEvent(2)
	require.Equal(t, models.EventFilingDueSoon, event)
	require.Equal(t, 5, days)
	event, _ = rules.DefaultFilingPolicy().ReminderEvent(4)
	require.Equal(t, models.EventFilingOverdue, event)
}
