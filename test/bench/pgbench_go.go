package main

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// runGo does what pgbench does, where there is no pgbench.
func (in *inserter) runGo(ctx context.Context, during time.Duration, pipelined bool) (phase, error) {
	connections := make([]*pgx.Conn, pgbenchClients)
	for i := range connections {
		var err error
		if connections[i], err = pgx.Connect(ctx, in.b.postgres.URL(referenceDatabase)); err != nil {
			return phase{}, err
		}
		defer connections[i].Close(ctx)
	}
	taken := make([]latencies, len(connections))
	before := in.b.cpuNow()
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for client, conn := range connections {
		group.Go(func() error {
			for n := int64(1); time.Since(began) < during; n++ {
				start := time.Now()
				if err := in.insertOne(ctx, conn, n, int64(client), pipelined); err != nil {
					return err
				}
				taken[client] = append(taken[client], time.Since(start))
			}
			return nil
		})
	}
	err := group.Wait()
	took := time.Since(began)
	used := in.b.cpuNow().since(before)
	var all latencies
	for _, t := range taken {
		all = append(all, t...)
	}
	return newPhase(pgbenchClients, all, took, used), err
}

// key is the number that pgbench's script makes.
func (in *inserter) key(n, client int64) int64 {
	return 100_000_000_000_000 + in.runs*10_000_000_000_000 + n*1000 + client
}

func (in *inserter) insertOne(ctx context.Context, conn *pgx.Conn, n, client int64, pipelined bool) error {
	statements := in.statements[n%int64(len(in.statements))]
	key := strconv.FormatInt(in.key(n, client), 10)
	if pipelined {
		batch := &pgx.Batch{}
		batch.Queue("BEGIN")
		for _, statement := range statements {
			batch.Queue(withKey(statement, "$1"), key)
		}
		batch.Queue("COMMIT")
		return conn.SendBatch(ctx, batch).Close()
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, withKey(statement, "$1"), key); err != nil {
				return err
			}
		}
		return nil
	})
}
