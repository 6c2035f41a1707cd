package web

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each list of an organization is a file with the filters that it has on its page.
func TestListsAreFiles(t *testing.T) {
	t.Parallel()
	for list, c := range map[string]struct{ shown, asked, at string }{
		"products":      {"query=A&status__in=PENDING", "query=A&status__in=PENDING", ""},
		"customers":     {"search_query=A&status__in=ACTIVE", "search_query=A&status__in=ACTIVE", ""},
		"filings":       {"state_code=US-CA&status__in=FILED", "country_code=US&order_by=due_date&state_code=CA&status__in=FILED", ""},
		"registrations": {"state_code=US-CA", "country_code__in=US&state_code=CA", ""},
		"audit": {"action__in=update&actor_id=user_2&object_type__in=filing&since=2026-05-01",
			"action__in=update&actor_id=user_2&object_type__in=filing&since=2026-05-01", ""},
		"exemptions":      {"jurisdiction=CA&search_query=A", "jurisdiction=CA&search_query=A", ""},
		"rates":           {"state_code=CA", "state_code=CA", "rate_overrides"},
		"imports":         {"status=COMPLETED", "status=COMPLETED", "transactions/imports"},
		"nexus":           {"show=all", "", ""},
		"keys":            {"", "active=false", "organizations/api_keys"},
		"people":          {"", "", "users"},
		"webhooks":        {"", "", "webhook_endpoints"},
		"webhooks/whep_1": {"failed=true", "failed=true", "webhook_endpoints/whep_1/deliveries"},
	} {
		asked := ""
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/v1/session":
				_, _ = io.WriteString(w, anAdmin)
			case "/v1/products/categories":
				_, _ = io.WriteString(w, "[]")
			case "/v1/colleagues":
				_, _ = io.WriteString(w, `{"items":[{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true}]}`)
			case "/v1/" + cmp.Or(c.at, list) + "/export":
				asked = r.URL.RawQuery
				_, _ = io.WriteString(w, "a,b\r\n")
			default:
				_, _ = io.WriteString(w, `{"items":[{"id":"x","status":"FILED","changes":{}}],"total":1,"page":1,"pages":1}`)
			}
		})
		page := answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/"+list+"?page=1&"+c.shown, nil))
		require.Equal(t, http.StatusOK, page.Code, page.Body)
		for _, format := range []string{"csv", "xlsx"} {
			address := "/o/org_1/" + list + "/export?" + strings.TrimPrefix(c.asked+"&format=", "&") + format
			require.Contains(t, page.Body.String(), `href="`+strings.ReplaceAll(address, "&", "&amp;")+`"`, list)
			file := answeredBy(t, api, httptest.NewRequest(http.MethodGet, address, nil))
			require.Equal(t, "a,b\r\n", file.Body.String(), list)
			sent := httptest.NewRequest(http.MethodGet, "/?"+asked, nil).URL.Query()
			require.Equal(t, httptest.NewRequest(http.MethodGet, address, nil).URL.Query(), sent, list)
		}
		if list == "audit" {
			require.Contains(t, page.Body.String(), `<option value="user_2" selected>Bob</option>`)
		}
	}
}
