package organizations_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/organizations"
	"levy/store/storetest"
)

// A live partner and one for tests have keys of their own kind, do not reach each other, and have different names.
func TestPartnersAreAddedAndArchived(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	ctx, hasher := t.Context(), storetest.NewHasher(t)
	first, err := s.Organizations.Bootstrap(ctx, hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	second, err := s.Organizations.AddPartner(ctx, hasher, models.Actor{}, "Live  PARTNER", false)
	require.NoError(t, err)
	require.Contains(t, first.APIKey, "_test_")
	require.Contains(t, second.APIKey, "_live_")
	var duplicate *models.DuplicateError
	_, err = s.Organizations.AddPartner(ctx, hasher, models.Actor{}, "live partner", true)
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, second.OrganizationID, duplicate.ExistingID)

	root, other := models.Scope{OrganizationID: first.OrganizationID}, models.Scope{OrganizationID: second.OrganizationID}
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(ctx, s, root, client))
	for _, id := range []string{client.ID, root.OrganizationID} {
		_, err = s.Organizations.Reachable(ctx, other, id)
		require.ErrorIs(t, err, models.ErrNotFound)
	}
	list, err := s.Organizations.ListPartners(ctx)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []any{root.OrganizationID, true, int64(1)}, []any{list[0].ID, list[0].IsTest, list[0].Clients})
	require.Equal(t, []any{"Live  PARTNER", false, int64(0)}, []any{list[1].Name, list[1].IsTest, list[1].Clients})

	require.ErrorIs(t, s.Organizations.ArchivePartner(ctx, root, models.Actor{}, "End."), organizations.ErrClients)
	require.ErrorIs(t, s.Organizations.ArchivePartner(ctx, models.Scope{OrganizationID: client.ID}, models.Actor{}, "End."),
		models.ErrNotFound, "a client is no partner")
	require.NoError(t, s.Organizations.ArchivePartner(ctx, other, models.Actor{}, "End."))
	require.NoError(t, s.Organizations.ArchivePartner(ctx, other, models.Actor{}, "End."), "a repetition")
	_, err = s.Organizations.FindPrincipal(ctx, hasher.Hashes(second.APIKey))
	require.ErrorIs(t, err, models.ErrNotFound, "its keys have ended")
	third, err := s.Organizations.AddPartner(ctx, hasher, models.Actor{}, "live partner", false)
	require.NoError(t, err, "its name is free")
	storetest.Execute(t, url, "UPDATE organizations SET status = 'ARCHIVED', archived_at = now() WHERE id = $1", first.OrganizationID)
	found, err := s.Organizations.Bootstrap(ctx, hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	require.Equal(t, third.OrganizationID, found.OrganizationID, "an archived partner is not the first one")
}

func noWait(context.Context) error { return nil }

// A partner without records becomes live with its test clients, and no key for tests works any more.
func TestATestPartnerIsMadeLive(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	ctx, hasher := t.Context(), storetest.NewHasher(t)
	first, err := s.Organizations.Bootstrap(ctx, hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	root := models.Scope{OrganizationID: first.OrganizationID}
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(ctx, s, root, client))
	_, err = s.Organizations.MakeLive(ctx, hasher, models.Actor{}, models.Scope{OrganizationID: client.ID}, noWait)
	require.ErrorIs(t, err, models.ErrNotFound, "a client becomes live with its partner")

	principal, err := s.Organizations.FindPrincipal(ctx, hasher.Hashes(first.APIKey))
	require.NoError(t, err)
	feed := &models.CalendarFeed{ID: models.NewID(models.PrefixCalendarFeed), Name: "Returns", Hash: []byte("hash")}
	require.NoError(t, s.Organizations.CreateCalendarFeed(ctx, root, models.Actor{APIKeyID: principal.APIKeyID}, feed))
	broken := errors.New("broken")
	_, err = s.Organizations.MakeLive(ctx, hasher, models.Actor{}, root, func(context.Context) error { return broken })
	require.ErrorIs(t, err, broken, "it is finished by a repetition")

	meanwhile, key := storetest.NewKey(hasher)
	waits := 0
	made, err := s.Organizations.MakeLive(ctx, hasher, models.Actor{}, root, func(ctx context.Context) error {
		if waits++; waits > 1 {
			return nil
		}
		return s.Organizations.CreateAPIKey(ctx, root, models.Actor{}, key)
	})
	require.Equal(t, 2, waits, "a key made meanwhile is waited for, too")
	require.NoError(t, err)
	require.Contains(t, made.APIKey, "_live_")
	for _, ended := range []string{first.APIKey, meanwhile} {
		_, err = s.Organizations.FindPrincipal(ctx, hasher.Hashes(ended))
		require.ErrorIs(t, err, models.ErrNotFound)
	}
	var feeds, revoked int
	require.NoError(t, storetest.SQL(t, url).QueryRow(ctx, `SELECT (SELECT count(*) FROM calendar_feeds),
		(SELECT count(*) FROM audit WHERE action = 'revoke' AND entity_id LIKE 'akey_%')`).Scan(&feeds, &revoked))
	require.Equal(t, []int{0, 2}, []int{feeds, revoked}, "what a key has made ends with it")
	_, key = storetest.NewKey(hasher)
	require.ErrorIs(t, s.Organizations.CreateAPIKey(ctx, root, models.Actor{}, key), models.ErrChangedMeanwhile,
		"a live organization gets no key for tests")
	principal, err = s.Organizations.FindPrincipal(ctx, hasher.Hashes(made.APIKey))
	require.NoError(t, err)
	require.Equal(t, root.OrganizationID, principal.OrganizationID)
	for _, id := range []string{root.OrganizationID, client.ID} {
		o, err := s.Organizations.Organization(ctx, models.Scope{OrganizationID: id})
		require.NoError(t, err)
		require.False(t, o.IsTest)
	}
	_, err = s.Organizations.MakeLive(ctx, hasher, models.Actor{}, root, noWait)
	require.ErrorIs(t, err, organizations.ErrLive)
}

// Records of a client that were tests keep all of its partner a test.
func TestATestPartnerWithSalesStaysOne(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	ctx, hasher := t.Context(), storetest.NewHasher(t)
	partner, err := b.Store.Organizations.AddPartner(ctx, hasher, models.Actor{}, "Tests", true)
	require.NoError(t, err)
	root := models.Scope{OrganizationID: partner.OrganizationID}
	storetest.Execute(t, b.URL, "UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", root.OrganizationID,
		b.Scope.OrganizationID)
	made, err := b.Store.Organizations.MakeLive(ctx, hasher, models.Actor{}, root, func(context.Context) error {
		return b.Intake.Accept(ctx, storetest.Draft(b.Scope, "S-1")) // a call that is under way
	})
	require.ErrorIs(t, err, organizations.ErrUsed)
	require.Contains(t, made.APIKey, "_test_", "its key has ended, so there is a new one")
	again, err := b.Store.Organizations.MakeLive(ctx, hasher, models.Actor{}, root, noWait)
	require.ErrorIs(t, err, organizations.ErrUsed)
	require.Empty(t, again.APIKey)
	o, err := b.Store.Organizations.Organization(ctx, root)
	require.NoError(t, err)
	require.True(t, o.IsTest)
	_, err = b.Store.Organizations.FindPrincipal(ctx, hasher.Hashes(made.APIKey))
	require.NoError(t, err, "its key works")
}
