package migrations_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

const (
	everyTable = `SELECT oid::regclass::text
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
		AND relname <> 'goose_db_version' ORDER BY 1`
	everyReference = `SELECT DISTINCT concat_ws(' ', conrelid::regclass, confrelid::regclass)
		FROM pg_constraint
		WHERE contype = 'f' ORDER BY 1`
)

var (
	tableRow  = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| [^|]+ \\| ([^|]+) \\|$")
	tableName = regexp.MustCompile("`(\\w+)`")
	arrow     = regexp.MustCompile(`(?m)^  (\w+) --> (\w+)$`)
)

// The page names every table of the schema with what it refers to, and each arrow of its picture is a foreign key.
func TestTheDataModelIsThatOfTheSchema(t *testing.T) {
	t.Parallel()
	conn := connect(t, storetest.URL(t))
	page, err := os.ReadFile("../../docs/data-model.md")
	require.NoError(t, err)
	var tables, references []string
	for _, row := range tableRow.FindAllSubmatch(page, -1) {
		tables = append(tables, string(row[1]))
		for _, name := range tableName.FindAllSubmatch(row[2], -1) {
			references = append(references, string(row[1])+" "+string(name[1]))
		}
	}
	require.ElementsMatch(t, column[string](t, conn, everyTable), tables)
	require.ElementsMatch(t, column[string](t, conn, everyReference), references)
	arrows := arrow.FindAllSubmatch(page, -1)
	require.NotEmpty(t, arrows)
	for _, a := range arrows {
		require.Contains(t, references, string(a[1])+" "+string(a[2]))
	}
}
