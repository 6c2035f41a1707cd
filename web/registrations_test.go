package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The origin of a registration is shown.
func TestWhereARegistrationWasMadeIsSaid(t *testing.T) {
	t.Parallel()
	body := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/registrations": `{"items":[
			{"id":"reg_1","country_code":"IE","state_code":"IE","registration_import_type":"OSS","status":"REGISTERED"},
			{"id":"reg_2","country_code":"US","state_code":"OH","registration_import_type":"SST","status":"REGISTERED"},
			{"id":"reg_3","country_code":"US","state_code":"NY","registration_import_type":"REGULAR","status":"REGISTERED"}]}`,
	}, "/o/org_1/registrations", nil).Body.String()
	require.Contains(t, body, ">One-stop shop</span>")
	require.Contains(t, body, ">Streamlined Sales Tax</span>")
	require.NotContains(t, body, "Regular")
}

// ofARegistration returns the answers of an API about a registration, for a person with a role.
func ofARegistration(role, status string) map[string]string {
	return map[string]string{
		"GET /v1/session": strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1),
		"GET /v1/audit":   `{}`,
		"GET /v1/registrations/regs_1": `{"id":"regs_1","country_code":"US","state_code":"NY","state_name":"New York",
			"status":"` + status + `"}`,
		"GET /v1/filings/registration/regs_1": `{}`,
	}
}

// sentForRegistration returns the call of a form on the page of a registration, and the page after it.
func sentForRegistration(t *testing.T, form url.Values) (sent, to string) {
	t.Helper()
	says := saying(ofARegistration("admin", "REGISTERED"))
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			says.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		_, _ = io.WriteString(w, `{"id":"file_1"}`)
	})
	answered := sendTo(t, api, "/o/org_1/registrations/regs_1", form)
	require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
	return sent, answered.Header().Get("Location")
}

// People who may change a registration enter the answer of its authority.
func TestTheAnswerOfAnAuthorityIsEntered(t *testing.T) {
	t.Parallel()
	const confirmed, closed = `name="action" value="confirm"`, `name="action" value="closed"`
	for status, offered := range map[string][2]bool{
		"UNREGISTERED": {}, "PROCESSING": {true, false}, "VALIDATING": {true, false},
		"AWAITING_CLARIFICATION": {true, false}, "REGISTERED": {}, "DEREGISTERING": {false, true}, "DEREGISTERED": {},
		"CANCELLED": {},
	} {
		shown := visitedWith(t, ofARegistration("preparer", status), "/o/org_1/registrations/regs_1", nil).Body.String()
		found := [2]bool{strings.Contains(shown, confirmed), strings.Contains(shown, closed)}
		require.Equal(t, offered, found, status)
		shown = visitedWith(t, ofARegistration("viewer", status), "/o/org_1/registrations/regs_1", nil).Body.String()
		require.NotContains(t, shown, `method="post" novalidate`, status)
		require.NotContains(t, shown, `name="action"`, status)
	}
	sent, to := sentForRegistration(t, url.Values{
		"action": {"confirm"}, "registration_date": {"2026-02-03"}, "sales_tax_id": {"NY-1"},
	})
	require.JSONEq(t, `{"status":"REGISTERED","registration_date":"2026-02-03","sales_tax_id":"NY-1"}`, sent)
	require.Equal(t, "/o/org_1/registrations/regs_1", to)
	sent, _ = sentForRegistration(t, url.Values{"action": {"confirm"}, "registration_date": {""}})
	require.JSONEq(t, `{"status":"REGISTERED"}`, sent)
	sent, _ = sentForRegistration(t, url.Values{"action": {"closed"}})
	require.JSONEq(t, `{"status":"DEREGISTERED"}`, sent)
}

// A return is created from its registration, which has its jurisdiction. Only an approver records one as filed.
func TestAReturnIsCreatedFromItsRegistration(t *testing.T) {
	t.Parallel()
	const form, elsewhere = `name="action" value="return"`, `name="filed_elsewhere"`
	for _, c := range []struct {
		role, status  string
		offered, past bool
	}{
		{"viewer", "REGISTERED", false, false}, {"preparer", "REGISTERED", true, false}, {"approver", "REGISTERED", true, true},
		{"admin", "DEREGISTERED", false, false},
	} {
		shown := visitedWith(t, ofARegistration(c.role, c.status), "/o/org_1/registrations/regs_1", nil).Body.String()
		require.Equal(t, []bool{c.offered, c.past}, []bool{strings.Contains(shown, form), strings.Contains(shown, elsewhere)}, c)
	}
	sent, to := sentForRegistration(t, url.Values{
		"action": {"return"}, "start_date": {"2026-11-01"}, "end_date": {"2026-11-30"}, "filing_category": {"REGULAR"},
	})
	require.JSONEq(t, `{"registration_id":"regs_1","country_code":"US","state_code":"NY","state_name":"New York",
		"status":"UNFILED","start_date":"2026-11-01","end_date":"2026-11-30","filing_category":"REGULAR"}`, sent)
	require.Equal(t, "/o/org_1/filings/file_1", to)
	sent, _ = sentForRegistration(t,
		url.Values{"action": {"return"}, "filed_elsewhere": {"true"}, "date_filed": {"2026-02-03"}})
	require.Contains(t, sent, `"status":"FILED"`)
	require.Contains(t, sent, `"date_filed":"2026-02-03"`)

	answers := ofARegistration("admin", "REGISTERED")
	typed := url.Values{"action": {"return"}, "start_date": {"2026-10-01"}, "date_filed": {"2026-11-03"}}
	refused := visitedWith(t, answers, "/o/org_1/registrations/regs_1", typed)
	require.Equal(t, http.StatusBadRequest, refused.Code, "of one that is not filed no day of filing is kept")
	require.Contains(t, refused.Body.String(), `id="date-filed-wrong">Only a return that was filed already has such a day.`)
	answers["POST /v1/filings"] = `{"status":503,"code":"service_unavailable","title":"No answer"}`
	typed.Del("date_filed")
	refused = visitedWith(t, answers, "/o/org_1/registrations/regs_1", typed)
	require.Equal(t, http.StatusServiceUnavailable, refused.Code)
	require.Contains(t, refused.Body.String(), `value="1 Oct 2026"`, "what was typed stays")
	answers["POST /v1/filings"] = `{"status":400,"code":"x","errors":[
		{"location":"body.end_date","message":"end_date must not be before start_date."}]}`
	answered := visitedWith(t, answers, "/o/org_1/registrations/regs_1", url.Values{
		"action": {"return"}, "start_date": {"2026-12-01"}, "end_date": {"2026-11-30"}, "filed_elsewhere": {"true"},
	})
	require.Equal(t, http.StatusBadRequest, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, `<details class="group" open><summary>Create a return`)
	require.Contains(t, shown, `id="end-date-wrong">This must not be before “First day”.</p>`)
	require.Contains(t, shown, `value="1 Dec 2026"`)
	require.Contains(t, shown, `name="filed_elsewhere" value="true" checked`)
}

// The form of data for returns sends all specific fields: typed ones as they are, emptied ones not at all.
func TestDataForReturnsIsSentWithTheOtherFields(t *testing.T) {
	t.Parallel()
	sent, to := sentForRegistration(t, url.Values{"action": {"data"}, "data_certificate_county": {" Duval "}, "data_payment_method": {""}})
	require.JSONEq(t, `{"jurisdiction_specific_fields":{"certificate_county":"Duval"}}`, sent)
	require.Equal(t, "/o/org_1/registrations/regs_1", to)
}
