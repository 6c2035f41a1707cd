package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/temporalproto"

	"levy/api"
	"levy/internal/local/temporal"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// caller is the sender of a request, with a key in each of the headers that can carry one.
type caller struct {
	name, key, organization string
	apiKeyOnly              bool   // not as a bearer token
	knowsToken              bool   // that of the own UI
	from                    string // address of the peer
}

// elsewhere is the address of another machine.
const elsewhere = "198.51.100.7:999"

// beside is a route of the process outside of openapi.yaml.
type beside struct {
	target func(caller) string // a path that it takes
	answer func(c caller, method string) int
}

// public answers every caller alike, and only reads.
func public(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		if method == http.MethodGet || method == http.MethodHead {
			return http.StatusOK
		}
		return http.StatusMethodNotAllowed
	}}
}

// signedInPage is a page for people who are signed in, which no key is: others are redirected to the sign-in.
func signedInPage(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		switch {
		case method == http.MethodGet || method == http.MethodHead || method == http.MethodPost &&
			slices.Contains([]string{"/", "/exceptions", "/clients", "/people", "/account", "/preferences", "/connections/hmrc"}, target):
			return http.StatusSeeOther
		}
		return http.StatusMethodNotAllowed
	}}
}

// missing is a path below a page that does not exist.
func missing(target string) beside {
	return beside{func(caller) string { return target }, func(caller, string) int { return http.StatusNotFound }}
}

// unknownLink is the page of a sign-in link that does not exist.
func unknownLink(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		switch method {
		case http.MethodGet, http.MethodHead:
			return http.StatusUnauthorized
		case http.MethodPost:
			return http.StatusBadRequest
		}
		return http.StatusMethodNotAllowed
	}}
}

// signIn is a form that everybody sees, and that refuses an invalid password.
func signIn(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		switch method {
		case http.MethodGet, http.MethodHead:
			return http.StatusOK
		case http.MethodPost:
			return http.StatusBadRequest
		}
		return http.StatusMethodNotAllowed
	}}
}

// signOut redirects every POST to the sign-in.
func signOut(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		if method == http.MethodPost {
			return http.StatusSeeOther
		}
		return http.StatusMethodNotAllowed
	}}
}

// unsubscribing is a page that everybody sees, and whose form refuses an unknown token.
func unsubscribing(target string) beside {
	return beside{func(caller) string { return target }, func(_ caller, method string) int {
		switch method {
		case http.MethodGet, http.MethodHead:
			return http.StatusOK
		case http.MethodPost:
			return http.StatusNotFound
		}
		return http.StatusMethodNotAllowed
	}}
}

// gone are pages of a link, which say without a link that it is invalid.
func gone(path string, methods ...string) beside { return refusing(http.StatusGone, path, methods...) }

// refusing are pages that refuse every caller with a status.
func refusing(status int, path string, methods ...string) beside {
	return beside{func(caller) string { return path }, func(_ caller, method string) int {
		if slices.Contains(methods, method) {
			return status
		}
		return http.StatusMethodNotAllowed
	}}
}

// besideTheContract has the answers of these routes for each caller. A route that is not listed fails the test:
// access is never decided by default. Those of the contract have a test like this one
// (TestEveryOperationFollowsTheAccessTable).
var besideTheContract = map[string]beside{
	"/docs":                public("/docs"),
	"/docs/first-call.sh":  public("/docs/first-call.sh"),
	"/docs/first-call.py":  public("/docs/first-call.py"),
	"/docs/first-call.mjs": public("/docs/first-call.mjs"),
	"/docs/first-call.go":  public("/docs/first-call.go"),
	"/docs/calls":          public("/docs/calls"),
	"/docs/calls/:subject": public("/docs/calls/transactions"),
	"/docs/reference":      public("/docs/reference"),
	"/docs/problems":       public("/docs/problems"),
	"/docs/problems/:code": public("/docs/problems/validation_failed"),
	"/docs/renderer.js":    public("/docs/renderer.js"),
	"/docs/start.js":       public("/docs/start.js"),
	"/docs/style.css":      public("/docs/style.css"),
	"/openapi.json":        public("/openapi.json"),
	"/onboarding":          signedInPage("/onboarding"),
	"/onboarding/*rest":    missing("/onboarding/x"),
	"/":                    signedInPage("/"),
	"/assets":              missing("/assets"),
	"/assets/*rest":        public("/assets/style.css"),
	"/sign-in":             signIn("/sign-in"),
	"/sign-in/*rest":       unknownLink("/sign-in/token"),
	"/unsubscribe":         missing("/unsubscribe"),
	"/unsubscribe/*rest":   unsubscribing("/unsubscribe/token"),
	"/sign-out":            signOut("/sign-out"),
	"/sign-out/*rest":      missing("/sign-out/x"),
	"/glossary":            public("/glossary"),
	"/glossary/*rest":      missing("/glossary/x"),
	"/exceptions":          signedInPage("/exceptions"),
	"/exceptions/*rest":    missing("/exceptions/x"),
	"/organizations":       signedInPage("/organizations"),
	"/organizations/*rest": missing("/organizations/x"),
	"/account":             signedInPage("/account"),
	"/preferences":         signedInPage("/preferences"),
	"/preferences/*rest":   missing("/preferences/x"),
	"/account/*rest":       missing("/account/x"),
	"/clients":             signedInPage("/clients"),
	"/clients/*rest":       missing("/clients/x"),
	"/search":              signedInPage("/search"),
	"/search/*rest":        missing("/search/x"),
	"/filings":             signedInPage("/filings"),
	"/filings/*rest":       signedInPage("/filings/calendar"),
	"/operations":          signedInPage("/operations"),
	"/operations/*rest":    missing("/operations/x"),
	"/people":              signedInPage("/people"),
	"/people/*rest":        missing("/people/x"),
	"/connections":         missing("/connections"),
	"/connections/*rest":   signedInPage("/connections/hmrc"),
	"/calendar":            missing("/calendar"),
	"/calendar/*rest":      refusing(http.StatusNotFound, "/calendar/unknown.ics", http.MethodGet, http.MethodHead),
	"/join":                gone("/join", http.MethodGet, http.MethodHead),
	"/join/*rest":          gone("/join/step/3", http.MethodGet, http.MethodHead, http.MethodPost),
	"/views":               signOut("/views"),
	"/views/*rest":         signedInPage("/views/x"),
	"/o":                   missing("/o"),
	"/o/*rest":             signedInPage("/o/org_x/filings"),
	"/codec": {
		func(caller) string { return "/codec" }, func(caller, string) int { return http.StatusNotFound },
	},
	"/codec/*rest": {func(caller) string { return "/codec/decode" }, codecAnswer},
}

// private are the routes of the private listener, which asks nobody for a key. profiles are there only on demand.
var (
	private  = []string{"/metrics", "GET /healthz", "GET /readyz"}
	profiles = []string{
		"/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/profile", "/debug/pprof/symbol", "/debug/pprof/trace",
	}
)

// codecAnswer is the answer of the codec: only an operator's key and the UI of this machine get decrypted payloads.
func codecAnswer(c caller, method string) int {
	mayRead := c.name == "the operator" || strings.HasPrefix(c.name, "the own UI")
	switch {
	case method == http.MethodOptions:
		return http.StatusNoContent // the preflight request of a browser; it reveals nothing
	case !mayRead:
		return http.StatusUnauthorized
	case method != http.MethodPost:
		return http.StatusNotFound
	}
	return http.StatusOK
}

const (
	ownUI    = "token-of-the-own-ui"
	history  = `"the payload of a history"`
	itsUI    = "http://127.0.0.1:8233"
	itsSpace = "levy"
)

// apiProcess is the server as `levy api` runs it, with its callers.
type apiProcess struct {
	parts   *parts
	server  *api.Server
	callers []caller
	sealed  string // for the codec
}

func newAPIProcess(t *testing.T, change ...func(*Config)) *apiProcess {
	t.Helper()
	return newProcessAs(t, pg.RoleLogin, change...)
}

// newProcessAs is newAPIProcess with another role in the database: that of the login writes records of any organization.
func newProcessAs(t *testing.T, role pg.Role, change ...func(*Config)) *apiProcess {
	t.Helper()
	database := storetest.URL(t)
	cfg := testConfig("127.0.0.1:0")
	cfg.DatabaseURL, cfg.TemporalAddress, cfg.TemporalNamespace = Secret(database), "127.0.0.1:1", itsSpace
	cfg.MasterKeys, cfg.CodecToken, cfg.CodecOrigins = Secret(secret.NewMasterKey("test")), ownUI, []string{itsUI}
	for _, c := range change {
		c(&cfg)
	}
	p, err := openParts(t.Context(), cfg, role, io.Discard)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.close(t.Context())) })
	intake := p.store.Transactions.StartIntake(1, 1)
	t.Cleanup(intake.Close)
	server, err := p.newServer(intake, p.newDispatching().dispatcher)
	require.NoError(t, err)

	hasher := secret.NewKeyHasher(p.ring)
	owner := storetest.Open(t, store.Options{URL: database}) // a worker may not make an operator key
	made, err := owner.Organizations.Bootstrap(t.Context(), hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	other := storetest.Organization(t, database)
	key := secret.NewAPIKey(secret.KindTest)
	prefix, last4 := secret.Shown(key)
	require.NoError(t, owner.Organizations.CreateAPIKey(t.Context(), other, models.Actor{}, &models.APIKey{
		ID: models.NewID(models.PrefixAPIKey), Hash: hasher.Hash(key), Prefix: prefix, Last4: last4,
	}))
	sealed, err := p.codec.Encode([]*commonpb.Payload{
		{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(history)},
	})
	require.NoError(t, err)
	body, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(&commonpb.Payloads{Payloads: sealed})
	require.NoError(t, err)
	wrong := secret.NewAPIKey(secret.KindOperator)
	return &apiProcess{parts: p, server: server, sealed: string(body), callers: []caller{
		{name: "nobody", from: elsewhere},
		{name: "nobody on this machine", from: "127.0.0.1:999"},
		{
			name: "a wrong key", key: secret.NewAPIKey(secret.KindTest), organization: made.OrganizationID,
			from: elsewhere,
		},
		{name: "a wrong operator key", key: wrong, organization: made.OrganizationID, from: elsewhere},
		{name: "a garbled operator key", key: wrong[:len(wrong)-1], organization: made.OrganizationID, from: elsewhere},
		{name: "the partner", key: made.APIKey, organization: made.OrganizationID, from: elsewhere},
		{name: "another organization", key: key, organization: other.OrganizationID, from: elsewhere},
		{name: "another organization on the partner", key: key, organization: made.OrganizationID, from: elsewhere},
		{name: "the operator", key: made.OperatorKey, from: elsewhere},
		{name: "an operator key in the place of an API key", key: made.OperatorKey, apiKeyOnly: true, from: elsewhere},
		{name: "the own UI", knowsToken: true, from: "127.0.0.1:999"},
		{name: "the own UI over IPv6", knowsToken: true, from: "[::1]:999"},
		{name: "the token of the own UI from elsewhere", knowsToken: true, from: elsewhere},
	}}
}

// ask sends a request with the headers that the codec requires besides a key; header has names and values in turn.
func (p *apiProcess) ask(c caller, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(p.sealed))
	r.RemoteAddr = c.from
	r.Header.Set("X-Namespace", itsSpace)
	r.Header.Set("X-Request-Id", "same")
	if c.knowsToken {
		r.Header.Set(temporal.CodecTokenHeader, ownUI)
	}
	if c.key != "" {
		r.Header.Set("X-API-KEY", c.key)
		r.Header.Set("x-organization-id", c.organization)
	}
	if c.key != "" && !c.apiKeyOnly {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.server.Handler().ServeHTTP(w, r)
	return w
}

// The running server admits to each route outside of openapi.yaml only the callers that the table names.
func TestRoutesBesideTheContract(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newAPIProcess(t)
	methods := map[string][]string{} // of a route
	routes := api.ContractRoutes()
	for _, route := range p.server.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if !slices.ContainsFunc(routes, func(r api.Route) bool { return r.Method == method && r.Path == path }) {
			methods[path] = append(methods[path], method)
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(besideTheContract)), slices.Collect(maps.Keys(methods)))
	cells := 0
	for path, entry := range besideTheContract {
		for _, method := range methods[path] {
			answers := map[string]string{}
			for _, c := range p.callers {
				a := p.ask(c, method, entry.target(c))
				about := fmt.Sprintf("%s %s as %s: %.200s", method, path, c.name, a.Body)
				require.Equal(t, entry.answer(c, method), a.Code, about)
				opened := strings.Contains(a.Body.String(), base64.StdEncoding.EncodeToString([]byte(history)))
				require.Equal(t, path == "/codec/*rest" && a.Code == http.StatusOK, opened, about)
				a.Header().Del("Server-Timing")
				answers[fmt.Sprint(a.Code, a.Header(), a.Body)] = c.name
				cells++
			}
			kinds := 1 // they get the same answer, but not from the codec
			if path == "/codec/*rest" && method != http.MethodOptions {
				kinds = 2
			}
			require.Len(t, answers, kinds, "%s %s", method, path)
		}
	}
	t.Logf("%d cells", cells)
}

// Routes for the operator are not served on the public listener, whatever the key. Profiles are served nowhere unless the
// operator asks for them.
func TestPrivateRoutesAreNotPublic(t *testing.T) { //nolint:paralleltest // as above
	p := newAPIProcess(t)
	require.ElementsMatch(t, private, slices.Collect(maps.Keys(p.parts.privateRoutes())))
	p.parts.cfg.Profiles = true
	routes := p.parts.privateRoutes()
	require.ElementsMatch(t, slices.Concat(private, profiles), slices.Collect(maps.Keys(routes)))
	for route := range routes {
		if strings.HasPrefix(route, "GET ") {
			continue // these routes are in the contract, too
		}
		for _, c := range p.callers {
			for _, path := range []string{route, "/codec" + route, "/onboarding" + route, "//" + route,
				"/onboarding/.." + route, "/onboarding/%2e%2e" + route, "/onboarding/./x"} {
				a := p.ask(c, http.MethodGet, path)
				require.Equal(t, http.StatusNotFound, a.Code, "%s as %s: %.200s", path, c.name, a.Body)
			}
		}
	}
}
