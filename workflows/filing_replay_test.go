package workflows

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/tax"
)

const filingReplays = "testdata/replay/FileReturn"

// filingScenario is a way a filing can go on a real server, whose clock cannot be
// moved: prepare sets up the record, talk is what others do meanwhile.
type filingScenario struct {
	prepare func(b *filingBook)
	talk    func(t *testing.T, r *recording)
}

// recording is a run that is being recorded.
type recording struct {
	client sdkclient.Client
	book   *filingBook
}

// change changes the record and tells the run.
func (r *recording) change(t *testing.T, change func(b *filingBook)) {
	t.Helper()
	r.book.mu.Lock()
	change(r.book)
	r.book.mu.Unlock()
	require.NoError(t, r.client.SignalWorkflow(t.Context(), FilingID(theFiling), "", RecordChangedSignal, nil))
}

func (r *recording) waiting(t *testing.T, word string) {
	t.Helper()
	require.Eventually(t, func() bool {
		value, err := r.client.QueryWorkflow(t.Context(), FilingID(theFiling), "", ProgressQuery)
		if err != nil {
			return false
		}
		var progress FilingProgress
		return value.Get(&progress) == nil && progress.WaitsFor == word
	}, 30*time.Second, 20*time.Millisecond)
}

func (r *recording) staff(t *testing.T, update string, message FilingMessage) {
	t.Helper()
	handle, err := r.client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
		WorkflowID: FilingID(theFiling), UpdateName: update, Args: []any{message}, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
}

func filingScenarios() map[string]filingScenario {
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES"}
	pending := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: 300 * time.Millisecond}
	auto := func(answers ...any) func(b *filingBook) {
		return func(b *filingBook) { b.w.AutoFile, b.answers = true, answers }
	}
	return map[string]filingScenario{
		"auto":    {prepare: auto(accepted)},
		"pending": {prepare: auto(pending, pending, accepted)},
		"outage":  {prepare: auto(models.ErrUnavailable, models.ErrOutcomeUnknown, accepted)},
		"defect":  {prepare: auto(os.ErrInvalid, os.ErrInvalid, os.ErrInvalid), talk: func(t *testing.T, r *recording) { r.waiting(t, models.WaitsForRetry); r.cancel(t) }},
		"rejected": {prepare: auto(rejected, accepted), talk: func(t *testing.T, r *recording) {

			r.waiting(t, models.WaitsForRetry)
			r.staff(t, RetryUpdate, FilingMessage{})
		}},
		"approved": {talk: func(t *testing.T, r *recording) {
			r.waiting(t, models.WaitsForApproval)
			r.change(t, func(b *filingBook) { b.move(time.Now(), models.FilingFiling) })
		}},
		"approved-by-staff": {talk: func(t *testing.T, r *recording) {
			r.waiting(t, models.WaitsForApproval)
			r.staff(t, ApproveUpdate, FilingMessage{By: "Ann"})
		}},
		"by-hand": {
			prepare: auto(models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityByHand}),
			talk: func(t *testing.T, r *recording) {
				r.waiting(t, models.WaitsForConfirmation)
				r.change(t, func(b *filingBook) { b.move(time.Now(), models.FilingFiled) })
			},
		},
		"overtaken": {
			prepare: func(b *filingBook) {
				forever := pending
				forever.Again = time.Hour
				b.w.AutoFile, b.answers = true, []any{forever}
			},
			talk: func(t *testing.T, r *recording) {
				r.waiting(t, models.WaitsForAuthority)
				r.change(t, func(b *filingBook) { b.move(time.Now(), models.FilingFiled) })
			},
		},
		"not-ready": {
			prepare: func(b *filingBook) { b.w.AutoFile, b.pending = true, 2 },
			talk: func(t *testing.T, r *recording) {
				r.waiting(t, models.WaitsForTransactions)
				r.change(t, func(b *filingBook) { b.pending = 0 })
			},
		},
		"blocked": {
			prepare: func(b *filingBook) { b.w.AutoFile, b.w.BlockApprove = true, true },
			talk: func(t *testing.T, r *recording) {
				r.waiting(t, models.WaitsForUnblocking)
				r.change(t, func(b *filingBook) { b.w.BlockApprove = false })
			},
		},
		"paused": {talk: func(t *testing.T, r *recording) {
			r.waiting(t, models.WaitsForApproval)
			r.staff(t, PauseUpdate, FilingMessage{Until: tax.DateOf(time.Now()).AddDays(5).String()})
			r.waiting(t, models.WaitsForResumption)
			r.change(t, func(b *filingBook) { b.w.PausedUntil = tax.MustDate("2026-02-05") }) // which is over
			r.waiting(t, models.WaitsForApproval)
			r.staff(t, SkipUpdate, FilingMessage{Reason: "NO_SALES"})
		}},
		"reminded": {
			prepare: func(b *filingBook) { b.w.Due = tax.DateOf(time.Now()).AddDays(3) },
			talk:    func(t *testing.T, r *recording) { r.waiting(t, models.WaitsForApproval); r.cancel(t) },
		},
		"period-open": {
			prepare: func(b *filingBook) { b.w.Period.End = tax.DateOf(time.Now()).AddDays(3) },
			talk:    func(t *testing.T, r *recording) { r.waiting(t, models.WaitsForPeriodEnd); r.cancel(t) },
		},
		"resumed-to-lock": {prepare: func(b *filingBook) { b.w.Status = models.FilingFiled }},
		"over":            {prepare: func(b *filingBook) { b.w.Status = models.FilingSkipped }},
	}
}

func (r *recording) cancel(t *testing.T) {
	t.Helper()
	r.staff(t, CancelUpdate, FilingMessage{Reason: "ENDED"})
}

// TestRecordFileReturn writes the missing histories when asked to (-record).
func TestRecordFileReturn(t *testing.T) {
	if !*record {
		return
	}
	client := recordingClient(t)
	require.NoError(t, os.MkdirAll(filingReplays, 0o755))
	for name, s := range filingScenarios() {
		file := filepath.Join(filingReplays, name+".json")
		if _, err := os.Stat(file); err == nil {
			continue
		}
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		if s.prepare != nil {
			s.prepare(b)
		}
		w := sdkworker.New(client, FilingsQueue, sdkworker.Options{})
		RegisterFilings(w, activities.NewFiling(b, b, models.DefaultFilingRules(), quietLog), activities.NewFilingPlan(nil, nil, quietLog))
		require.NoError(t, w.Start())
		in := FileReturnInput{OrganizationID: newcomer, FilingID: theFiling, Jurisdiction: "US-NV", Period: "2026-01-01/2026-01-31", Category: "REGULAR", Status: b.w.Status}
		run, err := client.ExecuteWorkflow(t.Context(), FileReturnStart(in), FileReturnName, in)
		require.NoError(t, err)
		if s.talk != nil {
			s.talk(t, &recording{client, b})
		}
		require.NoError(t, run.Get(t.Context(), nil), name)
		require.NoError(t, os.WriteFile(file, historyText(t, client, run), 0o644))
		w.Stop()
	}
}

func TestReplayFileReturn(t *testing.T) {
	t.Parallel()
	for name := range filingScenarios() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replayer := sdkworker.NewWorkflowReplayer()
			replayer.RegisterWorkflowWithOptions(FileReturn, workflow.RegisterOptions{Name: FileReturnName})
			file := filepath.Join(filingReplays, name+".json")
			require.FileExists(t, file, "record it: go test ./workflows -run TestRecordFileReturn -record")
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file))
		})
	}
	files, err := os.ReadDir(filingReplays)
	require.NoError(t, err)
	require.Len(t, files, len(filingScenarios()))
}

const planReplays = "testdata/replay/PlanFilings"

// pages is a planner that finds two registrations on each of its pages, after some
// outages.
type pages struct {
	pages, outages int
	asked          []models.PlanCursor
}

func (p *pages) PlanFilings(_ context.Context, after models.PlanCursor, _ func(models.Registration) []models.Filing) (models.PlanPage, error) {
	if p.outages > 0 {
		p.outages--
		return models.PlanPage{}, models.ErrUnavailable
	}
	p.asked = append(p.asked, after)
	return models.PlanPage{
		Registrations: 2, Planned: 1, Next: models.PlanCursor{OrganizationID: newcomer, RegistrationID: "regs_" + string(rune('a'+len(p.asked)%26))},
		Done: len(p.asked) >= p.pages,
	}, nil
}

func (p *pages) PlanRegistration(context.Context, models.Scope, string, func(models.Registration) []models.Filing) (models.PlanPage, error) {
	return models.PlanPage{}, nil
}

func noContent() *tax.Content { return nil }

var planScenarios = map[string]pages{"nothing": {pages: 1}, "several-pages": {pages: 3}, "outage": {pages: 1, outages: 1}}

func TestRecordPlanFilings(t *testing.T) {
	if !*record {
		return
	}
	client := recordingClient(t)
	require.NoError(t, os.MkdirAll(planReplays, 0o755))
	for name, planner := range planScenarios {
		file := filepath.Join(planReplays, name+".json")
		if _, err := os.Stat(file); err == nil {
			continue
		}
		w := sdkworker.New(client, FilingsQueue, sdkworker.Options{})
		RegisterFilings(w, activities.NewFiling(nil, nil, models.DefaultFilingRules(), quietLog), activities.NewFilingPlan(&planner, noContent, quietLog))
		require.NoError(t, w.Start())
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{ID: "plan-filings-" + name, TaskQueue: FilingsQueue}, PlanFilingsName, PlanFilingsInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		require.NoError(t, os.WriteFile(file, historyText(t, client, run), 0o644))
		w.Stop()
	}
}

func TestReplayPlanFilings(t *testing.T) {
	t.Parallel()
	for name := range planScenarios {
		replayer := sdkworker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(PlanFilings, workflow.RegisterOptions{Name: PlanFilingsName})
		file := filepath.Join(planReplays, name+".json")
		require.FileExists(t, file, "record it: go test ./workflows -run TestRecordPlanFilings -record")
		require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file))
	}
	files, err := os.ReadDir(planReplays)
	require.NoError(t, err)
	require.Len(t, files, len(planScenarios))
}
