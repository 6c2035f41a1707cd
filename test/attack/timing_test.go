package attack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/test/testbed"
)

// requestPair are two kinds of request that get the same answer and should take the same time: otherwise their time would
// reveal what the answer does not.
type requestPair struct {
	what       string // is asked
	one, other kind
	// unlike ones may take different times, because the caller knows which one it sends.
	unlike bool
}

// kind are requests that differ in the value that they guess.
type kind struct {
	name   string
	values []string
	ask    func(value string) asking
}

// asking is one request.
type asking struct {
	method, target, body string
	header               []string // in pairs
}

// How often each pair is compared: few times show that the test works, many measure the difference.
const fewPairs, manyPairs = 4, 3000

// TestTimingRevealsNothing sends both requests of each pair one after the other, in random order, and prints by how much
// their times differ. It has no bound for that, which a busy machine would exceed. It checks that the answers are the
// same.
func TestTimingRevealsNothing(t *testing.T) { //nolint:paralleltest // the long run has the machine to itself
	pairs := manyPairs
	if os.Getenv(lengthVariable) == "" {
		pairs = fewPairs
		t.Parallel()
	}
	bed := testbed.New(t, testbed.Options{})
	records := storetest.Open(t, store.Options{URL: bed.DatabaseURL})
	bed.API.Start()
	bed.Worker.Start()
	all := pairsToCompare(t, bed, records)
	bed.Eventually("what was sold is processed", func(context.Context) (bool, error) {
		left := bed.Count("SELECT count(*) FROM outbox")
		return left == 0, fmt.Errorf("%d left", left)
	})
	bed.Exec("ANALYZE")
	c := &clock{t: t, url: bed.API.URL(), random: rand.New(rand.NewPCG(1, 2))}
	table := &strings.Builder{}
	row := func(cells ...any) { fmt.Fprintf(table, "%-44s %-46s %9s %9s %22s %22s\n", cells...) }
	row("asked", "one, the other", "one", "other", "difference, µs (95 %)", "by the service")
	for _, two := range all {
		client, service := c.compare(two, pairs)
		note := ""
		if two.unlike {
			note = " *"
		}
		row(two.what, two.one.name+", "+two.other.name+note, inMicroseconds(client.one), inMicroseconds(client.other),
			client.difference(), service.difference())
	}
	t.Logf("%d pairs each; * the caller knows which of the two it sends:\n%s", pairs, table)
}

// pairsToCompare prepares an attacker, a victim with records of every kind, and keys that are no
// longer valid.
func pairsToCompare(t *testing.T, bed *testbed.Bed, records *store.Store) []requestPair {
	t.Helper()
	const objects = 40
	victim, attacker := newTenant(t, bed, records, "127.0.0.2"), newTenant(t, bed, records, "127.0.0.3")
	conn, err := pgx.Connect(t.Context(), bed.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, of := range []*tenant{victim, attacker} {
		require.NoError(t, storetest.SellInNewYork(t.Context(), conn, of.organization, 500))
	}
	made := func(target string, body func(n int) string, field string) (values []string) {
		for n := range objects {
			answer, err := victim.send(t.Context(), http.MethodPost, target, body(n))
			require.NoError(t, err)
			require.Less(t, answer.Status, 300, "%s: %s", target, answer.Body)
			values = append(values, answer.Field(field))
		}
		return values
	}
	named := func(prefix string) func(n int) string {
		return func(n int) string { return fmt.Sprintf("%s-%d", prefix, n) }
	}
	list := func(name func(n int) string) (values []string) {
		for n := range objects {
			values = append(values, name(n))
		}
		return values
	}
	nobodys := func(prefix string) []string { return list(func(int) string { return models.NewID(prefix) }) }
	external := func(text string) func(n int) string {
		return func(n int) string { return fmt.Sprintf(text, named("THEIRS")(n)) }
	}
	sold := made(sales, func(n int) string { return saleBody(named("THEIRS")(n), n) }, "id")
	customers := made("/v1/customers",
		external(`{"external_id":%q,"name":"Ada","city":"New York","state":"NY","postal_code":"10118","country":"US"}`),
		"id")
	products := made("/v1/products", external(`{"external_id":%q,"name":"Widget","product_category":"PHYSICAL"}`), "id")
	exemptions := made("/v1/exemptions", func(n int) string {
		return fmt.Sprintf(`{"exemption_type":"wholesale","customer_id":%q,"start_date":"2026-01-01","jurisdiction":"NY",`+
			`"sales_tax_id":"NY-1"}`, customers[n])
	}, "id")
	presences := made("/v1/nexus/physical_nexus", func(n int) string {
		return fmt.Sprintf(`{"country_code":"US","state_code":"NY","start_date":"2025-%02d-%02d",`+
			`"end_date":"2025-%02d-%02d","category":"WAREHOUSE_AND_INVENTORY_PRESENCE"}`,
			1+n/20, 1+n%20, 1+n/20, 1+n%20)
	}, "id")
	filing, err := storetest.WriteReturn(t.Context(), records, models.Scope{OrganizationID: victim.organization})
	require.NoError(t, err)
	var registration string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT registration_id FROM filings WHERE organization_id = $1",
		victim.organization).Scan(&registration))
	theirsNamed, nobodysNamed := list(named("THEIRS")), list(named("NOBODY"))

	mine := []string{"X-API-KEY", attacker.key, "x-organization-id", attacker.organization}
	get := func(before, after string) func(value string) asking {
		return func(value string) asking { return asking{http.MethodGet, before + value + after, "", mine} }
	}
	foreign := func(what string, theirs, nobodys []string, ask func(value string) asking) requestPair {
		return requestPair{what: what, one: kind{"another's", theirs, ask}, other: kind{"nobody's", nobodys, ask}}
	}
	all := []requestPair{
		foreign("GET /v1/transactions/{id}", sold, nobodys(models.PrefixTransaction), get(sales+"/", "")),
		foreign("GET /v1/transactions/{id}/history", sold, nobodys(models.PrefixTransaction), get(sales+"/", "/history")),
		foreign("GET /v1/transactions/{id}/explanation", sold, nobodys(models.PrefixTransaction),
			get(sales+"/", "/explanation")),
		foreign("PUT /v1/transactions/{id}", sold, nobodys(models.PrefixTransaction), func(value string) asking {
			return asking{http.MethodPut, sales + "/" + value,
				strings.Replace(saleBody("MINE", 1), `"type":"SALE",`, "", 1), mine}
		}),
		foreign("POST /v1/transactions/{id}/credit_notes", sold, nobodys(models.PrefixTransaction),
			func(value string) asking {
				return asking{http.MethodPost, sales + "/" + value + "/credit_notes",
					encoded(testbed.CreditNote("NOTE", "1.00")), mine}
			}),
		foreign("GET /v1/transactions/external/{id}", theirsNamed, nobodysNamed, get(sales+"/external/", "")),
		foreign("GET /v1/transactions?search_query=", theirsNamed, nobodysNamed, get(sales+"?search_query=", "")),
		foreign("GET /v1/customers/{id}", customers, nobodys(models.PrefixCustomer), get("/v1/customers/", "")),
		foreign("GET /v1/customers/external/{id}", theirsNamed, nobodysNamed, get("/v1/customers/external/", "")),
		foreign("GET /v1/products/{id}", products, nobodys(models.PrefixProduct), get("/v1/products/", "")),
		foreign("GET /v1/products/external/{id}", theirsNamed, nobodysNamed, get("/v1/products/external/", "")),
		foreign("POST /v1/tax/estimate of a product", theirsNamed, nobodysNamed, func(value string) asking {
			return asking{http.MethodPost, "/v1/tax/estimate",
				strings.ReplaceAll(saleBody("MINE", 1), `"P-1"`, strconv.Quote(value)), mine}
		}),
		foreign("GET /v1/exemptions/{id}", exemptions, nobodys(models.PrefixExemption), get("/v1/exemptions/", "")),
		foreign("GET /v1/nexus/physical_nexus/{id}", presences, nobodys(models.PrefixPhysicalNexus),
			get("/v1/nexus/physical_nexus/", "")),
		foreign("GET /v1/registrations/{id}", []string{registration}, nobodys(models.PrefixRegistration)[:1],
			get("/v1/registrations/", "")),
		foreign("GET /v1/filings/{id}", []string{filing}, nobodys(models.PrefixFiling)[:1], get("/v1/filings/", "")),
		foreign("GET /v1/organizations/{id}", []string{victim.organization}, nobodys(models.PrefixOrganization)[:1],
			get("/v1/organizations/", "")),
		foreign("x-organization-id", []string{victim.organization}, nobodys(models.PrefixOrganization)[:1],
			func(value string) asking {
				return asking{http.MethodGet, "/v1/products", "", []string{"X-API-KEY", attacker.key, "x-organization-id", value}}
			}),
	}
	return append(all, keysOf(t, bed, records, victim)...)
}

// keysOf are keys that nobody has, beside others that are refused.
func keysOf(t *testing.T, bed *testbed.Bed, records *store.Store, victim *tenant) []requestPair {
	t.Helper()
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(t, err)
	hasher := secret.NewKeyHasher(ring)
	issue := func(organization string) string {
		key := secret.NewAPIKey(secret.KindTest)
		prefix, last4 := secret.Shown(key)
		require.NoError(t, records.Organizations.CreateAPIKey(t.Context(), models.Scope{OrganizationID: organization},
			models.Actor{}, &models.APIKey{
				ID: models.NewID(models.PrefixAPIKey), Hash: hasher.Hash(key), Prefix: prefix, Last4: last4,
			}))
		return key
	}
	var unknown, revoked, expired, garbled []string
	for range 15 {
		key := secret.NewAPIKey(secret.KindTest)
		unknown, garbled = append(unknown, key), append(garbled, key[:len(key)-1]+string('a'+(key[len(key)-1]-'a'+1)%26))
		revoked, expired = append(revoked, issue(victim.organization)),
			append(expired, issue(storetest.Organization(t, bed.DatabaseURL).OrganizationID))
	}
	for _, key := range revoked {
		bed.Exec("UPDATE api_keys SET revoked_at = now() WHERE hash = $1", hasher.Hash(key))
	}
	for _, key := range expired {
		bed.Exec("UPDATE api_keys SET expires_at = created_at + interval '1 microsecond' WHERE hash = $1", hasher.Hash(key))
	}
	ask := func(key string) asking {
		return asking{http.MethodGet, "/v1/products", "",
			[]string{"X-API-KEY", key, "x-organization-id", victim.organization}}
	}
	nobodys := kind{"nobody's", unknown, ask}
	return []requestPair{
		{what: "a key", one: kind{"a revoked one", revoked, ask}, other: nobodys},
		{what: "a key", one: kind{"one that has expired", expired, ask}, other: nobodys},
		{what: "a key", one: kind{"one with a wrong checksum", garbled, ask}, other: nobodys, unlike: true},
	}
}

// clock measures times like somebody who has nothing but the address of the service.
type clock struct {
	t      *testing.T
	url    string
	random *rand.Rand
	peers  int
	http   *http.Client
}

// fromOneAddress is how many pairs come from one address: it may fail to authenticate a
// hundred times.
const fromOneAddress = 40

// compare sends both requests of a pair, one right after the other.
func (c *clock) compare(two requestPair, pairs int) (client, service times) {
	for n := range pairs + 1 {
		if n%fromOneAddress == 0 {
			c.changeAddress()
		}
		value, otherValue := c.one(two.one), c.one(two.other)
		first, second := two.one.ask(value), two.other.ask(otherValue)
		swapped := c.random.IntN(2) == 0
		if swapped {
			first, second = second, first
		}
		a, b := c.ask(first), c.ask(second)
		if swapped {
			a, b = b, a
		}
		require.Equal(c.t, strings.ReplaceAll(b.text, otherValue, "VALUE"), strings.ReplaceAll(a.text, value, "VALUE"),
			two.what)
		if n > 0 { // the first is that of a service that has not seen this yet
			client.add(a.took, b.took)
			service.add(a.server, b.server)
		}
	}
	return client, service
}

func (c *clock) one(of kind) string { return of.values[c.random.IntN(len(of.values))] }

// changeAddress switches to another address, with a connection that is open already.
func (c *clock) changeAddress() {
	if c.http != nil {
		c.http.CloseIdleConnections()
	}
	c.peers++
	c.http = newClient([]byte{127, 9, byte(c.peers / 250), byte(1 + c.peers%250)})
	c.ask(asking{method: http.MethodGet, target: "/healthz"})
}

// timedAnswer is an answer with its latency for the client, and as the service reports it (Server-Timing).
type timedAnswer struct {
	text         string
	took, server time.Duration
}

func (c *clock) ask(a asking) timedAnswer {
	request, err := http.NewRequestWithContext(c.t.Context(), a.method, c.url+a.target, strings.NewReader(a.body))
	require.NoError(c.t, err)
	request.Header.Set("X-Request-Id", "same")
	if a.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(a.header); i += 2 {
		request.Header.Set(a.header[i], a.header[i+1])
	}
	began := time.Now()
	response, err := c.http.Do(request)
	require.NoError(c.t, err)
	body, err := io.ReadAll(response.Body)
	took := time.Since(began)
	require.NoError(c.t, errors.Join(err, response.Body.Close()))
	server, err := strconv.ParseFloat(strings.TrimPrefix(response.Header.Get("Server-Timing"), "app;dur="), 64)
	require.NoError(c.t, err)
	return timedAnswer{fmt.Sprint(response.StatusCode, string(body)), took, time.Duration(server * float64(time.Millisecond))}
}
