package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// batchBody returns the body of a batch of these rows.
func batchBody(rows ...string) string { return `{"transactions":[` + strings.Join(rows, ",") + `]}` }

func TestBatchOverHTTP(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	original := record(t, in, in.root, sale("ORIGINAL", `,"total_amount":"100.00","status":"COMMITTED"`))
	note := noteOf(original.text("id"), "NOTE", "10.00")
	tooMuch := noteOf(original.text("id"), "NOTE-2", "295.00")
	unknown := strings.Replace(sale("ORDER-2", ""), "P-1", "P-9", 1)
	body := batchBody(
		sale("ORDER-1", ""), unknown, sale("ORDER-1", `,"description":"second"`), note, tooMuch,
		sale("ORDER-2", ""), sale("ORIGINAL", ""),
	)

	check := func(a answer) []any {
		require.InDelta(t, 3, a.member("accepted"), 0)
		require.InDelta(t, 4, a.member("rejected"), 0)
		require.Equal(t, []any{
			"ACCEPTED", "REJECTED", "REJECTED", "ACCEPTED", "REJECTED", "ACCEPTED", "REJECTED",
		}, a.list("verdict"))
		return a.list("problem")
	}
	first := in.do(in.root, "POST", "/v1/transactions/batch", body, header("Idempotency-Key", "k")).expect(200)
	problems := check(first)
	code := func(i int) any { return problems[i].(map[string]any)["code"] }
	require.Equal(t, []any{
		"product_not_found", "duplicate_external_id", "credit_exceeds_original", "duplicate_external_id",
	}, []any{code(1), code(2), code(4), code(6)})
	require.Equal(t, first.list("transaction_id")[0], problems[2].(map[string]any)["existing_id"], "the first wins")

	again := in.do(in.root, "POST", "/v1/transactions/batch", body, header("Idempotency-Key", "k")).expect(200)
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))

	stored := in.do(in.root, "GET", "/v1/transactions?order_by=external_id", "").expect(200)
	require.Equal(t, []any{"NOTE", "ORDER-1", "ORDER-2", "ORIGINAL"}, stored.list("external_id"))
	require.Equal(t, []any{"NEW", "NEW", "NEW", "QUEUED"}, stored.list("processing_status"))
	for _, item := range stored.member("items").([]any)[:3] {
		require.Equal(t, first.text("batch_id"), item.(map[string]any)["batch_id"])
	}
}

// noteOf is a row of a batch that gives back an amount before tax.
func noteOf(original, externalID, amount string) string {
	row := sale(externalID, `,"total_amount":"-`+amount+`","related_to":"`+original+`"`)
	return strings.NewReplacer("SALE", "PARTIAL_CREDIT_NOTE", `"amount":"100.00"`, `"amount":"`+amount+`"`).Replace(row)
}

func TestABatchOfManyChunks(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	rows := make([]string, 1000)
	for i := range rows {
		rows[i] = sale(fmt.Sprint("ORDER-", i%700), "")
	}
	a := in.do(in.root, "POST", "/v1/transactions/batch", batchBody(rows...)).expect(200)
	require.InDelta(t, 700, a.member("accepted"), 0, "also of equal ones in different chunks the first wins")
	for i, result := range a.list("verdict") {
		require.Equal(t, i < 700, result == "ACCEPTED", i)
	}
	require.InDelta(t, 700, in.do(in.root, "GET", "/v1/transactions?size=1", "").expect(200).member("total"), 0)
}

// Two batches with the same ids in another order, each one database transaction, wait for each other instead
// of deadlocking. This also holds if they are written in several steps because they refund sales.
func TestBatchesWithKeysInAnotherOrderDoNotDeadlock(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	original := record(t, in, in.root, sale("ORIGINAL", `,"total_amount":"100000.00","status":"COMMITTED"`)).text("id")
	const rounds, rows = 4, 40
	for round := range rounds {
		var ids []string
		for i := range rows {
			ids = append(ids, fmt.Sprintf("%d-%02d", round, i))
		}
		body := func(ids []string, name string) string {
			var all []string
			for i, id := range ids {
				all = append(
					all,
					strings.Replace(
						sale("ORDER-"+id, ""), `"customer":{"external_id":"C-1"`,
						`"customer":{"external_id":"C-`+id+`"`, 1,
					),
				)
				if round%2 == 0 && i%8 == 7 {
					all = append(
						all,
						noteOf(original, name+"-"+id, "1.00"),
					)
				}
			}
			return batchBody(all...)
		}
		backwards := slices.Clone(ids)
		slices.Reverse(backwards)
		accepted := make([]float64, 2)
		var both sync.WaitGroup
		for i, batch := range []string{body(ids, "NOTE"), body(backwards, "ETON")} {
			both.Go(func() {
				a := in.do(
					in.root, "POST", "/v1/transactions/batch", batch,
					header("Idempotency-Key", fmt.Sprintf("%d-%d", round, i)),
				).expect(200)
				accepted[i] = a.member("accepted").(float64)
			})
		}
		both.Wait()
		notes := 0.0
		if round%2 == 0 {
			notes = 2 * rows / 8
		}
		require.InDelta(t, rows+notes, accepted[0]+accepted[1], 0)
	}
}
