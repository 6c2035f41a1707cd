package pg

import "context"

// Server is what the server of a database says of itself.
type Server struct {
	Version         string // such as "15.18 (Debian 15.18-0+deb12u1)"
	Major           int
	Database, Login string
	Recovering      bool // it is a standby
	Tablespaces     int  // beside those that every cluster has
	SchemaVersion   int64
}

// Server asks the server what it is. The schema must have a version.
func (db *DB) Server(ctx context.Context) (s Server, err error) {
	err = db.pool.QueryRow(ctx, `
		SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000, current_database(),
		       session_user::text,
		       pg_is_in_recovery(), (SELECT count(*) FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')),
		       (SELECT max(version_id) FROM goose_db_version WHERE is_applied)`).
		Scan(&s.Version, &s.Major, &s.Database, &s.Login, &s.Recovering, &s.Tablespaces, &s.SchemaVersion)
	return s, Translate(err)
}

// Superuser is who made the cluster. The private server of a restored one lets him in.
func (db *DB) Superuser(ctx context.Context) (name string, err error) {
	err = db.QueryRow(ctx, `SELECT rolname::text
		FROM pg_roles
		WHERE rolsuper AND rolcanlogin
		ORDER BY oid LIMIT 1`).Scan(&name)
	return name, Translate(err)
}
