package integrity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// ErrOtherInstallation means that a file with wrapped keys does not belong to the database.
var ErrOtherInstallation = errors.New("the wrapped keys are those of another installation")

// KeysReader reads a file with the wrapped keys. It returns errors of see unchanged.
type KeysReader interface {
	ID() string
	BeganAt() time.Time
	EachKey(see func(secret.StoredKey) error) error
	EachErased(see func(id string) error) error
}

// RestoreKeys writes the wrapped keys of a file to a restored database that is not in use yet. They replace the
// existing keys. A key that the file lacks was destroyed since, if it is older than the file and the database does not know the
// file. It is destroyed again with the data that it sealed. Otherwise such a key is newer and remains.
// The whole is one database transaction, and may be repeated. Errors: ErrOtherInstallation.
func (s *Store) RestoreKeys(
	ctx context.Context, staff models.Actor, from KeysReader, place string,
) (done models.RestoredKeys, err error) {
	ctx = models.AcrossOrganizations(ctx)
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.db.Exec(ctx, "SELECT set_config('statement_timeout', '0', true)"); err != nil {
			return err
		}
		if err := s.stageKeys(ctx, from); err != nil {
			return err
		}
		known, err := s.KnowsKeys(ctx, from.ID())
		if err != nil {
			return err
		}
		places, err := s.keyPlaces(ctx)
		if err != nil {
			return err
		}
		for _, p := range places {
			replaced, err := s.db.Exec(ctx, fmt.Sprintf(`UPDATE %s t SET master_key_id = r.master_key_id, wrapped = r.wrapped
				FROM restored_keys r WHERE t.wrapped IS NOT NULL AND r.made_at = t.created_at AND %s`, p.table, p.same()))
			if err != nil {
				return pg.Translate(err)
			}
			done.Replaced += replaced.RowsAffected()
			if err := s.handleMissing(ctx, p, known, from.BeganAt(), &done); err != nil {
				return err
			}
		}
		if err := s.erasedSince(ctx, from, &done); err != nil {
			return err
		}
		return s.auditKeys(ctx, staff, models.AuditRestoreKeys,
			models.SavedKeys{ID: from.ID(), Place: place, Keys: done.Replaced})
	})
	return done, err
}

// InUse reports whether processes of Levy were connected to the database before the session that asks. Only a superuser sees when
// the sessions of other logins began, so each of those counts.
func (s *Store) InUse(ctx context.Context) (is bool, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), `
		SELECT EXISTS (SELECT FROM pg_stat_activity a JOIN pg_stat_activity own ON own.pid = pg_backend_pid()
		   WHERE a.datname = current_database() AND a.application_name IN ('levy', 'levy-listens')
		     AND (a.usename IS DISTINCT FROM session_user OR a.backend_start < own.backend_start))`).Scan(&is)
	return is, pg.Translate(err)
}

// MayRestoreKeys reports whether the login may make the temporary table of RestoreKeys and write all tables with keys.
func (s *Store) MayRestoreKeys(ctx context.Context) (may bool, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), `
		SELECT has_database_privilege(current_database(), 'TEMPORARY') AND has_table_privilege('data_keys', 'UPDATE, DELETE')`).
		Scan(&may)
	return may, pg.Translate(err)
}

// same returns the condition that a key of the file belongs to the row t.
func (p keyPlace) same() string {
	return fmt.Sprintf("r.kind = '%s' AND r.organization_id = %s AND r.record_id = %s", p.kind, p.organization, p.record)
}

// stageKeys copies the keys of the file into a table that ends with the database transaction.
func (s *Store) stageKeys(ctx context.Context, from KeysReader) error {
	_, err := s.db.Exec(ctx,
		`CREATE TEMPORARY TABLE restored_keys (kind text, organization_id text, record_id text, master_key_id text,
		wrapped bytea, made_at timestamptz, PRIMARY KEY (kind, organization_id, record_id)) ON COMMIT DROP`)
	if err != nil {
		return pg.Translate(err)
	}
	var batch [][]any
	flush := func() error {
		_, err := s.db.CopyFrom(ctx, pgx.Identifier{"restored_keys"},
			[]string{"kind", "organization_id", "record_id", "master_key_id", "wrapped", "made_at"}, pgx.CopyFromRows(batch))
		batch = batch[:0]
		return pg.Translate(err)
	}
	err = from.EachKey(func(k secret.StoredKey) error {
		batch = append(batch, []any{string(k.Kind), k.OrganizationID, k.RecordID, k.MasterKeyID, k.Wrapped, k.MadeAt})
		if len(batch) < stageBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// stageBatch is how many keys are copied at a time.
const stageBatch = 1000

// keyPlaces returns the tables with wrapped keys in the database. A backup of an earlier release has fewer.
func (s *Store) keyPlaces(ctx context.Context) (places []keyPlace, err error) {
	rows, err := s.db.Query(ctx, `SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'wrapped'`)
	there, err := pg.Collect(rows, err, pgx.RowTo[string])
	for _, p := range keyPlaces {
		if slices.Contains(there, p.table) {
			places = append(places, p)
		}
	}
	return places, err
}

// handleMissing destroys or counts the keys of the database that the file lacks, which began at that time.
func (s *Store) handleMissing(ctx context.Context, p keyPlace, known bool, began time.Time, done *models.RestoredKeys) (err error) {
	condition := fmt.Sprintf(`t.wrapped IS NOT NULL
		  AND NOT EXISTS (SELECT FROM restored_keys r WHERE r.made_at = t.created_at AND %s)`, p.same())
	older := "(t.created_at < '" + began.UTC().Format(time.RFC3339Nano) + "')"
	// guard: saved keys: what came after the file stays
	if known {
		older = "false"
	}
	if p.kind != secret.KeyOfInstallation {
		var newer int64
		err := s.db.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s t WHERE %s AND NOT %s", p.table, condition, older)).Scan(&newer)
		if err != nil {
			return pg.Translate(err)
		}
		done.Newer += newer
	}
	ended := condition + " AND " + older
	switch p.kind {
	case secret.KeyOfInstallation: // these keys are never destroyed
		lacks, err := s.ids(ctx, fmt.Sprintf("SELECT %s::text FROM %s t WHERE %s", p.record, p.table, condition))
		if err == nil && len(lacks) > 0 {
			err = ErrOtherInstallation
		}
		return err
	case secret.KeyOfOrganization:
		done.Destroyed, err = s.ids(ctx, `WITH gone AS (DELETE FROM data_keys t
			   WHERE `+ended+` RETURNING organization_id),
			sealed AS (DELETE FROM personal_data d USING gone g WHERE d.organization_id = g.organization_id)
			SELECT organization_id::text FROM gone ORDER BY 1`)
	case secret.KeyOfDocument:
		done.Documents, err = s.deleteDocuments(ctx, ended)
	case secret.KeyOfSecondFactor:
		done.Removed, err = s.ids(ctx,
			`DELETE FROM second_factors t WHERE `+older+` AND NOT EXISTS (SELECT FROM restored_keys r WHERE `+p.same()+`)
			 RETURNING user_id::text`)
		// A person with another second factor by now must not sign in with the password alone. So only the factor that this
		// key sealed is deleted.
		if err == nil {
			done.Factors, err = s.ids(ctx, `UPDATE second_factors t
				SET master_key_id = r.master_key_id, wrapped = r.wrapped, created_at = r.made_at
				FROM restored_keys r WHERE `+older+` AND r.made_at <> t.created_at AND `+p.same()+` RETURNING t.user_id::text`)
		}
	}
	return err
}

// deleteDocuments deletes documents again, and returns their names. It needs two statements, because triggers count the
// stored bytes.
func (s *Store) deleteDocuments(ctx context.Context, condition string) ([]string, error) {
	_, err := s.db.Exec(ctx, `DELETE FROM exemption_attachment_pieces p USING exemption_attachments t
		WHERE p.organization_id = t.organization_id AND p.attachment_id = t.id AND `+condition)
	if err != nil {
		return nil, pg.Translate(err)
	}
	return s.ids(ctx, `DELETE FROM exemption_attachments t WHERE `+condition+` RETURNING organization_id || ' ' || id`)
}

var erasedThatExist = pg.Prepare(`
	WITH erased AS (SELECT * FROM {erased})
	SELECT e.id FROM erased e
	  LEFT JOIN organizations o ON o.id = e.id
	 WHERE NOT EXISTS (SELECT FROM audit a WHERE a.action = @erase AND a.entity_id = e.id)
	   AND e.id IN (SELECT id FROM organizations UNION ALL SELECT id FROM users
	                UNION ALL SELECT id FROM customers WHERE id IN (SELECT id FROM erased))
	 ORDER BY o.id IS NOT NULL AND o.parent_organization_id IS NULL, e.n`, pg.Names{"erase"}, erasedRows)

// erasedRows are the ids in the order in which they were erased.
var erasedRows = pg.RowsOf("erased", pg.Col("id", "text", func(id *string) *string { return id })).Numbered("n")

// erasedSince finds the records of the file that were erased after the restored state, and exist in it.
func (s *Store) erasedSince(ctx context.Context, from KeysReader, done *models.RestoredKeys) error {
	var all []string
	if err := from.EachErased(func(id string) error { all = append(all, id); return nil }); err != nil {
		return err
	}
	ids, err := s.ids(ctx, erasedThatExist.SQL, erasedThatExist.Values([]any{models.AuditErase}, erasedRows.Of(all))...)
	done.Erased = ids
	return err
}

func (s *Store) ids(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.db.Query(ctx, query, args...)
	return pg.Collect(rows, err, pgx.RowTo[string])
}
