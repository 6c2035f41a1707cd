package web

import (
	"fmt"
	"levy/contract"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cancelling an onboarding archives its organization, which can happen between any two reads of the page.
func TestAClientThatIsArchivedMeanwhileHasItsPage(t *testing.T) {
	t.Parallel()
	for _, gone := range []string{"/v1/nexus", "/v1/registrations", "/v1/filings", "never"} {
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/v1/session":
				_, _ = fmt.Fprint(w, `{"user":{"id":"user_1","name":"Pat"},"staff_role":"auditor","organizations":[]}`)
			case gone:
				w.WriteHeader(http.StatusNotFound)
				_, _ = fmt.Fprint(w, `{"status":404,"code":"organization_not_found","title":"The organization does not exist"}`)
			default:
				_, _ = fmt.Fprint(w, `{}`)
			}
		})
		w := answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/clients/org_2", nil))
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", gone, w.Body)
		require.Equal(t, gone != "never", strings.Contains(w.Body.String(), "This client is archived"), gone)
	}
}

// Staff belong to no partner: they reach its clients on its own pages, which they find by its name.
func TestStaffReachTheClientsOfAPartner(t *testing.T) {
	t.Parallel()
	const staff = `{"user":{"name":"Sam"},"staff_role":"auditor","organizations":[]}`
	page := func(session, organization, path string) string {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": session, "GET /v1/organizations/org_1": organization, "GET /v1/filings": `{}`,
			"GET /v1/onboarding/org_2": `{"organization_id":"org_2"}`, "GET /v1/nexus": `{}`,
		}, path, nil)
		require.Equal(t, http.StatusOK, answered.Code, answered.Body)
		return answered.Body.String()
	}
	const leads = `href="/clients?organization_id=org_1`
	require.Contains(t, page(staff, `{"name":"Partner","parent_organization_id":null}`, "/o/org_1/filings"), leads)
	require.NotContains(t, page(staff, `{"name":"Shop","parent_organization_id":"org_0"}`, "/o/org_1/filings"), leads)
	require.NotContains(t, page(anAdmin, `{}`, "/o/org_1/filings"), leads)
	require.Contains(t, page(staff, `{}`, "/o/org_1/clients/org_2"), `<li><a `+leads+`">Clients</a></li>`)
	ofPartner := strings.Replace(anAdmin, `"role"`, `"root":true,"role"`, 1)
	require.Contains(t, page(ofPartner, `{}`, "/o/org_1/clients/org_2"), `<li><a href="/clients">Clients</a></li>`)
	require.Contains(t, page(staff, `{}`, "/clients"), `Open a partner in the list of <a href="/organizations">organizations</a>`)
	require.Contains(t, page(anAdmin, `{}`, "/clients"), "You do not belong to a partner: there are no clients to show.")
}

func TestAClientSaysWhatWasRefusedLast(t *testing.T) {
	t.Parallel()
	of := func(steps ...contract.OnboardingStep) onboarding {
		return onboardingOf(contract.Onboarding{Steps: steps})
	}
	c := of(
		contract.OnboardingStep{Number: 3, Error: new("1 field is invalid: ein."),
			Errors: []contract.ProblemError{{Location: "body.ein"}}},
		contract.OnboardingStep{Number: 4, Error: new("1 field is invalid: company_state."),
			Errors: []contract.ProblemError{{Location: "body.company_state", Message: "Unknown."}}},
		contract.OnboardingStep{Number: 5},
	)
	require.Equal(t, 4, c.LastRefusal().Number, "the current step, not one that was corrected later")
	require.Equal(t, "Company state", c.LastRefusal().Errors[0].Field())
	require.Nil(t, of(contract.OnboardingStep{Number: 1}).LastRefusal())
	require.Empty(t, onboardingOf(contract.Onboarding{Status: "IN_PROGRESS"}).Ended())
	require.Equal(t, "It expired", onboardingOf(contract.Onboarding{Status: "EXPIRED"}).Ended())
}

func TestAnExceptionShowsItsAmount(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]struct{ of, code, amount string }{
		"1.06 USD so far":             {"FILING_TO_APPROVE", "UNFILED", "1.06"},
		"1.07 USD so far":             {"FILING_OVERDUE", "PAUSED", "1.07"},
		"1.08 USD":                    {"FILING_ISSUE", "UNFILED", "1.08"},
		"1.09 USD":                    {"FILING_OVERDUE", "FILING", "1.09"},
		"9.00 USD of tax owed":        {"NEXUS_UNREGISTERED", "", "9.00"},
		"8.25 USD of tax owed":        {"REGISTRATION_WAITING", "BACK_TAX", "8.25"},
		"the amount is not known yet": {"TRANSACTION_UNRESOLVED", "", ""},
		"":                            {"IMPORT_FAILED", "", ""},
	} {
		currency := "USD"
		found := contract.Exception{Type: contract.ExceptionType(e.of), ReasonCode: &e.code, Currency: &currency}
		if e.amount != "" {
			found.Amount = &e.amount
		}
		require.Equal(t, want, plainText(exception{Exception: found}.Sum()))
	}
}

func TestFaultsAreSaidInWords(t *testing.T) {
	t.Parallel()
	missing := problemField{Location: "body.business_fiscal_year_end", Message: "business_fiscal_year_end is required."}
	require.Equal(t, "This is needed.", missing.Text())
	require.Equal(t, "Unknown.", problemField{Location: "body.company_state", Message: "Unknown."}.Text())
	require.Equal(t, "an API key", actorLabel("akey_01kb5v6m2cf0080000000000z8"))
	require.Equal(t, "Sam Staff", actorLabel("Sam Staff"))
	require.Equal(t, "its approval is blocked", blockerLabel("BLOCKED"))
	require.Equal(t, "not unfiled", blockerLabel("NOT_UNFILED"))
}

// The breadcrumbs of a page whose path is not below the page above it name that page.
func TestBreadcrumbsNameThePageAbove(t *testing.T) {
	t.Parallel()
	for path, above := range map[string]string{
		"/o/org_1/payments": `<li><a href="/o/org_1/filings">Returns</a></li>`,
		"/o/org_1/grants":   `<li><a href="/o/org_1/people">People</a></li>`,
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/filing_payments": `{}`, "GET /v1/organizations/org_1": `{}`,
		}, path, nil).Body.String()
		require.Contains(t, shown, above, path)
		require.NotContains(t, shown, ">← ", path)
	}
}

// A result of a search has its amount and its instant in the form of the person.
func TestAResultOfASearchHasItsAmount(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/search": `{"more":[],"items":[
			{"type":"TRANSACTION","organization_id":"org_1","object_id":"txn_1","title":"ORDER-1","amount":"-1234.50","currency":"EUR",
				"date":"2026-10-02T10:00:00Z"},
			{"type":"CUSTOMER","organization_id":"org_1","object_id":"cust_1","title":"Ada"}]}`,
	}, "/search?q=ORDER-1", nil).Body.String()
	require.Contains(t, shown, "<b>-1,234.50 EUR</b>")
	require.Equal(t, 1, strings.Count(shown, "<time"), "a customer has no instant")
	require.Contains(t, shown, "2 Oct 2026, 10:00 UTC")
}

// The cards of the live board have the labels of pills: their script reads them from the page.
func TestTheBoardHasTheLabelsOfPills(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin}, "/onboarding", nil).Body.String()
	for _, code := range []string{"NOT_STARTED", "PENDING", "IN_PROGRESS", "COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "COMPENSATING",
		"COMPENSATED"} {
		require.Contains(t, shown, `data-`+strings.ToLower(code)+`="`+sentence(code)+`"`)
	}
}
