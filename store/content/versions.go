package content

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// RecordContent stores a version of tax content. It does not change an existing version. created reports whether it is
// new.
func (s *Store) RecordContent(ctx context.Context, v models.ContentVersion, pack []byte) (created bool, err error) {
	sources, err := json.Marshal(v.Sources)
	if err != nil {
		return false, err
	}
	tag, err := s.db.Exec(ctx, `
		INSERT INTO content_versions (version, base_version, pack, note, sources)
		  VALUES ($1, nullif($2, ''), $3, $4, $5)
		ON CONFLICT (version) DO NOTHING`, v.Version, v.Base, pack, v.Note, sources)
	return tag.RowsAffected() == 1, pg.Translate(err)
}

// InstallContent records the content of a program. It activates new content unless the content in force is newer or was
// imported, because an update must not replace the import of an operator. Then the nexus of all organizations is
// evaluated again.
func (s *Store) InstallContent(ctx context.Context, version string, pack []byte) error {
	activated, err := s.db.Exec(ctx, `
		WITH recorded AS (
		  INSERT INTO content_versions (version, pack, note, sources) VALUES ($1, $2, 'Came with the program.', '[]')
		  ON CONFLICT (version) DO NOTHING RETURNING version)
		INSERT INTO content_activations (version, reason)
		SELECT version, 'Came with the program.' FROM recorded
		 WHERE NOT EXISTS (
		   SELECT FROM content_versions v
		    WHERE v.version = (SELECT a.version FROM content_activations a ORDER BY id DESC LIMIT 1)
		      AND (v.base_version IS NOT NULL
		           OR CASE WHEN v.version ~ $3 AND $1 ~ $3
		              THEN string_to_array(v.version, '.')::int[] > string_to_array($1, '.')::int[] END))`,
		version, pack, numberedVersion)
	if err != nil || activated.RowsAffected() == 0 {
		return pg.Translate(err)
	}
	return s.nexus.AllOrganizationsChanged(ctx)
}

// numberedVersion is the form of versions that can be compared, as a regular expression of PostgreSQL.
const numberedVersion = `^[0-9]{1,9}(\.[0-9]{1,9})*$`

// ActivateContent activates a recorded version. For the version in force it adds no entry. Errors: models.ErrNotFound.
func (s *Store) ActivateContent(ctx context.Context, version, reason string) error {
	var known bool
	err := s.db.QueryRow(ctx, `
		WITH wanted AS (SELECT version FROM content_versions WHERE version = $1), entered AS (
		  INSERT INTO content_activations (version, reason)
		  SELECT version, $2 FROM wanted
		   WHERE version IS DISTINCT FROM (SELECT version FROM content_activations ORDER BY id DESC LIMIT 1))
		SELECT EXISTS (SELECT FROM wanted)`, version, reason).Scan(&known)
	if err == nil && !known {
		return models.ErrNotFound
	}
	if err != nil {
		return pg.Translate(err)
	}
	return s.nexus.AllOrganizationsChanged(ctx)
}

// ActiveContent returns the name of the version in force; "" if none was ever activated.
func (s *Store) ActiveContent(ctx context.Context) (string, error) {
	return s.versionName(ctx, `SELECT version FROM content_activations ORDER BY id DESC LIMIT 1`)
}

// ContentAge returns the version in force and the time since it was recorded here by a release of Levy,
// an import or a bundle. The version is "" if none was ever activated.
func (s *Store) ContentAge(ctx context.Context) (version string, age time.Duration, err error) {
	var seconds int64
	err = s.db.QueryRow(ctx, `
		SELECT v.version, greatest(0, extract(epoch FROM now() - v.recorded_at)::bigint)
		  FROM content_versions v
		 WHERE v.version = (SELECT version FROM content_activations ORDER BY id DESC LIMIT 1)`).Scan(&version, &seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", 0, nil
	}
	return version, time.Duration(seconds) * time.Second, pg.Translate(err)
}

// PreviousContent returns the version that was in force before the current one; "" if there was none.
// A second rollback goes back another version.
func (s *Store) PreviousContent(ctx context.Context) (string, error) {
	return s.versionName(ctx, `
		WITH active AS (SELECT version FROM content_activations ORDER BY id DESC LIMIT 1),
		first AS (SELECT min(id) AS id FROM content_activations WHERE version = (SELECT version FROM active))
		SELECT version FROM content_activations WHERE id < (SELECT id FROM first) ORDER BY id DESC LIMIT 1`)
}

// DraftContent returns the version that the next import builds on: the newest one since the last activation,
// else the one in force.
func (s *Store) DraftContent(ctx context.Context) (string, error) {
	return s.versionName(ctx, `
		WITH active AS (SELECT version, activated_at FROM content_activations ORDER BY id DESC LIMIT 1)
		(SELECT v.version FROM content_versions v, active a WHERE v.recorded_at > a.activated_at
		  ORDER BY v.recorded_at DESC LIMIT 1)
		UNION ALL (SELECT version FROM active) LIMIT 1`)
}

func (s *Store) versionName(ctx context.Context, query string) (string, error) {
	var version string
	err := s.db.QueryRow(ctx, query).Scan(&version)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return version, pg.Translate(err)
}

// ContentPack returns the tables of a version. Errors: models.ErrNotFound.
func (s *Store) ContentPack(ctx context.Context, version string) ([]byte, error) {
	var pack []byte
	err := s.db.QueryRow(ctx, `SELECT pack FROM content_versions WHERE version = $1`, version).Scan(&pack)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.ErrNotFound
	}
	return pack, pg.Translate(err)
}

// ListContent returns the recorded versions, the oldest first, without their tables.
func (s *Store) ListContent(ctx context.Context) ([]models.ContentVersion, error) {
	rows, err := s.db.Query(ctx, `
		SELECT v.version, coalesce(v.base_version, ''), v.note, v.sources, v.recorded_at, a.activated_at,
		       v.version IS NOT DISTINCT FROM (SELECT version FROM content_activations ORDER BY id DESC LIMIT 1)
		  FROM content_versions v
		  LEFT JOIN LATERAL (SELECT max(activated_at) AS activated_at FROM content_activations x
		    WHERE x.version = v.version) a ON true
		 ORDER BY v.recorded_at, v.version`)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (v models.ContentVersion, err error) {
		err = row.Scan(&v.Version, &v.Base, &v.Note, &v.Sources, &v.RecordedAt, &v.ActivatedAt, &v.Active)
		return v, err
	})
}
