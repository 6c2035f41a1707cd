package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// atOnce makes n calls at the same moment, and returns how many were refused for a quota.
func atOnce(t *testing.T, n int, what string, do func(i int) error) (refused int) {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	for _, err := range errs {
		if limit, ok := errors.AsType[*models.LimitError](err); ok {
			require.Equal(t, what, limit.What)
			refused++
			continue
		}
		require.NoError(t, err)
	}
	return refused
}

// A partner with all its clients never exceeds its quotas, also with many calls at the same moment, and deleting
// frees them.
func TestAPartnerHasQuotas(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url, Quotas: models.Quotas{Storage: 100, OwnStorage: 1000, Organizations: 3}})
	root, other := storetest.Organization(t, url), storetest.Organization(t, url)
	clients := make([]*models.Organization, 8)
	refused := atOnce(t, len(clients), models.LimitOrganizations, func(i int) error {
		clients[i] = storetest.NewClient(models.NewID("name"))
		return storetest.CreateClient(t.Context(), s, root, clients[i])
	})
	require.Equal(t, 5, refused)
	require.NoError(t, storetest.CreateClient(t.Context(), s, other, storetest.NewClient("Another partner's")))
	storetest.Execute(t, url, `UPDATE organizations
		SET created_at = now() - interval '24 hours'
		WHERE parent_organization_id = $1`, root.OrganizationID)
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, storetest.NewClient("The next day's")))

	conn := connectTo(t, url)
	var client string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT min(id) FROM organizations WHERE parent_organization_id = $1",
		root.OrganizationID).Scan(&client))
	owners := []models.Scope{root, {OrganizationID: client}}
	refs := make([]models.ImportRef, 8)
	store := func(i int) error {
		owner := owners[i%2]
		refs[i] = models.ImportRef{OrganizationID: owner.OrganizationID, ID: models.NewID(models.PrefixBatch)}
		if err := s.Imports.BeginImport(t.Context(), owner, refs[i].ID); err != nil {
			return err
		}
		return s.Imports.AddImportPiece(t.Context(), owner, refs[i].ID, 0, make([]byte, 30))
	}
	stored := func() (n int) {
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT bytes FROM partner_storage WHERE organization_id = $1",
			root.OrganizationID).Scan(&n))
		return n
	}
	require.Equal(t, 5, atOnce(t, len(refs), models.LimitStorage, store))
	require.Equal(t, 90, stored())
	for _, ref := range refs {
		require.NoError(t, s.Imports.ClearImport(t.Context(), ref))
	}
	require.Zero(t, stored(), "imports that were given up")
	require.NoError(t, store(0))
	require.NoError(t, s.Imports.BeginImport(t.Context(), other, "batc_other"))
	require.NoError(t, s.Imports.AddImportPiece(t.Context(), other, "batc_other", 0, make([]byte, 100)),
		"another partner has its own")
}

// A client stores no more than its part of its partner's quota, so that the others keep room. The operator may give it
// another part; what it stores already stays.
func TestAClientHasAPartOfTheStorageQuota(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url, Quotas: models.Quotas{Storage: 200}})
	root := storetest.Organization(t, url)
	scope := func(name string) models.Scope {
		client := storetest.NewClient(name)
		require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
		return models.Scope{OrganizationID: client.ID}
	}
	greedy, small := scope("Greedy"), scope("Small")
	store := func(owner models.Scope, size int) (string, error) {
		id := models.NewID(models.PrefixBatch)
		require.NoError(t, s.Imports.BeginImport(t.Context(), owner, id))
		return id, s.Imports.AddImportPiece(t.Context(), owner, id, 0, make([]byte, size))
	}
	refused := func(owner models.Scope, size, most int) {
		t.Helper()
		_, err := store(owner, size)
		limit, ok := errors.AsType[*models.LimitError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, models.LimitError{What: models.LimitOwnStorage, Limit: most}, *limit)
	}
	kept, err := store(greedy, 50)
	require.NoError(t, err)
	refused(greedy, 1, 50)
	_, err = store(small, 50)
	require.NoError(t, err, "another client has its own part")
	_, err = store(root, 60)
	require.NoError(t, err, "the partner itself has no part")

	ann := models.Actor{Staff: "ann"}
	require.NoError(t, s.Organizations.SetStorageQuota(t.Context(), greedy, ann, new(int64(70))))
	_, err = store(greedy, 20)
	require.NoError(t, err)
	refused(greedy, 1, 70)
	require.NoError(t, s.Organizations.SetStorageQuota(t.Context(), greedy, ann, new(int64(10))))
	stored, err := s.Catalog.Stored(t.Context(), greedy)
	require.NoError(t, err)
	require.Equal(t, models.Stored{Own: 70, Most: 10, Partner: 180, MostOfPartner: 200}, stored)
	refused(greedy, 1, 10)
	first := models.ImportRef{OrganizationID: greedy.OrganizationID, ID: kept}
	require.NoError(t, s.Imports.ClearImport(t.Context(), first))
	require.NoError(t, s.Organizations.SetStorageQuota(t.Context(), greedy, ann, nil))
	stored, err = s.Catalog.Stored(t.Context(), greedy)
	require.NoError(t, err)
	require.Equal(t, models.Stored{Own: 20, Most: 50, ByDefault: true, Partner: 130, MostOfPartner: 200}, stored)
	require.ErrorIs(t, s.Organizations.SetStorageQuota(t.Context(), models.Scope{OrganizationID: "org_none"}, ann, nil),
		models.ErrNotFound)
}
