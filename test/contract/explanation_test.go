package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The explanation is of the current revision only, and names it.
func TestExplanationOfATransaction(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	id, _ := in.transaction(client)
	path := "/v1/transactions/" + id + "/explanation"
	in.call(client, "GET", path, "", 409)
	in.processed(client, id)

	a := in.call(client, "GET", path, "", 200)
	require.Equal(t, id, a.text(t, "transaction_id"))
	require.Equal(t, in.taxes.Current().Version(), a.text(t, "content_version"))
	var e struct {
		Revision int
		Items    []struct {
			Lines []struct {
				JurisdictionName string `json:"jurisdiction_name"`
				Unrounded        string `json:"unrounded_amount"`
				Amount           string
			}
		}
		Totals    map[string]string
		Liability map[string]any
		Steps     []struct{ Code string }
	}
	a.decode(t, &e)
	require.Equal(t, 1, e.Revision)
	require.Equal(t, map[string]string{"taxable_amount": "100.00", "tax_amount": "8.88", "tax_rate": "0.088750000"}, e.Totals)
	require.Equal(t, "0.375", e.Items[0].Lines[2].Unrounded)
	require.Equal(t, "0.38", e.Items[0].Lines[2].Amount)
	require.Equal(t, "COLLECTED", e.Liability["source"])
	require.Equal(t, "8.88", e.Liability["amount"])
	require.Equal(t, "LIABILITY", e.Steps[len(e.Steps)-1].Code)

	in.execute("UPDATE transactions SET epoch = epoch + 1, processing_status = 'QUEUED' WHERE id = $1", id)
	require.Equal(t, "not_processed", in.call(client, "GET", path, "", 409).problem(t).Code, "an older revision's does not count")
}
