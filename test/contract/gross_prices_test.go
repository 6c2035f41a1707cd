package contract_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// An estimate of prices that include tax finds the net prices.
func TestAnEstimateOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	estimate := func(status int, address, item string) answer {
		return in.call(shop, "POST", "/v1/tax/estimate", fmt.Sprintf(`{"date":"2026-05-15T10:00:00Z",
			"prices_include_tax":true,"addresses":[{"type":"SHIP_TO",%s}],"transaction_items":[%s]}`, address, item), status)
	}
	line := func(a answer) record { return a.member(t, "transaction_items").([]any)[0].(map[string]any) }
	const goods, coat = `"product_category":"PHYSICAL"`, `"product_category":"CLOTHING"`
	const newYorkCity = `"city":"New York","state":"NY","postal_code":"10118","country":"US"`

	london := estimate(200, `"city":"London","postal_code":"EC1A 1BB","country":"GB"`, `{`+goods+`,"amount":179.25}`)
	require.Equal(t, true, london.member(t, "prices_include_tax"))
	require.Equal(t, []any{"179.25", "149.37", "179.25", "29.88", "149.37"}, []any{
		line(london)["amount"], line(london)["net_amount"], line(london)["gross_amount"], line(london)["tax_amount"],
		line(london)["taxable_amount"],
	})
	require.Equal(t, "0.200000000", line(london)["tax_rate"])
	require.Contains(t, string(london.body), "29.88 of tax leave a net price of 149.37")

	discounted := estimate(200, `"city":"Houston","state":"TX","postal_code":"77002","country":"US"`, `{`+goods+`,"amount":120,
		"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":11.75}}`)
	require.Equal(t, []any{"100.00", "108.25", "10.85"}, []any{
		line(discounted)["net_amount"], line(discounted)["gross_amount"], line(discounted)["total_discount"],
	}, "11.75 x 100.00 / 108.25")

	for _, body := range []answer{
		estimate(400, newYorkCity, `{`+goods+`,"amount":10},{`+coat+`,"amount":115}`),
	} {
		require.Contains(t, string(body.body), `"no_net_price"`)
		require.Contains(t, string(body.body), `body.transaction_items[1].amount`)
	}
	short := in.call(shop, "POST", "/v1/tax/estimate", `{"date":"2026-05-15T10:00:00Z","amount":115,
		"prices_include_tax":true,"product_category":"CLOTHING","shipping_address":{`+newYorkCity+`}}`, 400)
	require.Contains(t, string(short.body), `body.amount`)

	plain := in.call(shop, "POST", "/v1/tax/estimate", estimateBody(1, "PHYSICAL", ""), 200)
	require.NotContains(t, line(plain), "net_amount")
}
