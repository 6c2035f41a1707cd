package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// linked sends a request with the link of an onboarding instead of a key, from a page of the service.
func linked(path string, change ...func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del("X-Api-Key")
		r.Header.Del("x-organization-id")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.AddCookie(&http.Cookie{Name: "levy_onboarding", Value: strings.TrimPrefix(path, "/join/")})
		for _, c := range change {
			c(r)
		}
	}
}

func TestALinkGivesAccessToTheStepsOfItsOnboardingAlone(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Acme"), in.client("Other")
	none := credentials{}
	link := "/v1/onboarding/" + client.organizationID + "/link"
	in.do(in.root, "GET", link, "").expect(404)
	in.do(client, "POST", link, "").expect(403)
	path := in.do(in.root, "POST", link, "").expect(200).text("path")
	require.Nil(t, in.do(in.root, "GET", link, "").expect(200).member("opened_at"))
	require.Equal(t, client.organizationID,
		in.do(none, "GET", "/v1/onboarding", "", linked(path)).expect(200).text("organization_id"))
	opened := in.do(in.root, "GET", link, "").expect(200)
	require.NotNil(t, opened.member("opened_at"))
	require.NotContains(t, opened.Body.String(), strings.TrimPrefix(path, "/join/"))

	const step3 = `{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US"}`
	in.do(none, "PUT", "/v1/organization_details/business_details", step3,
		linked(path, header("Sec-Fetch-Site", "cross-site"))).expect(403)
	in.do(none, "PUT", "/v1/organization_details/business_details", step3,
		linked(path, header("Sec-Fetch-Site"))).expect(403)
	in.do(none, "PUT", "/v1/organization_details/business_details", step3, linked(path)).expect(200)
	in.do(client, "GET", "/v1/audit", "").expect(200)
	require.Contains(t, in.do(client, "GET", "/v1/audit", "").Body.String(), "Onboarding link")
	in.do(none, "GET", "/v1/onboarding", "", linked(path, header("x-organization-id", other.organizationID))).expect(404)
	in.do(none, "POST", "/v1/organizations/api_keys", "", linked(path)).expect(403) // step 2 is done
	for _, call := range []string{
		"GET /v1/transactions", "GET /v1/filings", "GET /v1/nexus", "GET /v1/exceptions", "GET /v1/session",
		"GET /v1/organizations/api_keys",
		"GET /v1/organizations/" + client.organizationID, "GET /v1/audit", "GET /v1/users", "GET " + link,
		"POST " + link, "DELETE " + link,
		"GET /v1/onboarding/" + client.organizationID, "GET /v1/onboarding/" + client.organizationID + "/events",
		"GET /v1/onboardings",
		"POST /v1/onboarding/" + client.organizationID + "/cancel", "DELETE /v1/organizations/" + client.organizationID,
	} {
		method, target, _ := strings.Cut(call, " ")
		in.do(none, method, target, "", linked(path)).expect(403)
	}

	// It ends when another link is created, when it expires, when it is revoked, and with the onboarding.
	works := func(path string, status int) {
		t.Helper()
		in.do(none, "GET", "/v1/onboarding", "", linked(path)).expect(status)
	}
	second := in.do(in.root, "POST", link, "").expect(200).text("path")
	works(path, 401)
	works(second, 200)
	in.execute(`UPDATE onboarding_links
		SET created_at = now() - interval '15 days', expires_at = now() - interval '1 second'`)
	works(second, 401)
	third := in.do(in.root, "POST", link, "").expect(200).text("path")
	works(third, 200)
	in.do(in.root, "DELETE", link, "").expect(204)
	works(third, 401)
	fourth := in.do(in.root, "POST", link, "").expect(200).text("path")
	in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/cancel", `{"reason":"went elsewhere"}`).expect(200)
	works(fourth, 401)
	in.do(in.root, "POST", link, "").expect(409, "onboarding_not_active")
}

// A link invites the first admin of its organization, and no one else. A repeated call leads to the same sign-in link, and
// another address replaces the person. A link whose maker may invite no one does not either.
func TestALinkInvitesTheFirstAdmin(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, none := in.client("Acme"), credentials{}
	link := "/v1/onboarding/" + client.organizationID + "/link"
	path := in.do(in.root, "POST", link, "").expect(200).text("path")
	invite := func(name, email string) answer {
		return in.do(none, "POST", "/v1/users", `{"name":"`+name+`","email":"`+email+`","role":"admin"}`, linked(path))
	}
	firstAdmin := func() any {
		return in.do(none, "GET", "/v1/onboarding", "", linked(path)).expect(200).member("first_admin")
	}
	require.Nil(t, firstAdmin())
	in.do(none, "POST", "/v1/users", `{"name":"Ada","email":"ada@acme.example","role":"viewer"}`, linked(path)).expect(403)
	in.do(none, "POST", "/v1/users", `{"name":"Ada","email":"ada","role":"admin"}`, linked(path)).expect(400)

	wrong := invite("Ada", "wrong@acme.example").expect(200)
	first := invite("Ada", "ada@acme.example").expect(200)
	again := invite("Ada", "ada@acme.example").expect(200)
	require.Equal(t, first.text("id"), again.text("id"))
	require.NotEqual(t, wrong.text("id"), first.text("id"))
	require.Equal(t, first.text("sign_in_path"), again.text("sign_in_path"))
	people := in.do(client, "GET", "/v1/users", "").expect(200).Body.String()
	require.Contains(t, people, "ada@acme.example")
	require.NotContains(t, people, "wrong@acme.example")
	require.Nil(t, firstAdmin(), "the link may correct the address of whom it has invited")
	trail := in.do(client, "GET", "/v1/audit", "").expect(200).Body.String()
	require.Contains(t, trail, `"olnk_`)
	token := strings.TrimPrefix(first.text("sign_in_path"), "/sign-in/")
	require.NotContains(t, trail, token)

	// The invitation ends with the maker of the link.
	require.Equal(t, 1, in.count(`SELECT count(*) FROM makers
		WHERE kind = 'invitation' AND id = $1 AND link_id IS NULL AND granted`, first.text("id")))

	in.do(none, "POST", "/v1/session", `{"token":"`+token+`","password":"correct horse battery"}`).expect(200)
	require.Equal(t, "a***@acme.example", firstAdmin())
	invite("Ada", "ada@acme.example").expect(403)
	invite("Bob", "bob@acme.example").expect(403)

	// A key that ends makes a link which invites nobody.
	other := in.client("Other")
	link = "/v1/onboarding/" + other.organizationID + "/link"
	path = in.do(in.root, "POST", link, "").expect(200).text("path")
	in.execute("UPDATE api_keys SET scopes = '[\"people\"]' WHERE organization_id = $1", in.root.organizationID)
	invite("Ada", "ada@other.example").expect(403)
	in.execute("UPDATE api_keys SET scopes = '[\"read\", \"write\", \"people\"]' WHERE organization_id = $1", in.root.organizationID)
	invite("Ada", "ada@other.example").expect(200)
}
