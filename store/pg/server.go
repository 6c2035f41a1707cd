package pg

import "context"

// Server is what the server of a database reports about itself.
type Server struct {
	Version         string // such as "15.18 (Debian 15.18-0+deb12u1)"
	Major           int
	Database, Login string
	Recovering      bool // the server is a standby
	Tablespaces     int  // without those of every cluster
	SchemaVersion   int64
	WALSegment      int64 // bytes of a segment of the WAL
	SummarizesWAL   bool  // it can tell what has changed since a backup: PostgreSQL 17 with summarize_wal
	Bytes           int64 // of the databases that the login may see: about as much as a backup has
}

// Server reads the properties of the server. The schema must have a version.
func (db *DB) Server(ctx context.Context) (s Server, err error) {
	err = db.pool.QueryRow(ctx, `
		SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000, current_database(),
		       session_user::text,
		       pg_is_in_recovery(), (SELECT count(*) FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')),
		       (SELECT max(version_id) FROM goose_db_version WHERE is_applied), pg_size_bytes(current_setting('wal_segment_size')),
		       coalesce(current_setting('summarize_wal', true) = 'on', false),
		       (SELECT sum(pg_database_size(oid)) FROM pg_database WHERE has_database_privilege(oid, 'CONNECT'))::bigint`).
		Scan(&s.Version, &s.Major, &s.Database, &s.Login, &s.Recovering, &s.Tablespaces, &s.SchemaVersion, &s.WALSegment,
			&s.SummarizesWAL, &s.Bytes)
	return s, Translate(err)
}

// Superuser returns the login that created the cluster. The private server of a restored cluster accepts it.
func (db *DB) Superuser(ctx context.Context) (name string, err error) {
	err = db.QueryRow(ctx, `SELECT rolname::text
		FROM pg_roles
		WHERE rolsuper AND rolcanlogin
		ORDER BY oid LIMIT 1`).Scan(&name)
	return name, Translate(err)
}
