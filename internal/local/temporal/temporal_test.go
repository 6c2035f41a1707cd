package temporal

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"levy/internal/local"
	"levy/internal/local/localtest"
)

func TestMain(m *testing.M) {
	if !localtest.Launched(launch) {
		m.Run()
	}
}

func launch(ctx context.Context, c Config) (localtest.Started, func(context.Context) error, error) {
	server, err := Start(ctx, c)
	if err != nil {
		return localtest.Started{}, nil, err
	}
	return localtest.Started{PID: server.PID(), URL: server.Address}, server.Stop, nil
}

func TestTemporalKeepsWorkflowsAndSettingsOverRestarts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	port, err := local.FreePort()
	require.NoError(t, err)
	config := Config{
		Dir: t.TempDir(), Port: port, Retention: 30 * 24 * time.Hour,
		SearchAttributes: map[string]string{"Step": "Keyword"},
	}
	first := startTemporalServer(t, config)
	client := dial(t, first)
	run, err := client.ExecuteWorkflow(ctx, sdkclient.StartWorkflowOptions{ID: "kept", TaskQueue: "nobody"}, "Kept")
	require.NoError(t, err)
	first.Signal(syscall.SIGKILL)
	<-first.Done()
	require.NoError(t, first.Stop(ctx))

	config.SearchAttributes = map[string]string{"Step": "Keyword", "OrganizationId": "KeywordList"}
	second := startTemporalServer(t, config)
	_, err = dial(t, second).ExecuteWorkflow(ctx, sdkclient.StartWorkflowOptions{
		ID: "new attribute", TaskQueue: "nobody",
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporal.NewSearchAttributeKeyKeywordList("OrganizationId").ValueSet([]string{"org_1"})),
	}, "Kept")
	require.NoError(t, err)
	require.Equal(t, first.Address, second.Address)
	described, err := dial(t, second).DescribeWorkflowExecution(ctx, "kept", run.GetRunID())
	require.NoError(t, err)
	require.Equal(t, "Kept", described.WorkflowExecutionInfo.Type.Name)
	ns, err := dial(t, second).WorkflowService().DescribeNamespace(
		ctx, &workflowservice.DescribeNamespaceRequest{Namespace: "default"},
	)
	require.NoError(t, err)
	require.Equal(t, config.Retention, ns.Config.WorkflowExecutionRetentionTtl.AsDuration())
}

func TestTemporalSearchAttributesCanBeUsedAtOnce(t *testing.T) {
	t.Parallel()
	server := startTemporalServer(t, Config{
		Headless: true, SearchAttributes: map[string]string{"OrganizationId": "KeywordList"},
	})
	list, err := dial(t, server).ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
		Query: `OrganizationId = "org_1"`,
	})
	require.NoError(t, err)
	require.Empty(t, list.Executions)
}

func TestTemporalEndsWithItsKilledParent(t *testing.T) {
	t.Parallel()
	h := localtest.StartLauncher(t, Config{Binary: temporalBinary(t), Dir: t.TempDir()}, nil)
	require.True(t, localtest.Alive(h.PID))
	h.Kill()
	localtest.RequireGone(t, h.PID)
}

func TestTemporaryTemporalLeavesNothing(t *testing.T) {
	t.Parallel()
	server := startTemporalServer(t, Config{Headless: true})
	require.NoError(t, server.Stop(t.Context()))
	require.NoDirExists(t, server.folder.Dir)
	localtest.RequireGone(t, server.PID())
}

func TestTemporalThatCannotStartSaysWhy(t *testing.T) {
	t.Parallel()
	port, err := local.FreePort()
	require.NoError(t, err)
	localtest.Occupy(t, port)
	_, err = Start(t.Context(), Config{Binary: temporalBinary(t), Port: port})
	require.ErrorContains(t, err, strconv.Itoa(port))
}

func TestSecondTemporalOnTheSameFolderIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	startTemporalServer(t, Config{Dir: dir, Headless: true})
	_, err := Start(t.Context(), Config{Binary: temporalBinary(t), Dir: dir, Headless: true})
	require.ErrorIs(t, err, local.ErrLocked)
}

func startTemporalServer(t *testing.T, c Config) *Server {
	t.Helper()
	c.Binary = temporalBinary(t)
	server, err := Start(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	return server
}

func dial(t *testing.T, server *Server) sdkclient.Client {
	t.Helper()
	client, err := sdkclient.Dial(sdkclient.Options{HostPort: server.Address, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// temporalBinary builds the program when the machine has none.
func temporalBinary(t *testing.T) string {
	t.Helper()
	bin, err := local.BinDir()
	require.NoError(t, err)
	path, err := Ensure(t.Context(), bin, os.Stderr)
	require.NoError(t, err)
	return path
}
