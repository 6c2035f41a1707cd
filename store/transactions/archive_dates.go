package transactions

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// archivePage is how many transactions one database transaction archives.
const archivePage = 500

const selectForArchive = `
	SELECT t.id, t.date FROM transactions t
	 WHERE t.organization_id = $1 AND t.date >= $2 AND t.date < $3 AND (t.date, t.id) > ($4, $5)
	   AND t.status <> 'ARCHIVED'
	 ORDER BY t.date, t.id LIMIT $6`

// ArchiveByDate archives the transactions of a period as ArchiveTransactions does, the oldest first, one page for each
// database transaction. It calls each with every result. next is the last id if there may be more.
// Errors: *models.ReferencesNotFoundError for an unknown p.After.
func (s *Store) ArchiveByDate(ctx context.Context, scope models.Scope, actor models.Actor, p models.ArchivePeriod,
	each func(id string, result error),
) (next string, err error) {
	after, at := p.After, p.From
	if after != "" {
		if at, err = s.dateOf(ctx, scope, after); err != nil {
			return "", err
		}
	}
	for taken := 0; taken < p.Limit; {
		size := min(archivePage, p.Limit-taken)
		rows, err := s.db.OpenTables().Query(ctx, selectForArchive, scope.OrganizationID, p.From, p.To, at, after, size)
		ids := make([]string, 0, size)
		err = pg.ForEach(rows, err, []any{&after, &at}, func() error {
			ids = append(ids, after)
			return nil
		})
		if err != nil {
			return "", err
		}
		if len(ids) == 0 {
			return "", nil
		}
		results, err := s.ArchiveTransactions(ctx, scope, actor, ids)
		if err != nil {
			return "", err
		}
		for i, id := range ids {
			each(id, results[i])
		}
		if taken += len(ids); len(ids) < size {
			return "", nil
		}
	}
	return after, nil
}

// dateOf returns the date of the transaction after which the page begins. Errors: *models.ReferencesNotFoundError.
func (s *Store) dateOf(ctx context.Context, scope models.Scope, after string) (at time.Time, err error) {
	err = s.db.OpenTables().QueryRow(ctx, "SELECT date FROM transactions WHERE organization_id = $1 AND id = $2",
		scope.OrganizationID, after).Scan(&at)
	if errors.Is(err, pgx.ErrNoRows) {
		return at, &models.ReferencesNotFoundError{
			Faults: []models.Fault{{
				Code: models.FieldNotFound, Path: "after", Message: "No such transaction exists.",
			}},
		}
	}
	return at, pg.Translate(err)
}
