package contract_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/integrity"
)

// The check finds a line and a document that gave back more tax than they bore. It does not find documents that are
// still to be decided by their changed sale, refunds in returns, or tax that a refund of tax takes off other lines.
func TestTheCheckFindsTooMuchTaxGivenBack(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	lines := []string{lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"8.25"`),
		lineOf("L2", "LAMP", "10.00", `,"tax_amount_imported":"0.83"`)}
	sold := in.soldAt(shop, houston, "", lines...)
	note := in.givenBack(shop, sold, "54.13", returned("L1", "LAMP", "0.5", "50.00"))
	other := in.soldAt(shop, houston, "", lines...)
	taxBack := in.taxRefund(shop, other, "9.08", "9.08").ID
	rule := integrity.Rule{}
	for _, r := range integrity.OfTransactions {
		if strings.HasPrefix(r.Says, "I-10 credit notes never give back more tax") {
			rule = r
		}
	}
	give := func(tax, id string) string {
		return `UPDATE transaction_items SET tax_amount_calculated = ` + tax + ` WHERE transaction_id = '` + id + `'`
	}
	set := func(column, value, id string) string {
		return `; UPDATE transactions SET ` + column + ` = '` + value + `' WHERE id = '` + id + `'`
	}
	tooMuch := give("-8.26", note.ID)
	for name, c := range map[string]struct {
		change string
		found  []string
	}{
		"nothing is damaged":                       {"SELECT", nil},
		"a line gives too much":                    {tooMuch, []string{sold}},
		"and is queued again":                      {tooMuch + set("processing_status", "QUEUED", note.ID), nil},
		"and its sale is queued":                   {tooMuch + set("processing_status", "UPDATED", sold), nil},
		"and is in a return":                       {tooMuch + set("filing_id", "file_1", note.ID), nil},
		"a document gives back too much tax alone": {give("-9.09", taxBack), []string{other}},
		"tax alone comes off other lines":          {give("-9.08", taxBack), nil},
	} {
		t.Run(name, func(t *testing.T) {
			tx, err := in.behind.Begin(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, tx.Rollback(context.Background())) }()
			_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica; "+c.change)
			require.NoError(t, err)
			found, err := integrity.Violating(t.Context(), tx, rule)
			require.NoError(t, err)
			require.ElementsMatch(t, c.found, found)
		})
	}
}
