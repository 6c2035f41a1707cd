package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

const (
	// engineTick is how often a process asks whether a check of Temporal is due.
	engineTick = 5 * time.Second
	// engineTimeout bounds a check, which may have to make all records due.
	engineTimeout = 2 * time.Minute
)

// EngineCheck is a check of Temporal that one process makes for all. Every process may
// have one of each.
type EngineCheck struct {
	name    string
	every   time.Duration
	records OpenRecords
	do      func(ctx context.Context) error
	log     *slog.Logger
}

// NewHeartbeat starts Heartbeat on every task queue once a minute: a start that Temporal refuses and
// a run that no worker gets show alike in the age of the last success.
func NewHeartbeat(client sdkclient.Client, records OpenRecords, log *slog.Logger) *EngineCheck {
	before := &lostRuns{client: client, records: records, log: log}
	check := func(ctx context.Context) error {
		// Once the next one is noted, it can no longer be seen that Temporal has lost this one.
		if _, err := before.heartbeat(ctx); err != nil {
			return err
		}
		for _, queue := range workflows.Queues() {
			start, cancel := context.WithTimeout(ctx, startTimeout)
			run, err := client.ExecuteWorkflow(start, workflows.HeartbeatStart(queue), workflows.HeartbeatName)
			cancel()
			if err == nil && queue == workflows.TransactionsQueue {
				err = records.NoteHeartbeatRun(ctx, run.GetRunID())
			}
			if err != nil {
				return fmt.Errorf("queue %s: %w", queue, err)
			}
		}
		return nil
	}
	return &EngineCheck{name: models.CheckHeartbeat, every: models.HeartbeatEvery, records: records, do: check, log: log}
}

// NewLostRuns makes records due whose run was cancelled or terminated, or failed after it had
// lived for a while, and all of them when Temporal has lost its data: the sweepers start
// another run. It costs one list call in lostEvery and nothing for runs that wait, however many
// there are.
func NewLostRuns(client sdkclient.Client, records OpenRecords, log *slog.Logger) *EngineCheck {
	l := &lostRuns{client: client, records: records, log: log}
	return &EngineCheck{name: models.CheckRuns, every: lostEvery, records: records, do: l.check, log: log}
}

// Run checks until ctx ends.
func (c *EngineCheck) Run(ctx context.Context) { repeat(ctx, engineTick, c.check) }

// check checks if that is due. There is never more to be expected at once.
func (c *EngineCheck) check(ctx context.Context) (more bool) {
	due, err := c.records.LeaseCheck(ctx, c.name, c.every)
	if due && err == nil {
		limited, cancel := context.WithTimeout(ctx, engineTimeout)
		defer cancel()
		err = c.do(limited)
	}
	if err != nil && ctx.Err() == nil {
		c.log.WarnContext(ctx, "Temporal was not checked", "check", c.name, "error", err.Error())
	}
	return false
}
