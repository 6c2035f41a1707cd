package worker

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// OpenRecords are the records that need a run, and when their runs were last checked.
type OpenRecords interface {
	// LeaseCheck reports whether a check is due; if so no other process gets it before that
	// time has passed.
	LeaseCheck(ctx context.Context, name string, every time.Duration) (due bool, err error)
	// NoteHeartbeatRun notes the run by which Temporal was last asked to hand work to a worker.
	NoteHeartbeatRun(ctx context.Context, runID string) error
	// HeartbeatRun is the run of Heartbeat that was noted last; empty for none.
	HeartbeatRun(ctx context.Context) (string, error)
	// ForgetHeartbeatRun notes that there is no such run any more.
	ForgetHeartbeatRun(ctx context.Context, runID string) error
	// CheckAge is how long ago a check last succeeded.
	CheckAge(ctx context.Context, name string) (time.Duration, error)
	// NoteCheck notes that a check has succeeded.
	NoteCheck(ctx context.Context, name string) error
	// Requeue makes those of a kind due for which there is something left to do, and
	// returns them.
	Requeue(ctx context.Context, kind string, ids []string) ([]string, error)
	// RequeueAll makes all of a kind due for which there is something left to do.
	RequeueAll(ctx context.Context, kind string) (int, error)
}

const (
	// lostEvery is the time between two searches for runs that ended and are still needed.
	lostEvery = 15 * time.Second
	// lostOverlap is how far a search reaches back before the last one, because lists of
	// Temporal come late.
	lostOverlap = 2 * time.Minute
	// livedFor is how long a run that failed must have lived to be started again at once: one
	// that fails whenever it is started waits until its record is due.
	livedFor = time.Minute
	// listedRuns is the size of a page of a list, askedRuns how many runs are asked for at once.
	listedRuns, askedRuns = 1000, 100
)

// lostRuns finds runs that ended although their records need them.
type lostRuns struct {
	client  sdkclient.Client
	records OpenRecords
	log     *slog.Logger
}

func (l *lostRuns) check(ctx context.Context) error {
	heartbeat, err := l.heartbeat(ctx)
	if err != nil || heartbeat == nil {
		return err // without one it is not known what time it is by the clock of Temporal
	}
	age, err := l.records.CheckAge(ctx, models.CheckRuns)
	if err != nil {
		return err
	}
	if err := l.ended(ctx, heartbeat.GetStartTime().AsTime().Add(-age-lostOverlap)); err != nil {
		return err
	}
	return l.records.NoteCheck(ctx, models.CheckRuns)
}

// heartbeat is the run of Heartbeat that was started last, nil for none. A Temporal that does
// not know it has lost its data, or was restored to the past: all records are due then. The
// runs that are there are joined.
func (l *lostRuns) heartbeat(ctx context.Context) (*workflowpb.WorkflowExecutionInfo, error) {
	id, err := l.records.HeartbeatRun(ctx)
	if err != nil || id == "" {
		return nil, err
	}
	run, err := describe(ctx, l.client, workflows.HeartbeatID, id)
	if run != nil || err != nil {
		return run.GetWorkflowExecutionInfo(), err
	}
	l.log.WarnContext(ctx, "Temporal does not know a run that it had: all records are made due", "run_id", id)
	for _, w := range workflows.Carriers() {
		if _, err := l.records.RequeueAll(ctx, w.Carries); err != nil {
			return nil, fmt.Errorf("%s: %w", w.Carries, err)
		}
	}
	return nil, l.records.ForgetHeartbeatRun(ctx, id)
}

// ended makes the records due whose runs ended since then and have no other run.
func (l *lostRuns) ended(ctx context.Context, since time.Time) error {
	var names []string
	for _, w := range workflows.Carriers() {
		names = append(names, w.Name)
	}
	query := "WorkflowType IN ('" + strings.Join(names, "', '") + "')" +
		" AND ExecutionStatus IN ('Canceled', 'Terminated', 'Failed', 'TimedOut')" +
		" AND CloseTime > '" + since.UTC().Format(time.RFC3339) + "'"
	var page []byte
	for {
		list, err := l.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			PageSize: listedRuns, NextPageToken: page, Query: query,
		})
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
			if err := l.revive(ctx, some); err != nil {
				return err
			}
		}
		if page = list.GetNextPageToken(); len(page) == 0 {
			return nil
		}
	}
}

func failsAtOnce(run *workflowpb.WorkflowExecutionInfo) bool {
	lived := run.GetCloseTime().AsTime().Sub(run.GetStartTime().AsTime())
	return run.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_FAILED && lived < livedFor
}

// revive makes the records of these workflows due, unless they have a run.
func (l *lostRuns) revive(ctx context.Context, ids []string) error {
	open, err := openAmong(ctx, l.client, ids)
	if err != nil {
		return err
	}
	lost := map[string][]string{}
	for _, id := range ids {
		if kind, record, ok := workflows.RecordOf(id); ok && !open[id] {
			lost[kind] = append(lost[kind], record)
		}
	}
	for kind, records := range lost {
		due, err := l.records.Requeue(ctx, kind, records)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		if len(due) > 0 {
			l.log.InfoContext(ctx, "runs ended that are still needed", "of", kind, "records", len(due))
		}
	}
	return nil
}
