package call

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A connection has what is known of the call, and nothing that is not.
func TestTheConnectionOfACall(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 10, 13, 0, 0, 0, time.FixedZone("", 3600))
	proven := at.Add(-time.Hour)
	c := Call{
		Address: "81.2.69.142:0", Port: 47138, Device: "token.seal", UserAgent: "Browser/1",
		Person: &models.User{
			ID: "user_1", ProvenLastAt: &proven, SecondProof: models.ProofPasskey,
			Preferences: &models.Preferences{TimeZone: "Europe/London"},
		},
	}
	got := c.Connection(at)
	require.Regexp(t, "^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", got.Device)
	require.Equal(t, models.ClientConnection{
		At: at.UTC(), Browser: true, UserID: "user_1", Address: "81.2.69.142", Port: 47138, Device: got.Device, UserAgent: "Browser/1",
		Offset: new(60), Factor: models.ProofPasskey, FactorAt: proven.UTC(),
	}, got)
	c.Device = "token.another"
	require.Equal(t, got.Device, c.Connection(at).Device, "a new signature is no new device")
	c.Device = "other.seal"
	require.NotEqual(t, got.Device, c.Connection(at).Device)

	// Nothing is known of a person who signs in by a provider, from a private network.
	c = Call{
		Address: "10.1.2.3:0", Port: 47138, UserAgent: strings.Repeat("x", longestUserAgent+1),
		Person: &models.User{ID: "user_1", ProvenLastAt: &proven, Preferences: &models.Preferences{TimeZone: "UTC"}},
	}
	require.Equal(t, models.ClientConnection{At: at.UTC(), Browser: true, UserID: "user_1"}, c.Connection(at))
	// A program has no device, whatever it sends.
	c = Call{
		Address: "[2a00:23c5::1]:0", Device: "token.seal", UserAgent: "Program/1", Principal: models.Principal{APIKeyID: "apik_1"},
	}
	require.Equal(t, models.ClientConnection{At: at.UTC(), UserID: "apik_1", Address: "2a00:23c5::1"}, c.Connection(at))
}
