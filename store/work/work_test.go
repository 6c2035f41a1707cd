package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/work"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// A return that the timer never approves waits for people, also with auto_file. An amendment does so since it was
// opened, and not since its period.
func TestReturnsThatWaitForPeople(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	waiting := func() []models.Exception {
		visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
		list, err := b.Store.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{}, models.Page{Limit: 10})
		require.NoError(t, err)
		return list.Items
	}
	january := b.January(t, models.FilingFiled)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	amendment := b.Amendments(t, january.ID)[0]
	found := waiting()
	require.Len(t, found, 1)
	require.Equal(t, []any{models.ExceptionToApprove, amendment.ID, string(models.FilingAmendment)},
		[]any{found[0].Type, found[0].ObjectID, found[0].Category})
	require.Equal(t, amendment.CreatedAt.UTC(), found[0].Since.UTC())

	_, err := b.SQL.Exec(t.Context(), "UPDATE organization_details SET auto_file = true WHERE organization_id = $1",
		b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Empty(t, waiting(), "the timer approves it")
	_, err = b.SQL.Exec(t.Context(), `
		UPDATE organization_settings SET special_tax_circumstances = true WHERE organization_id = $1`, b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Len(t, waiting(), 1, "the timer leaves it to people")
}

// A partner sees the exceptions of all its clients, also if they are too many to be named one by one. A client sees its own.
func TestAPartnerSeesTheExceptionsOfManyClients(t *testing.T) {
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	first, second := storetest.NewClient("First"), storetest.NewClient("Second")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, first))
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, second))
	storetest.Execute(t, address, `INSERT INTO webhook_endpoints (organization_id, id, url, enabled_events, include_clients,
		status, disabled_reason, secret, signature_scheme, created_at, updated_at)
		SELECT id, 'whep_' || right(id, 26), 'https://shop.example/', '["*"]', false, 'DISABLED', 'FAILING',
		       decode(repeat('01', 64), 'hex'), 'v1', now(), now() FROM organizations`)
	for _, few := range []int{3, 2, 1} {
		restore := work.SetMostFew(few)
		for organizationID, want := range map[string]int64{root.OrganizationID: 3, first.ID: 1, second.ID: 1} {
			visible := models.Visibility{OrganizationIDs: []string{organizationID}}
			list, err := s.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{}, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Len(t, list.Items, int(want), "at most %d by name", few)
			groups, err := s.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{})
			require.NoError(t, err)
			require.Len(t, groups, 1)
			require.Equal(t, []int64{want, want}, []int64{groups[0].Count, groups[0].Organizations})
			alone, err := s.Work.ListExceptions(t.Context(), visible,
				models.ExceptionFilter{OrganizationID: organizationID}, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Len(t, alone.Items, 1)
		}
		restore()
	}
}

// Lists and searches of a partner omit a client that has ended its grant. They say what the partner may do for others.
func TestAPartnerSeesClientsWithAGrant(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	storetest.Execute(t, address, `INSERT INTO webhook_endpoints (organization_id, id, url, enabled_events, include_clients,
		status, disabled_reason, secret, signature_scheme, created_at, updated_at)
		VALUES ($1, $2, 'https://shop.example/', '["*"]', false, 'DISABLED', 'FAILING', decode(repeat('01', 64), 'hex'), 'v1',
		now(), now())`,
		client.ID, models.NewID(models.PrefixWebhook))
	of := func(organizationID string) []models.Exception {
		visible := models.Visibility{OrganizationIDs: []string{organizationID}}
		list, err := s.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{}, models.Page{Limit: 10})
		require.NoError(t, err)
		return list.Items
	}
	seen := of(root.OrganizationID)
	require.Len(t, seen, 1)
	require.Equal(t, []string{root.OrganizationID, "admin"}, []string{seen[0].PartnerID, seen[0].Granted})
	storetest.Execute(t, address, "UPDATE organizations SET onboarding_status = 'COMPLETED' WHERE id = $1", client.ID)
	require.Equal(t, "preparer", of(root.OrganizationID)[0].Granted)
	storetest.Execute(t, address, "UPDATE client_grants SET ended_at = now()")
	require.Empty(t, of(root.OrganizationID))
	require.Len(t, of(client.ID), 1, "the client sees it")
}
