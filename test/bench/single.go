package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	sdkactivity "go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"golang.org/x/sync/errgroup"

	"levy/models"
)

// The other design has one workflow for each transaction, with one activity for each stage. It moves that one row under
// the same guard as Levy's stages, and calculates nothing.

const singleQueue = "bench-single"

// singleStarts is how many start calls are in progress at once.
const singleStarts = 16

type single struct{ db *pgxpool.Pool }

type singleMove struct {
	Ref      models.Ref
	From, To models.ProcessingStatus
}

var singleStages = []models.ProcessingStatus{
	models.ProcessingQueued, models.ProcessingAddressDone, models.ProcessingExemptDone, models.ProcessingNexusDone,
	models.ProcessingProcessed,
}

func processSingle(ctx workflow.Context, ref models.Ref) error {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 10 * time.Second})
	for i, to := range singleStages[1:] {
		move := singleMove{Ref: ref, From: singleStages[i], To: to}
		if err := workflow.ExecuteActivity(ctx, (*single).Move, move).Get(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// Move is one stage.
func (s *single) Move(ctx context.Context, m singleMove) error {
	execution := sdkactivity.GetInfo(ctx).WorkflowExecution
	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	batch.Queue(`
		WITH moved AS (
		  UPDATE transactions SET processing_status = $4, updated_at = now()
		   WHERE organization_id = $1 AND id = $2 AND epoch = $3 AND processing_status = $5
		  RETURNING organization_id, id, epoch, revision)
		INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id, run_id,
		                                detail)
		SELECT organization_id, id, epoch, $4, revision, 1, $6, $7, '{}' FROM moved`,
		m.Ref.OrganizationID, m.Ref.ID, m.Ref.Epoch, m.To, m.From, execution.ID, execution.RunID)
	if m.To == models.ProcessingProcessed {
		batch.Queue("DELETE FROM outbox WHERE organization_id = $1 AND kind = 1 AND aggregate_id = $2",
			m.Ref.OrganizationID, m.Ref.ID)
	}
	batch.Queue("COMMIT")
	return s.db.SendBatch(ctx, batch).Close()
}

// measureSingle gives the other design transactions that are in the database
// already, and waits until all are PROCESSED.
func (b *bench) measureSingle(ctx context.Context) error {
	b.say("One workflow per transaction with four activities: %d transactions", b.Workflows)
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	refs, err := b.prepareSingle(ctx)
	if err != nil {
		return err
	}
	client, err := sdkclient.Dial(sdkclient.Options{
		HostPort: b.temporal.Address, Logger: sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	})
	if err != nil {
		return err
	}
	defer client.Close()
	worker := sdkworker.New(client, singleQueue, sdkworker.Options{})
	worker.RegisterWorkflow(processSingle)
	worker.RegisterActivity(&single{b.reference})
	if err := worker.Start(); err != nil {
		return err
	}
	defer worker.Stop()
	if err := b.settle(ctx); err != nil {
		return err
	}

	before := b.cpuNow()
	began := time.Now()
	group, starting := errgroup.WithContext(ctx)
	group.SetLimit(singleStarts)
	for _, ref := range refs {
		group.Go(func() error {
			_, err := client.ExecuteWorkflow(starting,
				sdkclient.StartWorkflowOptions{ID: "single/" + ref.ID, TaskQueue: singleQueue}, processSingle, ref)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	err = until(ctx, "all workflows", 20*time.Millisecond, 10*time.Minute,
		func(ctx context.Context) (done bool, err error) {
			err = b.reference.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM outbox)").Scan(&done)
			return done, err
		})
	if err != nil {
		return err
	}
	p := newPhase(singleStarts, nil, time.Since(began), b.cpuNow().since(before))
	p.count(len(refs))
	b.report.single = b.report.add("one workflow per transaction", p)
	b.say("  %s", p)
	return nil
}

// prepareSingle empties the second database's queue and writes fresh transactions.
func (b *bench) prepareSingle(ctx context.Context) ([]models.Ref, error) {
	in, err := b.newInserter(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := b.reference.Exec(ctx, "TRUNCATE outbox"); err != nil {
		return nil, err
	}
	conn, err := b.reference.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	in.runs = singleRun
	for n := range b.Workflows {
		if err := in.insertOne(ctx, conn.Conn(), int64(n+1), 0, true); err != nil {
			return nil, fmt.Errorf("write a transaction: %w", err)
		}
	}
	rows, err := b.reference.Query(ctx, "SELECT organization_id, aggregate_id, epoch FROM outbox")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (ref models.Ref, err error) {
		err = row.Scan(&ref.OrganizationID, &ref.ID, &ref.Epoch)
		return ref, err
	})
}

// singleRun is a number of a run that pgbench does not have.
const singleRun = 80
