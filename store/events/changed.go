package events

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// ChangedTransactions returns the transactions of the next events of an organization after a number. It reads at most
// limit events, and returns the number up to which they reach. No event up to that number can appear later. all reports
// that there are no more.
func (s *Store) ChangedTransactions(
	ctx context.Context, organizationID string, after int64, limit int,
) (ids []string, through int64, all bool, err error) {
	horizon, err := s.Horizon(ctx)
	if err != nil || horizon <= after {
		return nil, after, true, err
	}
	rows, err := s.db.Query(ctx, `
		SELECT sequence, object_id FROM events
		 WHERE organization_id = $1 AND sequence > $2 AND sequence <= $3 AND created_at >= now() - $5::interval
		   AND (type LIKE 'transaction.%' OR type LIKE 'credit_note.%')
		 ORDER BY sequence LIMIT $4`, organizationID, after, horizon, limit, models.EventsKept)
	seen := map[string]bool{}
	var id string
	n := 0
	err = pg.ForEach(rows, err, []any{&through, &id}, func() error {
		if n++; !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
		return nil
	})
	if n < limit {
		return ids, horizon, true, err
	}
	return ids, through, false, err
}
