package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
	"levy/workflows"
)

// killed is a part that is killed and started again at once, as a supervisor does.
type killed struct {
	name string
	kill func(ctx context.Context) error // kills it, and returns when it answers or runs again
	// The aim is for the first sale that is accepted after the kill, or processed.
	aim       float64 // seconds
	processed bool
	// Without it nothing is accepted. The rest of it accepted the sales before the first refusal.
	needed bool
}

// measureRecovery kills one part after the other under a light load. It measures from the kill until a sale sent after
// it is accepted, and until one is processed. It also measures until the sales in progress are processed. There is one
// process of each part, so that no other takes over.
func (b *bench) measureRecovery(ctx context.Context) error {
	b.say("Recovery from kill -9, %d times of each part", b.Kills)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	if loads, err := os.ReadFile("/proc/loadavg"); err == nil {
		b.report.note("Load of the machine before anything was killed: %s.",
			strings.Join(strings.Fields(string(loads))[:3], ", "))
	}
	load := b.startTraffic(ctx)
	defer load.stop()
	parts := []killed{
		{"API", func(context.Context) error { return b.relaunch("api", &b.api) }, 1, false, true},
		{"worker", func(context.Context) error { return b.relaunch("worker", &b.worker) }, 3, true, false},
		{"PostgreSQL", b.restartPostgres, 3, false, true},
		{"Temporal", b.restartTemporal, 5, true, false},
	}
	for _, part := range parts {
		if !slices.Contains(b.Killed, strings.ToLower(part.name)) {
			continue
		}
		var accepted, processed, underWay latencies
		began := time.Now()
		for range b.Kills {
			r, err := b.recoverFrom(ctx, part, load)
			if err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
			b.say("  %s: accepted after %.2f s, processed after %.2f s, what was in progress after %.2f s", part.name,
				r.accepted.Seconds(), r.processed.Seconds(), r.underWay.Seconds())
			accepted, processed = append(accepted, r.accepted), append(processed, r.processed)
			underWay = append(underWay, r.underWay)
		}
		b.report.add(part.name+" killed", newPhase(trafficClients, processed, time.Since(began), nil))
		for _, of := range []struct {
			what string
			took latencies
			aim  bool
		}{
			{"a sale is accepted", accepted, !part.processed}, {"a sale is processed", processed, part.processed},
			{"what was in progress is processed", underWay, false},
		} {
			p50, p99 := of.took.percentile(50)/1000, of.took.percentile(99)/1000
			name := fmt.Sprintf("%s killed, until %s", part.name, of.what)
			b.say("  %s: p50 %.2f s, p99 %.2f s", name, p50, p99)
			b.report.beside(name+", p50", "s", p50, "", 0)
			if of.aim {
				b.report.atMost(name+", p99", "s", p99, part.aim)
			} else {
				b.report.beside(name+", p99", "s", p99, "", 0)
			}
		}
	}
	return nil
}

// recovery is how long each took after a kill.
type recovery struct{ accepted, processed, underWay time.Duration }

// recoveryLimit is beyond every timeout of the service.
const recoveryLimit = 2 * time.Minute

func (b *bench) recoverFrom(ctx context.Context, part killed, load *traffic) (r recovery, err error) {
	load.since(time.Now(), false)
	if err := b.eventually(ctx, "steady",
		func(ctx context.Context) (bool, error) { return b.oneProcessed(ctx, load) }); err != nil {
		return r, err
	}
	<-time.After(rand.N(time.Second)) // somewhere in a batch
	rows, err := b.db.Query(ctx, "SELECT aggregate_id FROM outbox")
	if err != nil {
		return r, err
	}
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return r, err
	}
	at := time.Now()
	load.since(at, part.needed)
	asking, asked := context.WithCancel(ctx)
	defer asked()
	go b.reportSlow(asking, open)
	restarted := make(chan error, 1)
	go func() { restarted <- part.kill(ctx) }()
	for _, step := range []struct {
		what string
		took *time.Duration
		done func(context.Context) (bool, error)
	}{
		{"a sale is accepted", &r.accepted, func(context.Context) (bool, error) { return len(load.taken()) > 0, nil }},
		{"a sale is processed", &r.processed, func(ctx context.Context) (bool, error) { return b.oneProcessed(ctx, load) }},
		{"what was in progress is processed", &r.underWay, func(ctx context.Context) (done bool, err error) {
			err = b.db.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM outbox WHERE aggregate_id = ANY ($1))", open).Scan(&done)
			return done, err
		}},
	} {
		if err := b.eventually(ctx, step.what, step.done); err != nil {
			return r, err
		}
		*step.took = time.Since(at)
	}
	return r, <-restarted
}

// slowAfter is the time after which the state of unprocessed sales is reported.
const slowAfter = 20 * time.Second

// reportSlow reports repeatedly until ctx ends which sales are left and what Temporal knows of their batches.
func (b *bench) reportSlow(ctx context.Context, open []string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(slowAfter):
		}
		if err := b.reportRemaining(ctx, open); err != nil && ctx.Err() == nil {
			b.say("    what is left cannot be told: %s", err)
		}
	}
}

func (b *bench) reportRemaining(ctx context.Context, open []string) error {
	engine, err := sdkclient.Dial(sdkclient.Options{
		HostPort: b.temporal.Address, Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return err
	}
	defer engine.Close()
	rows, err := b.db.Query(ctx, `
		SELECT coalesce(batch_id, ''), attempts, background, count(*), (min(next_attempt_at) - now())::text,
		       (now() - min(created_at))::text
		  FROM outbox WHERE aggregate_id = ANY ($1) GROUP BY 1, 2, 3`, open)
	if err != nil {
		return err
	}
	type left struct {
		Batch      string
		Attempts   int
		Background bool
		Sales      int
		DueIn, Age string
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[left])
	for _, l := range all {
		known := "in no batch"
		if l.Batch != "" {
			run, err := engine.DescribeWorkflowExecution(ctx, workflows.TransactionsID(l.Batch), "")
			known = fmt.Sprint(err)
			if err == nil {
				known = fmt.Sprintf("%s, task %v, activities %v", run.GetWorkflowExecutionInfo().GetStatus(),
					run.GetPendingWorkflowTask(),
					run.GetPendingActivities())
			}
		}
		b.say("    still open: %+v: %s", l, known)
	}
	return err
}

// eventually asks until the answer is yes; while PostgreSQL is down there is none.
func (b *bench) eventually(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	return until(ctx, what, 10*time.Millisecond, recoveryLimit, func(ctx context.Context) (bool, error) {
		ok, err := done(ctx)
		return ok && err == nil, nil
	})
}

// oneProcessed reports whether one of the sales that were accepted last is PROCESSED.
func (b *bench) oneProcessed(ctx context.Context, load *traffic) (done bool, err error) {
	err = b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM transactions
		WHERE organization_id = $1 AND external_id = ANY ($2) AND processing_status = 'PROCESSED')`,
		b.organizationID, load.taken()).Scan(&done)
	return done, err
}

// relaunch kills a process of the service and starts it again.
func (b *bench) relaunch(command string, process **local.Process) error {
	kill(*process)
	next, err := b.launch(command)
	if err == nil {
		*process = next
	}
	return err
}

func kill(p *local.Process) {
	p.Signal(syscall.SIGKILL)
	<-p.Done()
}

func (b *bench) restartPostgres(ctx context.Context) (err error) {
	kill(b.postgres.Process)
	_ = b.postgres.Stop(ctx) // gives back the lock on its folder
	b.postgres, err = postgres.Start(ctx, b.postgresConfig)
	return err
}

func (b *bench) restartTemporal(ctx context.Context) error {
	kill(b.temporal.Process)
	_ = b.temporal.Stop(ctx) // gives back the lock on its folder
	_, port, err := net.SplitHostPort(b.temporal.Address)
	if err != nil {
		return err
	}
	config := b.temporalConfig
	if config.Port, err = strconv.Atoi(port); err != nil {
		return err
	}
	b.temporal, err = temporal.Start(ctx, config)
	return err
}
