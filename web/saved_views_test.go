package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestViewsOfReturns(t *testing.T) {
	t.Parallel()
	asked, err := url.ParseQuery("organization_id=org_1&page=3&status__in=UNFILED,FILING,ISSUE,PAUSED&due_days__lte=-1")
	require.NoError(t, err)
	queries := map[string]string{}
	for _, view := range filingViews(asked) {
		require.Equal(t, view.Name == "Overdue", view.Current, view.Name)
		q, err := url.ParseQuery(string(view.Query))
		require.NoError(t, err)
		require.Equal(t, "org_1", q.Get("organization_id"), "it is kept for the client")
		require.False(t, q.Has("page"), "a view begins at its first page")
		queries[view.Name] = q.Get("status__in") + " " + q.Get("due_days__gte") + " " + q.Get("due_days__lte")
	}
	require.Equal(t, openStatuses+" 0 14", queries["Due in two weeks"])
	require.Equal(t, openStatuses+"  -1", queries["Overdue"])
	require.Equal(t, "ISSUE  ", queries["With an issue"])
}

func TestRatesAndSizesInWords(t *testing.T) {
	t.Parallel()
	for rate, want := range map[string]string{"0.0825": "8.25 %", "0": "0 %", "1": "100 %", "0.062500000": "6.25 %",
		"x": "x"} {
		require.Equal(t, want, percentOf(rate))
	}
	for bytes, want := range map[int64]string{9: "9 bytes", 1 << 10: "1 KiB", 3<<20 + 1<<19: "3.5 MiB"} {
		require.Equal(t, want, size(bytes))
	}
}

// The list of clients shows those that are still being onboarded. A search by name finds clients in every status.
func TestTheListShowsActiveClients(t *testing.T) {
	t.Parallel()
	partner := `{"user":{"name":"Pat"},"organizations":[{"organization_id":"org_1","role":"admin","root":true}]}`
	for path, selected := range map[string]string{
		"/clients": "NOT_STARTED,IN_PROGRESS", "/clients?status__in=": "", "/clients?query=heron": "",
		"/clients?status__in=COMPLETED": "COMPLETED", "/clients?organization_id=org_1": "NOT_STARTED,IN_PROGRESS",
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": partner, "GET /v1/onboardings": `{}`, "GET /v1/session/views": `{}`,
		}, path, nil).Body.String()
		require.Equal(t, selected != "", strings.Contains(shown, `<option value="`+selected+`" selected>`), path)
		require.Contains(t, shown, `aria-current="true"`, path)
		require.Equal(t, path == "/clients" || strings.Contains(path, "organization_id"),
			strings.Contains(shown, "No client is still onboarding."), path)
	}
}
