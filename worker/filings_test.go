package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// A start has the facts of the record if its run would only wait. Otherwise the run reads them under the lock of the
// record.
func TestFilingStart(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*models.FilingDue)
		seen   string
	}{
		"it waits for people": {func(*models.FilingDue) {}, rules.WaitsForApproval},
		"it waits for the automatic approval": {
			func(f *models.FilingDue) { f.AutoFile = true }, rules.WaitsForAutoApproval,
		},
		"its pause lasts": {
			func(f *models.FilingDue) { f.Status, f.PausedUntil = models.FilingPaused, 20260210 },
			rules.WaitsForResumption,
		},
		"its pause is over": {
			func(f *models.FilingDue) { f.Status, f.PausedUntil = models.FilingPaused, 20260201 }, "",
		},
		"the automatic approval is due": {func(f *models.FilingDue) { f.AutoFile, f.Lookback = true, 0 }, ""},
		"a reminder is due":             {func(f *models.FilingDue) { f.Due = 20260205 }, ""},
		"the reminder was noted": {
			func(f *models.FilingDue) { f.Due, f.Reminders = 20260205, 2 }, rules.WaitsForApproval,
		},
		"it is being filed":                 {func(f *models.FilingDue) { f.Status = models.FilingFiling }, ""},
		"its transactions are to be locked": {func(f *models.FilingDue) { f.Status = models.FilingFiled }, ""},
		"it is over":                        {func(f *models.FilingDue) { f.Status = models.FilingSkipped }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := models.FilingDue{OrganizationID: "org_1", ID: "file_1", Category: calendar.FilingRegular,
				FilingFacts: models.FilingFacts{
					Status: models.FilingUnfiled, Period: calendar.Period{
						Start: 20260101, End: 20260131,
					}, Due: 20260220, Lookback: 1, Country: "US", State: "NV",
				}}
			c.change(&f)
			in := filingStart(f, now, rules.DefaultFilingPolicy())
			require.Equal(t, []string{"org_1", "file_1", "US-NV", "2026-01-01/2026-01-31", "REGULAR", string(f.Status)},
				[]string{in.OrganizationID, in.FilingID, in.Jurisdiction, in.Period, in.Category, string(in.Status)})
			if c.seen == "" {
				require.Nil(t, in.Seen)
				return
			}
			require.Equal(t, c.seen, in.Seen.Waits)
			require.Equal(t, f.FilingFacts, in.Seen.FilingFacts)
			require.Equal(t, now, in.Seen.At)
		})
	}
}

// startsAll is a client on which every start succeeds.
type startsAll struct{ sdkclient.Client }

func (startsAll) SignalWithStartWorkflow(
	context.Context, string, string, any, sdkclient.StartWorkflowOptions, any, ...any,
) (sdkclient.WorkflowRun, error) {
	return nil, nil
}

// announced records the filings that are put off, and whether they wait for an approval.
type announced map[string]bool

func (announced) LeaseFilings(context.Context, int) ([]models.FilingDue, error) { return nil, nil }

func (a announced) PutOffFilings(_ context.Context, seen []models.FilingDue) error {
	for _, f := range seen {
		a[f.ID] = f.Ready
	}
	return nil
}

// A run that starts with the facts of the record does not read them, so PutOffFilings announces its approval.
func TestWhatWaitsForItsApprovalIsAnnounced(t *testing.T) {
	t.Parallel()
	said := announced{}
	n := &filingNotifier{client: startsAll{}, records: said, policy: rules.DefaultFilingPolicy()}
	for id, end := range map[string]calendar.Date{"over": 20260131, "running": 20991231} {
		require.NoError(t, n.notify(t.Context(), models.FilingDue{ID: id, FilingFacts: models.FilingFacts{
			Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260101, End: end},
		}}))
	}
	n.putOff(t.Context())
	require.Equal(t, announced{"over": true, "running": false}, said)
}
