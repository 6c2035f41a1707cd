package contract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The same order through two connectors is two sales. The later one names the other, the reason and the remedy.
func TestTheSameOrderThroughTwoConnections(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	var last string
	for _, connection := range []string{"shop", "pos"} {
		body := strings.Replace(saleBody("ORDER-7-"+connection, "P-1", 1), `"type":"SALE",`,
			`"type":"SALE","secondary_external_id":"ORDER-7","connection_id":"`+connection+`",`, 1)
		var list []struct{ ID string }
		in.call(client, "POST", "/v1/transactions", body, 202).decode(t, &list)
		last = list[0].ID
		in.processed(client, last)
	}
	var sale struct {
		Warnings []struct{ Code, Message string }
	}
	in.call(client, "GET", "/v1/transactions/"+last, "", 200).decode(t, &sale)
	var said []string
	for _, w := range sale.Warnings {
		if w.Code == "POSSIBLE_DUPLICATE" {
			said = append(said, w.Message)
		}
	}
	require.Len(t, said, 1)
	require.Contains(t, said[0], "The sale ORDER-7-shop has the same secondary_external_id, ORDER-7")
}
