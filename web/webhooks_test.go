package web

import (
	"net/url"
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

// The pages of webhooks say how many deliveries of the last hour failed. A delivery is one line, with the answer of its
// latest attempt and a link to what was sent.
func TestDeliveriesSayWhatFailed(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints": `{"items":[{"id":"whep_1","status":"ENABLED",` +
			`"last_hour":{"count":3,"failed_count":3}}]}`,
		"GET /v1/webhook_endpoints/whep_1": `{"id":"whep_1","status":"ENABLED"}`,
		"GET /v1/webhook_endpoints/whep_1/deliveries": `{"total":3,"items":[{"id":"wdel_1","event_id":"evnt_1","type":"filing.filed",` +
			`"status":"PENDING","attempts":[{"at":"2026-05-16T10:00:00Z","http_status":503,"error":"status"},` +
			`{"at":"2026-05-16T10:00:05Z","http_status":500,"duration_ms":7}]}]}`,
		"GET /v1/events/evnt_1": `{"id":"evnt_1","type":"filing.filed","data":{"object":{"id":"file_1"},"previous_attributes":{}}}`,
	}
	require.Contains(t, visitedWith(t, answers, "/o/org_1/webhooks", nil).Body.String(), "3 of 3 failed in the last hour")
	shown := visitedWith(t, answers, "/o/org_1/webhooks/whep_1", nil).Body.String()
	require.Contains(t, shown, "3 of 3 failed in the last hour")
	require.Contains(t, shown, `<a href="/o/org_1/webhooks/whep_1/events/evnt_1">filing.filed</a>`)
	require.Regexp(t, `(?s)data-column="Answer"[^>]*>500\s+in 7 ms`, shown)
	require.Contains(t, shown, "2 attempts")
	require.Contains(t, visitedWith(t, answers, "/o/org_1/webhooks/whep_1/events/evnt_1", nil).Body.String(), "file_1")
}

// Chosen events are sent again, each by itself; a span by its days.
func TestChosenEventsAndSpansAreSentAgain(t *testing.T) {
	t.Parallel()
	const path = "/o/org_1/webhooks/whep_1"
	const again = "POST /v1/webhook_endpoints/whep_1/deliveries/"
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints/whep_1": `{"id":"whep_1","status":"ENABLED"}`,
		"GET /v1/webhook_endpoints/whep_1/deliveries": `{}`, "POST /v1/webhook_endpoints/whep_1/replay": `{"replay_id":"wrpl_1"}`,
		again + "wdel_1/redeliver": `{}`, again + "wdel_2/redeliver": `{}`,
	}
	form := func(names ...string) url.Values {
		values := url.Values{"action": {"redeliver"}}
		for _, name := range names {
			values.Set(name, "true")
		}
		return values
	}
	_, sent := bodiesSent(t, answers, path, form("chosen_wdel_1", "chosen_wdel_2"))
	require.Len(t, sent, 2)
	_, sent = bodiesSent(t, answers, path, url.Values{"action": {"redeliver"}, "delivery": {"wdel_2"}})
	require.Len(t, sent, 1)
	page, sent := bodiesSent(t, answers, path, form())
	require.Empty(t, sent)
	require.Contains(t, page, "Nothing was chosen")
	page, _ = bodiesSent(t, answers, path, form("chosen_wdel_1", "chosen_wdel_3"))
	require.Contains(t, page, "1 of 2 events cannot be sent again")
	require.NotContains(t, page, "Nothing was changed")

	_, sent = bodiesSent(t, answers, path, url.Values{"action": {"replay"}, "since": {"2026-05-15"}, "until": {"2026-05-16"}})
	require.Equal(t, []string{`{"since":"2026-05-15T00:00:00Z","until":"2026-05-16T23:59:59.999Z"}`}, sent)
}

// The events of an endpoint are ticked. A whole group takes the place of its types, and nothing stands for all.
func TestEventsAreTicked(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints": `{}`, "POST /v1/webhook_endpoints": `{"id":"whep_1","secret":"whsec_1"}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/webhooks", nil).Body.String()
	require.Contains(t, shown, `name="event_filing.all"`)
	require.Contains(t, shown, `name="event_filing.due_soon"`)
	for want, ticked := range map[string][]string{
		`{"url":"https://a.example"}`: nil,
		`{"enabled_events":["transaction.processed","filing.*"],"url":"https://a.example"}`: {
			"filing.all", "filing.filed", "transaction.processed",
		},
	} {
		form := url.Values{"url": {"https://a.example"}}
		for _, name := range ticked {
			form.Set("event_"+name, "true")
		}
		_, sent := bodiesSent(t, answers, "/o/org_1/webhooks", form)
		require.Len(t, sent, 1)
		require.JSONEq(t, want, sent[0])
	}
}
