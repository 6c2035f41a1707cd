package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service"
)

// onboarded completes the onboarding of a client.
func (in *installation) onboarded(client credentials) {
	in.t.Helper()
	in.execute("UPDATE onboardings SET completed = 8, status = 'COMPLETED', next_check_at = NULL WHERE organization_id = $1",
		client.organizationID)
	in.execute("UPDATE organizations SET onboarding_status = 'COMPLETED' WHERE id = $1", client.organizationID)
}

// granted sets the role of a grant.
func (in *installation) granted(client credentials, role models.GrantRole) {
	in.t.Helper()
	in.execute("UPDATE client_grants SET role = $2, ended_at = NULL WHERE organization_id = $1", client.organizationID, role)
}

// reader returns the key of a partner that reads its client as before there were grants.
func (in *installation) reader(client credentials) credentials {
	in.t.Helper()
	in.onboarded(client)
	in.granted(client, models.GrantAsBefore)
	return in.partnerFor(client)
}

// partnerFor returns the key of the partner for a client.
func (in *installation) partnerFor(client credentials) credentials {
	return credentials{client.organizationID, in.root.key}
}

// member invites a person to an organization, and returns the session.
func (in *installation) memberOf(as credentials, email, role string) string {
	in.t.Helper()
	u := models.User{Email: email, Name: email}
	m := &models.Membership{OrganizationID: as.organizationID, Role: models.Role(role)}
	require.NoError(in.t, in.store.People.CreateUser(in.t.Context(), models.Actor{}, &u, m,
		service.LinkHash(in.hasher, email)))
	a := in.do(credentials{}, "POST", "/v1/session", `{"token":"`+email+`","password":"correct horse battery staple"}`).
		expect(200)
	return a.Result().Cookies()[0].Value
}

// asPerson sends a request with the cookie of a session.
func (in *installation) asPerson(session, organizationID, method, target, body string) answer {
	in.t.Helper()
	return in.do(credentials{organizationID: organizationID}, method, target, body, header("X-API-KEY"),
		header("Cookie", "__Host-levy_session="+session), header("Sec-Fetch-Site", "same-origin"))
}

// grantOf returns the grant in the answer about an organization.
func grantOf(t *testing.T, organization answer) map[string]any {
	t.Helper()
	grants := organization.member("grants").([]any)
	require.Len(t, grants, 1)
	return grants[0].(map[string]any)
}

const (
	productDraft  = `{"external_id":"P","name":"Widget","product_category":"PHYSICAL"}`
	clientsSecret = `{"scopes":["read","write","people"]}`
)

// A grant bounds the keys and the people of a partner alike. During the onboarding they do all, then the work of the role,
// under their own names.
func TestAGrantBoundsAPartner(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	client := in.client("Client")
	key, person := in.partnerFor(client), in.memberOf(in.root, "pat@example.com", "admin")
	filing := in.filing(client, in.registration(client, inNewYork), "UNFILED")
	calls := []struct {
		needs              string // the least grant: read means any
		method, path, body string
	}{
		{"read", "GET", "/v1/transactions", ""},
		{"read", "GET", filing, ""},
		{"read", "GET", "/v1/api-keys", ""},
		{"preparer", "GET", "/v1/products", ""},
		{"preparer", "POST", "/v1/products", productDraft},
		{"preparer", "PUT", filing, `{"comment":"Seen"}`},
		{"approver", "POST", filing + "/retry", ""}, // 409: nothing failed
		{"admin", "POST", "/v1/organizations/" + client.organizationID + "/settings", `{"tax_rounding":"TAX_PER_LINE"}`},
		{"admin", "GET", "/v1/users", ""},
		{"admin", "GET", "/v1/organization_details", ""},
		{"admin", "POST", "/v1/webhook_endpoints", `{"url":"http://127.0.0.1:9/x"}`},
	}
	order := []string{"read", "preparer", "approver", "admin"}
	at := func(grant string) int {
		for i, each := range order {
			if each == grant {
				return i
			}
		}
		return -1
	}
	try := func(grant string, has int) {
		for _, c := range calls {
			for name, a := range map[string]answer{
				"key": in.do(key, c.method, c.path, c.body),
				"person": in.asPerson(person, client.organizationID, c.method, c.path,
					strings.Replace(c.body, `"P"`, `"Q"`, 1)),
			} {
				if at(c.needs) <= has {
					require.NotEqual(t, 403, a.Code, "%s %s %s under %s: %s", name, c.method, c.path, grant, a.Body)
					continue
				}
				a.expect(403, "forbidden_for_key")
				if grant == "" {
					require.Nil(t, a.member("grant"))
					require.Contains(t, a.text("detail"), "ended")
					continue
				}
				require.Equal(t, grant, a.member("grant"), "%s %s", c.method, c.path)
				if c.needs == "admin" {
					require.Nil(t, a.member("needed_grant"))
				} else {
					require.Equal(t, c.needs, a.member("needed_grant"))
				}
			}
			in.execute("DELETE FROM products WHERE organization_id = $1", client.organizationID)
		}
	}
	try("admin", at("admin"))
	in.onboarded(client)
	try("preparer", at("preparer"))
	in.granted(client, models.GrantApprover)
	try("approver", at("approver"))
	in.granted(client, models.GrantAsBefore)
	try("as_before", at("read"))
	in.execute("UPDATE client_grants SET ended_at = now()")
	try("", -1)
	in.do(key, "GET", "/v1/organizations/"+client.organizationID, "").expect(200)
	in.do(in.root, "PUT", "/v1/organizations/"+client.organizationID, `{"name":"Taken"}`).expect(403, "forbidden_for_key")
	in.do(in.root, "DELETE", "/v1/organizations/"+client.organizationID, "").expect(403, "forbidden_for_key")
	in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/link", "").expect(403, "forbidden_for_key")
	require.Positive(t, in.count(`SELECT count(*) FROM audit a JOIN users u ON u.id = a.user_id
		WHERE a.organization_id = $1 AND a.entity_type = 'product' AND u.email = 'pat@example.com'`, client.organizationID))
	require.Positive(t, in.count(`SELECT count(*) FROM audit a JOIN api_keys k ON k.id = a.api_key_id
		WHERE a.organization_id = $1 AND a.entity_type = 'product' AND k.organization_id = $2`,
		client.organizationID, in.root.organizationID))
}

// A person who belongs to the partner and to the client does what the better of both allows.
func TestAPersonOfBothActsByTheBetterRole(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.onboarded(client)
	person := in.memberOf(in.root, "both@example.com", "admin")
	create := func(externalID string) answer {
		return in.asPerson(person, client.organizationID, "POST", "/v1/products",
			strings.Replace(productDraft, `"P"`, `"`+externalID+`"`, 1))
	}
	join := func(role string) {
		in.execute(`INSERT INTO memberships (organization_id, user_id, role, created_at)
			SELECT $1, id, $2, now() FROM users WHERE email = 'both@example.com'
			    ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`, client.organizationID, role)
	}
	join("viewer")
	create("A").expect(200)
	in.execute("UPDATE client_grants SET ended_at = now()")
	create("B").expect(403, "forbidden_for_key")
	in.asPerson(person, client.organizationID, "GET", "/v1/products", "").expect(200)
	join("admin")
	create("C").expect(200)
}

// A partner gives the keys of its client no more than its grant, and changes only those that it made.
func TestKeysUnderAGrant(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	partner := in.partnerFor(client)
	early := in.do(partner, "POST", "/v1/api-keys", clientsSecret).expect(200) // the first key is not used yet
	require.Equal(t, false, early.member("granted"), "step 2 is repeated, because its first key got lost")
	in.do(client, "GET", "/v1/products", "").expect(200)
	during := in.do(partner, "POST", "/v1/api-keys", clientsSecret).expect(200)
	require.Equal(t, true, during.member("granted"))
	in.do(credentials{client.organizationID, during.text("api_key")}, "GET", "/v1/users", "").expect(200)
	in.onboarded(client)

	in.do(partner, "POST", "/v1/api-keys", clientsSecret).expect(403, "forbidden_for_key")
	made := in.do(partner, "POST", "/v1/api-keys", "").expect(200)
	require.Equal(t, []any{"read", "write"}, made.member("scopes"))
	under := credentials{client.organizationID, made.text("api_key")}
	filing := in.filing(client, in.registration(client, inNewYork), "UNFILED")
	in.do(under, "POST", "/v1/products", productDraft).expect(200)
	a := in.do(under, "PUT", filing, `{"status":"SKIPPED","skip_reason":"No sales."}`).expect(403, "forbidden_for_key")
	require.Equal(t, "preparer", a.member("grant"))
	in.do(credentials{client.organizationID, during.text("api_key")}, "GET", "/v1/users", "").expect(403, "forbidden_for_key")
	for _, as := range []credentials{under, partner} {
		in.do(as, "PUT", filing, `{"status":"PAUSED"}`).expect(403, "forbidden_for_key")
	}
	in.do(client, "PUT", filing, `{"status":"SKIPPED","skip_reason":"No sales."}`).expect(200)

	own := in.do(client, "GET", "/v1/session", "").expect(200).text("api_key_id")
	for _, change := range []struct{ method, path, body string }{
		{"PUT", "", `{"name":"Mine"}`}, {"POST", "/rotate", ""}, {"POST", "/revoke", ""}, {"DELETE", "", ""},
	} {
		in.do(partner, change.method, "/v1/api-keys/"+own+change.path, change.body).expect(403, "forbidden_for_key")
	}
	in.do(partner, "POST", "/v1/api-keys/"+during.text("id")+"/rotate", "").expect(403, "forbidden_for_key")
	in.do(partner, "PUT", "/v1/api-keys/"+made.text("id"), `{"name":"Desk"}`).expect(200)
	next := in.do(partner, "POST", "/v1/api-keys/"+made.text("id")+"/rotate", "").expect(200)
	require.Equal(t, true, next.member("granted"), "what replaces a key under a grant is one")
	in.do(partner, "DELETE", "/v1/api-keys/"+next.text("id"), "").expect(204)
	in.granted(client, models.GrantAsBefore)
	in.do(partner, "POST", "/v1/api-keys", clientsSecret).expect(200)
}

// An admin of a client manages its keys and its grant. Its keys, its other people and its partner do not.
func TestTheAdminOfAClientDecides(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.onboarded(client)
	admin := in.memberOf(client, "ada@example.com", "admin")
	approver, pat := in.memberOf(client, "abe@example.com", "approver"), in.memberOf(in.root, "pat@example.com", "admin")
	as := func(session, method, target, body string) answer {
		return in.asPerson(session, client.organizationID, method, target, body)
	}
	grants := "/v1/organizations/" + client.organizationID + "/grants/"
	path := grants + in.root.organizationID

	made := as(admin, "POST", "/v1/api-keys", "").expect(200)
	require.Equal(t, []any{"read", "write", "people"}, made.member("scopes"))
	require.Equal(t, false, made.member("granted"))
	rotated := as(admin, "POST", "/v1/api-keys/"+made.text("id")+"/rotate", "").expect(200)
	as(admin, "PUT", "/v1/api-keys/"+rotated.text("id"), `{"name":"Shop"}`).expect(200)
	as(admin, "DELETE", "/v1/api-keys/"+rotated.text("id"), "").expect(204)
	as(admin, "GET", "/v1/api-keys", "").expect(200)
	as(approver, "POST", "/v1/api-keys", "").expect(403, "forbidden_for_key")

	read := func() map[string]any {
		return grantOf(t, as(admin, "GET", "/v1/organizations/"+client.organizationID, "").expect(200))
	}
	require.Equal(t, in.root.organizationID, read()["partner"])
	require.Equal(t, "preparer", read()["role"])
	require.Nil(t, read()["confirmed_at"])
	for _, a := range []answer{
		as(approver, "PUT", path, `{"role":"approver"}`), as(pat, "PUT", path, `{"role":"approver"}`),
		in.do(client, "PUT", path, `{"role":"approver"}`), in.do(in.partnerFor(client), "PUT", path, `{"role":"approver"}`),
		in.do(client, "POST", path+"/end", ""),
	} {
		a.expect(403, "forbidden_for_key")
	}
	as(admin, "PUT", grants+models.NewID(models.PrefixOrganization), `{"role":"approver"}`).expect(404)
	as(admin, "PUT", path, `{"role":"admin"}`).expect(400, "validation_failed")
	as(admin, "PUT", path, `{"role":"as_before"}`).expect(400, "validation_failed")
	changed := as(admin, "PUT", path, `{"role":"approver"}`).expect(200)
	require.Equal(t, "approver", changed.member("role"))
	require.NotNil(t, read()["confirmed_at"])
	require.Equal(t, 1, in.count(`SELECT count(*) FROM audit WHERE entity_type = 'grant' AND action = 'update'
		AND user_id IS NOT NULL AND detail -> 'role' ->> 'to' = 'approver'`))
	listed := in.do(in.root, "GET", "/v1/organizations", "").expect(200)
	require.Contains(t, listed.Body.String(), `"role":"approver"`, "the partner sees it, too")

	in.granted(client, models.GrantAsBefore)
	as(admin, "PUT", path, `{"role":"as_before"}`).expect(200)
	as(admin, "POST", path+"/end", "").expect(200)
	as(admin, "PUT", path, `{"role":"as_before"}`).expect(400, "validation_failed")
	require.Nil(t, read()["role"])
	as(admin, "PUT", path, `{"role":"preparer"}`).expect(200)
	in.do(in.partnerFor(client), "GET", "/v1/products", "").expect(200)
}

// With its grant end the keys and invitations of a partner, at once. The answer names the rest. The first key stays.
func TestWhatEndsWithAGrant(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	client := in.client("Client")
	partner := in.partnerFor(client)
	in.do(client, "GET", "/v1/products", "").expect(200)
	key := in.do(partner, "POST", "/v1/api-keys", "").expect(200)
	child := in.do(credentials{client.organizationID, key.text("api_key")}, "POST", "/v1/users",
		`{"email":"c@example.com","name":"C","role":"viewer"}`).expect(200)
	endpoint := in.do(partner, "POST", "/v1/webhook_endpoints", `{"url":"http://127.0.0.1:9/x"}`).expect(200).text("id")
	invited := in.do(partner, "POST", "/v1/users", `{"email":"m@example.com","name":"M","role":"admin"}`).expect(200)
	in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/link", "").expect(200)
	pat := in.memberOf(in.root, "pat@example.com", "admin")
	hers := in.asPerson(pat, client.organizationID, "POST", "/v1/api-keys", "").expect(200)
	in.onboarded(client)
	admin := in.memberOf(client, "ada@example.com", "admin")
	path := "/v1/organizations/" + client.organizationID + "/grants/" + in.root.organizationID + "/end"

	done := in.asPerson(admin, client.organizationID, "POST", path, "").expect(200)
	names := func(member string) (all []string) {
		for _, thing := range done.member(member).([]any) {
			all = append(all, thing.(map[string]any)["type"].(string)+" "+thing.(map[string]any)["id"].(string))
		}
		return all
	}
	require.Subset(t, names("ended"), []string{
		"api_key " + key.text("id"), "api_key " + hers.text("id"), "invitation " + invited.text("id"),
		"invitation " + child.text("id"),
	})
	require.Equal(t, []string{"webhook_endpoint " + endpoint}, names("to_decide"))
	for _, ended := range []answer{key, hers} {
		in.do(credentials{client.organizationID, ended.text("api_key")}, "GET", "/v1/session", "").expect(401)
	}
	in.do(client, "GET", "/v1/products", "").expect(200)
	in.do(partner, "GET", "/v1/transactions", "").expect(403, "forbidden_for_key")
	require.Zero(t, in.count("SELECT count(*) FROM sign_in_links WHERE used_at IS NULL"))
	require.Zero(t, in.count("SELECT count(*) FROM onboarding_links"))
	require.Equal(t, 1, in.count("SELECT count(*) FROM audit WHERE entity_type = 'grant' AND action = 'revoke'"))
	again := in.asPerson(admin, client.organizationID, "POST", path, "").expect(200)
	require.Empty(t, again.member("ended"), "a repetition changes nothing")
	require.NotNil(t, again.member("grant").(map[string]any)["ended_at"])
}

// The second person counts the people of a partner as people, and its keys decide nothing.
func TestTheSecondPersonCountsThePeopleOfAPartner(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	filing := in.filing(client, in.registration(client, inNewYork), "UNFILED")
	in.onboarded(client)
	in.granted(client, models.GrantApprover)
	in.execute("UPDATE organization_settings SET require_second_person = true WHERE organization_id = $1",
		client.organizationID)
	pat, quin := in.memberOf(in.root, "pat@example.com", "approver"), in.memberOf(in.root, "quin@example.com", "approver")
	const cancel = `{"status":"CANCELLED","cancelled_reason":"Nothing was sold."}`
	in.asPerson(pat, client.organizationID, "PUT", filing, `{"amount_adjusted":"-5.00"}`).expect(200)
	for _, a := range []answer{
		in.asPerson(pat, client.organizationID, "PUT", filing, cancel), in.do(in.partnerFor(client), "PUT", filing, cancel),
	} {
		a.expect(409, "filing_approval_blocked")
	}
	in.asPerson(quin, client.organizationID, "PUT", filing, cancel).expect(200)
}

// A stream of a partner about its client ends with the grant.
func TestAStreamEndsWithItsGrant(t *testing.T) {
	t.Parallel()
	in := install(t, withStreams(service.StreamTimes{
		Heartbeat: 1100 * time.Millisecond, Lifetime: time.Hour, WriteTimeout: time.Second,
	}))
	address, _, _ := in.serve()
	client := in.client("Acme")
	e := follow(t, address, in.partnerFor(client), client.organizationID, "", nil)
	_, ok := e.next()
	require.True(t, ok)
	in.execute("UPDATE client_grants SET ended_at = now()")
	_, ok = e.next()
	require.False(t, ok)
}

// A partner that calculates for its client does so by the client's data.
func TestAPartnerCalculatesAsItsClient(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.do(client, "POST", "/v1/organizations/"+client.organizationID+"/settings",
		`{"tax_rounding":"TAX_PER_DOCUMENT"}`).expect(200)
	pat := in.memberOf(in.root, "pat@example.com", "viewer")
	const sale = `{"product_category":"PHYSICAL","amount":10,"shipping_address":{"country":"US","state":"NY"}}`
	want := in.do(client, "POST", "/v1/tax/estimate", sale).expect(200).member("tax_rounding")
	require.NotEqual(t, want, in.do(in.root, "POST", "/v1/tax/estimate", sale).expect(200).member("tax_rounding"))
	require.Equal(t, want, in.do(in.partnerFor(client), "POST", "/v1/tax/estimate", sale).expect(200).member("tax_rounding"))
	require.Equal(t, want, in.asPerson(pat, client.organizationID, "POST", "/v1/tax/estimate", sale).expect(200).
		member("tax_rounding"))
}

// A partner makes nothing more for a client once its grant has ended, also in a call that was admitted before.
func TestAnEndedGrantMakesNothing(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.onboarded(client)
	in.execute("UPDATE client_grants SET ended_at = now()")
	root := in.do(in.root, "GET", "/v1/session", "").expect(200).text("api_key_id")
	err := in.store.Organizations.CreateAPIKey(t.Context(), models.Scope{OrganizationID: client.organizationID},
		models.Actor{APIKeyID: root, Granted: true}, &models.APIKey{
			ID: models.NewID(models.PrefixAPIKey), Hash: in.hasher.Hash("another key"), Prefix: "levy", Last4: "last",
		})
	require.ErrorIs(t, err, models.ErrGrantEnded)
}

// Lists of a partner and of its people omit a client that has ended its grant.
func TestListsOmitClientsWithoutAGrant(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.onboarded(client)
	filing := strings.TrimPrefix(in.filing(client, in.registration(client, inNewYork), "UNFILED"), "/v1/filings/")
	pat := in.memberOf(in.root, "pat@example.com", "admin")
	list := func(as credentials) answer { return in.asPerson(pat, as.organizationID, "GET", "/v1/due_filings", "") }
	require.Contains(t, list(in.root).expect(200).Body.String(), filing)
	list(client).expect(200)
	in.execute("UPDATE client_grants SET ended_at = now()")
	require.NotContains(t, list(in.root).expect(200).Body.String(), filing)
	list(client).expect(403, "forbidden_for_key")
	in.asPerson(pat, client.organizationID, "GET", "/v1/exceptions", "").expect(403, "forbidden_for_key")
	in.asPerson(pat, client.organizationID, "GET", "/v1/search?q=x", "").expect(403, "forbidden_for_key")
	page := in.page(pat)
	_, err := page.In(t.Context(), client.organizationID).ListProducts(t.Context(), contract.ListProductsRequest{})
	requireCode(t, problem.CodeForbiddenForKey, err)
}
