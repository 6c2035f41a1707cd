package registrations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	registrationstore "levy/store/registrations"
	"levy/store/storetest"
)

func aConsent(state string) models.AuthorityConsent {
	return models.AuthorityConsent{
		Authority: "hmrc", State: []byte(state), Session: []byte("session"), UserID: models.NewID(models.PrefixUser),
		Verifier: "canary-verifier", ExpiresAt: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
	}
}

// A state is taken once, and only the newest one of an organization counts. Its verifier is encrypted.
func TestAStateCountsOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	s := b.Store.Registrations
	first, second := aConsent("first"), aConsent("second")
	require.NoError(t, s.BeginConsent(t.Context(), b.Scope, models.Actor{}, first))
	require.NoError(t, s.BeginConsent(t.Context(), b.Scope, models.Actor{}, second))
	require.Zero(t, b.Count(t, `SELECT count(*) FROM authority_consents WHERE encode(verifier, 'escape') LIKE '%canary%'`))
	_, err := s.UseConsent(t.Context(), b.Scope, "hmrc", []byte("first"))
	require.ErrorIs(t, err, models.ErrNotFound)
	taken, err := s.UseConsent(t.Context(), b.Scope, "hmrc", []byte("second"))
	require.NoError(t, err)
	taken.ExpiresAt = taken.ExpiresAt.UTC()
	require.Equal(t, second, taken)
	_, err = s.UseConsent(t.Context(), b.Scope, "hmrc", []byte("second"))
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A grant replaces the one before, and ends when a person ends it. Then nothing is left but that it ended.
func TestAPersonConnectsAndDisconnects(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	s, grants := b.Store.Registrations, b.Store.Registrations.Grants("hmrc")
	require.ErrorIs(t, s.Disconnect(t.Context(), b.Scope, models.Actor{}, "hmrc"), models.ErrNotFound)
	require.NoError(t, s.BeginConsent(t.Context(), b.Scope, models.Actor{}, aConsent("begun")))
	require.NoError(t, s.Disconnect(t.Context(), b.Scope, models.Actor{}, "hmrc"), "what was only begun ends, too")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM authority_consents"))
	ends := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	ada := models.Actor{UserID: models.NewID(models.PrefixUser), UserName: "Ada"}
	for _, token := range []string{"first", "canary"} {
		require.NoError(t, s.Connect(t.Context(), b.Scope, ada, "hmrc", models.AuthorityGrant{Access: token}, ends))
	}
	kept, err := grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityGrant{Access: "canary", Consented: true}, kept)
	require.Zero(t, b.Count(t, `SELECT count(*) FROM authority_grants g
		WHERE strpos(encode(g.tokens, 'escape') || to_jsonb(g)::text, 'canary') > 0`))
	list, err := s.Connections(t.Context(), b.Scope)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "hmrc Ada "+ends.String(), list[0].Authority+" "+list[0].GrantedBy+" "+list[0].EndsAt.UTC().String())

	require.NoError(t, s.BeginConsent(t.Context(), b.Scope, ada, aConsent("open")))
	require.NoError(t, s.Disconnect(t.Context(), b.Scope, ada, "hmrc"))
	kept, err = grants.Grant(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityGrant{Consented: true}, kept)
	list, err = s.Connections(t.Context(), b.Scope)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM authority_consents"))
	require.Equal(t, 6, b.Count(t, "SELECT count(*) FROM audit WHERE entity_type = 'authority_connection'"), "each step")

	require.NoError(t, s.BeginConsent(t.Context(), b.Scope, ada, aConsent("open")))
	require.NoError(t, registrationstore.CancelAll(b.Store.GORM(t.Context()), b.Scope, false))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM authority_consents"), "an archived organization begins nothing")
}
