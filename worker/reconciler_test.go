package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/timestamppb"

	"levy/models"
	"levy/workflows"
)

// listed is a client that lists more ended runs in addition to those of the server.
type listed struct {
	sdkclient.Client
	more []*workflowpb.WorkflowExecutionInfo
}

func (l *listed) ListWorkflow(
	ctx context.Context, r *workflowservice.ListWorkflowExecutionsRequest,
) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	list, err := l.Client.ListWorkflow(ctx, r)
	if err == nil && r.GetPageSize() == endedRuns {
		list.Executions = append(list.Executions, l.more...)
	}
	return list, err
}

// The records of ended runs become due, unless they have another run or the run failed soon after its start.
func TestRecordsOfRunsThatEndedAreMadeDue(t *testing.T) {
	t.Parallel()
	client := &listed{Client: dial(t, ClientConfig{})}
	start := func(o sdkclient.StartWorkflowOptions, name string, in any) string {
		_, err := client.ExecuteWorkflow(t.Context(), o, name, in)
		require.NoError(t, err)
		return o.ID
	}
	filings := make([]string, 4)
	for i := range filings {
		filings[i] = models.NewID(models.PrefixFiling)
		in := workflows.FileReturnInput{FilingID: filings[i]}
		id := start(workflows.FileReturnStart(in), workflows.FileReturnName, in)
		if i < 3 {
			require.NoError(t, client.TerminateWorkflow(t.Context(), id, "", "a test"))
		}
		if i == 2 {
			start(workflows.FileReturnStart(in), workflows.FileReturnName, in)
		}
	}
	registration := workflows.RegistrationInput{RegistrationID: models.NewID(models.PrefixRegistration)}
	id := start(workflows.RegistrationStart(registration), workflows.RegistrationName, registration)
	require.NoError(t, client.TerminateWorkflow(t.Context(), id, "", "a test"))

	failed := func(id string, lived time.Duration) *workflowpb.WorkflowExecutionInfo {
		return &workflowpb.WorkflowExecutionInfo{
			Execution: &commonpb.WorkflowExecution{WorkflowId: id}, Status: enumspb.WORKFLOW_EXECUTION_STATUS_FAILED,
			StartTime: timestamppb.New(time.Now().Add(-lived)), CloseTime: timestamppb.Now(),
		}
	}
	lived, poisoned := models.NewID(models.PrefixBatch), models.NewID(models.PrefixBatch)
	client.more = []*workflowpb.WorkflowExecutionInfo{
		failed(workflows.ImportID(lived), time.Hour), failed(workflows.ImportID(poisoned), time.Second),
	}

	b := newFakeRecords()
	r := NewReconciler(client, "default", b, nil, quiet)
	ended, beat := engineCheck{do: r.reviveEnded}, engineCheck{do: r.beat}
	r.check(t.Context(), ended)
	require.Empty(t, b.noted, "without a heartbeat nobody knows the clock of Temporal")
	r.check(t.Context(), beat)
	require.Eventually(t, func() bool {
		b.due = map[string][]string{}
		r.check(t.Context(), ended)
		return len(b.due[models.WaitingFilings]) == 2 && len(b.due[models.WaitingRegistrations]) == 1
	}, waitLimit, 100*time.Millisecond)
	require.ElementsMatch(t, filings[:2], b.due[models.WaitingFilings],
		"the third has another run, the fourth never ended")
	require.Equal(t, []string{registration.RegistrationID}, b.due[models.WaitingRegistrations])
	require.Equal(t, []string{lived}, b.due[models.WaitingImports])
	require.Equal(t, models.CheckEndedRuns, <-b.noted)
	require.Empty(t, b.all)
}

// If Temporal does not know a recorded heartbeat, it has lost its data: all records become due, once.
func TestAllRecordsAreMadeDueWhenTemporalLostItsData(t *testing.T) {
	t.Parallel()
	b := newFakeRecords()
	r := NewReconciler(dial(t, ClientConfig{}), "default", b, nil, quiet)
	var kinds []string
	for _, w := range workflows.Carriers() {
		kinds = append(kinds, w.Carries)
	}
	for _, check := range []engineCheck{{do: r.reviveEnded}, {do: r.beat}} {
		b.all, b.runs = nil, []string{"5fd2a4b1-7a5e-4a3b-9f0e-1f2d3c4b5a69"}
		r.check(t.Context(), check)
		require.ElementsMatch(t, kinds, b.all)
		require.NotContains(t, b.runs, "5fd2a4b1-7a5e-4a3b-9f0e-1f2d3c4b5a69", "once")
	}
}
