package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line of the queue has the button of the first action. The others, and the form that assigns, are behind its menu.
func TestALineHasOneActionAndAMenu(t *testing.T) {
	t.Parallel()
	space := regexp.MustCompile(`\s+`)
	of := func(fields string) (before, menu string) {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/exceptions/groups": `{}`,
			"GET /v1/exceptions": `{"items":[{"organization_id":"org_1","object_id":"id_1","title":"Record",` + fields + `}]}`,
		}, "/exceptions", nil).Body.String()
		_, acts, found := strings.Cut(shown, `<div class="acts">`)
		require.True(t, found)
		acts, _, _ = strings.Cut(acts, "</td>")
		before, menu, _ = strings.Cut(space.ReplaceAllString(acts, " "), "<summary>")
		return before, menu
	}
	for _, c := range []struct{ name, fields, first, label, rest string }{
		{"a sale", `"type":"TRANSACTION_UNRESOLVED","reason_code":"ADDRESS","actions":["updateTransaction","reprocessTransaction"]`,
			"Correct the address", "More", "Process again"},
		{"a sale without a rate", `"type":"TRANSACTION_UNRESOLVED","reason_code":"NO_CONVERSION_RATE",
			"actions":["updateTransaction","reprocessTransaction"]`, "Process again", "More", "Save"},
		{"a return to confirm", `"type":"FILING_ISSUE","reason_code":"CONFIRMATION","actions":["retryFiling","approveFiling","updateFiling"]`,
			"Retry", "More", "Mark as filed"},
		{"a blocked return", `"type":"FILING_TO_APPROVE","reason_code":"APPROVAL_BLOCKED","actions":["approveFiling","updateFiling"]`,
			"Review and unblock", "More", "Save"},
		{"a refund", `"type":"REFUND_TO_CLAIM","actions":[]`, "", "Assign", "It was claimed"},
	} {
		before, menu := of(c.fields)
		require.Equal(t, c.first != "", strings.Contains(before, "button"), c.name)
		require.Contains(t, before, c.first, c.name)
		require.True(t, strings.HasPrefix(menu, c.label+`<span class="unseen">`), "%s: %s", c.name, menu)
		require.Contains(t, menu, c.rest, c.name)
		require.NotContains(t, before, c.rest, c.name)
	}
}

// A person of one organization alone has no column that always names it.
func TestAPersonOfOneOrganizationSeesNoColumnOfClients(t *testing.T) {
	t.Parallel()
	shown := func(session string) string {
		return visitedWith(t, map[string]string{
			"GET /v1/session": session, "GET /v1/session/views": `{}`,
			"GET /v1/exceptions/groups": `{"items":[{"type":"TRANSACTION_UNRESOLVED","count":2,"organization_count":1}]}`,
			"GET /v1/exceptions":        `{"items":[{"type":"REFUND_TO_CLAIM","organization_id":"org_1","object_id":"file_1"}]}`,
		}, "/exceptions", nil).Body.String()
	}
	for _, head := range []string{">Client</th>", ">Clients</th>", `data-column="Client"`, `data-column="Clients"`} {
		require.NotContains(t, shown(`{"organizations":[{"organization_id":"org_1","role":"admin"}]}`), head)
		require.Contains(t, shown(`{"organizations":[{"organization_id":"org_1","role":"admin"},{"organization_id":"org_2","role":"admin"}]}`),
			head)
	}
}
