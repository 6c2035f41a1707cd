package organizations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/organizations"
	"levy/store/storetest"
)

// A live partner and one for tests have keys of their own kind, do not reach each other, and have different names.
func TestPartnersAreAddedAndArchived(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
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
	_, err = s.Organizations.AddPartner(ctx, hasher, models.Actor{}, "live partner", false)
	require.NoError(t, err, "its name is free")
}

// A partner without records becomes live with its test clients, and no key for tests works any more.
func TestATestPartnerIsMadeLive(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	ctx, hasher := t.Context(), storetest.NewHasher(t)
	first, err := s.Organizations.Bootstrap(ctx, hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	root := models.Scope{OrganizationID: first.OrganizationID}
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(ctx, s, root, client))
	_, err = s.Organizations.MakeLive(ctx, hasher, models.Actor{}, models.Scope{OrganizationID: client.ID})
	require.ErrorIs(t, err, models.ErrNotFound, "a client becomes live with its partner")

	made, err := s.Organizations.MakeLive(ctx, hasher, models.Actor{}, root)
	require.NoError(t, err)
	require.Contains(t, made.APIKey, "_live_")
	_, err = s.Organizations.FindPrincipal(ctx, hasher.Hashes(first.APIKey))
	require.ErrorIs(t, err, models.ErrNotFound)
	principal, err := s.Organizations.FindPrincipal(ctx, hasher.Hashes(made.APIKey))
	require.NoError(t, err)
	require.Equal(t, root.OrganizationID, principal.OrganizationID)
	for _, id := range []string{root.OrganizationID, client.ID} {
		o, err := s.Organizations.Organization(ctx, models.Scope{OrganizationID: id})
		require.NoError(t, err)
		require.False(t, o.IsTest)
	}
	_, err = s.Organizations.MakeLive(ctx, hasher, models.Actor{}, root)
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
	require.NoError(t, b.Intake.Accept(ctx, storetest.Draft(b.Scope, "S-1")))
	_, err = b.Store.Organizations.MakeLive(ctx, hasher, models.Actor{}, root)
	require.ErrorIs(t, err, organizations.ErrUsed)
	o, err := b.Store.Organizations.Organization(ctx, root)
	require.NoError(t, err)
	require.True(t, o.IsTest, "nothing changed")
	_, err = b.Store.Organizations.FindPrincipal(ctx, hasher.Hashes(partner.APIKey))
	require.NoError(t, err, "its key works")
}
