// Package integrity has the rules that all records keep at any moment, and finds violations, such as after a restore.
package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/store/pg"
)

// Rule holds at any moment, whatever work is in progress. Says is a permanent number and a sentence.
// Query returns a line of text for each record that violates it.
type Rule struct{ Says, Query string }

// Rules returns the rules whose queries do not depend on the schema of the database.
func Rules() []Rule { return slices.Concat(OfTransactions, OfLiability, OfRecords) }

// Violation is a violated rule, with the number of records and some of them.
type Violation struct {
	Says    string
	Records int
	Some    []string
}

// maxNamed is the most records that a violation names.
const maxNamed = 5

// Store reads the records of all organizations.
type Store struct{ db *pg.DB }

// New returns the store of rules on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }

// Check checks all rules as of one moment, and returns their number and the violations. It reads every record:
// minutes for some million transactions.
func (s *Store) Check(ctx context.Context) (rules int, found []Violation, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		amounts, err := Amounts(ctx, tx)
		if err != nil {
			return err
		}
		all := append(Rules(), amounts)
		rules = len(all)
		for _, rule := range all {
			records, err := Violating(ctx, tx, rule)
			if err != nil {
				return err
			}
			if len(records) > 0 {
				found = append(found, Violation{rule.Says, len(records), records[:min(maxNamed, len(records))]})
			}
		}
		return nil
	})
	return rules, found, pg.Translate(err)
}

// reader is a connection or a database transaction.
type reader interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Violating returns the records that violate a rule.
func Violating(ctx context.Context, tx reader, rule Rule) ([]string, error) {
	rows, err := tx.Query(ctx, rule.Query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rule.Says, err)
	}
	records, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rule.Says, err)
	}
	return records, nil
}

// AmountsHold is the sentence of the rule that Amounts returns.
const AmountsHold = "I-12 amounts are numbers of their scale"

const numericColumns = `
	SELECT c.relname, a.attname, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier
	  FROM pg_attribute a
	  JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
	  JOIN pg_type t ON t.oid = a.atttypid
	 WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
	   AND (t.oid = 'numeric'::regtype OR t.typbasetype = 'numeric'::regtype)
	 ORDER BY 1, 2`

// Amounts returns the rule that each number of the schema has a scale, keeps it and is never NaN. Its query is built
// from the columns of the schema.
func Amounts(ctx context.Context, tx reader) (Rule, error) {
	rows, err := tx.Query(ctx, numericColumns)
	var parts []string
	var table, column string
	var modifier int
	err = pg.ForEach(rows, err, []any{&table, &column, &modifier}, func() error {
		condition := "true" // it has no scale
		if modifier >= 4 {
			condition = fmt.Sprintf("%[1]s = 'NaN' OR scale(%[1]s) > %[2]d",
				pgx.Identifier{column}.Sanitize(), (modifier-4)&0xffff)
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s.%s' FROM %s WHERE %s",
			table, column, pgx.Identifier{table}.Sanitize(), condition))
		return nil
	})
	return Rule{AmountsHold, strings.Join(parts, " UNION ALL ")}, err
}
