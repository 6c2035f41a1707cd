package pg

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/models"
)

// Row-level security is a second lock on some tables (see the migration that closes them): when a
// statement forgets to say whose records it wants, it gets those of nobody else. Each connection
// takes on a role for which it counts. The role of workers sees all rows. That of the API sees the
// rows of the organizations that are set, and none are: a statement that names such a table is sent
// together with the reach of its context, in one round trip and one database transaction, with
// which the setting ends. So a connection never keeps it.

// Role is as whom the connections of a process act.
type Role string

const (
	RoleLogin  Role = ""       // who the URL says: the owner of the tables, for whom nothing is closed
	RoleAPI    Role = "api"    // sees in closed tables what the context reaches
	RoleWorker Role = "worker" // sees all rows, and may not change tables, policies and triggers
)

// closed is what a connection of the API has learnt of the database: what row-level security is on.
type closed struct {
	tables []string
	worker string // the role that sees all rows
}

// rolesOf names the roles of a database after the owner of its tables: installations on one server
// share roles only when they share their owner. The last column lists the tables with row-level
// security. There is a row when there are such tables.
const rolesOf = `
	SELECT left(min(owner), 50) || '_api' AS api, left(min(owner), 50) || '_worker' AS worker, min(owner) AS owner,
	       array_agg(relname::text ORDER BY relname) AS tables, array_agg(oid) AS relations
	  FROM (SELECT oid, relname, pg_get_userbyid(relowner)::text AS owner FROM pg_class
	         WHERE relkind = 'r' AND relrowsecurity
	           AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())) t
	HAVING count(*) > 0`

// mayBecome is the privilege to become a role: PostgreSQL 16 tells it from membership.
const mayBecome = `CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END`

// takeRole gives a connection its role, unless SecureRows could not prepare the database for it. The
// schemas stay those of the login.
const takeRole = `
	SELECT r.tables, r.worker,
	       set_config('search_path', array_to_string(ARRAY(SELECT quote_ident(s) FROM unnest(current_schemas(false)) s), ', '), false),
	       set_config('role', CASE $1::text WHEN 'api' THEN r.api ELSE r.worker END, false)
	  FROM (` + rolesOf + `) r
	 WHERE 2 = (SELECT count(*) FROM pg_roles p WHERE p.rolname IN (r.api, r.worker) AND pg_has_role(session_user, p.oid, ` + mayBecome + `))
	   AND NOT EXISTS (SELECT FROM unnest(r.relations) AS u (relation) WHERE NOT EXISTS (
	         SELECT FROM pg_policy p JOIN pg_roles w ON w.oid = ANY (p.polroles)
	          WHERE p.polrelid = u.relation AND w.rolname = r.worker AND p.polname = 'across_organizations'))`

// becomes is done with each new connection.
func (db *DB) becomes(ctx context.Context, conn *pgx.Conn) error {
	if db.role == RoleLogin {
		return nil
	}
	var c closed
	err := conn.QueryRow(ctx, takeRole, string(db.role)).Scan(&c.tables, &c.worker, nil, nil)
	if errors.Is(err, pgx.ErrNoRows) { // before the migration, or without roles: as who the URL says
		db.closed.Store(nil)
		return nil
	}
	if err != nil {
		return err
	}
	db.closed.Store(&c)
	return nil
}

// RowsSecured reports whether the connections of this process act in their role.
func (db *DB) RowsSecured() bool { return db.closed.Load() != nil }

const (
	setOrganizations = "SELECT set_config('levy.organizations', $1, true)"
	setRole          = "SELECT set_config('role', $1, true)"
)

// opening is the statement that has to precede others of the context that name a closed table; nil
// when none do, or nothing has to be said.
func (db *DB) opening(ctx context.Context, statements ...string) *pgx.QueuedQuery {
	c := db.closed.Load()
	if c == nil || db.role != RoleAPI || !slices.ContainsFunc(statements, c.named) {
		return nil
	}
	reach := models.ReachOf(ctx)
	if reach == nil {
		return nil // nothing is set, and nothing is seen
	}
	organizations, all := reach.Organizations()
	if all {
		return &pgx.QueuedQuery{SQL: setRole, Arguments: []any{c.worker}}
	}
	return &pgx.QueuedQuery{SQL: setOrganizations, Arguments: []any{organizations}}
}

// named reports whether a statement may touch a closed table: whether its name occurs.
func (c *closed) named(statement string) bool {
	return slices.ContainsFunc(c.tables, func(table string) bool { return hasWord(statement, table) })
}

// hasWord reports whether a name occurs in a statement that is not a part of a longer one.
func hasWord(statement, name string) bool {
	for from := 0; ; {
		at := strings.Index(statement[from:], name)
		if at < 0 {
			return false
		}
		from += at + len(name)
		if (from == len(name) || !isLetter(statement[from-len(name)-1])) && (from == len(statement) || !isLetter(statement[from])) {
			return true
		}
	}
}

// isLetter reports whether a name may go on with b.
func isLetter(b byte) bool {
	return b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// reaching is a Querier that says with each statement on a closed table whose rows it may see.
type reaching struct {
	Querier
	db *DB
}

func (r reaching) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	opening := r.db.opening(ctx, sql)
	if opening == nil {
		return r.Querier.Exec(ctx, sql, args...)
	}
	results := r.sendAfter(ctx, opening, sql, args)
	tag, err := results.Exec()
	if ended := results.Close(); err == nil {
		err = ended
	}
	return tag, err
}

func (r reaching) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	opening := r.db.opening(ctx, sql)
	if opening == nil {
		return r.Querier.Query(ctx, sql, args...)
	}
	results := r.sendAfter(ctx, opening, sql, args)
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // the same error
	}
	return &rowsOfBatch{Rows: rows, results: results}, err
}

func (r reaching) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	opening := r.db.opening(ctx, sql)
	if opening == nil {
		return r.Querier.QueryRow(ctx, sql, args...)
	}
	results := r.sendAfter(ctx, opening, sql, args)
	return rowOfBatch{results.QueryRow(), results}
}

func (r reaching) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	statements := make([]string, len(batch.QueuedQueries))
	for i, q := range batch.QueuedQueries {
		statements[i] = q.SQL
	}
	opening := r.db.opening(ctx, statements...)
	if opening == nil {
		return r.Querier.SendBatch(ctx, batch)
	}
	at := 0
	if strings.HasPrefix(statements[0], "BEGIN") { // its mode must be known before anything is read
		at = 1
	}
	whole := &pgx.Batch{QueuedQueries: slices.Insert(slices.Clone(batch.QueuedQueries), at, opening)}
	return &resultsWithout{BatchResults: r.Querier.SendBatch(ctx, whole), before: at}
}

// sendAfter sends a statement behind its opening, whose result is read.
func (r reaching) sendAfter(ctx context.Context, opening *pgx.QueuedQuery, sql string, args []any) pgx.BatchResults {
	batch := &pgx.Batch{QueuedQueries: []*pgx.QueuedQuery{opening, {SQL: sql, Arguments: args}}}
	return &resultsWithout{BatchResults: r.Querier.SendBatch(ctx, batch)}
}

// resultsWithout are the results of a batch without that of the opening.
type resultsWithout struct {
	pgx.BatchResults
	before int // results that come before that of the opening; negative when it has been read
}

// skip reads the result of the opening when it comes next. Its error is that of all that follow.
func (r *resultsWithout) skip() {
	if r.before == 0 {
		_, _ = r.BatchResults.Exec()
	}
	r.before--
}

func (r *resultsWithout) Exec() (pgconn.CommandTag, error) {
	r.skip()
	return r.BatchResults.Exec()
}

func (r *resultsWithout) Query() (pgx.Rows, error) {
	r.skip()
	return r.BatchResults.Query()
}

func (r *resultsWithout) QueryRow() pgx.Row {
	r.skip()
	return r.BatchResults.QueryRow()
}

// rowsOfBatch are rows whose end is that of their batch, which gives the connection back.
type rowsOfBatch struct {
	pgx.Rows
	results pgx.BatchResults
	ended   bool
	err     error
}

func (r *rowsOfBatch) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *rowsOfBatch) Close() {
	r.Rows.Close()
	if !r.ended {
		r.ended = true
		r.err = r.results.Close()
	}
}

func (r *rowsOfBatch) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// rowOfBatch is a row whose end is that of its batch.
type rowOfBatch struct {
	row     pgx.Row
	results pgx.BatchResults
}

func (r rowOfBatch) Scan(dest ...any) error {
	err := r.row.Scan(dest...)
	if ended := r.results.Close(); err == nil {
		err = ended
	}
	return err
}
