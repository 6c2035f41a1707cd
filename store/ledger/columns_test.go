package ledger_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// uncovered names the columns that no leaf covers, by the reason. levy audit verify does not find who changes one.
var uncovered = map[string]map[string]string{
	"transactions": {
		"the way to the decision, which says by its amounts and taxes what came of it": `address_status ambiguous certainty
			city country county nexus_exempt_lines origin place postal_code state`,
		"how far processing is; verification counts what is not decided": "processing_reason processing_status updated_at",
		"the report of the return has its transactions":                  "filing_id",
		"follows from its refunds, which have leaves":                    "refund_status",
		"the order of refunds, which decides no amount of the sale":      "committed_at",
		"personal data, encrypted or erasable":                           "requires_exemption sent tax_id",
		"how it was submitted":                                           "batch_id",
	},
	"transaction_items": {
		"the decision has the reason and the amounts":                           "exemption_id",
		"terms of discounts and echoed values; its prices with tax are covered": "sent",
	},
	"transaction_addresses": {"personal data": "phone", "the way to the decision": "status"},
	"transaction_totals": {
		"follow from the explanation and the total, which levy check compares": `figure_gross figure_keys figure_owed figure_place
			figure_tax figure_taxable`,
	},
	"filings": {
		"copies of findings, which the report has under its hash": `amount_over_collected amount_under_collected
			beyond_rounding_count form_difference no_obligation_count no_obligation_sales over_collected_count uncertain_count
			uncertain_tax under_collected_count`,
		"what later returns take, and their reports have": "credit_claimed credit_used",
		"the report has the amount":                       "prepaid_share",
		"the way to the return": `announced_at attempt auto_approved block_approval cancelled_reason claimed_at created_at
			internal_notes is_manual issue_reason jira_issue_key locked_at manual_since next_check_at on_demand paused_until_date
			planned reminders skip_reason unanswered_since updated_at`,
	},
	"filing_transactions": {
		"what findings were summed from; the report has them": `beyond_rounding form_tax no_obligation over_collected uncertain
			under_collected`,
		"how it was claimed": "claims_as epoch registration_id",
	},
	"filing_jurisdictions": {"their order, which only sorts": "position"},
	"filing_reports":       {},
}

// harms are how the owner changes a column, by its type, or by its name where the type does not say enough.
var harms = map[string]string{
	"text": "coalesce(%[1]s, '') || 'x'", "boolean": "NOT coalesce(%[1]s, false)", "numeric": "coalesce(%[1]s, 0) + 1",
	"integer": "coalesce(%[1]s, 0) + 1", "bigint": "coalesce(%[1]s, 0) + 1", "smallint": "coalesce(%[1]s, 0) + 1",
	"date": "coalesce(%[1]s, '2020-01-01') + 1", "timestamp with time zone": "coalesce(%[1]s, now()) + interval '1 day'",
	"jsonb":                  `CASE jsonb_typeof(%[1]s) WHEN 'array' THEN %[1]s || '[{"x": 1}]' ELSE '{"x": 1}' END`,
	"transaction_items.sent": `'{"product_name": "x"}'`, "transaction_totals.places": `'[{"name": "x"}]'`,
	"ARRAY": "array_append(%[1]s, '1')", "bytea": "coalesce(%[1]s, '') || 'x'::bytea",
}

// Each column of transactions and returns is covered by a leaf, or named as not covered. A new one must decide.
func TestEveryColumnIsCoveredOrNamed(t *testing.T) {
	t.Parallel()
	b, _ := filedBook(t)
	db := storetest.SQL(t, b.URL)
	found := map[string][]string{}
	for table := range uncovered {
		rows, err := db.Query(t.Context(), `SELECT column_name::text, data_type::text FROM information_schema.columns
			WHERE table_name = $1 AND is_generated = 'NEVER' ORDER BY column_name`, table)
		require.NoError(t, err)
		columns := map[string]string{}
		var name, kind string
		_, err = pgx.ForEachRow(rows, []any{&name, &kind}, func() error { columns[name] = kind; return nil })
		require.NoError(t, err)
		require.NotEmpty(t, columns, table)
		b.asOwner(t, "CREATE TABLE kept_"+table+" AS TABLE "+table, fmt.Sprintf(`DO $$ DECLARE c name; BEGIN
			FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = '%[1]s'::regclass AND contype = 'c' LOOP
			  EXECUTE format('ALTER TABLE %[1]s DROP CONSTRAINT %%I', c); END LOOP; END $$`, table))
		all := slices.Sorted(maps.Keys(columns))
		list := strings.Join(all, ", ")
		for _, column := range all {
			harm := cmp.Or(harms[table+"."+column], harms[columns[column]])
			require.NotEmpty(t, harm, "%s.%s is of type %s", table, column, columns[column])
			b.asOwner(t, "UPDATE "+table+" SET "+column+" = "+strings.ReplaceAll(harm, "%[1]s", column))
			v, err := b.Store.Ledger.Verify(t.Context(), b.Scope.OrganizationID, 1)
			require.NoError(t, err, "%s.%s", table, column)
			if v.Broken == "" {
				found[table] = append(found[table], column)
			}
			b.asOwner(t, "DELETE FROM "+table, "INSERT INTO "+table+" ("+list+") SELECT "+list+" FROM kept_"+table)
		}
	}
	for table, reasons := range uncovered {
		var named []string
		for _, columns := range reasons {
			named = append(named, strings.Fields(columns)...)
		}
		require.ElementsMatch(t, named, found[table], "columns of %s that no leaf covers", table)
	}
}
