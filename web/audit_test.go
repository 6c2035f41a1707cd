package web

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// What changed is said in words; what kind of record it is about is no status.
func TestTheAuditTrailIsReadable(t *testing.T) {
	t.Parallel()
	for changes, said := range map[string][]string{
		`{}`: nil, `null`: nil, `{"fields":[],"from":"UNFILED","to":"UNFILED"}`: nil,
		`{"fields":["date_filed","status"],"from":"FILING","to":"FILED"}`: {
			"With the authority → Filed", "Changed: date filed, status",
		},
		`{"to":"ACTIVE","count":3,"reason":null}`:             {"→ Active", "Count: 3"},
		`{"credit_note_id":"txn_1","settings":{"a":true}}`:    {"Credit note id: txn_1", `Settings: {"a":true}`},
		`{"processing_status":"NEEDS_REFETCH","state":"NY5"}`: {"Processing status: Needs attention", "State: NY5"},
		`"as text"`: {`"as text"`},
	} {
		require.Equal(t, said, auditEntry{Changes: json.RawMessage(changes)}.What(), changes)
	}
	require.Equal(t, "Return", thing("filing"))
	require.Equal(t, "Return", thing("FILING"))
	require.Equal(t, "API key", thing("api_key"))
	require.Equal(t, "Transaction import", thing("transaction_import"))
}
