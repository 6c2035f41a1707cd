package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// RolesError means that the roles of row-level security are missing and that the login may not create them.
// Without them processes act as their login.
type RolesError struct {
	Statements []string // an administrator has to run them
}

func (e *RolesError) Error() string {
	return "the login may not make the roles that row-level security counts for; a login that may has to run: " +
		strings.Join(e.Statements, " ")
}

// roles are the roles of a database, see rolesOf.
type roles struct {
	API, Worker, Runner, Owner string
	Tables                     []string
	Relations                  []uint32
}

// secureAttempts limits how often SecureRows restarts because another process creates the same roles.
// Roles belong to the whole server, so a lock in this database does not exclude processes of other databases.
const secureAttempts = 20

// SecureRows creates the roles of row-level security, grants them to the login, and grants them rights on the
// tables of this database. It keeps what exists and may run any number of times and concurrently. It is part of each
// migration, because new tables need grants. Errors: *RolesError.
func (db *DB) SecureRows(ctx context.Context) error {
	settings := db.pool.Config().ConnConfig
	settings.RuntimeParams["lock_timeout"] = fmt.Sprint(migrationLockTimeout.Milliseconds())
	conn, err := pgx.ConnectConfig(ctx, settings)
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // the work is done or has failed before
	for attempt := 0; ; {
		err = secureRows(ctx, conn)
		if isConcurrentlyCreated(err) {
			attempt++
		}
		if err == nil || attempt == secureAttempts || !isConcurrentlyCreated(err) && !isLockTimeout(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lockPause / 10):
		}
	}
}

// secureRows waits for concurrent calls in this database. Its lock ends with the connection. Each statement is a
// database transaction of its own. With locks on two tables it could wait for a statement that reads both and waits for
// it.
func secureRows(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "SELECT "+LockRoles.WaitInSession()); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, rolesOf)
	if err != nil {
		return err
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[roles])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // no table has row-level security
	}
	if err != nil {
		return err
	}
	if err := r.make(ctx, conn); err != nil {
		return err
	}
	return r.grant(ctx, conn)
}

// make creates the missing roles and grants them to the login. Without that of the runner, workers take on another.
func (r *roles) make(ctx context.Context, conn *pgx.Conn) error {
	var missing []string
	for _, role := range []string{r.API, r.Worker, r.Runner} {
		name := pgx.Identifier{role}.Sanitize()
		var exists, may bool
		var login string
		err := conn.QueryRow(ctx, `SELECT p.oid IS NOT NULL,
			  coalesce(pg_has_role(session_user, p.oid, `+setRolePrivilege+`), false), session_user::text
			FROM (SELECT $1::text AS name) n LEFT JOIN pg_roles p ON p.rolname = n.name`, role).Scan(&exists, &may, &login)
		if err != nil {
			return err
		}
		if !exists {
			missing = append(missing, "CREATE ROLE "+name+" NOLOGIN;")
		}
		if !may {
			missing = append(missing, "GRANT "+name+" TO "+pgx.Identifier{login}.Sanitize()+";")
		}
	}
	for _, statement := range missing {
		_, err := conn.Exec(ctx, statement)
		if hasCode(err, insufficientPrivilege) {
			if strings.Contains(missing[0], pgx.Identifier{r.Runner}.Sanitize()) {
				return nil // only that is missing
			}
			return &RolesError{missing}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// missingGrants returns the statements that give three roles their missing rights. These are the role of the API, $1, that
// of its background work, $2, and that of the runner, $3.
const missingGrants = `
		WITH wanted AS (
		  SELECT quote_ident(rolname) AS role, oid, rolname = $3 AS runner,
		         CASE rolname WHEN $2 THEN 'across_organizations' WHEN $3 THEN 'runs_across_organizations' END AS policy
		    FROM pg_roles WHERE rolname IN ($1, $2, $3)
		), mine AS (
		  SELECT c.oid, c.relkind, c.relrowsecurity, c.relname, quote_ident(c.relname) AS name
		    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		   WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'S') AND NOT c.relispartition
		), rights AS (
		  SELECT w.role, w.oid AS grantee, w.runner, m.oid, m.relname, m.name,
		         CASE WHEN m.relname = 'goose_db_version' THEN ARRAY['SELECT']
		         WHEN m.relname IN ('audit', 'audit_seals', 'audit_reseals') THEN ARRAY['SELECT', 'INSERT']
		         /* guard: logins: workers read nothing of how people sign in */ WHEN w.runner AND m.relname IN (` + signInTables + `)
		         THEN ARRAY[]::text[]
		         /* guard: logins: workers give no person a role */ WHEN w.runner AND m.relname IN ('users', 'memberships', 'operator_keys')
		         THEN ARRAY[]::text[]
		         WHEN w.runner AND m.relname = 'attached_proofs' THEN ARRAY['SELECT', 'UPDATE']
		         ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END AS may
		    FROM wanted w CROSS JOIN mine m WHERE m.relkind <> 'S'
		)
		SELECT format('GRANT USAGE ON SCHEMA %I TO %s', current_schema(), w.role) FROM wanted w
		 WHERE NOT has_schema_privilege(w.oid, current_schema(), 'USAGE')
		UNION ALL
		SELECT format('GRANT %s ON %s TO %s', array_to_string(r.may, ', '), r.name, r.role) FROM rights r
		 WHERE EXISTS (SELECT FROM unnest(r.may) p (right_to) WHERE NOT has_table_privilege(r.grantee, r.oid, p.right_to))
		UNION ALL
		SELECT format('REVOKE %s ON %s FROM %s', p.right_to, r.name, r.role)
		  FROM rights r CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p (right_to)
		 WHERE 'DELETE' <> ALL (r.may) AND p.right_to <> ALL (r.may) AND has_table_privilege(r.grantee, r.oid, p.right_to)
		UNION ALL
		SELECT format('GRANT SELECT (%I) ON %s TO %s', a.attname, r.name, r.role)
		  FROM rights r JOIN pg_attribute a ON a.attrelid = r.oid JOIN (VALUES ` + runnerColumns + `) c (relation, name)
		    ON c.name = a.attname AND c.relation = r.relname
		 WHERE r.runner AND (has_table_privilege(r.grantee, r.oid, 'SELECT') OR NOT has_column_privilege(r.grantee, r.oid, a.attnum, 'SELECT'))
		UNION ALL
		SELECT format('GRANT USAGE ON SEQUENCE %s TO %s', m.name, w.role) FROM wanted w CROSS JOIN mine m
		 WHERE m.relkind = 'S' AND NOT has_sequence_privilege(w.oid, m.oid, 'USAGE')
		UNION ALL
		SELECT format('GRANT EXECUTE ON FUNCTION %s TO %s', p.oid::regprocedure, w.role) FROM wanted w, pg_proc p
		 WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND p.prosecdef
		   AND p.prorettype <> 'trigger'::regtype AND NOT has_function_privilege(w.oid, p.oid, 'EXECUTE')
		UNION ALL
		SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %s', p.oid::regprocedure, w.role) FROM wanted w, pg_proc p
		 WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND p.prosecdef
		   AND p.prorettype = 'trigger'::regtype AND has_function_privilege(w.oid, p.oid, 'EXECUTE')
		UNION ALL
		SELECT format('CREATE POLICY %I ON %s TO %s USING (true)', w.policy, m.name, w.role)
		  FROM wanted w CROSS JOIN mine m
		 WHERE w.policy IS NOT NULL AND m.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy p
		         WHERE p.polrelid = m.oid AND p.polname = w.policy AND w.oid = ANY (p.polroles))`

// signInTables are of the API alone.
const signInTables = `'sessions', 'second_factors', 'recovery_codes', 'sign_in_links', 'sign_in_devices', 'used_sign_ins',
	'passkeys', 'mails', 'mail_stops', 'onboarding_mails'`

// runnerColumns are the columns of accounts and operator keys that a runner reads. They tell whether the sender of an
// Update may send it. Hashes, addresses and roles in organizations are not among them.
const runnerColumns = `('users', 'id'), ('users', 'name'), ('users', 'status'), ('users', 'staff_role'),
		      ('operator_keys', 'id'), ('operator_keys', 'name'), ('operator_keys', 'public_key'), ('operator_keys', 'expires_at'),
		      ('operator_keys', 'revoked_at')`

// grant gives the roles their missing rights in this database. They may read the audit trail and add to it,
// and lose further rights of an earlier release. They may not execute functions that triggers execute as the owner:
// a trigger on a temporary table of theirs could write for any organization. grant writes only what is missing,
// because a grant can conflict with other statements on the table's catalog entry. Policies come last,
// because connections take the roles once all policies exist.
func (r *roles) grant(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, missingGrants, r.API, r.Worker, r.Runner)
	if err != nil {
		return err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}
