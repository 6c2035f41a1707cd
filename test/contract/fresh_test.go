package contract_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// eventually is longer than notifications take, and much shorter than the lifetime of the caches of these tests.
const eventually = 3 * time.Minute

// twoNodes are two processes of the API on one database. They cache principals for an hour, unless they are notified
// of a change.
func twoNodes(t *testing.T) (in, other *installation) {
	t.Helper()
	var deps service.Deps
	var options api.Options
	in = install(t, option{server: func(_ *installation, d *service.Deps, o *api.Options) {
		o.PrincipalLifetime = time.Hour
		deps, options = *d, *o
	}})
	server, err := api.New(deps, options)
	require.NoError(t, err)
	other = &installation{t: t, server: server, handler: server.Handler(), store: in.store, contract: in.contract,
		behind: in.behind}
	var following sync.WaitGroup
	t.Cleanup(following.Wait) // until the end of the test's context
	for _, node := range []*installation{in, other} {
		following.Go(func() { node.server.Service().FollowPrincipals(t.Context(), in.store.Organizations) })
	}
	return in, other
}

// estimates is the rate that an estimate finds, and whether there is a registration.
func (in *installation) estimates(as credentials, body string) string {
	in.t.Helper()
	a := in.call(as, "POST", "/v1/tax/estimate", body, 200)
	registered := map[any]string{true: " registered", false: ""}[a.member(in.t, "has_active_registration")]
	return a.text(in.t, "tax_rate_calculated") + registered
}

// becomes waits until an estimate has changed.
func (in *installation) becomes(as credentials, want, body, why string) {
	in.t.Helper()
	require.Eventually(in.t, func() bool { return in.estimates(as, body) == want }, eventually, 5*time.Millisecond, why)
}

const newYorkEstimate = `{"amount":100,"date":"2026-05-15T10:00:00Z","shipping_address":{"street_1":"350 5th Ave",` +
	`"city":"New York","state":"NY","postal_code":"10118","country":"US"}}`

// A registration applies to the next estimate and the next sale, without an evaluation of nexus in between: no worker
// runs here.
func TestARegistrationAppliesAtOnce(t *testing.T) {
	t.Parallel()
	in, other := twoNodes(t)
	seller := in.client()
	in.execute(`UPDATE organization_details SET place = '{"country": "DE"}',
		  business_address = '{"company_address_1": "Platz der Republik 1", "company_city": "Berlin",
		"company_postal_code": "11011", "company_country_code": "DE"}' WHERE organization_id = $1`, seller.organization)
	const addresses = `[{"type":"SHIP_FROM","city":"Berlin","postal_code":"11011","country":"DE"},{"type":"SHIP_TO",` +
		`"city":"Paris","postal_code":"75001","country":"FR"}]`
	estimate := `{"date":"2026-05-15T10:00:00Z","currency":"EUR","addresses":` + addresses +
		`,"transaction_items":[{"product_category":"PHYSICAL","product_subcategory":"PHYSICAL_GENERAL","amount":100}]}`
	in.becomes(seller, "0.190000000", estimate, "below the threshold of the Union it is taxed at home")
	other.becomes(seller, "0.190000000", estimate, "on every node")

	in.call(seller, "POST", "/v1/registrations",
		`{"country_code":"ZZ_EU","state_code":"ZZ_EU","filing_frequency":"QUARTERLY","registration_date":"2026-01-01",
			"imported":true,
		"registration_import_type":"OSS","oss_type":"UNION","oss_member_state_of_identification_code":"DE"}`, 200)
	require.Equal(t, "0.200000000 registered", in.estimates(seller, estimate), "at once where it was answered")
	sale := strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), `"USD"`, `"EUR"`, 1)
	from, to := strings.Index(sale, `[{"type":"SHIP_TO"`), strings.Index(sale, `,
		"transaction_items"`)
	var made []refundAnswer
	in.call(seller, "POST", "/v1/transactions", sale[:from]+addresses+sale[to:], 202).decode(t, &made)
	in.processed(seller, made[0].ID)
	made[0] = in.read(seller, made[0].ID)
	require.Equal(t, []string{"20.00", "20.00"}, []string{made[0].Tax, made[0].Liability}, "and for the stages")
	other.becomes(seller, "0.200000000 registered", estimate, "soon everywhere")
}

// Changes by a workflow, and changes during a lost connection, take effect in every process.
func TestEveryNodeIsNotifiedOfChanges(t *testing.T) {
	t.Parallel()
	in, other := twoNodes(t)
	seller := in.client()
	nodes := []*installation{in, other}
	all := func(want, why string) {
		t.Helper()
		for _, node := range nodes {
			node.becomes(seller, want, newYorkEstimate, why)
		}
	}
	all("0.088750000", "nothing is registered")
	id := in.call(seller, "POST", "/v1/registrations",
		`{"country_code":"US","state_code":"NY","filing_frequency":"QUARTERLY"}`, 200).text(t, "id")
	scope := models.Scope{OrganizationID: seller.organization}
	attempt := models.Attempt{RecordID: id}
	in.query(&attempt.Number, "SELECT attempt FROM registrations WHERE id = $1", id)
	all("0.088750000", "it is in progress")
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, in.store.Registrations.SettleRegistration(t.Context(), scope, attempt,
		models.AuthorityAnswer{Outcome: models.AuthorityAccepted}, now))
	all("0.088750000 registered", "the authority confirmed it")

	override := in.call(seller, "POST", "/v1/rate_overrides",
		strings.Replace(overrideBody, "2099-01-01", "2026-01-01", 1), 200).text(t, "id")
	require.Equal(t, "0.096250000 registered", in.estimates(seller, newYorkEstimate),
		"a rate of one's own counts at once where it was set")
	all("0.096250000 registered", "and reaches the other nodes")
	in.call(seller, "DELETE", "/v1/rate_overrides/"+override, "", 200)
	all("0.088750000 registered", "it was removed")

	in.execute(`SELECT pg_terminate_backend(pid)
		FROM pg_stat_activity
		WHERE application_name = 'levy-listens' AND datname = current_database()`)
	in.execute("UPDATE registrations SET registration_date = '2026-06-01' WHERE id = $1", id)
	all("0.088750000", "it begins later, which both may have missed")
	in.execute("UPDATE registrations SET registration_date = '2026-02-01' WHERE id = $1", id)
	all("0.088750000 registered", "they are notified again")

	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", in.root.organization)
	for _, node := range nodes {
		require.Eventually(t, func() bool {
			_, a := node.do(request{as: seller, method: "GET", target: "/v1/products"})
			return a.status == 401
		}, eventually, 5*time.Millisecond, "the end of the partner ends the keys of its clients")
	}
}
