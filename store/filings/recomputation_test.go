package filings_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// earlierSales are more than two steps of the run read.
const earlierSales = 1100

// fromBefore are a return and sales as an earlier release has left them. Of each hundred, more was collected for the first
// than calculated, and less for the second. The third and the fourth owe collected tax, the fourth without a calculated
// one.
func fromBefore(t *testing.T) reports {
	t.Helper()
	r := setupReports(t, earlierSales)
	nth := "right(transaction_id, 2)"
	for _, sql := range []string{
		"UPDATE transaction_totals SET collected = 9.00 WHERE " + nth + " = '01'",
		"UPDATE transaction_totals SET collected = 8.00 WHERE " + nth + " = '02'",
		"UPDATE transaction_totals SET collected = 9.01, liability = 9.01 WHERE " + nth + " = '03'",
		"UPDATE transactions SET tax_liability_source = 'COLLECTED' WHERE right(id, 2) IN ('03', '04')",
		"UPDATE transaction_totals SET collected = 5.00, liability = 5.00, tax = 0 WHERE " + nth + " = '04'",
		`UPDATE transaction_items SET tax_amount_calculated = 0, tax_items = '[{"type":"IMPORTED","name":"City tax",
			"jurisdiction_type":"CITY","jurisdiction_name":"New York City","amount":"5.00"}]' WHERE ` + nth + ` = '04'`,
		"UPDATE installation SET totals_from_before = '2026-01-20'",
	} {
		r.exec(t, sql)
	}
	return r
}

const completedTotals = `SELECT coalesce(string_agg(concat_ws(' ', transaction_id, liability, places, over_collected,
	under_collected), E'\n' ORDER BY transaction_id), '') FROM transaction_totals
	WHERE places IS NOT NULL OR over_collected IS NOT NULL OR under_collected IS NOT NULL`

func (r reports) text(t *testing.T, sql string) (text string) {
	t.Helper()
	require.NoError(t, storetest.SQL(t, r.url).QueryRow(t.Context(), sql).Scan(&text))
	return text
}

func (r reports) recomputed(t *testing.T) models.Recomputation {
	t.Helper()
	p, err := r.Filings.Recomputed(t.Context())
	require.NoError(t, err)
	return p
}

// The open returns of an earlier release get what that release did not store. A run that is killed in the middle goes
// on where it was, and ends as one that was not.
func TestOpenReturnsFromBeforeAreRecomputed(t *testing.T) {
	t.Parallel()
	whole, killed := fromBefore(t), fromBefore(t)
	for more := true; more; {
		var err error
		more, err = whole.Filings.Recompute(t.Context())
		require.NoError(t, err)
	}
	want := whole.text(t, completedTotals)
	require.Contains(t, want, "txn_00000000000000000000000001 8.88 0.12")
	require.Contains(t, want, `txn_00000000000000000000000003 9.01 [{"name": "New York", "type": "STATE", "amount": "4.06"}, `+
		`{"name": "New York City", "type": "CITY", "amount": "4.57"}, `+
		`{"name": "Metropolitan Commuter Transportation District", "type": "SPECIAL", "amount": "0.38"}]`)
	require.Contains(t, want, `txn_00000000000000000000000004 5.00 [{"name": "New York City", "type": "CITY", "amount": "5.00"}]`)

	more, err := killed.Filings.Recompute(t.Context())
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, models.Recomputation{Open: 1, Transactions: 500, Completed: 22}, killed.recomputed(t))
	dying, kill := context.WithCancel(t.Context())
	kill()
	_, err = killed.Filings.Recompute(dying)
	require.ErrorIs(t, err, context.Canceled)
	again := storetest.Open(t, store.Options{URL: killed.url})
	for more := true; more; {
		more, err = again.Filings.Recompute(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, want, killed.text(t, completedTotals))
	require.Equal(t, whole.recomputed(t), killed.recomputed(t))
	require.Zero(t, killed.recomputed(t).Open)

	_, head, _ := killed.document(t)
	_, other, _ := whole.document(t)
	require.Equal(t, other.Jurisdictions, head.Jurisdictions)
	require.Equal(t, other.Totals, head.Totals)
	f, err := again.Filings.Filing(t.Context(), killed.scope, killed.filing)
	require.NoError(t, err)
	require.Equal(t, "1.08 8.80", f.AmountOverCollected.String()+" "+f.AmountUnderCollected.String())
	storetest.File(t, again, killed.scope, killed.filing)
	for _, d := range killed.verify(t).Differences {
		require.False(t, strings.HasPrefix(d.Where, "jurisdiction "), "the sealed report is that of the completed totals")
	}
}

// A return that is being claimed, or that is claimed, stays as it is. So do periods after the upgrade.
func TestWhatIsClaimedIsNotRecomputed(t *testing.T) {
	t.Parallel()
	t.Run("while its registration is held", func(t *testing.T) {
		t.Parallel()
		r := fromBefore(t)
		tx, err := storetest.SQL(t, r.url).Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.Background()) }()
		_, err = tx.Exec(t.Context(), "SELECT "+pg.LockRegistration.Wait("registration_id")+" FROM filings")
		require.NoError(t, err)
		more, err := r.Filings.Recompute(t.Context())
		require.NoError(t, err)
		require.False(t, more)
		require.Empty(t, r.text(t, completedTotals))
		require.Equal(t, models.Recomputation{Open: 1}, r.recomputed(t))
		require.NoError(t, tx.Rollback(t.Context()))
		more, err = r.Filings.Recompute(t.Context())
		require.NoError(t, err)
		require.True(t, more)
	})
	for name, before := range map[string]func(*testing.T, reports){
		"after its claim": func(t *testing.T, r reports) {
			_, err := storetest.Claim(t.Context(), r.Store, r.scope, r.filing)
			require.NoError(t, err)
		},
		"of a later period": func(t *testing.T, r reports) {
			r.exec(t, "UPDATE installation SET totals_from_before = '2025-12-31'")
		},
		"where nothing is from before": func(t *testing.T, r reports) {
			r.exec(t, "UPDATE installation SET totals_from_before = NULL")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := fromBefore(t)
			before(t, r)
			more, err := r.Filings.Recompute(t.Context())
			require.NoError(t, err)
			require.False(t, more)
			require.Empty(t, r.text(t, completedTotals))
		})
	}
}
