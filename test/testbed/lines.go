package testbed

import (
	"net/url"

	"github.com/stretchr/testify/require"
)

// Lines gives a process that is not started yet lines of its own to the servers of the
// bed: what becomes of them is nobody else's matter.
func (s *Service) Lines() (toDatabase, toTemporal *Proxy) {
	b := s.bed
	b.tb.Helper()
	u, err := url.Parse(b.DatabaseURL)
	require.NoError(b.tb, err)
	toDatabase, toTemporal = newProxy(b.tb, u.Host), newProxy(b.tb, b.TemporalAddress)
	u.Host = toDatabase.Address
	s.env = append(s.env, "LEVY_DATABASE_URL="+u.String(), "LEVY_TEMPORAL_ADDRESS="+toTemporal.Address)
	return toDatabase, toTemporal
}
