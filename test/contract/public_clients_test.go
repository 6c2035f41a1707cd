package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The deprecated query of an estimate simulates a registration as its successor in the body does. The answer is also a
// page of one.
func TestEstimatesAreReadByPublicClients(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	body := estimateBody(1, "PHYSICAL", "")
	plain := in.call(shop, "POST", "/v1/tax/estimate", body, 200)
	require.Equal(t, "0.00", plain.text(t, "tax_to_collect"))
	for _, query := range []string{"true", "false"} {
		asked := in.call(shop, "POST", "/v1/tax/estimate?simulate_nexus_met="+query, body, 200)
		require.Equal(t, query == "true", asked.text(t, "tax_to_collect") != "0.00", query)
		require.Equal(t, query == "true", asked.member(t, "simulate_active_registration"))
	}
	in.call(shop, "POST", "/v1/tax/estimate?simulate_nexus_met=yes", body, 400)

	var page map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(plain.body, &page))
	require.Equal(t, []string{"1", "1", "1", "1"},
		[]string{string(page["total"]), string(page["page"]), string(page["size"]), string(page["pages"])})
	var items []json.RawMessage
	require.NoError(t, json.Unmarshal(page["items"], &items))
	require.Len(t, items, 1)
	for _, member := range []string{"items", "total", "page", "size", "pages"} {
		delete(page, member)
	}
	one, err := json.Marshal(page)
	require.NoError(t, err)
	require.JSONEq(t, string(one), string(items[0]), "the item is the estimate without the members of a page")
}

// tax_registrations is another name of the customer's tax numbers in an estimate.
func TestTaxRegistrationsHaveAnotherNameInEstimates(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	var estimate struct {
		TransactionItems []struct {
			TaxExemption string `json:"tax_exemption"`
		} `json:"transaction_items"`
	}
	for name, want := range map[string]string{
		"customer_tax_registrations": "REVERSE_CHARGE", "tax_registrations": "REVERSE_CHARGE", "registrations": "",
	} {
		body := `{"date":"2026-05-15T10:00:00Z","currency":"EUR","customer":{"` + name +
			`":[{"country_code":"FR","tax_type":"vat","tax_id":"FR 40 303 265 045"}]},
			"addresses":[{"type":"SHIP_FROM","city":"Berlin","postal_code":"10115","country":"DE"},
				{"type":"SHIP_TO","city":"Paris","postal_code":"75001","country":"FR"}],
			"transaction_items":[{"product_category":"PHYSICAL","amount":"100.00"}]}`
		estimate.TransactionItems = nil
		in.call(shop, "POST", "/v1/tax/estimate", body, 200).decode(t, &estimate)
		require.Equal(t, want, estimate.TransactionItems[0].TaxExemption, name)
	}
}

// Records take the names of platforms as their source, and a list is filtered by them.
func TestRecordsComeFromPlatforms(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for _, source := range []string{"SHOPIFY", "SAGE-INTACCT", "MICROSOFT_DYNAMICS_365"} {
		made := in.call(shop, "POST", "/v1/customers",
			strings.Replace(customerBody(in.next("C")), "{", `{"source":"`+source+`",`, 1), 200)
		require.Equal(t, source, made.text(t, "source"))
		require.Len(t, in.items(shop, "/v1/customers?source__in="+source), 1)
	}
	in.call(shop, "POST", "/v1/customers", strings.Replace(customerBody("C"), "{", `{"source":"SHOPFY",`, 1), 400)
	in.call(shop, "GET", "/v1/customers?source__in=SHOPFY", "", 400)
}

// A registration at the one-stop shop needs only its member state: the scheme follows from the seller's country.
func TestARegistrationAtTheOneStopShopHasDefaults(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	made := in.call(shop, "POST", "/v1/registrations", `{"country_code":"ZZ_EU","filing_frequency":"QUARTERLY",
		"registration_import_type":"OSS","member_state_of_identification_code":"IE"}`, 200)
	require.Equal(t, []string{"NON_UNION", "IE", "ZZ_EU"}, []string{
		made.text(t, "oss_type"), made.text(t, "oss_member_state_of_identification_code"), made.text(t, "state_code"),
	})
	id := made.text(t, "id")
	for _, query := range []string{"", "?reveal=true", "?reveal=false"} {
		shown := in.call(shop, "GET", "/v1/registrations/"+id+query, "", 200)
		require.NotContains(t, string(shown.body), "password", query)
		require.Equal(t, id, shown.text(t, "id"))
		in.call(shop, "GET", "/v1/registrations"+query, "", 200)
	}
	in.call(shop, "GET", "/v1/registrations/"+id+"?revealed=true", "", 400)
}

// Of the two names of a state the code counts, in whatever order they come.
func TestTheCodeOfAStateCountsBesideItsName(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.sale(shop, "", `{"external_product_id":"COAT","date":"2026-05-15T10:00:00Z","amount":"10.00"}`)
	for query, found := range map[string]int{
		"state_code=NY": 1, "state=NY": 1, "state=CA&state_code=NY": 1, "state_code=NY&state=CA": 1,
		"state=NY&state_code=CA": 0, "state_code=CA&state=NY": 0,
	} {
		require.Len(t, in.items(shop, "/v1/transactions?"+query), found, query)
	}
}

// EXPIRED may be sent for an exemption whose last day is past, and for no other.
func TestAnExemptionIsSentAsExpired(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	customer, _ := in.customer(shop)
	body := func(end string) string {
		return strings.Replace(exemptionBody(customer), `"jurisdiction"`, `"status":"EXPIRED"`+end+`,"jurisdiction"`, 1)
	}
	require.Equal(t, "EXPIRED",
		in.call(shop, "POST", "/v1/exemptions", body(`,"end_date":"2026-02-01"`), 200).text(t, "status"))
	in.call(shop, "POST", "/v1/exemptions", body(`,"end_date":"2099-02-01"`), 400)
	in.call(shop, "POST", "/v1/exemptions", body(""), 400)
}
