package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An event can be redelivered only to an enabled endpoint. A page with pending deliveries has a link to reload it.
func TestDeliveriesAreOfferedWhatIsPossible(t *testing.T) {
	t.Parallel()
	for status, offered := range map[string]bool{"ENABLED": true, "DISABLED": false} {
		for delivery, waits := range map[string]bool{"PENDING": true, "DELIVERED": false} {
			shown := visitedWith(t, map[string]string{
				"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints/whep_1": `{"status":"` + status + `"}`,
				"GET /v1/webhook_endpoints/whep_1/deliveries": `{"items":[{"id":"dlv_1","status":"` + delivery + `"}]}`,
			}, "/o/org_1/webhooks/whep_1", nil).Body.String()
			if offered {
				require.Contains(t, shown, "Send again")
			} else {
				require.NotContains(t, shown, "Send again")
			}
			if waits {
				require.Contains(t, shown, ">Refresh</a>")
			} else {
				require.NotContains(t, shown, ">Refresh</a>")
			}
		}
	}
}
