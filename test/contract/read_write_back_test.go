package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every record may be written back as it was read: only the time of the update changes.
func TestWhatIsReadIsWrittenBack(t *testing.T) {
	t.Parallel()
	writeBackWhatIsRead(t, install(t))
}

func writeBackWhatIsRead(t *testing.T, in *installation) {
	t.Helper()
	shop := in.merchant()
	in.onboard(shop)
	same := func(name, read, write string, members ...string) {
		t.Run(name, func(t *testing.T) {
			before := in.get(shop, read)
			body := maps.Clone(before)
			in.putRecord(shop, write, body)
			ignored := append([]string{"revision", "updated_at"}, members...)
			require.Equal(t, before.without(ignored...), in.get(shop, read).without(ignored...))
		})
	}
	made := func(path, body string) string {
		return path + "/" + in.call(shop, "POST", path, body, 200).text(t, "id")
	}
	alone := func(name, path string) { same(name, path, path) }

	customer := made("/v1/customers",
		`{"external_id":"C-9","name":"Ada","email":"a@example.com","street_1":"350 5th Ave","city":"New York","state":"NY",
		"postal_code":"10118","country":"US","source":"POS","customer_tax_registrations":[{"country_code":"DE",
			"tax_type":"vat","tax_id":"DE136695976"}]}`)
	alone("customer", customer)
	exemption := made("/v1/exemptions", exemptionBody(strings.TrimPrefix(customer, "/v1/customers/")))
	alone("exemption", exemption)
	ended := made("/v1/exemptions",
		strings.Replace(exemptionBody(strings.TrimPrefix(customer, "/v1/customers/")), `"jurisdiction"`,
			`"end_date":"2026-02-01","jurisdiction"`, 1))
	in.execute("UPDATE exemptions SET status = 'EXPIRED' WHERE id = $1", strings.TrimPrefix(ended, "/v1/exemptions/"))
	alone("exemption that expired", ended)
	t.Run("an exemption comes back with its last day", func(t *testing.T) {
		r := in.get(shop, ended)
		r["end_date"] = "2099-12-31"
		in.putRecord(shop, ended, r)
		require.Equal(t, "ACTIVE", in.get(shop, ended)["status"])
		in.call(shop, "PUT", ended, `{"status":"EXPIRED"}`, 400)
	})

	alone("product", made("/v1/products",
		`{"external_id":"P-9","name":"Bread","product_category":"Food","product_subcategory":"grocery food","sku":["a"],`+
			`"status":"PENDING"}`))
	alone("product of an unknown subcategory",
		made("/v1/products", `{"external_id":"P-10","name":"Thing","product_category":"PHYSICAL",`+
			`"product_subcategory":"OF_MY_OWN"}`))
	auto := made("/v1/products", productBody("P-11"))
	in.execute("UPDATE products SET classification = 'AUTO_DEFAULT' WHERE id = $1",
		strings.TrimPrefix(auto, "/v1/products/"))
	alone("product that the service made", auto)

	registration := "/v1/registrations/" + in.registration(shop)
	alone("registration", registration)
	waiting := made("/v1/registrations",
		in.registrationBody(`,"registration_date":"2099-01-01","create_filings_from":"2026-01-01"`))
	in.execute(`UPDATE registrations
		SET registration_date = '2026-02-01', create_filings_from = '2001-01-01'
		WHERE id = $1`, strings.TrimPrefix(waiting, "/v1/registrations/"))
	alone("registration whose day has come", waiting)
	presence := made("/v1/nexus/physical_nexus", presenceBody)
	alone("physical nexus", presence)
	filing := made("/v1/filings",
		in.filingOf(strings.TrimPrefix(registration, "/v1/registrations/"), "REGULAR", "UNFILED"))
	alone("filing", filing)
	in.putRecord(shop, filing, record{"status": "PAUSED", "paused_until_date": "2099-01-01"})
	in.execute("UPDATE filings SET paused_until_date = '2026-02-01' WHERE id = $1",
		strings.TrimPrefix(filing, "/v1/filings/"))
	alone("filing whose pause ends", filing)
	for _, status := range []string{"ISSUE", "SKIPPED", "CANCELLED"} {
		alone("filing that is "+status,
			made("/v1/filings", in.filingOf(strings.TrimPrefix(registration, "/v1/registrations/"), in.next("OTHER"),
				status)))
	}

	sale := in.sold(shop)
	note := in.credit(shop, sale,
		noteBody(in.next("NOTE"), "COMMITTED", "-54.44", noteLine("L1", "P-1", "2", "-50.00", "-4.44")))
	var posted []struct{ ID string }
	in.call(shop, "POST", "/v1/transactions",
		fmt.Sprintf(`{"external_id":%q,"type":"PARTIAL_CREDIT_NOTE","related_to":%q,"date":"2026-06-01T01:00:00Z",
			"shop_date":"2026-05-31",
		"total_amount":"-2.00","customer":{"external_id":"C-1"},"addresses":[%s],"transaction_items":[{"external_id":"L1",
			"external_product_id":"P-1","date":"2026-06-01T01:00:00Z",
		"quantity":0,"amount":"-2.00","product_description":"words","tax_items":[{"rate":"0","amount":"0","name":"tax"}]}]}`,
			in.next("NOTE"), sale, newYork), 202).decode(t, &posted)
	decided := func() { // the second note is decided anew after the first
		in.processed(shop, note.ID, posted[0].ID)
		in.processed(shop, posted[0].ID)
	}
	decided()
	for name, id := range map[string]string{"credit note": note.ID, "credit note with a day of the shop": posted[0].ID} {
		t.Run(name, func(t *testing.T) {
			before := in.get(shop, "/v1/transactions/"+id)
			in.putRecord(shop, "/v1/transactions/"+sale+"/credit_notes/"+id, maps.Clone(before))
			decided()
			require.Equal(t, before.without("revision", "updated_at"),
				in.get(shop, "/v1/transactions/"+id).without("revision", "updated_at"))
		})
	}

	for _, step := range stepPaths {
		read := "/v1/organization_details"
		if step.operation == "putBankDetails" {
			read = step.path
		}
		same(step.operation, read, step.path, "onboarding", "warnings")
	}
	t.Run("addresses that were not sent follow the business address", func(t *testing.T) {
		in.putRecord(shop, "/v1/organization_details/business_information", in.get(shop, "/v1/organization_details"))
		in.putRecord(shop, "/v1/organization_details/business_address", record{"company_city": "Albany"})
		r := in.get(shop, "/v1/organization_details")
		require.Equal(t, []any{"Albany", "Albany"}, []any{r["business_city"], r["business_mailing_city"]})
	})
	t.Run("organization", func(t *testing.T) {
		path := "/v1/organizations/" + shop.organization
		before := in.get(shop, path)
		in.putRecord(in.root, path, maps.Clone(before))
		require.Equal(t, before.without("updated_at"), in.get(shop, path).without("updated_at"))
		settings := in.get(shop, path+"/settings")
		body, err := json.Marshal(settings)
		require.NoError(t, err)
		in.call(shop, "POST", path+"/settings", string(body), 200)
		require.Equal(t, settings, in.get(shop, path+"/settings"))
	})
}
