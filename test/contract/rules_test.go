package contract_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// saleWith is the body of a sale of one line with further members; they come last and
// must not repeat those before.
func saleWith(externalID, address, line, members string) string {
	return fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","addresses":[%s],%s
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z",%s}]}`, externalID,
		address, members, line)
}

const (
	inNewYork = `{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY",` +
		`"postal_code":"10118","country":"US"}`
	ofAda = `"customer":{"external_id":"C-1","name":"Ada"},`
)

// fields picks values out of JSON by their paths: "transaction_items.0.amount". What is
// absent is nil.
func fields(t *testing.T, body []byte, paths ...string) []any {
	t.Helper()
	var document any
	require.NoError(t, json.Unmarshal(body, &document))
	found := make([]any, len(paths))
	for i, path := range paths {
		at := document
		for _, name := range strings.Split(path, ".") {
			switch v := at.(type) {
			case map[string]any:
				at = v[name]
			case []any:
				n, err := strconv.Atoi(name)
				require.NoError(t, err, path)
				at = nil
				if n < len(v) {
					at = v[n]
				}
			default:
				at = nil
			}
		}
		found[i] = at
	}
	return found
}

// taken posts a sale, processes it and reads it.
func (in *installation) taken(t *testing.T, as credentials, body string) (id string, stored []byte) {
	t.Helper()
	var made []struct{ ID string }
	in.call(as, "POST", "/v1/transactions", body, 202).decode(t, &made)
	in.processed(as, made[0].ID)
	return made[0].ID, in.call(as, "GET", "/v1/transactions/"+made[0].ID, "", 200).body
}

// Fields of a sale and their effect on processing (contract 15.1, 15.2, 14.1).
func TestEveryFieldOfASaleTakesEffect(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	in.call(shop, "POST", "/v1/products",
		`{"external_id":"FREE","name":"Free","product_category":"PHYSICAL","tax_exempt":true}`, 200)
	id, _ := in.product(shop)
	in.call(shop, "PUT", "/v1/products/"+id, `{"status":"ARCHIVED"}`, 200)
	archived := in.call(shop, "GET", "/v1/products/"+id, "", 200).text(t, "external_id")
	const line = `"amount":100`
	for _, c := range []struct {
		name, body string
		paths      string
		want       []any
	}{
		{"the whole sale is exempt", saleWith("EXEMPT", inNewYork, line, ofAda+`"exempt":"FULLY_EXEMPT",`),
			"exempt total_tax_amount_calculated transaction_items.0.exempt transaction_items.0.tax_exemption",
			[]any{"FULLY_EXEMPT", "0.00", true, "TRANSACTION"}},
		{"a line is exempt, for a reason of its own",
			strings.Replace(saleWith("LINE", inNewYork, `"amount":100,"exempt":true,"tax_exemption":"WHOLESALE"`,
				ofAda), "]}", `,{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100}]}`, 1),
			"exempt total_tax_amount_calculated transaction_items.0.tax_exemption transaction_items.1.tax_exemption",
			[]any{"PARTIALLY_EXEMPT", "8.88", "WHOLESALE", nil}},
		{"a product is exempt", strings.Replace(saleWith("PRODUCT", inNewYork, line, ofAda), "P-1", "FREE", 1),
			"exempt total_tax_amount_calculated transaction_items.0.tax_exemption", []any{"FULLY_EXEMPT", "0.00", "PRODUCT"}},
		{"an archived product may be sold",
			strings.Replace(saleWith("ARCHIVED", inNewYork, line, ofAda), "P-1", archived, 1),
			"processing_status total_tax_amount_calculated", []any{"PROCESSED", "8.88"}},
		{"a refund status is kept as sent",
			saleWith("STATUS", inNewYork, line, ofAda+`"refund_status":"PARTIALLY_REFUNDED",`), "refund_status status",
			[]any{"PARTIALLY_REFUNDED", "COMMITTED"}},
		{"shop_date is the tax date",
			saleWith("DAY", inNewYork, line,
				ofAda+`"shop_date":"2026-05-14T23:30:00-04:00","shop_date_tz":"America/New_York",`), "tax_date shop_date_tz",
			[]any{"2026-05-14", "America/New_York"}},
		{"the lines hold the imported tax",
			saleWith("IMPORTED", inNewYork, `"amount":100,"tax_amount_imported":3`, ofAda), "total_tax_amount_imported",
			[]any{"3.00"}},
		{"unless the sale does", saleWith("IMPORTED-2", inNewYork, `"amount":100,"tax_amount_imported":3`,
			ofAda+`"total_tax_amount_imported":4,`), "total_tax_amount_imported", []any{"4.00"}},
		{"a discount is not taxed", saleWith("DISCOUNT", inNewYork,
			`"amount":100,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":50}`, ofAda),
			"total_discount subtotal taxable_amount total_tax_amount_calculated final_total_amount",
			[]any{"50.00", "100.00", "50.00", "4.44", "50.00"}},
		{"where it says it is, without addresses",
			saleWith("TOP", "", line, ofAda+`"city":"New York","state":"New York","postal_code":"10118","country":"US",`),
			"state address_status total_tax_amount_calculated", []any{"NY", "VERIFIED", "8.88"}},
		{"a bill-to address, without a ship-to",
			saleWith("BILL", strings.Replace(inNewYork, "SHIP_TO", "BILL_TO", 1), line, ofAda),
			"state total_tax_amount_calculated", []any{"NY", "8.88"}},
		{"a whole address in one field",
			saleWith("WHOLE", `{"type":"SHIP_TO","full_address":"350 5th Ave, New York, NY 10118, US"}`, line, ofAda),
			"state total_tax_amount_calculated", []any{"NY", "8.88"}},
		{"not when there are other parts",
			saleWith("PARTS", `{"type":"SHIP_TO","full_address":"350 5th Ave, New York, NY 10118","state":"TX","country":"US"}`,
				line, ofAda), "state address_status", []any{"TX", "PARTIALLY_VERIFIED"}},
		{"outside of the city", saleWith("OUTSIDE", strings.Replace(inNewYork, "{", `{"is_unincorporated":true,`, 1),
			line, ofAda), "total_tax_amount_calculated", []any{"4.38"}},
		{"no country, but a state and a ZIP",
			saleWith("ZIP", `{"type":"SHIP_TO","state":"NY","postal_code":"10118","city":"New York"}`, line, ofAda),
			"country total_tax_amount_calculated", []any{"US", "8.88"}},
		{"a ZIP of another state", saleWith("WRONG",
			`{"type":"SHIP_TO","city":"New York","state":"NY","postal_code":"78701","country":"US"}`, line,
			ofAda), "address_status processing_status total_tax_amount_calculated", []any{"INVALID", "PROCESSED", "4.00"}},
		{"nowhere", saleWith("NOWHERE", "", line, ofAda), "address_status processing_status",
			[]any{"BLANK", "NEEDS_REFETCH"}},
		{"at the marketplace", saleWith("MARKET", inNewYork, line, ofAda+`"marketplace":true,`),
			"marketplace total_tax_amount_calculated total_tax_liability_amount", []any{true, "8.88", "0.00"}},
		{"calculated lines are the service's own",
			saleWith("OWN", inNewYork, `"amount":100,"tax_items":[{"type":"CALCULATED","rate":1,"amount":9,`+
				`"name":"x"},{"rate":0.1,"amount":10,"name":"shop tax"}]`, ofAda),
			"transaction_items.0.tax_items.0.name transaction_items.0.tax_items.0.type transaction_items.0.tax_items.0.reason " +
				"transaction_items.0.tax_amount_calculated", []any{"shop tax", "IMPORTED", "FROM_IMPORT", "8.88"}},
		{"nothing is taxed in a line of nothing", saleWith("NOTHING", inNewYork, `"amount":0`, ofAda),
			"transaction_items.0.tax_exemption total_tax_amount_calculated", []any{"ZERO_VALUE_ITEM", "0.00"}},
		{"an INVALID sale is excluded", saleWith("INVALID", inNewYork, line, ofAda+`"status":"INVALID",`),
			"processing_status locked", []any{"EXCLUDED_IN_CALCULATION", false}},
		{"imported history is processed", saleWith("HISTORY", inNewYork, line, ofAda+`"status":"FULLY_REFUNDED",`),
			"status processing_status", []any{"FULLY_REFUNDED", "PROCESSED"}},
		{"an archive is never processed",
			strings.Replace(saleWith("OLD", inNewYork, line, ofAda), "SALE", "ARCHIVE", 1),
			"type status processing_status locked", []any{"ARCHIVE", "ARCHIVED", "ARCHIVED", true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, stored := in.taken(t, shop, c.body)
			require.Equal(t, c.want, fields(t, stored, strings.Fields(c.paths)...), "%s", stored)
		})
	}
	fault := func(body string) []any {
		a := in.call(shop, "POST", "/v1/transactions", body, 400).problem(t)
		return []any{a.Errors[0].Code, a.Errors[0].Location}
	}
	require.Equal(t, []any{"mismatch", "body.shop_date"},
		fault(saleWith("FAR", inNewYork, line, ofAda+`"shop_date":"2026-05-13",`)))
	require.Equal(t, []any{"out_of_range", "body.total_amount"},
		fault(saleWith("NEGATIVE", inNewYork, line, ofAda+`"total_amount":-1,`)))
}

// Exemptions of every kind apply where and when they say (contract 13).
func TestExemptionsApplyWhereAndWhenTheySay(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	n := 0
	for _, c := range []struct {
		name, members string // of an exemption of the customer
		exempt        bool
	}{
		{"open", `"exemption_type":"customer","start_date":"2026-01-01"`, true},
		{"of the state", `"exemption_type":"customer","start_date":"2026-01-01","jurisdiction":"NY"`, true},
		{"of another state", `"exemption_type":"customer","start_date":"2026-01-01","jurisdiction":"TX"`, false},
		{"of another country", `"exemption_type":"customer","start_date":"2026-01-01","country_code":"CA"`, false},
		{"on its first and last day", `"exemption_type":"wholesale","start_date":"2026-05-15","end_date":"2026-05-15"`, true},
		{"over the day before", `"exemption_type":"customer","start_date":"2026-01-01","end_date":"2026-05-14"`, false},
		{"not begun", `"exemption_type":"customer","start_date":"2026-05-16"`, false},
		{"inactive", `"exemption_type":"customer","start_date":"2026-01-01","status":"INACTIVE"`, false},
		{"deactivated", `"exemption_type":"customer","start_date":"2026-01-01","status":"DEACTIVATED"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n++
			customer, externalID := in.customer(shop)
			made := in.call(shop, "POST", "/v1/exemptions", `{`+c.members+`,"customer_id":"`+customer+`"}`, 200)
			wholesale := strings.Contains(c.members, "wholesale")
			require.Equal(t, wholesale, made.member(t, "reseller"))
			_, stored := in.taken(t, shop,
				saleWith(fmt.Sprint("E-", n), inNewYork, `"amount":100`,
					`"customer":{"external_id":"`+externalID+`"},`))
			want := []any{"NOT_EXEMPT", "8.88", nil, nil}
			if c.exempt {
				reason := "CUSTOMER"
				if wholesale {
					reason = "WHOLESALE"
				}
				want = []any{"FULLY_EXEMPT", "0.00", reason, made.text(t, "id")}
			}
			require.Equal(t, want, fields(t, stored, "exempt", "total_tax_amount_calculated",
				"transaction_items.0.tax_exemption", "exemptions.0.id"))
		})
	}

	t.Run("one that has expired is good for its days", func(t *testing.T) {
		customer, externalID := in.customer(shop)
		id := in.call(shop, "POST", "/v1/exemptions",
			`{"exemption_type":"customer","start_date":"2026-05-01","end_date":"2026-05-31","customer_id":"`+customer+`"}`,
			200).text(t, "id")
		in.execute("UPDATE exemptions SET status = 'EXPIRED' WHERE id = $1", id)
		_, stored := in.taken(t, shop,
			saleWith("EXPIRED", inNewYork, `"amount":100`, `"customer":{"external_id":"`+externalID+`"},`))
		require.Equal(t, []any{"0.00", id}, fields(t, stored, "total_tax_amount_calculated", "exemptions.0.id"))
		in.call(shop, "PUT", "/v1/exemptions/"+id, `{"status":"EXPIRED"}`, 200)
		require.Equal(t, "ACTIVE", in.call(shop, "PUT", "/v1/exemptions/"+id,
			`{"status":"ACTIVE","end_date":"2090-01-01"}`, 200).text(t, "status"))
		require.Equal(t, "not_allowed",
			in.call(shop, "PUT", "/v1/exemptions/"+id, `{"status":"EXPIRED"}`, 400).problem(t).Errors[0].Code)
		in.call(shop, "PUT", "/v1/exemptions/"+id, `{"status":"ARCHIVED"}`, 200)
		require.Equal(t, "invalid_status_transition",
			in.call(shop, "PUT", "/v1/exemptions/"+id, `{"status":"ACTIVE"}`, 409).problem(t).Code)
	})

	t.Run("one that comes with a sale is of that sale", func(t *testing.T) {
		for i, kind := range []string{"transaction", "customer", "wholesale"} {
			id, stored := in.taken(t, shop,
				saleWith("REQUIRES-"+kind, inNewYork, `"amount":100`,
					ofAda+`"requires_exemption":{"exemption_type":"`+kind+`"},`))
			require.Equal(t, []any{"0.00", id, kind, "2026-05-15", "ACTIVE", "US"},
				fields(t, stored, "total_tax_amount_calculated", "exemptions.0.transaction_id",
					"exemptions.0.exemption_type", "exemptions.0.start_date", "exemptions.0.status",
					"exemptions.0.country_code"), "%s", stored)
			require.Equal(t, kind != "transaction", fields(t, stored, "exemptions.0.customer_id")[0] != nil, i)
			_, next := in.taken(t, shop, saleWith("AFTER-"+kind, inNewYork, `"amount":100`, ofAda))
			require.Equal(t, []any{"8.88"}, fields(t, next, "total_tax_amount_calculated"), "not of the next one")
		}
	})

	t.Run("a stored one is linked", func(t *testing.T) {
		customer, _ := in.customer(shop)
		id := in.call(shop, "POST", "/v1/exemptions",
			`{"exemption_type":"customer","start_date":"2026-01-01","customer_id":"`+customer+`"}`, 200).text(t, "id")
		_, stored := in.taken(t, shop, saleWith("LINKED", inNewYork, `"amount":100`, ofAda+`"exemptions":[{"id":"`+id+`"}],`))
		require.Equal(t, []any{"0.00", id}, fields(t, stored, "total_tax_amount_calculated", "exemptions.0.id"))
		in.call(shop, "POST", "/v1/transactions",
			saleWith("UNKNOWN", inNewYork, `"amount":100`,
				ofAda+`"exemptions":[{"id":"exmp_01jx4m9a2bfqv8m1x0c5t7hkde"}],`), 404)
	})
}

// The customer of a sale is found or created, and a sale fills only its missing fields (contract 12.3).
func TestTheCustomerOfASale(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	customer, externalID := in.customer(shop)
	_, other := in.customer(shop)
	fault := func(members, code, location string, status int) {
		t.Helper()
		p := in.call(shop, "POST", "/v1/transactions", saleWith(in.next("ORDER"), inNewYork, `"amount":1`, members),
			status).problem(t)
		require.Equal(t, []string{code, location}, []string{p.Errors[0].Code, p.Errors[0].Location})
	}
	fault(`"customer_id":"`+customer+`","customer":{"external_id":"`+other+`"},`, "mismatch", "body.customer_id", 400)
	fault(`"customer_id":"cust_01jx4m9a2cexv9z6d3n8w0r5ts","customer":{"external_id":"`+other+`"},`, "not_found",
		"body.customer_id", 404)
	fault(`"customer":{"name":"Ada"},`, "missing_field", "body.customer.external_id", 400)

	id, stored := in.taken(t, shop,
		saleWith("ORDER-A", inNewYork, `"amount":1`,
			`"customer_id":"`+customer+`","customer":{"external_id":"`+externalID+`","name":"Somebody Else","phone":"7"},`))
	named := in.call(shop, "GET", "/v1/customers/"+customer, "", 200)
	require.NotEqual(t, "Somebody Else", named.text(t, "name"), "existing values stay")
	require.Equal(t, []any{customer, named.text(t, "name")}, fields(t, stored, "customer.id", "customer.name"))
	body := strings.Replace(strings.Replace(saleWith("ORDER-A", inNewYork, `"amount":2`, `"customer":{},`),
		`"type":"SALE",`, "", 1), "ORDER-A", "ORDER-B", 1)
	changed := in.call(shop, "PUT", "/v1/transactions/"+id, body, 200)
	require.Equal(t, []any{"ORDER-B", customer, "UPDATED", 2.0},
		fields(t, changed.body, "external_id", "customer.id", "processing_status",
			"revision"), "without an external id the customer stays")
}

// Amounts in the currency of the destination, with the conversion rate (contract 15.1).
func TestConversionIsShownAndExplained(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	in.execute("INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-05-13', 2, 'test')")
	id, stored := in.taken(t, shop,
		saleWith("EURO", inNewYork, `"amount":100,"tax_amount_imported":1`,
			ofAda+`"currency":"EUR","total_amount":101,`))
	require.Equal(t, []any{"USD", "2.000000000", "202.00", "200.00", "2.00", "200.00", "17.76", "200.00"},
		fields(t, stored, "destination_currency", "conversion_rate", "converted_total_amount",
			"converted_subtotal", "converted_total_tax_amount_imported", "converted_taxable_amount",
			"converted_total_tax_amount_calculated", "transaction_items.0.converted_amount"), "%s", stored)
	explained := in.call(shop, "GET", "/v1/transactions/"+id+"/explanation", "", 200)
	require.Equal(t, []any{"EUR", "USD", "2.000000000", "2026-05-13", "test"},
		fields(t, explained.body, "conversion.from_currency", "conversion.to_currency", "conversion.rate",
			"conversion.rate_date", "conversion.source"))
	id, waiting := in.taken(t, shop,
		saleWith("YEN", inNewYork, `"amount":100,"taxable_amount":90`,
			ofAda+`"currency":"JPY","taxable_amount":90,"total_tax_amount_calculated":8,`))
	reason := "No conversion rate from JPY to USD for the tax date or the 7 days before."
	require.Equal(t, []any{"NEEDS_REFETCH", reason, nil, nil, nil, "90.00", "8.00", "90.00"},
		fields(t, waiting, "processing_status", "processing_reason", "destination_currency",
			"conversion_rate", "converted_total_amount", "taxable_amount", "total_tax_amount_calculated",
			"transaction_items.0.taxable_amount"), "never a wrong number")
	estimate := in.call(shop, "POST", "/v1/tax/estimate",
		`{"amount":100,"currency":"JPY","date":"2026-05-15T10:00:00Z","product_category":"CLOTHING",`+
			`"shipping_address":{"city":"New York","state":"NY","postal_code":"10118","country":"US"}}`, 200)
	require.Equal(t, []any{"RATE_MISSING", "LOW_CONFIDENCE", "LOW"},
		fields(t, estimate.body, "warnings.0.code", "warnings.1.code",
			"confidence"), "an estimate is calculated all the same")
	unready := in.call(shop, "GET", "/v1/transactions/"+id+"/explanation", "", 409)
	require.Equal(t, []any{"NEEDS_REFETCH", reason}, fields(t, unready.body, "processing_status", "processing_reason"))
}

// Refunds follow their sale (contract 16.1, 16.2, 15.4, 15.5).
func TestRefundsFollowTheirSale(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	sale := in.posted(shop, `"source":"POS","marketplace":true,`)
	in.processed(shop, sale)
	note := func(members string, status int) answer {
		return in.call(shop, "POST", "/v1/transactions/"+sale+"/credit_notes",
			fmt.Sprintf(`{"external_id":%q,"date":"2026-06-01T10:00:00Z","status":"COMMITTED","currency":"USD",%s}`,
				in.next("NOTE"), members), status)
	}
	const line = `"transaction_items":[{"external_id":"X","external_product_id":"P-1","quantity":0,"amount":-5}]`
	first := note(`"total_amount":5,"marketplace":false,"type":"SALE",`+line, 200)
	require.Equal(t, []any{"PARTIAL_CREDIT_NOTE", sale, "POS", true, "5.00", "350 5th Ave", "2026-06-01T10:00:00Z"},
		fields(t, first.body, "type", "related_to", "source", "marketplace", "total_amount", "addresses.0.street_1",
			"transaction_items.0.date"), "the sign is echoed, the rest is the sale's")
	second := note(`"total_amount":-5,"source":"API","addresses":[],`+line, 200)
	require.Equal(t, []any{"API", nil}, fields(t, second.body, "source", "addresses.0"))
	refused := func(members, code, location string, status int) {
		t.Helper()
		p := note(members, status).problem(t)
		require.Equal(t, []string{code, location}, []string{p.Errors[0].Code, p.Errors[0].Location})
	}
	refused(`"total_amount":0,`+line, "out_of_range", "body.total_amount", 400)
	refused(`"total_amount":1,"type":"REFUND",`+line, "invalid_enum", "body.type", 400)
	refused(`"total_amount":1,`+strings.Replace(line, `"quantity":0`, `"quantity":-5`, 1), "out_of_range",
		"body.transaction_items[0].quantity", 400)
	refused(`"total_amount":1,`+strings.Replace(line, "P-1", "NOPE", 1), "not_found",
		"body.transaction_items[0].external_product_id", 404)
	require.Equal(t, "credit_exceeds_original", note(`"total_amount":110,`+line, 409).problem(t).Code)

	ids := func(of string) (found []any) {
		for i := range 3 {
			found = append(found, fields(t,
				in.call(shop, "GET", "/v1/transactions/"+of+"/related_transactions", "", 200).body,
				fmt.Sprintf("items.%d.id", i))...)
		}
		return found
	}
	require.Equal(t, []any{first.text(t, "id"), second.text(t, "id"), nil}, ids(sale), "of a sale: its refunds by date")
	require.Equal(t, []any{sale, second.text(t, "id"), nil}, ids(first.text(t, "id")),
		"of a refund: its sale and the other ones")
	history := in.call(shop, "GET", "/v1/transactions/"+sale+"/history", "", 200).body
	require.Equal(t, []any{"ACCEPTED", nil}, fields(t, history, "items.0.stage", "items.0.workflow_id"))
	require.NotNil(t, fields(t, history, "items.0.request_id")[0])
}

// A key makes a write happen once, whatever its method; reads and calculations ignore it (contract 5). Every
// authenticated answer has the remaining limit.
func TestKeysAndLimitsOnEveryKindOfCall(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	id, _ := in.product(shop)
	send := func(method, target, body, key string) answer {
		t.Helper()
		header := map[string][]string{}
		if key != "" {
			header["Idempotency-Key"] = []string{key}
		}
		a := in.send(t, request{as: shop, method: method, target: target, body: body, header: header})
		for _, name := range []string{"RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			require.NotEmpty(t, a.header.Get(name), "%s %s", method, target)
		}
		return a
	}
	for n, c := range []struct{ method, target, body, other string }{
		{"POST", "/v1/products", productBody("ONCE"), productBody("TWICE")},
		{"PUT", "/v1/products/" + id, `{"name":"A"}`, `{"name":"B"}`},
		{"DELETE", "/v1/products/" + id, "", "-"},
	} {
		key := fmt.Sprint("key-", n)
		first := send(c.method, c.target, c.body, key)
		again := send(c.method, c.target, c.body, key)
		require.Equal(t, []any{first.status, string(first.body), "", "true"},
			[]any{again.status, string(again.body), first.header.Get("Idempotency-Replayed"),
				again.header.Get("Idempotency-Replayed")})
		require.NotEqual(t, first.header.Get("X-Request-Id"), again.header.Get("X-Request-Id"))
		target := c.target
		if c.other == "-" {
			target, c.other = "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", ""
		}
		require.Equal(t, "idempotency_key_reused", send(c.method, target, c.other, key).problem(t).Code)
	}
	for _, body := range []string{estimateBody(1, "PHYSICAL", ""), estimateBody(2, "PHYSICAL", "")} {
		require.Equal(t, 200, send("POST", "/v1/tax/estimate", body, "same").status)
	}
	for _, city := range []string{"Austin", "Dallas"} {
		require.Equal(t, 200, send("POST", "/v1/address_validation/search",
			`{"city":"`+city+`","state":"TX","country":"US"}`, "same").status)
		require.Equal(t, 200, send("GET", "/v1/products?query="+city, "", "same").status)
	}
	require.Equal(t, 400, send("POST", "/v1/products", productBody("SPACE"), "a b").status)
	require.Equal(t, 404, send("GET", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", "", "").status)
}
