package content

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const sourceColumns = `state, rates_url, boundaries_url, policy, rates, boundaries, coalesce(load_id, 0), status, said,
	checked_at, failing_since, failure, `

func scanSource(row pgx.CollectableRow) (s models.PublishedSource, err error) {
	err = row.Scan(&s.State, &s.RatesURL, &s.BoundariesURL, &s.Policy, &s.Rates, &s.Boundaries, &s.Load, &s.Status, &s.Said,
		&s.CheckedAt, &s.FailingSince, &s.Failure, &s.RateFile)
	return s, err
}

// Sources returns where states publish their files, by state, without the texts of the rate files.
func (s *Store) Sources(ctx context.Context) ([]models.PublishedSource, error) {
	rows, err := s.db.Query(ctx, `SELECT `+sourceColumns+`NULL::bytea FROM content_sources ORDER BY state`)
	return pg.Collect(rows, err, scanSource)
}

// Source returns the source of a state. Errors: models.ErrNotFound.
func (s *Store) Source(ctx context.Context, state string) (models.PublishedSource, error) {
	rows, err := s.db.Query(ctx, `SELECT `+sourceColumns+`rate_file FROM content_sources WHERE state = $1`, state)
	found, err := pg.Collect(rows, err, scanSource)
	if err == nil && len(found) == 0 {
		return models.PublishedSource{}, models.ErrNotFound
	}
	if err != nil {
		return models.PublishedSource{}, err
	}
	return found[0], nil
}

// SetSource sets the addresses and the policy of a state. A pair that waits stays, and other addresses are asked anew.
func (s *Store) SetSource(ctx context.Context, source models.PublishedSource) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO content_sources AS c (state, rates_url, boundaries_url, policy, status, said)
		VALUES ($1, $2, $3, $4, 'NEW', '')
		ON CONFLICT (state) DO UPDATE SET rates_url = excluded.rates_url, boundaries_url = excluded.boundaries_url,
		       policy = excluded.policy, failing_since = NULL, failure = '',
		       rates = CASE WHEN c.rates_url = excluded.rates_url THEN c.rates ELSE c.rates - '{etag,last_modified}'::text[] END,
		       boundaries = CASE WHEN c.boundaries_url = excluded.boundaries_url THEN c.boundaries
		         ELSE c.boundaries - '{etag,last_modified}'::text[] END`,
		source.State, source.RatesURL, source.BoundariesURL, source.Policy)
	return pg.Translate(err)
}

// RemoveSource forgets the addresses of a state. Content that came from them stays. Errors: models.ErrNotFound.
func (s *Store) RemoveSource(ctx context.Context, state string) error {
	tag, err := s.db.Exec(ctx, `DELETE FROM content_sources WHERE state = $1`, state)
	if err == nil && tag.RowsAffected() == 0 {
		return models.ErrNotFound
	}
	return pg.Translate(err)
}

// SourceFailed notes that the files of a state could not be fetched. The last pair stays.
func (s *Store) SourceFailed(ctx context.Context, state, failure string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE content_sources SET checked_at = now(), failing_since = coalesce(failing_since, now()), failure = $2
		 WHERE state = $1`, state, failure)
	return pg.Translate(err)
}

// SourceUnchanged notes that both files of a state are those that were taken last.
func (s *Store) SourceUnchanged(ctx context.Context, state string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE content_sources SET checked_at = now(), failing_since = NULL, failure = '' WHERE state = $1`, state)
	return pg.Translate(err)
}

// SourceRefused notes that the files that a state publishes are not in order. The last pair stays.
func (s *Store) SourceRefused(ctx context.Context, state, said string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE content_sources SET checked_at = now(), failing_since = NULL, failure = '', status = 'REFUSED', said = $2
		 WHERE state = $1`, state, said)
	return pg.Translate(err)
}

// SaveSource keeps a pair of files with what became of it.
func (s *Store) SaveSource(ctx context.Context, source models.PublishedSource) error {
	rates, err := json.Marshal(source.Rates)
	if err != nil {
		return err
	}
	boundaries, err := json.Marshal(source.Boundaries)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, `
		UPDATE content_sources SET checked_at = now(), failing_since = NULL, failure = '', status = $2, said = $3, rates = $4,
		       boundaries = $5, rate_file = $6, load_id = $7
		 WHERE state = $1`,
		source.State, source.Status, source.Said, rates, boundaries, source.RateFile, source.Load)
	return pg.Translate(err)
}

// ActivateContentOn activates a recorded version if base is still in force, so that it undoes nothing. Errors:
// models.ErrContentChanged.
func (s *Store) ActivateContentOn(ctx context.Context, base, version, reason string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		// Two activations on the same base would both find it in force.
		if _, err := s.db.Exec(ctx, "LOCK TABLE content_activations IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		inForce, err := s.ActiveContent(ctx)
		if err != nil {
			return err
		}
		// guard: content: a version that came into force in between is not undone
		if inForce != base {
			return models.ErrContentChanged
		}
		return s.ActivateContent(ctx, version, reason)
	})
}
