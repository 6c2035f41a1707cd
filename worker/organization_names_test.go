package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"

	"levy/models"
	"levy/workflows"
)

// starts comes after the interceptor and records the options of starts.
type starts struct {
	interceptor.ClientOutboundInterceptorBase
	options sdkclient.StartWorkflowOptions
}

func (s *starts) ExecuteWorkflow(
	_ context.Context, in *interceptor.ClientExecuteWorkflowInput,
) (sdkclient.WorkflowRun, error) {
	s.options = *in.Options
	return nil, nil //nolint:nilnil // the run is not used
}

// A run gets the names of its organizations. They are read once in a while, and a run starts also if they cannot be
// read.
func TestRunsAreNamed(t *testing.T) {
	t.Parallel()
	read, now, down := 0, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), errors.New("the database is away")
	var fails error
	n := newNaming(func(_ context.Context, ids []string) (map[string]string, error) {
		read++
		return map[string]string{"org_a": "Acme"}, fails
	}, slog.New(slog.DiscardHandler))
	n.now = func() time.Time { return now }
	next := &starts{}
	calls := n.InterceptClient(next)
	start := func(ids ...string) string {
		refs := make([]models.Ref, len(ids))
		for i, id := range ids {
			refs[i] = models.Ref{OrganizationID: id, ID: "txn_1", Epoch: 1}
		}
		options := workflows.TransactionsStart("batc_1", refs, workflows.Recent)
		_, err := calls.ExecuteWorkflow(t.Context(), &interceptor.ClientExecuteWorkflowInput{Options: &options})
		require.NoError(t, err)
		return next.options.StaticSummary
	}
	require.Equal(t, "1 transaction of Acme", start("org_a"))
	require.Equal(t, "1 transaction of Acme", start("org_a"))
	require.Equal(t, 1, read)
	now = now.Add(nameTTL)
	fails = down
	require.Equal(t, "1 transaction of org_a", start("org_a"))
	require.Equal(t, 2, read)
	start("1", "2", "3", "4", "5", "6", "7", "8", "9")
	require.Equal(t, 2, read, "names of many do not fit")
}
