// Package integrity has the rules that all records keep at any moment, and finds violations, such as after a restore.
package integrity

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Rule holds at any moment, whatever work is in progress. Says is a permanent number and a sentence. Query returns a line
// of text for each record that violates it, which begins with the id of the record. The sums of days begin with the
// organization instead, also the refunds of days, which are read with transactions. The end of a full pass forgets these.
//
// In the query, {t.id} is the condition that a row of t is to be read. In a check of everything it is true. In that of an
// organization it names the organization, and in that of some records also their ids. {t} names no id, because an
// organization has few such rows. {t:id} is for a table whose id is the organization. {t.days} are the rows of the days on
// which transactions give back.
type Rule struct{ Says, Query string }

// Group has the rules about one kind of records.
type Group struct {
	Of    models.RecordKind
	Rules []Rule
}

// Groups are all rules whose queries do not depend on the schema of the database, by the records that a nightly check
// reads for them. Three things are read by hand alone. Amounts of all tables (I-12) are held by the types of their columns.
// Versions of content are deleted by no release. Organizations that are archived do not change.
var Groups = []Group{
	{models.RecordTransactions, slices.Concat(OfTransactions, OfLiability, OfReturnLines)},
	{models.RecordReturns, OfReturns},
	{models.RecordOrganization, OfOrganizations},
	// Every night, the recount of nexus compares the same sums and corrects them.
	{models.RecordDays, OfDays},
}

// Rules returns the rules of all groups.
func Rules() (all []Rule) {
	for _, g := range Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// Reach is what a check reads. The zero value is everything.
type Reach struct {
	OrganizationID string
	IDs            []string // of records of one kind; nil for all of the organization
}

// readRow matches the condition that a row is to be read.
var readRow = regexp.MustCompile(`\{(\w+)(?:([.:])(\w+))?\}`)

const (
	ofOrganization = "%s.organization_id = $1"
	ofRecords      = ofOrganization + " AND %[1]s.%s = ANY ($2)"
	ofDays         = ofOrganization + ` AND (%[1]s.country_code, %[1]s.state_code, %[1]s.day) IN (
	  SELECT c.country_code, c.state_code, c.day FROM nexus_contributions c
	   WHERE c.organization_id = $1 AND c.transaction_id = ANY ($2) AND c.sold_on IS NOT NULL)`
)

// in returns the query of a rule and its arguments.
func (r Rule) in(reach Reach) (sql string, args []any) {
	ids := false
	sql = readRow.ReplaceAllStringFunc(r.Query, func(found string) string {
		part := readRow.FindStringSubmatch(found)
		table, column := part[1], part[3]
		switch {
		case reach.OrganizationID == "":
			return "true"
		case part[2] == ":":
			return table + "." + column + " = $1"
		case column == "" || reach.IDs == nil:
			return fmt.Sprintf(ofOrganization, table)
		}
		ids = true
		if column == "days" {
			return fmt.Sprintf(ofDays, table)
		}
		return fmt.Sprintf(ofRecords, table, column)
	})
	if reach.OrganizationID != "" {
		args = append(args, reach.OrganizationID)
	}
	if ids {
		args = append(args, reach.IDs)
	}
	return sql, args
}

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
// minutes for some million transactions. With an organization it reads the records of that one, and not the rule of
// Amounts, which is about tables.
func (s *Store) Check(ctx context.Context, organizationID string) (rules int, found []Violation, err error) {
	return s.CheckTelling(ctx, organizationID, func(int, int) {})
}

// CheckTelling is Check and calls told with the number of rules that were evaluated, and of all.
func (s *Store) CheckTelling(
	ctx context.Context, organizationID string, told func(done, all int),
) (rules int, found []Violation, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		all := Rules()
		if organizationID == "" {
			amounts, err := Amounts(ctx, tx)
			if err != nil {
				return err
			}
			all = append(all, amounts)
		}
		rules = len(all)
		for i, rule := range all {
			records, err := violatingIn(ctx, tx, rule, Reach{OrganizationID: organizationID})
			if err != nil {
				return err
			}
			told(i+1, rules)
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

// Violating returns the records of all organizations that violate a rule.
func Violating(ctx context.Context, tx reader, rule Rule) ([]string, error) {
	return violatingIn(ctx, tx, rule, Reach{})
}

func violatingIn(ctx context.Context, tx reader, rule Rule, reach Reach) ([]string, error) {
	sql, args := rule.in(reach)
	rows, err := tx.Query(ctx, sql, args...)
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
