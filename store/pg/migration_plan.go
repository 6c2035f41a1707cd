package pg

import (
	"context"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"levy/store/migrations"
)

// PlannedMigration is a migration that the database does not have yet.
type PlannedMigration struct {
	Version int64           `json:"version"`
	File    string          `json:"file"`
	Kind    migrations.Kind `json:"kind"`
	Tables  []PlannedTable  `json:"tables"` // existing ones that it names, the largest first
}

// PlannedTable is a table with its size. Rows are those of the statistics of the database.
type PlannedTable struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Rows  int64  `json:"rows"`
}

// named matches the tables that a statement changes or reads for an index.
var named = regexp.MustCompile(`(?i)\b(?:ALTER TABLE|UPDATE|INSERT INTO|DELETE FROM|FROM|JOIN|\bON)\s+(?:ONLY\s+|IF EXISTS\s+)?(\w+)`)

const selectSizes = `
	SELECT c.relname, pg_total_relation_size(c.oid), greatest(c.reltuples, 0)::bigint
	  FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
	   AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1) AND c.relname <> 'goose_db_version' ORDER BY 2 DESC, 1`

// MigrationPlan returns the migrations that Migrate would apply, in their order. Errors: migrations.ErrTooOld.
func (db *DB) MigrationPlan(ctx context.Context) (plan []PlannedMigration, err error) {
	files, err := migrations.Files(migrations.FS)
	if err != nil {
		return nil, err
	}
	if err := db.refuseTooOld(ctx); err != nil {
		return nil, err
	}
	var pending []*goose.MigrationStatus
	err = db.compareSchema(func(provider *goose.Provider) (err error) {
		pending, err = provider.Status(ctx)
		pending = slices.DeleteFunc(pending, func(s *goose.MigrationStatus) bool { return s.State != goose.StatePending })
		return err
	})
	if err != nil {
		return nil, err
	}
	plan = make([]PlannedMigration, 0, len(pending))
	for _, s := range pending {
		p := PlannedMigration{Version: s.Source.Version, File: nameOf(s.Source), Kind: migrations.Quick, Tables: []PlannedTable{}}
		i := slices.IndexFunc(files, func(f migrations.File) bool { return f.Version == s.Source.Version })
		if i >= 0 {
			p.Kind = files[i].Kind
			if p.Tables, err = db.sizes(ctx, files[i].Statements); err != nil {
				return nil, err
			}
		}
		plan = append(plan, p)
	}
	return plan, nil
}

func (db *DB) sizes(ctx context.Context, statements []string) ([]PlannedTable, error) {
	names := []string{}
	for _, statement := range statements {
		for _, match := range named.FindAllStringSubmatch(statement, -1) {
			names = append(names, match[1])
		}
	}
	rows, err := db.Query(ctx, selectSizes, names)
	tables, err := Collect(rows, err, pgx.RowToStructByPos[PlannedTable])
	if tables == nil {
		tables = []PlannedTable{}
	}
	return tables, err
}
