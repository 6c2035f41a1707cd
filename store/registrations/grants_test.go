package registrations_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	registrationstore "levy/store/registrations"
	"levy/store/storetest"
)

func TestGrantsAreSealed(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	grants := b.Store.Registrations.Grants("hmrc")
	_, err := grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.ErrorIs(t, err, models.ErrNotFound)
	granted := models.AuthorityGrant{Access: "canary-access", Refresh: "canary-refresh", Expires: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)}
	give := func(_ context.Context, stored models.AuthorityGrant) (models.AuthorityGrant, error) {
		require.Equal(t, models.AuthorityGrant{}, stored)
		return granted, nil
	}
	_, err = grants.RenewGrant(t.Context(), b.Scope.OrganizationID, give)
	require.NoError(t, err)
	read, err := grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Equal(t, granted, read)
	require.Zero(t, b.Count(t, `SELECT count(*) FROM authority_grants WHERE encode(tokens, 'escape') LIKE '%canary%'`))
	_, err = b.Store.Registrations.Grants("other").Grant(t.Context(), b.Scope.OrganizationID)
	require.ErrorIs(t, err, models.ErrNotFound, "of another authority")

	refuse := errors.New("refused")
	fail := func(context.Context, models.AuthorityGrant) (models.AuthorityGrant, error) {
		return models.AuthorityGrant{}, refuse
	}
	_, err = grants.RenewGrant(t.Context(), b.Scope.OrganizationID, fail)
	require.ErrorIs(t, err, refuse)
	read, err = grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Equal(t, granted, read, "a renewal that fails leaves the grant")

	require.NoError(t, registrationstore.CancelAll(b.Store.GORM(t.Context()), b.Scope, false))
	_, err = grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.ErrorIs(t, err, models.ErrNotFound, "an archived organization grants nothing")
}

// Eight processes renew at once, first the first grant and then that one: one renews, and the others see what it made.
func TestOneProcessRenewsAGrant(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	grants := b.Store.Registrations.Grants("hmrc")
	for _, next := range []string{"first", "second", "third"} {
		var renewed atomic.Int64
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				_, err := grants.RenewGrant(t.Context(), b.Scope.OrganizationID,
					func(_ context.Context, stored models.AuthorityGrant) (models.AuthorityGrant, error) {
						if stored.Access == next {
							return stored, nil
						}
						renewed.Add(1)
						return models.AuthorityGrant{Access: next}, nil
					})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, renewed.Load(), next)
	}
}
