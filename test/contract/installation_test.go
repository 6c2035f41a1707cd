package contract_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"levy/activities/activitiestest"
	"levy/api"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/service/limit"
	"levy/store"
	"levy/store/content"
	"levy/store/pg"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// tester has the methods that checks need of *testing.T and *rapid.T.
type tester interface {
	require.TestingT
	Helper()
}

// credentials are the organization and the key that a client sends.
type credentials struct{ organization, key string }

// request is one call. Without a header of its own it is sent as JSON.
type request struct {
	as             credentials
	method, target string
	body           string
	header         http.Header // on top of the usual ones; a nil value removes
	from           string      // address of the peer
	cookie         string      // of a session, in place of a key
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// installation is the real server over a database of its own. Every answer that
// passes through it is checked against the contract.
type installation struct {
	t        *testing.T
	server   *api.Server
	handler  http.Handler
	store    *store.Store // acts as the owner of the database
	served   *store.Store // acts as the API
	taxes    *content.Cache
	database string
	hasher   *secret.KeyHasher
	steps    *activitiestest.Steps
	log      *journal
	contract *contract
	root     credentials
	// provesLedger tells that the test writes nothing past the service, so that the ledger holds when it has passed.
	provesLedger bool
	serial       atomic.Int64
	objects      map[string]object // what the operations of a test name
	signer       sync.Once         // of who can sign in
	linked       sync.Once         // of who has a link
	hired        sync.Once         // the member of staff
	session      string            // the cookie of that member
	admins       map[string]string // cookies of admins, by their organization
	behind       *pgxpool.Pool     // reads and changes records directly in the database
	between      program           // nil: calls reach the service directly
}

// program is a third-party program that makes the calls of a test in its own way.
type program interface {
	takes(r request, sent *http.Request) bool
	// do makes the call, or leaves it to the test.
	do(t *testing.T, sent *http.Request, body string, direct func() answer) answer
}

// status is a stub of the status that the program collects about the installation.
func status(context.Context) (models.Status, error) {
	return models.Status{
		Lines: []models.StatusLine{{Subject: "Workers", Text: "one answers"}}, Advice: []string{},
		Alarms: []models.Alarm{{Name: "LevyNoBackup", Severity: "page", Summary: "There is no backup", After: "10m"}},
	}, nil
}

// contentChanges are a stub of the changes that the program finds.
func contentChanges(context.Context) (models.ContentChanges, error) {
	return models.ContentChanges{InForce: "2026.11.1", From: "2026.11.1", To: "2026.12.1", Total: 1,
		Changes: []models.ContentChange{
			{State: "NY", Jurisdiction: "New York", Old: "4 %", New: "5 %", From: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
		}}, nil
}

// masterKeys are a stub of what the program finds to need master keys.
func masterKeys(context.Context) (models.MasterKeys, error) {
	return models.MasterKeys{
		Keys: []models.NeededMasterKey{{MasterKey: models.MasterKey{ID: "k1"}, Needs: []models.MasterKeyNeedInWords{
			{MasterKeyNeed: models.MasterKeyNeed{Kind: models.NeedAPIKey, Count: 1}, What: "API keys", Remedy: "use them"},
		}}},
		Holders: []models.MasterKeyHolder{{MasterKeyID: "k1", Kind: models.NeedAPIKey, ID: "akey_1", Name: "Shop"}},
	}, nil
}

// noDispatcher drops every offer, as a busy dispatcher may.
type noDispatcher struct{}

func (noDispatcher) Offer(context.Context, models.Ref) {}

// anyConsent is an authority that grants nothing.
type anyConsent struct{}

func (anyConsent) Address(state, _ string) string { return "/sandbox?state=" + state }

func (anyConsent) Exchange(context.Context, string, string, string) (models.AuthorityGrant, time.Time, bool, error) {
	return models.AuthorityGrant{}, time.Time{}, false, nil
}

type option struct {
	store  func(*store.Options)
	server func(*installation, *service.Deps, *api.Options)
}

// install starts an installation with one root organization that has the product
// "P-1".
func install(t *testing.T, options ...option) *installation {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	in := &installation{t: t, database: storetest.URL(t), hasher: secret.NewKeyHasher(ring), log: &journal{},
		contract: newContract(t)}
	logger := slog.New(slog.NewJSONHandler(in.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	in.store = storetest.Open(t, store.Options{URL: in.database})
	storeOptions := store.Options{URL: in.database, Role: pg.RoleAPI}
	for _, o := range options {
		if o.store != nil {
			o.store(&storeOptions)
		}
	}
	in.served = storetest.Open(t, storeOptions)
	in.behind, err = pgxpool.New(t.Context(), in.database)
	require.NoError(t, err)
	t.Cleanup(in.behind.Close)
	in.taxes, err = in.served.Content.OpenCache(t.Context())
	require.NoError(t, err)
	jurisdictions := models.NexusJurisdictionsOf(in.taxes.Current(), calendar.DateOf(time.Now().UTC()))
	require.NoError(t, in.store.Nexus.RecordNexusJurisdictions(t.Context(), jurisdictions))
	made, err := in.store.Organizations.Bootstrap(t.Context(), in.hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	in.root = credentials{made.OrganizationID, made.APIKey}
	require.NoError(t, in.store.Catalog.CreateProduct(t.Context(), models.Scope{OrganizationID: made.OrganizationID},
		models.Actor{}, &models.Product{
			ID: models.NewID(models.PrefixProduct), ExternalID: "P-1",
			Name: "Widget", ProductCategory: "PHYSICAL", TaxClass: "PHYSICAL",
			Classification: "CATEGORY_DEFAULT", Status: "APPROVED", Source: "OTHER", SKU: []string{},
		}))

	in.steps = activitiestest.NewSteps(in.store.Organizations, ring, in.taxes, nil)
	in.steps.Linger = true
	s := in.served
	intake := s.Transactions.StartIntake(1, 10)
	t.Cleanup(intake.Close)
	deps := service.Deps{
		Principals: s.Organizations, Organizations: s.Organizations,
		APIKeys: s.Organizations, Onboardings: s.Organizations, Links: s.Organizations, CalendarFeeds: s.Organizations,
		Products: s.Products(), Customers: s.Catalog, Exemptions: s.Catalog, Sales: s.Catalog,
		Registrations: s.Registrations, Nexus: s.Evaluation(),
		RateOverrides: s.Content, Filings: s.Filings, Reports: s.Filings,
		Transactions: s.Transactions, Intake: intake, CreditNotes: s.Transactions, Dispatcher: noDispatcher{},
		Imports: s.Imports, Idempotency: s.Idempotency, Audit: s.Audit, Events: s.Feed(),
		People: s.People, Work: s.Work, Notices: s.Notices, Connections: s.Registrations,
		Consents: map[string]service.Consents{"hmrc": anyConsent{}}, Webhooks: s.Webhooks, Addresses: anyAddress{},
		Law: in.taxes, Catalogue: in.taxes, Places: in.taxes, Engine: in.taxes,
		Steps: in.steps, Edits: in.steps, Vault: secret.NewVault(ring, s.Organizations),
		Database: s.Ping, Workflows: func(context.Context) error { return nil },
		Status: status, ContentChanges: contentChanges, MasterKeys: masterKeys,
	}
	serverOptions := api.Options{Options: service.Options{Keys: in.hasher, Logger: logger, ImportLimit: importLimit,
		Streams: service.StreamTimes{Lifetime: time.Hour, Heartbeat: 50 * time.Millisecond, WriteTimeout: 10 * time.Second},
		Limits: limit.Config{Rate: models.RateLimit{PerMinute: 1_000_000, Burst: 1_000_000},
			Concurrent: 10_000}}} // all calls are those of few organizations
	for _, o := range options {
		if o.server != nil {
			o.server(in, &deps, &serverOptions)
		}
	}
	in.server, err = api.New(deps, serverOptions)
	require.NoError(t, err)
	in.handler = in.server.Handler()
	t.Cleanup(func() { in.verifyAudit(secret.NewSealer(ring)) })
	return in
}

// verifyAudit verifies the audit trails of all organizations when a test has passed.
func (in *installation) verifyAudit(sealer *secret.Sealer) {
	if in.t.Failed() || in.t.Skipped() {
		return
	}
	ctx := context.Background() // that of the test has ended
	require.NoError(in.t, in.store.Audit.SealAll(ctx, sealer))
	storetest.RequireTrails(ctx, in.t, in.store.Audit, sealer, in.root.organization)
	if in.provesLedger {
		storetest.RequireLedger(ctx, in.t, in.store.Audit, in.store.Ledger, sealer)
	}
}

// send makes a call and checks its answer against the contract.
func (in *installation) send(t tester, r request) answer {
	t.Helper()
	sent, a := in.do(r)
	in.contract.check(t, sent, a)
	return a
}

// do makes a call.
func (in *installation) do(r request) (*http.Request, answer) {
	var body io.Reader = http.NoBody
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	ctx, leave := context.WithCancel(in.t.Context())
	defer leave()
	sent := httptest.NewRequestWithContext(ctx, r.method, r.target, body)
	if r.cookie != "" {
		sent.Header.Set("Cookie", r.cookie)
		sent.Header.Set("Sec-Fetch-Site", "same-origin")
	} else {
		sent.Header.Set("X-API-KEY", r.as.key)
	}
	sent.Header.Set("x-organization-id", r.as.organization)
	if r.body != "" {
		sent.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(r.body, formStart) {
		sent.Header.Set("Content-Type", formType)
	}
	if strings.HasPrefix(r.body, fileStart) {
		sent.Header.Set("Content-Type", "text/csv")
	}
	for name, values := range r.header {
		sent.Header.Del(name)
		for _, value := range values {
			sent.Header.Add(name, value)
		}
	}
	if r.from != "" {
		sent.RemoteAddr = r.from
	}
	direct := func() answer {
		recorder := httptest.NewRecorder()
		in.handler.ServeHTTP(reader{recorder, leave}, sent)
		return answer{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
	}
	if in.between != nil && in.between.takes(r, sent) {
		return sent, in.between.do(in.t, sent, r.body, direct)
	}
	return sent, direct()
}

// reader leaves a stream, which may have no end of its own, with the first message or the first comment. A timeout
// would end a call that is still to be answered, on a machine that is busy enough.
type reader struct {
	*httptest.ResponseRecorder
	leave func()
}

func (r reader) Flush() {
	r.ResponseRecorder.Flush()
	if bytes.Contains(r.Body.Bytes(), []byte("\ndata: ")) || bytes.Contains(r.Body.Bytes(), []byte(": still here")) {
		r.leave()
	}
}

// call sends an ordinary request and expects a status.
func (in *installation) call(as credentials, method, target, body string, status int) answer {
	in.t.Helper()
	a := in.send(in.t, request{as: as, method: method, target: target, body: body})
	require.Equal(in.t, status, a.status, "%s %s: %s", method, target, a.body)
	return a
}

// next returns a text that no earlier call returned.
func (in *installation) next(prefix string) string {
	return fmt.Sprintf("%s-%d", prefix, in.serial.Add(1))
}

// client creates a client organization with a key and the product "P-1".
func (in *installation) client() credentials {
	in.t.Helper()
	id := in.call(in.root, "POST", "/v1/organizations", fmt.Sprintf(`{"name":%q}`, in.next("Client")), 200).text(in.t,
		"id")
	_, key := in.key(in.parentOf(credentials{organization: id}))
	in.call(credentials{id, key}, "POST", "/v1/products", productBody("P-1"), 200)
	return credentials{id, key}
}

// parentOf is the key of the partner on one of its clients.
func (in *installation) parentOf(client credentials) credentials {
	return credentials{client.organization, in.root.key}
}

// key creates a key with that of a root organization.
func (in *installation) key(as credentials) (id, key string) {
	in.t.Helper()
	a := in.call(as, "POST", "/v1/organizations/api_keys", "", 200)
	return a.text(in.t, "id"), a.text(in.t, "api_key")
}

// stranger adds a live partner, as the operator would. The partner of the installation is for tests.
func (in *installation) stranger() credentials {
	in.t.Helper()
	made, err := in.store.Organizations.AddPartner(in.t.Context(), in.hasher, models.Actor{}, in.next("Partner"), false)
	require.NoError(in.t, err)
	as := credentials{made.OrganizationID, made.APIKey}
	in.call(as, "POST", "/v1/products", productBody("P-1"), 200)
	return as
}

// product creates a product and returns its ids.
func (in *installation) product(as credentials) (id, externalID string) {
	in.t.Helper()
	externalID = in.next("P")
	a := in.call(as, "POST", "/v1/products", productBody(externalID), 200)
	return a.text(in.t, "id"), externalID
}

// transaction creates a sale of the product "P-1" and returns its ids.
func (in *installation) transaction(as credentials) (id, externalID string) {
	in.t.Helper()
	externalID = in.next("ORDER")
	a := in.call(as, "POST", "/v1/transactions", saleBody(externalID, "P-1", 1), 202)
	var list []struct{ ID string }
	a.decode(in.t, &list)
	return list[0].ID, externalID
}

// address is a peer that no earlier call came from.
func (in *installation) address() string {
	n := in.serial.Add(1)
	return fmt.Sprintf("10.%d.%d.%d:999", n>>16, n>>8&255, n&255)
}

// customer creates a customer and returns its ids.
func (in *installation) customer(as credentials) (id, externalID string) {
	in.t.Helper()
	externalID = in.next("C")
	return in.call(as, "POST", "/v1/customers", customerBody(externalID), 200).text(in.t, "id"), externalID
}

// exemption creates an exemption of a new customer and returns its id.
func (in *installation) exemption(as credentials) string {
	in.t.Helper()
	customer, _ := in.customer(as)
	return in.call(as, "POST", "/v1/exemptions", exemptionBody(customer), 200).text(in.t, "id")
}

// endUnusedKeys revokes unused keys, so that more can be created.
func (in *installation) endUnusedKeys() {
	in.t.Helper()
	in.execute("UPDATE api_keys SET revoked_at = now() WHERE last_used_at IS NULL AND revoked_at IS NULL")
}

// query reads one value from the database.
func (in *installation) query(to any, sql string, args ...any) {
	in.t.Helper()
	require.NoError(in.t, in.behind.QueryRow(in.t.Context(), sql, args...).Scan(to))
}

// execute changes the database directly.
func (in *installation) execute(sql string, args ...any) {
	in.t.Helper()
	_, err := in.behind.Exec(in.t.Context(), sql, args...)
	require.NoError(in.t, err)
}

// journal collects what is logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
