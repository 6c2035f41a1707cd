package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
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
		require.Equal(t, want, plainText(percentOf(rate)))
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

// The address of a view leads to its list. A view of transactions is opened for the organization of the address, else for
// the one that it is shared with, else for that of the person.
func TestTheAddressOfAView(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/session/views": `{"items":[` +
		`{"id":"view_1","list":"transactions","name":"Mine","query":"order_by=-total_amount"},` +
		`{"id":"view_2","list":"filings","name":"Texas","query":"state_code=TX"}],"shared":[` +
		`{"id":"view_3","list":"transactions","name":"Theirs","query":"","shared_with":"org_2","shared_by":"Bo"},` +
		`{"id":"view_4","list":"clients","name":"Stuck","query":"next_step__in=5","shared_with":"org_2","shared_by":"Bo"}]}`}
	for address, to := range map[string]string{
		"/views/view_1":                          "/o/org_1/transactions?order_by=-total_amount",
		"/views/view_2":                          "/filings?state_code=TX&status__in=",
		"/views/view_3":                          "/o/org_2/transactions?",
		"/views/view_3?organization_id=..%2F..":  "/o/..%2F../transactions?",
		"/views/view_4?organization_id=org_9%26": "/clients?next_step__in=5&organization_id=org_9%26",
	} {
		require.Equal(t, to, visitedWith(t, answers, address, nil).Header().Get("Location"))
	}
	gone := visitedWith(t, answers, "/views/view_9", nil)
	require.Equal(t, http.StatusNotFound, gone.Code)
	require.Contains(t, gone.Body.String(), "There is no such view")
	answers["GET /v1/session"] = `{"user":{"name":"Sam"},"staff_role":"operator","organizations":[]}`
	unknown := visitedWith(t, answers, "/views/view_1", nil)
	require.Equal(t, http.StatusNotFound, unknown.Code)
	require.Contains(t, unknown.Body.String(), "Transactions of which organization?")
	require.Empty(t, savedViews{organizations: []contract.SessionOrganization{}}.ShareWith(0), "there is nobody to share it with")
}
