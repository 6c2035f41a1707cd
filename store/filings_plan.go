package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// insertPlanned writes planned filings of whichever registrations. One that ever was
// there for the period, whatever became of it, is not made again; one that is open or
// filed stands for all its days. A cancelled or skipped one of other days does not:
// after a change of frequency its days belong to another period.
var insertPlanned = insertFrom("filings", allFilingColumns) + `
	 WHERE NOT EXISTS (
	   SELECT 1 FROM filings g
	    WHERE g.organization_id = u.organization_id AND g.registration_id = u.registration_id AND g.filing_category = u.filing_category
	      AND g.start_date <= u.end_date::date AND g.end_date >= u.start_date::date
	      AND (g.status NOT IN ('SKIPPED', 'CANCELLED') OR g.start_date = u.start_date::date AND g.end_date = u.end_date::date) OFFSET 0)
	ON CONFLICT DO NOTHING RETURNING id`

// InsertPlannedFilings writes the filings that do not exist yet, all in one statement,
// and returns their ids. It crosses organizations, and can be repeated at will.
func (s *Store) InsertPlannedFilings(ctx context.Context, filings []models.Filing) ([]string, error) {
	if len(filings) == 0 {
		return nil, nil
	}
	now := s.db.NowFunc()
	rows := make([]*models.Filing, len(filings))
	for i := range filings {
		f := filings[i]
		f.Status, f.Planned, f.CreatedAt, f.UpdatedAt, f.NextCheckAt = models.FilingUnfiled, true, now, now, &now
		rows[i] = &f
	}
	answer, err := s.pool.Query(ctx, insertPlanned, textArrays(allFilingColumns, rows)...)
	if err != nil {
		return nil, translate(err)
	}
	ids, err := pgx.CollectRows(answer, pgx.RowTo[string])
	return ids, translate(err)
}
