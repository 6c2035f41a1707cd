package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities/activitiestest"
	"levy/api"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/store"
	"levy/store/content"
	"levy/store/pg"
	"levy/store/storetest"
)

// installation is a server on its own database, with a root organization.
type installation struct {
	t            *testing.T
	server       *api.Server
	handler      http.Handler
	store        *store.Store
	contentCache *content.Cache
	address      string // of the database
	hasher       *secret.KeyHasher
	steps        *activitiestest.Steps
	log          *bytes.Buffer
	root         credentials
}

// credentials are the organization and the key of a request.
type credentials struct{ organizationID, key string }

// noDispatcher drops every offer, as a busy dispatcher may.
type noDispatcher struct{}

func (noDispatcher) Offer(context.Context, models.Ref) {}

func install(t *testing.T, change ...func(*service.Deps, *api.Options)) *installation {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	in := &installation{t: t, address: storetest.URL(t), hasher: secret.NewKeyHasher(ring), log: &bytes.Buffer{}}
	in.store = storetest.Open(t, store.Options{URL: in.address})
	served := storetest.Open(t, store.Options{URL: in.address, Role: pg.RoleAPI})
	made, err := in.store.Organizations.Bootstrap(t.Context(), in.hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	in.root = credentials{made.OrganizationID, made.APIKey}

	snapshot, err := in.store.Content.OpenCache(t.Context())
	require.NoError(t, err)
	in.contentCache = snapshot
	in.steps = activitiestest.NewSteps(in.store.Organizations, ring, snapshot, nil)
	intake := served.Transactions.StartIntake(1, 10)
	t.Cleanup(intake.Close)
	ok := func(context.Context) error { return nil }
	deps := service.Deps{
		Principals: served.Organizations, Organizations: served.Organizations, APIKeys: served.Organizations,
		Onboardings: served.Organizations, Links: served.Organizations, CalendarFeeds: served.Organizations,
		Products: served.Products(), Customers: served.Catalog, Exemptions: served.Catalog, Sales: served.Catalog,
		Registrations: served.Registrations, Nexus: served.Evaluation(),
		RateOverrides: served.Content, Filings: served.Filings,
		Reports:      served.Filings,
		Transactions: served.Transactions, Intake: intake, CreditNotes: served.Transactions, Dispatcher: noDispatcher{},
		Idempotency: served.Idempotency, Audit: served.Audit, Events: served.Feed(), Webhooks: served.Webhooks,
		Law: snapshot, Catalogue: snapshot, Places: snapshot, Engine: snapshot, Database: served.Ping, Workflows: ok,
		Steps: in.steps, Edits: in.steps, Vault: in.steps.Vault, People: served.People, Work: served.Work, Notices: served.Notices,
		Connections: served.Registrations,
	}
	options := api.Options{
		Options: service.Options{Keys: in.hasher, Logger: slog.New(slog.NewJSONHandler(in.log, nil))},
	}
	for _, c := range change {
		c(&deps, &options)
	}
	in.server, err = api.New(deps, options)
	require.NoError(t, err)
	in.handler = in.server.Handler()
	return in
}

// answer is the answer to a request.
type answer struct {
	*httptest.ResponseRecorder
	t *testing.T
}

// member returns a member of the answer's JSON object.
func (a answer) member(name string) any {
	a.t.Helper()
	var object map[string]any
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &object), a.Body.String())
	return object[name]
}

func (a answer) text(name string) string {
	a.t.Helper()
	s, ok := a.member(name).(string)
	require.True(a.t, ok, "%s in %s", name, a.Body.String())
	return s
}

// expect checks status and, for an error, code.
func (a answer) expect(status int, code ...string) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.Code, a.Body.String())
	if len(code) > 0 {
		require.Equal(a.t, "application/problem+json; charset=utf-8", a.Header().Get("Content-Type"))
		require.Equal(a.t, code[0], a.text("code"))
		require.Equal(a.t, a.Header().Get("X-Request-Id"), a.text("request_id"))
	}
	return a
}

// list returns the values of one member over the items of a list.
func (a answer) list(name string) []any {
	a.t.Helper()
	var items []any
	if json.Unmarshal(a.Body.Bytes(), &items) != nil { // a list with its envelope
		var ok bool
		items, ok = a.member("items").([]any)
		require.True(a.t, ok, a.Body.String())
	}
	values := []any{}
	for _, item := range items {
		values = append(values, item.(map[string]any)[name])
	}
	return values
}

// do sends a request. body is JSON text, or empty.
func (in *installation) do(as credentials, method, target, body string, change ...func(*http.Request)) answer {
	in.t.Helper()
	var reader io.Reader = http.NoBody
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(in.t.Context(), method, target, reader)
	r.Header.Set("X-API-KEY", as.key)
	r.Header.Set("x-organization-id", as.organizationID)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	in.handler.ServeHTTP(w, r)
	return answer{w, in.t}
}

// client creates a client organization with a key, over HTTP.
func (in *installation) client(name string) credentials {
	in.t.Helper()
	id := in.do(in.root, "POST", "/v1/organizations", `{"name":"`+name+`"}`).expect(200).text("id")
	key := in.do(credentials{id, in.root.key}, "POST", "/v1/organizations/api_keys", "").expect(200).text("api_key")
	return credentials{id, key}
}

// product creates a product and returns its id.
func (in *installation) product(as credentials, externalID string) string {
	in.t.Helper()
	body := `{"external_id":"` + externalID + `","name":"Widget","product_category":"PHYSICAL"}`
	return in.do(as, "POST", "/v1/products", body).expect(200).text("id")
}

func header(name string, values ...string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del(name)
		for _, v := range values {
			r.Header.Add(name, v)
		}
	}
}
