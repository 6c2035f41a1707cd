package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// OpenBoundaryLoad begins the import of a boundary file, or returns an earlier import of the same file,
// which then continues.
func (s *Store) OpenBoundaryLoad(ctx context.Context, state, file string, sha256 []byte) (models.BoundaryLoad, error) {
	var l models.BoundaryLoad
	err := s.db.QueryRow(ctx, `
		INSERT INTO boundary_loads (state, file, sha256) VALUES ($1, $2, $3)
		ON CONFLICT (state, sha256) DO UPDATE SET file = excluded.file
		RETURNING id, records, complete`, state, file, sha256).Scan(&l.ID, &l.Records, &l.Complete)
	return l, pg.Translate(err)
}

// BoundaryLoadComplete reports whether all records of an import are stored.
func (s *Store) BoundaryLoadComplete(ctx context.Context, load int64) (complete bool, err error) {
	err = s.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM boundary_loads WHERE id = $1 AND complete)`, load).Scan(&complete)
	return complete, pg.Translate(err)
}

// BoundarySets returns the sets of an import by their codes.
func (s *Store) BoundarySets(ctx context.Context, load int64) (map[string]int32, error) {
	rows, err := s.db.Query(ctx, `SELECT set_no, codes FROM boundary_sets WHERE load_id = $1`, load)
	sets := map[string]int32{}
	var no int32
	var codes string
	err = pg.ForEach(rows, err, []any{&no, &codes}, func() error {
		sets[codes] = no
		return nil
	})
	return sets, err
}

// ErrImportRuns means that another process is importing the same file.
var ErrImportRuns = errors.New("the same file is being imported by another process")

// openEnd is the stored day of a record without end.
const openEnd = 99991231

// AppendBoundaries stores the next chunk of an import, all or nothing, and advances the mark from which an interrupted
// import continues. Errors: ErrImportRuns.
func (s *Store) AppendBoundaries(ctx context.Context, l *models.BoundaryLoad, chunk models.BoundaryChunk) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tag, err := s.db.Exec(ctx, `UPDATE boundary_loads
			SET records = records + $3
			WHERE id = $1 AND records = $2 AND NOT complete`,
			l.ID, l.Records, chunk.Records)
		if err != nil {
			return err
		}
		if tag.RowsAffected() != 1 {
			return ErrImportRuns
		}
		for _, table := range tablesOf(l.ID, chunk) {
			if table.rows == 0 {
				continue
			}
			if _, err := s.db.CopyFrom(ctx, pgx.Identifier{table.name}, table.columns,
				pgx.CopyFromSlice(table.rows, table.row)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		l.Records += chunk.Records
	}
	return err
}

// boundaryTable are the rows of a chunk for a table.
type boundaryTable struct {
	name    string
	columns []string
	rows    int
	row     func(int) ([]any, error)
}

func tablesOf(load int64, chunk models.BoundaryChunk) []boundaryTable {
	return []boundaryTable{
		{"boundary_sets", []string{"load_id", "set_no", "codes"}, len(chunk.Sets), func(i int) ([]any, error) {
			return []any{load, chunk.Sets[i].No, chunk.Sets[i].Codes}, nil
		}},
		{"boundary_zips", []string{
			"load_id", "block", "kind", "low", "high", "valid_from", "valid_to", "set_no",
		}, len(chunk.ZIPs), func(i int) ([]any, error) {
			z := &chunk.ZIPs[i]
			return []any{load, zipBlock(z), z.Kind, z.Low, z.High, int32(z.From), endOf(z.To), z.Set}, nil
		}},
		{"boundary_streets", []string{
			"load_id", "low", "high", "valid_from", "valid_to", "set_no", "side", "zip", "name", "kind", "before", "after",
		}, len(chunk.Streets), func(i int) ([]any, error) {
			a := &chunk.Streets[i]
			return []any{load, a.Low, a.High, int32(a.From), endOf(a.To), a.Set, a.Side, a.ZIP,
				a.Street.Name, a.Street.Kind, a.Street.Before, a.Street.After}, nil
		}},
	}
}

// zipBlock returns the ZIP with the common leading digits of both ends of the range.
func zipBlock(z *models.BoundaryZIP) string {
	if z.Kind == 'Z' {
		return z.ZIP
	}
	low, high := fmt.Sprintf("%04d", z.Low), fmt.Sprintf("%04d", z.High)
	n := 0
	for n < len(low) && low[n] == high[n] {
		n++
	}
	return z.ZIP + low[:n]
}

func endOf(d calendar.Date) int32 {
	if d == 0 {
		return openEnd
	}
	return int32(d)
}

// FinishBoundaryLoad marks an import as complete and analyzes its tables.
func (s *Store) FinishBoundaryLoad(ctx context.Context, l *models.BoundaryLoad) error {
	if _, err := s.db.Exec(ctx, `UPDATE boundary_loads SET complete = true WHERE id = $1`, l.ID); err != nil {
		return pg.Translate(err)
	}
	l.Complete = true
	_, err := s.db.Exec(ctx, `ANALYZE boundary_zips, boundary_streets, boundary_sets`)
	return pg.Translate(err)
}
