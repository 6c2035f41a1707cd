package workflows

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// filingScenario is a course of a filing on a real server, whose clock cannot be set. prepare sets up the record,
// interact makes changes meanwhile.
type filingScenario struct {
	prepare  func(b *fakeFiling)
	seen     bool // the run begins with what was seen of the record
	interact func(t *testing.T, r *recording)
}

// recording is a run that is being recorded.
type recording struct {
	client sdkclient.Client
	store  *fakeFiling
}

// change changes the record and signals the run.
func (r *recording) change(t *testing.T, change func(b *fakeFiling)) {
	t.Helper()
	r.store.mu.Lock()
	change(r.store)
	r.store.mu.Unlock()
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
	message.Proof = signedByAnn(message, FilingID(theFiling), update, time.Now())
	handle, err := r.client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
		WorkflowID: FilingID(theFiling), UpdateName: update, Args: []any{message},
		WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
}

func filingScenarios() map[string]filingScenario {
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES",
	}
	pending := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityPending, Again: 300 * time.Millisecond,
	}
	auto := func(answers ...any) func(b *fakeFiling) {
		return func(b *fakeFiling) { b.w.AutoFile, b.answers = true, answers }
	}
	return map[string]filingScenario{
		"auto":    {prepare: auto(accepted)},
		"overdue": {prepare: auto(accepted)}, // since the record says so; the others were recorded before it was shown
		"pending": {prepare: auto(pending, pending, accepted)},
		"outage":  {prepare: auto(models.ErrUnavailable, models.ErrOutcomeUnknown, accepted)},
		"defect": {
			prepare:  auto(os.ErrInvalid, os.ErrInvalid, os.ErrInvalid),
			interact: func(t *testing.T, r *recording) { r.waiting(t, rules.WaitsForRetry); r.cancel(t) },
		},
		"rejected": {prepare: auto(rejected, accepted), interact: func(t *testing.T, r *recording) {

			r.waiting(t, rules.WaitsForRetry)
			r.staff(t, RetryUpdate, FilingMessage{})
		}},
		"approved": {interact: func(t *testing.T, r *recording) {
			r.waiting(t, rules.WaitsForApproval)
			r.change(t, func(b *fakeFiling) { b.transition(time.Now(), models.FilingFiling) })
		}},
		"approved-by-staff": {interact: func(t *testing.T, r *recording) {
			r.waiting(t, rules.WaitsForApproval)
			r.staff(t, ApproveUpdate, FilingMessage{By: "Ann", ExpectedAmount: "10.00"})
		}},
		"manual": {
			prepare: auto(models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityManual}),
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForConfirmation)
				r.change(t, func(b *fakeFiling) { b.transition(time.Now(), models.FilingFiled) })
			},
		},
		"overtaken": {
			prepare: func(b *fakeFiling) {
				forever := pending
				forever.Again = time.Hour
				b.w.AutoFile, b.answers = true, []any{forever}
			},
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForAuthority)
				r.change(t, func(b *fakeFiling) { b.transition(time.Now(), models.FilingFiled) })
			},
		},
		"not-ready": {
			prepare: func(b *fakeFiling) { b.w.AutoFile, b.pending = true, 2 },
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForTransactions)
				r.change(t, func(b *fakeFiling) { b.pending = 0 })
			},
		},
		"blocked": {
			prepare: func(b *fakeFiling) { b.w.AutoFile, b.w.BlockApprove = true, true },
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForUnblocking)
				r.change(t, func(b *fakeFiling) { b.w.BlockApprove = false })
			},
		},
		"paused": {interact: func(t *testing.T, r *recording) {
			r.waiting(t, rules.WaitsForApproval)
			r.staff(t, PauseUpdate, FilingMessage{Until: calendar.DateOf(time.Now()).AddDays(5).String()})
			r.waiting(t, rules.WaitsForResumption)
			r.change(t, func(b *fakeFiling) { b.w.PausedUntil = calendar.MustDate("2026-02-05") }) // this day is over
			r.waiting(t, rules.WaitsForApproval)
			r.staff(t, SkipUpdate, FilingMessage{Reason: "NO_SALES"})
		}},
		"reminded": {
			prepare:  func(b *fakeFiling) { b.w.Due = calendar.DateOf(time.Now()).AddDays(3) },
			interact: func(t *testing.T, r *recording) { r.waiting(t, rules.WaitsForApproval); r.cancel(t) },
		},
		"period-open": {
			prepare:  func(b *fakeFiling) { b.w.Period.End = calendar.DateOf(time.Now()).AddDays(3) },
			interact: func(t *testing.T, r *recording) { r.waiting(t, rules.WaitsForPeriodEnd); r.cancel(t) },
		},
		// Since documents are built. The attempt that follows a rejection has one of its own.
		"document": {
			prepare: func(b *fakeFiling) {
				b.document, b.w.Due = true, calendar.DateOf(time.Now()).AddDays(30)
				auto(rejected, accepted)(b)
			},
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForRetry)
				r.staff(t, RetryUpdate, FilingMessage{})
			},
		},
		"resumed-to-lock": {prepare: func(b *fakeFiling) { b.w.Status = models.FilingFiled }},
		"seen": {
			seen:    true,
			prepare: func(b *fakeFiling) { b.w.Due = calendar.DateOf(time.Now()).AddDays(30) },
			interact: func(t *testing.T, r *recording) {
				r.waiting(t, rules.WaitsForApproval)
				r.change(t, func(b *fakeFiling) { b.transition(time.Now(), models.FilingFiling) })
			},
		},
		"over": {prepare: func(b *fakeFiling) { b.w.Status = models.FilingSkipped }},
	}
}

func (r *recording) cancel(t *testing.T) {
	t.Helper()
	r.staff(t, CancelUpdate, FilingMessage{Reason: "ENDED"})
}

var filingRuns = histories[filingScenario]{
	folder: "FileReturn", workflows: map[string]any{FileReturnName: FileReturn}, scenarios: filingScenarios,
}

func TestReplayFileReturn(t *testing.T) {
	t.Parallel()
	filingRuns.replayAll(t)
}
