package rules

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// requireRepeated calculates a sale, or a refund of it, again from their stored explanations alone, as `levy explain`
// does.
func requireRepeated(t *testing.T, law func(tax.Request) (tax.Result, error), sale, refund json.RawMessage, why string) {
	t.Helper()
	var sold, stored tax.Explanation
	require.NoError(t, json.Unmarshal(sale, &sold))
	if refund == nil {
		request, err := sold.Request()
		require.NoError(t, err, why)
		result, err := law(request)
		require.NoError(t, err, why)
		require.Empty(t, tax.Compare(&sold, &result.Explanation), why)
		return
	}
	require.NoError(t, json.Unmarshal(refund, &stored))
	request, err := stored.RefundRequest("txn_sale", sold, law)
	require.NoError(t, err, why)
	result, err := tax.Refund(request)
	require.NoError(t, err, why)
	require.Empty(t, tax.Compare(&stored, &result.Explanation), why)
}
