package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

// sold posts a sale of two lines, a widget for 100.00 and shipping for 10.00, that
// is processed: 9.77 of tax.
func (in *installation) sold(as credentials) (id string) {
	in.t.Helper()
	id = in.posted(as, "")
	in.processed(as, id)
	return id
}

func (in *installation) posted(as credentials, members string) (id string) {
	in.t.Helper()
	body := fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD","total_amount":"119.77","customer":{"external_id":"C-1"},%s
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118","country":"US"}],
		"transaction_items":[
		  {"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":4,"amount":"100.00","tax_amount_imported":"8.88"},
		  {"external_id":"L2","external_product_id":"SHIP","date":"2026-05-15T10:00:00Z","amount":"10.00","tax_amount_imported":"0.89"}]}`, in.next("ORDER"), members)
	a := in.call(as, "POST", "/v1/transactions", body, 202)
	var sales []struct{ ID string }
	a.decode(in.t, &sales)
	return sales[0].ID
}

// shop is a client with the products P-1 and SHIP.
func (in *installation) shop() credentials {
	in.t.Helper()
	client := in.client()
	in.call(client, "POST", "/v1/products", `{"external_id":"SHIP","name":"Shipping","product_category":"MISCELLANEOUS","product_subcategory":"SHIPPING"}`, 200)
	return client
}

func noteBody(externalID, status, total, lines string) string {
	return fmt.Sprintf(`{"external_id":%q,"date":"2026-06-01T10:00:00Z","status":%q,"total_amount":%q,"currency":"USD","transaction_items":[%s]}`,
		externalID, status, total, lines)
}

func noteLine(externalID, product, quantity, amount, tax string) string {
	return fmt.Sprintf(`{"external_id":%q,"external_product_id":%q,"quantity":%q,"amount":%q,"tax_amount_imported":%q}`, externalID, product, quantity, amount, tax)
}

type refundAnswer struct {
	ID               string
	Type             string
	Status           string
	Source           string
	ProcessingStatus string `json:"processing_status"`
	RelatedTo        string `json:"related_to"`
	RefundStatus     string `json:"refund_status"`
	Total            string `json:"total_amount"`
	Final            string `json:"final_total_amount"`
	Imported         string `json:"total_tax_amount_imported"`
	Tax              string `json:"total_tax_amount_calculated"`
	Taxable          string `json:"taxable_amount"`
	Liability        string `json:"total_tax_liability_amount"`
	State            string
	Revision         int
	Customer         struct {
		ExternalID string `json:"external_id"`
	}
	Addresses []struct {
		Street1 string `json:"street_1"`
	}
	Items []struct {
		Amount   string
		Tax      string `json:"tax_amount_calculated"`
		TaxItems []struct {
			Type, Amount     string
			JurisdictionName string `json:"jurisdiction_name"`
		} `json:"tax_items"`
	} `json:"transaction_items"`
}

func (in *installation) read(as credentials, id string) (r refundAnswer) {
	in.t.Helper()
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &r)
	return r
}

func (in *installation) credit(as credentials, original, body string) (r refundAnswer) {
	in.t.Helper()
	in.call(as, "POST", "/v1/transactions/"+original+"/credit_notes", body, 200).decode(in.t, &r)
	return r
}

func TestCreditNotesOfEveryKind(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for name, c := range map[string]struct {
		total, lines         string
		kind, tax, liability string
		taxable, refund      string
	}{
		"all of it":        {"-119.77", noteLine("L1", "P-1", "-4", "-100.00", "-8.88") + "," + noteLine("L2", "SHIP", "-1", "-10.00", "-0.89"), "FULL_CREDIT_NOTE", "-9.77", "-9.77", "-110.00", "FULLY_REFUNDED"},
		"positive amounts": {"119.77", noteLine("L1", "P-1", "4", "100.00", "8.88") + "," + noteLine("L2", "SHIP", "1", "10.00", "0.89"), "FULL_CREDIT_NOTE", "-9.77", "-9.77", "-110.00", "FULLY_REFUNDED"},
		"by quantity":      {"-54.44", noteLine("L1", "P-1", "-2", "-50.00", "-4.44"), "PARTIAL_CREDIT_NOTE", "-4.44", "-4.44", "-50.00", "PARTIALLY_REFUNDED"},
		"by amount":        {"-10.00", noteLine("x", "P-1", "0", "-10.00", "0"), "PARTIAL_CREDIT_NOTE", "-0.89", "0.00", "-10.00", "PARTIALLY_REFUNDED"},
		"tax alone":        {"-8.88", noteLine("L1", "P-1", "0", "0", "-8.88"), "PARTIAL_CREDIT_NOTE", "-8.88", "-8.88", "0.00", "PARTIALLY_REFUNDED"},
		"shipping alone":   {"-10.89", noteLine("L2", "SHIP", "-1", "-10.00", "-0.89"), "PARTIAL_CREDIT_NOTE", "-0.89", "-0.89", "-10.00", "PARTIALLY_REFUNDED"},
	} {
		original := in.sold(shop)
		note := in.credit(shop, original, noteBody(in.next("REFUND"), "COMMITTED", c.total, c.lines))
		require.Equal(t, []string{c.kind, "QUEUED", original, "C-1", "OTHER", "350 5th Ave"},
			[]string{note.Type, note.ProcessingStatus, note.RelatedTo, note.Customer.ExternalID, note.Source, note.Addresses[0].Street1}, name)
		require.Equal(t, c.refund, in.read(shop, original).RefundStatus, name)
		in.processed(shop, note.ID)
		note = in.read(shop, note.ID)
		require.Equal(t, []string{"PROCESSED", c.total, c.tax, c.liability, c.taxable, "NY"},
			[]string{note.ProcessingStatus, note.Total, note.Tax, note.Liability, note.Taxable, note.State}, name)
		require.True(t, strings.HasPrefix(note.Final, "-") || name == "tax alone", "%s: %s", name, note.Final)
	}
}

func TestRefundsBalanceEveryJurisdiction(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.sold(shop)
	var notes []string
	for _, part := range []string{"33.33", "33.33", "0.01", "33.33"} {
		note := in.credit(shop, original, noteBody(in.next("REFUND"), "COMMITTED", part, noteLine("L1", "P-1", "0", part, "0")))
		in.processed(shop, note.ID)
		notes = append(notes, note.ID)
	}
	sum := map[string]string{}
	for _, id := range append(notes, original) {
		for _, item := range in.read(shop, id).Items[0].TaxItems {
			if item.Type == "CALCULATED" {
				sum[item.JurisdictionName] = in.added(sum[item.JurisdictionName], item.Amount)
			}
		}
	}
	for name, left := range sum {
		require.Equal(t, "0.00", left, name)
	}
	require.Len(t, sum, 3)

	var e struct {
		Original struct {
			TransactionID  string `json:"transaction_id"`
			TaxDate        string `json:"tax_date"`
			ContentVersion string `json:"content_version"`
		}
		TaxDate string `json:"tax_date"`
		Steps   []struct{ Text string }
	}
	in.call(shop, "GET", "/v1/transactions/"+notes[3]+"/explanation", "", 200).decode(t, &e)
	require.Equal(t, []string{original, "2026-05-15", in.taxes.Current().Version(), "2026-06-01"},
		[]string{e.Original.TransactionID, e.Original.TaxDate, e.Original.ContentVersion, e.TaxDate})
	require.Contains(t, e.Steps[2].Text, "33.33 of 100.00, after 66.67 before it, at the original's tax of 8.875 uses the line up and takes the rest of its tax")

	// They lower what was sold, not how often.
	var amount, count string
	in.query(&amount, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	in.query(&count, "SELECT sum(n)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, []string{"10.00", "1"}, []string{amount, count})
}

// added adds an amount to a sum, by the database's decimals.
func (in *installation) added(sum, amount string) (result string) {
	in.t.Helper()
	in.query(&result, "SELECT (coalesce(nullif($1::text, ''), '0')::numeric + $2::text::numeric)::text", sum, amount)
	return result
}

func TestRefusedCreditNotes(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.call(shop, "POST", "/v1/products", `{"external_id":"OTHER","name":"Other","product_category":"PHYSICAL"}`, 200)
	original := in.sold(shop)
	pending, cancelled := in.posted(shop, `"status":"PENDING",`), in.posted(shop, `"status":"CANCELLED",`)
	first := in.credit(shop, original, noteBody("FIRST", "COMMITTED", "-19.77", noteLine("L1", "P-1", "0", "-19.77", "0")))
	line := noteLine("L1", "P-1", "-1", "-1.00", "0")
	for name, c := range map[string]struct {
		original, body string
		status         int
		code           string
		located        []string
		members        map[string]any
	}{
		"nothing":             {original, noteBody("X", "COMMITTED", "0", line), 400, "validation_failed", []string{"out_of_range body.total_amount"}, nil},
		"no lines":            {original, noteBody("X", "COMMITTED", "-1", ""), 400, "validation_failed", []string{"too_few body.transaction_items"}, nil},
		"a status of sales":   {original, noteBody("X", "INVALID", "-1", line), 400, "validation_failed", []string{"invalid_enum body.status"}, nil},
		"an unknown type":     {original, strings.Replace(noteBody("X", "COMMITTED", "-1", line), "{", `{"type":"NOTE",`, 1), 400, "validation_failed", []string{"invalid_enum body.type"}, nil},
		"an unknown original": {models.NewID("txn"), noteBody("X", "COMMITTED", "-1", noteLine("L1", "NONE", "0", "-1", "0")), 404, "resource_not_found", nil, nil},
		"unknown products":    {first.ID, noteBody("X", "COMMITTED", "-1", noteLine("L1", "NONE", "0", "-1", "0")), 404, "product_not_found", []string{"not_found body.transaction_items[0].external_product_id"}, nil},
		"a credit note":       {first.ID, noteBody("X", "COMMITTED", "-1", line), 409, "original_is_credit_note", nil, nil},
		"a pending sale":      {pending, noteBody("X", "COMMITTED", "-1", line), 409, "original_not_committed", nil, map[string]any{"current_status": "PENDING"}},
		"a cancelled sale":    {cancelled, noteBody("X", "COMMITTED", "-1", line), 409, "original_not_committed", nil, map[string]any{"current_status": "CANCELLED"}},
		"everything different": {original, strings.Replace(noteBody("FIRST", "COMMITTED", "-999", noteLine("L1", "OTHER", "0", "-1", "0")+","+noteLine("L1", "P-1", "-4.1", "-1", "0")), "USD", "EUR", 1), 400, "validation_failed",
			[]string{"currency_mismatch body.currency", "item_not_in_original body.transaction_items[0].external_product_id", "out_of_range body.transaction_items[1].quantity"}, nil},
		"too much, and its id is taken": {original, noteBody("FIRST", "COMMITTED", "-100.01", line), 409, "credit_exceeds_original", nil, map[string]any{"remaining_amount": "100.00", "currency": "USD"}},
		"an external id that is taken":  {original, noteBody("FIRST", "COMMITTED", "-1", line), 409, "duplicate_external_id", nil, map[string]any{"existing_id": first.ID}},
	} {
		a := in.call(shop, "POST", "/v1/transactions/"+c.original+"/credit_notes", c.body, c.status)
		p := a.problem(t)
		require.Equal(t, c.code, p.Code, "%s: %s", name, a.body)
		var located []string
		for _, e := range p.Errors {
			located = append(located, e.Code+" "+e.Location)
		}
		require.Equal(t, c.located, located, name)
		for member, value := range c.members {
			require.Equal(t, value, a.member(t, member), name)
		}
	}
	var notes int
	in.query(&notes, "SELECT count(*) FROM transactions WHERE related_to IS NOT NULL")
	require.Equal(t, 1, notes)
}

func TestCreditNotesReserveReleaseAndMove(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.sold(shop)
	body := func(externalID, status, amount string) string {
		return noteBody(externalID, status, amount, noteLine("L1", "P-1", "0", amount, "0"))
	}
	path := "/v1/transactions/" + original + "/credit_notes"
	reserved := in.credit(shop, original, body("A", "PENDING", "-100.00"))
	require.Empty(t, in.read(shop, original).RefundStatus, "PENDING notes refund nothing yet")
	require.Equal(t, "19.77", in.call(shop, "POST", path, body("B", "COMMITTED", "-20.00"), 409).member(t, "remaining_amount"), "but they reserve")
	in.credit(shop, original, body("C", "CANCELLED", "-119.77"))
	last := in.credit(shop, original, body("D", "COMMITTED", "-19.77"))
	in.processed(shop, last.ID)
	in.processed(shop, reserved.ID)
	require.Equal(t, "PENDING", in.read(shop, reserved.ID).ProcessingStatus)

	put := func(id, change string, status int) answer {
		return in.call(shop, "PUT", path+"/"+id, change, status)
	}
	require.Equal(t, "credit_exceeds_original", put(reserved.ID, `{"total_amount":"-100.01"}`, 409).problem(t).Code)
	require.Equal(t, "duplicate_external_id", put(reserved.ID, `{"external_id":"D"}`, 409).problem(t).Code)
	require.Equal(t, "currency_mismatch", put(reserved.ID, `{"currency":"EUR"}`, 400).problem(t).Errors[0].Code)
	require.Equal(t, "resource_not_found", in.call(shop, "PUT", "/v1/transactions/"+in.sold(shop)+"/credit_notes/"+last.ID, `{}`, 404).problem(t).Code, "of another original")
	require.Equal(t, "resource_not_found", put(original, `{}`, 404).problem(t).Code)

	a := put(reserved.ID, `{"status":"COMMITTED","description":"now"}`, 200)
	require.Equal(t, "UPDATED", a.text(t, "processing_status"))
	require.EqualValues(t, 2, a.member(t, "revision"))
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus, "two partial notes")
	in.processed(shop, reserved.ID)
	require.Equal(t, "-7.13", in.read(shop, reserved.ID).Tax, "what the other note left of the line")

	refused := put(reserved.ID, `{"status":"PENDING"}`, 409)
	require.Equal(t, []any{"COMMITTED", "PENDING", []any{"CANCELLED"}}, []any{refused.member(t, "from"), refused.member(t, "to"), refused.member(t, "allowed")})
	put(last.ID, `{"status":"CANCELLED"}`, 200)
	require.Equal(t, "PARTIALLY_REFUNDED", in.read(shop, original).RefundStatus)
	in.processed(shop, last.ID)
	require.Equal(t, "EXCLUDED_IN_CALCULATION", in.read(shop, last.ID).ProcessingStatus)
	put(reserved.ID, `{"status":"CANCELLED"}`, 200)
	require.Empty(t, in.read(shop, original).RefundStatus)
	var counted string
	in.query(&counted, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, "220.00", counted, "what cancelled notes took is counted again")

	var history struct{ Items []struct{ Stage string } }
	in.call(shop, "GET", "/v1/transactions/"+original+"/history", "", 200).decode(t, &history)
	stages := map[string]int{}
	for _, i := range history.Items {
		stages[i.Stage]++
	}
	require.Equal(t, []int{3, 3}, []int{stages["CREDIT_NOTE_ADDED"], stages["CREDIT_NOTE_CHANGED"]})
	for query, want := range map[string]int{
		"related_to=" + original: 3, "transaction_type=PARTIAL_CREDIT_NOTE": 2, "transaction_type=FULL_CREDIT_NOTE": 1, "search_query=D&transaction_type=PARTIAL_CREDIT_NOTE": 1,
	} {
		require.Len(t, in.items(shop, "/v1/transactions?"+query), want, query)
	}
	require.Equal(t, last.ID, in.call(shop, "GET", "/v1/transactions/external/D", "", 200).text(t, "id"))

	waiting := in.credit(shop, original, body("E", "PENDING", "-100.00"))
	in.call(shop, "POST", "/v1/transactions/archive", fmt.Sprintf(`{"transaction_ids":[%q,%q]}`, last.ID, waiting.ID), 200)
	in.credit(shop, original, body("F", "COMMITTED", "-100.00")) // an archived one reserves nothing
	require.Equal(t, "transaction_locked", put(last.ID, `{"description":"x"}`, 409).problem(t).Code)
}

func TestRefundsAsTransactions(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.sold(shop)
	post := func(kind, relatedTo, total, tax string, status int) answer {
		return in.call(shop, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":%q,"related_to":%q,"date":"2026-06-01T10:00:00Z","currency":"USD","total_amount":%q,
			"customer":{"external_id":"SOMEBODY"},"addresses":[],"transaction_items":[{"external_id":"L1","external_product_id":"P-1","date":"2026-06-01T10:00:00Z","quantity":0,"amount":0,"tax_amount_imported":%q}]}`,
			in.next("REFUND"), kind, relatedTo, total, tax), status)
	}
	var made []refundAnswer
	post("TAX_REFUND", original, "-5.00", "-5.00", 202).decode(t, &made)
	require.Equal(t, []string{"TAX_REFUND", original, "C-1"}, []string{made[0].Type, made[0].RelatedTo, made[0].Customer.ExternalID})
	in.processed(shop, made[0].ID)
	require.Equal(t, "-5.00", in.read(shop, made[0].ID).Tax)
	require.Equal(t, "4.77", post("TAX_REFUND", original, "-4.78", "-4.00", 409).member(t, "remaining_amount"), "of the tax")
	require.Equal(t, "3.88", post("TAX_REFUND", original, "-4.00", "-4.00", 409).member(t, "remaining_amount"), "of the line")
	post("TAX_REFUND", original, "-3.88", "-3.88", 202)
	post("FULL_CREDIT_NOTE", original, "-0.01", "0", 202).decode(t, &made)
	require.Equal(t, "PARTIAL_CREDIT_NOTE", made[0].Type, "the amounts decide")
	require.Equal(t, "reference_not_found", post("TAX_REFUND", models.NewID("txn"), "-1", "-1", 404).problem(t).Code)
	require.Equal(t, "out_of_range", post("TAX_REFUND", original, "0", "-1", 400).problem(t).Errors[0].Code)
	var counted string
	in.query(&counted, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, "110.00", counted, "refunds of tax are no sales")
}

func TestACreditNoteWaitsForItsOriginal(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.posted(shop, "")
	note := in.credit(shop, original, noteBody("R", "COMMITTED", "-10.00", noteLine("L1", "P-1", "0", "-10.00", "0")))
	due := func() (n int) {
		in.query(&n, "SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND next_attempt_at <= now() + interval '10 seconds'", note.ID)
		return n
	}
	require.Zero(t, due(), "nobody asks for it")
	in.processed(shop, note.ID) // and whoever does it anyway changes nothing
	require.Equal(t, "QUEUED", in.read(shop, note.ID).ProcessingStatus)
	require.Zero(t, due())
	in.processed(shop, original)
	require.Equal(t, 1, due(), "with its original processed it is due")
	in.processed(shop, note.ID)
	require.Equal(t, "-0.89", in.read(shop, note.ID).Tax)

	// The same with a batch of both, and with an original that is processed anew.
	other := in.posted(shop, "")
	note = in.credit(shop, other, noteBody("S", "COMMITTED", "-10.00", noteLine("L1", "P-1", "0", "-10.00", "0")))
	in.processed(shop, other, note.ID)
	require.Equal(t, []string{"PROCESSED", "QUEUED"}, []string{in.read(shop, other).ProcessingStatus, in.read(shop, note.ID).ProcessingStatus})
	require.Equal(t, 1, due())
	in.processed(shop, note.ID)
	require.Equal(t, "PROCESSED", in.read(shop, note.ID).ProcessingStatus)
}

// Many clients credit, change and cancel at once: the notes never take more than
// the sale, the totals say what the notes say, and the status follows.
func TestCreditNotesRacing(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.sold(shop)
	path := "/v1/transactions/" + original + "/credit_notes"
	var accepted, refused sync.Map
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			amount := "-9.99"
			if i == 0 {
				amount = "-119.77"
			}
			externalID := fmt.Sprintf("R-%d", i)
			_, a := in.do(request{as: shop, method: "POST", target: path, body: noteBody(externalID, []string{"COMMITTED", "PENDING"}[i%2], amount, noteLine("L1", "P-1", "0", amount, "0"))})
			if a.status != 200 {
				refused.Store(i, string(a.body))
				return
			}
			var note refundAnswer
			if json.Unmarshal(a.body, &note) != nil {
				return
			}
			accepted.Store(note.ID, true)
			for _, change := range []string{`{"total_amount":"-19.98"}`, `{"status":"CANCELLED"}`, `{"total_amount":"-1.00"}`} {
				if i%3 == 0 || change != `{"status":"CANCELLED"}` {
					in.do(request{as: shop, method: "PUT", target: path + "/" + note.ID, body: change})
				}
			}
		})
	}
	wg.Wait()
	refused.Range(func(_, body any) bool {
		require.Contains(t, body, "credit_exceeds_original")
		return true
	})
	var sums []string
	in.query(&sums, `SELECT ARRAY[c.reserved, c.committed, coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'PENDING'), 0.00),
		coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'COMMITTED'), 0.00), c.creditable - c.reserved - c.committed]::text[]
		FROM credit_totals c JOIN transactions n ON n.organization_id = c.organization_id AND n.related_to = c.transaction_id
		WHERE c.transaction_id = $1 GROUP BY c.reserved, c.committed, c.creditable`, original)
	require.Equal(t, sums[2:4], sums[:2], "the totals are the sums of the notes")
	require.False(t, strings.HasPrefix(sums[4], "-"), "%v", sums)
	want := "PARTIALLY_REFUNDED"
	if sums[1] == "0.00" {
		want = ""
	}
	require.Equal(t, want, in.read(shop, original).RefundStatus)

	// All calculations at once, one batch each, as different workers would.
	wg = sync.WaitGroup{}
	accepted.Range(func(id, _ any) bool {
		wg.Go(func() { in.processed(shop, id.(string)) })
		return true
	})
	wg.Wait()
	var over int
	in.query(&over, `SELECT count(*) FROM transaction_items o JOIN (
		  SELECT n.related_to, i.original_line_no, sum(i.tax_amount_calculated) AS tax FROM transactions n JOIN transaction_items i ON i.transaction_id = n.id
		   WHERE n.status = 'COMMITTED' AND n.related_to = $1 GROUP BY 1, 2) r ON r.related_to = o.transaction_id AND r.original_line_no = o.line_no
		WHERE o.tax_amount_calculated + r.tax < 0`, original)
	require.Zero(t, over)
}

// Of many notes at the same moment exactly those are accepted that fit.
func TestCreditNotesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for range 5 {
		original := in.sold(shop)
		var accepted atomic.Int32
		at := make(chan struct{})
		var wg sync.WaitGroup
		for i := range 12 {
			body := noteBody(in.next("R"), []string{"COMMITTED", "PENDING"}[i%2], "-50.00", noteLine("L1", "P-1", "0", "-50.00", "0"))
			wg.Go(func() {
				<-at
				if _, a := in.do(request{as: shop, method: "POST", target: "/v1/transactions/" + original + "/credit_notes", body: body}); a.status == 200 {
					accepted.Add(1)
				}
			})
		}
		close(at)
		wg.Wait()
		require.EqualValues(t, 2, accepted.Load())
	}
}

// Calculations of notes of one line at the same moment, as different workers make
// them, never give back more tax than the line bore, and all of it.
func TestRefundsCalculatedAtTheSameMoment(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for range 5 {
		original := in.sold(shop)
		at := make(chan struct{})
		var wg sync.WaitGroup
		for range 6 {
			note := in.credit(shop, original, noteBody(in.next("R"), "COMMITTED", "-6.00", noteLine("L1", "P-1", "0", "0", "-6.00")))
			work := activities.StageInput{Refs: []models.Ref{{OrganizationID: shop.organization, ID: note.ID, Epoch: 1}}}
			in.through(work, allStages-1)
			wg.Go(func() {
				<-at
				in.through(work, allStages)
			})
		}
		close(at)
		wg.Wait()
		var tax string
		in.query(&tax, "SELECT sum(total_tax_amount_calculated)::text FROM transactions WHERE related_to = $1 AND processing_status = 'PROCESSED'", original)
		require.Equal(t, "-8.88", tax)
	}
}
