package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// next returns the query for the next records that need a run and meet a condition, in the order of their keys. It
// starts after the key in $1 and $2.
func (w waiting) next(condition string, limit int) string {
	return fmt.Sprintf(`
		  SELECT organization_id, %[2]s AS id FROM %[1]s
		   WHERE (organization_id, %[2]s) > ($1, $2) AND %[3]s AND %[4]s
		   ORDER BY organization_id, %[2]s LIMIT %[5]d`, w.table, w.id, w.open, condition, limit)
}

// compareKeys orders records by their keys.
func compareKeys(a, b models.Ref) int {
	return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ID, b.ID))
}

// scanKey reads the key of a record.
func scanKey(row pgx.CollectableRow) (r models.Ref, err error) {
	err = row.Scan(&r.OrganizationID, &r.ID)
	return r, err
}

// CountOpen counts the records of a kind that need a run, due or idle.
func (s *Store) CountOpen(ctx context.Context, kind string) (n int64, err error) {
	w := waitingOf(kind)
	err = s.db.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", w.table, w.open)).Scan(&n)
	return n, pg.Translate(err)
}

// IdleAfter returns the next records of a kind that need a run and are not due, after the key of after. A sweeper has
// taken them, so they should have a run. Due records get one from the sweeper.
func (s *Store) IdleAfter(ctx context.Context, kind string, after models.Ref, limit int) ([]models.Ref, error) {
	rows, err := s.db.Query(ctx, waitingOf(kind).next("next_check_at > now()", limit), after.OrganizationID, after.ID)
	return pg.Collect(rows, err, scanKey)
}

// SoonestDue returns the records of a kind that its sweeper reaches soonest. A due record stays among them while its
// run does nothing, however often the sweeper takes it.
func (s *Store) SoonestDue(ctx context.Context, kind string, limit int) ([]string, error) {
	w := waitingOf(kind)
	rows, err := s.db.Query(ctx, fmt.Sprintf(
		"SELECT %s FROM %s WHERE %s ORDER BY next_check_at LIMIT $1", w.id, w.table, w.open), limit)
	return pg.Collect(rows, err, pgx.RowTo[string])
}
