package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

func TestCreditNotesOfEveryKind(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for name, c := range map[string]struct {
		total, lines         string
		kind, tax, liability string
		taxable, refund      string
	}{
		"all of it": {"-119.77", noteLine("L1", "P-1", "-4", "-100.00", "-8.88") + "," +
			noteLine("L2", "SHIP", "-1", "-10.00", "-0.89"), "FULL_CREDIT_NOTE", "-9.77", "-9.77", "-110.00",
			"FULLY_REFUNDED"},
		"positive amounts": {"119.77", noteLine("L1", "P-1", "4", "100.00", "8.88") + "," +
			noteLine("L2", "SHIP", "1", "10.00", "0.89"), "FULL_CREDIT_NOTE", "9.77", "9.77", "110.00",
			"FULLY_REFUNDED"},
		"by quantity": {"-54.44", noteLine("L1", "P-1", "-2", "-50.00", "-4.44"), "PARTIAL_CREDIT_NOTE", "-4.44",
			"-4.44", "-50.00", "PARTIALLY_REFUNDED"},
		"by amount": {"-10.00", noteLine("x", "P-1", "0", "-10.00", "0"), "PARTIAL_CREDIT_NOTE", "-0.89", "0.00",
			"-10.00", "PARTIALLY_REFUNDED"},
		"tax alone": {"-8.88", noteLine("L1", "P-1", "0", "0", "-8.88"), "PARTIAL_CREDIT_NOTE", "-8.88", "-8.88",
			"-100.00", "PARTIALLY_REFUNDED"},
		"shipping alone": {"-10.89", noteLine("L2", "SHIP", "-1", "-10.00", "-0.89"), "PARTIAL_CREDIT_NOTE", "-0.89",
			"-0.89", "-10.00", "PARTIALLY_REFUNDED"},
	} {
		original := in.sold(shop)
		note := in.credit(shop, original, noteBody(in.next("REFUND"), "COMMITTED", c.total, c.lines))
		require.Equal(t, []string{c.kind, "QUEUED", original, "C-1", "OTHER", "350 5th Ave"},
			[]string{note.Type, note.ProcessingStatus, note.RelatedTo, note.Customer.ExternalID, note.Source,
				note.Addresses[0].Street1}, name)
		require.Equal(t, c.refund, in.read(shop, original).RefundStatus, name)
		in.processed(shop, note.ID)
		note = in.read(shop, note.ID)
		require.Equal(t, []string{"PROCESSED", c.total, c.tax, c.liability, c.taxable, "NY"},
			[]string{note.ProcessingStatus, note.Total, note.Tax, note.Liability, note.Taxable, note.State}, name)
		require.Equal(t, strings.HasPrefix(c.total, "-"), strings.HasPrefix(note.Final, "-"), "%s: %s", name, note.Final)
	}
}

// The type follows from the amounts, and the marketplace from the original; the source is that of the note.
func TestWhatACreditNoteSaysOfItself(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	body := noteBody(in.next("REFUND"), "COMMITTED", "-10.00", noteLine("x", "P-1", "0", "-10.00", "0"))
	note := in.credit(shop, in.sold(shop),
		strings.Replace(body, "{", `{"type":"FULL_CREDIT_NOTE","source":"POS","marketplace":true,`, 1))
	require.Equal(t, []any{"PARTIAL_CREDIT_NOTE", "POS", false},
		[]any{note.Type, note.Source, in.get(shop, "/v1/transactions/"+note.ID)["marketplace"]})
}

func TestRefundsBalanceEveryJurisdiction(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	original := in.sold(shop)
	var notes []string
	for _, part := range []string{"-33.33", "-33.33", "-0.01", "-33.33"} {
		note := in.credit(shop, original,
			noteBody(in.next("REFUND"), "COMMITTED", part, noteLine("L1", "P-1", "0", part, "0")))
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
	require.Contains(t, e.Steps[2].Text,
		"33.33 of 33.34 at the tax that lower prices and refunds of tax left of it, 2.96, uses the line up and takes "+
			"the rest of its tax")

	// They lower the amount of sales, not their number.
	var amount, count string
	in.query(&amount, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	in.query(&count, "SELECT sum(n)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, []string{"10.00", "1"}, []string{amount, count})

	// A line that the law of its class exempts is an exempt sale, and is refunded as one. A line whose class does not
	// decide is not.
	in.call(shop, "POST", "/v1/products", `{"external_id":"ADVICE","name":"Advice","product_category":"SERVICE"}`, 200)
	in.call(shop, "POST", "/v1/products",
		`{"external_id":"BREAD","name":"Bread","product_category":"FOOD","product_subcategory":"GROCERY_FOOD"}`, 200)
	groceries := strings.TrimPrefix(in.sale(shop, "", lineOf("L1", "BREAD", "100.00", ""),
		lineOf("L2", "ADVICE", "50.00", "")), "/v1/transactions/")
	exempt := func() (sum string) {
		in.query(&sum, "SELECT sum(exempt_amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
		return sum
	}
	require.Equal(t, "100.00", exempt())
	for i, line := range []string{noteLine("L1", "BREAD", "0", "-60.00", "0"),
		noteLine("L2", "ADVICE", "0", "-50.00", "0"), noteLine("L1", "BREAD", "0", "-40.00", "0")} {
		note := in.credit(shop, groceries,
			noteBody(in.next("REFUND"), "COMMITTED", []string{"-60.00", "-50.00", "-40.00"}[i], line))
		in.processed(shop, note.ID)
		require.Equal(t, []string{"40.00", "40.00", "0.00"}[i], exempt())
	}
	differences := 0
	counted, err := activities.Recount(t.Context(), in.store.Evaluation(), shop.organization, false,
		func(models.NexusDifference) { differences++ })
	require.NoError(t, err)
	require.Equal(t, []int{9, 0}, []int{counted, differences}, "the stored values are those that were decided")
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
	shop := in.merchant()
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
		"nothing": {original, noteBody("X", "COMMITTED", "0", line), 400, "validation_failed",
			[]string{"out_of_range body.total_amount"}, nil},
		"no lines": {original, noteBody("X", "COMMITTED", "-1", ""), 400, "validation_failed",
			[]string{"too_few body.transaction_items"}, nil},
		"a status of sales": {original, noteBody("X", "INVALID", "-1", line), 400, "validation_failed",
			[]string{"invalid_enum body.status"}, nil},
		"an unknown type": {original,
			strings.Replace(noteBody("X", "COMMITTED", "-1", line), "{", `{"type":"NOTE",`, 1), 400,
			"validation_failed", []string{"invalid_enum body.type"}, nil},
		"an unknown original": {models.NewID("txn"),
			noteBody("X", "COMMITTED", "-1", noteLine("L1", "NONE", "0", "-1", "0")), 404, "resource_not_found", nil,
			nil},
		"unknown products": {first.ID, noteBody("X", "COMMITTED", "-1", noteLine("L1", "NONE", "0", "-1", "0")), 404,
			"product_not_found", []string{"not_found body.transaction_items[0].external_product_id"}, nil},
		"a credit note": {first.ID, noteBody("X", "COMMITTED", "-1", line), 409, "original_is_credit_note", nil, nil},
		"a pending sale": {pending, noteBody("X", "COMMITTED", "-1", line), 409, "original_not_committed", nil,
			map[string]any{"current_status": "PENDING"}},
		"a cancelled sale": {cancelled, noteBody("X", "COMMITTED", "-1", line), 409, "original_not_committed", nil,
			map[string]any{"current_status": "CANCELLED"}},
		"everything different": {original,
			strings.Replace(noteBody("FIRST", "COMMITTED", "-999",
				noteLine("L1", "OTHER", "0", "-1", "0")+","+noteLine("L1", "P-1", "-4.1", "-1",
					"0")), "USD", "EUR", 1), 400, "validation_failed",
			[]string{"currency_mismatch body.currency",
				"item_not_in_original body.transaction_items[0].external_product_id",
				"out_of_range body.transaction_items[1].quantity"}, nil},
		"too much, and its id is taken": {original, noteBody("FIRST", "COMMITTED", "-100.01", line), 409,
			"credit_exceeds_original", nil, map[string]any{"remaining_amount": "100.00", "currency": "USD"}},
		"an external id that is taken": {original, noteBody("FIRST", "COMMITTED", "-1", line), 409,
			"duplicate_external_id", nil, map[string]any{"existing_id": first.ID}},
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

func TestCreditNotesReserveReleaseAndChangeTheirOriginal(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	original := in.sold(shop)
	body := func(externalID, status, amount string) string {
		return noteBody(externalID, status, amount, noteLine("L1", "P-1", "0", amount, "0"))
	}
	path := "/v1/transactions/" + original + "/credit_notes"
	reserved := in.credit(shop, original, body("A", "PENDING", "-100.00"))
	require.Empty(t, in.read(shop, original).RefundStatus, "PENDING notes refund nothing yet")
	require.Equal(t, "19.77", in.call(shop, "POST", path, body("B", "COMMITTED", "-20.00"), 409).member(t,
		"remaining_amount"), "but they reserve")
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
	require.Equal(t, "resource_not_found",
		in.call(shop, "PUT", "/v1/transactions/"+in.sold(shop)+"/credit_notes/"+last.ID, `{}`,
			404).problem(t).Code, "of another original")
	require.Equal(t, "resource_not_found", put(original, `{}`, 404).problem(t).Code)

	a := put(reserved.ID, `{"status":"COMMITTED","description":"now"}`, 200)
	require.Equal(t, "UPDATED", a.text(t, "processing_status"))
	require.EqualValues(t, 2, a.member(t, "revision"))
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus, "two partial notes")
	in.processed(shop, reserved.ID)
	require.Equal(t, []string{"-8.88", "0.00"}, []string{in.read(shop, reserved.ID).Tax, in.read(shop, last.ID).Tax},
		"the other note came when nothing was left of the line")

	refused := put(reserved.ID, `{"status":"PENDING"}`, 409)
	require.Equal(t, []any{"COMMITTED", "PENDING", []any{"CANCELLED"}},
		[]any{refused.member(t, "from"), refused.member(t, "to"), refused.member(t, "allowed")})
	put(last.ID, `{"status":"CANCELLED"}`, 200)
	require.Equal(t, "PARTIALLY_REFUNDED", in.read(shop, original).RefundStatus)
	in.processed(shop, last.ID)
	require.Equal(t, "EXCLUDED_IN_CALCULATION", in.read(shop, last.ID).ProcessingStatus)
	put(reserved.ID, `{"status":"CANCELLED"}`, 200)
	require.Empty(t, in.read(shop, original).RefundStatus)
	var counted string
	in.query(&counted, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, "220.00", counted, "amounts of cancelled notes can be refunded again")

	var history struct{ Items []struct{ Stage string } }
	in.call(shop, "GET", "/v1/transactions/"+original+"/history", "", 200).decode(t, &history)
	stages := map[string]int{}
	for _, i := range history.Items {
		stages[i.Stage]++
	}
	require.Equal(t, []int{3, 3}, []int{stages["CREDIT_NOTE_ADDED"], stages["CREDIT_NOTE_CHANGED"]})
	for query, want := range map[string]int{
		"related_to=" + original: 3, "transaction_type=PARTIAL_CREDIT_NOTE": 2, "transaction_type=FULL_CREDIT_NOTE": 1,
		"search_query=D&transaction_type=PARTIAL_CREDIT_NOTE": 1,
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
	shop := in.merchant()
	original := in.sold(shop)
	post := func(kind, relatedTo, total, tax string, status int) answer {
		return in.call(shop, "POST", "/v1/transactions",
			fmt.Sprintf(`{"external_id":%q,"type":%q,"related_to":%q,"date":"2026-06-01T10:00:00Z","currency":"USD",
				"total_amount":%q,
			"customer":{"external_id":"SOMEBODY"},"addresses":[],"transaction_items":[{"external_id":"L1",
				"external_product_id":"P-1","date":"2026-06-01T10:00:00Z","quantity":0,"amount":0,"tax_amount_imported":%q}]}`,
				in.next("REFUND"), kind, relatedTo, total, tax), status)
	}
	var made []refundAnswer
	post("TAX_REFUND", original, "-5.00", "-5.00", 202).decode(t, &made)
	require.Equal(t, []string{"TAX_REFUND", original, "C-1"},
		[]string{made[0].Type, made[0].RelatedTo, made[0].Customer.ExternalID})
	in.processed(shop, made[0].ID)
	require.Equal(t, "-5.00", in.read(shop, made[0].ID).Tax)
	require.Equal(t, "4.77", post("TAX_REFUND", original, "-4.78", "-4.78", 409).member(t, "remaining_amount"),
		"of the tax")
	post("TAX_REFUND", original, "-3.88", "-3.88", 202)
	post("FULL_CREDIT_NOTE", original, "-0.01", "0", 202).decode(t, &made)
	require.Equal(t, "PARTIAL_CREDIT_NOTE", made[0].Type, "the amounts decide")
	require.Equal(t, "reference_not_found", post("TAX_REFUND", models.NewID("txn"), "-1", "-1", 404).problem(t).Code)
	require.Equal(t, "out_of_range", post("TAX_REFUND", original, "0", "-1", 400).problem(t).Errors[0].Code)
	var counted string
	in.query(&counted, "SELECT sum(amount)::text FROM nexus_counters WHERE organization_id = $1", shop.organization)
	require.Equal(t, "110.00", counted, "refunds of tax are no sales")
}
