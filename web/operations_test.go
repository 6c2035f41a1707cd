package web

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Alarms show how soon they fire. A page with alarms does not claim that nothing needs attention.
func TestAlarmsAreSaidInWords(t *testing.T) {
	t.Parallel()
	page := func(status string) string {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": `{"user":{"name":"Sam"},"staff_role":"auditor","organizations":[]}`, "GET /v1/status": status,
		}, "/operations", nil)
		require.Equal(t, http.StatusOK, answered.Code, answered.Body)
		return answered.Body.String()
	}
	shown := page(`{"alarms":[{"name":"A","severity":"page","after":"10m"},{"name":"B","after":"0m"}]}`)
	require.Contains(t, shown, "A · urgent · fires after 10 minutes")
	require.Contains(t, shown, "B · due today · fires at once")
	require.Contains(t, shown, "Nothing but the alarms below.")
	require.Contains(t, page(`{}`), "<p>Nothing.</p>")
}

// Staff see what needs each master key, and which organizations have to act, with the way to their keys.
func TestMasterKeysAreShownWithTheirHolders(t *testing.T) {
	t.Parallel()
	answered := visitedWith(t, map[string]string{
		"GET /v1/session": `{"user":{"name":"Sam"},"staff_role":"auditor","organizations":[]}`,
		"GET /v1/status/master_keys": `{"keys":[{"id":"k2","newest":true},{"id":"k0"},{"id":"k3","behind":true},` +
			`{"id":"k1","needs":[{"what":"API keys",` +
			`"count":2,"remedy":"ask <them>"}]}],"total":1200,"holders":[{"master_key":"k1","kind":"api_key",` +
			`"organization_id":"org_1","organization_name":"<Shop>","id":"akey_1","name":"Till"},{"kind":"operator_key","id":"oper_1"}]}`,
	}, "/operations/master-keys", nil)
	require.Equal(t, http.StatusOK, answered.Code, answered.Body)
	for _, text := range []string{
		"The newest: it takes over", "levy keys retire k0", "Behind the newest: nothing is made with it",
		"2 API keys: ask &lt;them&gt;", "The first 2 of 1200",
		`<a href="/o/org_1/keys">&lt;Shop&gt;</a>`, "akey_1", "not known", "Operator",
	} {
		require.Contains(t, answered.Body.String(), text)
	}
	require.NotContains(t, answered.Body.String(), "levy keys retire k3")
}

// An entry of the runbook is shown as paragraphs of text and code. Of a link only its text stays.
func TestEntriesOfTheRunbookAreRead(t *testing.T) {
	t.Parallel()
	require.Equal(t, [][]passage{
		{{Text: "Run "}, {"levy backup", true}, {Text: ", and see "}, {Text: "why\nit did not"}, {Text: "."}},
		{{Text: "<b> & `half"}},
	}, prose("Run `levy backup`, and see [why\nit did not](../runbook.md#backups).\n\n<b> & `half"))
}
