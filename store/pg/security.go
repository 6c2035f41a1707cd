package pg

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Row-level security is a second safeguard for some tables; see the migration that closes them. If a statement does not
// name the organization of its records, it gets no records of other organizations. Each connection takes a role to
// which the policies apply. The role of workers sees all rows. That of the API sees the rows of the organizations in a
// setting.
//
// A statement is sent together with the reach of its context, in one round trip and one database transaction.
// The setting ends with that transaction, so a connection never keeps it. Further statements of the same database
// transaction do not repeat it. Statements of OpenTables are sent without it.

// Role is the role of the connections of a process.
type Role string

const (
	RoleLogin  Role = ""       // the user of the URL: the owner of the tables, who sees all rows
	RoleAPI    Role = "api"    // sees the rows in the reach of the context
	RoleWorker Role = "worker" // sees all rows, except how people sign in, and must not change tables and policies
)

// roleNames are the names of the roles of a database with closed tables that the API takes on.
type roleNames struct{ api, worker string }

// rolesOf selects the names of the roles of a database. They begin with the owner of its tables, so installations on
// one server share roles only if they share their owner. tables and relations list the tables with row-level security.
// Without such tables there is no row.
const rolesOf = `
	SELECT left(min(owner), 50) || '_api' AS api, left(min(owner), 50) || '_worker' AS worker,
	       left(min(owner), 50) || '_runner' AS runner, min(owner) AS owner,
	       array_agg(relname::text ORDER BY relname) AS tables, array_agg(oid) AS relations
	  FROM (SELECT oid, relname, pg_get_userbyid(relowner)::text AS owner FROM pg_class
	         WHERE relkind IN ('r', 'p') AND relrowsecurity AND NOT relispartition
	           AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())) t
	HAVING count(*) > 0`

// setRolePrivilege is the privilege to set a role. PostgreSQL 16 and later distinguish it from membership.
const setRolePrivilege = `CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END`

// selectRole sets the role of a connection, unless SecureRows could not prepare the database for it. Where the runner's
// role is missing, workers take on the one of the API's background work. It keeps the schemas of the login.
const selectRole = `
	SELECT r.api, r.worker,
	       set_config('search_path',
	                  array_to_string(ARRAY(SELECT quote_ident(s) FROM unnest(current_schemas(false)) s), ', '), false),
	       set_config('role', CASE WHEN $1::text = 'api' THEN r.api WHEN r.runner = ANY (m.see) THEN r.runner ELSE r.worker END,
	                  false)
	  FROM (` + rolesOf + `) r CROSS JOIN LATERAL (
	    SELECT array_agg(p.rolname::text) AS may, array_agg(p.rolname::text) FILTER (WHERE NOT EXISTS (
	             SELECT FROM unnest(r.relations) AS u (relation) WHERE NOT EXISTS (
	               SELECT FROM pg_policy y
	                WHERE y.polrelid = u.relation AND p.oid = ANY (y.polroles)
	                  AND y.polname IN ('across_organizations', 'runs_across_organizations')))) AS see
	      FROM pg_roles p
	     WHERE p.rolname IN (r.api, r.worker, r.runner) AND pg_has_role(session_user, p.oid, ` + setRolePrivilege + `)) m
	 WHERE CASE $1::text WHEN 'api' THEN r.api = ANY (m.may) AND r.worker = ANY (m.see)
	       ELSE m.see && ARRAY[r.worker, r.runner] END`

// setRole sets the role of a new connection. It also registers the types of the store.
func (db *DB) setRole(ctx context.Context, conn *pgx.Conn) error {
	registerTexts(conn.TypeMap())
	registerNumerics(conn.TypeMap())
	if db.role == RoleLogin {
		return nil
	}
	names := &roleNames{}
	err := conn.QueryRow(ctx, selectRole, string(db.role)).Scan(&names.api, &names.worker, nil, nil)
	if errors.Is(err, pgx.ErrNoRows) { // before the migration, or without roles: keep the user of the URL
		db.roles.Store(nil)
		return nil
	}
	if err == nil {
		db.roles.Store(names)
	}
	return err
}

// RowsSecured reports whether the connections of this process have their role.
func (db *DB) RowsSecured() bool { return db.roles.Load() != nil }

// IsSuperuser reports whether the login of this process is a superuser; false if the database does not answer.
func (db *DB) IsSuperuser(ctx context.Context) (is bool) {
	err := db.QueryRow(ctx, "SELECT rolsuper FROM pg_roles WHERE rolname = session_user").Scan(&is)
	return err == nil && is
}

// setting is the setting with the reach of statements. The zero value sets nothing.
type setting struct{ name, value string }

// reachState is the reach that was set in a database transaction.
type reachState struct {
	last   setting // the zero value if none was set, or if a rollback may have undone it
	role   bool    // the role may have been changed inside the transaction
	begins bool    // the transaction begins with the next batch
}

// record stores the reach that is set now.
func (s *reachState) record(now setting) {
	if s != nil {
		s.last, s.role = now, s.role || now.name == roleSetting
	}
}

// clear is called when a rollback to a savepoint may have undone the setting.
func (s *reachState) clear() { s.last = setting{} }

const (
	organizationsSetting = "levy.organizations"
	roleSetting          = "role"

	setValue        = "SELECT set_config($1, $2, true)"
	setValueAndRole = "SELECT set_config('role', $3, true), set_config($1, $2, true)"

	// PlanByKey makes PostgreSQL reuse plans by an index. It is for statements that look up their rows by key:
	// with a reused plan they cost half. The plan uses an index even if it was made while the table was small.
	PlanByKey     = "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)"
	setValueByKey = setValue + ", " + PlanByKey
)

// reachOf returns the setting that must precede statements of a context. It is the zero value if no table is closed,
// or if the context has no reach.
func (db *DB) reachOf(ctx context.Context) setting {
	names := db.roles.Load()
	if names == nil || db.role != RoleAPI {
		return setting{}
	}
	reach := models.ReachOf(ctx)
	if reach == nil {
		return setting{} // without a setting, no rows are seen
	}
	organizations, all := reach.Organizations()
	if all {
		return setting{roleSetting, names.worker}
	}
	return setting{organizationsSetting, organizations}
}

// reachStatement returns the statement that must precede others of the context, and its setting. The statement is nil
// if nothing must be set. before is the reach set in the database transaction; nil outside one.
func (db *DB) reachStatement(ctx context.Context, before *reachState) (*pgx.QueuedQuery, setting) {
	s := db.reachOf(ctx)
	sql, args := setValue, []any{s.name, s.value}
	switch {
	case s == setting{} || before != nil && before.last == s:
		return nil, s
	case before != nil && before.role && s.name != roleSetting: // the current role sees all rows
		sql, args = setValueAndRole, append(args, db.roles.Load().api)
	case before == nil && s.name != roleSetting && byKey(ctx):
		sql = setValueByKey
	}
	return &pgx.QueuedQuery{SQL: sql, Arguments: args}, s
}

type byKeyKey struct{}

// ByKey returns the context for single statements that look up all their rows by key. Outside a database transaction
// PostgreSQL reuses their plans.
func ByKey(ctx context.Context) context.Context { return context.WithValue(ctx, byKeyKey{}, true) }

func byKey(ctx context.Context) bool { return ctx.Value(byKeyKey{}) != nil }
