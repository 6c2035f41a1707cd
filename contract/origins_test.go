package contract

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOriginsOfPaths(t *testing.T) {
	t.Parallel()
	from := Origins{"transaction_items[0]": "line_items[0]", "transaction_items[0].amount": "line_items[0].unit_price"}
	require.Equal(t, "line_items[0].unit_price", from.Of("transaction_items[0].amount"))
	require.Equal(t, "line_items[0]", from.Of("transaction_items[0].discount_builder.discount_amount"))
	require.Empty(t, from.Of("transaction_items[1].amount"))
	require.Empty(t, from.Of(""))
}
