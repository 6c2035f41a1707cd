package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"levy/models"
)

// measureStart starts API and worker together, as often as asked, and counts the
// slowest: the first one reads the program from the disk.
func (b *bench) measureStart(ctx context.Context) error {
	b.say("Start of API and worker, %d times", b.Starts)
	slowest := 0.0
	for range b.Starts {
		if err := b.levy.stop(ctx); err != nil {
			return err
		}
		began := time.Now()
		group, starting := errgroup.WithContext(ctx)
		group.Go(func() error { return b.startAPI(starting) })
		group.Go(func() error { return b.startWorker(starting) })
		if err := group.Wait(); err != nil {
			return err
		}
		took := time.Since(began).Seconds()
		b.say("  ready after %.2f s", took)
		slowest = max(slowest, took)
	}
	b.report.atMost(fmt.Sprintf("start of API and worker, slowest of %d", b.Starts), "s", slowest, 6)
	return b.measureMemory(ctx, "after start", 150)
}

func (b *bench) measureMemory(ctx context.Context, when string, aim float64) error {
	api, apiPeak, err := memory(b.api.PID())
	if err != nil {
		b.report.note("No memory figures on this system.")
		return nil //nolint:nilerr // only Linux has them
	}
	worker, workerPeak, err := memory(b.worker.PID())
	if err != nil {
		return err
	}
	b.say("  memory %s: API %.0f MB (at most %.0f), worker %.0f MB (at most %.0f)", when, api, apiPeak, worker, workerPeak)
	b.report.note("Memory %s: API %.0f MB (at most %.0f), worker %.0f MB (at most %.0f).", when, api, apiPeak, worker,
		workerPeak)
	b.report.atMost("memory of API and worker "+when, "MB", api+worker, aim)
	return b.keepHeaps(ctx, when)
}

// measureIdle posts sales one at a time and measures from the 202 until the row is
// PROCESSED.
func (b *bench) measureIdle(ctx context.Context) error {
	b.say("Accepted to PROCESSED when idle, %d times", b.Idle)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	var all latencies
	before, start := b.cpuNow(), time.Now()
	for range b.Idle {
		if _, _, err := b.sales.post(ctx, load{clients: 1, count: 1}); err != nil {
			return err
		}
		began := time.Now()
		if err := until(ctx, "PROCESSED", time.Millisecond, time.Minute, b.processed); err != nil {
			return err
		}
		all = append(all, time.Since(began))
	}
	b.report.add("one sale at a time", newPhase(1, all, time.Since(start), b.cpuNow().since(before)))
	b.say("  p50 %.0f ms, p99 %.0f ms", all.percentile(50), all.percentile(99))
	b.report.atMost("accepted to PROCESSED when idle, p50", "ms", all.percentile(50), 300)
	b.report.atMost("accepted to PROCESSED when idle, p99", "ms", all.percentile(99), 300)
	return nil
}

// warmUp is how long a load runs before it is measured.
const warmUp = 2 * time.Second

func (b *bench) measurePgbench(ctx context.Context) error {
	b.say("pgbench writes the %d rows of a sale, one commit each, %d connections, %d s", rowsPerSale, pgbenchClients,
		b.Seconds)
	in, err := b.newInserter(ctx)
	if err != nil {
		return err
	}
	for _, pipelined := range []bool{false, true} {
		if err := b.settle(ctx); err != nil {
			return err
		}
		if _, err := in.run(ctx, warmUp, pipelined); err != nil {
			return err
		}
		p, err := in.run(ctx, time.Duration(b.Seconds)*time.Second, pipelined)
		if err != nil {
			return err
		}
		if pipelined {
			b.report.pipelined = b.report.add("pgbench, pipelined", p)
		} else {
			b.report.plain = b.report.add("pgbench", p)
		}
		b.say("  pipelined %t: %s", pipelined, p)
	}
	return nil
}

// measureAccept posts while no worker runs, and then lets the worker process what
// was accepted.
func (b *bench) measureAccept(ctx context.Context) error {
	for i, clients := range b.Clients {
		b.say("Accepting from %d connections for %d s, no worker", clients, b.Seconds)
		if err := b.ensure(ctx, false); err != nil {
			return err
		}
		if err := b.settle(ctx); err != nil {
			return err
		}
		if _, _, err := b.sales.post(ctx, load{clients: clients, during: warmUp}); err != nil {
			return err
		}
		profiles := b.startProfiles(ctx, "accept", time.Duration(b.Seconds)*time.Second, "api")
		before := b.cpuNow()
		all, took, err := b.sales.post(ctx, load{clients: clients, during: time.Duration(b.Seconds) * time.Second})
		if err := errors.Join(err, profiles()); err != nil {
			return err
		}
		p := b.report.add("accept", newPhase(clients, all, took, b.cpuNow().since(before)))
		if i == 0 {
			b.report.accepted = p
		}
		b.say("  %s", p)
		if err := b.drain(ctx, clients); err != nil {
			return err
		}
	}
	return nil
}

// drain starts the worker and measures how fast it processes what was accepted. Most of that waits in the outbox:
// without a worker the relay opens two batches, and the others when those have ended.
func (b *bench) drain(ctx context.Context, clients int) error {
	var waiting int
	if err := b.db.QueryRow(ctx, "SELECT count(*) FROM outbox").Scan(&waiting); err != nil {
		return err
	}
	b.say("Working off %d transactions, from the start of the worker", waiting)
	profiles := func() error { return nil }
	err := b.measureWork(ctx, "drain", func(ctx context.Context) (latencies, error) {
		if err := b.startWorker(ctx); err != nil {
			return nil, err
		}
		profiles = b.startProfiles(ctx, "work-off", time.Duration(b.Seconds)*time.Second, "worker")
		return nil, nil
	}, waiting, clients)
	if err == nil && b.report.drained == nil {
		b.report.drained = b.report.Phases[len(b.report.Phases)-1]
	}
	return errors.Join(err, profiles())
}

// atRest is longer than API and worker wait after a load until they give memory back.
const atRest = 5 * time.Second

// measureProcess posts the transactions while the worker runs, and measures from
// the first POST until the last is PROCESSED.
func (b *bench) measureProcess(ctx context.Context) error {
	clients := b.Clients[0]
	b.say("End to end: %d transactions from %d connections", b.Transactions, clients)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	if err := until(ctx, "backlog", 100*time.Millisecond, 10*time.Minute, b.processed); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	if _, _, err := b.sales.post(ctx, load{clients: clients, during: warmUp}); err != nil {
		return err
	}
	if err := until(ctx, "warm up", 100*time.Millisecond, 5*time.Minute, b.processed); err != nil {
		return err
	}
	profiles := b.startProfiles(ctx, "process", time.Duration(b.Seconds)*time.Second, "api", "worker")
	err := b.measureWork(ctx, "end to end", func(ctx context.Context) (latencies, error) {
		all, took, err := b.sales.post(ctx, load{clients: clients, count: b.Transactions})
		b.say("  accepted after %.1f s, %.0f/s", took.Seconds(), float64(len(all))/took.Seconds())
		return all, err
	}, b.Transactions, clients)
	if err := errors.Join(err, profiles()); err != nil {
		return err
	}
	b.report.processed = b.report.Phases[len(b.report.Phases)-1]
	if err := b.measureMemory(ctx, "after the load", 200); err != nil {
		return err
	}
	select {
	case <-time.After(atRest):
	case <-ctx.Done():
		return ctx.Err()
	}
	return b.measureMemory(ctx, "at rest after the load", 200)
}

// measureWork measures from the call of begin until nothing waits any more, and
// checks that everything was processed exactly once.
func (b *bench) measureWork(
	ctx context.Context, name string, begin func(context.Context) (latencies, error), count, clients int,
) error {
	var journal int64
	if err := b.db.QueryRow(ctx, "SELECT coalesce(max(seq), 0) FROM transaction_stages").Scan(&journal); err != nil {
		return err
	}
	before := b.cpuNow()
	began := time.Now()
	all, err := begin(ctx)
	if err != nil {
		return err
	}
	if err := until(ctx, "all PROCESSED", 50*time.Millisecond, 15*time.Minute, b.processed); err != nil {
		return err
	}
	p := newPhase(clients, all, time.Since(began), b.cpuNow().since(before))
	p.count(count)
	err = b.db.QueryRow(ctx, "SELECT count(DISTINCT workflow_id) FROM transaction_stages WHERE stage = $1 AND seq > $2",
		models.ProcessingProcessed, journal).Scan(&p.Batches)
	if err != nil {
		return err
	}
	b.say("  %s", b.report.add(name, p))
	return b.checkAll(ctx)
}
