package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALostZeroOfAZIPIsRestoredWhereTheStateHasIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, state, sent, want string }{
		{"US", "MA", "2108", "02108"},
		{"US", "Massachusetts", "2108", "02108"},
		{"US", " ma ", " 2108", "02108"},
		{"US", "MA", "2108-1234", "02108-1234"},
		{"US", "NY", "501", "00501"},  // Holtsville
		{"US", "NY", "6390", "06390"}, // Fishers Island
		{"US", "NJ", "7030", "07030"},
		{"US", "CT", "6103", "06103"},
		{"US", "RI", "2903", "02903"},
		{"US", "NH", "3301", "03301"},
		{"US", "ME", "4101", "04101"},
		{"US", "VT", "5401", "05401"},
		{"US", "PR", "901", "00901"},
		{"PR", "", "901", "00901"},
		{"VI", "", "802", "00802"},
		{"US", "TX", "2108", "2108"},
		{"US", "NY", "2108", "2108"}, // the ZIP of another state
		{"US", "MA", "108", "108"},
		{"US", "MA", "02108", "02108"},
		{"US", "MA", "21O8", "21O8"},
		{"US", "MA", "2108-12", "2108-12"},
		{"US", "MA", "", ""},
		{"US", "", "2108", "2108"},
		{"FR", "MA", "2108", "2108"},
		{"", "MA", "2108", "2108"},
	} {
		require.Equal(t, c.want, RestorePostalCode(c.country, c.state, c.sent), "%+v", c)
	}
}
