package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Logins are the logins of an installation as addresses with a password. Owner and Service have the same database.
// Both logins and the database need not exist.
type Logins struct {
	Admin   string // a superuser, or another login that may create roles and databases
	Owner   string // owns the database and its tables, and migrates
	Service string // serves requests; it owns nothing, creates nothing and cannot rewrite the audit trail
	Worker  string // runs workflows, and cannot read how people sign in; empty where Service does that, too
}

// logins are parsed Logins.
type logins struct {
	admin, owner, service *pgx.ConnConfig
	worker                *pgx.ConnConfig // nil for none
	changes               []string
}

// serving are the logins besides those of the admin and the owner.
func (l *logins) serving() []*pgx.ConnConfig {
	if l.worker == nil {
		return []*pgx.ConnConfig{l.service}
	}
	return []*pgx.ConnConfig{l.service, l.worker}
}

// CreateLogins creates the roles, their passwords and the database as far as they are missing. It gives the owner all
// objects of the database that belong to others, such as to the single login of an earlier layout. It returns its
// changes. It may run any number of times and concurrently. SecureRows gives the roles their rights.
func CreateLogins(ctx context.Context, l Logins) (changes []string, err error) {
	read, err := l.read()
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		err = read.create(ctx)
		if err == nil || attempt == secureAttempts || !isConcurrentlyCreated(err) && !isLockTimeout(err) {
			return read.changes, err
		}
		select {
		case <-ctx.Done():
			return read.changes, err
		case <-time.After(lockPause / 10):
		}
	}
}

// read parses the addresses. Its errors do not contain them, because they have passwords.
func (l Logins) read() (*logins, error) {
	var read logins
	for _, one := range []struct {
		of, address string
		to          **pgx.ConnConfig
	}{{"admin", l.Admin, &read.admin}, {"owner", l.Owner, &read.owner}, {"service", l.Service, &read.service},
		{"worker", l.Worker, &read.worker}} {
		if one.of == "worker" && one.address == "" {
			continue
		}
		config, err := pgx.ParseConfig(one.address)
		if err != nil || config.User == "" || config.Database == "" {
			return nil,
				fmt.Errorf("the address of the %s must have the form postgres://user:password@host:port/database", one.of)
		}
		config.RuntimeParams["lock_timeout"] = fmt.Sprint(migrationLockTimeout.Milliseconds())
		*one.to = config
	}
	known := map[string]bool{read.admin.User: true}
	for _, login := range append(read.serving(), read.owner) {
		if login.Database != read.owner.Database {
			return nil, errors.New("the addresses of owner, service and worker name different databases")
		}
		if known[login.User] {
			return nil, errors.New("admin, owner, service and worker have to be different logins")
		}
		known[login.User] = true
	}
	return &read, nil
}

func (l *logins) create(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, l.admin)
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // each statement is done or has failed before
	for _, login := range append(l.serving(), l.owner) {
		if err := l.createLogin(ctx, conn, login); err != nil {
			return err
		}
	}
	worker := ""
	if l.worker != nil {
		worker = l.worker.User
	}
	if err := l.execute(ctx, conn, missingRoles, l.owner.User, l.service.User, l.owner.Database, worker); err != nil {
		return err
	}
	inside := l.admin.Copy()
	inside.Database = l.owner.Database
	within, err := pgx.ConnectConfig(ctx, inside)
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = within.Close(context.WithoutCancel(ctx)) }() // as above
	if err := l.transferOwnership(ctx, within); err != nil {
		return err
	}
	for _, login := range append(l.serving(), l.owner) {
		if err := l.checkLogin(ctx, conn, login); err != nil {
			return err
		}
	}
	return nil
}

// createLogin creates a login that is missing. It refuses an existing one with more rights than needed.
func (l *logins) createLogin(ctx context.Context, conn *pgx.Conn, login *pgx.ConnConfig) error {
	var privileged bool
	err := conn.QueryRow(ctx, `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication
		FROM pg_roles
		WHERE rolname = $1`,
		login.User).Scan(&privileged)
	if errors.Is(err, pgx.ErrNoRows) {
		verifier, err := scramVerifier(login.Password)
		if err != nil {
			return fmt.Errorf("%s: %w", login.User, err)
		}
		name := pgx.Identifier{login.User}.Sanitize()
		if _, err := conn.Exec(ctx, fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", name, verifier)); err != nil {
			return err
		}
		l.changes = append(l.changes, "CREATE ROLE "+name+" LOGIN")
		return nil
	}
	if err == nil && privileged {
		return fmt.Errorf("the role %s may do more than it should (superuser, replication, roles, databases or all rows): "+
			"name another login", login.User)
	}
	return err
}

// checkLogin logs in. If the password is wrong, it sets it and tries again.
func (l *logins) checkLogin(ctx context.Context, conn *pgx.Conn, login *pgx.ConnConfig) error {
	trial, err := pgx.ConnectConfig(ctx, login)
	if err == nil {
		return trial.Close(ctx)
	}
	if !hasCode(err, wrongPassword, invalidLogin) {
		return Translate(err)
	}
	verifier, err := scramVerifier(login.Password)
	if err != nil {
		return fmt.Errorf("%s: %w", login.User, err)
	}
	name := pgx.Identifier{login.User}.Sanitize()
	if _, err := conn.Exec(ctx, fmt.Sprintf("ALTER ROLE %s LOGIN PASSWORD '%s'", name, verifier)); err != nil {
		return err
	}
	l.changes = append(l.changes, "ALTER ROLE "+name+" LOGIN PASSWORD (as its address says)")
	if trial, err = pgx.ConnectConfig(ctx, login); err != nil {
		return Translate(err)
	}
	return trial.Close(ctx)
}

// transferOwnership gives the owner all objects in the database, or none if one fails.
func (l *logins) transferOwnership(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "SELECT "+LockRoles.WaitInSession()); err != nil {
		return err
	}
	before := l.changes
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// The query finds the roles of row-level security by the owner of the tables, so it runs before that owner changes.
		rows, err := tx.Query(ctx, earlierRoles, l.owner.User)
		if err != nil {
			return err
		}
		earlier, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		if err := l.execute(ctx, tx, foreignObjects, l.owner.User); err != nil {
			return err
		}
		for _, statement := range earlier {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
			l.changes = append(l.changes, statement)
		}
		return l.execute(ctx, tx, openSchema, l.owner.User)
	})
	if err != nil {
		l.changes = before
	}
	return err
}

// execute runs the statements that a query returns.
func (l *logins) execute(ctx context.Context, conn Querier, query string, args ...any) error {
	rows, err := conn.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		l.changes = append(l.changes, statement)
	}
	return nil
}

// missingRoles returns ordered statements: the roles of row-level security, their members, the database and its
// privileges. $1 is the owner, $2 the service, $3 the database, $4 the worker or empty.
const missingRoles = `
	WITH given AS (SELECT $1::text AS owner, $2::text AS service, $3::text AS name, $4::text AS worker),
	     roles AS (SELECT left(owner, 50) || suffix AS name, suffix FROM given,
	                      unnest(ARRAY['_api', '_worker', '_runner']) AS suffix),
	     known AS (SELECT r.name, r.suffix, p.oid FROM roles r LEFT JOIN pg_roles p ON p.rolname = r.name),
	     database AS (SELECT pg_get_userbyid(d.datdba)::text AS owner, coalesce(d.datacl, acldefault('d', d.datdba)) AS acl
	                    FROM pg_database d, given g WHERE d.datname = g.name)
	SELECT format('CREATE ROLE %I NOLOGIN', name) FROM known WHERE oid IS NULL
	UNION ALL
	SELECT format('GRANT %I TO %I', k.name, login) FROM known k, given g, unnest(ARRAY[g.owner, g.service]) AS login
	 WHERE k.oid IS NULL OR NOT pg_has_role(login::name, k.oid, ` + setRolePrivilege + `)
	UNION ALL
	SELECT format('GRANT %I TO %I', k.name, g.worker) FROM known k, given g
	 WHERE k.suffix = '_runner' AND CASE WHEN g.worker = '' THEN false WHEN k.oid IS NULL THEN true
	       ELSE NOT pg_has_role(g.worker::name, k.oid, ` + setRolePrivilege + `) END
	UNION ALL
	SELECT format('REVOKE %I FROM %I', k.name, g.worker) FROM known k, given g
	 WHERE k.suffix <> '_runner' AND CASE WHEN g.worker = '' OR k.oid IS NULL THEN false
	       ELSE pg_has_role(g.worker::name, k.oid, 'MEMBER') END
	UNION ALL
	SELECT format('GRANT %I TO %I', owner, current_user)
	  FROM given
	 WHERE NOT pg_has_role(current_user, owner::name, ` + setRolePrivilege + `)
	UNION ALL
	SELECT format('CREATE DATABASE %I OWNER %I', name, owner) FROM given WHERE NOT EXISTS (SELECT FROM database)
	UNION ALL
	SELECT format('ALTER DATABASE %I OWNER TO %I', g.name, g.owner) FROM given g, database d WHERE d.owner <> g.owner
	UNION ALL
	SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', name) FROM given
	 WHERE NOT EXISTS (SELECT FROM database) OR EXISTS (SELECT FROM database, aclexplode(acl) WHERE grantee = 0)
	UNION ALL
	SELECT format('GRANT CONNECT ON DATABASE %I TO %I', g.name, login) FROM given g, unnest(ARRAY[g.service, g.worker]) AS login
	 WHERE login <> '' AND NOT EXISTS (SELECT FROM database, aclexplode(acl) a JOIN pg_roles s ON s.oid = a.grantee
	                                    WHERE s.rolname = login AND a.privilege_type = 'CONNECT')`

// schemaOfTables is the schema of the login.
const schemaOfTables = `(SELECT oid FROM pg_namespace WHERE nspname = current_schema())`

// isExtension is a condition on the preceding object id: the object is part of an extension.
const isExtension = ` IN (SELECT objid FROM pg_depend WHERE deptype = 'e')`

// foreignObjects returns statements that give the owner, $1, the tables, views, sequences and functions of others.
// Objects of a column follow their table.
const foreignObjects = `
	WITH given AS (SELECT $1::text AS owner)
	SELECT format('ALTER TABLE %s OWNER TO %I', c.oid::regclass, g.owner) FROM pg_class c, given g
	 WHERE c.relnamespace = ` + schemaOfTables + ` AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
	   AND pg_get_userbyid(c.relowner) <> g.owner AND NOT c.oid` + isExtension + `
	   AND NOT (c.relkind = 'S' AND EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
	                                           AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
	UNION ALL
	SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, g.owner) FROM pg_proc p, given g
	 WHERE p.pronamespace = ` + schemaOfTables + ` AND pg_get_userbyid(p.proowner) <> g.owner AND NOT p.oid` + isExtension

// earlierRoles returns statements that revoke rights and drop policies of earlier roles of row-level security in this
// database. Those roles have the name of an earlier owner of its tables. $1 is the owner.
const earlierRoles = `
	SELECT format('DROP OWNED BY %I', r.rolname) FROM pg_roles r
	 WHERE r.rolname::text IN (SELECT left(pg_get_userbyid(c.relowner)::text, 50) || suffix
	                             FROM pg_class c, unnest(ARRAY['_api', '_worker', '_runner']) AS suffix
	                            WHERE c.relrowsecurity AND pg_get_userbyid(c.relowner) <> $1::text
	                              AND c.relnamespace = ` + schemaOfTables + `)`

// openSchema returns statements that forbid users other than the owner, $1, to create tables. Before PostgreSQL 15 all
// users may.
const openSchema = `
	WITH given AS (SELECT $1::text AS owner), schema AS (
	  SELECT nspname, pg_get_userbyid(nspowner)::text AS owner, coalesce(nspacl, acldefault('n', nspowner)) AS acl
	    FROM pg_namespace WHERE nspname = current_schema())
	SELECT format('ALTER SCHEMA %I OWNER TO %I', s.nspname, g.owner)
	  FROM schema s, given g
	 WHERE s.owner NOT IN (g.owner, 'pg_database_owner')
	UNION ALL
	SELECT format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', nspname) FROM schema
	 WHERE EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0 AND privilege_type = 'CREATE')`
