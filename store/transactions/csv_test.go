package transactions_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/transactions"
)

func TestExportOfLines(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	drafts := make([]*models.TransactionDraft, 3)
	for i := range drafts {
		drafts[i] = storetest.Draft(b.Scope, fmt.Sprint("ORDER-", i))
	}
	drafts[1].Items = append(drafts[1].Items, storetest.Item(drafts[1], 1, "P-1", "-7.50"))
	for _, err := range b.Intake.AcceptAll(t.Context(), drafts) {
		require.NoError(t, err)
	}
	byID := []models.Order{{Column: "external_id", Desc: true}}
	export := func(scope models.Scope, f models.TransactionFilter, limit int) (got []string) {
		require.NoError(t, b.Store.Transactions.ExportTransactions(t.Context(), scope, f, byID, models.Export[models.ExportLine]{
			Limit: limit, Pause: noPause, Row: func(l *models.ExportLine) error {
				got = append(got, l.ExternalID+" "+l.Amount.String())
				return nil
			},
		}))
		return got
	}
	require.Equal(t, []string{
		"ORDER-2 100.00", "ORDER-1 100.00", "ORDER-1 -7.50", "ORDER-0 100.00",
	}, export(b.Scope, models.TransactionFilter{}, 10))
	require.Equal(t, []string{"ORDER-2 100.00", "ORDER-1 100.00"}, export(b.Scope, models.TransactionFilter{}, 2))
	require.Equal(t, []string{
		"ORDER-1 100.00", "ORDER-1 -7.50",
	}, export(b.Scope, models.TransactionFilter{Text: "order-1"}, 10))
	require.Empty(t, export(models.Scope{OrganizationID: "org_x"}, models.TransactionFilter{}, 10))

	enough, seen := errors.New("enough"), 0
	err := b.Store.Transactions.ExportTransactions(t.Context(), b.Scope, models.TransactionFilter{}, byID,
		models.Export[models.ExportLine]{Limit: 10, Pause: noPause, Row: func(*models.ExportLine) error {
			seen++
			return enough
		}})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, seen)
	require.Len(t, export(b.Scope, models.TransactionFilter{}, 10), 4, "the store continues")
}

func noPause() error { return nil }

// An export that is read slowly keeps no connection meanwhile. Its slices are contiguous in every order, also where
// values are equal or absent.
func TestAnExportIsReadInSlices(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	accept(t, b.Store, storetest.Draft(b.Scope, "ORDER"))
	const copies = 250
	for _, table := range []string{
		`transactions SELECT c.* FROM transactions x, generate_series(1, $1::int) n,
		 jsonb_populate_record(x, jsonb_build_object('id', x.id || n, 'external_id', x.external_id || n,
		  'state', (ARRAY['NY', NULL, 'CA'])[1 + n % 3], 'total_amount', n % 5, 'date',
		        x.date + n / 20 * interval '1 day')) c`,
		`transaction_items SELECT c.* FROM transaction_items x, generate_series(1, $1::int) n,
		 jsonb_populate_record(x, jsonb_build_object('transaction_id', x.transaction_id || n)) c`,
	} {
		_, err := b.SQL.Exec(t.Context(), "INSERT INTO "+table, copies)
		require.NoError(t, err)
	}
	ctx := models.WithReachAndPartner(t.Context(), nil, &models.Partner{ID: "partner"})
	for _, order := range [][]models.Order{
		{{Column: "date", Desc: true}}, {{Column: "date"}}, {{Column: "state"}},
		{{Column: "state", Desc: true}, {Column: "total_amount"}},
		{{Column: "total_amount", Desc: true}, {Column: "state"}}, {{Column: "external_id"}},
		{{Column: "customer_name"}, {Column: "date", Desc: true}},
	} {
		want, err := transactions.PlainList(t.Context(), b.Store.Transactions, b.Scope, models.TransactionFilter{}, order)
		require.NoError(t, err)
		var got []string
		pauses := 0
		require.NoError(t, b.Store.Transactions.ExportTransactions(ctx, b.Scope, models.TransactionFilter{}, order,
			models.Export[models.ExportLine]{
				Limit: 1_000_000,
				Row:   func(l *models.ExportLine) error { got = append(got, l.TransactionID); return nil },
				Pause: func() error {
					pauses++
					require.Zero(t, b.Store.ConnectionsOf("partner"), "a connection is held while the client reads")
					return nil
				},
			}))
		require.Equal(t, want, got, "%v", order)
		require.Greater(t, pauses, 2)
		for _, size := range []int{7, 40} {
			pages, err := transactions.InChunks(ctx, b.Store.Transactions, b.Scope, order, size)
			require.NoError(t, err)
			require.Equal(t, want, pages, "%v, %d ids at a time", order, size)
		}
	}
}
