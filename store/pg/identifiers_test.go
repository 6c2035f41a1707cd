package pg_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/pg"
	"levy/store/storetest"
)

// PostgreSQL and Go remove the same characters around an identifier: each one that there is was tried.
func TestIdentifiersAreTrimmedAlikeInSQLAndInGo(t *testing.T) {
	t.Parallel()
	conn := plainConnection(t)
	var inGo []string
	for r := range rune(utf8.MaxRune + 1) {
		if r > 0 && utf8.ValidRune(r) && strings.TrimSpace(string(r)) == "" {
			inGo = append(inGo, string(r))
		}
	}
	require.Len(t, inGo, 25)
	var inSQL []string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT array_agg(chr(r) ORDER BY r) FROM generate_series(1, 1114111) r
		WHERE r NOT BETWEEN 55296 AND 57343 AND `+pg.Trimmed("chr(r)")+" = ''").Scan(&inSQL))
	require.Equal(t, inGo, inSQL)
	for _, space := range append(inGo, strings.Join(inGo, "")) {
		text := space + "Ä" + space + "€" + space + space
		var trimmed string
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT "+pg.Trimmed("$1"), text).Scan(&trimmed))
		require.Equal(t, strings.TrimSpace(text), trimmed)
	}
}

// Padded identifiers are found by indexes of them alone, which need not be read where they are empty.
func TestPaddedIdentifiersAreFoundByTheirIndexes(t *testing.T) {
	t.Parallel()
	conn := plainConnection(t)
	for _, table := range []string{"products", "customers", "transactions"} {
		rows, err := conn.Query(t.Context(), "EXPLAIN (COSTS OFF) "+pg.PaddedRecord(table, "'org_1'", "'O-1'"))
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		plan := strings.Join(lines, "\n")
		require.Contains(t, plan, "One-Time Filter", plan)
		require.Equal(t, 2, strings.Count(plan, table+"_padded"), plan)
		require.NotContains(t, plan, "Seq Scan", plan)
		require.NotContains(t, plan, "Sort", plan)
	}
}

func plainConnection(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), storetest.URL(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	_, err = conn.Exec(t.Context(), "SET enable_seqscan = off")
	require.NoError(t, err)
	return conn
}
