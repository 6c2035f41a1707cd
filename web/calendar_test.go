package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const dueInAugust = `{"total":1,"page":1,"size":50,"pages":1,"counts":[{"due_date":"2026-08-20","status":"UNFILED","count":1}],
	"money":[{"due_date":"2026-08-20","currency":"USD","count":1,"amount":"1234.56"}],"items":[{"organization_id":"org_1",
	"organization_name":"Acme","id":"file_1","country_code":"US","state_code":"FL","state_name":"Florida",
	"filing_category":"REGULAR","start_date":"2026-07-01","end_date":"2026-07-31","due_date":"2026-08-20","status":"UNFILED",
	"currency":"USD","amount":"1234.56","unresolved_transaction_count":0,"layout":"US-FL-DR-15/2020-01",
	"missing_data":["REGISTRATION_NUMBER","REGISTRATION_FIELD"],"waits_for":"APPROVAL"}]}`

// The calendar lists what open returns of the month lack, and adds up their money for one client, or on request.
func TestTheCalendarSaysWhatReturnsLack(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/due_filings": dueInAugust}
	for query, added := range map[string]bool{"": false, "&money=true": true, "&organization_id=org_1": true, "&organization_id=": false} {
		shown := visitedWith(t, answers, "/filings/calendar?month=2026-08"+query, nil)
		require.Equal(t, http.StatusOK, shown.Code)
		body := strings.Join(strings.Fields(shown.Body.String()), " ")
		require.Contains(t, body, "the number of the authority in the registration, a field of the registration that its form asks for")
		require.Contains(t, body, `href="/o/org_1/filings/file_1"`)
		require.Contains(t, body, "1,234.56 USD")
		require.Equal(t, added, strings.Contains(body, "Money that all open returns of the month need"), query)
	}
}

// The calendar lists the letters of authorities that are to be answered in the month.
func TestTheCalendarHasNotices(t *testing.T) {
	t.Parallel()
	one := func(id, due string) string {
		return `{"type":"NOTICE_OPEN","organization_id":"org_1","object_id":"` + id + `","title":"Letter ` + id + `","due":"` + due +
			`","amount":"125.40","currency":"USD"}`
	}
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/due_filings": `{}`,
		"GET /v1/exceptions": `{"total":2,"items":[` + one("notc_1", "2026-08-03") + "," + one("notc_2", "2026-09-03") + `]}`}
	shown := visitedWith(t, answers, "/filings/calendar?month=2026-08", nil).Body.String()
	require.Contains(t, shown, `href="/o/org_1/notices/notc_1"`)
	require.Contains(t, shown, "125.40 USD")
	require.NotContains(t, shown, "notc_2")
	inFlorida := visitedWith(t, answers, "/filings/calendar?month=2026-08&state_code=FL&country_code=US", nil)
	require.NotContains(t, inFlorida.Body.String(), "notc_1")
}

// A month with too many returns to add up is shown without the money, and says why.
func TestTheCalendarWithoutTheMoneyOfTooMany(t *testing.T) {
	t.Parallel()
	all := saying(map[string]string{"GET /v1/session": anAdmin, "GET /v1/due_filings": dueInAugust})
	refused := saying(map[string]string{"GET /v1/due_filings": `{"status":400,"code":"validation_failed","errors":[
		{"location":"query.money","code":"too_many","message":"30000 filings would have to be added up."}]}`})
	shown := visitedOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("money") == "true" {
			refused.ServeHTTP(w, r)
			return
		}
		all.ServeHTTP(w, r)
	}), "/filings/calendar?month=2026-08&money=true", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "30000 filings would have to be added up.")
	require.Contains(t, shown.Body.String(), "/filings/file_1")
	require.NotContains(t, shown.Body.String(), "Money that all open returns of the month need")
}

func TestTheCalendarAsAFile(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/due_filings/export": "due_date\r\n",
	}, "/filings/calendar/export?month=2026-08", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "due_date")
}

// An address with a month that does not exist is refused with a remedy: another month would pass for the one that was asked.
func TestTheCalendarRefusesAnUnknownMonth(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/filings/calendar?month=2026-13", "/filings/calendar/export?month=1850-01"} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/due_filings": `{}`, "GET /v1/exceptions": `{}`, "GET /v1/due_filings/export": "due_date",
		}, path, nil)
		require.Equal(t, http.StatusBadRequest, shown.Code, path)
		require.Contains(t, shown.Body.String(), "Write it like 2026-11")
		require.Contains(t, shown.Body.String(), `href="/filings/calendar"`)
	}
}
