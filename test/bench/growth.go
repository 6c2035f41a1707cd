package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"levy/client"
	"levy/store"
)

// growth is a table of the same figures at several sizes of one organization.
type growth struct {
	Sizes []int        `json:"sizes"`
	Rows  []*growthRow `json:"rows"`
}

type growthRow struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"` // by size
}

// put adds the value of the next size to a row.
func (g *growth) put(name string, value float64) {
	for _, row := range g.Rows {
		if row.Name == name {
			row.Values = append(row.Values, value)
			return
		}
	}
	g.Rows = append(g.Rows, &growthRow{Name: name, Values: []float64{value}})
}

func (g *growth) markdown() string {
	if g == nil {
		return ""
	}
	var s strings.Builder
	s.WriteString("\nThe same with more transactions:\n\n| figure |")
	for _, size := range g.Sizes {
		fmt.Fprintf(&s, " %d |", size)
	}
	fmt.Fprintf(&s, " last over first |\n|%s\n", strings.Repeat("---|", len(g.Sizes)+2))
	for _, row := range g.Rows {
		fmt.Fprintf(&s, "| %s |", row.Name)
		for _, value := range row.Values {
			fmt.Fprintf(&s, " %s |", number(value))
		}
		last := ""
		if first := row.Values[0]; len(row.Values) == len(g.Sizes) && first > 0 {
			last = number(row.Values[len(row.Values)-1] / first)
		}
		fmt.Fprintf(&s, " %s |\n", last)
	}
	return s.String()
}

// Rounds of a size: few, because there are several sizes.
const (
	growthRounds = 5
	growthIdle   = 20
)

// measureGrowth measures one organization again and again while it grows. It measures the cost of accepting and
// processing a sale, and the time of lists, nexus and the claim of a return. It also measures the memory of the
// service.
func (b *bench) measureGrowth(ctx context.Context) error {
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	s, err := b.openStore(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	b.report.Growth = &growth{Sizes: b.Growth}
	for _, rows := range b.Growth {
		b.say("Growth: claim of a return of %d transactions", rows)
		if err := b.growClaim(ctx, s, rows); err != nil {
			return fmt.Errorf("claim of %d transactions: %w", rows, err)
		}
	}
	back, err := b.moveToNewOrganization(ctx, "Growing")
	if err != nil {
		return err
	}
	defer back()
	for _, rows := range b.Growth {
		b.say("Growth: %d transactions", rows)
		if err := b.measureSize(ctx, rows); err != nil {
			return fmt.Errorf("%d transactions: %w", rows, err)
		}
	}
	return nil
}

// moveToNewOrganization has the steps that follow work with an organization of their
// own, until back is called.
func (b *bench) moveToNewOrganization(ctx context.Context, name string) (back func(), err error) {
	organization, key, sales, filled := b.organizationID, b.apiKey, b.sales, b.filled
	made, err := client.New(b.baseURL, key, organization).CreateOrganization(ctx, client.OrganizationCreate{Name: name})
	if err != nil {
		return nil, err
	}
	own, err := client.New(b.baseURL, key, made.ID).CreateAPIKey(ctx, client.APIKeyCreate{})
	if err != nil {
		return nil, err
	}
	b.organizationID, b.apiKey, b.filled = made.ID, own.APIKey, 0
	back = func() { b.organizationID, b.apiKey, b.sales, b.filled = organization, key, sales, filled }
	if err := b.createProducts(ctx); err != nil {
		back()
		return nil, err
	}
	return back, nil
}

func (b *bench) measureSize(ctx context.Context, rows int) error {
	for _, step := range []func() error{
		func() error { return b.fill(ctx, rows) },
		func() error { return b.ensure(ctx, false) },
		func() error { return b.growAccepted(ctx) },
		func() error { return b.growLists(ctx) },
		func() error { return b.growProcessed(ctx) },
		func() error { return b.growNexus(ctx) },
		b.growMemory,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// growAccepted posts while no worker runs.
func (b *bench) growAccepted(ctx context.Context) error {
	if err := b.settle(ctx); err != nil {
		return err
	}
	if _, _, err := b.sales.post(ctx, load{clients: b.Clients[0], during: warmUp}); err != nil {
		return err
	}
	before := b.cpuNow()
	all, took, err := b.sales.post(ctx, load{clients: b.Clients[0], during: time.Duration(b.Seconds) * time.Second})
	if err != nil {
		return err
	}
	used := b.cpuNow().since(before)
	b.report.Growth.put("accepted, 1/s", float64(len(all))/took.Seconds())
	b.report.Growth.put("accepted, p99 ms", all.percentile(99))
	b.report.Growth.put("CPU of API and PostgreSQL to accept a sale, ms",
		(used["api"]+used["postgres"])*1000/float64(len(all)))
	return nil
}

func (b *bench) growLists(ctx context.Context) error {
	if _, err := b.askForLists(ctx, listQueries, 1); err != nil { // caches
		return err
	}
	all, err := b.askForLists(ctx, listQueries, growthRounds)
	if err != nil {
		return err
	}
	b.report.Growth.put("lists, p50 ms", all.percentile(50))
	b.report.Growth.put("lists, p99 ms", all.percentile(99))
	return nil
}

// growProcessed lets the worker process what was accepted.
func (b *bench) growProcessed(ctx context.Context) error {
	var waiting int
	if err := b.db.QueryRow(ctx, "SELECT count(*) FROM outbox").Scan(&waiting); err != nil {
		return err
	}
	began := time.Now()
	before := b.cpuNow()
	if err := b.startWorker(ctx); err != nil {
		return err
	}
	if err := until(ctx, "all PROCESSED", 50*time.Millisecond, 15*time.Minute, b.processed); err != nil {
		return err
	}
	used := b.cpuNow().since(before)
	b.say("  %d processed in %.1f s", waiting, time.Since(began).Seconds())
	b.report.Growth.put("processed, from the start of the worker, 1/s", float64(waiting)/time.Since(began).Seconds())
	b.report.Growth.put("CPU of worker and PostgreSQL to process a sale, ms",
		(used["worker"]+used["postgres"])*1000/float64(waiting))
	return nil
}

func (b *bench) growNexus(ctx context.Context) error {
	if err := until(ctx, "nexus at rest", 100*time.Millisecond, 5*time.Minute, b.nexusAtRest); err != nil {
		return err
	}
	var fresh, reads latencies
	for range growthIdle {
		if _, _, err := b.sales.post(ctx, load{clients: 1, count: 1}); err != nil {
			return err
		}
		began := time.Now()
		if err := until(ctx, "counted by nexus", 2*time.Millisecond, time.Minute, b.nexusAtRest); err != nil {
			return err
		}
		fresh = append(fresh, time.Since(began))
		took, err := b.get(ctx, "/v1/nexus")
		if err != nil {
			return err
		}
		reads = append(reads, took)
	}
	b.report.Growth.put("accepted to counted by nexus when idle, p50 ms", fresh.percentile(50))
	b.report.Growth.put("GET /v1/nexus, p50 ms", reads.percentile(50))
	return nil
}

func (b *bench) growMemory() error {
	for _, part := range []struct {
		name string
		pid  int
	}{{"API", b.api.PID()}, {"worker", b.worker.PID()}} {
		resident, peak, err := memory(part.pid)
		if err != nil {
			return err
		}
		b.report.Growth.put("memory of the "+part.name+", MB", resident)
		b.report.Growth.put("memory of the "+part.name+", at most, MB", peak)
	}
	return nil
}

// growClaim claims the return of an organization that has so many sales in one month.
func (b *bench) growClaim(ctx context.Context, s *store.Store, rows int) error {
	f, err := b.newFiler(ctx, s, "Growing filer", rows)
	if err != nil {
		return err
	}
	plain, took, err := b.fileBesidePlain(ctx, s, f, rows)
	if err != nil {
		return err
	}
	b.report.Growth.put("claim of a return of all, s", took.claim)
	b.report.Growth.put("the same in plain SQL, s", plain)
	b.report.Growth.put("claim, microseconds for each sale", took.claim*1e6/float64(rows))
	return nil
}
