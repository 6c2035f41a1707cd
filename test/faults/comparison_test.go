package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// comparisonInterval is the time between two comparisons during a run.
const comparisonInterval = 30 * time.Second

// compareContinuously reads back what was accepted since the last comparison and compares it with what was sent, while
// faults go on. It writes a line each time, so that an interrupted run says what it had found. When PostgreSQL is down,
// the next comparison includes it.
func (r *faultRun) compareContinuously() (stop func()) {
	if os.Getenv(wideVariable) == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var comparing sync.WaitGroup
	comparing.Go(func() {
		for from := 0; ; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(comparisonInterval):
			}
			analyze(ctx, r.bed)
			entries := r.ledger.since(from)
			there, wrong, err := compareWithSent(ctx, r.bed, entries)
			if err == nil {
				from += len(entries)
				r.compared.Add(int64(there))
			}
			for _, w := range wrong {
				r.load.addFinding("%s", w)
			}
			if err := addSlice(r.path, r.line(true)); err != nil {
				r.load.addFinding("the run is not kept: %s", err)
			}
		}
	})
	stop = func() { cancel(); comparing.Wait() }
	r.t.Cleanup(stop) // also when the run has failed: the last line must be that of its end
	return stop
}

// analyze replaces autovacuum, which starts a minute after PostgreSQL: a PostgreSQL that is killed more often than that
// never has statistics. When PostgreSQL is down, the next comparison does it.
func analyze(ctx context.Context, bed *testbed.Bed) {
	_, _ = bed.DB.Exec(ctx,
		`ANALYZE transactions, transaction_items, transaction_addresses, transaction_stages, transaction_explanations,
		transaction_totals, nexus_contributions, events, audit, outbox, customers`)
}

// compareWithSent reads the sales that clients know to be accepted, some thousand at a time, and compares each with what
// was sent: it must exist once, with the same amount.
func compareWithSent(ctx context.Context, bed *testbed.Bed, entries []entry) (there int, wrong []string, err error) {
	const atOnce = 5000
	for some := range slices.Chunk(entries, atOnce) {
		sold := map[string]int{}
		for _, e := range some {
			if e.Kind == kindSale && e.Outcome == accepted {
				sold[e.ID] = e.N
			}
		}
		found, faults, err := compareSome(ctx, bed, sold)
		if err != nil {
			return 0, nil, err
		}
		there, wrong = there+found, append(wrong, faults...)
	}
	return there, wrong, nil
}

func compareSome(ctx context.Context, bed *testbed.Bed, sold map[string]int) (there int, wrong []string, err error) {
	var ids []string
	for id := range sold {
		ids = append(ids, id)
	}
	rows, err := bed.DB.Query(ctx, `
		SELECT u.id, count(DISTINCT t.id), coalesce(min(t.total_amount)::text, ''), coalesce(sum(i.amount)::text, '')
		  FROM unnest($2::text[]) u(id)
		  LEFT JOIN transactions t ON t.organization_id = $1 AND t.external_id = u.id
		  LEFT JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 GROUP BY 1`, bed.OrganizationID, ids)
	if err != nil {
		return 0, nil, err
	}
	var id, total, lines string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&id, &n, &total, &lines}, func() error {
		if n != 1 || !isAmount(total, sold[id]) || !isAmount(lines, sold[id]) {
			wrong = append(wrong, fmt.Sprintf("sale %s of %s is there %d times, of %s, its lines of %s", id,
				testbed.SaleAmount(sold[id]), n, total, lines))
			return nil
		}
		there++
		return nil
	})
	return there, wrong, err
}

// isAmount reports whether an amount is that of sale n, to the cent, or of one of its changes, of which the last may be
// in progress.
func isAmount(amount string, n int) bool {
	is, err := decimal.Parse(amount)
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]int{n, changed(n, 1), changed(n, 2)}, func(n int) bool {
		return is.Cmp(decimal.MustParse(testbed.SaleAmount(n))) == 0
	})
}

// answered is how many sales are read through the API at the end.
const readInTheEnd = 200

// requireReadable reads some of the sales through each API in turn, and compares the answers with what was sent.
func (r *faultRun) requireReadable() {
	r.t.Helper()
	sold := slices.DeleteFunc(r.ledger.since(0), func(e entry) bool { return e.Kind != kindSale || e.Outcome != accepted })
	require.NotEmpty(r.t, sold)
	for i := range min(readInTheEnd, len(sold)) {
		e := sold[i*len(sold)/min(readInTheEnd, len(sold))]
		as := testbed.Caller{APIKey: r.bed.APIKey, OrganizationID: r.bed.OrganizationID}
		answer, err := r.bed.SendAs(r.t.Context(), as, r.nemesis.apis[i%len(r.nemesis.apis)], http.MethodGet,
			"/v1/transactions/external/"+e.ID, nil, "")
		require.NoError(r.t, err)
		require.Equal(r.t, http.StatusOK, answer.Status, "%s: %s", e.ID, answer.Body)
		require.True(r.t, isAmount(answer.Amount("total_amount"), e.N), "%s of %s: %s", e.ID, testbed.SaleAmount(e.N),
			answer.Body)
		require.Contains(r.t, []string{"PROCESSED", "ARCHIVED", "FILING_STARTED", "FILING_DONE", "LOCKED"},
			answer.Field("processing_status"), e.ID)
	}
}
