package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A key without a scope is refused with the name of the scope, and neither creates a key with it nor rotates one.
func TestAKeyIsRefusedWhatItsScopesDoNotInclude(t *testing.T) {
	t.Parallel()
	in := install(t)
	product := in.product(in.root, "P-1")
	all := []any{"read", "write", "people"}
	require.Equal(t, all, in.do(in.root, "GET", "/v1/api-keys", "").expect(200).list("scopes")[0])
	issue := func(body string) (credentials, string) {
		made := in.do(in.root, "POST", "/v1/api-keys", body).expect(200)
		return credentials{in.root.organizationID, made.text("api_key")}, made.text("id")
	}
	reads, _ := issue(`{"scopes":["read"]}`)
	writes, _ := issue(`{"scopes":["write"]}`)
	invites, people := issue(`{"scopes":["people","read"]}`)
	whole, wholeID := issue("")
	require.Equal(t, []any{"read", "people"}, in.do(in.root, "GET", "/v1/api-keys/"+people, "").member("scopes"))

	for _, c := range []struct {
		as                        credentials
		method, path, body, scope string
		status                    int
	}{
		{reads, "GET", "/v1/products/" + product, "", "", 200},
		{reads, "PUT", "/v1/products/" + product, `{"name":"Other"}`, "write", 403},
		{reads, "PUT", "/v1/products/prod_unknown", `{"name":"Other"}`, "", 404},
		{reads, "GET", "/v1/api-keys", "", "people", 403},
		{reads, "GET", "/v1/users", "", "people", 403},
		{reads, "GET", "/v1/session", "", "", 200},
		{writes, "GET", "/v1/products", "", "read", 403},
		{writes, "PUT", "/v1/products/" + product, `{"name":"Other"}`, "", 200},
		{invites, "GET", "/v1/api-keys", "", "", 200},
		{invites, "POST", "/v1/api-keys", `{"scopes":["write"]}`, "write", 403},
		{invites, "POST", "/v1/api-keys/" + wholeID + "/rotate", "", "write", 403},
		{whole, "POST", "/v1/api-keys", `{"scopes":[]}`, "", 400},
		{whole, "POST", "/v1/api-keys", `{"scopes":["everything"]}`, "", 400},
	} {
		a := in.do(c.as, c.method, c.path, c.body)
		require.Equal(t, c.status, a.Code, "%s %s %s", c.method, c.path, a.Body)
		if c.status == 403 {
			require.Equal(t, "forbidden_for_key", a.text("code"))
			require.Equal(t, c.scope, a.text("scope"))
		}
	}
	list := in.do(invites, "GET", "/v1/users", "").expect(200)
	read := in.do(whole, "GET", "/v1/audit?action__in=read", "").expect(200)
	require.Equal(t, []any{"user"}, read.list("object_type"), "reads of personal data are recorded, and refused ones are not")
	require.Equal(t, []any{list.Header().Get("X-Request-Id")}, read.list("request_id"))
	made := in.do(invites, "POST", "/v1/api-keys", "").expect(200)
	require.Equal(t, []any{"read", "people"}, made.member("scopes"), "as many scopes as the key that creates it")
	rotated := in.do(invites, "POST", "/v1/api-keys/"+made.text("id")+"/rotate", "").expect(200)
	require.Equal(t, []any{"read", "people"}, rotated.member("scopes"))

	coming := in.do(in.root, "POST", "/v1/organizations", `{"name":"In onboarding"}`).expect(200).text("id")
	step := in.do(credentials{coming, in.root.key}, "POST", "/v1/api-keys", `{"scopes":["write"]}`).expect(200)
	require.Equal(t, []any{"write"}, step.member("scopes"), "a step of an onboarding does not change them")
}
