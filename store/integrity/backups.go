package integrity

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

var insertBackup = pg.Prepare(`
	INSERT INTO backups (kind, began_at, ended_at, place, end_lsn, bytes, schema_version, content_version, compared, verified)
	VALUES (@kind, @began_at, @ended_at, @place, @end_lsn, @bytes, @schema_version, @content_version, @compared, @verified)
	RETURNING id::text`, pg.Names{"kind", "began_at", "ended_at", "place", "end_lsn", "bytes", "schema_version", "content_version",
	"compared", "verified"})

// NoteBackup records a backup. It ends the alarm of missing backups, so the audit trail says who noted one of another
// program.
func (s *Store) NoteBackup(ctx context.Context, staff models.Actor, b models.Backup) error {
	return s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		var id string
		err := s.db.QueryRow(ctx, insertBackup.SQL, insertBackup.Values([]any{
			b.Kind, b.BeganAt, b.EndedAt, b.Place, b.EndLSN, b.Bytes, b.SchemaVersion, b.ContentVersion, b.Compared, b.Verified,
		})...).Scan(&id)
		if err != nil || b.Kind == models.BackupOfLevy {
			return pg.Translate(err)
		}
		scope := models.Scope{OrganizationID: models.InstallationAudit}
		entry := staff.Entry(scope, models.AuditCreate, "backup", id).With(map[string]any{
			"kind": b.Kind, "at": b.BeganAt.UTC(), "place": b.Place, "compared": b.Compared, "verified": b.Verified,
		})
		return pg.Translate(pg.Audit(s.db.GORM(ctx), entry))
	})
}

// HasBackup reports whether a backup was noted, by the time at which it began and its end in the WAL. The time is kept to the
// microsecond.
func (s *Store) HasBackup(ctx context.Context, beganAt time.Time, endLSN string) (has bool, err error) {
	err = s.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM backups WHERE end_lsn = $2
		AND began_at BETWEEN $1::timestamptz - interval '1 ms' AND $1::timestamptz + interval '1 ms')`, beganAt, endLSN).Scan(&has)
	return has, pg.Translate(err)
}

// Backups returns the last backup with its age, and the state of the replication slot for the WAL.
func (s *Store) Backups(ctx context.Context, slot string) (models.Backups, error) {
	var all models.Backups
	var last models.Backup
	var microseconds int64
	err := s.db.QueryRow(ctx, `
		SELECT kind, began_at, ended_at, place, end_lsn, bytes, schema_version, content_version, compared, verified,
		       (extract(epoch FROM greatest(now() - began_at, interval '0')) * 1000000)::bigint
		  FROM backups ORDER BY began_at DESC, id DESC LIMIT 1`).
		Scan(&last.Kind, &last.BeganAt, &last.EndedAt, &last.Place, &last.EndLSN, &last.Bytes, &last.SchemaVersion,
			&last.ContentVersion, &last.Compared, &last.Verified, &microseconds)
	switch {
	case err == nil:
		all.Last, all.Age = &last, time.Duration(microseconds)*time.Microsecond
	case !errors.Is(err, pgx.ErrNoRows):
		return all, pg.Translate(err)
	}
	err = s.db.QueryRow(ctx, `
		SELECT on_now AND archived_count > 0,
		       on_now AND coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
		  FROM pg_stat_archiver,
		       (SELECT current_setting('archive_mode') <> 'off' AND (current_setting('archive_command') <> ''
		               OR coalesce(current_setting('archive_library', true), '') <> '') AS on_now) settings`).
		Scan(&all.Archives, &all.ArchiveFails)
	if err != nil {
		return all, pg.Translate(err)
	}
	// A standby does not write the WAL of the slot.
	err = s.db.QueryRow(ctx, `
		SELECT active, CASE WHEN pg_is_in_recovery() THEN 0
		                    ELSE greatest(0, pg_current_wal_lsn() - coalesce(restart_lsn, pg_current_wal_lsn())) END::bigint
		  FROM pg_replication_slots WHERE slot_name = $1`, slot).Scan(&all.Takes, &all.Behind)
	if errors.Is(err, pgx.ErrNoRows) {
		return all, nil
	}
	all.KeepsWAL = err == nil
	return all, pg.Translate(err)
}
