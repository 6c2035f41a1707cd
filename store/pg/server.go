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
}

// Server reads the properties of the server. The schema must have a version.
func (db *DB) Server(ctx context.Context) (s Server, err error) {
	err = db.pool.QueryRow(ctx, `
		SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000, current_database(),
		       session_user::text,
		       pg_is_in_recovery(), (SELECT count(*) FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')),
		       (SELECT max(version_id) FROM goose_db_version WHERE is_applied)`).
		Scan(&s.Version, &s.Major, &s.Database, &s.Login, &s.Recovering, &s.Tablespaces, &s.SchemaVersion)
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
