package worker

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// EngineRecords reads the records that need a run, makes them due, and stores the times of the checks of Temporal.
type EngineRecords interface {
	OpenRecords
	// SoonestDue returns the records of a kind that its sweeper reaches soonest.
	SoonestDue(ctx context.Context, kind string, limit int) ([]string, error)
	// Requeue makes those records of a kind due that still need a run, and returns them.
	Requeue(ctx context.Context, kind string, ids []string) ([]string, error)
	// RequeueAll makes all records of a kind due that need a run, and returns how many.
	RequeueAll(ctx context.Context, kind string) (int, error)

	// LeaseCheck reports whether a check is due. If so, no other process gets it for the time of every.
	LeaseCheck(ctx context.Context, name string, every time.Duration) (due bool, err error)
	// CheckAge returns how long ago a check last succeeded.
	CheckAge(ctx context.Context, name string) (time.Duration, error)
	// NoteCheck records that a check has succeeded.
	NoteCheck(ctx context.Context, name string) error

	// HeartbeatRun returns the run id of the last heartbeat, or an empty string.
	HeartbeatRun(ctx context.Context) (string, error)
	// NoteHeartbeatRun records the run id of the last heartbeat.
	NoteHeartbeatRun(ctx context.Context, runID string) error
	// ForgetHeartbeatRun removes a run id that NoteHeartbeatRun has recorded.
	ForgetHeartbeatRun(ctx context.Context, runID string) error
}

const (
	// engineTick is how often a process asks whether a check of Temporal is due.
	engineTick = 5 * time.Second
	// engineTimeout bounds a check, which may have to make all records due.
	engineTimeout = 2 * time.Minute

	// endedEvery is the time between two searches for runs that ended early.
	endedEvery = 15 * time.Second
	// endedOverlap is the time by which a search overlaps the last one, because lists of Temporal are late.
	endedOverlap = 2 * time.Minute
	// endedRuns is the number of runs of one list call.
	endedRuns = 1000
	// livedFor is the time that a failed run must have lived to be started again at once. A run that fails soon after
	// each start waits until its record is due.
	livedFor = time.Minute

	// missingEvery is the time between two counts of records and runs.
	missingEvery = 30 * time.Second
	// missingPages is the number of pages of a hundred records that are compared after such a count.
	missingPages = 20
)

// Reconciler makes sure that each record that needs a run has a live one. It makes a record without a run due, so that
// its sweeper starts another run. It ends an open run that has stalled. One process at a time makes each check for all.
type Reconciler struct {
	client    sdkclient.Client
	namespace string
	records   EngineRecords
	missing   *MissingRuns
	metrics   *Metrics
	log       *slog.Logger

	lostAfter    time.Duration // time after which a waiting task may be lost
	confirmAfter time.Duration // time after which it must still be lost
}

// NewReconciler returns the reconciler of a process; Run makes it work.
func NewReconciler(
	client sdkclient.Client, namespace string, records EngineRecords, metrics *Metrics, log *slog.Logger,
) *Reconciler {
	return &Reconciler{
		client: client, namespace: namespace, records: records, missing: NewMissingRuns(client, records),
		metrics: metrics, log: log, lostAfter: stalledAfter, confirmAfter: stalledConfirm,
	}
}

// Run makes the checks until ctx ends. No check waits for another.
func (r *Reconciler) Run(ctx context.Context) {
	var checks sync.WaitGroup
	for _, c := range []engineCheck{
		{models.CheckHeartbeat, models.HeartbeatEvery, r.beat},
		{models.CheckEndedRuns, endedEvery, r.reviveEnded},
		{models.CheckMissingRuns, missingEvery, r.reviveMissing},
		{models.CheckStalledRuns, stalledEvery, r.endStalled},
	} {
		checks.Go(func() { repeat(ctx, engineTick, func(ctx context.Context) bool { return r.check(ctx, c) }) })
	}
	checks.Wait()
}

// engineCheck is a check of Temporal.
type engineCheck struct {
	name  string // as in its record
	every time.Duration
	do    func(ctx context.Context) error
}

// check makes a check if it is due. There is never more to do at once.
func (r *Reconciler) check(ctx context.Context, c engineCheck) (more bool) {
	due, err := r.records.LeaseCheck(ctx, c.name, c.every)
	if due && err == nil {
		limited, cancel := context.WithTimeout(ctx, engineTimeout)
		defer cancel()
		err = c.do(limited)
	}
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "Temporal was not checked", "check", c.name, "error", err.Error())
	}
	return false
}

// revive makes records of a kind due whose run is missing.
func (r *Reconciler) revive(ctx context.Context, kind string, missing []string, level slog.Level) error {
	if len(missing) == 0 {
		return nil
	}
	due, err := r.records.Requeue(ctx, kind, missing)
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	if len(due) > 0 {
		r.log.Log(ctx, level, "records without a run become due", "of", kind, "records", len(due))
	}
	return nil
}

// reviveMissing finds the records whose run is in no list of ended runs, for example because staff deleted it in the
// Temporal UI. It costs two counts for each kind. While there are fewer runs than records, it also costs a list call
// for every hundred records.
func (r *Reconciler) reviveMissing(ctx context.Context) error {
	for _, w := range workflows.Carriers() {
		missing, _, err := r.missing.Next(ctx, w, missingPages)
		if err == nil {
			err = r.revive(ctx, w.Carries, missing, slog.LevelWarn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reviveEnded finds the records whose run has ended early since the last check: it was cancelled or terminated, timed
// out, or failed after a minute. It costs one list call, however many runs wait.
func (r *Reconciler) reviveEnded(ctx context.Context) error {
	heartbeat, err := r.lastHeartbeat(ctx)
	if err != nil || heartbeat == nil {
		return err // without a heartbeat, the clock of Temporal is not known
	}
	age, err := r.records.CheckAge(ctx, models.CheckEndedRuns)
	if err != nil {
		return err
	}
	request := &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: endedRuns, Query: endedSince(heartbeat.GetStartTime().AsTime().Add(-age - endedOverlap)),
	}
	for {
		list, err := r.client.ListWorkflow(ctx, request)
		if err != nil {
			return err
		}
		var ids []string
		for _, run := range list.GetExecutions() {
			if !failsAtOnce(run) {
				ids = append(ids, run.GetExecution().GetWorkflowId())
			}
		}
		slices.Sort(ids)
		for some := range slices.Chunk(slices.Compact(ids), askedRuns) {
			missing, err := r.missing.Among(ctx, some)
			if err != nil {
				return err
			}
			for kind, records := range missing {
				if err := r.revive(ctx, kind, records, slog.LevelInfo); err != nil {
					return err
				}
			}
		}
		if request.NextPageToken = list.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return r.records.NoteCheck(ctx, models.CheckEndedRuns)
		}
	}
}

// endedSince returns the query for runs of records that have ended early since a time.
func endedSince(since time.Time) string {
	var names []string
	for _, w := range workflows.Carriers() {
		names = append(names, w.Name)
	}
	return "WorkflowType IN ('" + strings.Join(names, "', '") + "')" +
		" AND ExecutionStatus IN ('Canceled', 'Terminated', 'Failed', 'TimedOut')" +
		" AND CloseTime > '" + since.UTC().Format(time.RFC3339) + "'"
}

// failsAtOnce reports whether a run failed soon after its start.
func failsAtOnce(run *workflowpb.WorkflowExecutionInfo) bool {
	lived := run.GetCloseTime().AsTime().Sub(run.GetStartTime().AsTime())
	return run.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_FAILED && lived < livedFor
}
