package service

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
)

// everyone finds a principal for any key.
type everyone struct{ lookups int }

func (e *everyone) FindPrincipal(context.Context, [][]byte) (models.Principal, error) {
	e.lookups++
	return models.Principal{APIKeyID: "akey_x", OrganizationID: "org_x", Scopes: models.AllAPIKeyScopes()}, nil
}

func TestPrincipalMemoryIsBounded(t *testing.T) {
	t.Parallel()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	hasher := secret.NewKeyHasher(ring)
	source := &everyone{}
	cache := newPrincipalCache(source, time.Hour, time.Now)
	for range 2 {
		_, err = cache.find(t.Context(), hasher, "one key", hasher.Hash("one key"))
		require.NoError(t, err)
	}
	require.Equal(t, 1, source.lookups, "the second time it is remembered")
	for i := range maxPrincipals + 50 {
		_, err = cache.find(t.Context(), hasher, fmt.Sprint(i), hasher.Hash(fmt.Sprint(i)))
		require.NoError(t, err)
	}
	require.True(t, len(cache.byHash) > maxPrincipals/2 && len(cache.byHash) <= maxPrincipals)
	cache.Forget("akey_x")
	require.Empty(t, cache.byHash)
}

// changing is a source whose principals change while one is read.
type changing struct {
	everyone
	meanwhile func()
}

func (c *changing) FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error) {
	defer c.meanwhile()
	return c.everyone.FindPrincipal(ctx, hashes)
}

func TestPrincipalsAreForgottenWhenTheyChange(t *testing.T) {
	t.Parallel()
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	hasher := secret.NewKeyHasher(ring)
	now := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
	source := &changing{meanwhile: func() {}}
	cache := newPrincipalCache(source, time.Hour, func() time.Time { return now })
	looksUp := func(want int, why string) {
		t.Helper()
		before := source.lookups
		for range 2 {
			_, err := cache.find(t.Context(), hasher, "one key", hasher.Hash("one key"))
			require.NoError(t, err)
		}
		require.Equal(t, want, source.lookups-before, why)
	}
	looksUp(1, "the first time")
	cache.ForgetOrganization("org_y")
	looksUp(0, "another organization changed")
	cache.ForgetOrganization("org_x")
	looksUp(1, "its organization changed")
	cache.ForgetOrganization("org_x")
	source.meanwhile = func() { cache.ForgetOrganization("org_x") }
	looksUp(2, "what was read while it changed is not kept")
	source.meanwhile = func() {}
	looksUp(1, "but what was read after that")

	cache.disconnected.Store(true)
	looksUp(0, "without notifications it is kept for a moment")
	now = now.Add(disconnectedTTL)
	looksUp(1, "and not longer")
	cache.connected()
	looksUp(1, "notifications may have been missed until they arrive again")
	now = now.Add(time.Hour - time.Nanosecond)
	looksUp(0, "then it is kept for its lifetime")
	now = now.Add(time.Nanosecond)
	looksUp(1, "whatever notifications arrive")
}
