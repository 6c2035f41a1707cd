package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
	"levy/store/pg"
	"levy/store/storetest"
)

func once(key string) func(*http.Request) { return header("Idempotency-Key", key) }

// count runs a query that counts rows.
func (in *installation) count(query string, args ...any) (n int) {
	in.t.Helper()
	require.NoError(in.t, storetest.SQL(in.t, in.address).QueryRow(context.Background(), query, args...).Scan(&n))
	return n
}

// offers records the offers for processing.
type offers struct {
	mu   sync.Mutex
	refs []models.Ref
	hook func(models.Ref)
}

func (o *offers) Offer(_ context.Context, ref models.Ref) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refs = append(o.refs, ref)
	if o.hook != nil {
		o.hook(ref)
	}
}

func TestARepeatGetsTheFirstAnswerAndDoesNothing(t *testing.T) {
	t.Parallel()
	offered := &offers{}
	in := install(t, func(d *service.Deps, _ *api.Options) { d.Dispatcher = offered })
	offered.hook = func(ref models.Ref) {
		require.Equal(
			t, 1, in.count("SELECT count(*) FROM transactions WHERE id = $1", ref.ID),
			"offered before it was committed",
		)
	}
	in.product(in.root, "P-1")
	for _, c := range []struct{ method, target, body, table string }{
		{"POST", "/v1/transactions", sale("ORDER-1", ""), "transactions"},
		{"POST", "/v1/products", `{"external_id":"P-2","name":"Widget","product_category":"PHYSICAL"}`, "products"},
		{"POST", "/v1/organizations", `{"name":"Client"}`, "organizations"},
	} {
		before := in.count("SELECT count(*) FROM " + c.table)
		first := in.do(in.root, c.method, c.target, c.body, once("key"+c.table))
		require.Less(t, first.Code, 300, first.Body.String())
		require.Empty(t, first.Header().Get("Idempotency-Replayed"))
		audits := in.count("SELECT count(*) FROM audit")
		again := in.do(in.root, c.method, c.target, c.body, once("key"+c.table), header("X-Request-Id", "another"))
		require.Equal(t, first.Code, again.Code)
		require.Equal(t, first.Body.Bytes(), again.Body.Bytes(), "byte for byte")
		require.Equal(t, first.Header().Get("Content-Type"), again.Header().Get("Content-Type"))
		require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
		require.Equal(t, "another", again.Header().Get("X-Request-Id"))
		require.Equal(t, before+1, in.count("SELECT count(*) FROM "+c.table))
		require.Equal(t, audits, in.count("SELECT count(*) FROM audit"), "nothing was executed")
	}
	require.Len(t, offered.refs, 1)

	id := in.do(in.root, "GET", "/v1/products/external/P-2", "").expect(200).text("id")
	in.do(in.root, "DELETE", "/v1/products/"+id, "", once("away")).expect(204)
	again := in.do(in.root, "DELETE", "/v1/products/"+id, "", once("away")).expect(204)
	require.Empty(t, again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
}

func TestAKeyStandsForOneRequest(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	product := func(id string) string {
		return fmt.Sprintf(`{"external_id":%q,"name":"Widget","product_category":"PHYSICAL"}`, id)
	}
	in.do(client, "POST", "/v1/products", product("P-1"), once("k")).expect(200)
	for name, send := range map[string]func() answer{
		"another body":   func() answer { return in.do(client, "POST", "/v1/products", product("P-2"), once("k")) },
		"one space more": func() answer { return in.do(client, "POST", "/v1/products", product("P-1")+" ", once("k")) },
		"another query":  func() answer { return in.do(client, "POST", "/v1/products?a=1", product("P-1"), once("k")) },
		"another path":   func() answer { return in.do(client, "POST", "/v1/transactions", product("P-1"), once("k")) },
	} {
		require.Equal(t, "idempotency_key_reused", send().text("code"), name)
	}
	in.do(in.root, "POST", "/v1/products", product("P-1"), once("k")).expect(200) // another organization's key

	t.Run("the key's organization counts, not only that of the header", func(t *testing.T) {
		parent := credentials{client.organizationID, in.root.key}
		in.do(parent, "POST", "/v1/api-keys", `{}`, once("k")).expect(200)
		in.do(client, "POST", "/v1/api-keys", `{}`, once("k")).expect(409, "idempotency_key_reused")
	})
	t.Run("reads ignore the key", func(t *testing.T) {
		in.do(client, "GET", "/v1/products", "", once("k")).expect(200)
		for range 2 {
			a := in.do(
				client, "POST", "/v1/address_validation/suggestions", `{"city":"Aus","state":"TX"}`, once("k"),
			).expect(200)
			require.Empty(t, a.Header().Get("Idempotency-Replayed"))
		}
	})
	t.Run("a key is visible ASCII and sent once", func(t *testing.T) {
		for _, key := range []string{"", " ", "a b", "ä", "a\tb", "\x7f", strings.Repeat("k", 256)} {
			refused := in.do(client, "POST", "/v1/products", product("P-9"), once(key)).expect(400, "invalid_header")
			require.Equal(t, []string{"invalid_header invalid_format header.Idempotency-Key"}, refused.faults())
		}
		in.do(
			client, "POST", "/v1/products", product("P-9"),
			func(r *http.Request) { r.Header["Idempotency-Key"] = []string{"a", "a"} },
		).
			expect(400, "invalid_header")
		in.do(client, "POST", "/v1/products", product("P-9"), once(strings.Repeat("~", 255))).expect(200)
	})
}

func TestARefusedRequestLeavesTheKeyFreeAndNothingElse(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(404, "product_not_found")
	in.do(in.root, "POST", "/v1/transactions", `{`, once("k")).expect(400, "invalid_json")
	in.do(in.root, "POST", "/v1/transactions", `{}`, once("k")).expect(400, "validation_failed")
	require.Zero(t, in.count("SELECT count(*) FROM idempotency_keys"))
	require.Zero(t, in.count("SELECT count(*) FROM customers"))
	in.product(in.root, "P-1")
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(202)
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k2")).expect(409, "duplicate_external_id")
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", "")).expect(409, "duplicate_external_id")
}

// A process dies, or loses its database, after the effect and before the commit of the answer. No part
// of the effect remains.
func TestEffectAndAnswerStandOrFallTogether(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	in := install(t, func(d *service.Deps, _ *api.Options) {
		d.Idempotency = &breaking{Idempotency: d.Idempotency, err: lost, times: 2}
	})
	in.product(in.root, "P-1")
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(500)
	in.do(
		in.root, "POST", "/v1/products", `{"external_id":"P-2","name":"W","product_category":"PHYSICAL"}`,
		once("p"),
	).expect(500)
	for _, table := range []string{"transactions", "outbox", "customers", "idempotency_keys"} {
		require.Zero(t, in.count("SELECT count(*) FROM "+table), table)
	}
	require.Equal(t, 1, in.count("SELECT count(*) FROM products"))
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(202)
	in.do(
		in.root, "POST", "/v1/products", `{"external_id":"P-2","name":"W","product_category":"PHYSICAL"}`,
		once("p"),
	).expect(200)
}

// breaking panics between effect and commit, like a process that dies.
type breaking struct {
	service.Idempotency
	err   error
	times int
}

func (b *breaking) Once(
	ctx context.Context, claim models.Claim, effect func(context.Context) *models.Answer,
) (*models.Answer, error) {
	return b.Idempotency.Once(ctx, claim, func(ctx context.Context) *models.Answer {
		answer := effect(ctx)
		if b.times--; b.times >= 0 {
			panic(b.err)
		}
		return answer
	})
}

func TestTheSameKeyAtTheSameTimeInTwoProcesses(t *testing.T) {
	t.Parallel()
	arrived, leave := make(chan struct{}), make(chan struct{})
	in := install(t, func(d *service.Deps, _ *api.Options) { d.Idempotency = &slow{d.Idempotency, arrived, leave} })
	in.product(in.root, "P-1")
	other := in.another(t)
	first := make(chan answer)
	go func() { first <- in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")) }()
	<-arrived
	busy := other.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).
		expect(409, "idempotency_key_in_use")
	require.Equal(t, "1", busy.Header().Get("Retry-After"))
	require.Equal(t, true, busy.member("retryable"))
	other.do(
		in.root, "POST", "/v1/transactions", strings.Replace(sale("ORDER-2", ""), "C-1", "C-2", 1), once("k2"),
	).expect(202)
	close(leave)
	won := (<-first).expect(202)
	replay := other.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(202)
	require.Equal(t, won.Body.Bytes(), replay.Body.Bytes())
}

// slow waits between effect and commit.
type slow struct {
	service.Idempotency
	arrived, leave chan struct{}
}

func (s *slow) Once(
	ctx context.Context, claim models.Claim, effect func(context.Context) *models.Answer,
) (*models.Answer, error) {
	return s.Idempotency.Once(ctx, claim, func(ctx context.Context) *models.Answer {
		answer := effect(ctx)
		close(s.arrived)
		<-s.leave
		return answer
	})
}

// another is a second process of the installation.
func (in *installation) another(t *testing.T) *installation {
	t.Helper()
	records := storetest.Open(t, pg.Options{URL: in.address})
	intake := records.Transactions.StartIntake(1, 10)
	t.Cleanup(intake.Close)
	return install(t, func(d *service.Deps, o *api.Options) {
		d.Principals, d.Organizations, d.APIKeys = records.Organizations, records.Organizations, records.Organizations
		d.Products, d.Transactions = records.Products(), records.Transactions
		d.Intake, d.Idempotency, o.Keys = intake, records.Idempotency, in.hasher
	})
}

func TestParallelRepeatsHappenOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	processes := []*installation{in, in.another(t)}
	var wg sync.WaitGroup
	codes := make([]string, 40)
	for i := range codes {
		wg.Go(func() {
			a := processes[i%2].do(
				in.root, "POST", "/v1/transactions", sale(fmt.Sprint("ORDER-", i/10), ""),
				once(fmt.Sprint("k", i/10)),
			)
			codes[i] = fmt.Sprint(a.Code)
			if a.Code != 202 {
				codes[i] += a.text("code")
			}
		})
	}
	wg.Wait()
	for _, code := range codes {
		require.Contains(t, []string{"202", "409idempotency_key_in_use"}, code)
	}
	require.Equal(t, 4, in.count("SELECT count(*) FROM transactions"))
	require.Equal(t, 4, in.count("SELECT count(*) FROM idempotency_keys"))
}

func TestSecretsAreNeitherStoredNorReplayed(t *testing.T) {
	t.Parallel()
	in := install(t)
	first := in.do(in.root, "POST", "/v1/api-keys", `{"name":"Shop"}`, once("k")).expect(200)
	key := first.text("api_key")
	require.NotEmpty(t, key)
	replay := in.do(in.root, "POST", "/v1/api-keys", `{"name":"Shop"}`, once("k")).expect(200)
	require.NotContains(t, replay.Body.String(), `"api_key":`)
	require.Equal(t, false, replay.member("secret_available"))
	require.Equal(t, first.text("id"), replay.text("id"))
	inside := key[14 : len(key)-4]
	require.Zero(
		t,
		in.count(
			"SELECT count(*) FROM idempotency_keys k WHERE convert_from(body, 'UTF8') LIKE '%' || $1 || '%'",
			inside,
		),
	)
	require.Zero(t, in.count("SELECT count(*) FROM idempotency_keys k WHERE k::text LIKE '%' || $1 || '%'", inside))
	require.Equal(t, 1, in.count("SELECT count(*) FROM api_keys WHERE name = 'Shop'"))

	// A repeated answer has the tax id, but no row stores it in clear text. The answer is erased with its customer.
	// The request is not executed again.
	const body = `{"external_id":"C-1","name":"Ada","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",` +
		`"tax_id":"DE136695976"}]}`
	first = in.do(in.root, "POST", "/v1/customers", body, once("taxed")).expect(200)
	replay = in.do(in.root, "POST", "/v1/customers", body, once("taxed")).expect(200)
	require.Equal(t, first.Body.Bytes(), replay.Body.Bytes())
	require.Contains(t, replay.Body.String(), "DE136695976")
	require.Zero(t, in.count(`SELECT count(*)
		FROM idempotency_keys
		WHERE position('136695976' IN body) > 0 OR position('136695976' IN sealed_body) > 0`))
	require.NoError(t, in.store.People.EraseCustomer(t.Context(), models.Actor{Staff: "ann"}, first.text("id")))
	erased := in.do(in.root, "POST", "/v1/customers", body, once("taxed")).expect(409, "idempotency_answer_erased")
	require.Equal(t, false, erased.member("retryable"))
	require.Equal(t, 1, in.count("SELECT count(*) FROM customers"))
}

func TestAnAnswerIsForgottenAfterADay(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(202)
	require.Equal(
		t, 1,
		in.count(`WITH aged AS (UPDATE idempotency_keys SET expires_at = expires_at - interval '24 hours' RETURNING 1)
			SELECT count(*)
			FROM aged`),
	)
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")).expect(409, "duplicate_external_id")
	in.do(in.root, "POST", "/v1/transactions", sale("ORDER-2", ""), once("k")).expect(202)
	require.Equal(
		t, "true",
		in.do(
			in.root, "POST", "/v1/transactions", sale("ORDER-2", ""), once("k"),
		).expect(202).Header().Get("Idempotency-Replayed"),
	)
}
