package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const notConnected = `{"authority":"hmrc","status":"NOT_CONNECTED","granted_at":null,"granted_by":null,"ends_at":null,"address":null}`

// A person who begins gets a link to the authority. One who is connected sees by whom and until when.
func TestAPersonGoesToTheAuthority(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session":               anAdmin,
		"GET /v1/authority_connections": `{"items":[` + notConnected + `]}`,
		"PUT /v1/authority_connections": `{"authority":"hmrc","status":"NOT_CONNECTED","granted_at":null,"granted_by":null,
			"ends_at":null,"address":"/sandbox/hmrc?state=org_1.STATE"}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/connections", url.Values{"action": {"connect"}, "authority": {"hmrc"}})
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), `href="/sandbox/hmrc?state=org_1.STATE"`)
	answers["GET /v1/authority_connections"] = `{"items":[{"authority":"hmrc","status":"ENDING","granted_at":"2026-08-01T00:00:00Z",
		"granted_by":"Ada","ends_at":"2028-02-01T00:00:00Z","address":null}]}`
	shown = visitedWith(t, answers, "/o/org_1/connections", nil)
	require.Contains(t, shown.Body.String(), "HM Revenue and Customs")
	require.Contains(t, shown.Body.String(), "by <bdi>Ada</bdi>")
	require.Contains(t, shown.Body.String(), "Disconnect")
	require.Equal(t, 1, lockedDecisions(t, "connections", shown.Body.String()))
	shown = visitedWith(t, answers, "/o/org_2/connections", nil)
	require.Contains(t, shown.Body.String(), "by <bdi>Ada</bdi>")
	require.NotContains(t, shown.Body.String(), "Connect again", "the service refuses it to an admin of the partner")
}

// Opening the page to which the authority sends a person back changes nothing: a form finishes it.
func TestAPersonComesBackFromTheAuthority(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin}
	shown := visitedWith(t, answers, "/connections/hmrc?state=org_1.STATE&code=1%22%3E", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), `name="code" value="1&#34;&gt;"`)
	shown = visitedWith(t, answers, "/connections/hmrc?state=org_1.STATE&error=access_denied", nil)
	require.Contains(t, shown.Body.String(), "you have not let Levy act for you")
	answers["PUT /v1/authority_connections"] = strings.Replace(notConnected, "NOT_CONNECTED", "CONNECTED", 1)
	shown = visitedWith(t, answers, "/connections/hmrc", url.Values{"state": {"org_1.STATE"}, "code": {"1"}})
	require.Equal(t, http.StatusSeeOther, shown.Code)
	require.Equal(t, "/o/org_1/connections", shown.Header().Get("Location"))
}
