package worker

import (
	"context"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/workflows"
)

// EngineChecks are the checks of Temporal, which one process makes for all.
type EngineChecks interface {
	// LeaseCheck reports whether a check is due; if so nobody else gets it before that time
	// has passed.
	LeaseCheck(ctx context.Context, name string, every time.Duration) (due bool, err error)
	// NoteHeartbeatRun notes the run by which Temporal was last asked to hand work to a worker.
	NoteHeartbeatRun(ctx context.Context, runID string) error
}

// NewHeartbeat starts Heartbeat once a minute, in whichever process is first: a start that
// Temporal refuses and a run that no worker gets show alike in the age of the last success.
func NewHeartbeat(client sdkclient.Client, checks EngineChecks, log *slog.Logger) *Sweeper {
	beat := func(ctx context.Context) error {
		run, err := client.ExecuteWorkflow(ctx, workflows.HeartbeatStart(), workflows.HeartbeatName)
		if err != nil {
			return err
		}
		return checks.NoteHeartbeatRun(ctx, run.GetRunID())
	}
	return &Sweeper{
		what: "heartbeats", tick: 5 * time.Second, rows: 2, calls: 1, budget: rate.NewLimiter(1, 1), log: log,
		due: func(ctx context.Context, _ int) ([]task, error) {
			if due, err := checks.LeaseCheck(ctx, models.CheckHeartbeat, models.HeartbeatEvery); !due || err != nil {
				return nil, err
			}
			return []task{beat}, nil
		},
	}
}
