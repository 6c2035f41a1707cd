package people_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"levy/store/storetest"
)

func TestZZ(t *testing.T) {
	conn, _ := pgx.Connect(t.Context(), storetest.URL(t))
	rows, _ := conn.Query(t.Context(), `SELECT c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || coalesce((SELECT string_agg(pg_get_constraintdef(k.oid), ' ; ') FROM pg_constraint k WHERE k.conrelid=c.oid AND k.contype='c' AND a.attnum = ANY(k.conkey)), '')
	 FROM pg_class c JOIN pg_attribute a ON a.attrelid=c.oid WHERE c.relnamespace='public'::regnamespace AND c.relkind IN ('r','p') AND NOT c.relispartition AND a.attnum>0 AND NOT a.attisdropped AND format_type(a.atttypid, a.atttypmod) ~ 'text|json|bytea|char' ORDER BY c.relname, a.attnum`)
	f, _ := os.Create("/tmp/cols.txt")
	for rows.Next() {
		var s string
		rows.Scan(&s)
		f.WriteString(s + "\n")
	}
	f.Close()
}
