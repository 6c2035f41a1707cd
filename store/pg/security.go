package pg

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Row-level security is a second lock on some tables (see the migration that closes them): when a
// statement forgets to say whose records it wants, it gets those of nobody else. Each connection
// takes on a role for which it counts. The role of workers sees all rows. That of the API sees the
// rows of the organizations that are set, and none are: a statement is sent together with the reach of
// its context, in one round trip and one database transaction, with which the setting ends. So a
// connection never keeps it. A database transaction that has said so already does not repeat it.
// Statements of OpenTables are sent alone.

// Role is the role by which the connections of a process act.
type Role string

const (
	RoleLogin  Role = ""       // the user of the URL: the owner of the tables, for which nothing is closed
	RoleAPI    Role = "api"    // sees in closed tables what the context reaches
	RoleWorker Role = "worker" // sees all rows, and may not change tables, policies and triggers
)

// roleNames are the roles of a database with closed tables: that of the API, and that which sees all rows.
type roleNames struct{ api, worker string }

// rolesOf names the roles of a database after the owner of its tables: installations on one server
// share roles only when they share their owner. The last column lists the tables with row-level
// security. There is a row when there are such tables.
const rolesOf = `
	SELECT left(min(owner), 50) || '_api' AS api, left(min(owner), 50) || '_worker' AS worker, min(owner) AS owner,
	       array_agg(relname::text ORDER BY relname) AS tables, array_agg(oid) AS relations
	  FROM (SELECT oid, relname, pg_get_userbyid(relowner)::text AS owner FROM pg_class
	         WHERE relkind IN ('r', 'p') AND relrowsecurity AND NOT relispartition
	           AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())) t
	HAVING count(*) > 0`

// mayBecome is the privilege to become a role: PostgreSQL 16 tells it from membership.
const setRolePrivilege = `CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END`

// takeRole gives a connection its role, unless SecureRows could not prepare the database for it. The
// schemas stay those of the login.
const selectRole = `
	SELECT r.api, r.worker,
	       set_config('search_path',
	                  array_to_string(ARRAY(SELECT quote_ident(s) FROM unnest(current_schemas(false)) s), ', '), false),
	       set_config('role', CASE $1::text WHEN 'api' THEN r.api ELSE r.worker END, false)
	  FROM (` + rolesOf + `) r
	 WHERE 2 = (SELECT count(*) FROM pg_roles p
	             WHERE p.rolname IN (r.api, r.worker) AND pg_has_role(session_user, p.oid, ` + setRolePrivilege + `))
	   AND NOT EXISTS (SELECT FROM unnest(r.relations) AS u (relation) WHERE NOT EXISTS (
	         SELECT FROM pg_policy p JOIN pg_roles w ON w.oid = ANY (p.polroles)
	          WHERE p.polrelid = u.relation AND w.rolname = r.worker AND p.polname = 'across_organizations'))`

// becomes is done with each new connection.
func (db *DB) setRole(ctx context.Context, conn *pgx.Conn) error {
	registerTexts(conn.TypeMap())
	registerNumerics(conn.TypeMap())
	if db.role == RoleLogin {
		return nil
	}
	names := &roleNames{}
	err := conn.QueryRow(ctx, selectRole, string(db.role)).Scan(&names.api, &names.worker, nil, nil)
	if errors.Is(err, pgx.ErrNoRows) { // before the migration, or without roles: as who the URL says
		db.roles.Store(nil)
		return nil
	}
	if err == nil {
		db.roles.Store(names)
	}
	return err
}

// RowsSecured reports whether the connections of this process act in their role.
func (db *DB) RowsSecured() bool { return db.roles.Load() != nil }

// setting says whose rows statements may see; the zero value says nothing.
type setting struct{ name, value string }

// said is what a database transaction has been told of it.
type reachState struct {
	last   setting // nothing also when nobody knows
	role   bool    // it may act in another role than the connection
	begins bool    // it begins with the next batch
}

// note remembers what is said now.
func (s *reachState) record(now setting) {
	if s != nil {
		s.last, s.role = now, s.role || now.name == roleSetting
	}
}

// forget is for what may have been undone with a savepoint.
func (s *reachState) clear() { s.last = setting{} }

const (
	organizationsSetting = "levy.organizations"
	roleSetting          = "role"

	setValue        = "SELECT set_config($1, $2, true)"
	setValueAndRole = "SELECT set_config('role', $3, true), set_config($1, $2, true)"

	// PlanByKey is for statements that look up their rows by key: with a plan that is kept they cost
	// half. It is one by an index, also when it was made while the table was small.
	PlanByKey     = "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)"
	setValueByKey = setValue + ", " + PlanByKey
)

// reached is what statements of a context have to be preceded by; nothing when nothing is closed or
// has to be said.
func (db *DB) reachOf(ctx context.Context) setting {
	names := db.roles.Load()
	if names == nil || db.role != RoleAPI {
		return setting{}
	}
	reach := models.ReachOf(ctx)
	if reach == nil {
		return setting{} // nothing is set, and nothing is seen
	}
	organizations, all := reach.Organizations()
	if all {
		return setting{roleSetting, names.worker}
	}
	return setting{organizationsSetting, organizations}
}

// opening is the statement that has to precede others of the context, and what it says; nil when nothing
// has to be said. before is what the database transaction has been told; nil for a connection without one.
func (db *DB) reachStatement(ctx context.Context, before *reachState) (*pgx.QueuedQuery, setting) {
	s := db.reachOf(ctx)
	sql, args := setValue, []any{s.name, s.value}
	switch {
	case s == setting{} || before != nil && before.last == s:
		return nil, s
	case before != nil && before.role && s.name != roleSetting: // in which all rows are seen
		sql, args = setValueAndRole, append(args, db.roles.Load().api)
	case before == nil && s.name != roleSetting && byKey(ctx):
		sql = setValueByKey
	}
	return &pgx.QueuedQuery{SQL: sql, Arguments: args}, s
}

type byKeyKey struct{}

// ByKey is the context for single statements that look up all their rows by key: outside a database
// transaction their plans are kept.
func ByKey(ctx context.Context) context.Context { return context.WithValue(ctx, byKeyKey{}, true) }

func byKey(ctx context.Context) bool { return ctx.Value(byKeyKey{}) != nil }
