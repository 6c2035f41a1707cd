// Package trace_test follows one request through the API, the dispatcher and the stages. It is the only user of the
// tracer of its process.
package trace_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/activities/activitiestest"
	"levy/api"
	"levy/internal/secret"
	"levy/internal/telemetry"
	"levy/models"
	"levy/service"
	"levy/store"
	"levy/test/testbed"
	"levy/worker"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// process is API, dispatcher and worker in this process, wired as `levy` does.
type process struct {
	handler http.Handler
	key     string
	client  sdkclient.Client
	spans   *tracetest.InMemoryExporter
}

func start(t *testing.T, bed *testbed.Bed) *process {
	t.Helper()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	s := &process{spans: tracetest.NewInMemoryExporter()}
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans)))
	_, err := telemetry.StartTracing(t.Context(), "test", "test")
	require.NoError(t, err)

	log := slog.New(slog.DiscardHandler)
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	records, err := store.Open(t.Context(),
		store.Options{URL: bed.DatabaseURL, MaxConnections: 8, Tracer: telemetry.NewSQLTracer()})
	require.NoError(t, err)
	t.Cleanup(records.Close)
	payloads := ring.Derive(secret.PurposePayloads)[0]
	codec, err := worker.NewCodec(map[string][]byte{payloads.ID: payloads.Bytes}, payloads.ID)
	require.NoError(t, err)
	s.client, err = worker.Dial(worker.ClientConfig{
		Address: bed.TemporalAddress, Namespace: bed.TemporalNamespace,
		Codec: codec, Log: log, Tracer: otel.Tracer("levy/temporal"),
	})
	require.NoError(t, err)
	t.Cleanup(s.client.Close)
	taxes, err := records.Content.OpenCache(t.Context())
	require.NoError(t, err)

	metrics := worker.NewMetrics(prometheus.NewRegistry())
	dispatcher := worker.NewDispatcher(worker.Batches{
		Starter: worker.NewStarter(s.client), Outbox: records.Transactions, Breaker: worker.NewCircuitBreaker(10, 10, metrics),
		Metrics: metrics, Log: log,
	}, otel.Tracer("levy/worker"))
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { dispatcher.Run(ctx) })
	worked := make(chan error, 1)
	go func() {
		worked <- worker.Run(ctx, s.client, worker.Work{
			Database:   records,
			Processing: activities.New(records.Processing(), taxes, log),
			Exemptions: activities.NewExemptions(records.Catalog, log),
			Onboarding: activitiestest.NewSteps(records.Organizations, ring, taxes, nil).Onboarding,
		}, worker.Config{}, log)
	}()
	intake := records.Transactions.StartIntake(2, 128)
	t.Cleanup(func() {
		intake.Close()
		stop()
		running.Wait()
		require.NoError(t, <-worked)
	})

	hasher := secret.NewKeyHasher(ring)
	s.key = secret.NewAPIKey(secret.KindTest)
	prefix, last4 := secret.Shown(s.key)
	require.NoError(t, records.Organizations.CreateAPIKey(t.Context(), models.Scope{OrganizationID: bed.OrganizationID},
		models.Actor{}, &models.APIKey{
			ID: models.NewID(models.PrefixAPIKey), Hash: hasher.Hash(s.key), Prefix: prefix, Last4: last4,
		}))
	up := func(context.Context) error { return nil }
	server, err := api.New(service.Deps{
		Principals: records.Organizations, Organizations: records.Organizations,
		APIKeys: records.Organizations, Onboardings: records.Organizations, Links: records.Organizations, CalendarFeeds: records.Organizations,
		Products: records.Products(), Customers: records.Catalog, Exemptions: records.Catalog,
		Transactions: records.Transactions, Reports: records.Filings,
		Intake: intake, Dispatcher: dispatcher, Idempotency: records.Idempotency,
		Catalogue: taxes, Places: taxes, Engine: taxes, Database: up, Workflows: up,
	}, api.Options{Options: service.Options{Keys: hasher, Logger: log}, Trace: otelgin.Middleware("levy-api")})
	require.NoError(t, err)
	s.handler = server.Handler()
	return s
}

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	request      = "POST /v1/transactions" // the span of the API
	canary       = "canary-7f3a91"
)

func TestOneTraceFromTheRequestToTheSQLOfTheLastStage(t *testing.T) {
	bed := testbed.New(t, testbed.Options{})
	s := start(t, bed)
	order := "ORDER-" + canary
	body := fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-%[2]s",
		"email":"%[2]s@example.com"},
		"description":%[2]q,"addresses":[{"type":"SHIP_TO","street_1":%[2]q,"city":"New York","state":"NY",
			"postal_code":"10118","country":"US"}],
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":"100.00"}]}`, order, canary)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/transactions?note="+canary,
		strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-KEY", s.key)
	r.Header.Set("x-organization-id", bed.OrganizationID)
	r.Header.Set("traceparent", "00-"+callersTrace+"-00f067aa0ba902b7-01")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusAccepted, w.Code, w.Body.String())

	bed.Eventually("the transaction is processed", func(ctx context.Context) (bool, error) {
		var status string
		err := bed.DB.QueryRow(ctx, "SELECT processing_status FROM transactions WHERE external_id = $1", order).Scan(&status)
		return status == "PROCESSED", err
	})
	batches := batchesOf(t, bed)
	for _, batch := range batches { // a run that has ended has written its span, and those of its activities
		require.NoError(t, bed.Temporal().GetWorkflow(t.Context(), batch, "").Get(t.Context(), nil))
	}
	stages := []string{"VerifyAddresses", "DetermineExemptions", "DetermineNexus", "CalculateTax"}
	bed.Eventually("the request, the dispatch and the start have written theirs", func(context.Context) (bool, error) {
		for _, stage := range stages {
			for _, execution := range s.named("RunActivity:" + stage) {
				if chain := s.chain(execution); chain[len(chain)-1] != request {
					return false, fmt.Errorf("%v", chain)
				}
			}
		}
		return true, nil
	})

	t.Run("everything is in the trace of the caller", func(t *testing.T) {
		for _, span := range s.spans.GetSpans() {
			if span.SpanContext.TraceID().String() != callersTrace {
				require.NotContains(t, []string{"dispatch transactions", "sql batch"}, span.Name)
				require.NotContains(t, span.Name, "Workflow:")
				require.NotContains(t, span.Name, "Activity:")
			}
		}
	})
	t.Run("the SQL of every stage leads back to the request", func(t *testing.T) {
		for _, stage := range stages {
			executions := s.named("RunActivity:" + stage) // Temporal may execute an activity again
			require.NotEmpty(t, executions, stage)
			var statements []tracetest.SpanStub
			for _, execution := range executions {
				statements = append(statements, s.below(execution)...)
				require.Equal(t, []string{
					"RunActivity:" + stage, "StartActivity:" + stage, "RunWorkflow:ProcessTransactions",
					"StartWorkflow:ProcessTransactions",
					"dispatch transactions", request,
				}, s.chain(execution))
			}
			require.NotEmpty(t, statements, "%s has no SQL in its trace", stage)
			for _, statement := range statements {
				require.True(t, strings.HasPrefix(statement.Name, "sql "), statement.Name)
			}
		}
		require.NotEmpty(t, s.below(s.named(request)[0]), "the intake has its SQL below the request")
	})
	t.Run("spans carry no values of the request", func(t *testing.T) {
		for _, span := range s.spans.GetSpans() {
			text := fmt.Sprint(span.Name, span.Attributes, span.Events, span.Status)
			require.NotContains(t, text, canary, span.Name)
			require.NotContains(t, text, s.key, span.Name)
		}
	})
	t.Run("the history at Temporal carries none either", func(t *testing.T) {
		events := 0
		for _, batch := range batches {
			history := bed.Temporal().GetWorkflowHistory(t.Context(), batch, "", false,
				enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
			for history.HasNext() {
				event, err := history.Next()
				require.NoError(t, err)
				require.NotContains(t, event.String(), canary)
				require.NotContains(t, event.String(), s.key)
				events++
			}
		}
		require.Greater(t, events, 20)
	})
}

// batchesOf returns the ids of all workflows that ran a stage.
func batchesOf(t *testing.T, bed *testbed.Bed) []string {
	t.Helper()
	rows, err := bed.DB.Query(t.Context(), "SELECT DISTINCT workflow_id FROM transaction_stages ORDER BY 1")
	require.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, ids)
	return ids
}

func (s *process) named(name string) []tracetest.SpanStub {
	var found []tracetest.SpanStub
	for _, span := range s.spans.GetSpans() {
		if span.Name == name {
			found = append(found, span)
		}
	}
	return found
}

// below are the spans whose parent is the given one.
func (s *process) below(parent tracetest.SpanStub) []tracetest.SpanStub {
	var found []tracetest.SpanStub
	for _, span := range s.spans.GetSpans() {
		if span.Parent.SpanID() == parent.SpanContext.SpanID() {
			found = append(found, span)
		}
	}
	return found
}

// chain are the names from a span up to the first one of this process.
func (s *process) chain(from tracetest.SpanStub) []string {
	byID := map[trace.SpanID]tracetest.SpanStub{}
	for _, span := range s.spans.GetSpans() {
		byID[span.SpanContext.SpanID()] = span
	}
	var names []string
	for at, known := from, true; known; at, known = byID[at.Parent.SpanID()], hasSpan(byID, at.Parent.SpanID()) {
		names = append(names, at.Name)
	}
	return names
}

func hasSpan(spans map[trace.SpanID]tracetest.SpanStub, id trace.SpanID) bool {
	_, known := spans[id]
	return known
}
