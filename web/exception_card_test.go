package web

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// The list shows the card of the exception in its address next to the others: with the checks of a return, or with the
// addresses and the explanation of a sale.
func TestTheListShowsTheCardOfAnException(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/exceptions/groups": `{}`, "GET /v1/colleagues": `{}`,
		"GET /v1/exceptions": `{"page":1,"pages":1,"total":2,"items":[
			{"type":"FILING_TO_APPROVE","organization_id":"org_1","object_id":"file_1","title":"US: Texas","reason":"It waits.","cursor":"c1"},
			{"type":"TRANSACTION_UNRESOLVED","organization_id":"org_1","object_id":"txn_1","title":"ORDER-1","cursor":"c2"},
			{"type":"WEBHOOK_DISABLED","organization_id":"org_2","object_id":"we_1","title":"A hook","cursor":"c3"}]}`,
		"GET /v1/filings/file_1":                 aReturn,
		"GET /v1/filings/file_1/review":          `{"checks":[{"code":"FINDINGS","passed":false,"message":"2 findings have to be read."}]}`,
		"GET /v1/transactions/txn_1":             `{"id":"txn_1","addresses":[{"type":"SHIP_TO","city":"Austin","state":"TX"}]}`,
		"GET /v1/transactions/txn_1/explanation": `{"steps":[{"text":"Texas taxes it."}]}`,
	}
	const title = `id="card-title"`
	show := func(open string) string {
		return visitedWith(t, answers, "/exceptions?"+url.Values{"assignee": {"Ada"}, "open": {open}}.Encode(), nil).Body.String()
	}
	closed := show("")
	require.NotContains(t, closed, title)
	require.Contains(t, closed, `data-open href="/exceptions?assignee=Ada&amp;open=org_1`)
	for _, text := range []string{
		title, "It waits.", "2 findings have to be read.", "Open the record", `data-open href="/exceptions?assignee=Ada"`,
	} {
		require.Contains(t, show("org_1 FILING_TO_APPROVE file_1"), text)
	}
	sale := show("org_1 TRANSACTION_UNRESOLVED txn_1")
	for _, text := range []string{title, "Austin", "Texas taxes it."} {
		require.Contains(t, sale, text)
	}
	hook := show("org_2 WEBHOOK_DISABLED we_1")
	require.Contains(t, hook, title)
	require.NotContains(t, hook, "Open the record", "the person may not read the endpoints of the organization")
	require.NotContains(t, show("org_1 FILING_TO_APPROVE file_9"), title, "it is not in the list any more")

	const refused = `{"status":403,"code":"forbidden","title":"Not allowed"}`
	answers["GET /v1/filings/file_1"] = refused
	require.Contains(t, show("org_1 FILING_TO_APPROVE file_1"), title, "the exception is shown without its record")
}
