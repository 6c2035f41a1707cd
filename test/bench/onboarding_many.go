package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/workflowservice/v1"

	"levy/models"
)

// callsAmongMany is how often each call is measured among many onboardings.
const callsAmongMany = 200

// measureAmongMany measures calls next to one onboarding in progress and next to many, and the cost of the many. They
// are written into the database as copies of one, due to be checked. The sweepers start their workflows, as after the
// loss of Temporal's data.
func (b *bench) measureAmongMany(ctx context.Context) error {
	p := b.newOnboardings()
	one, err := p.onboard(ctx, 3)
	if err != nil {
		return err
	}
	first := "/v1/organizations?size=50&order_by=-created_at"
	few, err := p.measureCall(ctx, first)
	if err != nil {
		return err
	}
	fewOwn, err := p.measureCall(ctx, "/v1/onboarding/"+one)
	if err != nil {
		return err
	}
	before, err := b.footprint()
	if err != nil {
		return err
	}
	b.say("%d onboardings in progress", b.Onboardings)
	ids := make([]string, b.Onboardings)
	for i := range ids {
		ids[i] = models.NewID(models.PrefixOrganization)
	}
	if err := b.copyClient(ctx, one, ids); err != nil {
		return err
	}
	took, err := b.waitRunning(ctx, len(ids))
	if err != nil {
		return err
	}
	b.report.beside(fmt.Sprintf("starts of %d lost runs by the sweepers", len(ids)), "1/s",
		float64(len(ids))/took.Seconds(), "", 0)
	after, err := b.footprint()
	if err != nil {
		return err
	}
	for _, part := range []string{"api", "worker", "temporal", "temporal.db"} {
		b.report.beside(fmt.Sprintf("memory, %d in progress: %s", len(ids), part), "MB", after[part], "before", before[part])
	}
	deep := fmt.Sprintf("%s&page=%d", first, 1+len(ids)/50)
	among := fmt.Sprintf(" of %d", len(ids))
	for name, path := range map[string]string{"list of clients, first page" + among: first,
		"list of clients, last page" + among: deep} {
		l, err := p.measureCall(ctx, path)
		if err != nil {
			return err
		}
		b.report.beside(name+", p99", "ms", l.percentile(99), "first page before", few.percentile(99))
	}
	own, err := p.measureCall(ctx, "/v1/onboarding/"+ids[len(ids)/2])
	if err != nil {
		return err
	}
	b.report.beside("GET /v1/onboarding/{id}"+among+", p99", "ms", own.percentile(99), "before", fewOwn.percentile(99))
	return b.measureStepsAmongMany(ctx, ids)
}

// measureCall reads a path again and again.
func (p *onboardings) measureCall(ctx context.Context, path string) (latencies, error) {
	p.took = nil
	for range callsAmongMany {
		if err := p.call(ctx, p.apiKey, p.organizationID, http.MethodGet, path, "", nil); err != nil {
			return nil, err
		}
	}
	return p.took, nil
}

// measureStepsAmongMany does a step of some of the many, whose runs rest.
func (b *bench) measureStepsAmongMany(ctx context.Context, ids []string) error {
	p := b.newOnboardings()
	before, began := b.cpuNow(), time.Now()
	for i := range callsAmongMany {
		if _, err := p.newKey(ctx, ids[i*len(ids)/callsAmongMany]); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("step of one of %d", len(ids))
	measured := newPhase(1, p.took, time.Since(began), b.cpuNow().since(before))
	measured.count(callsAmongMany)
	b.say("  %s", b.report.add(name, measured))
	b.report.beside(name+", p50", "ms", p.took.percentile(50), "bare update", b.report.bareIdle.percentile(50))
	b.report.beside(name+", p99", "ms", p.took.percentile(99), "bare update", b.report.bareIdle.percentile(99))
	return nil
}

// copyClient writes copies of a client that are due to be checked.
func (b *bench) copyClient(ctx context.Context, one string, ids []string) error {
	copies := []struct{ table, key, change string }{
		{"organizations", "id", `'id', c.id, 'external_id', c.id, 'name', c.id, 'name_key', c.id, 'created_at', ` +
			`t.created_at - c.n * interval '1 ms'`},
		{"organization_settings", "organization_id", `'organization_id', c.id`},
		{"organization_details", "organization_id", `'organization_id', c.id, 'id', 'odet_' || substr(c.id, 5)`},
		{"onboardings", "organization_id", `'organization_id', c.id, 'next_check_at', now()`},
		{"onboarding_steps", "organization_id", `'organization_id', c.id`},
	}
	return pgx.BeginFunc(ctx, b.db, func(tx pgx.Tx) error {
		for _, c := range copies {
			_, err := tx.Exec(ctx, fmt.Sprintf(`
				INSERT INTO %s SELECT (jsonb_populate_record(t, jsonb_build_object(%s))).*
				  FROM %s t, unnest($2::text[]) WITH ORDINALITY AS c (id, n)
				 WHERE t.%s = $1`, c.table, c.change, c.table, c.key), one, ids)
			if err != nil {
				return fmt.Errorf("copy %s: %w", c.table, err)
			}
		}
		return nil
	})
}

// waitRunning waits until the runs of the copies exist and returns how long it took.
func (b *bench) waitRunning(ctx context.Context, count int) (time.Duration, error) {
	client, err := b.temporalClient()
	if err != nil {
		return 0, err
	}
	defer client.Close()
	began := time.Now()
	err = until(ctx, "runs of all", time.Second, 30*time.Minute, func(ctx context.Context) (bool, error) {
		running, err := client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
			Query: "WorkflowType = 'Onboarding' AND ExecutionStatus = 'Running'",
		})
		return running.GetCount() >= int64(count), err
	})
	return time.Since(began), err
}

// footprint is what each part holds in MB.
func (b *bench) footprint() (map[string]float64, error) {
	held := map[string]float64{}
	for name, pid := range map[string]int{"api": b.api.PID(), "worker": b.worker.PID(), "temporal": b.temporal.PID()} {
		resident, _, err := memory(pid)
		if err != nil {
			return nil, err
		}
		held[name] = resident
	}
	info, err := os.Stat(filepath.Join(b.dir, "temporal", "temporal.db"))
	if err != nil {
		return nil, err
	}
	held["temporal.db"] = float64(info.Size()) / (1 << 20)
	return held, nil
}
