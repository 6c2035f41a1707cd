package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of a return whose approval is blocked shows that, and has a form to unblock it for people who may change it.
func TestABlockedReturnIsUnblocked(t *testing.T) {
	t.Parallel()
	const form = `name="action" value="unblock"`
	shown := returnFor(t, "preparer", blockedReturn+`,"internal_notes":"Ask <Ada>"`)
	require.Contains(t, shown, form)
	require.Contains(t, shown, "It cannot be approved yet: its approval is blocked.")
	require.Contains(t, shown, "Internal notes: “<bdi>Ask &lt;Ada&gt;</bdi>”")
	require.Contains(t, shown, `href="/o/org_1/audit?object_id=file_1"`)
	require.Contains(t, returnFor(t, "approver", blockedReturn), "no internal notes")
	require.NotContains(t, returnFor(t, "viewer", blockedReturn), form)
	require.NotContains(t, returnFor(t, "admin", ""), form)
	for status, offered := range whileChangeable {
		shown := returnFor(t, "admin", blockedReturn+`,"status":"`+status+`"`)
		require.Equal(t, offered, strings.Contains(shown, form), status)
	}
	require.Equal(t, `{"block_approval":false}`, sentForReturn(t, url.Values{"action": {"unblock"}}))
}

// A person who may change a return blocks its approval with a reason. The page explains the effect, and existing notes
// are in the form.
func TestTheApprovalOfAReturnIsBlocked(t *testing.T) {
	t.Parallel()
	const form = `name="action" value="block"`
	shown := returnFor(t, "preparer", `,"internal_notes":"Ask <Ada>"`)
	require.Contains(t, shown, form)
	require.Contains(t, shown, "It is not approved, by a person or automatically, until it is unblocked.")
	require.Contains(t, shown, "\nAsk &lt;Ada&gt;</textarea>")
	require.NotContains(t, shown, "Retry stays possible")
	require.Contains(t, returnFor(t, "approver", `,"status":"ISSUE"`), "Retry stays possible")
	require.NotContains(t, returnFor(t, "viewer", ""), form)
	require.NotContains(t, returnFor(t, "admin", blockedReturn), form)
	for status, offered := range whileChangeable {
		require.Equal(t, offered, strings.Contains(returnFor(t, "admin", `,"status":"`+status+`"`), form), status)
	}
	require.JSONEq(t, `{"block_approval":true,"internal_notes":"A sale is missing.\nAsk Ada."}`,
		sentForReturn(t, url.Values{"action": {"block"}, "internal_notes": {"A sale is missing.\r\nAsk Ada."}}))

	refused := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": aReturn, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
		"PUT /v1/filings/file_1": `{"status":409,"code":"x","title":"It has changed"}`,
	}, "/o/org_1/filings/file_1", url.Values{"action": {"block"}, "internal_notes": {"A sale is missing."}})
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Contains(t, refused.Body.String(), "<details open><summary>Block the approval")
	require.Contains(t, refused.Body.String(), "\nA sale is missing.</textarea>")
}

// The page of a return whose authority does not answer shows that, and what to do when it is due soon.
func TestAReturnSaysThatItsAuthorityDoesNotAnswer(t *testing.T) {
	t.Parallel()
	const waits = `,"status":"FILING","authority_unanswered_since":"2026-03-02T09:30:00Z","due_date":`
	says := "The authority has not answered since 2 Mar 2026, 09:30 UTC. Levy tries again automatically."
	soon, later := returnFor(t, "viewer", waits+`"2026-03-05"`), returnFor(t, "viewer", waits+`"2999-01-20"`)
	require.Contains(t, soon, says)
	require.Contains(t, soon, "ask the authority whether it has the return")
	require.Contains(t, later, says)
	require.NotContains(t, later, "ask the authority whether it has the return")
	require.NotContains(t, returnFor(t, "viewer", `,"status":"FILING"`), "has not answered")

	answers := ofARegistration("viewer", "VALIDATING")
	answers["GET /v1/registrations/regs_1"] = strings.Replace(answers["GET /v1/registrations/regs_1"], "{",
		`{"authority_unanswered_since":"2026-03-02T09:30:00Z",`, 1)
	require.Contains(t, visitedWith(t, answers, "/o/org_1/registrations/regs_1", nil).Body.String(), says)
}

// The page of a return that no adapter files asks a person to file it, and where.
func TestAReturnThatPeopleFileSaysSo(t *testing.T) {
	t.Parallel()
	const says = "Levy has no connection to this authority: file the return there, " +
		`<a href="https://tax.example" rel="noreferrer">on its website</a>, and enter the confirmation.`
	const site = `,"status":"FILING","filing_website_url":"https://tax.example"`
	require.Contains(t, returnFor(t, "viewer", site+`,"awaits_confirmation":true`), says)
	require.NotContains(t, returnFor(t, "viewer", site), "on its website")

	for status, waits := range map[string]string{
		"VALIDATING":    "waiting for a person to register there and enter the confirmation",
		"DEREGISTERING": "waiting for the last return, and a person to end it with the authority",
	} {
		answers := ofARegistration("viewer", status)
		answers["GET /v1/registrations/regs_1"] = strings.Replace(answers["GET /v1/registrations/regs_1"], "{",
			`{"awaits_confirmation":true,`, 1)
		require.Contains(t, visitedWith(t, answers, "/o/org_1/registrations/regs_1", nil).Body.String(), waits)
	}
}

// A preparer of a return that could be approved sees which role approves it.
func TestAPreparerIsShownWhoApprovesAReturn(t *testing.T) {
	t.Parallel()
	const says = "Approving it needs the role of an approver."
	require.Contains(t, returnFor(t, "preparer", ""), says)
	require.NotContains(t, returnFor(t, "approver", ""), says)
	require.NotContains(t, returnFor(t, "preparer", blockedReturn), says)
	require.NotContains(t, returnFor(t, "preparer", `,"status":"FILED"`), says)
}

// The page of an amendment links to the amended return and names the causes.
func TestAnAmendmentNamesItsReturn(t *testing.T) {
	t.Parallel()
	shown := returnFor(t, "viewer", `,"filing_category":"AMENDMENT","amends_filing_id":"file_0","amendment_causes":[
		{"reason":"LATE","transactions":1},{"reason":"CHANGED","transactions":2},{"reason":"CREDIT_NOTE","transactions":1}]`)
	require.Contains(t, shown, `Amendment of <a href="/o/org_1/filings/file_0">the return that was filed</a>. Since then `+
		`1 transaction came too late, 2 transactions were changed, 1 credit note was created.`)
	require.Contains(t, returnFor(t, "viewer", `,"filing_category":"PREPAYMENT"`), "<p>Prepayment.</p>")
	require.NotContains(t, returnFor(t, "viewer", `,"filing_category":"REGULAR"`), "Regular")
}

// A filed return links to its own amendments only, and shows whether they are filed.
func TestAFiledReturnLinksToItsAmendments(t *testing.T) {
	t.Parallel()
	filed := aReturn[:len(aReturn)-1] + `,"status":"FILED","filing_category":"REGULAR","registration_id":"regs_1"}`
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": filed, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
	}
	asked := url.Values{}
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/filings" && r.URL.Query().Get("filing_category__in") == "AMENDMENT" {
			asked = r.URL.Query()
			_, _ = io.WriteString(w, `{"items":[
				{"id":"file_2","organization_id":"org_1","status":"FILED","date_filed":"2026-03-03","amends_filing_id":"file_1"},
				{"id":"file_3","organization_id":"org_1","status":"UNFILED","amends_filing_id":"file_1"},
				{"id":"file_4","organization_id":"org_1","status":"UNFILED","amends_filing_id":"file_9"}]}`)
			return
		}
		saying(answers).ServeHTTP(w, r)
	})
	page := func() string {
		return answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/filings/file_1", nil)).Body.String()
	}
	shown := page()
	require.Contains(t, shown, `<a href="/o/org_1/filings/file_2">amendment, filed on 3 Mar 2026</a>`)
	require.Contains(t, shown, `<a href="/o/org_1/filings/file_3">amendment, not filed yet</a>`)
	require.NotContains(t, shown, "file_4")
	require.Equal(t, "regs_1", asked.Get("registration_id"))
	require.Equal(t, "2026-01-01", asked.Get("start_date"))
	require.Equal(t, "2026-01-31", asked.Get("end_date"))

	answers["GET /v1/filings/file_1"] = aReturn
	require.NotContains(t, page(), "file_2", "a return that was never submitted has no amendment")
}

// The history of a return has readable reasons, each once, and the number of transactions that an approval left out.
func TestTheHistoryOfAReturnIsSaidInWords(t *testing.T) {
	t.Parallel()
	answered := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings": `{}`, "GET /v1/filings/file_1/report": `{}`,
		"GET /v1/filings/file_1": aReturn[:len(aReturn)-1] + `,"status":"ISSUE","issue_reason":"SIMULATED_REJECTION"}`,
		"GET /v1/audit":          `{}`,
		"GET /v1/filings/file_1/history": `{"items":[
			{"action":"CREATED","reason":"OWES_AFTER_SKIP"},
			{"action":"APPROVED","excluded_unresolved":{"transaction_count":2}},
			{"action":"REJECTED","reason":"SIMULATED_REJECTION","authority":
				{"name":"simulated","code":"SIMULATED_REJECTION","message":"Its notes ask for it."}}]}`,
	}, "/o/org_1/filings/file_1", nil)
	shown := answered.Body.String()
	require.NotContains(t, shown, "SIMULATED_REJECTION")
	require.Contains(t, shown, `<span class="bad">Simulated rejection</span>`)
	require.Contains(t, shown, "<b>Created</b>: <bdi>something is owed, so the period needs a return after all</bdi>")
	require.Contains(t, shown, "<b>Approved</b>, without 2 unresolved transactions")
	require.Contains(t, shown, "<b>Rejected</b>: <bdi>Simulated rejection</bdi> (simulated: Its notes ask for it.)")

	listed := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
		"GET /v1/exceptions": `{"items":[{"reason":"An issue was reported: SIMULATED_REJECTION."}]}`,
	}, "/exceptions", nil)
	require.Contains(t, listed.Body.String(), "An issue was reported: simulated rejection.")
}

const blockedReturn = `,"block_approval":true,"approval_blockers":["BLOCKED"]`

// whileChangeable are the statuses in which the approval of a return can be blocked and unblocked.
var whileChangeable = map[string]bool{
	"UNFILED": true, "PAUSED": true, "ISSUE": true, "FILING": false, "FILED": false, "SKIPPED": false, "CANCELLED": false,
}

// returnFor returns the page of a return for a person with a role. changes are members of the return.
func returnFor(t *testing.T, role, changes string) string {
	t.Helper()
	answered := visitedWith(t, map[string]string{
		"GET /v1/session": strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1), "GET /v1/filings": `{}`,
		"GET /v1/filings/file_1": aReturn[:len(aReturn)-1] + changes + `}`,
		"GET /v1/audit":          `{}`, "GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`,
	}, "/o/org_1/filings/file_1", nil)
	require.Equal(t, http.StatusOK, answered.Code, answered.Body)
	return answered.Body.String()
}

// sentForReturn returns the update that a form of the page of a return sends. The form leads back to the page.
func sentForReturn(t *testing.T, form url.Values) (sent string) {
	t.Helper()
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method == http.MethodPut && r.URL.Path == "/v1/filings/file_1" {
			sent = string(body)
		}
		_, _ = io.WriteString(w, anAdmin)
	})
	answered := sendTo(t, api, "/o/org_1/filings/file_1", form)
	require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
	require.Equal(t, "/o/org_1/filings/file_1", answered.Header().Get("Location"))
	return sent
}

// sendTo sends a form to a console over an API.
func sendTo(t *testing.T, api http.Handler, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return answeredBy(t, api, request)
}

// People who may read a return may verify it: that changes nothing.
func TestReadersCheckWhatWasFiled(t *testing.T) {
	t.Parallel()
	require.Contains(t, returnFor(t, "viewer", `,"status":"FILED"`), `name="action" value="verify"`)
}

// An empty list of returns explains where returns come from, unless a filter leaves all of them out.
func TestAListWithoutReturnsSaysWhatMakesOne(t *testing.T) {
	t.Parallel()
	for total, says := range map[string]string{
		"0": `There are no returns yet. They come with a <a href="/o/org_1/registrations">registration</a>.`,
		"3": "No returns match.",
	} {
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/v1/session":
				_, _ = io.WriteString(w, anAdmin)
			case r.URL.Path == "/v1/due_filings" && !r.URL.Query().Has("status__in"):
				_, _ = io.WriteString(w, `{"total":`+total+`}`)
			default:
				_, _ = io.WriteString(w, `{}`)
			}
		})
		request := httptest.NewRequest(http.MethodGet, "/filings?organization_id=org_1", nil)
		require.Contains(t, answeredBy(t, api, request).Body.String(), says)
	}
}

// The file of a report is named by its jurisdiction and period.
func TestTheFileOfAReportIsCalledByItsPeriod(t *testing.T) {
	t.Parallel()
	for place, name := range map[string]string{
		`"country_code":"US","state_code":"NY"`: "US-NY", `"country_code":"FR","state_code":"FR"`: "FR",
	} {
		file := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/filings/file_1/report": "%PDF",
			"GET /v1/filings/file_1": `{` + place + `,"start_date":"2026-01-01","end_date":"2026-01-31"}`,
		}, "/o/org_1/filings/file_1/report?format=pdf", nil)
		require.Equal(t, "%PDF", file.Body.String())
		require.Equal(t, `attachment; filename="`+name+` 2026-01-01 to 2026-01-31 file_1.pdf"`,
			file.Header().Get("Content-Disposition"))
	}
}

// A return on which tax is owed offers no skipping, which would be refused. Amounts that most returns lack are one line.
func TestAReturnOffersWhatIsPossible(t *testing.T) {
	t.Parallel()
	owed := returnFor(t, "approver", `,"total_tax_liability":"5.00","amount_fees":"3.00","amount_discounts":"0.00"`)
	require.NotContains(t, owed, "Skip this return")
	require.Contains(t, owed, `<th role="rowheader" scope="row">Fees</th>`)
	require.NotContains(t, owed, `<th role="rowheader" scope="row">Discounts</th>`)
	require.Contains(t, owed, `<span data-figure="Discounts">0.00</span>`)
	require.Contains(t, returnFor(t, "approver", `,"total_tax_liability":"0.00"`), "Skip this return")
}
