package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/browser"
)

// anOnboarding returns an onboarding whose steps before the next are done; zero means that no step is next.
func anOnboarding(status string, next int) string {
	entries := make([]string, 0, len(steps))
	for n := 1; n <= len(steps); n++ {
		of := "PENDING"
		switch {
		case status == "CANCELLED":
			of = "COMPENSATED"
		case next == 0 || n < next:
			of = "COMPLETED"
		case n == next:
			of = "IN_PROGRESS"
		}
		entries = append(entries, fmt.Sprintf(`{"number":%d,"status":%q}`, n, of))
	}
	return fmt.Sprintf(`{"organization_id":"org_1","organization_name":"Shop","status":%q,"next_step":%d,`+
		`"since":"2026-10-01T00:00:00Z","expires_at":"2026-11-01T00:00:00Z","steps":[%s]}`, status, next,
		strings.Join(entries, ","))
}

// ofACompany returns the answers of an API about an organization in its onboarding, for a person with a role.
func ofACompany(role, onboarding string) map[string]string {
	return map[string]string{
		"GET /v1/session":    strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1),
		"GET /v1/onboarding": onboarding,
		"GET /v1/organization_details": `{"business_phone":"+1 212 555 0100","business_email":"office@example.com",
			"accounting_model":"CASH","business_contact_name":"Ada","business_contact_ssn":"****6789"}`,
	}
}

// The page of the company shows the next step and its time limit, and links to the steps that can be done. People who
// may not do them see who may.
func TestTheCompanyShowsWhatIsNext(t *testing.T) {
	t.Parallel()
	const next = `<a class="button" href="/o/org_1/company/5">Continue with step 5: Information</a>`
	shown := visitedWith(t, ofACompany("admin", anOnboarding("IN_PROGRESS", 5)), "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, next)
	require.Contains(t, shown, "expires 1 Nov 2026, 00:00 UTC")
	for step, opens := range map[string]bool{"2": false, "3": true, "4": true, "5": true, "6": false, "8": false} {
		require.Equal(t, opens, strings.Contains(shown, `<a href="/o/org_1/company/`+step+`">`), step)
	}
	require.Regexp(t, `<a href="/o/org_1/company" aria-current="page">Company</a>`, shown)

	shown = visitedWith(t, ofACompany("approver", anOnboarding("IN_PROGRESS", 5)), "/o/org_1/company", nil).Body.String()
	require.NotContains(t, shown, next)
	require.Contains(t, shown, "An admin of the organization does step 5, Information.")

	shown = visitedWith(t, ofACompany("admin", anOnboarding("IN_PROGRESS", 2)), "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, `The organization needs <a href="/o/org_1/keys">an API key</a>`)

	shown = visitedWith(t, ofACompany("admin", anOnboarding("COMPLETED", 0)), "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, "Open a step to change what it says.")
	require.Contains(t, shown, `<a href="/o/org_1/company/8">`)

	shown = visitedWith(t, ofACompany("admin", anOnboarding("CANCELLED", 0)), "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, "It was cancelled")
	require.NotContains(t, shown, "/company/3", "nothing can be done any more")
}

// The page of the company lists the errors of a step by field, as the page of the partner does.
func TestTheCompanyShowsWhatKeepsItsOnboarding(t *testing.T) {
	t.Parallel()
	stuck := strings.Replace(anOnboarding("IN_PROGRESS", 5), `"number":5,`, `"number":5,"refused":2,
		"error":"1 field is invalid: business_email.","errors":[
		{"location":"body.business_email","message":"Must be an e-mail address."}],`, 1)
	shown := visitedWith(t, ofACompany("admin", stuck), "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, "<li>Business email: Must be an e-mail address.</li>")
	require.Contains(t, shown, "2 attempts were refused.")
	require.Contains(t, shown, "To correct: business email</td>")
	require.NotContains(t, shown, "business_email")
}

// An admin fills in the form of a step. Other people who may read it see its values, with personal ones masked.
func TestAStepIsAFormForAdminsAlone(t *testing.T) {
	t.Parallel()
	const sends = `<form method="post" class="record" novalidate autocomplete="on">`
	shown := visitedWith(t, ofACompany("admin", anOnboarding("IN_PROGRESS", 6)), "/o/org_1/company/6", nil).Body.String()
	require.Contains(t, shown, sends)
	require.Contains(t, shown, "Save and continue")
	require.Contains(t, shown, `value="Ada"`)
	require.Contains(t, shown, "Saved: ****6789")
	require.Regexp(t, `name="business_contact_ssn"[^>]* value="" data-personal`, shown)
	require.Regexp(t, `name="business_contact_dob" type="text"[^>]* data-personal`, shown)
	require.NotRegexp(t, `name="business_contact_name"[^>]* data-personal`, shown)

	shown = visitedWith(t, ofACompany("viewer", anOnboarding("IN_PROGRESS", 6)), "/o/org_1/company/6", nil).Body.String()
	require.NotContains(t, shown, "<form method=\"post\" class")
	require.Contains(t, shown, "<dt>SSN or ITIN</dt><dd>****6789</dd>")
	shown = visitedWith(t, ofACompany("viewer", anOnboarding("IN_PROGRESS", 6)), "/o/org_1/company/5", nil).Body.String()
	require.Contains(t, shown, "<dt>Accounting</dt><dd>Cash: a sale counts when it is paid</dd>")
	shown = visitedWith(t, ofACompany("viewer", anOnboarding("IN_PROGRESS", 8)), "/o/org_1/company/8", nil).Body.String()
	require.Contains(t, shown, "Nothing was saved yet.")
}

// A step that cannot be done now has no form, nor has an unknown step.
func TestOnlyStepsThatAreToBeDoneAreOpened(t *testing.T) {
	t.Parallel()
	for path, code := range map[string]int{
		"5": http.StatusOK, "3": http.StatusOK, "6": http.StatusConflict, "2": http.StatusNotFound,
		"9": http.StatusNotFound, "x": http.StatusNotFound,
	} {
		answered := visitedWith(t, ofACompany("admin", anOnboarding("IN_PROGRESS", 5)), "/o/org_1/company/"+path, nil)
		require.Equal(t, code, answered.Code, path)
	}
	answered := visitedWith(t, ofACompany("admin", anOnboarding("COMPLETED", 0)), "/o/org_1/company/6", nil)
	require.Contains(t, answered.Body.String(), "<button>Save</button>")
	answered = visitedWith(t, ofACompany("admin", anOnboarding("EXPIRED", 0)), "/o/org_1/company/6", nil)
	require.Equal(t, http.StatusConflict, answered.Code)
	require.Contains(t, answered.Body.String(), `<a href="/o/org_1/company">`)
}

// A refused step is shown again with an error next to each field and with what was typed, except personal values.
func TestARefusedStepIsShownWithItsFaults(t *testing.T) {
	t.Parallel()
	answers := ofACompany("admin", anOnboarding("IN_PROGRESS", 6))
	answers["PUT /v1/organization_details/business_contact"] = `{"status":400,"code":"validation_failed","errors":[
		{"location":"body.business_contact_ssn","message":"Must be 9 digits."},
		{"location":"body.business_contact_email","message":"business_contact_email is required."}]}`
	answered := visitedWith(t, answers, "/o/org_1/company/6", url.Values{
		"business_contact_name": {"Eve"}, "business_contact_ssn": {"123-45-67"},
	})
	require.Equal(t, http.StatusBadRequest, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, `2 things need correcting; nothing was saved`)
	require.Contains(t, shown, `<a href="#business-contact-ssn">SSN or ITIN</a>: Must be 9 digits.`)
	require.Contains(t, shown, `<p class="bad" id="business-contact-email-wrong">This is needed.</p>`)
	require.Contains(t, shown, `value="Eve"`)
	require.NotContains(t, shown, "123-45-67")
	require.Contains(t, shown, "please type them once more")
	answers["PUT /v1/organization_details/business_contact"] = `{"status":503,"code":"service_unavailable","title":"No answer"}`
	shown = visitedWith(t, answers, "/o/org_1/company/6", url.Values{"business_contact_ssn": {"123-45-67"}}).Body.String()
	require.NotContains(t, shown, "123-45-67")
	require.Contains(t, shown, "please type them once more")
}

// The typed values are also preserved if the outcome is unknown. The page does not claim that nothing was changed.
func TestAStepWhoseOutcomeIsUnknownKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	answers := ofACompany("admin", anOnboarding("IN_PROGRESS", 5))
	for code, says := range map[string]bool{"outcome_unknown": false, "service_unavailable": true} {
		answers["PUT /v1/organization_details/business_information"] = `{"status":503,"code":"` + code + `","title":"No answer",
			"detail":"Send it again."}`
		answered := visitedWith(t, answers, "/o/org_1/company/5", url.Values{"business_phone": {"212 555 0199"}})
		require.Equal(t, http.StatusServiceUnavailable, answered.Code, code)
		require.Contains(t, answered.Body.String(), `value="212 555 0199"`, code)
		require.Contains(t, answered.Body.String(), "Send it again.", code)
		require.Equal(t, says, strings.Contains(answered.Body.String(), "Nothing was changed."), code)
	}
}

// A saved step leads to the next one. The last step and an edit lead back to the company.
func TestASavedStepLeadsOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ step, after, to string }{
		{"5", anOnboarding("IN_PROGRESS", 6), "/o/org_1/company/6"},
		{"4", anOnboarding("IN_PROGRESS", 6), "/o/org_1/company/5"},
		{"8", anOnboarding("COMPLETED", 0), "/o/org_1/company"},
		{"5", anOnboarding("COMPLETED", 0), "/o/org_1/company"},
	} {
		sent := ""
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPut:
				body, _ := io.ReadAll(r.Body)
				sent = r.URL.String() + " " + string(body)
				_, _ = io.WriteString(w, `{"onboarding":`+c.after+`,"warnings":[]}`)
			case r.URL.Path == "/v1/session":
				_, _ = io.WriteString(w, anAdmin)
			default:
				_, _ = io.WriteString(w, `{}`)
			}
		})
		answered := sendTo(t, api, "/o/org_1/company/"+c.step, url.Values{"bank_name": {"Bank"}})
		require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
		require.Equal(t, c.to, answered.Header().Get("Location"))
		if c.step == "8" {
			require.Equal(t, `/v1/bank_details {"bank_name":"Bank"}`, sent)
		}
	}
}

// The warnings of a saved step are shown before the next one, also after the last step of a link.
func TestWhatIsSavedButDoubtedIsSaid(t *testing.T) {
	t.Parallel()
	const doubt = `"warnings":[{"code":"account_holder_mismatch","location":"body.account_holder_name",
		"message":"It is not the name of the business."}]}`
	answers := ofACompany("admin", anOnboarding("IN_PROGRESS", 5))
	answers["PUT /v1/organization_details/business_address"] = `{"onboarding":` + anOnboarding("IN_PROGRESS", 5) + `,` + doubt
	answers["PUT /v1/bank_details"] = `{"onboarding":` + anOnboarding("COMPLETED", 0) + `,` + doubt
	answered := visitedWith(t, answers, "/o/org_1/company/4", url.Values{})
	require.Equal(t, http.StatusOK, answered.Code)
	require.Contains(t, answered.Body.String(), "<li>It is not the name of the business.</li>")
	require.Contains(t, answered.Body.String(), `href="/o/org_1/company/5">Continue with step 5: Information</a>`)

	joined := func(step int) string {
		answers["GET /v1/onboarding"] = ofAnInvited(anOnboarding("IN_PROGRESS", step))
		request := httptest.NewRequest(http.MethodPost, fmt.Sprintf("/join/step/%d", step), strings.NewReader("for=org_1&consent=true"))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.AddCookie(&http.Cookie{Name: browser.LinkCookie, Value: "x"})
		return answeredBy(t, saying(answers), request).Body.String()
	}
	shown := joined(4)
	require.Contains(t, shown, "<li>It is not the name of the business.</li>")
	require.Contains(t, shown, `href="/join/step/5">Continue: Information</a>`)
	shown = joined(8)
	require.Contains(t, shown, "All steps are done")
	require.Contains(t, shown, "<li>It is not the name of the business.</li>")
}

// The form of a step that cannot be done any more leads back to the company.
func TestAStepThatIsOverLeadsBackToTheCompany(t *testing.T) {
	t.Parallel()
	answers := ofACompany("admin", anOnboarding("CANCELLED", 0))
	for _, refusal := range []string{
		`{"status":409,"code":"onboarding_not_active","title":"The onboarding is over"}`,
		`{"status":400,"code":"validation_failed","errors":[{"location":"body.business_phone","message":"No."}]}`,
	} {
		answers["PUT /v1/organization_details/business_information"] = refusal
		answered := visitedWith(t, answers, "/o/org_1/company/5", url.Values{})
		require.Equal(t, http.StatusConflict, answered.Code)
		require.Contains(t, answered.Body.String(), `<p><a href="/o/org_1/company">Go`)
	}
}

// Warnings have labels instead of codes.
func TestDoubtsAreSaidInWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, "The address of the US office could not be verified: it is partially verified.",
		warning{contract.Warning{Message: "The address of the US office could not be verified: it is PARTIALLY_VERIFIED."}}.Text())
}

// Every step is its call of the API. A partner does no step of its client, but creates a link.
func TestStepsAreDoneByTheOrganizationItself(t *testing.T) {
	t.Parallel()
	for step, operation := range map[string]string{
		"3": "putBusinessDetails", "4": "putBusinessAddress", "5": "putBusinessInformation", "6": "putBusinessContact",
		"7": "putBusinessOwners", "8": "putBankDetails",
	} {
		api := &refusingAPI{router: contractPathsOf(t)}
		answered := sendTo(t, api, "/o/org_1/company/"+step, url.Values{})
		require.Equal(t, []string{operation}, api.asked)
		require.Equal(t, http.StatusForbidden, answered.Code)
	}
	answers := ofACompany("admin", anOnboarding("IN_PROGRESS", 5))
	answers["GET /v1/organizations/org_2"] = `{"id":"org_2"}`
	answered := visitedWith(t, answers, "/o/org_2/company", nil)
	require.Equal(t, http.StatusForbidden, answered.Code)
	require.NotContains(t, answered.Body.String(), `href="/o/org_2/company"`)
	answers["GET /v1/session"] = `{"staff_role":"auditor"}`
	shown := visitedWith(t, answers, "/o/org_1/company", nil).Body.String()
	require.Contains(t, shown, "5. Information")
	require.NotContains(t, shown, `/company/3"`, "which auditors may not read")
}

// An exception about a stuck onboarding leads an admin of the organization to the step; only an admin could do it.
func TestAStuckOnboardingLeadsToItsStep(t *testing.T) {
	t.Parallel()
	const link = `<a class="button plain" href="/o/org_1/company">Do the next step</a>`
	answers := ofACompany("admin", "")
	answers["GET /v1/session/views"] = `{}`
	answers["GET /v1/exceptions"] = `{"items":[{"type":"ONBOARDING_STUCK","organization_id":"org_1","object_id":"org_1"}]}`
	require.Contains(t, visitedWith(t, answers, "/exceptions", nil).Body.String(), link)
	for _, session := range []string{ofACompany("approver", "")["GET /v1/session"], `{"staff_role":"operator"}`} {
		answers["GET /v1/session"] = session
		require.NotContains(t, visitedWith(t, answers, "/exceptions", nil).Body.String(), link, session)
	}
}
