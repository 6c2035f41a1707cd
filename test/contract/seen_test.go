package contract_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Military post offices and territories are places that no state taxes: a sale there is neither refused nor held up.
func TestSalesToOutlyingPlacesAreProcessed(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for _, address := range []string{
		`"street_1":"PSC 1 Box 2","city":"APO","state":"AE","postal_code":"09012","country":"US"`,
		`"city":"FPO","state":"AP","postal_code":"96349","country":"US"`,
		`"city":"DPO","state":"AA","postal_code":"34002","country":"US"`,
		`"city":"Tamuning","state":"GU","postal_code":"96913","country":"US"`,
		`"city":"Saint Thomas","state":"VI","postal_code":"00802","country":"US"`,
		`"city":"Pago Pago","state":"AS","postal_code":"96799","country":"US"`,
		`"city":"Saipan","state":"MP","postal_code":"96950","country":"US"`,
	} {
		_, stored := in.taken(t, shop, saleWith(in.next("ORDER"), `{"type":"SHIP_TO",`+address+`}`, `"amount":100`, ofAda))
		require.Equal(t, []any{"PROCESSED", "0.00"},
			fields(t, stored, "processing_status", "total_tax_amount_calculated"), address)
		estimate := in.call(shop, "POST", "/v1/tax/estimate",
			`{"amount":100,"product_category":"PHYSICAL","shipping_address":{`+address+`}}`, 200)
		require.Equal(t, "0.00", estimate.text(t, "total_tax_amount_calculated"), address)
	}
}

// An amount with the noise of binary floating point is read as the intended amount, and larger deviations are
// refused.
func TestNoiseOfBinaryFloatingPointIsAccepted(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	_, stored := in.taken(t, shop,
		saleWith("NOISE", inNewYork, `"amount":29.989999999999998,"tax_amount_imported":3.1100000000000003`, ofAda))
	require.Equal(t, []any{"29.99", "3.11"},
		fields(t, stored, "transaction_items.0.amount", "transaction_items.0.tax_amount_imported"))
	for _, amount := range []string{`29.985`, `29.98999`, `"29.989999999999998"`} {
		refused := in.call(shop, "POST", "/v1/transactions",
			saleWith(in.next("ORDER"), inNewYork, `"amount":`+amount, ofAda), 400).problem(t)
		require.Equal(t, []fault{{"too_precise", "body.transaction_items[0].amount", refused.Errors[0].Message}},
			refused.Errors, amount)
	}
}

// A refusal names the field and the nearest valid values.
func TestRefusalsNameTheFieldAndTheNearestValues(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	const discounted = `"amount":7,"discount_builder":{"external_id":"D","applied_to":"TRANSACTION_ITEM",` +
		`"discount_amount":7.01}`
	for _, c := range []struct{ method, target, body, code, location, message string }{
		{"POST", "/v1/transactions", saleWith("A", inNewYork, `"amount":1`, ofAda+`"currency":"UDS",`), "invalid_enum",
			"body.currency", "Nearest: USD"},
		{"POST", "/v1/transactions", saleWith("A", strings.Replace(inNewYork, `"US"`, `"USA"`, 1), `"amount":1`, ofAda),
			"invalid_enum", "body.addresses[0].country", "US."},
		{"POST", "/v1/transactions", `{"external_id":"A","type":"SALE","date":"2026-05-15","transaction_items":[]}`,
			"too_few", "body.transaction_items", "At least 1 entry"},
		{"POST", "/v1/transactions", saleWith("A", inNewYork, discounted, ofAda), "out_of_range",
			"body.transaction_items[0].discount_builder.discount_amount", ""},
		{"GET", "/v1/transactions?order_by=dat", "", "unknown_order_field", "query.order_by", "date"},
		{"GET", "/v1/transactions?stauts=COMMITTED", "", "unknown_parameter", "query.stauts", "status"},
		{"GET", "/v1/exemptions?start_date=2026-05-02&end_date=2026-05-01", "", "mismatch", "query.end_date", ""},
	} {
		errors := in.call(shop, c.method, c.target, c.body, 400).problem(t).Errors
		at := slices.IndexFunc(errors, func(f fault) bool { return f.Location == c.location })
		require.GreaterOrEqual(t, at, 0, "%v", errors)
		require.Equal(t, c.code, errors[at].Code)
		require.Contains(t, errors[at].Message, c.message)
	}
}

// A filing says where it is filed, for every jurisdiction that somebody can be registered with.
func TestEveryFilingSaysWhereItIsFiled(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	var registration string
	in.query(&registration, "SELECT registration_id FROM filings WHERE id = $1", in.filing(client))
	places := in.taxes.Current().Nexus().Places()
	for _, place := range places {
		in.filingIn(client, registration, place.Country, cmp.Or(place.State, place.Country))
	}
	found := 0
	for page := 1; found < len(places)+1; page++ {
		items := in.items(client, fmt.Sprintf("/v1/filings?size=100&page=%d", page))
		require.NotEmpty(t, items)
		for _, item := range items {
			filing := item.(map[string]any)
			require.Regexp(t, "^https://", filing["filing_website_url"], "%s %s", filing["country_code"], filing["state_code"])
			found++
		}
	}
}
