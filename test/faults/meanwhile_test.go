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

// betweenLooks is how long it is from one comparison of a run that goes on to the next.
const betweenLooks = 30 * time.Second

// compareMeanwhile holds what was accepted since the last look against what is there, in the midst of the faults, and
// keeps a line of it: a run that is cut off says what it had found until then. PostgreSQL may be away: then the next
// look does it.
func (r *faultRun) compareMeanwhile() (stop func()) {
	if os.Getenv(wideVariable) == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var looking sync.WaitGroup
	looking.Go(func() {
		for from := 0; ; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(betweenLooks):
			}
			analyze(ctx, r.bed)
			entries := r.book.since(from)
			there, wrong, err := heldAgainst(ctx, r.bed, entries)
			if err == nil {
				from += len(entries)
				r.compared.Add(int64(there))
			}
			for _, w := range wrong {
				r.load.complain("%s", w)
			}
			if err := addSlice(r.path, r.line(true)); err != nil {
				r.load.complain("the run is not kept: %s", err)
			}
		}
	})
	stop = func() { cancel(); looking.Wait() }
	r.t.Cleanup(stop) // also of a run that failed before: its last line is that of its end
	return stop
}

// analyze does what autovacuum does otherwise: it looks at tables a minute after PostgreSQL was started, and one that
// is killed more often than that never has any statistics. When PostgreSQL is away, the next look does it.
func analyze(ctx context.Context, bed *testbed.Bed) {
	_, _ = bed.DB.Exec(ctx,
		`ANALYZE transactions, transaction_items, transaction_addresses, transaction_stages, transaction_explanations,
		transaction_totals, nexus_contributions, events, audit, outbox, customers`)
}

// heldAgainst reads the sales that clients know to be accepted, some thousand at a time, and holds each against what
// was sent: whether it is there, once, and of which amount.
func heldAgainst(ctx context.Context, bed *testbed.Bed, entries []entry) (there int, wrong []string, err error) {
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
// under way.
func isAmount(amount string, n int) bool {
	is, err := decimal.Parse(amount)
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]int{n, changed(n, 1), changed(n, 2)}, func(n int) bool {
		return is.Cmp(decimal.MustParse(testbed.SaleAmount(n))) == 0
	})
}

// answered is how many sales are read through the API in the end.
const answered = 200

// requireAnswered reads some of the sales through each API in turn, and holds what it answers against what was sent.
func (r *faultRun) requireAnswered() {
	r.t.Helper()
	sold := slices.DeleteFunc(r.book.since(0), func(e entry) bool { return e.Kind != kindSale || e.Outcome != accepted })
	require.NotEmpty(r.t, sold)
	for i := range min(answered, len(sold)) {
		e := sold[i*len(sold)/min(answered, len(sold))]
		as := testbed.Caller{APIKey: r.bed.APIKey, OrganizationID: r.bed.OrganizationID}
		answer, err := r.bed.SendAs(r.t.Context(), as, r.fate.apis[i%len(r.fate.apis)], http.MethodGet,
			"/v1/transactions/external/"+e.ID, nil, "")
		require.NoError(r.t, err)
		require.Equal(r.t, http.StatusOK, answer.Status, "%s: %s", e.ID, answer.Body)
		require.True(r.t, isAmount(answer.Amount("total_amount"), e.N), "%s of %s: %s", e.ID, testbed.SaleAmount(e.N),
			answer.Body)
		require.Contains(r.t, []string{"PROCESSED", "ARCHIVED", "FILING_STARTED", "FILING_DONE", "LOCKED"},
			answer.Field("processing_status"), e.ID)
	}
}
