package worker

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	"levy/models"
	"levy/workflows"
)

// idle are filings that need a run. Other tests have runs on the same server: so open is how many
// filings there are said to be.
type idle struct {
	refs []models.Ref
	open int64
}

func (r *idle) CountOpen(_ context.Context, kind string) (int64, error) {
	if kind != models.WaitingFilings {
		return 0, nil
	}
	return r.open, nil
}

func (r *idle) IdleAfter(_ context.Context, _ string, after models.Ref, limit int) ([]models.Ref, error) {
	from := slices.Index(r.refs, after) + 1
	return r.refs[from:min(len(r.refs), from+limit)], nil
}

const more = 1 << 40 // than there are runs

// A run that somebody deletes ended nowhere: that it is missing is noticed by counting.
func TestRecordsWithoutARunAreMadeDue(t *testing.T) {
	t.Parallel()
	client := dial(t, ClientConfig{})
	filings := &idle{open: more}
	for range 3 {
		in := workflows.FileReturnInput{FilingID: models.NewID(models.PrefixFiling)}
		_, err := client.ExecuteWorkflow(t.Context(), workflows.FileReturnStart(in), workflows.FileReturnName, in)
		require.NoError(t, err)
		filings.refs = append(filings.refs, models.Ref{OrganizationID: "org_1", ID: in.FilingID})
	}
	b := newFakeChecks()
	check := NewAbsentRuns(client, filings).Check(b, quiet)
	require.Eventually(t, func() bool { // lists come late
		b.due = map[string][]string{}
		check.check(t.Context())
		return len(b.due) == 0
	}, time.Minute, 100*time.Millisecond)

	_, err := client.WorkflowService().DeleteWorkflowExecution(t.Context(),
		&workflowservice.DeleteWorkflowExecutionRequest{
			Namespace:         "default",
			WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: workflows.FilingID(filings.refs[1].ID)},
		})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		check.check(t.Context())
		return len(b.due[models.WaitingFilings]) > 0
	}, time.Minute, 100*time.Millisecond)
	require.Equal(t, []string{filings.refs[1].ID}, slices.Compact(b.due[models.WaitingFilings]))

	returns := carrierOf(models.WaitingFilings)
	filings.open = 1 // there are more runs than that
	lacking, _, err := NewAbsentRuns(client, filings).Lacking(t.Context(), returns, 1)
	require.NoError(t, err)
	require.Empty(t, lacking)

	runs := NewAbsentRuns(client, &idle{many(askedRuns*2 + 1), more})
	lacking, needed, err := runs.Lacking(t.Context(), returns, 1)
	require.NoError(t, err)
	require.EqualValues(t, more, needed)
	require.Len(t, lacking, askedRuns)
	for _, want := range []int{askedRuns, 1, askedRuns} { // continues where it ended, and starts over after the last
		lacking, _, err = runs.Lacking(t.Context(), returns, 1)
		require.NoError(t, err)
		require.Len(t, lacking, want)
	}
}

// carrierOf is the workflow that carries records of a kind.
func carrierOf(kind string) workflows.Workflow {
	all := workflows.Carriers()
	return all[slices.IndexFunc(all, func(w workflows.Workflow) bool { return w.Carries == kind })]
}

func many(n int) []models.Ref {
	refs := make([]models.Ref, n)
	for i := range refs {
		refs[i] = models.Ref{OrganizationID: "org_1", ID: models.NewID(models.PrefixFiling)}
	}
	return refs
}
