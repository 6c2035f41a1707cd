package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/contracttest"
	"levy/models"
)

// closedGate admits nobody to a feed.
type closedGate struct{ contracttest.Gate }

func (closedGate) Feed(_ context.Context, _ string) (contract.CallerSession, error) {
	return nil, models.ErrUnauthenticated
}

func TestAnUnknownFeedIsNotFound(t *testing.T) {
	t.Parallel()
	c, err := NewConsole(closedGate{contracttest.Gate{CallerSession: contracttest.NewSession(nil)}}, "", "")
	require.NoError(t, err)
	handler, err := c.Handler()
	require.NoError(t, err)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/calendar/unknown.ics", http.NoBody))
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "There is nothing at this address")
	require.NotContains(t, w.Body.String(), "unknown.ics")
}

// A program for calendars that is refused for a while reads the reason, and nothing of an onboarding.
func TestARefusedFeedSaysWhy(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/due_filings/export": `{"status":503,"code":"service_unavailable","title":"Try again later"}`,
	}, "/calendar/abc.ics", nil)
	require.Equal(t, http.StatusServiceUnavailable, shown.Code)
	require.Contains(t, shown.Body.String(), "Go to the first page")
	require.NotContains(t, shown.Body.String(), "onboarding")
}

func TestAFeedAnswersWithTheCalendar(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{"GET /v1/due_filings/export": "BEGIN:VCALENDAR\r\n"}, "/calendar/abc.ics", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Equal(t, "BEGIN:VCALENDAR\r\n", shown.Body.String())
}

func TestTheAddressOfAFeedIsShownOnce(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/calendar_feeds": `{"items":[{"id":"cfed_1","name":"Office","made_by":"Ada","created_at":"2026-08-01T00:00:00Z",
			"expires_at":null,"last_read_at":null}]}`,
		"POST /v1/calendar_feeds": `{"id":"cfed_1","name":"Office","made_by":"Ada","created_at":"2026-08-01T00:00:00Z",
			"expires_at":null,"last_read_at":null,"path":"/calendar/secret.ics","secret_available":true}`,
	}
	created := visitedWith(t, answers, "/o/org_1/feeds", url.Values{"action": {"make"}, "name": {"Office"}})
	require.Contains(t, created.Body.String(), "/calendar/secret.ics")
	listed := visitedWith(t, answers, "/o/org_1/feeds", nil)
	require.Contains(t, listed.Body.String(), "Revoke the feed")
	require.NotContains(t, listed.Body.String(), "secret.ics")
}
