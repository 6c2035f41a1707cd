package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"levy/client"
)

// measureBacklog measures the time from the 202 of a sale until it is PROCESSED, for an organization that sells one at
// a time. Meanwhile another organization has a backlog.
func (b *bench) measureBacklog(ctx context.Context) error {
	b.say("Accepted to PROCESSED beside a backlog of %d of another organization, %d times", b.Backlog, b.Idle)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	other, err := client.New(b.baseURL, b.apiKey, b.organizationID).CreateOrganization(ctx,
		client.OrganizationCreate{Name: "Backlog of sales"})
	if err != nil {
		return err
	}
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	if err := b.fillBacklog(ctx, other.ID); err != nil {
		return err
	}
	if err := b.startWorker(ctx); err != nil {
		return err
	}
	left := func(ctx context.Context, organizationID string) (n int, err error) {
		err = b.db.QueryRow(ctx, "SELECT count(*) FROM outbox WHERE organization_id = $1", organizationID).Scan(&n)
		return n, err
	}
	err = until(ctx, "the backlog is processed", 100*time.Millisecond, 5*time.Minute,
		func(ctx context.Context) (bool, error) {
			n, err := left(ctx, other.ID)
			return n < b.Backlog, err
		})
	if err != nil {
		return err
	}
	// A new obligation recalculates processed sales: the journal says more than the outbox.
	processed := func(ctx context.Context) (n int, err error) {
		err = b.db.QueryRow(ctx, `SELECT count(*)
			FROM transaction_stages
			WHERE organization_id = $1 AND stage = 'PROCESSED'`, other.ID).Scan(&n)
		return n, err
	}
	before, err := processed(ctx)
	if err != nil {
		return err
	}
	var all latencies
	began, cpu := time.Now(), b.cpuNow()
	for range b.Idle {
		<-time.After(rand.N(300 * time.Millisecond)) // at any moment of a batch
		if _, _, err := b.sales.post(ctx, load{clients: 1, count: 1}); err != nil {
			return err
		}
		accepted := time.Now()
		err := until(ctx, "PROCESSED", time.Millisecond, 5*time.Minute, func(ctx context.Context) (done bool, err error) {
			// Counted, for EXISTS is planned to read the whole backlog, in which it expects to find one soon.
			err = b.db.QueryRow(ctx, "SELECT count(*) = 0 FROM outbox WHERE organization_id = $1", b.organizationID).Scan(&done)
			return done, err
		})
		if err != nil {
			return err
		}
		all = append(all, time.Since(accepted))
	}
	took, used := time.Since(began), b.cpuNow().since(cpu)
	after, err := processed(ctx)
	if err != nil {
		return err
	}
	waiting, err := left(ctx, other.ID)
	if err != nil {
		return err
	}
	said := fmt.Sprintf("beside the backlog, of which %.0f/s were processed meanwhile with %.2f ms of CPU of worker and "+
		"PostgreSQL each, and %d are left",
		float64(after-before)/took.Seconds(), 1000*(used["worker"]+used["postgres"])/float64(after-before), waiting)
	b.say("  p50 %.0f ms, p99 %.0f ms %s", all.percentile(50), all.percentile(99), said)
	b.report.note("Sales %s.", said)
	if err := b.reportStages(ctx); err != nil {
		return err
	}
	b.report.atMost("accepted to PROCESSED beside a backlog, p50", "ms", all.percentile(50), 300)
	b.report.atMost("accepted to PROCESSED beside a backlog, p99", "ms", all.percentile(99), 300)
	return nil
}

// reportStages reports the time until each stage for the sales that were posted one at a time, from the journal.
func (b *bench) reportStages(ctx context.Context) error {
	rows, err := b.db.Query(ctx, `
		SELECT stage, percentile_disc(0.5) WITHIN GROUP (ORDER BY since), percentile_disc(0.99) WITHIN GROUP (ORDER BY since)
		  FROM (SELECT s.stage,
		               extract(epoch FROM s.at - coalesce(lag(s.at) OVER (PARTITION BY s.transaction_id ORDER BY s.at),
		                                                  t.created_at)) * 1000
		               AS since, s.at
		          FROM transaction_stages s
		          JOIN transactions t ON t.organization_id = s.organization_id AND t.id = s.transaction_id
		         WHERE s.organization_id = $1) w
		 GROUP BY stage ORDER BY min(at)`, b.organizationID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var stage string
		var p50, p99 float64
		if err := rows.Scan(&stage, &p50, &p99); err != nil {
			return err
		}
		b.say("    %s begun after p50 %.0f ms, p99 %.0f ms", stage, p50, p99)
	}
	return rows.Err()
}

// backlogTables are the rows of an accepted sale, with what replaces which of their columns: $2 is the organization,
// i counts. The customer and the products are the same for all.
var backlogTables = []struct {
	table, where string
	once         bool
	values       map[string]string
}{
	{table: "customers", once: true},
	{table: "products", once: true},
	{table: "transactions", where: " AND id = $3",
		values: map[string]string{"id": "id || '-' || i", "external_id": "external_id || '-' || i"}},
	{
		table: "transaction_items", where: " AND transaction_id = $3",
		values: map[string]string{"id": "id || '-' || i", "transaction_id": "transaction_id || '-' || i"},
	},
	{
		table: "transaction_addresses", where: " AND transaction_id = $3",
		values: map[string]string{"id": "id || '-' || i", "transaction_id": "transaction_id || '-' || i"},
	},
	{
		table: "outbox", where: " AND aggregate_id = $3",
		values: map[string]string{
			"aggregate_id": "aggregate_id || '-' || i", "batch_id": "NULL", "attempts": "0",
			"created_at":      "now() - interval '1 minute'",
			"next_attempt_at": "now()",
		},
	},
}

// fillBacklog gives an organization copies of a sale that was accepted and not processed, directly in the database.
func (b *bench) fillBacklog(ctx context.Context, organizationID string) error {
	if _, _, err := b.sales.post(ctx, load{clients: 1, count: 1}); err != nil {
		return err
	}
	var id string
	err := b.db.QueryRow(ctx, "SELECT aggregate_id FROM outbox WHERE organization_id = $1 AND kind = 1 LIMIT 1",
		b.organizationID).Scan(&id)
	if err != nil {
		return fmt.Errorf("no sale waits: %w", err)
	}
	began := time.Now()
	for first := 1; first <= b.Backlog; first += fillChunk {
		last := min(b.Backlog, first+fillChunk-1)
		for _, t := range backlogTables {
			if t.once && first > 1 {
				continue
			}
			sql, err := b.copyOf(ctx, t.table, t.where, t.once, t.values)
			if err != nil {
				return err
			}
			args := []any{b.organizationID, organizationID}
			if !t.once {
				args = append(args, id, first, last)
			}
			if _, err := b.db.Exec(ctx, sql, args...); err != nil {
				return fmt.Errorf("fill %s: %w", t.table, err)
			}
		}
	}
	b.say("  %d sales written in %.0f s", b.Backlog, time.Since(began).Seconds())
	_, err = b.db.Exec(ctx, "VACUUM ANALYZE transactions, transaction_items, transaction_addresses, outbox")
	return err
}

// copyOf is the statement that copies rows of the organization $1 to $2, $4 to $5 times unless once.
func (b *bench) copyOf(ctx context.Context, table, where string, once bool, of map[string]string) (string, error) {
	rows, err := b.db.Query(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'
		  AND identity_generation IS NULL`, table)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var columns, values []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		value := name
		if other, ok := of[name]; ok {
			value = other
		} else if name == "organization_id" {
			value = "$2"
		}
		columns, values = append(columns, name), append(values, value)
	}
	times := ", generate_series($4::bigint, $5::bigint) AS i"
	if once {
		times = ""
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(values, ", ") +
		" FROM " + table + times + " WHERE organization_id = $1" + where, rows.Err()
}
