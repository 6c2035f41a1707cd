package validate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnknownFieldsAreNamed(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ method, path, body, ignored string }{
		"none":       {"POST", "/v1/customers", `{"external_id":"C","name":"Ada"}`, ""},
		"a misspelt": {"POST", "/v1/customers", `{"external_id":"C","name":"Ada","emial":"a@b.example"}`, "emial"},
		"another letter case": {
			"POST", "/v1/customers", `{"external_id":"C","name":"Ada","Email":"a@b.example"}`, "Email",
		},
		"inside": {
			"POST", "/v1/transactions",
			`{"customer":{"emial":1},"transaction_items":[{},{"colour":{"red":1},"size":2}],"x":[{}]}`,
			"customer.emial, transaction_items[1].colour, transaction_items[1].size, x",
		},
		"of a refused body too": {"POST", "/v1/products", `{"external_idd":"P"}`, "external_idd"},
		"what answers have": {
			"PUT", "/v1/customers/cust_01jx4m0q5tb7cyd2f6g8h9j1k3",
			`{"id":"x","organization_id":"x","created_at":1,"address_status":[],` +
				`"customer_tax_registrations":[{"is_valid":true,"x":1}]}`,
			"customer_tax_registrations[0].x",
		},
		"what a list of one answers": {
			"POST", "/v1/transactions", `{"revision":1,"transaction_items":[{"tax_items":[{"reason":1,"resaon":1}]}]}`,
			"transaction_items[0].tax_items[0].resaon",
		},
		"of the short form beside the long one": {
			"POST", "/v1/tax/estimate",
			`{"shipping_address":{"country":"DE","x":1},"quantity":2,"product_category":"FOOD","transaction_items":[{"y":1}]}`,
			"shipping_address.x, transaction_items[0].y, shipping_address, product_category, quantity",
		},
		"of the long form beside the short one": {
			"POST", "/v1/tax/estimate", `{"amount":1,"addresses":[],"shipping_address":{"country":"DE"}}`, "addresses",
		},
		"of one form alone": {
			"POST", "/v1/tax/estimate", `{"amount":1,"quantity":2,"shipping_address":{"country":"DE"}}`, "",
		},
		"free objects": {"POST", "/v1/api-keys", `{"metadata":{"x":1,"y":{"z":2}}}`, ""},
		"signs of a header": {"POST", "/v1/customers", `{"a, b":1,"c\r\nd":2,"ü":3,"e\u0066":4}`,
			"a%2C%20b, c%5Cr%5Cnd, %C3%BC, e%5Cu0066"},
		"long": {"POST", "/v1/customers", `{"` + strings.Repeat("x", 99) + `":1}`,
			strings.Repeat("x", 64) + "..."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.send(row.method, row.path, row.body)
			require.Equal(t, row.ignored, b.ignored)
		})
	}
	t.Run("at most 20", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.send("POST", "/v1/customers", `{`+many(30)+`}`)
		require.Len(t, strings.Split(b.ignored, ", "), 20)
	})
}

// many are unknown fields.
func many(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = `"unknown_` + string(rune('a'+i%26)) + strings.Repeat("_", i/26) + `":1`
	}
	return strings.Join(fields, ",")
}
