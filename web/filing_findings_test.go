package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of a return shows before its approval what a person should know, what is taken off, and where it is owed.
func TestTheReturnSaysWhatToKnow(t *testing.T) {
	t.Parallel()
	const findings = `,"amount_prepaid":"82.50","amount_credit_applied":"74.25","amount_credit_carried":"31.10","findings":[
		{"code":"FORM_DIFFERS","severity":"INFO","message":"Roundings <explain> it.","count":100,"amount":"1234.50"},
		{"code":"PREPAYMENT_MISSING","severity":"WARNING","message":"File it.","count":1,"amount":"0.00"}]`
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings": `{}`, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1": aReturn[:len(aReturn)-1] + findings + `}`,
		"GET /v1/filings/file_1/report": `{"jurisdictions":[{"jurisdiction_name":"Houston","jurisdiction_type":"CITY",
			"taxable_amount":"60.00","tax_amount":"0.60"}]}`,
	}, "/o/org_1/filings/file_1", nil).Body.String()
	plain := strings.Join(strings.Fields(shown), " ")
	for _, text := range []string{
		`data-status="INFO">Info</span> <b>Form differs, 1,234.50 USD.</b> Roundings &lt;explain&gt; it.`,
		`data-status="WARNING">Warning</span> <b>Prepayment missing.</b> File it.`,
		`Prepaid</th><td data-column="This period" data-figure="Prepaid" role="cell" class="num">82.50</td>`,
		`Credit taken off</th><td data-column="This period" data-figure="Credit taken off" role="cell" class="num">74.25</td>`,
		`Credit left over</th><td data-column="This period" data-figure="Credit left over" role="cell" class="num">31.10</td>`,
		`Houston</th><td data-column="Level" role="cell">City</td>`, `class="num">0.60</td>`,
	} {
		require.Contains(t, plain, text)
	}
	require.Less(t, strings.Index(plain, "What to know"), strings.Index(plain, "What to do"), "before the approval")
	require.NotContains(t, returnFor(t, "viewer", ""), "What to know")
}
