package engine

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// CountOpen counts the records of a kind that need a run, whether they are due or idle.
func (s *Store) CountOpen(ctx context.Context, kind string) (n int64, err error) {
	w := waitingOf(kind)
	err = s.db.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", w.table, w.open)).Scan(&n)
	return n, pg.Translate(err)
}

// SoonestDue are some of those whose sweeper comes to them soonest. While its run does nothing, what is due stays
// among them, however often a sweeper takes it.
func (s *Store) SoonestDue(ctx context.Context, kind string, limit int) ([]string, error) {
	w := waitingOf(kind)
	rows, err := s.db.Query(ctx, fmt.Sprintf(
		"SELECT %s FROM %s WHERE %s ORDER BY next_check_at LIMIT $1", w.id, w.table, w.open), limit)
	return pg.Collect(rows, err, pgx.RowTo[string])
}

// IdleAfter are some of those that a sweeper has taken and that are not due again, in the order of
// their keys, behind the one that is given: they have a run. What is due is given one anyway.
func (s *Store) IdleAfter(ctx context.Context, kind string, after models.Ref, limit int) ([]models.Ref, error) {
	w := waitingOf(kind)
	rows, err := s.db.Query(ctx, fmt.Sprintf(`
		SELECT organization_id, %[2]s FROM %[1]s
		 WHERE (organization_id, %[2]s) > ($1, $2) AND %[3]s AND next_check_at > now()
		 ORDER BY organization_id, %[2]s LIMIT $3`, w.table, w.id, w.open),
		after.OrganizationID, after.ID, limit)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (r models.Ref, err error) {
		err = row.Scan(&r.OrganizationID, &r.ID)
		return r, err
	})
}
