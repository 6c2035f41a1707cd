package contract_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
	"levy/store/pg"
)

// counter counts what goes to the database.
type counter struct {
	mu         sync.Mutex
	roundTrips int
	statements []string
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	// The pool checks whether a connection is alive, and a new connection sets its role.
	if d.SQL != "-- ping" && !strings.Contains(d.SQL, "pg_has_role") {
		c.add(1, d.SQL)
	}
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.add(1)
	return ctx
}

func (c *counter) TraceBatchQuery(_ context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	// The organization for a statement on a closed table is set in the same batch.
	if !strings.HasPrefix(d.SQL, "SELECT set_config($1") && !strings.HasPrefix(d.SQL, "SELECT set_config('role'") {
		c.add(0, d.SQL)
	}
}

func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (c *counter) add(roundTrips int, statements ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roundTrips += roundTrips
	c.statements = append(c.statements, statements...)
}

// cost is the number of statements and round trips of a request.
type cost struct{ roundTrips, statements int }

// spent returns the counts since the last call.
func (c *counter) spent() (cost, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent, statements := cost{c.roundTrips, len(c.statements)}, c.statements
	c.roundTrips, c.statements = 0, nil
	return spent, statements
}

// A request needs the same number of statements for one row as for a hundred. The numbers are exact, so that an
// additional statement is a deliberate decision.
func TestStatementsPerRequest(t *testing.T) {
	t.Parallel()
	count := &counter{}
	at := time.Now()
	in := install(t, option{
		store: func(o *pg.Options) { o.Tracer = count },
		server: func(_ *installation, _ *service.Deps,
			o *api.Options) {
			o.Now = func() time.Time { return at }
		}, // keys stay known
	})
	client := in.client()
	override := in.call(client, "POST", "/v1/rate_overrides", overrideBody, 200).text(t, "id")
	id, externalID := in.transaction(client)
	in.registration(client)
	attachments := "/v1/exemptions/" + in.exemption(client) + "/attachments"
	in.call(client, "POST", attachments, formBody("%PDF-1.7"), 200)
	twice := in.object(replaced, client).id
	filing := in.filing(client)
	nexus := in.exposed(client)
	presence := in.call(client, "POST", "/v1/nexus/physical_nexus", presenceBody, 200).text(t, "id")
	as := client
	expect := func(want cost, method, target, body string, status int) {
		t.Helper()
		count.spent()
		in.call(as, method, target, body, status)
		got, statements := count.spent()
		require.Equal(t, want, got, "%s %s:\n%s", method, target, strings.Join(statements, "\n"))
	}
	reads := func() {
		t.Helper()
		expect(cost{3, 8}, "GET", "/v1/transactions?size=100", "", 200)
		expect(cost{3, 8}, "GET", "/v1/transactions?size=100&order_by=customer_name&search_query=o", "", 200)
		expect(cost{2, 2}, "GET", "/v1/products?size=100", "", 200)
		expect(cost{2, 2}, "GET", "/v1/customers?size=100", "", 200)
		expect(cost{4, 4}, "GET", "/v1/exemptions?size=100", "", 200) // with names of customers and documents
		expect(cost{2, 2}, "GET", attachments, "", 200)
		// With their frequencies, the due dates of their returns and the end of the fiscal year.
		expect(cost{5, 5}, "GET", "/v1/registrations?size=100", "", 200)
		expect(cost{1, 1}, "GET", "/v1/nexus?without_pagination=true", "", 200) // with their registrations
		expect(cost{1, 1}, "GET", "/v1/nexus/"+nexus, "", 200)
		expect(cost{2, 2}, "GET", "/v1/nexus/physical_nexus?size=100", "", 200)
		expect(cost{1, 1}, "GET", "/v1/nexus/physical_nexus/"+presence, "", 200)
		expect(cost{1, 1}, "GET", "/v1/nexus/physical_nexus/categories", "", 200)
		expect(cost{2, 2}, "GET", "/v1/rate_overrides?size=100", "", 200)
		expect(cost{1, 1}, "GET", "/v1/rate_overrides/"+override, "", 200)
		expect(cost{5, 5}, "POST", "/v1/nexus/simulate", `{"jurisdictions":[{"country_code":"US","state_code":"NY"}]}`, 200)
		expect(cost{3, 3}, "GET", "/v1/api-keys?size=100", "", 200)
		expect(cost{1, 8}, "GET", "/v1/transactions/"+id, "", 200)
		expect(cost{1, 8}, "GET", "/v1/transactions/external/"+externalID, "", 200)
		expect(cost{1, 5}, "GET", "/v1/transactions/"+id+"/history", "", 200)
		expect(cost{1, 5}, "GET", "/v1/transactions/"+twice+"/revisions?size=100", "", 200)
		expect(cost{1, 7}, "GET", "/v1/transactions/"+twice+"/revisions/1", "", 200)
		expect(cost{0, 0}, "GET", "/v1/products/categories", "", 200)
		expect(cost{0, 0}, "POST", "/v1/tax/estimate", estimateBody(1, "PHYSICAL", ""), 200)
		byProduct := estimateBody(1000, "", `"external_product_id":"P-1"`)
		byCustomer := strings.Replace(estimateBody(2, "", `"external_product_id":"P-1"`), "{",
			`{"customer":{"external_id":"C-1"},`, 1)
		in.call(client, "POST", "/v1/tax/estimate", byCustomer, 200) // now both are in memory, of the version of now
		expect(cost{1, 2}, "POST", "/v1/tax/estimate", byProduct, 200)
		expect(cost{1, 2}, "POST", "/v1/tax/estimate", byCustomer, 200) // their versions
		expect(cost{0, 0}, "POST", "/v1/address_validation/search", `{"city":"New York","state":"NY"}`, 200)
		expect(cost{0, 0}, "POST", "/v1/address_validation/suggestions", `{"city":"New"}`, 200)
	}
	reads()
	in.processed(client, id)
	expect(cost{4, 9}, "GET", "/v1/filings/"+filing+"/transactions?size=100", "", 200)
	expect(cost{10, 13}, "GET", "/v1/filings/"+filing+"/report?format=json", "", 200)
	expect(cost{1, 1}, "GET", "/v1/transactions/"+id+"/explanation", "", 200)
	expect(cost{2, 13}, "POST", "/v1/transactions", saleBody(in.next("ORDER"), "P-1", 1), 202)
	expect(cost{2, 13}, "POST", "/v1/transactions", saleBody(in.next("ORDER"), "P-1", 100), 202)
	expect(cost{3, 24}, "POST", "/v1/transactions/"+id+"/credit_notes", creditNoteBody(in.next("REFUND"), "-0.01"), 200)
	changed, _ := in.transaction(client)
	expect(cost{3, 24}, "PUT", "/v1/transactions/"+changed, versionBody(in.next("ORDER"), "P-1", 1), 200)
	expect(cost{3, 24}, "PUT", "/v1/transactions/"+changed, versionBody(in.next("ORDER"), "P-1", 100), 200)
	// And whether an earlier release stored the identifier with white space around it.
	expect(cost{5, 5}, "POST", "/v1/products", productBody(in.next("P")), 200)
	expect(cost{5, 5}, "POST", "/v1/nexus/physical_nexus", presenceBody, 200)
	expect(cost{6, 6}, "PUT", "/v1/nexus/physical_nexus/"+presence, `{"city":"Buffalo"}`, 200)
	expect(cost{7, 7}, "POST", "/v1/nexus/"+nexus+"/disregard", `{"reason":"Resale only"}`, 200)
	expect(cost{7, 7}, "POST", "/v1/nexus/"+nexus+"/undisregard", "", 200)
	expect(cost{4, 4}, "POST", "/v1/nexus/"+nexus+"/undisregard", "", 200) // no row to change
	expect(cost{13, 13}, "PUT", "/v1/nexus/"+in.unregistered(client)+"/register", "", 200)
	expect(cost{7, 8}, "POST", "/v1/rate_overrides", overrideBody,
		200) // and the principal, which the call before changed

	as = in.root
	expect(cost{4, 4}, "GET", "/v1/organizations?size=100", "", 200)
	for range 100 {
		in.call(in.root, "POST", "/v1/organizations", fmt.Sprintf(`{"name":%q}`, in.next("Client")), 200)
	}
	expect(cost{4, 4}, "GET", "/v1/organizations?size=100", "", 200)
	as = client
	for range 100 {
		in.transaction(client)
		in.product(client)
		in.exemption(client) // and its customer
		in.registration(client)
		in.call(client, "POST", "/v1/nexus/physical_nexus", presenceBody, 200)
	}
	for range models.MaxActiveAPIKeys - 1 {
		in.key(in.parentOf(client))
	}
	for range 20 {
		in.call(client, "POST", attachments, formBody("%PDF-1.7"), 200)
		in.call(client, "PUT", "/v1/transactions/"+twice, versionBody(in.next("ORDER"), "P-1", 2), 200)
	}
	in.execute(`INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt,
		  workflow_id, run_id, detail)
		SELECT $1, $2, n, 'QUEUED', 1, 1, 'w', 'r', '{}' FROM generate_series(1, 100) n`, client.organization, id)
	require.Len(t, in.items(client, "/v1/transactions/"+id+"/history?size=100"), 100)
	require.Len(t, in.items(client, "/v1/transactions?size=100"), 100)
	require.Len(t, in.items(client, "/v1/products?size=100"), 100)
	reads()
}

func (in *installation) items(as credentials, target string) []any {
	in.t.Helper()
	items, ok := in.call(as, "GET", target, "", 200).member(in.t, "items").([]any)
	require.True(in.t, ok)
	return items
}
