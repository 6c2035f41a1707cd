package worker

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	"levy/models"
	"levy/workflows"
)

// more exceeds the number of runs on the server, where other tests have runs, too.
const more = 1 << 40

// A deleted run is in no list of ended runs. Counting records and runs shows that it is missing.
func TestRecordsWithoutARunAreMadeDue(t *testing.T) {
	t.Parallel()
	client := dial(t, ClientConfig{})
	b := newFakeRecords()
	b.open = more
	for range 3 {
		in := workflows.FileReturnInput{FilingID: models.NewID(models.PrefixFiling)}
		_, err := client.ExecuteWorkflow(t.Context(), workflows.FileReturnStart(in), workflows.FileReturnName, in)
		require.NoError(t, err)
		b.idle = append(b.idle, models.Ref{OrganizationID: "org_1", ID: in.FilingID})
	}
	r := NewReconciler(client, "default", b, nil, quiet)
	check := engineCheck{do: r.reviveMissing}
	require.Eventually(t, func() bool { // lists are late
		b.due = map[string][]string{}
		r.check(t.Context(), check)
		return len(b.due) == 0
	}, waitLimit, 100*time.Millisecond)

	_, err := client.WorkflowService().DeleteWorkflowExecution(t.Context(),
		&workflowservice.DeleteWorkflowExecutionRequest{
			Namespace:         "default",
			WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: workflows.FilingID(b.idle[1].ID)},
		})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		r.check(t.Context(), check)
		return len(b.due[models.WaitingFilings]) > 0
	}, waitLimit, 100*time.Millisecond)
	require.Equal(t, []string{b.idle[1].ID}, slices.Compact(b.due[models.WaitingFilings]))

	returns := carrierOf(models.WaitingFilings)
	b.open = 1 // there are more runs than that
	missing, _, err := NewMissingRuns(client, b).Next(t.Context(), returns, 1)
	require.NoError(t, err)
	require.Empty(t, missing)

	runs := NewMissingRuns(client, &fakeRecords{idle: many(askedRuns*2 + 1), open: more})
	missing, needed, err := runs.Next(t.Context(), returns, 1)
	require.NoError(t, err)
	require.EqualValues(t, more, needed)
	require.Len(t, missing, askedRuns)
	for _, want := range []int{askedRuns, 1, askedRuns} { // it continues, and starts again after the last record
		missing, _, err = runs.Next(t.Context(), returns, 1)
		require.NoError(t, err)
		require.Len(t, missing, want)
	}
}

// carrierOf returns the workflow that carries records of a kind.
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
