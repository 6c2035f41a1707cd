package faults_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// outageVariable says how long an outage lasts, such as 10m.
const outageVariable, defaultOutage = "LEVY_FAULTS_OUTAGE", 5 * time.Second

// Temporal is down for long while sellers continue: nobody is refused, and the backlog is processed while they continue.
func TestALongOutageOfTemporal(t *testing.T) {
	t.Parallel()
	testOutage(t, func(o *outage) func() {
		o.bed.KillTemporal()
		return func() { o.bed.StartTemporal(context.Background()) }
	})
}

// All workers are down for long while Temporal accepts whatever is started.
func TestALongOutageOfTheWorkers(t *testing.T) {
	t.Parallel()
	if os.Getenv(wideVariable) == "" {
		t.Skip("make chaos runs it: it is much like that of Temporal")
	}
	testOutage(t, func(o *outage) func() {
		for _, w := range o.workers {
			w.Kill()
		}
		return func() {
			for _, w := range o.workers {
				w.Launch()
			}
		}
	})
}

// outage is an installation of which a part is down for long.
type outage struct {
	t       *testing.T
	bed     *testbed.Bed
	ledger  *ledger
	load    *load
	workers []*testbed.Service
}

// testOutage runs sellers before, during and after an outage. During it a thousand sales arrive at once.
func testOutage(t *testing.T, begin func(*outage) (end func())) {
	t.Helper()
	length := defaultOutage
	if text := os.Getenv(outageVariable); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err, outageVariable)
	}
	bed := testbed.New(t, testbed.Options{Own: true})
	o := &outage{t: t, bed: bed, ledger: newLedger(bed), workers: []*testbed.Service{bed.Worker, bed.NewWorker()}}
	o.load = &load{
		bed: bed, apis: []*testbed.Service{bed.API, bed.NewAPI()}, ledger: o.ledger, seed: 1, posts: math.MaxInt,
		codes: map[string]int{}, pause: 500 * time.Millisecond,
	}
	for _, s := range append(o.workers, o.load.apis...) {
		s.Start()
	}
	sold := o.load.sellOnly()
	o.waitForSales(50)
	end := begin(o)
	o.bulk(1000)
	<-time.After(length)
	backlog := bed.Count("SELECT count(*) FROM outbox")
	bed.Exec("CREATE TABLE backlog AS SELECT organization_id, aggregate_id AS id, now() AS since FROM outbox " +
		"WHERE waits_for IS NULL")
	end()
	healed := time.Now()
	o.waitForSales(o.load.sent() + max(100, backlog/20))
	o.load.stop()
	<-sold
	o.waitForBacklog()
	drained := time.Since(healed)
	requireOnce(t, bed, o.ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
	t.Logf("an outage of %v: a backlog of %d, processed within %.1f s (%.0f a second) while others were sold; "+
		"at rest after %.1f s", length, backlog,
		drained.Seconds(), float64(backlog)/drained.Seconds(), time.Since(healed).Seconds())
	o.requireServed()
	o.logWaits()
	requireFewBatches(t, bed)
}

// waitForSales waits until the sellers have sent n sales.
func (o *outage) waitForSales(n int) {
	o.bed.Eventually(fmt.Sprintf("%d sales are sent", n),
		func(context.Context) (bool, error) { return o.load.sent() >= n, nil })
}

// waitForBacklog waits until the backlog is processed, as long as it gets smaller.
func (o *outage) waitForBacklog() {
	o.t.Helper()
	for left := math.MaxInt; left > 0; {
		before := left
		o.bed.Eventually("more of the backlog is processed", func(context.Context) (bool, error) {
			left = o.bed.Count("SELECT count(*) FROM outbox JOIN backlog p ON p.id = aggregate_id WHERE created_at < p.since")
			return left < before, fmt.Errorf("%d are left", left)
		})
	}
}

// bulk sends many sales at once that no client follows.
func (o *outage) bulk(n int) {
	o.t.Helper()
	const atOnce = 500
	for from := 0; from < n; from += atOnce {
		var rows []any
		for i := from; i < from+atOnce; i++ {
			rows = append(rows, testbed.Sale(fmt.Sprintf("BULK-%d", i), i))
		}
		answer := o.bed.Post("/v1/transactions/batch", map[string]any{"transactions": rows})
		require.Equal(o.t, http.StatusOK, answer.Status, "%.300s", answer.Body)
		require.Equal(o.t, atOnce, answer.Number("accepted"), "%.300s", answer.Body)
		for i := from; i < from+atOnce; i++ {
			o.ledger.add(fmt.Sprintf("BULK-%d", i), i, accepted)
		}
	}
}

// requireServed checks that every request of the sellers was served.
func (o *outage) requireServed() {
	o.t.Helper()
	require.Empty(o.t, strings.Join(o.load.wrong, "\n"), "answers that no client should get")
	for what, n := range o.load.codes {
		require.False(o.t, strings.HasPrefix(what, "5") ||
			strings.HasPrefix(what, "no answer"), "%d requests ended with %s", n, what)
	}
}

// logWaits logs which part of the remaining backlog was processed before the sales that were posted meanwhile: 1 would
// be all of it, as in a single queue.
func (o *outage) logWaits() {
	o.t.Helper()
	rows := o.bed.Rows(`
		WITH processed AS (
		  SELECT s.organization_id, s.transaction_id AS id, min(s.at) AS at FROM transaction_stages s
		   WHERE s.stage = 'PROCESSED' AND s.at > (SELECT min(since) FROM backlog) GROUP BY 1, 2),
		drained AS (SELECT d.at FROM backlog p JOIN processed d USING (organization_id, id)),
		live AS (
		  SELECT t.created_at AS since, d.at
		    FROM transactions t JOIN processed d ON d.organization_id = t.organization_id AND d.id = t.id
		   WHERE t.related_to IS NULL AND t.created_at > (SELECT min(since) FROM backlog)),
		waits AS (
		  SELECT at - since AS time, (SELECT count(*) FROM drained p WHERE p.at > l.since) AS remaining,
		         (SELECT count(*) FROM drained p WHERE p.at > l.since AND p.at < l.at)::float8 AS before
		    FROM live l)
		SELECT count(*) AS sold, percentile_cont(0.5) WITHIN GROUP (ORDER BY before / remaining) AS half_of_them,
		       max(time)::text AS longest
		  FROM waits WHERE remaining >= 500`)
	o.t.Logf("sold while at least 500 of the backlog were left, and the part of it that was processed first: %v", rows)
}
