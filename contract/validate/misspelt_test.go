package validate

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
)

// A filter that is ignored selects everything. So a field that stands for one is refused, unlike other unknown fields.
func TestAMisspeltFilterIsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	faultsOf := func(method, path, body string) (found []problem.FieldError) {
		r := s.send(method, path, body)
		if r.Code == http.StatusOK {
			return nil
		}
		var p struct{ Errors []problem.FieldError }
		require.NoError(t, json.Unmarshal(r.Body.Bytes(), &p), r.Body.String())
		return p.Errors
	}
	const endpoints, replays = "/v1/webhook_endpoints", "/v1/webhook_endpoints/whep_01jx4m9a2bfqv8m1x0c5t7hkde/replay"
	for _, row := range []struct{ method, path, name, filter string }{
		{"POST", endpoints, "events", "enabled_events"},
		{"POST", endpoints, "enabled_event", "enabled_events"},
		{"POST", endpoints, "enabledEvents", "enabled_events"},
		{"POST", endpoints, "ENABLED_EVENTS", "enabled_events"},
		{"POST", endpoints, "event_types", "enabled_events"},
		{"POST", endpoints, `\u0065vents`, "enabled_events"},
		{"PUT", endpoints + "/whep_01jx4m9a2bfqv8m1x0c5t7hkde", "eneabled_events", "enabled_events"},
		{"POST", replays, "type", "types"},
		{"POST", replays, "enabled_events", "types"},
	} {
		body := `{"url":"https://example.com/","since":"2026-05-15T10:00:00Z","` + row.name + `":["filing.*"]}`
		require.Equal(t, []problem.FieldError{{Code: "not_allowed", Location: "body." + strings.Replace(row.name, `\u0065`, "e", 1),
			Message: "There is no such field; the nearest is " + row.filter + "."}}, faultsOf(row.method, row.path, body))
	}
	for _, other := range []string{"comment", "even", "secret", `events\"`, "enabled_countries"} {
		require.Empty(t, faultsOf("POST", endpoints, `{"url":"https://example.com/","`+other+`":1}`), other)
	}
}
