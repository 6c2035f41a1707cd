package transactions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The explanation of a sale within the Union says whether it was taxed at its origin; a refund reads that from it.
func TestTheExplanationOfAnOriginalSaysWhereItWasTaxed(t *testing.T) {
	t.Parallel()
	for explanation, want := range map[string]bool{
		`{"sourcing":{"rule":"ORIGIN"},"input":{"origin":{"country":"DE"},"destination":{"country":"FR"}}}`:      true,
		`{"sourcing":{"rule":"DESTINATION"},"input":{"origin":{"country":"DE"},"destination":{"country":"FR"}}}`: false,
		`{"sourcing":{"rule":"ORIGIN"},"input":{"origin":{"country":"US"},"destination":{"country":"US"}}}`:      false,
		`{"sourcing":{"rule":"ORIGIN"},"input":{"destination":{"country":"FR"}}}`:                                false,
		`{"sourcing":{"rule":"ORIGIN"},"input":{"origin":{"country":"DE"},"destination":{}}}`:                    false,
		`{"sourcing":{"rule":"ORIGIN"}}`: false,
	} {
		at, err := taxedAtHome([]byte(explanation))
		require.NoError(t, err)
		require.Equal(t, want, at, explanation)
	}
	_, err := taxedAtHome([]byte(`{`))
	require.ErrorContains(t, err, "read the explanation of the original")
}
