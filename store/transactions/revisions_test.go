package transactions_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestReplacedVersionsStayReadable(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 2)
	b.Processed(t, refs)
	id := refs[0].ID
	versions := make([]models.Transaction, 0, 2)
	for n, total := range []string{"20.00", "30.00"} {
		before, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, id)
		require.NoError(t, err)
		versions = append(versions, before)
		_, err = b.Update(id, func(d *models.TransactionDraft) {
			d.Actor.RequestID = []string{"req_2", "req_3"}[n]
			d.TotalAmount = decimal.MustParse(total)
			d.Items = append(d.Items, storetest.Item(d, 7+n, "P-1", "5.00"))
			d.Items[1].LineNo = 1
		})
		require.NoError(t, err)
	}

	for n, before := range versions {
		r, err := b.Store.Transactions.TransactionRevision(t.Context(), b.Scope, id, n+1)
		require.NoError(t, err)
		require.Equal(t, n+1, r.Revision)
		before.Customer = r.Transaction.Customer // as it is today
		require.Equal(t, before, r.Transaction, "a version is read as it was read before it was replaced")
	}
	require.NotEmpty(t, versions[0].Items[0].TaxItems, "with its tax")

	list, err := b.Store.Transactions.TransactionRevisions(t.Context(), b.Scope, id, models.Page{Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 2, list.Total)
	require.Equal(t, 2, list.Items[0].Revision, "the newest first")
	require.Equal(t, "req_3", *list.Items[0].RequestID, "the request that replaced it")
	require.Contains(t, list.Items[0].Changed, "total_amount")
	rest, err := b.Store.Transactions.TransactionRevisions(t.Context(), b.Scope, id, models.Page{Limit: 1, Offset: 1})
	require.NoError(t, err)
	require.Equal(t, "req_2", *rest.Items[0].RequestID)
	none, err := b.Store.Transactions.TransactionRevisions(t.Context(), b.Scope, refs[1].ID, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Empty(t, none.Items)

	other := models.Scope{OrganizationID: models.NewID(models.PrefixOrganization)}
	for name, read := range map[string]func() error{
		"the current version": func() error {
			_, err := b.Store.Transactions.TransactionRevision(t.Context(), b.Scope, id, 3)
			return err
		},
		"a version of another organization": func() error {
			_, err := b.Store.Transactions.TransactionRevision(t.Context(), other, id, 1)
			return err
		},
		"the versions of another organization": func() error {
			_, err := b.Store.Transactions.TransactionRevisions(t.Context(), other, id, models.Page{Limit: 1})
			return err
		},
	} {
		require.ErrorIs(t, read(), models.ErrNotFound, name)
	}
}
