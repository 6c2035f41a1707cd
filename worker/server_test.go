package worker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/internal/local"
	"levy/internal/local/temporal"
	"levy/models"
	"levy/workflows"
)

// server is the Temporal server of this package's tests.
var server *temporal.Server

func TestMain(m *testing.M) {
	os.Exit(func() int {
		ctx := context.Background()
		stop, err := startServer(ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, "no Temporal server for the tests:", err)
			return 1
		}
		defer stop()
		return m.Run()
	}())
}

func startServer(ctx context.Context) (stop func(), err error) {
	bin, err := local.BinDir()
	if err != nil {
		return nil, err
	}
	binary, err := temporal.Ensure(ctx, bin, os.Stderr)
	if err != nil {
		return nil, err
	}
	attributes := map[string]string{}
	for name, kind := range workflows.SearchAttributes() {
		attributes[name] = kind.String()
	}
	server, err = temporal.Start(ctx, temporal.Config{
		Binary: binary, Headless: true, SearchAttributes: attributes,
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = server.Stop(ctx) }, nil
}

// processed is a store in which every stage succeeds at once.
type processed struct {
	activities.Transactions

	delay func()
	err   error
}

func (s processed) load() ([]models.Transaction, error) {
	if s.delay != nil {
		s.delay()
	}
	return nil, s.err
}

func (s processed) LoadForAddresses(context.Context, models.StageRun, []models.Ref) ([]models.Transaction, error) {
	return s.load()
}

func (s processed) LoadForExemptions(context.Context, []models.Ref) ([]models.Transaction, error) {
	return s.load()
}

func (s processed) LoadForNexus(context.Context, []models.Ref) ([]models.Transaction, error) {
	return s.load()
}

func (s processed) LoadForTax(context.Context, []models.Ref) ([]models.Transaction, error) {
	return s.load()
}

func (s processed) ConversionRates(
	context.Context, []models.CurrencyPair,
) (map[models.CurrencyPair]models.ConversionRate, error) {
	return nil, nil
}

func (s processed) Settings(context.Context, []string) (map[string]models.OrganizationSettings, error) {
	return map[string]models.OrganizationSettings{}, nil
}

func (s processed) states(refs []models.Ref) ([]models.StageState, error) {
	var states []models.StageState
	for _, ref := range refs {
		states = append(states, models.StageState{
			Ref: ref, Epoch: ref.Epoch, ProcessingStatus: models.ProcessingProcessed,
		})
	}
	return states, nil
}

func (s processed) SaveAddresses(
	_ context.Context, _ models.StageRun, refs []models.Ref, _ []models.AddressOutcome,
) ([]models.StageState, error) {
	return s.states(refs)
}

func (s processed) SaveExemptions(
	_ context.Context, _ models.StageRun, refs []models.Ref, _ []models.ExemptionOutcome,
) ([]models.StageState, error) {
	return s.states(refs)
}

func (s processed) SaveNexus(
	_ context.Context, _ models.StageRun, refs []models.Ref, _ []models.NexusOutcome,
) ([]models.StageState, error) {
	return s.states(refs)
}

func (s processed) SaveTax(
	_ context.Context, _ models.StageRun, refs []models.Ref, _ []models.TaxOutcome,
) ([]models.StageState, error) {
	return s.states(refs)
}

func (s processed) MarkFailed(context.Context, models.StageRun, []models.Ref, string) error {
	return nil
}

func (s processed) ShowFailed(context.Context, []models.Ref) error { return nil }

// held is a store in which batches of two transactions wait.
type held struct {
	processed
	hold chan struct{}
}

func (s held) LoadForAddresses(_ context.Context, _ models.StageRun, refs []models.Ref) ([]models.Transaction, error) {
	if len(refs) == 2 {
		<-s.hold // it ignores its deadline and keeps its slot
	}
	return nil, nil
}

// failingStore has outages first. Then every load of a whole batch is a defect.
type failingStore struct {
	processed
	whole   int // transactions of the batch
	outages int

	mu                     sync.Mutex
	failed, defects, parts int // loads, each executed at least once
}

func (s *failingStore) LoadForNexus(_ context.Context, refs []models.Ref) ([]models.Transaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(refs) < s.whole:
		s.parts++
		return nil, nil
	case s.failed < s.outages:
		s.failed++
		return nil, models.ErrUnavailable
	}
	s.defects++
	return nil, os.ErrInvalid
}

var quiet = slog.New(slog.DiscardHandler)

func dial(t *testing.T, config ClientConfig) sdkclient.Client {
	t.Helper()
	config.Namespace, config.Log = "default", quiet
	config.Codec = codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
	if config.Address == "" {
		config.Address = server.Address
	}
	client, err := Dial(config)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// startRunning runs a worker until the test ends.
func startRunning(t *testing.T, client sdkclient.Client, store activities.Transactions) {
	t.Helper()
	startWork(t, client, Work{Processing: activities.New(store, nil, quiet)})
}

func startWork(t *testing.T, client sdkclient.Client, work Work) {
	t.Helper()
	work.Database, work.Onboarding = &fakeDatabase{}, &activities.Onboarding{}
	work.Exemptions = activities.NewExemptions(nil, quiet)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, client, work, Config{}, quiet) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
}

func someRefs(n, organizations int) []models.Ref {
	refs := make([]models.Ref, 0, n)
	ids := make([]string, organizations)
	for i := range ids {
		ids[i] = models.NewID(models.PrefixOrganization)
	}
	for i := range n {
		refs = append(refs, models.Ref{
			OrganizationID: ids[i%organizations], ID: models.NewID(models.PrefixTransaction), Epoch: 1,
		})
	}
	return refs
}

// These tests share the task queues of the server, so they run one after the other.
func TestOnARealServer(t *testing.T) {
	t.Run("a full batch runs, readable only with the key", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		startRunning(t, client, processed{})
		batch := someRefs(workflows.MaxBatch, workflows.MaxBatchOrganizations)
		id := models.NewID(models.PrefixBatch)
		require.NoError(t, NewStarter(client).Start(t.Context(), id, batch, workflows.Recent))
		var result workflows.TransactionsResult
		require.NoError(t, client.GetWorkflow(t.Context(), workflows.TransactionsID(id), "").Get(t.Context(), &result))
		require.Equal(t, workflows.TransactionsResult{Processed: len(batch)}, result)

		history := historyText(t, client, workflows.TransactionsID(id))
		require.NotContains(t, history, batch[0].ID)
		require.NotContains(t, history, "Verify addresses of")
		require.Contains(t, history, batch[0].OrganizationID, "the search attribute is plain")
		t.Logf("history of a full batch: %d bytes", len(history))
	})

	t.Run("failures are stored without readable text", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		startRunning(t, client, processed{err: fmt.Errorf("value 078-05-1120: %w", os.ErrInvalid)})
		batch, id := someRefs(1, 1), models.NewID(models.PrefixBatch)
		require.NoError(t, NewStarter(client).Start(t.Context(), id, batch, workflows.Recent))
		var result workflows.TransactionsResult
		require.NoError(t, client.GetWorkflow(t.Context(), workflows.TransactionsID(id), "").Get(t.Context(), &result))
		require.Equal(t, workflows.TransactionsResult{Failed: 1}, result)
		history := historyText(t, client, workflows.TransactionsID(id))
		require.NotContains(t, history, "078-05-1120")
		require.NotContains(t, history, "Levy has a defect")
	})

	t.Run("defects use up the tries of a stage, outages do not, and attempts are no tries", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		store := &failingStore{whole: 2, outages: activities.MaxDefects}
		startRunning(t, client, store)
		batch, id := someRefs(store.whole, 1), models.NewID(models.PrefixBatch)
		require.NoError(t, NewStarter(client).Start(t.Context(), id, batch, workflows.Recent))
		var result workflows.TransactionsResult
		require.NoError(t, client.GetWorkflow(t.Context(), workflows.TransactionsID(id), "").Get(t.Context(), &result))
		require.Equal(t, workflows.TransactionsResult{Processed: store.whole}, result)
		store.mu.Lock()
		defer store.mu.Unlock()
		require.Equal(t, store.outages, store.failed)
		require.GreaterOrEqual(t, store.defects, activities.MaxDefects, "after three defects the batch is bisected")
		require.GreaterOrEqual(t, store.parts, 2)
	})

	t.Run("a batch runs once, and Temporal says how it stands", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		starter := NewStarter(client)
		batch, id := someRefs(2, 2), models.NewID(models.PrefixBatch)
		status, err := starter.Describe(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, BatchStatus{}, status, "nobody knows it")
		lost, err := starter.Wait(t.Context(), id)
		require.NoError(t, err)
		require.True(t, lost)

		began := time.Now().Add(-time.Minute) // clocks of two processes
		require.NoError(t, starter.Start(t.Context(), id, batch, workflows.Recent))
		first := runOf(t, client, id)
		require.NoError(t, starter.Start(t.Context(), id, batch, workflows.Recent), "a repeated call")
		require.Equal(t, first, runOf(t, client, id))
		status, err = starter.Describe(t.Context(), id)
		require.NoError(t, err)
		require.True(t, status.Open)
		require.True(t, status.Moved.After(began))
		require.True(t, status.Due.After(began), "its first task waits for a worker")

		require.NoError(t, starter.Terminate(t.Context(), id, "test"))
		require.NoError(t, starter.Terminate(t.Context(), id, "test"), "it has ended")
		status, err = starter.Describe(t.Context(), id)
		require.NoError(t, err)
		require.False(t, status.Open)
		lost, err = starter.Wait(t.Context(), id)
		require.NoError(t, err)
		require.True(t, lost)
		require.NoError(t, starter.Start(t.Context(), id, batch, workflows.Recent))
		require.Equal(t, first, runOf(t, client, id), "its id is used once")

		second := models.NewID(models.PrefixBatch)
		require.NoError(t, starter.Start(t.Context(), second, batch, workflows.Recent))
		startRunning(t, client, processed{})
		lost, err = starter.Wait(t.Context(), second)
		require.NoError(t, err)
		require.False(t, lost)
	})

	t.Run("a single transaction is processed soon after it was offered, in one trace", func(t *testing.T) {
		spans := tracetest.NewSpanRecorder()
		tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
		client := dial(t, ClientConfig{Tracer: tracer})
		startRunning(t, client, processed{})
		s := newSetup(NewStarter(client), newFakeOutbox())
		dispatcher := NewDispatcher(s.batches(NewStarter(client), newFakeOutbox()), tracer)
		go dispatcher.Run(t.Context())

		request, span := tracer.Start(t.Context(), "POST /v1/transactions")
		dispatcher.Offer(request, someRefs(1, 1)[0])
		require.NoError(t, dispatcher.Drain(t.Context()))
		span.End()
		require.Eventually(t, func() bool {
			names := map[string]bool{} // Temporal may execute an activity again
			for _, ended := range spans.Ended() {
				if ended.SpanContext().TraceID() == span.SpanContext().TraceID() {
					names[ended.Name()] = true
				}
			}
			// the request, the dispatch, the start, the workflow, four activities scheduled and four executed
			return len(names) == 12
		}, waitLimit, 10*time.Millisecond)
	})

	t.Run("what was just sent does not wait for a place that the background has", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		hold := make(chan struct{})
		release := sync.OnceFunc(func() { close(hold) })
		startRunning(t, client, held{hold: hold})
		t.Cleanup(release)
		patient, cancel := context.WithTimeout(t.Context(), waitLimit)
		defer cancel()
		starter := NewStarter(client)
		var held []string
		for range 2 * defaultActivities {
			held = append(held, models.NewID(models.PrefixBatch))
			refs := someRefs(2, 1)
			require.NoError(t, starter.Start(t.Context(), held[len(held)-1], refs, workflows.Background))
		}
		sent := models.NewID(models.PrefixBatch)
		require.NoError(t, starter.Start(t.Context(), sent, someRefs(1, 1), workflows.Recent))
		_, err := starter.Wait(patient, sent)
		require.NoError(t, err, "it waits behind the background")
		status, err := starter.Describe(t.Context(), held[0])
		require.NoError(t, err)
		require.True(t, status.Open)
		release()
		for _, id := range held {
			_, err := starter.Wait(t.Context(), id)
			require.NoError(t, err)
		}
	})

	t.Run("a heartbeat waits for a worker, the next one joins it, and then another one comes", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		c := newFakeRecords()
		r := NewReconciler(client, "default", c, nil, quiet)
		beat := engineCheck{do: r.beat}
		r.check(t.Context(), beat)
		r.check(t.Context(), beat)
		require.Len(t, c.runs, 2)
		require.Equal(t, c.runs[0], c.runs[1], "no worker has got it")
		require.Empty(t, c.noted)

		startWork(t, client, Work{
			Processing: activities.New(processed{}, nil, quiet), Heartbeat: activities.NewHeartbeat(c, quiet),
		})
		for _, run := range []string{"those that waited", "those after them"} {
			want, heard := map[string]bool{}, map[string]bool{}
			for _, queue := range workflows.Queues() {
				want[models.CheckHeartbeatOf(queue)] = true
				require.NoError(t, client.GetWorkflow(t.Context(), workflows.HeartbeatIDOf(queue), "").Get(t.Context(), nil))
			}
			for len(c.noted) > 0 {
				heard[<-c.noted] = true
			}
			require.Equal(t, want, heard, run)
			if len(c.runs) == 2 {
				r.check(t.Context(), beat)
			}
		}
		require.NotEqual(t, c.runs[0], c.runs[2])
		require.Empty(t, c.all, "Temporal knows them")
	})

	t.Run("the worker waits for running activities when it stops", func(t *testing.T) {
		client := dial(t, ClientConfig{})
		entered, leave := make(chan struct{}), make(chan struct{})
		var finished atomic.Bool
		store := processed{delay: func() {
			select {
			case <-entered:
			default:
				close(entered)
				<-leave
				finished.Store(true)
			}
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- Run(ctx, client, Work{
				Database: &fakeDatabase{}, Processing: activities.New(store, nil, quiet),
				Exemptions: activities.NewExemptions(nil, quiet), Onboarding: &activities.Onboarding{},
			}, Config{}, quiet)
		}()
		require.NoError(t, NewStarter(client).Start(t.Context(), models.NewID(models.PrefixBatch), someRefs(1, 1),
			workflows.Recent))
		<-entered
		cancel()
		close(leave)
		require.NoError(t, <-done)
		require.True(t, finished.Load())
	})
}

func TestWithoutServer(t *testing.T) {
	t.Parallel()
	port, err := local.FreePort()
	require.NoError(t, err)
	client := dial(t, ClientConfig{Address: fmt.Sprintf("127.0.0.1:%d", port)})

	t.Run("a start fails within its time", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		require.Error(t, NewStarter(client).Start(ctx, "batc_1", someRefs(1, 1), workflows.Recent))
		require.Error(t, NewStarter(client).Probe(ctx))
	})

	t.Run("a worker that never reached it stops when asked to", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		require.NoError(t, Run(ctx, client, Work{
			Database: &fakeDatabase{}, Processing: activities.New(processed{}, nil, quiet),
			Exemptions: activities.NewExemptions(nil, quiet), Onboarding: &activities.Onboarding{},
		}, Config{}, quiet))
	})
}

func runOf(t *testing.T, client sdkclient.Client, batchID string) string {
	t.Helper()
	description, err := client.DescribeWorkflowExecution(t.Context(), workflows.TransactionsID(batchID), "")
	require.NoError(t, err)
	return description.GetWorkflowExecutionInfo().GetExecution().GetRunId()
}

// historyText returns the history of a run as the server stores it.
func historyText(t *testing.T, client sdkclient.Client, workflowID string) string {
	t.Helper()
	answer, err := client.WorkflowService().GetWorkflowExecutionHistory(t.Context(),
		&workflowservice.GetWorkflowExecutionHistoryRequest{
			Namespace: "default", Execution: &commonpb.WorkflowExecution{WorkflowId: workflowID},
			HistoryEventFilterType: enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
		})
	require.NoError(t, err)
	return answer.GetHistory().String()
}
