package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// rowsOfSale are the tables that accepting a sale writes to, in the order of the
// writes, and the column that leads to the transaction.
var rowsOfSale = []struct{ table, condition string }{
	{"customers", "id = (SELECT customer_id FROM transactions WHERE id = $1)"},
	{"transactions", "id = $1"},
	{"transaction_items", "transaction_id = $1"},
	{"transaction_addresses", "transaction_id = $1"},
	{"audit", "entity_id = $1"},
	{"outbox", "aggregate_id = $1"},
}

const rowsPerSale = 8

// keyDigits is the length of the number that makes the identifiers of a row unique. Identifiers keep the length and the
// beginning that Levy gave them.
const keyDigits = 15

// keyMark stands for that number in a statement.
const keyMark = "\x00key"

// field is a column of a row with its value as text.
type field struct {
	name, value string
	isTime      bool
}

// inserts reads the rows that Levy wrote for one sale and turns them into
// statements that write the same rows, with other identifiers.
func inserts(ctx context.Context, db *pgxpool.Pool, transactionID string) ([]string, error) {
	statements := make([]string, 0, len(rowsOfSale))
	unique := map[string]bool{}
	tables := make([][][]field, len(rowsOfSale))
	count := 0
	for i, part := range rowsOfSale {
		rows, err := readRows(ctx, db, part.table, part.condition, transactionID)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", part.table, err)
		}
		tables[i] = rows
		count += len(rows)
		for _, row := range rows {
			for _, f := range row {
				isID := f.name == "id" || f.name == "external_id" && part.table != "transaction_items" || f.name == "request_id"
				if isID && len(f.value) > keyDigits {
					unique[f.value] = true
				}
			}
		}
	}
	if count != rowsPerSale {
		return nil, fmt.Errorf("the sale has %d rows, not %d", count, rowsPerSale)
	}
	for i, part := range rowsOfSale {
		statements = append(statements, insert(part.table, tables[i], unique))
	}
	return statements, nil
}

func readRows(ctx context.Context, db *pgxpool.Pool, table, condition, transactionID string) ([][]field, error) {
	rows, err := db.Query(ctx, fmt.Sprintf(`
		SELECT r.n, f.key, f.value, a.atttypid = 'timestamptz'::regtype
		  FROM (SELECT row_number() OVER () AS n, t AS row FROM %s t WHERE %s) r, json_each_text(to_json(r.row)) f
		  JOIN pg_attribute a ON a.attrelid = '%s'::regclass AND a.attname = f.key
		 WHERE f.value IS NOT NULL ORDER BY r.n, a.attnum`, table, condition, table), transactionID)
	if err != nil {
		return nil, err
	}
	var all [][]field
	var n int
	var f field
	_, err = pgx.ForEachRow(rows, []any{&n, &f.name, &f.value, &f.isTime}, func() error {
		if n > len(all) {
			all = append(all, nil)
		}
		all[n-1] = append(all[n-1], f)
		return nil
	})
	return all, err
}

func insert(table string, rows [][]field, unique map[string]bool) string {
	var names []string
	for _, row := range rows { // the rows of a table may leave out different columns
		for _, f := range row {
			if !slices.Contains(names, f.name) {
				names = append(names, f.name)
			}
		}
	}
	tuples := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, len(names))
		for j, name := range names {
			values[j] = "NULL"
			if at := slices.IndexFunc(row, func(f field) bool { return f.name == name }); at >= 0 {
				values[j] = expression(row[at], unique)
			}
		}
		tuples[i] = "(" + strings.Join(values, ", ") + ")"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", table, strings.Join(names, ", "), strings.Join(tuples, ", "))
}

func expression(f field, unique map[string]bool) string {
	switch {
	case f.isTime:
		return "now()"
	case unique[f.value]:
		return quote(f.value[:len(f.value)-keyDigits]) + " || " + keyMark + "::text"
	}
	return quote(f.value)
}

// quote writes a literal without colons, which pgbench would take for variables.
func quote(value string) string {
	return "E'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, ":", `\x3a`, "\n", `\n`).Replace(value) + "'"
}

// withKey puts the place of the number into a statement: a parameter, or a
// variable of pgbench.
func withKey(statement, key string) string { return strings.ReplaceAll(statement, keyMark, key) }
