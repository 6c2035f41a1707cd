package web

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// A bulk form that was done in part does not say that nothing was changed.
func TestABulkFormSaysWhatItChanged(t *testing.T) {
	t.Parallel()
	const row = `{"type":"TRANSACTION_UNRESOLVED","object_id":"txn_1","status":`
	const done, refused = row + `"DONE"}`, row + `"REFUSED","code":"forbidden","message":"You may not do this."}`
	form := url.Values{"action": {"reprocess_many"}, "pick": {"org_1 TRANSACTION_UNRESOLVED txn_1"}}
	for _, c := range []struct {
		answer, title string
		undone        bool
	}{
		{`{"done_count":1,"refused_count":1,"items":[` + done + `,` + refused + `]}`, "1 done, 1 refused", false},
		{`{"done_count":0,"refused_count":1,"items":[` + refused + `]}`, "0 done, 1 refused", true},
		{`{"status":503,"code":"service_unavailable","title":"Try again later"}`, "Some of the others may be done, too.", false},
		{`{"status":403,"code":"forbidden","title":"Not allowed"}`, "Not allowed", true},
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/exceptions": `{}`,
			"GET /v1/exceptions/groups": `{}`, "POST /v1/exceptions/bulk": c.answer,
		}, "/exceptions", form).Body.String()
		require.Contains(t, shown, c.title)
		if c.undone {
			require.Contains(t, shown, "Nothing was changed.")
		} else {
			require.NotContains(t, shown, "Nothing was changed.")
		}
	}
}
