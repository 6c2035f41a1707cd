package contract_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/integrity"
)

// violating is what violates the rules of what is owed: the first words of a rule, then the records.
func violating(t *testing.T, tx pgx.Tx) (found []string) {
	t.Helper()
	for _, rule := range integrity.OfLiability {
		records, err := integrity.Violating(t.Context(), tx, rule)
		require.NoError(t, err)
		for _, r := range records {
			found = append(found, strings.Fields(rule.Says)[0]+" "+r)
		}
	}
	return found
}

// requireOwedRight checks all documents of an installation.
func (in *installation) requireOwedRight(story string) {
	in.t.Helper()
	tx, err := in.behind.Begin(in.t.Context())
	require.NoError(in.t, err)
	defer func() { require.NoError(in.t, tx.Rollback(context.Background())) }()
	require.Empty(in.t, violating(in.t, tx), story)
}

// withoutFigures leaves a total as an earlier release has decided it, so that only the rule of the test looks at it.
const withoutFigures = ", figure_keys = NULL"

// The check of an installation finds a document that owes a cent too much or too little, and a place too. It does not
// find documents of earlier releases, which owe by another law and are in returns.
func TestTheCheckFindsWhatIsOwedWrong(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	alone := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"9.00"`))
	sale := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"9.00"`))
	note := in.givenBack(shop, sale, "54.50", returned("L1", "LAMP", "0.5", "50.00"))
	exempt := in.soldAt(shop, houston, `,"exempt":"FULLY_EXEMPT"`,
		lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"8.25"`))
	require.Equal(t, "9.00 9.00 -4.50 8.25 = 21.75", in.owedBy(shop, alone, sale, note.ID, exempt))
	in.requireOwedRight("nothing is damaged")
	for name, c := range map[string]struct{ change, found string }{
		"a sale owes a cent less": {
			`UPDATE transaction_totals SET liability = liability - 0.01` + withoutFigures + ` WHERE transaction_id = '` + alone + `'`,
			"I-10 " + alone + " TX",
		},
		"a refund takes a cent more": {
			`UPDATE transaction_totals SET liability = liability - 0.01, places = NULL` + withoutFigures + `
			  WHERE transaction_id = '` + note.ID + `'`,
			"I-10 " + sale + " TX",
		},
		"collected tax is not owed": {
			`UPDATE transaction_totals SET collected = collected + 1 WHERE transaction_id = '` + sale + `'`,
			"I-10 " + sale + " TX",
		},
		"a place owes a cent more": {
			`UPDATE transaction_totals SET places = '[{"type":"STATE","name":"Texas","code":"48","amount":"8.26"}]'
			  WHERE transaction_id = '` + exempt + `'`,
			"I-6 " + exempt + " TX",
		},
		"no place owes": {
			`UPDATE transaction_totals SET places = NULL WHERE transaction_id = '` + exempt + `'`,
			"I-6 " + exempt + " TX",
		},
		"the refund is of an earlier release": {
			`UPDATE transaction_totals SET liability = 0, liability_case = NULL, places = NULL` + withoutFigures + `
			  WHERE transaction_id = '` + note.ID + `'`, "",
		},
		"all are of an earlier release": {
			`UPDATE transaction_totals SET liability = tax + 1, liability_case = NULL, places = NULL` + withoutFigures, "",
		},
		"the refund waits to be decided anew": {
			`UPDATE transactions SET processing_status = 'QUEUED', epoch = epoch + 1 WHERE id = '` + note.ID + `'`, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tx, err := in.behind.Begin(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, tx.Rollback(context.Background())) }()
			_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica")
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), c.change)
			require.NoError(t, err)
			require.Equal(t, c.found, strings.Join(violating(t, tx), ", "))
		})
	}
}
