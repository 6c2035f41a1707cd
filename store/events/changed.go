package events

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// ChangedRecords returns the transactions and returns of the next events of an organization after a number. It reads at
// most limit events, and returns the number up to which they reach. No event up to that number can appear later. all
// reports that there are no more.
func (s *Store) ChangedRecords(
	ctx context.Context, organizationID string, after int64, limit int,
) (changed models.ChangedRecords, through int64, all bool, err error) {
	horizon, err := s.Horizon(ctx)
	if err != nil || horizon <= after {
		return changed, after, true, err
	}
	rows, err := s.db.Query(ctx, `
		SELECT sequence, object_id, type LIKE 'filing.%' FROM events
		 WHERE organization_id = $1 AND sequence > $2 AND sequence <= $3 AND created_at >= now() - $5::interval
		   AND (type LIKE 'transaction.%' OR type LIKE 'credit_note.%' OR type LIKE 'filing.%')
		 ORDER BY sequence LIMIT $4`, organizationID, after, horizon, limit, models.EventsKept)
	seen := map[string]bool{}
	var id string
	var filing bool
	n := 0
	err = pg.ForEach(rows, err, []any{&through, &id, &filing}, func() error {
		n++
		if seen[id] {
			return nil
		}
		seen[id] = true
		if filing {
			changed.Returns = append(changed.Returns, id)
		} else {
			changed.Transactions = append(changed.Transactions, id)
		}
		return nil
	})
	if n < limit {
		return changed, horizon, true, err
	}
	return changed, through, false, err
}
