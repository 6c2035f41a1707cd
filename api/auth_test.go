package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/store/organizations"
	"levy/store/storetest"
)

func (in *installation) execute(sql string, args ...any) {
	in.t.Helper()
	storetest.Execute(in.t, in.address, sql, args...)
}

// withoutIdentity returns the body of a problem without the members that may differ.
func withoutIdentity(a answer) string {
	body := a.Body.String()
	for _, member := range []string{"request_id", "instance"} {
		body = strings.Replace(body, a.text(member), "*", 1)
	}
	return body
}

func TestRefusedKeysGetOneAnswer(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	unknown := secret.NewAPIKey(secret.KindTest)
	wrongTail := in.root.key[:len(in.root.key)-1] + map[bool]string{true: "0", false: "1"}[in.root.key[58] != '0']
	operator := secret.NewAPIKey(secret.KindOperator)
	_, err := in.store.Organizations.CreateOperator(t.Context(), models.Actor{}, organizations.NewOperator{
		Name: "Ann", Hash: in.hasher.Hash(operator),
	})
	require.NoError(t, err)
	revoked := in.do(credentials{client.organizationID, in.root.key}, "POST", "/v1/api-keys", "").expect(200)
	in.do(credentials{client.organizationID, in.root.key}, "DELETE", "/v1/api-keys/"+revoked.text("id"), "").expect(204)
	expired := in.do(credentials{client.organizationID, in.root.key}, "POST", "/v1/api-keys", "").expect(200)
	in.execute("UPDATE api_keys SET expires_at = now() WHERE id = $1", expired.text("id"))
	archived := in.client("Archived")
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", archived.organizationID)

	key := in.root.key
	var bodies []string
	for name, change := range map[string]func(*http.Request){
		"missing":                     header("X-API-KEY"),
		"empty":                       header("X-API-KEY", ""),
		"random":                      header("X-API-KEY", "abc"),
		"right prefix, wrong tail":    header("X-API-KEY", wrongTail),
		"good checksum, unknown":      header("X-API-KEY", unknown),
		"twice":                       header("X-API-KEY", key, key),
		"white space inside":          header("X-API-KEY", key[:20]+" "+key[20:]),
		"white space before":          header("X-API-KEY", " "+key),
		"white space after":           header("X-API-KEY", key+"\t"),
		"a list":                      header("X-API-KEY", key+","+key),
		"an operator's key":           header("X-API-KEY", operator),
		"revoked":                     header("X-API-KEY", revoked.text("api_key")),
		"expired":                     header("X-API-KEY", expired.text("api_key")),
		"of an archived organization": header("X-API-KEY", archived.key),
		"in the query": func(r *http.Request) {
			r.Header.Del("X-API-KEY")
			r.URL.RawQuery = "api_key=" + key + "&X-API-KEY=" + key
		},
		"as a bearer token": func(r *http.Request) {
			r.Header.Del("X-API-KEY")
			r.Header.Set(
				"Authorization", "Bearer "+key,
			)
		},
		"missing, organization too": func(r *http.Request) { r.Header = http.Header{} },
		"random, organization unknown": func(r *http.Request) {
			r.Header.Set(
				"X-API-KEY", "abc",
			)
			r.Header.Set("x-organization-id", "org_x")
		},
	} {
		a := in.do(in.root, "GET", "/v1/products", "", change)
		require.Equal(t, 401, a.Code, "%s: %s", name, a.Body.String())
		require.Equal(t, `ApiKey realm="levy"`, a.Header().Get("WWW-Authenticate"), name)
		bodies = append(bodies, withoutIdentity(a.expect(401, "unauthenticated")))
	}
	for _, body := range bodies {
		require.Equal(t, bodies[0], body)
	}
	require.Contains(t, bodies[0], "Send it in X-API-KEY; Authorization is not read.", "also for bearer tokens")
	in.do(in.root, "GET", "/v1/products", "", header("X-API-KEY", strings.Repeat("k", 20<<10))).
		expect(431, "headers_too_large")
	in.do(in.root, "GET", "/v1/products", "").expect(200)
	require.NotContains(t, in.log.String(), in.root.key, "no key in the log")
	require.NotContains(t, in.log.String(), "api_key=", "no query in the log")
}

// noDatabase is a database that cannot be read.
type noDatabase struct{}

func (noDatabase) FindPrincipal(context.Context, [][]byte) (models.Principal, error) {
	return models.Principal{}, fmt.Errorf("%w: connection refused", models.ErrUnavailable)
}

func TestAWrongChecksumNeedsNoDatabase(t *testing.T) {
	t.Parallel()
	in := install(t, func(d *service.Deps, _ *api.Options) { d.Principals = noDatabase{} })
	in.do(in.root, "GET", "/v1/products", "", header("X-API-KEY", in.root.key[:58]+"!")).expect(401)
	a := in.do(in.root, "GET", "/v1/products", "").expect(503, "service_unavailable")
	require.Equal(t, "not_applied", a.text("outcome"))
	require.NotEmpty(t, a.Header().Get("Retry-After"))
}

// countedLookUps counts the keys, sessions and links that are read from the database.
type countedLookUps struct {
	service.Principals
	service.People
	service.OnboardingLinks
	n atomic.Int64
}

func (c *countedLookUps) FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error) {
	c.n.Add(1)
	return c.Principals.FindPrincipal(ctx, hashes)
}

func (c *countedLookUps) FindSession(ctx context.Context, hashes [][]byte) (models.User, error) {
	c.n.Add(1)
	return c.People.FindSession(ctx, hashes)
}

func (c *countedLookUps) FindOnboardingLink(ctx context.Context, hashes [][]byte) (models.OnboardingLink, error) {
	c.n.Add(1)
	return c.OnboardingLinks.FindOnboardingLink(ctx, hashes)
}

// session signs in as a new person, who may read the records of an organization. It returns the cookie.
func (in *installation) session(as credentials) string {
	in.t.Helper()
	u := models.User{Email: "ada@example.com", Name: "Ada"}
	role := &models.Membership{OrganizationID: as.organizationID, Role: models.RoleViewer}
	require.NoError(in.t, in.store.People.CreateUser(in.t.Context(), models.Actor{}, &u, role,
		service.LinkHash(in.hasher, "link")))
	a := in.do(credentials{}, "POST", "/v1/session",
		`{"token":"link","password":"correct horse battery staple"}`).expect(200)
	return a.Result().Cookies()[0].Value
}

// Guessed keys, sessions and links of onboardings are not searched in the database after some tries, and other
// clients at the same address continue.
func TestManyGuessesAreNotLookedUp(t *testing.T) {
	t.Parallel()
	now := time.Now()
	counted := &countedLookUps{}
	in := install(t, func(d *service.Deps, o *api.Options) {
		counted.Principals, counted.People, counted.OnboardingLinks = d.Principals, d.People, d.Links
		d.Principals, d.People, d.Links = counted, counted, counted
		o.Now = func() time.Time { return now }
	})
	client := in.client("Client")
	link := in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/link", "").expect(200).text("path")
	cookie := func(name string) func(string) func(*http.Request) {
		return func(token string) func(*http.Request) {
			return func(r *http.Request) {
				r.Header.Del("X-Api-Key")
				r.AddCookie(&http.Cookie{Name: name, Value: token})
			}
		}
	}
	for i, c := range []struct {
		name, good string
		with       func(token string) func(*http.Request)
	}{
		{"key", in.root.key, func(key string) func(*http.Request) { return header("X-API-KEY", key) }},
		{"session", in.session(client), cookie("__Host-levy_session")},
		{"link", strings.TrimPrefix(link, "/join/"), cookie("levy_onboarding")},
	} {
		ask := func(token string) answer {
			return in.do(credentials{client.organizationID, in.root.key}, "GET", "/v1/onboarding", "", c.with(token),
				func(r *http.Request) {
					r.RemoteAddr = fmt.Sprintf("198.51.100.%d:1", i)
				})
		}
		guess := func() answer { return ask(secret.NewAPIKey(secret.KindTest)) }
		ask(c.good).expect(200)
		for range 100 {
			guess().expect(401)
		}
		before := counted.n.Load()
		for range 50 {
			guess().expect(429, "rate_limited")
		}
		require.Equal(t, before+10, counted.n.Load(), c.name)
		ask(c.good).expect(200)         // though unknown ones are not searched anymore
		now = now.Add(10 * time.Second) // the principal of the key must be read again
		before = counted.n.Load()
		ask(c.good).expect(200)
		require.Equal(t, before+1, counted.n.Load(), c.name)
		now = now.Add(time.Minute)
		guess().expect(401)
		require.Equal(t, before+2, counted.n.Load(), c.name)
	}
	require.Contains(t, in.log.String(), "api_key_id")
}

// A trusted proxy names the address that failed; headers of other clients are ignored.
func TestOnlyTrustedProxiesNameTheAddressOfAClient(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.TrustedProxies = []string{"192.0.2.0/24"} })
	fail := func(via, client string) answer {
		return in.do(in.root, "GET", "/v1/products", "", header("X-API-KEY", "x"), header("X-Forwarded-For", client),
			func(r *http.Request) { r.RemoteAddr = via + ":1" })
	}
	for range 100 {
		fail("192.0.2.1", "198.51.100.1").expect(401)
	}
	fail("192.0.2.2", "198.51.100.1").expect(429)
	fail("192.0.2.1", "198.51.100.2").expect(401)
	for range 100 {
		fail("203.0.113.1", "198.51.100.3").expect(401)
	}
	fail("203.0.113.1", "198.51.100.4").expect(429)
	fail("192.0.2.1", "198.51.100.3").expect(401)
}

func TestARevokedKeyEndsWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Now = func() time.Time { return now } })
	client := in.client("Client")
	in.do(client, "GET", "/v1/products", "").expect(200)
	in.execute("UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1", client.organizationID)
	now = now.Add(4 * time.Second)
	in.do(client, "GET", "/v1/products", "").expect(200) // remembered; the price of not asking each time
	now = now.Add(time.Second)
	in.do(client, "GET", "/v1/products", "").expect(401, "unauthenticated")
}

func TestAKeyRevokedHereEndsAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	id := in.do(client, "GET", "/v1/api-keys", "").expect(200).list("id")[0].(string)
	in.do(client, "DELETE", "/v1/organizations/api_keys/"+id, "").expect(204)
	in.do(client, "GET", "/v1/api-keys", "").expect(401, "unauthenticated")
}

func TestFailedAuthenticationsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Now = func() time.Time { return now } })
	wrong := credentials{in.root.organizationID, "wrong"}
	from := func(address string) func(*http.Request) {
		return func(r *http.Request) {
			r.RemoteAddr = address
			r.Header.Set("X-Forwarded-For", "203.0.113.9")
		}
	}
	for range 100 {
		in.do(wrong, "GET", "/v1/products", "", from("198.51.100.1:1000")).expect(401)
	}
	a := in.do(wrong, "GET", "/v1/products", "", from("198.51.100.1:2000")).expect(429, "rate_limited")
	require.Equal(t, "authentication", a.text("limit_type"))
	require.Equal(t, "60", a.Header().Get("Retry-After"))
	in.do(wrong, "GET", "/v1/products", "", from("198.51.100.2:1000")).expect(401) // for that address only
	in.do(in.root, "GET", "/v1/products", "", from("198.51.100.1:1000")).expect(200)
	now = now.Add(time.Minute)
	in.do(wrong, "GET", "/v1/products", "", from("198.51.100.1:1000")).expect(401)
}

func TestOrganizationHeader(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, sibling, archived := in.client("Client"), in.client("Sibling"), in.client("Archived")
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", archived.organizationID)
	stranger := storetest.Organization(t, in.address).OrganizationID
	const name = "x-organization-id"
	const missing = "organization_header_missing missing_field header." + name
	const twice = "invalid_header invalid_format header." + name
	for what, c := range map[string]struct {
		change func(*http.Request)
		fault  string
	}{
		"missing":      {header(name), missing},
		"empty":        {header(name, ""), missing},
		"twice":        {header(name, client.organizationID, client.organizationID), twice},
		"a comma list": {header(name, client.organizationID+","+client.organizationID), twice},
	} {
		refused := in.do(client, "GET", "/v1/products", "", c.change).expect(400)
		require.Equal(t, []string{c.fault}, refused.faults(), what)
	}
	var bodies []string
	for _, c := range []struct {
		as credentials
		id string
	}{
		{client, "org_x"}, {client, models.NewID(models.PrefixOrganization)}, {client, sibling.organizationID},
		{client, in.root.organizationID}, {client, stranger}, {client, strings.ToUpper(client.organizationID)},
		{client, "a\x00b"},
		{in.root, stranger}, {in.root, archived.organizationID}, {in.root, models.NewID(models.PrefixOrganization)},
		{in.root, "prod" + client.organizationID[3:]},
	} {
		a := in.do(c.as, "GET", "/v1/products", "", header(name, c.id)).expect(404, "organization_not_found")
		bodies = append(bodies, withoutIdentity(a))
	}
	for _, body := range bodies {
		require.Equal(t, bodies[0], body)
	}
}

// A function outside the access table of section 3.3 is refused, after faults of the request and after records that
// do not exist.
func TestAccessClasses(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	child := in.reader(client)
	product := in.product(client, "P-1")
	clientKey := in.do(client, "GET", "/v1/api-keys", "").expect(200).list("id")[0].(string)
	second := in.do(child, "POST", "/v1/api-keys", "").expect(200).text("id")
	for _, c := range []struct {
		as             credentials
		method, target string
		body           string
		status         int
	}{
		{in.root, "GET", "/v1/organizations", "", 200},
		{client, "GET", "/v1/organizations", "", 403},
		{child, "GET", "/v1/organizations", "", 403},
		{client, "POST", "/v1/organizations", `{"name":"X"}`, 403},
		{child, "POST", "/v1/organizations", `{"name":"X"}`, 403},
		{client, "POST", "/v1/organizations", `{}`, 400},
		{client, "POST", "/v1/organizations/api_keys", "", 403},
		{client, "POST", "/v1/api-keys", `{"name":7}`, 400},
		{in.root, "POST", "/v1/api-keys", "", 200},
		{child, "GET", "/v1/api-keys", "", 200},
		{child, "GET", "/v1/api-keys/" + clientKey, "", 200},
		{in.root, "GET", "/v1/api-keys/" + clientKey, "", 404},
		{client, "DELETE", "/v1/api-keys/" + second, "", 403},
		{client, "DELETE", "/v1/api-keys/" + models.NewID(models.PrefixAPIKey), "", 404},
		{child, "DELETE", "/v1/organizations/api_keys/" + second, "", 204},
		{child, "GET", "/v1/products", "", 403},
		{child, "GET", "/v1/products?size=0", "", 400},
		{child, "GET", "/v1/products/" + product, "", 403},
		{child, "GET", "/v1/products/" + models.NewID(models.PrefixProduct), "", 404},
		{child, "GET", "/v1/products/external/P-1", "", 403},
		{child, "GET", "/v1/products/external/P-2", "", 404},
		{child, "PUT", "/v1/products/" + product, `{"name":"Changed"}`, 403},
		{child, "DELETE", "/v1/products/" + product, "", 403},
		{child, "GET", "/v1/product-categories", "", 403},
		{child, "GET", "/v1/transactions", "", 200},
		{child, "POST", "/v1/transactions", `{}`, 400},
		{child, "GET", "/v1/audit", "", 403},
		{child, "GET", "/v1/transactions/" + models.NewID(models.PrefixTransaction), "", 404},
		{in.root, "GET", "/v1/products", "", 200},
		{client, "GET", "/v1/organizations/" + client.organizationID, "", 200},
		{client, "GET", "/v1/organizations/" + in.root.organizationID, "", 404},
		{child, "GET", "/v1/organizations/" + client.organizationID, "", 200},
		{child, "GET", "/v1/organizations/" + in.root.organizationID, "", 404},
		{in.root, "GET", "/v1/organizations/" + client.organizationID, "", 200},
		{client, "DELETE", "/v1/api-keys/" + clientKey, "", 204},
	} {
		a := in.do(c.as, c.method, c.target, c.body)
		require.Equal(t, c.status, a.Code, "%s %s: %s", c.method, c.target, a.Body.String())
		if c.status == 403 {
			a.expect(403, "forbidden_for_key")
		}
	}
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", client.organizationID)
	in.do(in.root, "GET", "/v1/organizations/"+client.organizationID, "").expect(200) // archived clients stay readable
}
