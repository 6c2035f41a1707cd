package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/secret"
	"levy/store"
	"levy/store/storetest"
	"levy/tax"
)

// newKey returns a key and its record, not yet stored.
func newKey(hasher *secret.KeyHasher) (string, *models.APIKey) {
	key := secret.NewAPIKey(secret.KindTest)
	prefix, last4 := secret.Shown(key)
	return key, &models.APIKey{ID: models.NewID(models.PrefixAPIKey), Hash: hasher.Hash(key), Prefix: prefix, Last4: last4}
}

// newStore returns a store on an empty database, and the address of the database.
func newStore(t *testing.T) (s *store.Store, address string) {
	t.Helper()
	address = storetest.URL(t)
	return storetest.Open(t, store.Options{URL: address}), address
}

func execute(t *testing.T, address, sql string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func TestAnOrganizationHasAtMostTwentyActiveKeys(t *testing.T) {
	t.Parallel()
	s, _ := newStore(t)
	root := newRoot(t, s) // has one key
	hasher := newHasher(t)
	var made, refused atomic.Int32
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			_, record := newKey(hasher)
			err := s.CreateAPIKey(context.WithoutCancel(t.Context()), root, actor, record)
			if err == nil {
				made.Add(1)
				return
			}
			limit, ok := err.(*models.LimitError) //nolint:errorlint // exactly this one
			if ok && limit.Limit == models.MaxActiveAPIKeys {
				refused.Add(1)
			}
		})
	}
	group.Wait()
	require.Equal(t, int32(19), made.Load())
	require.Equal(t, int32(11), refused.Load())

	list, err := s.ListAPIKeys(t.Context(), root, true, nil, models.Page{Limit: 100})
	require.NoError(t, err)
	require.NoError(t, s.RevokeAPIKey(t.Context(), root, actor, list.Items[3].ID))
	_, record := newKey(hasher)
	require.NoError(t, s.CreateAPIKey(t.Context(), root, actor, record), "a revoked key makes room")
}

// A key that has ended has given its place among the active ones away.
func TestAnExpiredKeyStaysExpired(t *testing.T) {
	t.Parallel()
	s, address := newStore(t)
	root := newRoot(t, s)
	hasher := newHasher(t)
	key, record := newKey(hasher)
	require.NoError(t, s.CreateAPIKey(t.Context(), root, actor, record))
	later := time.Now().UTC().Add(time.Hour).Truncate(time.Microsecond)
	update := func(change func(*models.APIKey)) error {
		_, err := s.UpdateAPIKey(t.Context(), root, actor, record.ID, change)
		return err
	}
	until := func(at *time.Time) func(*models.APIKey) { return func(k *models.APIKey) { k.ExpiresAt = at } }
	require.NoError(t, update(until(&later)))
	require.NoError(t, update(until(nil)), "a living key gets another end")

	execute(t, address, "UPDATE api_keys SET expires_at = now() WHERE id = $1", record.ID)
	for _, at := range []*time.Time{nil, &later} {
		var refused *models.TransitionError
		require.ErrorAs(t, update(until(at)), &refused)
		require.Equal(t, models.TransitionError{From: "EXPIRED", To: "ACTIVE", Allowed: []string{}}, *refused)
		_, err := s.FindPrincipal(t.Context(), hasher.Hashes(key))
		require.ErrorIs(t, err, models.ErrNotFound)
	}
	require.NoError(t, update(func(k *models.APIKey) { k.Name = new("Old till") }), "its name is no status")
	stored, err := s.APIKey(t.Context(), root, record.ID)
	require.NoError(t, err)
	require.Equal(t, "Old till", *stored.Name)
	require.Equal(t, models.APIKeyExpired, stored.Status(time.Now()))

	require.NoError(t, s.RevokeAPIKey(t.Context(), root, actor, record.ID))
	require.NoError(t, update(until(&later)), "a revoked key stays revoked, whatever its end")
	_, err = s.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestFindPrincipal(t *testing.T) {
	t.Parallel()
	s, address := newStore(t)
	root := newRoot(t, s)
	hasher := newHasher(t)
	client := newClient("Client")
	require.NoError(t, s.CreateClient(t.Context(), root, actor, client))
	scope := models.Scope{OrganizationID: client.ID}
	key, record := newKey(hasher)
	require.NoError(t, s.CreateAPIKey(t.Context(), scope, actor, record))
	find := func() error {
		_, err := s.FindPrincipal(t.Context(), hasher.Hashes(key))
		return err
	}

	stored, err := s.APIKey(t.Context(), scope, record.ID)
	require.NoError(t, err)
	require.Nil(t, stored.LastUsedAt, "not used yet")
	principal, err := s.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, models.Principal{APIKeyID: record.ID, OrganizationID: client.ID, ParentOrganizationID: &root.OrganizationID, RoundingUnit: tax.TaxPerLine}, principal)

	execute(t, address, `UPDATE organization_details SET business_address = '{"company_city":"Dallas","company_state":"TX"}' WHERE organization_id = $1`, client.ID)
	principal, err = s.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Nil(t, principal.Business, "not before its step is done")
	execute(t, address, `UPDATE organization_details SET place = '{}' WHERE organization_id = $1`, client.ID)
	execute(t, address, `UPDATE organization_settings SET enable_business_address_fallback = true WHERE organization_id = $1`, client.ID)
	principal, err = s.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, &models.Business{Address: tax.Address{City: "Dallas", State: "TX"}, Fallback: true}, principal.Business)

	execute(t, address, `UPDATE organization_details SET place = '{"country": "FR"}' WHERE organization_id = $1`, client.ID)
	beginNexus(t, s)
	execute(t, address, `UPDATE nexus_records SET enabled = true, obliged_from = '2026-05-15', obliged_gaps = '[{"start": "2026-06-01", "end": "2026-06-30"}]'
		WHERE organization_id = $1 AND country_code IN ('ZZ_EU', 'US')`, client.ID)
	principal, err = s.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, "FR", principal.Home)
	require.Len(t, principal.Obligations, 1, "that of the Union, none of states")
	union := principal.Obligations[0]
	require.Equal(t, tax.EuropeanUnion, union.CountryCode)
	for day, want := range map[string]bool{"2026-05-14": false, "2026-05-15": true, "2026-06-15": false, "2026-07-01": true} {
		require.Equal(t, want, union.Exists(tax.MustDate(day)), day)
	}

	stored, err = s.APIKey(t.Context(), scope, record.ID)
	require.NoError(t, err)
	require.Equal(t, stored.LastUsedAt.Truncate(time.Minute), *stored.LastUsedAt, "use is noted to the minute")
	require.JSONEq(t, "{}", string(stored.Metadata))

	for name, change := range map[string][2]string{
		"expired": {"UPDATE api_keys SET expires_at = now() WHERE id = $1", "UPDATE api_keys SET expires_at = NULL WHERE id = $1"},
		"revoked": {"UPDATE api_keys SET revoked_at = now() WHERE id = $1", "UPDATE api_keys SET revoked_at = NULL WHERE id = $1"},
		"organization archived": {"UPDATE organizations SET status = 'ARCHIVED' WHERE id = (SELECT organization_id FROM api_keys WHERE id = $1)",
			"UPDATE organizations SET status = 'ACTIVE' WHERE id = (SELECT organization_id FROM api_keys WHERE id = $1)"},
		"parent archived": {"UPDATE organizations SET status = 'ARCHIVED' WHERE parent_organization_id IS NULL AND $1 <> ''",
			"UPDATE organizations SET status = 'ACTIVE' WHERE parent_organization_id IS NULL AND $1 <> ''"},
	} {
		execute(t, address, change[0], record.ID)
		require.ErrorIs(t, find(), models.ErrNotFound, name)
		execute(t, address, change[1], record.ID)
		require.NoError(t, find(), name)
	}
	_, err = s.FindPrincipal(t.Context(), newHasher(t).Hashes(key))
	require.ErrorIs(t, err, models.ErrNotFound, "another master key finds nothing")
}

func TestKeysOfAnotherOrganizationDoNotExist(t *testing.T) {
	t.Parallel()
	s, address := newStore(t)
	root := newRoot(t, s)
	other := storetest.Organization(t, address)
	_, record := newKey(newHasher(t))
	require.NoError(t, s.CreateAPIKey(t.Context(), other, actor, record))

	_, err := s.APIKey(t.Context(), root, record.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
	require.ErrorIs(t, s.RevokeAPIKey(t.Context(), root, actor, record.ID), models.ErrNotFound)
	require.NoError(t, s.RevokeAPIKey(t.Context(), other, actor, record.ID))
	stored, err := s.APIKey(t.Context(), other, record.ID)
	require.NoError(t, err)
	require.Equal(t, models.APIKeyRevoked, stored.Status(time.Now()))
	require.NoError(t, s.RevokeAPIKey(t.Context(), other, actor, record.ID), "again")
	again, err := s.APIKey(t.Context(), other, record.ID)
	require.NoError(t, err)
	require.Equal(t, stored.RevokedAt, again.RevokedAt, "the first time counts")

	_, record = newKey(newHasher(t))
	require.ErrorIs(t, s.CreateAPIKey(t.Context(), models.Scope{OrganizationID: "org_none"}, actor, record), models.ErrNotFound)
}

func TestKeysWithoutAnEndComeLast(t *testing.T) {
	t.Parallel()
	s, address := newStore(t)
	scope := storetest.Organization(t, address)
	hasher := newHasher(t)
	now := time.Now().UTC().Truncate(time.Second)
	ends := []*time.Time{nil, new(now.Add(2 * time.Hour)), new(now.Add(time.Hour)), new(now.Add(-time.Hour))}
	for _, end := range ends {
		_, record := newKey(hasher)
		record.ExpiresAt = end
		require.NoError(t, s.CreateAPIKey(t.Context(), scope, actor, record))
	}
	for _, desc := range []bool{false, true} {
		list, err := s.ListAPIKeys(t.Context(), scope, true, []models.Order{{Column: "expires_at", Desc: desc}}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, int64(3), list.Total, "the expired one is left out")
		require.Nil(t, list.Items[2].ExpiresAt)
		require.Equal(t, desc, list.Items[0].ExpiresAt.After(*list.Items[1].ExpiresAt))
	}
	list, err := s.ListAPIKeys(t.Context(), scope, false, nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, int64(4), list.Total)
}
