package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Goods of a seller who is registered in Switzerland, or simulates it, are taxed at their sale. Those of others are taxed
// at the border above 5 francs of tax. Elsewhere a simulated registration changes no tax.
func TestAnEstimateOfMailOrderToSwitzerland(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, test := range []struct{ to, currency, members, tax, collect string }{
		{"CH", "CHF", "", "0.00", "0.00"},
		{"CH", "CHF", `,"simulate_active_registration":true`, "19.44", "19.44"},
		{"NO", "NOK", `,"simulate_active_registration":true`, "60.00", "60.00"},
	} {
		e := in.estimate(`{"date":"2026-05-15T10:00:00Z","currency":"` + test.currency + `","addresses":[
			{"type":"SHIP_FROM","city":"Berlin","postal_code":"10115","country":"DE"},
			{"type":"SHIP_TO","country":"` + test.to + `"}],
			"transaction_items":[{"product_category":"PHYSICAL","amount":240}]` + test.members + `}`).estimated()
		require.Equal(t, test.tax, e.TotalTaxAmount, test)
		require.Equal(t, test.collect, e.TaxToCollect, test)
	}
}
