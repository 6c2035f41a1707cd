package organizations_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

func TestAnOrganizationHasAtMostTwentyActiveKeys(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	root := storetest.NewRoot(t, s) // has one key
	hasher := storetest.NewHasher(t)
	var made, refused atomic.Int32
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			_, record := storetest.NewKey(hasher)
			err := s.Organizations.CreateAPIKey(context.WithoutCancel(t.Context()), root, storetest.Actor, record)
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

	list, err := s.Organizations.ListAPIKeys(t.Context(), root, true, nil, models.Page{Limit: 100})
	require.NoError(t, err)
	require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), root, storetest.Actor, list.Items[3].ID))
	_, record := storetest.NewKey(hasher)
	require.NoError(
		t, s.Organizations.CreateAPIKey(t.Context(), root, storetest.Actor, record), "a revoked key frees a place",
	)
}

// A key that has expired no longer counts among the active ones.
func TestAnExpiredKeyStaysExpired(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	hasher := storetest.NewHasher(t)
	key, record := storetest.NewKey(hasher)
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), root, storetest.Actor, record))
	later := time.Now().UTC().Add(time.Hour).Truncate(time.Microsecond)
	update := func(change func(*models.APIKey)) error {
		_, err := s.Organizations.UpdateAPIKey(t.Context(), root, storetest.Actor, record.ID, func(k *models.APIKey) error {
			change(k)
			return nil
		})
		return err
	}
	until := func(at *time.Time) func(*models.APIKey) { return func(k *models.APIKey) { k.ExpiresAt = at } }
	require.NoError(t, update(until(&later)))
	require.NoError(t, update(until(nil)), "a living key gets another end")

	storetest.Execute(t, address, "UPDATE api_keys SET expires_at = now() WHERE id = $1", record.ID)
	for _, at := range []*time.Time{nil, &later} {
		var refused *models.TransitionError
		require.ErrorAs(t, update(until(at)), &refused)
		require.Equal(t, models.TransitionError{From: "EXPIRED", To: "ACTIVE", Allowed: []string{}}, *refused)
		_, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
		require.ErrorIs(t, err, models.ErrNotFound)
	}
	require.NoError(t, update(func(k *models.APIKey) { k.Name = new("Old till") }), "its name is no status")
	stored, err := s.Organizations.APIKey(t.Context(), root, record.ID)
	require.NoError(t, err)
	require.Equal(t, "Old till", *stored.Name)
	require.Equal(t, models.APIKeyExpired, stored.Status(time.Now()))

	require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), root, storetest.Actor, record.ID))
	require.NoError(t, update(until(&later)), "a revoked key stays revoked, whatever its end")
	_, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestFindPrincipal(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	hasher := storetest.NewHasher(t)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	scope := models.Scope{OrganizationID: client.ID}
	key, record := storetest.NewKey(hasher)
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), scope, storetest.Actor, record))
	find := func() error {
		_, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
		return err
	}

	stored, err := s.Organizations.APIKey(t.Context(), scope, record.ID)
	require.NoError(t, err)
	require.Nil(t, stored.LastUsedAt, "not used yet")
	principal, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, models.Principal{
		APIKeyID: record.ID, OrganizationID: client.ID, ParentOrganizationID: &root.OrganizationID,
		RoundingUnit: tax.TaxPerLine, Scopes: models.AllAPIKeyScopes(),
	}, principal)

	storetest.Execute(
		t, address,
		`UPDATE organization_details
		    SET business_address = '{"company_city":"Dallas","company_state":"TX"}'
		  WHERE organization_id = $1`,
		client.ID,
	)
	principal, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Nil(t, principal.Business, "not before its step is done")
	storetest.Execute(t, address, `UPDATE organization_details SET place = '{}' WHERE organization_id = $1`, client.ID)
	storetest.Execute(
		t, address,
		`UPDATE organization_settings SET enable_business_address_fallback = true WHERE organization_id = $1`,
		client.ID,
	)
	principal, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, &models.Business{
		Address: tax.Address{City: "Dallas", State: "TX"}, Fallback: true,
	}, principal.Business)

	storetest.Execute(
		t, address, `UPDATE organization_details SET place = '{"country": "FR"}' WHERE organization_id = $1`,
		client.ID,
	)
	storetest.BeginNexus(t, s)
	storetest.Execute(t, address, `UPDATE nexus_records
		SET enabled = true, obliged_from = '2026-05-15', obliged_gaps = '[{"start": "2026-06-01", "end": "2026-06-30"}]'
		WHERE organization_id = $1 AND country_code IN ('ZZ_EU', 'US')`, client.ID)
	principal, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, "FR", principal.Home)
	require.Len(t, principal.Obligations, 1, "that of the Union, none of states")
	union := principal.Obligations[0]
	require.Equal(t, taxnexus.EuropeanUnion, union.CountryCode)
	for day, want := range map[string]bool{
		"2026-05-14": false, "2026-05-15": true, "2026-06-15": false, "2026-07-01": true,
	} {
		require.Equal(t, want, union.Exists(calendar.MustDate(day)), day)
	}

	since := calendar.MustDate("2026-05-15")
	require.NoError(t, s.Registrations.CreateRegistration(t.Context(), scope, storetest.Actor, &models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: "CA", StateCode: "CA", StateName: "Canada",
		Status: models.RegistrationRegistered, RegistrationDate: new(since.Time()), FilingFrequency: calendar.FilingMonthly,
		RegistrationImportType: models.ImportRegular, RegistrationsRegime: "SIMPLIFIED", AmountFees: "0.00",
	}))
	principal, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
	require.NoError(t, err)
	require.Equal(t, models.Covers{{Country: "CA", State: "CA", From: since, Simplified: true}}, principal.Covers)

	stored, err = s.Organizations.APIKey(t.Context(), scope, record.ID)
	require.NoError(t, err)
	require.Equal(t, stored.LastUsedAt.Truncate(time.Minute), *stored.LastUsedAt, "use is noted to the minute")
	require.JSONEq(t, "{}", string(stored.Metadata))

	for name, change := range map[string][2]string{
		"expired": {
			"UPDATE api_keys SET expires_at = now() WHERE id = $1",
			"UPDATE api_keys SET expires_at = NULL WHERE id = $1",
		},
		"revoked": {
			"UPDATE api_keys SET revoked_at = now() WHERE id = $1",
			"UPDATE api_keys SET revoked_at = NULL WHERE id = $1",
		},
		"organization archived": {`UPDATE organizations
			SET status = 'ARCHIVED'
			WHERE id = (SELECT organization_id FROM api_keys WHERE id = $1)`,
			"UPDATE organizations SET status = 'ACTIVE' WHERE id = (SELECT organization_id FROM api_keys WHERE id = $1)"},
		"parent archived": {"UPDATE organizations SET status = 'ARCHIVED' WHERE parent_organization_id IS NULL AND $1 <> ''",
			"UPDATE organizations SET status = 'ACTIVE' WHERE parent_organization_id IS NULL AND $1 <> ''"},
	} {
		storetest.Execute(t, address, change[0], record.ID)
		require.ErrorIs(t, find(), models.ErrNotFound, name)
		storetest.Execute(t, address, change[1], record.ID)
		require.NoError(t, find(), name)
	}
	_, err = s.Organizations.FindPrincipal(t.Context(), storetest.NewHasher(t).Hashes(key))
	require.ErrorIs(t, err, models.ErrNotFound, "another master key finds nothing")
}

func TestKeysOfAnotherOrganizationDoNotExist(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	other := storetest.Organization(t, address)
	_, record := storetest.NewKey(storetest.NewHasher(t))
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), other, storetest.Actor, record))

	_, err := s.Organizations.APIKey(t.Context(), root, record.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
	require.ErrorIs(t, s.Organizations.RevokeAPIKey(t.Context(), root, storetest.Actor, record.ID), models.ErrNotFound)
	require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), other, storetest.Actor, record.ID))
	stored, err := s.Organizations.APIKey(t.Context(), other, record.ID)
	require.NoError(t, err)
	require.Equal(t, models.APIKeyRevoked, stored.Status(time.Now()))
	require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), other, storetest.Actor, record.ID), "again")
	again, err := s.Organizations.APIKey(t.Context(), other, record.ID)
	require.NoError(t, err)
	require.Equal(t, stored.RevokedAt, again.RevokedAt, "the first time counts")

	_, record = storetest.NewKey(storetest.NewHasher(t))
	require.ErrorIs(
		t,
		s.Organizations.CreateAPIKey(t.Context(), models.Scope{OrganizationID: "org_none"}, storetest.Actor, record),
		models.ErrNotFound,
	)
}

func TestKeysWithoutAnEndComeLast(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	hasher := storetest.NewHasher(t)
	now := time.Now().UTC().Truncate(time.Second)
	ends := []*time.Time{nil, new(now.Add(2 * time.Hour)), new(now.Add(time.Hour)), new(now.Add(-time.Hour))}
	for _, end := range ends {
		_, record := storetest.NewKey(hasher)
		record.ExpiresAt = end
		require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), scope, storetest.Actor, record))
	}
	for _, desc := range []bool{false, true} {
		list, err := s.Organizations.ListAPIKeys(t.Context(), scope, true, []models.Order{
			{Column: "expires_at", Desc: desc},
		}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, int64(3), list.Total, "the expired one is left out")
		require.Nil(t, list.Items[2].ExpiresAt)
		require.Equal(t, desc, list.Items[0].ExpiresAt.After(*list.Items[1].ExpiresAt))
	}
	list, err := s.Organizations.ListAPIKeys(t.Context(), scope, false, nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, int64(4), list.Total)
}

// The thief of a key that expires cannot extend its access. The key cannot create or change a key of its organization
// so that it expires later.
func TestAKeyCannotCreateAKeyThatExpiresLater(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	hasher := storetest.NewHasher(t)
	ends := time.Now().UTC().Add(time.Hour).Truncate(time.Microsecond)
	after := ends.Add(time.Second)
	key := func(by models.Actor, end *time.Time) (*models.APIKey, error) {
		_, k := storetest.NewKey(hasher)
		k.ExpiresAt = end
		return k, s.Organizations.CreateAPIKey(t.Context(), root, by, k)
	}
	stolen, err := key(storetest.Actor, &ends)
	require.NoError(t, err)
	lasting, err := key(storetest.Actor, nil)
	require.NoError(t, err)
	thief := models.Actor{APIKeyID: stolen.ID, RequestID: "req"}
	for _, end := range []*time.Time{nil, &after} {
		_, err := key(thief, end)
		require.ErrorIs(t, err, models.ErrForbidden)
	}
	until := func(end *time.Time) func(*models.APIKey) error {
		return func(k *models.APIKey) error {
			k.ExpiresAt = end
			return nil
		}
	}
	ally, err := key(thief, &ends)
	require.NoError(t, err, "one that ends with it")
	for _, end := range []*time.Time{nil, &after} {
		for _, id := range []string{stolen.ID, ally.ID} {
			_, err := s.Organizations.UpdateAPIKey(t.Context(), root, thief, id, until(end))
			require.ErrorIs(t, err, models.ErrForbidden)
		}
	}
	_, taken := storetest.NewKey(hasher)
	rotation := models.APIKeyRotation{OldID: lasting.ID, Overlap: time.Hour, New: taken}
	require.ErrorIs(t, s.Organizations.RotateAPIKey(t.Context(), root, thief, rotation), models.ErrForbidden)
	_, err = s.Organizations.UpdateAPIKey(t.Context(), root, thief, lasting.ID, until(&after))
	require.NoError(t, err, "an earlier end is allowed")
	_, err = key(models.Actor{APIKeyID: lasting.ID, RequestID: "req"}, &ends)
	require.NoError(t, err)
}
