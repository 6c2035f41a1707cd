// Package registrations_test carries registrations to the authority and back on the
// real service, with a real Temporal server and a real PostgreSQL.
package registrations_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/test/testbed"
	"levy/workflows"
)

func TestMain(m *testing.M) { testbed.Main(m) }

type bed struct {
	*testbed.Bed
	t        *testing.T
	temporal sdkclient.Client
}

// newBed is an installation. The authority of a test organization is the sandbox; for other organizations people act
// for it.
func newBed(t *testing.T, isTest bool) *bed {
	t.Helper()
	b := &bed{Bed: testbed.New(t, testbed.Options{}), t: t}
	b.temporal = b.Temporal()
	b.Exec("UPDATE organizations SET is_test = $2 WHERE id = $1", b.OrganizationID, isTest)
	return b
}

func (b *bed) ok(method, path string, body any) testbed.Answer {
	b.t.Helper()
	answer, err := b.Send(b.t.Context(), b.API, method, path, body)
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusOK, answer.Status, string(answer.Body))
	return answer
}

func (b *bed) register(state string, fields map[string]any) (path string) {
	b.t.Helper()
	body := map[string]any{"country_code": "US", "state_code": state, "filing_frequency": "MONTHLY"}
	for name, value := range fields {
		body[name] = value
	}
	return "/v1/registrations/" + b.ok("POST", "/v1/registrations", body).Field("id")
}

func id(path string) string { return strings.TrimPrefix(path, "/v1/registrations/") }

// wait waits until the registration has a status, and returns it.
func (b *bed) wait(path, status string) testbed.Answer {
	b.t.Helper()
	var answer testbed.Answer
	b.Eventually(path+" is "+status, func(context.Context) (bool, error) {
		answer = b.ok("GET", path, nil)
		return answer.Field("status") == status, fmt.Errorf("%s", answer.Body)
	})
	return answer
}

// waitEnded waits until the run of a registration has ended by itself and nothing is
// left to do.
func (b *bed) waitEnded(path string) {
	b.t.Helper()
	b.Eventually("the run has ended", func(ctx context.Context) (bool, error) {
		run, err := b.run(ctx, path)
		if err != nil || run.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED {
			return false, err
		}
		return b.Count("SELECT count(*) FROM registrations WHERE id = $1 AND next_check_at IS NULL AND NOT changed",
			id(path)) == 1, nil
	})
}

// run is the last run of a registration.
func (b *bed) run(ctx context.Context, path string) (*workflowpb.WorkflowExecutionInfo, error) {
	run, err := b.temporal.DescribeWorkflowExecution(ctx, workflows.RegistrationID(id(path)), "")
	return run.GetWorkflowExecutionInfo(), err
}

// waitRunAfter waits until the registration has a run after one.
func (b *bed) waitRunAfter(path, runID string) {
	b.t.Helper()
	b.Eventually("there is another run", func(ctx context.Context) (bool, error) {
		last, err := b.run(ctx, path)
		return last.GetExecution().GetRunId() != runID &&
			last.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
	})
}

func (b *bed) waitFor(path, word string) {
	b.t.Helper()
	query := fmt.Sprintf("WorkflowType = 'Registration' AND WorkflowId = '%s' AND WaitsFor = '%s' "+
		"AND OrganizationId = '%s' AND ExecutionStatus = 'Running'",
		workflows.RegistrationID(id(path)), word, b.OrganizationID)
	b.Eventually("staff find that it waits for "+word, func(ctx context.Context) (bool, error) {
		found, err := b.temporal.ListWorkflow(ctx,
			&workflowservice.ListWorkflowExecutionsRequest{Namespace: b.TemporalNamespace, Query: query})
		return err == nil && len(found.GetExecutions()) == 1, err
	})
}

// monthsAgo is the first day of the month n months ago.
func monthsAgo(n int) string {
	return testbed.FirstOfPeriod(n).Format(time.DateOnly)
}

func TestARegistrationIsConfirmedAndFilesFromThenOn(t *testing.T) {
	t.Parallel()
	b := newBed(t, true)
	b.API.Start()
	b.Worker.Start()
	began := time.Now()
	path := b.register("NY", map[string]any{"create_filings_from": monthsAgo(2), "password_plain_text": "kanari-portal",
		"password_metadata_plain_text": "kanari-portal"})
	registered := b.wait(path, "REGISTERED")
	t.Logf("confirmed after %s", time.Since(began).Round(time.Millisecond))
	require.True(t, strings.HasPrefix(registered.Field("sales_tax_id"), "SIM-"))
	require.Contains(t, []string{began.UTC().Format(time.DateOnly), time.Now().UTC().Format(time.DateOnly)},
		registered.Field("registration_date"))
	b.waitEnded(path)
	require.Equal(t, 7, b.Count("SELECT count(*) FROM products WHERE external_id LIKE 'default-%'"))
	require.Equal(t, 1, b.Count(`SELECT count(*)
		FROM nexus_records
		WHERE country_code = 'US' AND state_code = 'NY' AND status = 'REGISTERED'`))
	require.Equal(t, 2, b.Count("SELECT count(*) FROM filings WHERE status = 'UNFILED' AND start_date IN ($1, $2)",
		monthsAgo(1), monthsAgo(2)))

	history := b.temporal.GetWorkflowHistory(t.Context(), workflows.RegistrationID(id(path)), "", false,
		enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for history.HasNext() {
		event, err := history.Next()
		require.NoError(t, err)
		require.NotContains(t, event.String(), "kanari")
	}
	require.Zero(t, b.Count("SELECT count(*) FROM registrations r WHERE r::text LIKE '%kanari%'"))

	// Its end: no return is filed any more, and the authority confirms.
	b.ok("PUT", path, map[string]any{"do_not_file": true})
	b.Exec(`UPDATE filings
		SET status = 'CANCELLED'
		WHERE pg_advisory_xact_lock(10, hashtext(registration_id)) IS NOT NULL`) // like every transition
	b.ok("PUT", path, map[string]any{"registration_date": "2026-01-01"})
	b.ok("POST", path+"/deregister", map[string]any{"deregistration_date": "2026-03-31"})
	b.wait(path, "DEREGISTERED")
	b.waitEnded(path)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM nexus_records WHERE state_code = 'NY' AND status = 'NOT_EXPOSED'"))
}

func TestAnAuthorityThatAsksForClarification(t *testing.T) {
	t.Parallel()
	b := newBed(t, true)
	b.API.Start()
	b.Worker.Start()
	path := b.register("NV", map[string]any{"comment": "SIMULATE_REJECT"})
	require.NotEmpty(t, b.wait(path, "AWAITING_CLARIFICATION").Field("clarification"))
	b.waitFor(path, "CLARIFICATION")
	b.ok("PUT", path, map[string]any{"comment": nil, "status": "PROCESSING"})
	b.wait(path, "REGISTERED")
	b.waitEnded(path)
}

// A deregistration that the authority refuses is submitted once, and then waits for people.
func TestARefusedDeregistrationWaitsForPeople(t *testing.T) {
	t.Parallel()
	b := newBed(t, true)
	b.API.Start()
	b.Worker.Start()
	path := b.register("NV", map[string]any{"imported": true, "do_not_file": true, "comment": "SIMULATE_REJECT"})
	b.ok("POST", path+"/deregister", nil)
	b.waitFor(path, "CLARIFICATION")
	refused := b.ok("GET", path, nil)
	require.Equal(t, []string{"DEREGISTERING", "SIMULATED_REJECTION"},
		[]string{refused.Field("status"), refused.Field("clarification")})
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	contacts := b.Count("SELECT sum(contacts)::int FROM sandbox_submissions") // more than 1 if Temporal repeated it
	b.ok("PUT", path, map[string]any{"status": "DEREGISTERED"})
	b.waitEnded(path)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	require.Equal(t, contacts, b.Count("SELECT sum(contacts)::int FROM sandbox_submissions"))
}

// Without the simulated authority people submit registrations.
func TestPeopleConfirmARegistration(t *testing.T) {
	t.Parallel()
	b := newBed(t, false)
	b.API.Start()
	b.Worker.Start()
	path, other := b.register("TX", nil), b.register("FL", nil)
	for _, each := range []string{path, other} {
		b.wait(each, "VALIDATING")
		b.waitFor(each, "CONFIRMATION")
	}

	// Staff terminate a run, or cancel it: it is started again from the record, long before the next check.
	b.Eventually("the records wait", func(context.Context) (bool, error) {
		return b.Count(`SELECT count(*)
			FROM registrations
			WHERE next_check_at > now() + interval '50 minutes' AND NOT changed`) == 2, nil
	})
	terminated, err := b.run(t.Context(), path)
	require.NoError(t, err)
	cancelled, err := b.run(t.Context(), other)
	require.NoError(t, err)
	require.NoError(t, b.temporal.TerminateWorkflow(t.Context(), workflows.RegistrationID(id(path)), "", "a test"))
	require.NoError(t, b.temporal.CancelWorkflow(t.Context(), workflows.RegistrationID(id(other)), ""))
	b.waitRunAfter(path, terminated.GetExecution().GetRunId())
	b.waitRunAfter(other, cancelled.GetExecution().GetRunId())
	b.waitFor(path, "CONFIRMATION")
	b.waitFor(other, "CONFIRMATION")

	b.ok("PUT", path, map[string]any{"status": "REGISTERED", "registration_date": monthsAgo(1)})
	b.waitEnded(path)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings"))
}

// Neither a worker nor Temporal has to run when a registration is requested.
func TestARegistrationIsAcceptedWithoutWorkerAndTemporal(t *testing.T) {
	t.Parallel()
	b := newBed(t, true)
	b.API.Start()
	path := b.register("WA", nil)
	require.Equal(t, "PROCESSING", b.ok("GET", path, nil).Field("status"))
	b.Worker.Start()
	b.NewWorker().Start()
	b.wait(path, "REGISTERED")
	b.waitEnded(path)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	require.Equal(t, 7, b.Count("SELECT count(*) FROM products WHERE external_id LIKE 'default-%'"))
}
