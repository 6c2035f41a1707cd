package contract_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// White space around an identifier is no part of it, in bodies and in paths. A stored identifier of an earlier release
// that has some is found by its exact spelling, and without it.
func TestIdentifiersAreFoundWithSpaceAroundThem(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	made := in.call(shop, "POST", "/v1/products",
		`{"external_id":" LAMP-1\t","name":"Lamp","product_category":"PHYSICAL"}`, 200)
	require.Equal(t, "LAMP-1", made.text(t, "external_id"))
	for _, spelled := range []string{"LAMP-1", "%20LAMP-1", "LAMP-1%C2%A0", "%09LAMP-1%20"} {
		require.Equal(t, made.text(t, "id"), in.call(shop, "GET", "/v1/products/external/"+spelled, "", 200).text(t, "id"))
	}
	in.execute("UPDATE products SET external_id = ' LAMP-1' WHERE id = $1", made.text(t, "id"))
	in.call(shop, "GET", "/v1/products/external/%20LAMP-1", "", 200)
	in.call(shop, "GET", "/v1/products/external/LAMP-1", "", 200)
}

// padIdentifiers gives the identifiers of a shop the white space that an earlier release stored with them.
func (in *installation) padIdentifiers(as credentials) {
	in.t.Helper()
	for _, statement := range []string{
		`UPDATE products SET external_id = ' ' || external_id || E'\u3000' WHERE organization_id = $1`,
		`UPDATE customers SET external_id = E'\t' || external_id || ' ', external_friendly_id = E'\u00a0F'
			WHERE organization_id = $1`,
		`UPDATE transactions SET external_id = E'\u2003' || external_id, external_friendly_id = ' F',
			secondary_external_id = 'S ' WHERE organization_id = $1`,
		`UPDATE transaction_items SET external_id = ' ' || external_id || ' ',
			external_product_id = ' ' || external_product_id || E'\u3000',
			sent = CASE WHEN sent ? 'discount' THEN jsonb_set(sent, '{discount,external_id}', '" D"') ELSE sent END
			WHERE organization_id = $1`,
		`UPDATE physical_nexus SET external_id = ' SHOP' WHERE organization_id = $1`,
		`UPDATE organizations SET external_id = ' ' || external_id WHERE id = $1`,
	} {
		in.execute(statement, as.organization)
	}
}

// paddedShop is a shop whose product COAT, customer C-1 with an exemption, sale and credit note are of an earlier
// release.
func (in *installation) paddedShop() (as credentials, customer, sale, note string) {
	in.t.Helper()
	as = in.shop()
	customer = in.call(as, "POST", "/v1/customers", `{"external_id":"C-1","name":"Ada","state":"NY","country":"US"}`,
		200).text(in.t, "id")
	in.call(as, "POST", "/v1/exemptions", exemptionBody(customer), 200)
	sale = in.soldAt(as, newYork, `,"external_id":"O-1"`, `{"external_id":"L1","external_product_id":"COAT",
		"date":"2026-05-15T10:00:00Z","amount":"300.00","quantity":2,
		"discount_builder":{"external_id":"D","applied_to":"TRANSACTION_ITEM","discount_amount":"1.00"}}`,
		`{"external_id":"L2","external_product_id":"COAT","date":"2026-05-15T10:00:00Z","amount":"50.00"}`)
	note = in.credit(as, sale, noteBody("N-1", "COMMITTED", "-20.00", noteLine("L2", "COAT", "1", "-20.00", "0"))).ID
	in.processed(as, note)
	in.padIdentifiers(as)
	return as, customer, sale, note
}

// A sale finds the records that its identifiers name, also those that an earlier release stored with white space.
func TestASaleFindsRecordsWithPaddedIdentifiers(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop, customer, sale, _ := in.paddedShop()
	for _, spelled := range []string{"C-1", "%09C-1%20", "%20C-1"} {
		require.Equal(t, customer, in.call(shop, "GET", "/v1/customers/external/"+spelled, "", 200).text(t, "id"), spelled)
	}
	for _, spelled := range []string{"O-1", "%E2%80%83O-1", "O-1%20"} {
		found := in.call(shop, "GET", "/v1/transactions/external/"+spelled, "", 200)
		require.Equal(t, sale, found.text(t, "id"), spelled)
		require.Equal(t, "\u2003O-1", found.text(t, "external_id"), "nothing stored is changed")
	}
	in.call(shop, "GET", "/v1/products/external/COAT", "", 200)

	for range 2 { // read, then in memory
		var estimate struct {
			TransactionItems []struct {
				TaxClass     string `json:"tax_class"`
				TaxExemption string `json:"tax_exemption"`
			} `json:"transaction_items"`
		}
		body := strings.Replace(estimateBody(1, "", `"external_product_id":" COAT"`), "{",
			`{"customer":{"external_id":"C-1 "},`, 1)
		in.call(shop, "POST", "/v1/tax/estimate", body, 200).decode(t, &estimate)
		require.Equal(t, "CLOTHING", estimate.TransactionItems[0].TaxClass)
		require.Equal(t, "WHOLESALE", estimate.TransactionItems[0].TaxExemption, "the exemption of the customer applies")
	}

	in.call(shop, "POST", "/v1/transactions", saleBody(" O-1", "COAT", 1), 409).refuses(t, "duplicate_external_id")
	var batch struct{ Items []struct{ Verdict string } }
	in.call(shop, "POST", "/v1/transactions/batch",
		`{"transactions":[`+saleBody("O-1", "COAT", 1)+`,`+saleBody("O-2", "COAT", 1)+`]}`, 200).decode(t, &batch)
	require.Equal(t, "REJECTED", batch.Items[0].Verdict)
	require.Equal(t, "ACCEPTED", batch.Items[1].Verdict)
	made := in.get(shop, "/v1/transactions/external/O-2")
	require.Equal(t, customer, made["customer_id"])
	require.Equal(t, "COAT", made.line(0)["external_product_id"])
	in.processed(shop, made["id"].(string))
	require.Equal(t, "CLOTHING", in.get(shop,
		"/v1/transactions/"+made["id"].(string)+"/explanation").list("items")[0].(map[string]any)["tax_class"])
	in.call(shop, "POST", "/v1/transactions/"+sale+"/credit_notes", noteBody("N-1", "COMMITTED", "-1.00",
		noteLine("L2", "COAT", "1", "-1.00", "0")), 409).refuses(t, "duplicate_external_id")
	in.call(shop, "PUT", "/v1/transactions/"+made["id"].(string), versionBody("O-1", "COAT", 1), 409)
	var customers, orders int
	in.query(&customers, "SELECT count(*) FROM customers WHERE organization_id = $1", shop.organization)
	in.query(&orders, "SELECT count(*) FROM transactions WHERE organization_id = $1", shop.organization)
	require.Equal(t, []int{1, 3}, []int{customers, orders})

	of := "/v1/customers/" + customer + "/transactions"
	in.call(shop, "POST", of, saleBody("O-3", "COAT", 1), 202)
	in.call(shop, "POST", of, strings.Replace(saleBody("O-4", "COAT", 1), `"C-1"`, `"C-2"`, 1), 400)
}

// refuses checks the code of a problem.
func (a answer) refuses(t *testing.T, code string) {
	t.Helper()
	require.Equal(t, code, a.text(t, "code"), "%s", a.body)
}

// A new record that equals one with white space around its identifier is its duplicate.
func TestPaddedIdentifiersAreTaken(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop, customer, _, _ := in.paddedShop()
	taken := in.call(shop, "POST", "/v1/customers", customerBody("C-1"), 409)
	taken.refuses(t, "duplicate_external_id")
	require.Equal(t, customer, taken.text(t, "existing_id"))
	in.call(shop, "POST", "/v1/products", productBody("COAT"), 409).refuses(t, "duplicate_external_id")
	other, _ := in.customer(shop)
	in.call(shop, "PUT", "/v1/customers/"+other, `{"external_id":"C-1"}`, 409).refuses(t, "duplicate_external_id")
	in.call(shop, "PUT", "/v1/customers/"+other, `{"external_id":"C-2"}`, 200)
	// A pair that an earlier release stored: each is found by its spelling, and the exact one before the other.
	in.execute("UPDATE customers SET external_id = 'C-1' WHERE id = $1", other)
	require.Equal(t, other, in.call(shop, "GET", "/v1/customers/external/C-1", "", 200).text(t, "id"))
	require.Equal(t, customer, in.call(shop, "GET", "/v1/customers/external/%09C-1%20", "", 200).text(t, "id"))
	in.call(shop, "POST", "/v1/transactions", saleBody("O-2", "COAT", 1), 202)
	require.Equal(t, other, in.get(shop, "/v1/transactions/external/O-2")["customer_id"])
}

// What is read with white space around its identifiers is written back as it was, and a change of one field changes
// nothing else.
func TestPaddedRecordsAreWrittenBack(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop, customer, sale, note := in.paddedShop()
	presence := "/v1/nexus/physical_nexus/" + in.call(shop, "POST", "/v1/nexus/physical_nexus", presenceBody,
		200).text(t, "id")
	in.execute("UPDATE physical_nexus SET external_id = ' SHOP' WHERE organization_id = $1", shop.organization)
	product := in.get(shop, "/v1/products/external/COAT")["id"].(string)
	decided := func() {
		in.processed(shop, sale, note)
		in.processed(shop, note)
	}
	decided()
	for _, path := range [][2]string{
		{"/v1/customers/" + customer, "/v1/customers/" + customer}, {"/v1/products/" + product, "/v1/products/" + product},
		{presence, presence}, {"/v1/transactions/" + sale, "/v1/transactions/" + sale},
		{"/v1/transactions/" + note, "/v1/transactions/" + sale + "/credit_notes/" + note},
	} {
		before := in.get(shop, path[0])
		in.putRecord(shop, path[1], maps.Clone(before))
		decided()
		require.Equal(t, before.without("revision", "updated_at"), in.get(shop, path[0]).without("revision", "updated_at"))
	}
	organization := "/v1/organizations/" + shop.organization
	before := in.get(shop, organization)
	in.putRecord(in.root, organization, maps.Clone(before))
	require.Equal(t, before.without("updated_at"), in.get(shop, organization).without("updated_at"))
	in.call(shop, "PUT", "/v1/products/"+product, `{"external_id":"COAT","name":"Long coat"}`, 200)
	in.call(shop, "PUT", "/v1/products/"+product, `{"external_id":"COAT-2"}`, 400)
	in.call(shop, "PUT", "/v1/customers/"+customer, `{"external_id":"C-9"}`, 200)
	require.Equal(t, "C-9", in.get(shop, "/v1/customers/"+customer)["external_id"], "another identifier is a change")
}

// A note names a line of a sale of an earlier release by its identifier without the white space.
func TestANoteNamesLinesWithPaddedIdentifiers(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop, _, sale, _ := in.paddedShop()
	note := in.credit(shop, sale, noteBody("N-2", "COMMITTED", "-30.00", noteLine("L2", "COAT", "1", "-30.00", "0")))
	var line int
	in.query(&line, `SELECT i.original_line_no FROM transaction_items i WHERE i.organization_id = $1
		AND i.transaction_id = $2`, shop.organization, note.ID)
	require.Equal(t, 1, line, "the second line")
}
