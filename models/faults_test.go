package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPathsAreJoined(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"", "", ""}, {"", "amount", "amount"}, {"", "[0]", "[0]"}, {"customer", "", "customer"},
		{"customer", "name", "customer.name"}, {"transactions", "[3]", "transactions[3]"},
		{"transactions[3]", "customer.name", "transactions[3].customer.name"},
	} {
		require.Equal(t, c[2], JoinPath(c[0], c[1]))
	}
}
