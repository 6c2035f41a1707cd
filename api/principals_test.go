package api

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
)

// everyone knows any key.
type everyone struct{ lookups int }

func (e *everyone) FindPrincipal(context.Context, [][]byte) (models.Principal, error) {
	e.lookups++
	return models.Principal{APIKeyID: "akey_x", OrganizationID: "org_x"}, nil
}

func TestPrincipalMemoryIsBounded(t *testing.T) {
	t.Parallel()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	hasher := secret.NewKeyHasher(ring)
	source := &everyone{}
	cache := newPrincipalCache(source, time.Now)
	for range 2 {
		_, err = cache.find(t.Context(), hasher, "one key")
		require.NoError(t, err)
	}
	require.Equal(t, 1, source.lookups, "the second time it is remembered")
	for i := range maxPrincipals + 50 {
		_, err = cache.find(t.Context(), hasher, fmt.Sprint(i))
		require.NoError(t, err)
	}
	require.True(t, len(cache.byHash) > maxPrincipals/2 && len(cache.byHash) <= maxPrincipals)
	cache.forget("akey_x")
	require.Empty(t, cache.byHash)
}
