package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// homeTime is the aim of the whole home, p99.
const homeTime = 300 // ms

// homeRequests is how often each home is read.
const homeRequests = 200

// salesOfOthers is how many sales each client has but the largest one.
const salesOfOthers = 112

// homeFills give the clients $2 every $3rd sale of the client $1, until each has $4 of them, and count the sales. Tax is owed where
// they are exposed. Sales that wait for a place cannot be taxed.
var homeFills = []string{
	`INSERT INTO customers
	 SELECT r.* FROM unnest($2::text[]) AS c (id), generate_series(0, 5) n, customers t,
	        jsonb_populate_record(t, jsonb_build_object('organization_id', c.id)) r
	  WHERE t.organization_id = $1 AND t.id = 'cust_' || lpad(n::text, 26, '0') AND $3::bigint + $4::bigint > 0`,
	`INSERT INTO transactions
	 SELECT r.* FROM unnest($2::text[]) AS c (id), generate_series(1, $4::bigint) n, transactions t,
	        jsonb_populate_record(t, jsonb_build_object('organization_id', c.id, 'customer_id',
	          'cust_' || lpad((n % 6)::text, 26, '0'))) r
	  WHERE t.organization_id = $1 AND t.id = 'txn_' || lpad((n * $3::bigint)::text, 26, '0')`,
	`INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
	        processing_status, address_status, exempt, country, state, filing_id, n)
	 SELECT organization_id, (date AT TIME ZONE 'UTC')::date, true, type, status, source, marketplace, connection_id,
	        processing_status, address_status, exempt, country, state, filing_id, count(*)
	   FROM transactions WHERE organization_id = ANY ($2) AND organization_id <> $1 AND $3::bigint + $4::bigint > 0
	  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14`,
	`INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason, at)
	 SELECT organization_id, id, epoch, 'ADDRESS', date
	   FROM transactions
	  WHERE (organization_id = ANY ($2) OR organization_id = $1) AND status = 'PENDING' AND $3::bigint + $4::bigint > 0
	     ON CONFLICT DO NOTHING`,
	`INSERT INTO nexus_taxes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
	 SELECT organization_id, country_code, state_code, '', currency, m::date, 10, 0, 10
	   FROM nexus_records, generate_series(now() - interval '2 months', now(), interval '1 month') m
	  WHERE (organization_id = ANY ($2) OR organization_id = $1) AND nexus_met AND $3::bigint + $4::bigint > 0
	     ON CONFLICT DO NOTHING`,
}

// measureHome reads the homes of staff, of a partner of all clients, and of the client with the most sales, in turns.
func (b *bench) measureHome(ctx context.Context) error {
	b.say("Homes over %d clients with %d sales", b.Onboardings, b.Rows)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	one, err := b.newOnboardings().onboard(ctx, 3)
	if err != nil {
		return err
	}
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	clients, err := b.writeClients(ctx, one)
	if err != nil {
		return err
	}
	merchant, err := b.writeSales(ctx, clients)
	if err != nil {
		return err
	}
	if err := b.countFigures(ctx); err != nil {
		return err
	}
	homes := []struct {
		who       string
		arguments []string
		visitor   *http.Client
		all       latencies
	}{
		{who: "staff", arguments: []string{"--staff", "operator"}},
		{who: "partner", arguments: []string{"--organization", b.organizationID, "--role", "admin"}},
		{who: "merchant", arguments: []string{"--organization", merchant, "--role", "admin"}},
	}
	for i := range homes {
		if homes[i].visitor, err = b.signIn(ctx, homes[i].who, homes[i].arguments...); err != nil {
			return err
		}
	}
	for round := range homeRequests + 1 {
		for i := range homes {
			took, err := b.readHome(ctx, homes[i].visitor)
			if err != nil {
				return err
			}
			if round > 0 { // the first one warms caches
				homes[i].all = append(homes[i].all, took)
			}
		}
	}
	for _, h := range homes {
		b.say("  %-8s p50 %6.0f ms, p99 %6.0f ms", h.who, h.all.percentile(50), h.all.percentile(99))
		b.report.beside("home of "+h.who+", p50", "ms", h.all.percentile(50), "", 0)
		b.report.atMost("home of "+h.who+", p99", "ms", h.all.percentile(99), homeTime)
	}
	return nil
}

// writeSales gives the clients that are onboarded all sales, and returns the client with the most.
func (b *bench) writeSales(ctx context.Context, clients []string) (string, error) {
	var sellers []string
	for i, id := range clients {
		if (i+1)%5 != 0 {
			sellers = append(sellers, id)
		}
	}
	merchant, others := sellers[0], sellers[1:]
	partner, filled := b.organizationID, b.filled
	most := max(salesOfOthers, b.Rows-len(others)*salesOfOthers)
	b.organizationID, b.filled = merchant, 0
	err := b.fill(ctx, most)
	b.organizationID, b.filled = partner, filled
	if err != nil {
		return "", err
	}
	began := time.Now()
	for some := range slices.Chunk(others, 500) {
		err := pgx.BeginFunc(ctx, b.db, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SET LOCAL session_replication_role = replica"); err != nil {
				return err
			}
			for _, sql := range homeFills {
				if _, err := tx.Exec(ctx, sql, merchant, some, most/salesOfOthers, salesOfOthers); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	b.say("  sales of the other clients written in %.0f s", time.Since(began).Seconds())
	return merchant, b.rolledUp(ctx)
}

// readHome returns the time until the whole home was read.
func (b *bench) readHome(ctx context.Context, visitor *http.Client) (time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.baseURL+"/", http.NoBody)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	answer, err := visitor.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("home: %s", answer.Status)
	}
	return time.Since(began), err
}
