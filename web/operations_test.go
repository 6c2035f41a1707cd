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

// An entry of the runbook is shown as paragraphs of text and code. Of a link only its text stays.
func TestEntriesOfTheRunbookAreRead(t *testing.T) {
	t.Parallel()
	require.Equal(t, [][]passage{
		{{Text: "Run "}, {"levy backup", true}, {Text: ", and see "}, {Text: "why\nit did not"}, {Text: "."}},
		{{Text: "<b> & `half"}},
	}, prose("Run `levy backup`, and see [why\nit did not](../runbook.md#backups).\n\n<b> & `half"))
}
