package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestAnOrganizationMayHaveALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	s, _ := newStore(t)
	root := newRoot(t, s)
	hasher := newHasher(t)
	key, record := newKey(hasher)
	require.NoError(t, s.CreateAPIKey(t.Context(), root, actor, record))
	limit := func() *models.RateLimit {
		p, err := s.FindPrincipal(t.Context(), hasher.Hashes(key))
		require.NoError(t, err)
		return p.RateLimit
	}
	require.Nil(t, limit())
	for _, own := range []*models.RateLimit{{PerMinute: 60, Burst: 5}, {PerMinute: 120, Burst: 6}, nil} {
		require.NoError(t, s.SetRateLimit(t.Context(), root, own))
		require.Equal(t, own, limit())
	}
	require.ErrorIs(t, s.SetRateLimit(t.Context(), models.Scope{OrganizationID: "org_x"}, &models.RateLimit{PerMinute: 1, Burst: 1}), models.ErrNotFound)
}
