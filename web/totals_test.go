package web

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// listedWith returns the list of transactions with one transaction.
func listedWith(t *testing.T, fields string) string {
	t.Helper()
	return visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
		"GET /v1/transactions": `{"items":[{"id":"txn_1","organization_id":"org_1","external_id":"ORDER-1","currency":"USD",` +
			`"processing_status":"PROCESSED",` + fields + `}]}`,
	}, "/o/org_1/transactions", nil).Body.String()
}

// A sale that was sent without a total has that of its lines.
func TestASaleWithoutATotalShowsThatOfItsLines(t *testing.T) {
	t.Parallel()
	shown := listedWith(t, `"type":"SALE","total_amount":"0.00","final_total_amount":"1108.88"`)
	require.Contains(t, shown, `1,108.88 USD <span class="quiet">from its lines</span>`)
	shown = listedWith(t, `"type":"SALE","total_amount":"108.88","final_total_amount":"1108.88"`)
	require.Contains(t, shown, `class="num">108.88 USD</td>`)
	require.NotContains(t, shown, "from its lines")

	exceptions := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
		"GET /v1/exceptions": `{"items":[{"type":"TRANSACTION_UNRESOLVED","organization_id":"org_1","object_id":"txn_1",` +
			`"amount":"1108.88","amount_from_lines":true,"currency":"USD"}]}`,
	}, "/exceptions", nil).Body.String()
	require.Contains(t, exceptions, "1,108.88 USD from its lines")
}

// The credit of a whole sale without a total is that of its lines: a credit of 0 would be refused.
func TestTheCreditOfASaleWithoutATotal(t *testing.T) {
	t.Parallel()
	_, sent := bodiesSent(t, map[string]string{
		"GET /v1/session": anAdmin, "POST /v1/transactions/txn_1/credit_notes": `{"id":"txn_2"}`,
		"GET /v1/transactions/txn_1": `{"id":"txn_1","type":"SALE","total_amount":"0.00","final_total_amount":"108.88",` +
			`"currency":"USD","transaction_items":[{"external_id":"L1","external_product_id":"P-1","amount":"100.00","quantity":"1.0"}]}`,
	}, "/o/org_1/transactions/txn_1/credit", url.Values{"action": {"all"}, "external_id": {"CN-1"}, "date": {"2026-05-16"}})
	require.Len(t, sent, 1)
	require.Contains(t, sent[0], `"total_amount":"108.88"`)
}

// A credit note has a minus sign, with whichever sign it was sent, and a tag. The list is narrowed down to them.
func TestCreditNotesAreToldApart(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"", "-"} {
		shown := listedWith(t, `"type":"PARTIAL_CREDIT_NOTE","total_amount":"`+sign+`1054.44","total_tax_amount_calculated":"`+sign+`4.44"`)
		require.Contains(t, shown, `class="num">-1,054.44 USD</td>`)
		require.Contains(t, shown, `class="num">-4.44 USD</td>`)
		require.Contains(t, shown, `<span class="badge">Partial credit note</span>`)
	}
	sale := listedWith(t, `"type":"SALE","total_amount":"54.44","total_tax_amount_calculated":"4.44"`)
	require.Contains(t, sale, `class="num">54.44 USD</td>`)
	require.NotContains(t, sale, `<span class="badge">`)
	require.Contains(t, sale, `<option value="FULL_CREDIT_NOTE,PARTIAL_CREDIT_NOTE,TAX_REFUND">Credit notes and refunds</option>`)
	for amount, other := range map[string]string{"0.00": "0.00", "-0.00": "0.00", "1.00": "-1.00", "-1.00": "1.00"} {
		require.Equal(t, other, negated(amount))
	}
}
