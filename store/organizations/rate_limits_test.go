package organizations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestAnOrganizationCanHaveItsOwnLimit(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	hasher := storetest.NewHasher(t)
	key, record := storetest.NewKey(hasher)
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), root, storetest.Actor, record))
	limit := func() *models.RateLimit {
		p, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
		require.NoError(t, err)
		return p.RateLimit
	}
	require.Nil(t, limit())
	for _, own := range []*models.RateLimit{{PerMinute: 60, Burst: 5}, {PerMinute: 120, Burst: 6}, nil} {
		require.NoError(t, s.Organizations.SetRateLimit(t.Context(), root, models.Actor{}, own))
		require.Equal(t, own, limit())
	}
	require.ErrorIs(
		t,
		s.Organizations.SetRateLimit(
			t.Context(), models.Scope{OrganizationID: "org_x"}, models.Actor{}, &models.RateLimit{PerMinute: 1, Burst: 1},
		),
		models.ErrNotFound,
	)
}
