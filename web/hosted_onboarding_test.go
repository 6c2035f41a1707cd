package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/browser"
)

// byLinkOf answers a client with a link: a form, or a page if form is nil.
func byLinkOf(t *testing.T, answers map[string]string, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	if form != nil {
		form.Set("for", "org_1")
		request = httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request.AddCookie(&http.Cookie{Name: browser.LinkCookie, Value: "x"})
	return answeredBy(t, saying(answers), request)
}

// A shop owner sees the six steps with forms, and nothing of a key. The country is there, numbers open their keyboard, and
// the page says where help is.
func TestAClientSeesOnlyWhatItFillsIn(t *testing.T) {
	t.Parallel()
	for _, next := range []int{2, 3} {
		answers := map[string]string{"GET /v1/onboarding": anOnboarding("IN_PROGRESS", next)}
		require.Equal(t, "/join/step/3", byLinkOf(t, answers, "/join", nil).Header().Get("Location"))
		shown := byLinkOf(t, answers, "/join/step/3", nil)
		require.Equal(t, http.StatusOK, shown.Code, shown.Body)
		page := shown.Body.String()
		require.Contains(t, page, "<h1>1 of 6: Details</h1>")
		require.NotContains(t, page, "API key")
		require.Contains(t, page, `<option value="US" selected>`)
		require.Regexp(t, `<input id="ein"[^>]* inputmode="numeric"`, page)
		require.Contains(t, page, `<h2 id="help">Help</h2>`)
		require.Equal(t, http.StatusNotFound, byLinkOf(t, answers, "/join/step/2", nil).Code)
	}
}

// The first form of a link from before creates the key, which nobody sees, and does its own step then.
func TestAnOlderLinkCreatesTheKeyUnseen(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/onboarding": anOnboarding("IN_PROGRESS", 2), "POST /v1/organizations/api_keys": `{"api_key":"levy_live_unseen"}`,
		"PUT /v1/organization_details/business_details": `{"onboarding":` + anOnboarding("IN_PROGRESS", 4) + `}`,
	}
	answered := byLinkOf(t, answers, "/join/step/3", url.Values{"entity_type": {"LLC"}})
	require.Equal(t, "/join/step/4", answered.Header().Get("Location"), answered.Body)
	require.NotContains(t, answered.Body.String(), "levy_live_unseen")

	of := ofAClient()
	require.NotContains(t, visitedWith(t, of, "/o/org_1/clients/org_2", nil).Body.String(), "No one has the key")
	of["GET /v1/organizations/api_keys"] = `{"items":[{"name":"` + unseenKey + `","status":"ACTIVE"}]}`
	require.Contains(t, visitedWith(t, of, "/o/org_1/clients/org_2", nil).Body.String(), "No one has the key of step 2")
}

// ofAClient returns the answers about a client whose key is its next step, for an admin of its partner.
func ofAClient() map[string]string {
	return map[string]string{
		"GET /v1/session":          strings.Replace(anAdmin, `"role"`, `"root":true,"role"`, 1),
		"GET /v1/onboarding/org_2": strings.Replace(anOnboarding("IN_PROGRESS", 2), "org_1", "org_2", 1),
		"GET /v1/nexus":            `{}`, "GET /v1/registrations": `{}`, "GET /v1/filings": `{}`, "GET /v1/organizations/api_keys": `{}`,
		"POST /v1/onboarding/org_2/link": `{"path":"/join/new"}`, "POST /v1/organizations/api_keys": `{"api_key":"levy_live_first"}`,
	}
}

// Step 2 is done with the link: the partner gets the key.
func TestThePartnerGetsTheKeyWithTheLink(t *testing.T) {
	t.Parallel()
	answers := ofAClient()
	shown := visitedWith(t, answers, "/o/org_1/clients/org_2/link", url.Values{}).Body.String()
	require.Contains(t, shown, "/join/new")
	require.Contains(t, shown, "<code>levy_live_first</code>")
	answers["GET /v1/onboarding/org_2"] = strings.Replace(anOnboarding("IN_PROGRESS", 4), "org_1", "org_2", 1)
	shown = visitedWith(t, answers, "/o/org_1/clients/org_2/link", url.Values{}).Body.String()
	require.Contains(t, shown, "/join/new")
	require.NotContains(t, shown, "levy_live_first")
}

// A lost answer keeps what was typed, and says that the form can be sent again.
func TestALostAnswerSaysWhatToDo(t *testing.T) {
	t.Parallel()
	answered := byLinkOf(t, map[string]string{
		"GET /v1/onboarding": anOnboarding("IN_PROGRESS", 4), "GET /v1/organization_details": `{}`,
		"PUT /v1/organization_details/business_address": `{"status":503,"code":"outcome_unknown","title":"Unknown"}`,
	}, "/join/step/4", url.Values{"company_city": {"Troy"}})
	require.Equal(t, http.StatusServiceUnavailable, answered.Code)
	require.Contains(t, answered.Body.String(), "Press again: nothing is done twice.")
	require.Contains(t, answered.Body.String(), `value="Troy"`)
}

// The address of a person is that of the company if its box is ticked.
func TestAnAddressIsThatOfTheCompany(t *testing.T) {
	t.Parallel()
	typed := url.Values{"same_as_company_business_contact_": {"true"}, "business_contact_city": {"Typed"}}
	copyAddresses(map[string]any{"company_address_1": "350 5th Ave", "company_city": "New York", "company_country_code": "US"}, typed)
	require.Equal(t, []string{"350 5th Ave", "New York", "US", ""}, []string{typed.Get("business_contact_address_1"),
		typed.Get("business_contact_city"), typed.Get("business_contact_country_code"), typed.Get("business_contact_address_2")})
	require.NotContains(t, stepForms[6].body(nil, typed), "same_as_company_business_contact_")
	other := url.Values{"business_contact_city": {"Typed"}}
	copyAddresses(map[string]any{"company_city": "New York"}, other)
	require.Equal(t, "Typed", other.Get("business_contact_city"))
}

// The last step comes with a summary of the others, and is not sent without a consent.
func TestALinkEndsWithASummaryAndConsent(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/onboarding":           anOnboarding("IN_PROGRESS", 8),
		"GET /v1/organization_details": `{"entity_type":"LLC","company_city":"Troy","business_contact_ssn":"****6799"}`,
		"PUT /v1/bank_details":         `{"onboarding":` + anOnboarding("COMPLETED", 0) + `}`,
	}
	shown := byLinkOf(t, answers, "/join/step/8", nil).Body.String()
	for _, part := range []string{"What you have told us", "<dd>LLC</dd>", "<dd>Troy</dd>", "<dd>****6799</dd>", `name="consent"`} {
		require.Contains(t, shown, part)
	}
	refused := byLinkOf(t, answers, "/join/step/8", url.Values{"account_holder_name": {"Fig"}})
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), `value="Fig"`)
	require.Contains(t, refused.Body.String(), `<a href="#consent">`)
	require.Contains(t, refused.Body.String(), `<a href="#routing-number">Routing number</a>: This is needed.`)
	require.NotContains(t, refused.Body.String(), `href="#account-holder-name"`)
	require.NotContains(t, refused.Body.String(), `href="#bank-name"`, "it may stay empty")
	require.Contains(t, refused.Body.String(), `<a href="#admin-email">Your e-mail address for signing in</a>: This is needed.`)
	answers["GET /v1/onboarding"] = ofAnInvited(anOnboarding("IN_PROGRESS", 8))
	sent := byLinkOf(t, answers, "/join/step/8", url.Values{"account_holder_name": {"Fig"}, "consent": {"true"}})
	require.Equal(t, "/join/done", sent.Header().Get("Location"), sent.Body)
}

// ofAnInvited returns an onboarding of an organization in which somebody was invited already.
func ofAnInvited(onboarding string) string {
	return strings.Replace(onboarding, "{", `{"first_admin":"a***@client.example",`, 1)
}

// The last form asks who signs in first, invites that person, and leads to the page that sets the password. Where somebody was
// invited already, it says who.
func TestALinkEndsWithTheClientsOwnSignIn(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/onboarding": anOnboarding("IN_PROGRESS", 8), "GET /v1/organization_details": `{}`,
		"POST /v1/users":        `{"id":"user_1","email":"ada@client.example"}`,
		"PUT /v1/bank_details":  `{"onboarding":` + anOnboarding("COMPLETED", 0) + `}`,
		"POST /v1/session/link": `{"email":"ada@client.example","name":"Ada"}`,
	}
	typed := func() url.Values {
		return url.Values{"consent": {"true"}, "admin_name": {"Ada"}, "admin_email": {"ada@client.example"}}
	}
	const opens = `href="/sign-in/first-of-x">Set your password</a>`
	sent := byLinkOf(t, answers, "/join/step/8", typed())
	require.Equal(t, "/join/done?sign_in=link", sent.Header().Get("Location"), sent.Body)
	require.NotContains(t, sent.Body.String(), "first-of-x")
	for _, again := range []string{"link", "again"} { // also after the answer was lost
		done := byLinkOf(t, answers, "/join/done?sign_in="+again, nil)
		require.Contains(t, done.Body.String(), opens)
		require.Contains(t, done.Body.String(), "ada@client.example")
		require.Equal(t, "no-store", done.Header().Get("Cache-Control"))
		require.Equal(t, "no-referrer", done.Header().Get("Referrer-Policy"))
		require.Empty(t, done.Result().Cookies(), "the page can be loaded again")
	}

	answers["PUT /v1/bank_details"] = `{"onboarding":` + anOnboarding("COMPLETED", 0) + `,"warnings":[{"message":"Look again."}]}`
	require.Contains(t, byLinkOf(t, answers, "/join/step/8", typed()).Body.String(), opens)

	answers["POST /v1/session/link"] = `{"status":401,"code":"unauthenticated","title":"Unknown"}`
	require.Equal(t, http.StatusGone, byLinkOf(t, answers, "/join/done?sign_in=again", nil).Code)
	require.NotContains(t, byLinkOf(t, answers, "/join/done?sign_in=link", nil).Body.String(), "first-of-x")

	answers["POST /v1/users"] = `{"email":"ada@client.example","mailed":true}`
	answers["PUT /v1/bank_details"] = `{"onboarding":` + anOnboarding("COMPLETED", 0) + `}`
	require.Equal(t, "/join/done?sign_in=mail", byLinkOf(t, answers, "/join/step/8", typed()).Header().Get("Location"))
	answers["POST /v1/users"] = `{"status":403,"code":"forbidden_for_key","title":"Not yours"}`
	require.Equal(t, "/join/done?sign_in=nobody", byLinkOf(t, answers, "/join/step/8", typed()).Header().Get("Location"))
	require.Contains(t, byLinkOf(t, answers, "/join/done?sign_in=nobody", nil).Body.String(), "may not invite people")
	answers["POST /v1/users"] = `{"status":400,"code":"validation_failed","errors":[{"location":"body.email","message":"No address."}]}`
	refused := byLinkOf(t, answers, "/join/step/8", typed()).Body.String()
	require.Contains(t, refused, `<a href="#admin-email">Your e-mail address for signing in</a>: No address.`)
	require.Contains(t, refused, `value="Ada"`)

	answers["GET /v1/onboarding"] = ofAnInvited(anOnboarding("IN_PROGRESS", 8))
	shown := byLinkOf(t, answers, "/join/step/8", nil).Body.String()
	require.Contains(t, shown, "invited to sign in for your company: a***@client.example")
	require.NotContains(t, shown, "admin_email")
}

// The page of a client offers to send the link where this installation sends e-mail. It says what became of the mail, and
// refuses the form without an address.
func TestThePartnerHasTheLinkSent(t *testing.T) {
	t.Parallel()
	answers := ofAClient()
	answers["POST /v1/onboarding/org_2/link"] = `{"path":"/join/new","mail":{"email":"ada@client.example","status":"PENDING"}}`
	form := url.Values{"action": {"mail"}, "email": {"ada@client.example"}}
	shown := visitedWith(t, answers, "/o/org_1/clients/org_2/link", form).Body.String()
	require.Contains(t, shown, "The link is sent to ada@client.example")
	refused := visitedWith(t, answers, "/o/org_1/clients/org_2/link", url.Values{"action": {"mail"}, "email": {" "}})
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), "To whom?")

	answers["GET /v1/onboarding/org_2/link"] = `{"made_by":"Pat","expires_at":"2098-01-01T00:00:00Z",
		"mail":{"email":"gone@client.example","status":"FAILED","advice":"Correct the address."}}`
	page := visitedWith(t, answers, "/o/org_1/clients/org_2", nil).Body.String()
	require.Contains(t, page, "It was not sent to <bdi>gone@client.example</bdi>.</strong>")
	require.Contains(t, page, "Correct the address.")
	require.NotContains(t, page, "Create and send a link", "this console has no e-mail")

	// The address is forgotten when the link has ended.
	answers["GET /v1/onboarding/org_2/link"] = `{"made_by":"Pat","expires_at":"2020-01-01T00:00:00Z",
		"mail":{"email":"","status":"DROPPED"}}`
	page = visitedWith(t, answers, "/o/org_1/clients/org_2", nil).Body.String()
	require.Contains(t, page, "It was not sent.</strong>")
}
