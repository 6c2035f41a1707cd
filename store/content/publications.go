package content

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// LastPublication returns the signed bundle that was taken last. Errors: models.ErrNotFound.
func (s *Store) LastPublication(ctx context.Context) (p models.ContentPublication, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT sequence, version, sha256, to_char(published, 'YYYY-MM-DD'), to_char(next_by, 'YYYY-MM-DD'), missed, received_at
		  FROM content_publications ORDER BY id DESC LIMIT 1`).
		Scan(&p.Sequence, &p.Version, &p.SHA256, &p.Published, &p.NextBy, &p.Missed, &p.ReceivedAt)
	return p, pg.Translate(err)
}

// RecordPublication notes that a signed bundle was taken. The bundle that was taken last is not noted again.
func (s *Store) RecordPublication(ctx context.Context, p models.ContentPublication) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO content_publications (sequence, version, sha256, published, next_by, missed)
		SELECT $1, $2, $3, $4::date, $5::date, $6
		 WHERE $3 IS DISTINCT FROM (SELECT sha256 FROM content_publications ORDER BY id DESC LIMIT 1)`,
		p.Sequence, p.Version, p.SHA256, p.Published, p.NextBy, p.Missed)
	return pg.Translate(err)
}
