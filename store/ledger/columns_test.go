package ledger_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// uncovered names the columns that no leaf covers. Whoever changes one of them is not found by levy audit verify.
var uncovered = map[string]map[string]string{
	"transactions": {}, "transaction_items": {}, "transaction_addresses": {}, "transaction_totals": {},
	"filings": {}, "filing_transactions": {}, "filing_jurisdictions": {},
}

// harms are how the owner changes a column, by the type of the column.
var harms = map[string]string{
	"text": "coalesce(%[1]s, '') || 'x'", "boolean": "NOT coalesce(%[1]s, false)", "numeric": "coalesce(%[1]s, 0) + 1",
	"integer": "coalesce(%[1]s, 0) + 1", "bigint": "coalesce(%[1]s, 0) + 1", "smallint": "coalesce(%[1]s, 0) + 1",
	"date": "coalesce(%[1]s, '2020-01-01') + 1", "timestamp with time zone": "coalesce(%[1]s, now()) + interval '1 day'",
	"jsonb": `CASE jsonb_typeof(%[1]s) WHEN 'array' THEN '[]' WHEN 'object' THEN '{"x": 1}' ELSE '[{"x": 1}]' END::jsonb`,
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
			harm := harms[columns[column]]
			require.NotEmpty(t, harm, "%s.%s is of type %s", table, column, columns[column])
			b.asOwner(t, "UPDATE "+table+" SET "+column+" = "+fmt.Sprintf(harm, column))
			v, err := b.Store.Ledger.Verify(t.Context(), b.Scope.OrganizationID, 1)
			if err != nil {
				t.Logf("%s.%s: %v", table, column, err)
			}
			if err == nil && v.Broken == "" {
				found[table] = append(found[table], column)
			}
			b.asOwner(t, "DELETE FROM "+table, "INSERT INTO "+table+" ("+list+") SELECT "+list+" FROM kept_"+table)
		}
	}
	for table, named := range uncovered {
		assert.Equal(t, slices.Sorted(maps.Keys(named)), found[table], "columns of %s that no leaf covers", table)
	}
}
