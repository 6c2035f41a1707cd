package filings_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/integrity"
	"levy/store/storetest"
)

// Parts that are not the sum of their tax are reported, by a cent and of either sign. Correctly filed sales,
// refunds and sales of marketplaces are not reported.
func TestTaxesAddUpByJurisdiction(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 20)
	f := storetest.File(t, r.Store, r.scope, r.filing)
	conn := storetest.SQL(t, r.url)
	const sale, note = "txn_00000000000000000000000007", "txn_00000000000000000000000010"
	for says, c := range map[string]struct{ rule, change, found string }{
		"a sale has lost a part": {
			"I-4 the calculated tax of a line", `UPDATE transaction_items SET tax_items = tax_items - 2
			  WHERE transaction_id = '` + sale + `'`, sale + " line 0",
		},
		"a refund gives back a cent more": {
			"I-4 the calculated tax of a line", `UPDATE transaction_items
			    SET tax_items = jsonb_set(tax_items, '{1,amount}', '"-1.51"')
			  WHERE transaction_id = '` + note + `'`, note + " line 0",
		},
		"a line has a tax without parts": {
			"I-4 the calculated tax of a line", `UPDATE transaction_items SET tax_items = '[]'
			  WHERE transaction_id = '` + note + `'`, note + " line 0",
		},
		"a jurisdiction gets a cent less": {
			"I-6 the jurisdictions of a sealed return", `UPDATE filing_jurisdictions SET tax = tax - 0.01 WHERE position = 1`,
			f.ID + " FILED",
		},
		"no jurisdiction gets anything": {
			"I-6 the jurisdictions of a sealed return", `DELETE FROM filing_jurisdictions`, f.ID + " FILED",
		},
	} {
		t.Run(says, func(t *testing.T) {
			tx, err := conn.Begin(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, tx.Rollback(context.Background())) }()
			require.Empty(t, violating(t, tx, c.rule))
			_, err = tx.Exec(t.Context(), c.change)
			require.NoError(t, err)
			require.Equal(t, []string{c.found}, violating(t, tx, c.rule))
		})
	}
}

// violating is what violates the rule whose name has a prefix.
func violating(t *testing.T, tx pgx.Tx, name string) []string {
	t.Helper()
	for _, rule := range integrity.Rules() {
		if strings.HasPrefix(rule.Says, name) {
			records, err := integrity.Violating(t.Context(), tx, rule)
			require.NoError(t, err)
			return records
		}
	}
	require.FailNow(t, "there is no such rule", name)
	return nil
}
