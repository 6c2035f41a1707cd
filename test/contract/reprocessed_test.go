package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// amounts are what a transaction owes and why.
func (in *installation) amounts(as credentials, id string) (processing, tax, liability, source string) {
	in.t.Helper()
	var got struct {
		Processing string `json:"processing_status"`
		Tax        string `json:"total_tax_amount_calculated"`
		Liability  string `json:"total_tax_liability_amount"`
		Source     string `json:"tax_liability_source"`
	}
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &got)
	return got.Processing, got.Tax, got.Liability, got.Source
}

// put sends the sale of posted with other members.
func (in *installation) put(as credentials, id, members string, status int) answer {
	in.t.Helper()
	return in.call(as, "PUT", "/v1/transactions/"+id,
		fmt.Sprintf(`{"external_id":%q,"date":"2026-05-15T10:00:00Z","total_amount":"119.77",
			"customer":{"external_id":"C-1"},%s
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"}],
		"transaction_items":[
		  {"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":4,"amount":"100.00",
		  	"tax_amount_imported":"8.88"},
		  {"external_id":"L2","external_product_id":"SHIP","date":"2026-05-15T10:00:00Z","amount":"10.00",
		  	"tax_amount_imported":"0.89"}]}`, in.next("ORDER"), members), status)
}

// A refund mirrors its sale. When the sale comes out differently, so does the refund,
// once, and a sale that is calculated for the first time queues nothing again.
func TestRefundsFollowASaleThatIsCalculatedAgain(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	sale := in.sold(shop)
	note := in.credit(shop, sale,
		noteBody(in.next("NOTE"), "COMMITTED", "-54.44", noteLine("L1", "P-1", "2", "-50.00", "-4.44")))
	in.processed(shop, note.ID)
	_, tax, _, _ := in.amounts(shop, note.ID)
	require.Equal(t, "-4.44", tax)
	var epoch int
	in.query(&epoch, "SELECT epoch FROM transactions WHERE id = $1", note.ID)
	require.Equal(t, 1, epoch)

	in.put(shop, sale, `"exempt":"FULLY_EXEMPT",`, 200)
	processing, _, _, _ := in.amounts(shop, note.ID)
	require.Equal(t, "PROCESSED", processing, "until the sale is calculated the refund stands")
	in.processed(shop, sale)
	_, tax, _, _ = in.amounts(shop, sale)
	require.Equal(t, "0.00", tax)
	processing, _, _, _ = in.amounts(shop, note.ID)
	require.Equal(t, "QUEUED", processing)
	var pending int
	in.query(&pending, "SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND epoch = 2", note.ID)
	require.Equal(t, 1, pending)
	in.processed(shop, note.ID)
	processing, tax, _, _ = in.amounts(shop, note.ID)
	require.Equal(t, "PROCESSED", processing)
	require.Equal(t, "0.00", strings.TrimPrefix(tax, "-"))
}

// The transitions that an update may make, with the effect of each on the processing, through stages as a worker runs
// them.
func TestTransitionsOfTheStatusByUpdate(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for _, test := range []struct {
		from, to string
		rest     string // the final processing status; empty: the transition is refused
	}{
		{"COMMITTED", "CANCELLED", "EXCLUDED_IN_CALCULATION"}, {"COMMITTED", "INVALID", "EXCLUDED_IN_CALCULATION"},
		{"COMMITTED", "PENDING", ""}, {"COMMITTED", "FULLY_REFUNDED", ""},
		{"PENDING", "COMMITTED", "PROCESSED"}, {"PENDING", "CANCELLED", "EXCLUDED_IN_CALCULATION"},
		{"PENDING", "INVALID", "EXCLUDED_IN_CALCULATION"},
		{"PENDING", "PENDING", "PENDING"}, {"CANCELLED", "COMMITTED", "PROCESSED"}, {"CANCELLED", "PENDING", ""},
		{"CANCELLED", "INVALID", ""},
		{"INVALID", "COMMITTED", "PROCESSED"}, {"INVALID", "CANCELLED", ""},
		{"PARTIALLY_REFUNDED", "CANCELLED", "EXCLUDED_IN_CALCULATION"},
		{"FULLY_REFUNDED", "COMMITTED", "PROCESSED"}, {"FULLY_REFUNDED", "INVALID", ""},
		{"COMMITTED", "ARCHIVED", "ARCHIVED"}, {"PENDING", "ARCHIVED", "ARCHIVED"},
	} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			id := in.posted(shop, fmt.Sprintf(`"status":%q,`, test.from))
			in.processed(shop, id)
			counted := func() (n int) {
				in.query(&n, "SELECT count(*) FROM nexus_contributions WHERE transaction_id = $1", id)
				return n
			}
			before := counted()
			if test.rest == "" {
				refused := in.put(shop, id, fmt.Sprintf(`"status":%q,`, test.to), 409).problem(t)
				require.Equal(t, "invalid_status_transition", refused.Code)
				require.Equal(t, before, counted())
				return
			}
			in.put(shop, id, fmt.Sprintf(`"status":%q,`, test.to), 200)
			if test.rest != "ARCHIVED" {
				processing, _, _, _ := in.amounts(shop, id)
				require.Equal(t, "UPDATED", processing)
				in.processed(shop, id)
			}
			processing, tax, _, _ := in.amounts(shop, id)
			require.Equal(t, test.rest, processing)
			if test.rest == "PROCESSED" {
				require.Equal(t, "9.77", tax)
				require.Equal(t, 1, counted())
			} else {
				require.Zero(t, counted(), "sales that no longer count are removed from the counters")
			}
		})
	}
}

// A request puts a transaction back into the queue, once, unless it cannot be processed.
func TestATransactionIsPutBackIntoTheQueue(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	again := func(id string, status int) answer {
		return in.call(shop, "POST", "/v1/transactions/"+id+"/reprocess", "", status)
	}
	work := func(id string) (epoch, rows int) {
		in.query(&epoch, "SELECT epoch FROM transactions WHERE id = $1", id)
		in.query(&rows, `SELECT count(*)
			FROM outbox o
			JOIN transactions t ON t.id = o.aggregate_id AND t.epoch = o.epoch
			WHERE t.id = $1`, id)
		return epoch, rows
	}
	counted := func(id string) (n int) {
		in.query(&n, "SELECT count(*) FROM nexus_contributions WHERE transaction_id = $1 AND n = 1", id)
		return n
	}

	sale := in.sold(shop)
	_, before, _, _ := in.amounts(shop, sale)
	require.Equal(t, 1, counted(sale))
	for range 2 { // the second time it is in progress
		a := again(sale, 202)
		require.Equal(t, []any{"QUEUED", nil, sale}, fields(t, a.body, "processing_status", "processing_reason", "id"))
		epoch, rows := work(sale)
		require.Equal(t, []int{2, 1, 0}, []int{epoch, rows, counted(sale)})
	}
	in.processed(shop, sale)
	processing, after, _, _ := in.amounts(shop, sale)
	require.Equal(t, []any{"PROCESSED", before, 1}, []any{processing, after, counted(sale)})
	history := in.call(shop, "GET", "/v1/transactions/"+sale+"/history", "", 200)
	require.Equal(t, []any{"REPROCESS", "PROCESSED", "REPROCESS", "QUEUED", "ADDRESS_DONE"}, fields(t, history.body,
		"items.5.stage", "items.5.detail.processing_status", "items.6.stage", "items.6.detail.processing_status",
		"items.7.stage"))
	require.NotNil(t, fields(t, history.body, "items.5.request_id")[0])

	nowhere, held := in.taken(t, shop,
		saleWith(in.next("ORDER"), `{"type":"SHIP_TO","city":"Paris","postal_code":"75001"}`, `"amount":1`, ofAda))
	require.Equal(t, []any{"NEEDS_REFETCH", "The country of the destination is not certain."},
		fields(t, held, "processing_status", "processing_reason"))
	require.Equal(t, []any{"QUEUED", nil}, fields(t, again(nowhere, 202).body, "processing_status", "processing_reason"))
	var waiting int
	in.query(&waiting, "SELECT count(*) FROM transaction_refetches WHERE transaction_id = $1", nowhere)
	require.Zero(t, waiting)
	in.processed(shop, nowhere)
	require.Equal(t, "NEEDS_REFETCH",
		in.call(shop, "GET", "/v1/transactions/"+nowhere, "", 200).text(t, "processing_status"))

	in.call(shop, "POST", "/v1/transactions/archive", `{"transaction_ids":["`+nowhere+`"]}`, 200)
	require.Equal(t, "transaction_locked", again(nowhere, 409).problem(t).Code)
	for status, rests := range map[string]string{"PENDING": "PENDING", "CANCELLED": "EXCLUDED_IN_CALCULATION"} {
		id := in.posted(shop, `"status":"`+status+`",`)
		in.processed(shop, id)
		refused := again(id, 409)
		require.Equal(t, "invalid_status_transition", refused.problem(t).Code)
		require.Equal(t, rests, refused.text(t, "from"))
	}
	in.execute("SET session_replication_role = replica; UPDATE transactions SET processing_status = 'FILING_STARTED', " +
		"filing_id = 'file_1' WHERE id = '" + sale + "'")
	require.Equal(t, "file_1", again(sale, 409).text(t, "filing_id"))
}

// A transaction that fails repeatedly shows that to its merchant.
func TestATransactionThatFailsShowsTheReason(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	sale := in.posted(shop, "")
	ref := []models.Ref{{OrganizationID: shop.organization, ID: sale, Epoch: 1}}
	for range 2 {
		run := models.StageRun{WorkflowID: "transactions/1", RunID: "1", Attempt: 1}
		require.NoError(t, in.store.Transactions.MarkFailed(t.Context(), run, ref, "Calculate tax: panic"))
		require.NoError(t, in.store.Transactions.ShowFailed(t.Context(), ref))
	}
	reason := "Processing has failed 2 times, last at Calculate tax: panic. It is tried again by itself."
	require.Equal(t, []any{"QUEUED", reason},
		fields(t, in.call(shop, "GET", "/v1/transactions/"+sale, "", 200).body, "processing_status",
			"processing_reason"))
	history := in.call(shop, "GET", "/v1/transactions/"+sale+"/history", "", 200)
	require.Equal(t, []any{"FAILED", 2.0, "transactions/1", "Calculate tax: panic", 2.0},
		fields(t, history.body, "items.1.stage", "items.1.attempt", "items.1.workflow_id", "items.1.detail.code", "total"))
	in.call(shop, "POST", "/v1/transactions/"+sale+"/reprocess", "", 202)
	var due int
	in.query(&due, "SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND next_attempt_at <= now() AND epoch = 1", sale)
	require.Equal(t, 1, due)
	in.processed(shop, sale)
	require.Equal(t, []any{"PROCESSED", nil},
		fields(t, in.call(shop, "GET", "/v1/transactions/"+sale, "", 200).body, "processing_status",
			"processing_reason"))
}
