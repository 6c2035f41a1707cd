package integrity

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// NoteBackup records a backup.
func (s *Store) NoteBackup(ctx context.Context, b models.Backup) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO backups (began_at, ended_at, place, end_lsn, bytes, schema_version, content_version, verified)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		b.BeganAt, b.EndedAt, b.Place, b.EndLSN, b.Bytes, b.SchemaVersion, b.ContentVersion, b.Verified)
	return pg.Translate(err)
}

// Backups returns the last backup with its age, and the state of the replication slot for the WAL.
func (s *Store) Backups(ctx context.Context, slot string) (models.Backups, error) {
	var all models.Backups
	var last models.Backup
	var microseconds int64
	err := s.db.QueryRow(ctx, `
		SELECT began_at, ended_at, place, end_lsn, bytes, schema_version, content_version, verified,
		       (extract(epoch FROM greatest(now() - began_at, interval '0')) * 1000000)::bigint
		  FROM backups ORDER BY began_at DESC, id DESC LIMIT 1`).Scan(&last.BeganAt, &last.EndedAt, &last.Place, &last.EndLSN,
		&last.Bytes, &last.SchemaVersion, &last.ContentVersion, &last.Verified, &microseconds)
	switch {
	case err == nil:
		all.Last, all.Age = &last, time.Duration(microseconds)*time.Microsecond
	case !errors.Is(err, pgx.ErrNoRows):
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
