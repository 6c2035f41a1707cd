package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever sends another value for what a record keeps from its creation is told that it was not read. What was read can
// be sent back without a word.
func TestAChangeOfWhatIsFixedIsNamedAsIgnored(t *testing.T) {
	t.Parallel()
	in := install(t)
	created := func(path, body string) string {
		return path + "/" + in.call(in.root, "POST", path, body, 200).text(t, "id")
	}
	ignored := func(path string, body map[string]json.RawMessage) string {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		return in.call(in.root, "PUT", path, string(raw), 200).header.Get("Levy-Ignored-Fields")
	}
	customer := in.call(in.root, "POST", "/v1/customers", `{"external_id":"FIXED","name":"Ada"}`, 200).text(t, "id")
	registration := created("/v1/registrations", `{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY",`+
		`"imported":true,"do_not_file":true,"registration_date":"2020-01-01"}`)
	filing := created("/v1/filings", `{"registration_id":"`+registration[len("/v1/registrations/"):]+`","status":"UNFILED",`+
		`"start_date":"2020-01-01","end_date":"2020-01-31","country_code":"US","state_code":"NY","state_name":"New York"}`)
	client := in.client()
	in.call(in.root, "POST", "/v1/transactions", saleBody("FIXED", "P-1", 1), 202)
	sale := in.call(in.root, "GET", "/v1/transactions/external/FIXED", "", 200).text(t, "id")
	for _, row := range []struct{ path, change, named string }{
		{
			created("/v1/products", `{"external_id":"FIXED","name":"Widget","product_category":"FOOD","connection_id":"a"}`),
			`{"connection_id":"b","zz":1}`, "zz, connection_id",
		},
		{
			created("/v1/exemptions",
				`{"exemption_type":"customer","start_date":"2020-01-01","customer_id":"`+customer+`"}`),
			`{"exemption_type":"wholesale","customer_id":"cust_x","transaction_id":"txn_x"}`,
			"customer_id, exemption_type, transaction_id",
		},
		{registration, `{"country_code":"CA","state_code":"ON","imported":1e999}`, "country_code, imported, state_code"},
		{filing, `{"start_date":"2020-02-01","end_date":"2020-02-29"}`, "end_date, start_date"},
		{"/v1/organizations/" + client.organization, `{"is_test":false,"source":null,"promo":""}`, "is_test"},
		{"/v1/transactions/" + sale, `{"type":"ARCHIVE"}`, "type"},
	} {
		body := map[string]json.RawMessage{}
		in.call(in.root, "GET", row.path, "", 200).decode(t, &body)
		require.Empty(t, ignored(row.path, body), row.path)
		require.NoError(t, json.Unmarshal([]byte(row.change), &body))
		require.Equal(t, row.named, ignored(row.path, body), row.path)
	}
}
