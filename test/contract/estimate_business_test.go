package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The business address of an organization applies to estimates as to processing, from the moment it is saved: as the
// origin, and where the settings allow it as the destination of a sale that has none.
func TestEstimateStartsAtTheBusinessAddress(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.product(client)
	sale := func(addresses string) string {
		return fmt.Sprintf(`"date":"2026-05-15T10:00:00Z","addresses":[%s],"customer":{"external_id":"C-9"},`+
			`"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100}]}`, addresses)
	}
	taxedIn := func(addresses, city string) {
		t.Helper()
		found := in.asProcessed(t, client, sale(addresses))
		require.Contains(t, strings.Join(found.lines[0].taxes, "\n"), city)
	}
	const toAustin, fromHouston = `{"type":"SHIP_TO","city":"Austin","state":"TX","postal_code":"78701","country":"US"}`,
		`{"type":"SHIP_FROM","city":"Houston","state":"TX","postal_code":"77002","country":"US"}`
	taxedIn(toAustin, "Austin")

	in.call(client, "PUT", "/v1/organization_details/business_details", stepBodies["putBusinessDetails"], 200)
	in.call(client, "PUT", "/v1/organization_details/business_address",
		`{"company_country_code":"US","company_city":"Dallas","company_state":"TX","company_postal_code":"75201"}`, 200)
	taxedIn(toAustin, "Dallas")
	taxedIn(toAustin+","+fromHouston, "Houston")
	taxedIn(`{"type":"SHIP_TO","city":"New York","state":"NY","postal_code":"10118","country":"US"}`, "New York")

	refused := in.call(client, "POST", "/v1/tax/estimate", "{"+sale(fromHouston), 400)
	require.Equal(t, "body.addresses", refused.problem(t).Errors[0].Location)
	in.call(client, "POST", "/v1/organizations/"+client.organization+"/settings",
		`{"enable_business_address_fallback":true}`, 200)
	taxedIn(`{"type":"SHIP_FROM","city":"Seattle","state":"WA","postal_code":"98104","country":"US"}`, "Dallas")
	taxedIn(toAustin, "Dallas")
}
