package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A filed return is amended on its page, with a reason and amounts. The page of the amendment follows.
func TestAFiledReturnIsAmendedOnItsPage(t *testing.T) {
	t.Parallel()
	const filed = `,"status":"FILED"`
	require.Contains(t, returnFor(t, "preparer", filed), `name="action" value="amend"`)
	require.NotContains(t, returnFor(t, "viewer", filed), `name="action" value="amend"`)
	require.NotContains(t, returnFor(t, "preparer", `,"status":"FILING"`), `name="action" value="amend"`)

	answers := map[string]string{"GET /v1/session": anAdmin, "POST /v1/filings/file_1/amend": `{"id":"file_2"}`}
	form := url.Values{"action": {"amend"}, "reason": {"Penalty of the notice of 3 July"}, "amount_penalties": {"25.00"}, "amount_fees": {""}}
	answered := visitedWith(t, answers, "/o/org_1/filings/file_1", form)
	require.Equal(t, "/o/org_1/filings/file_2", answered.Header().Get("Location"), answered.Body)
	_, sent := bodiesSent(t, answers, "/o/org_1/filings/file_1", form)
	require.Equal(t, []string{`{"amount_penalties":"25.00","reason":"Penalty of the notice of 3 July"}`}, sent)
}

// A return is not amended on its page while an amendment of it is open.
func TestOneAmendmentIsOpenAtATime(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": strings.Replace(aReturn, "UNFILED", "FILED", 1),
		"GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`,
		"GET /v1/filings": `{"items":[{"id":"file_2","amends_filing_id":"file_1","status":"UNFILED"}]}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/filings/file_1", nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "/o/org_1/filings/file_2")
	require.NotContains(t, shown.Body.String(), `value="amend"`)
}

// Registering asks for what decides about money, and says which tax is owed from before.
func TestRegisteringAsksForDateFrequencyAndBackTax(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "POST /v1/nexus/nexs_1/register": `{"id":"reg_1"}`, "GET /v1/nexus/nexs_1/months": `{}`,
		"GET /v1/nexus/nexs_1": `{"id":"nexs_1","status":"EXPOSED","nexus_met":true,"tax_liability":"4321.00","currency":"USD",` +
			`"obligation_start_date":"2026-02-01"}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/nexus/nexs_1", nil).Body.String()
	require.Contains(t, shown, "<b>4,321.00 USD</b>, since")
	require.Contains(t, shown, "1 Feb 2026")
	require.NotContains(t, shown, "voluntary disclosure, which")
	for _, name := range []string{"filing_frequency", "registration_date", "create_filings_from", "vda"} {
		require.Contains(t, shown, `name="`+name+`"`)
	}
	_, sent := bodiesSent(t, answers, "/o/org_1/nexus/nexs_1", url.Values{
		"action": {"register"}, "filing_frequency": {"QUARTERLY"}, "create_filings_from": {"2026-02-01"}, "vda": {"true"},
	})
	require.Equal(t, []string{`{"create_filings_from":"2026-02-01","filing_frequency":"QUARTERLY","vda":true}`}, sent)
	_, sent = bodiesSent(t, answers, "/o/org_1/nexus/nexs_1", url.Values{"action": {"register"}})
	require.Equal(t, []string{`{}`}, sent, "as is usual there")
}

// Where a voluntary disclosure is possible, nobody registers without knowing that it may be lost.
func TestRegisteringMayForfeitADisclosure(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "POST /v1/nexus/nexs_1/register": `{"id":"reg_1"}`, "GET /v1/nexus/nexs_1/months": `{}`,
		"GET /v1/nexus/nexs_1": `{"id":"nexs_1","status":"EXPOSED","vda_eligible":true}`,
	}
	const path = "/o/org_1/nexus/nexs_1"
	require.Contains(t, visitedWith(t, answers, path, nil).Body.String(), "Registering first may forfeit a voluntary disclosure")
	page, sent := bodiesSent(t, answers, path, url.Values{"action": {"register"}, "filing_frequency": {"MONTHLY"}})
	require.Empty(t, sent)
	require.Contains(t, page, "A voluntary disclosure may be lost")
	require.Contains(t, page, `<option value="MONTHLY" selected>`)
	for _, box := range []string{"aware", "vda"} {
		_, sent = bodiesSent(t, answers, path, url.Values{"action": {"register"}, box: {"true"}})
		require.Len(t, sent, 1, box)
	}
}
