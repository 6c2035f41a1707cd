package transactions_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
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
		require.NoError(t, b.Store.Transactions.ExportTransactions(t.Context(), scope, f, byID, limit, func(l *models.ExportLine) error {
			got = append(got, l.ExternalID+" "+l.Amount.String())
			return nil
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
	err := b.Store.Transactions.ExportTransactions(t.Context(), b.Scope, models.TransactionFilter{}, byID, 10, func(*models.ExportLine) error {
		seen++
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, seen)
	require.Len(t, export(b.Scope, models.TransactionFilter{}, 10), 4, "the store goes on")
}

// Somebody who leaves in the middle of an export leaves nothing behind in the database:
// its statement is over, the connection is used again.
func TestAnExportThatIsGivenUpEndsItsStatement(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	accept(t, b.Store, storetest.Draft(b.Scope, "ORDER"))
	// More than fits into any buffer between the database and the reader.
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'external_id', t.external_id || n))).*
		  FROM transactions t, generate_series(1, 6000) n`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO transaction_items SELECT (jsonb_populate_record(i, jsonb_build_object('transaction_id', i.transaction_id || n, 'external_id', repeat('x', 4000)))).*
		  FROM transaction_items i, generate_series(1, 6000) n`)
	require.NoError(t, err)
	running := func() int {
		return b.Count(
			t,
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%FROM transactions t%transaction_items i%' AND pid <> pg_backend_pid()",
		)
	}
	for name, leave := range map[string]func(cancel context.CancelFunc) error{
		"the reader's error": func(context.CancelFunc) error { return errors.New("enough") },
		"the reader is gone": func(cancel context.CancelFunc) error { cancel(); return nil },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		err := b.Store.Transactions.ExportTransactions(ctx, b.Scope, models.TransactionFilter{}, []models.Order{{Column: "date"}}, 1_000_000, func(*models.ExportLine) error {
			if seen++; seen > 1 {
				return nil // what had arrived already
			}
			require.Positive(t, running(), "the database waits for its reader")
			return leave(cancel)
		})
		cancel()
		require.Error(t, err, name)
		require.Less(t, seen, 6000, name)
		require.Eventually(t, func() bool { return running() == 0 }, 20*time.Second, 5*time.Millisecond, name)
	}
}
