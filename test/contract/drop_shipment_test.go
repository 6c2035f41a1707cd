package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A reseller of Texas has its goods shipped to New York. Its certificate of Texas frees nothing there: estimate and sale
// are taxed, and say so. One of New York frees the sale, and nothing is said.
func TestACertificateOfAnotherStateIsNamed(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	path := in.certificate(shop, "C-1")
	estimated := func() (codes []string) {
		var e struct{ Warnings []struct{ Code string } }
		in.call(shop, "POST", "/v1/tax/estimate", `{"date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1"},
			"addresses":[`+newYork+`],"transaction_items":[{"external_product_id":"P-1","amount":100}]}`, 200).decode(t, &e)
		for _, w := range e.Warnings {
			codes = append(codes, w.Code)
		}
		return codes
	}
	for _, c := range []struct {
		change, tax string
		named       bool
	}{
		{`{"reseller":true,"jurisdiction":"TX"}`, "8.88", true},
		{`{"reseller":true,"jurisdiction":"NY"}`, "0.00", false},
		{`{"reseller":false,"jurisdiction":"TX"}`, "8.88", false},
	} {
		in.call(shop, "PUT", path, c.change, 200)
		id := in.soldAt(shop, newYork, "", lineOf("L1", "P-1", "100.00", ""))
		require.Equal(t, c.tax, in.read(shop, id).Tax, c.change)
		for door, codes := range map[string][]string{"sale": in.warned(shop, id), "estimate": estimated()} {
			if c.named {
				require.Contains(t, codes, "DROP_SHIPMENT", door+c.change)
			} else {
				require.NotContains(t, codes, "DROP_SHIPMENT", door+c.change)
			}
		}
	}
}
