package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestCreateProduct(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.do(in.root, "POST", "/v1/products",
		`{"external_id":"P-1","name":"Widget","product_category":"physical","product_subcategory":"general clothing",
		"tax_exempt":null,"description":"","sku":["A","B"],"id":"prod_x","tax_class":"NOT_TAXABLE","code":"TX-1",
		"naem":1}`).expect(200)
	require.Equal(t, "naem", a.Header().Get("Levy-Ignored-Fields"), "what only answers have is not named")
	for name, want := range map[string]any{
		"organization_id": in.root.organizationID, "external_id": "P-1", "name": "Widget", "product_category": "physical",
		"product_subcategory": "general clothing",
		"tax_class":           "CLOTHING", "classification": "SUBCATEGORY", "tax_exempt": false, "description": "",
		"status": "APPROVED", "source": "OTHER",
		"sku": []any{"A", "B"}, "connection_id": "", "code": "TX-1", "classification_failed": false,
	} {
		require.Equal(t, want, a.member(name), name)
	}
	require.JSONEq(
		t, a.Body.String(), in.do(in.root, "GET", "/v1/products/"+a.text("id"), "").expect(200).Body.String(),
	)
	require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", "/v1/products/external/P-1", "").expect(200).Body.String())

	duplicate := in.do(
		in.root, "POST", "/v1/products", `{"external_id":"P-1","name":"Other","product_category":"FOOD"}`,
	).
		expect(409, "duplicate_external_id")
	require.Equal(t, a.text("id"), duplicate.text("existing_id"))

	minimal := in.do(
		in.root, "POST", "/v1/products",
		`{"external_id":"P-2","name":"Thing","product_category":"SOFTWARE","product_subcategory":"Unheard of"}`,
	).expect(200)
	require.Equal(t, []any{}, minimal.member("sku"))
	require.Equal(t, "SOFTWARE_DOWNLOAD", minimal.text("tax_class"))
	require.Equal(t, "CATEGORY_DEFAULT", minimal.text("classification"))

	bad := in.do(
		in.root, "POST", "/v1/products", `{"external_id":"P-3","name":"Thing","product_category":"MAGIC"}`,
	).
		expect(400, "validation_failed")
	require.Contains(t, bad.Body.String(), `"code":"invalid_category","location":"body.product_category"`)
	nearest := in.do(in.root, "POST", "/v1/tax/estimate", `{"amount":1,"product_category":"Book",
		"date":"2026-05-15T10:00:00Z","shipping_address":{"country":"US","state":"NY","postal_code":"10118"}}`).expect(400)
	require.Contains(t, nearest.Body.String(), "Nearest: BOOKS (a subcategory of PHYSICAL).")
}

func TestUpdateProduct(t *testing.T) {
	t.Parallel()
	in := install(t)
	id := in.do(
		in.root, "POST", "/v1/products",
		`{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL","description":"Old","sku":["A"],"source":"API",`+
			`"tax_exempt":true}`,
	).expect(200).text("id")
	path := "/v1/products/" + id
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{
			`{}`,
			map[string]any{
				"name": "Widget", "description": "Old", "sku": []any{"A"}, "source": "API", "tax_exempt": true,
				"tax_class": "PHYSICAL",
			},
		},
		{`{"name":"Gadget","description":""}`, map[string]any{"name": "Gadget", "description": "Old"}},
		{
			`{"description":null,"sku":null,"source":null,"tax_exempt":null}`,
			map[string]any{"description": "", "sku": []any{}, "source": "OTHER", "tax_exempt": false},
		},
		{
			`{"sku":["X","Y"],"status":"ARCHIVED","external_id":"P-1"}`,
			map[string]any{"sku": []any{"X", "Y"}, "status": "ARCHIVED"},
		},
		{`{"status":null}`, map[string]any{"status": "APPROVED"}},
		{
			`{"product_subcategory":"BOOKS"}`,
			map[string]any{"tax_class": "BOOK", "classification": "SUBCATEGORY", "product_category": "PHYSICAL"},
		},
		{
			`{"product_category":"DIGITAL"}`,
			map[string]any{
				"tax_class": "DIGITAL", "classification": "CATEGORY_DEFAULT", "product_subcategory": "BOOKS",
			},
		},
		{`{"product_subcategory":null}`,
			map[string]any{"tax_class": "DIGITAL", "product_subcategory": nil, "classification_failed": false}},
		{`{"product_subcategory":"NO_SUCH","code":"8"}`,
			map[string]any{"classification_failed": true, "tax_class": "DIGITAL", "code": "8"}},
		{`{"code":null}`, map[string]any{"code": ""}},
	} {
		a := in.do(in.root, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", path, "").Body.String())
	}
	for body, code := range map[string]string{
		`{"external_id":"P-2"}`: "not_allowed", `{"product_category":"MAGIC"}`: "invalid_category",
		`{"name":null}`: "missing_field", `{"status":"GONE"}`: "invalid_enum",
	} {
		require.Contains(
			t, in.do(in.root, "PUT", path, body).expect(400, "validation_failed").Body.String(),
			`"code":"`+code+`"`,
		)
	}
	in.do(in.root, "DELETE", path, "").expect(204)
	require.Empty(t, in.do(in.root, "DELETE", path, "").expect(204).Body.String(), "again, and without a body")
	require.Equal(t, "ARCHIVED", in.do(in.root, "GET", path, "").text("status"))
}

func TestListProducts(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, body := range []string{
		`{"external_id":"A-1","name":"Alpha","product_category":"PHYSICAL","sku":["U_1"]}`,
		`{"external_id":"B-1","name":"Beta","product_category":"Food","product_subcategory":"CATERING","source":"API",` +
			`"connection_id":"c1"}`,
		`{"external_id":"C-1","name":"Gamma","product_category":"DIGITAL","status":"PENDING"}`,
	} {
		in.do(in.root, "POST", "/v1/products", body).expect(200)
	}
	for query, want := range map[string][]any{
		"":                                       {"C-1", "B-1", "A-1"},
		"?order_by=name":                         {"A-1", "B-1", "C-1"},
		"?order_by=status,-external_id":          {"B-1", "A-1", "C-1"},
		"?query=ALPHA":                           {"A-1"},
		"?query=u_":                              {"A-1"},
		"?query=%27%20OR%201%3D1":                {},
		"?status__in=PENDING,ARCHIVED":           {"C-1"},
		"?status=APPROVED&order_by=name":         {"A-1", "B-1"},
		"?product_category__in=FOOD":             {"B-1"},
		"?product_subcategory__in=catering":      {"B-1"},
		"?source__in=API":                        {"B-1"},
		"?connection_id__in=c1,c2":               {"B-1"},
		"?source__in=API&product_category__in=X": {},
		"?order_by=external_id&size=1&page=2":    {"B-1"},
		"?order_by=external_id&page=1000000000":  {},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/products"+query, "").expect(200).list("external_id"), query)
	}
	for _, bad := range []string{
		"?order_by=name;drop", "?order_by=nothing", "?page=0", "?size=0", "?page=1000000000000000000000",
		"?status__in=NONE", "?size=1&size=2",
	} {
		in.do(in.root, "GET", "/v1/products"+bad, "").expect(400, "validation_failed")
	}
}

func TestListProductCategories(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.do(in.root, "GET", "/v1/products/categories", "").expect(200)
	require.Equal(t, a.Body.String(), in.do(in.root, "GET", "/v1/product-categories", "").expect(200).Body.String())
	require.Equal(t, []any{
		"PHYSICAL", "CLOTHING", "FOOD", "DIGITAL", "SOFTWARE", "SERVICE", "MISCELLANEOUS", "UNKNOWN",
	}, a.list("name"))
	require.True(t, strings.HasPrefix(a.Body.String(), "["), "a plain list")
}

func TestATaxabilityIsAskedForAnAmount(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/products/" + in.product(in.root, "P-1") + "/taxability"
	for query, want := range map[string]string{
		"": "100.00", "?amount=": "100.00", "?amount=0": "0.00", "?amount=1e2": "100.00", "?amount=12.50": "12.50",
		"?amount=9999999999.99": "9999999999.99",
	} {
		require.Equal(t, want, in.do(in.root, "GET", path+query, "").expect(200).text("amount"), query)
	}
	for query, want := range map[string][]string{
		"?amount=x&price=1":         {"invalid_format query.amount", "unknown_parameter query.price"},
		"?amount=-1":                {"out_of_range query.amount"},
		"?amount=10000000000.00":    {"out_of_range query.amount"},
		"?amount=0.005":             {"too_precise query.amount"},
		"?amount=1&amount=2":        {"not_allowed query.amount"},
		"?amount=%2B1":              {"invalid_format query.amount"},
		"?amount=1.000000000000001": {"too_precise query.amount"},
	} {
		require.Equal(t, want, in.do(in.root, "GET", path+query, "").bodyFaults(), query)
	}
	missing := "/v1/products/" + models.NewID(models.PrefixProduct) + "/taxability?amount="
	in.do(in.root, "GET", missing+"x", "").expect(400, "validation_failed")
	in.do(in.root, "GET", missing+"1", "").expect(404, "resource_not_found")
}
