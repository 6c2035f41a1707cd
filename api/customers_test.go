package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestCreateCustomer(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.do(in.root, "POST", "/v1/customers",
		`{"external_id":"C-1","name":"Ada","email":"ada@example.com","city":"New York","state":"NY","postal_code":"10118",
			"country":"US",
		"id":"cust_x","address_status":"INVALID","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",
			"tax_id":"DE136695976","is_valid":false},
		{"country_code":"DE","tax_type":"vat","tax_id":"DE136695977","is_valid":true}]}`).expect(200)
	for name, want := range map[string]any{
		"organization_id": in.root.organizationID, "external_id": "C-1", "name": "Ada", "status": "ACTIVE",
		"email": "ada@example.com",
		"city":  "New York", "source": "OTHER", "address_status": "VERIFIED", "phone": nil, "street_1": nil,
	} {
		require.Equal(t, want, a.member(name), name)
	}
	require.NotContains(t, a.Body.String(), "phone", "fields without a value are left out")
	registrations := a.member("customer_tax_registrations").([]any)
	require.Equal(t, []any{true, false}, []any{
		registrations[0].(map[string]any)["is_valid"], registrations[1].(map[string]any)["is_valid"],
	})
	require.Equal(t, a.text("id"), registrations[0].(map[string]any)["customer_id"])
	require.JSONEq(
		t, a.Body.String(), in.do(in.root, "GET", "/v1/customers/"+a.text("id"), "").expect(200).Body.String(),
	)
	require.JSONEq(
		t, a.Body.String(), in.do(in.root, "GET", "/v1/customers/external/C-1", "").expect(200).Body.String(),
	)

	duplicate := in.do(in.root, "POST", "/v1/customers", `{"external_id":"C-1","name":"Other"}`).
		expect(409, "duplicate_external_id")
	require.Equal(t, a.text("id"), duplicate.text("existing_id"))
	require.Equal(
		t, "BLANK",
		in.do(
			in.root, "POST", "/v1/customers", `{"external_id":"C-2","name":"Bob"}`,
		).expect(200).text("address_status"),
	)
	require.Equal(
		t, "INVALID",
		in.do(
			in.root, "POST", "/v1/customers",
			`{"external_id":"C-3","name":"Eve","state":"CA","postal_code":"10118","country":"US"}`,
		).expect(200).text("address_status"),
	)
	for body, location := range map[string]string{
		`{"external_id":"C-4"}`:                               "body.name",
		`{"external_id":"C-4","name":" "}`:                    "body.name",
		`{"name":"Ada"}`:                                      "body.external_id",
		`{"external_id":"C-4","name":"Ada","status":"GONE"}`:  "body.status",
		`{"external_id":"C-4","name":"Ada","email":"nobody"}`: "body.email",
		`{"external_id":"C-4","name":"Ada","customer_tax_registrations":[{"country_code":"DE","tax_type":"VAT",` +
			`"tax_id":"1"}]}`: "body.customer_tax_registrations[0].tax_type",
	} {
		require.Contains(
			t, in.do(in.root, "POST", "/v1/customers", body).expect(400, "validation_failed").Body.String(),
			`"location":"`+location+`"`,
		)
	}
}

func TestUpdateCustomer(t *testing.T) {
	t.Parallel()
	in := install(t)
	created := in.do(in.root, "POST", "/v1/customers",
		`{"external_id":"C-1","name":"Ada","email":"ada@example.com","state":"NY","postal_code":"10118","city":"New York",
			"country":"US",
		"source":"API","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",
			"tax_id":"DE136695976"}]}`).expect(200)
	in.do(in.root, "POST", "/v1/customers", `{"external_id":"C-2","name":"Bob"}`).expect(200)
	registration := created.member("customer_tax_registrations").([]any)[0].(map[string]any)["id"]
	path := "/v1/customers/" + created.text("id")
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{
			`{}`,
			map[string]any{"name": "Ada", "email": "ada@example.com", "source": "API", "address_status": "VERIFIED"},
		},
		{
			`{"name":"Ada L.","email":"","phone":"1"}`,
			map[string]any{"name": "Ada L.", "email": "ada@example.com", "phone": "1"},
		},
		{`{"email":null,"source":null,"phone":null}`, map[string]any{"email": nil, "source": "OTHER", "phone": nil}},
		{`{"state":"CA"}`, map[string]any{"state": "CA", "address_status": "INVALID"}},
		{
			`{"state":null,"postal_code":null,"city":null,"country":null}`,
			map[string]any{"address_status": "BLANK", "country": nil},
		},
		{`{"status":"ARCHIVED","external_id":"C-9"}`, map[string]any{"status": "ARCHIVED", "external_id": "C-9"}},
		{`{"status":null,"external_id":"C-1"}`, map[string]any{"status": "ACTIVE", "external_id": "C-1"}},
	} {
		a := in.do(in.root, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", path, "").Body.String())
	}

	a := in.do(
		in.root, "PUT", path,
		`{"customer_tax_registrations":[{"country_code":"FR","tax_type":"vat","tax_id":"FR1"},{"country_code":"DE",`+
			`"tax_type":"vat","tax_id":"DE136695976"}]}`,
	).expect(200)
	require.Equal(
		t, registration, a.member("customer_tax_registrations").([]any)[1].(map[string]any)["id"],
		"a number that was there keeps its id",
	)
	require.Empty(
		t,
		in.do(
			in.root, "PUT", path, `{"customer_tax_registrations":null}`,
		).expect(200).member("customer_tax_registrations"),
	)

	taken := in.do(in.root, "PUT", path, `{"external_id":"C-2"}`).expect(409, "duplicate_external_id")
	require.Equal(t, in.do(in.root, "GET", "/v1/customers/external/C-2", "").text("id"), taken.text("existing_id"))
	in.do(in.root, "PUT", path, `{"name":null}`).expect(400, "validation_failed")
	in.do(in.root, "PUT", "/v1/customers/"+models.NewID(models.PrefixCustomer), `{}`).expect(404, "resource_not_found")
}

func TestListCustomers(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, body := range []string{
		`{"external_id":"A_1","name":"Alpha","email":"a@example.com","state":"NY","country":"US"}`,
		`{"external_id":"B-1","name":"Beta","state":"New York","country":"US","source":"API","connection_id":"c1"}`,
		`{"external_id":"C-1","name":"Gamma","country":"DE","status":"ARCHIVED"}`,
	} {
		in.do(in.root, "POST", "/v1/customers", body).expect(200)
	}
	for query, want := range map[string][]any{
		"":                                  {"C-1", "B-1", "A_1"},
		"?order_by=name":                    {"A_1", "B-1", "C-1"},
		"?order_by=-external_id":            {"C-1", "B-1", "A_1"},
		"?search_query=ALPH":                {"A_1"},
		"?search_query=a_":                  {"A_1"},
		"?search_query=EXAMPLE.com":         {"A_1"},
		"?country=US&country=DE":            {"C-1", "B-1", "A_1"},
		"?country=DE,FR":                    {"C-1"},
		"?state=NY":                         {"B-1", "A_1"},
		"?state=new%20york":                 {"B-1", "A_1"},
		"?state=CA":                         {},
		"?status__in=ARCHIVED":              {"C-1"},
		"?status=ACTIVE&order_by=name":      {"A_1", "B-1"},
		"?source__in=API,IMPORT":            {"B-1"},
		"?connection_id__in=c1":             {"B-1"},
		"?order_by=name&size=1&page=2":      {"B-1"},
		"?source__in=API&country=DE&size=3": {},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/customers"+query, "").expect(200).list("external_id"), query)
	}
	for _, bad := range []string{"?order_by=nothing", "?country=XX", "?status=GONE", "?source__in=SHOP", "?size=0"} {
		in.do(in.root, "GET", "/v1/customers"+bad, "").expect(400, "validation_failed")
	}
}

// The customer of a transaction is validated like any other, and found again.
func TestCustomerOfATransaction(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	sale := func(order, customer string) answer {
		return in.do(in.root, "POST", "/v1/transactions", `{"external_id":"`+order+
			`","type":"SALE","date":"2026-05-15T10:00:00Z","customer":`+customer+`,"addresses":[],
			"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":1}]}`).expect(202)
	}
	sale(
		"O-1",
		`{"external_id":"C-1","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat","tax_id":"DE136695976"}]}`,
	)
	blank := in.do(in.root, "GET", "/v1/customers/external/C-1", "").expect(200)
	require.Equal(t, "BLANK", blank.text("address_status"))
	require.Equal(t, true, blank.member("customer_tax_registrations").([]any)[0].(map[string]any)["is_valid"])
	sale("O-2", `{"external_id":"C-1","city":"New York","state":"NY","postal_code":"10118","country":"US"}`)
	require.Equal(
		t, "VERIFIED", in.do(in.root, "GET", "/v1/customers/external/C-1", "").text("address_status"),
		"missing fields are added, and validated",
	)
	sale("O-3", `{"external_id":"C-1","street_1":"350 5th Ave"}`)
	require.Equal(
		t, "UNVERIFIED", in.do(in.root, "GET", "/v1/customers/external/C-1", "").text("address_status"),
		"put together from two",
	)
	sale("O-4", `{"external_id":"C-2"}`)

	path := "/v1/customers/" + blank.text("id") + "/transactions"
	require.Equal(
		t, []any{"O-3", "O-2", "O-1"},
		in.do(in.root, "GET", path+"?order_by=-external_id", "").expect(200).list("external_id"),
	)
	require.Equal(t, []any{"O-2"}, in.do(in.root, "GET", path+"?search_query=o-2", "").list("external_id"))
	require.Equal(
		t, []any{"O-2"},
		in.do(in.root, "GET", path+"?limit=1&offset=1&order_by=external_id", "").list("external_id"),
	)
	require.Len(t, in.do(in.root, "GET", path+"?customer_id="+blank.text("id"), "").list("id"), 3)
	require.Empty(
		t,
		in.do(
			in.root, "GET",
			path+"?customer_id="+in.do(in.root, "GET", "/v1/customers/external/C-2", "").text("id"), "",
		).list("id"),
	)
	paged := in.do(in.root, "GET", path+"?size=2", "").expect(200)
	require.Equal(t, "3", paged.Header().Get("X-Total-Count"))
	require.True(t, strings.HasPrefix(paged.Body.String(), "["), "a plain list")
	require.Len(t, paged.list("id"), 2)
	in.do(in.root, "GET", path+"?limit=1&page=1", "").expect(400, "validation_failed")

	more := func(order, members string) answer {
		return in.do(in.root, "POST", path,
			`{"external_id":"`+order+`","type":"SALE","date":"2026-05-15T10:00:00Z","addresses":[],
			"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":1}]`+members+`}`)
	}
	made := more("O-5", "").expect(202)
	require.Equal(t, blank.text("id"), made.text("customer_id"))
	require.Equal(t, "C-1", made.member("customer").(map[string]any)["external_id"])
	require.JSONEq(t, made.Body.String(), in.do(in.root, "GET", "/v1/transactions/"+made.text("id"), "").Body.String())
	more("O-6", `,"customer":{"external_id":"C-1"},"customer_id":"`+blank.text("id")+`"`).expect(202)
	refused := more("O-7", `,"customer":{"external_id":"C-2"},"customer_id":"`+models.NewID(models.PrefixCustomer)+`"`).
		expect(400, "validation_failed").Body.String()
	require.Contains(t, refused, "body.customer_id")
	require.Contains(t, refused, "body.customer.external_id")
	more("O-5", "").expect(409, "duplicate_external_id")
	require.Len(t, in.do(in.root, "GET", path, "").list("id"), 5)
	unknown := "/v1/customers/" + models.NewID(models.PrefixCustomer) + "/transactions"
	in.do(in.root, "GET", unknown, "").expect(404, "resource_not_found")
	in.do(in.root, "POST", unknown, saleOf(lines(`"amount":1`))).expect(404, "resource_not_found")
	for _, wrong := range []string{"", `,"currency":7`} { // a body that is wrong is, before what the path names
		refused := in.do(in.root, "POST", unknown, saleOf(lines(aboveTheLine)+wrong)).expect(400, "validation_failed")
		require.Contains(t, refused.Body.String(), "body.transaction_items[0].discount_builder.discount_amount")
	}
}
