package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const overrideOfNewYork = `{"country_code":"US","state_code":"ny","jurisdiction_type":"STATE",` +
	`"jurisdiction_name":"new york","rate":0.05,"start_date":"2026-01-01","reason":"A notice"}`

func TestARateOverrideAppliesAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	estimate := func() answer {
		return in.do(client, "POST", "/v1/tax/estimate",
			estimateWith(`{"product_category":"PHYSICAL","amount":100}`, ``)).expect(200)
	}
	require.Equal(t, "8.88", estimate().text("total_tax_amount"))
	made := in.do(client, "POST", "/v1/rate_overrides", overrideOfNewYork).expect(200)
	require.Equal(t, "0.050000000", made.text("rate"))
	require.Equal(t, "New York", made.text("jurisdiction_name"), "as the content writes it")
	e := estimate()
	require.Equal(t, "9.88", e.text("total_tax_amount"), "with the state at 5 instead of 4 percent")
	require.Equal(t, "MED", e.text("confidence"))
	require.Contains(t, e.Body.String(), "New York 5 %: rate set by you on ")
	require.Contains(t, e.Body.String(), "us-ny-override")

	other := in.client("Other shop")
	require.Equal(t, "8.88", in.do(other, "POST", "/v1/tax/estimate",
		estimateWith(`{"product_category":"PHYSICAL","amount":100}`, ``)).expect(200).text("total_tax_amount"))
	path := "/v1/rate_overrides/" + made.text("id")
	in.do(other, "GET", path, "").expect(404, "resource_not_found")
	in.do(other, "DELETE", path, "").expect(404, "resource_not_found")
	in.do(client, "DELETE", path, "").expect(200)
	require.Equal(t, "8.88", estimate().text("total_tax_amount"))
}

// An organization may have 200.
func TestRateOverridesAreLimited(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	in.execute(`INSERT INTO rate_overrides SELECT $1, 'rato_' || n, 'US-NY', 'US', 'NY', 'STATE', 'New York', 'BOOK', 0,
		'2026-01-01', NULL, 'A notice', now() FROM generate_series(1, 199) n`, client.organizationID)
	in.do(client, "POST", "/v1/rate_overrides", overrideOfNewYork).expect(200)
	in.do(client, "POST", "/v1/rate_overrides", overrideOfNewYork).expect(409, "rate_override_limit_reached")
}
