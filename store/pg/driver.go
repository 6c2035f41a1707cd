package pg

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector gives GORM connections of the pool that set the reach with each statement.
type connector struct {
	driver.Connector
	db   *DB
	open bool // for OpenTables
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	under, ok := conn.(*stdlib.Conn)
	if !ok {
		return nil, fmt.Errorf("connection of an unknown driver: %T", conn)
	}
	return &connection{under, c.db, c.open}, nil
}

// connection is a connection of the pool, for GORM.
type connection struct {
	*baseConn
	db   *DB
	open bool // for OpenTables
}

// baseConn is the connection without the reach.
type baseConn = stdlib.Conn

// reachQuerier returns a Querier on the connection, with the reach of the database transaction of the context.
func (c *connection) reachQuerier(ctx context.Context) reachQuerier {
	r := reachQuerier{Querier: singleConn{c.Conn()}, db: c.db, open: c.open}
	if tx := transactionOf(ctx); tx != nil {
		r.reach = tx.reach
	}
	return r
}

// singleConn adds Conn to a connection, as connections of the pool and database transactions have it.
type singleConn struct{ *pgxConn }

type pgxConn = pgx.Conn

func (s singleConn) Conn() *pgx.Conn { return s.pgxConn }

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.Conn().IsClosed() {
		return c.baseConn.ExecContext(ctx, query, args)
	}
	r := c.reachQuerier(ctx)
	setReach := r.reachStatement(ctx)
	if setReach == nil {
		return c.baseConn.ExecContext(ctx, query, args)
	}
	tag, err := r.execAfter(ctx, setReach, query, values(args))
	if err != nil {
		return nil, retryable(err)
	}
	return driver.RowsAffected(tag.RowsAffected()), nil
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.Conn().IsClosed() {
		return c.baseConn.QueryContext(ctx, query, args)
	}
	r := c.reachQuerier(ctx)
	setReach := r.reachStatement(ctx)
	if setReach == nil {
		return c.baseConn.QueryContext(ctx, query, args)
	}
	found, err := r.queryAfter(ctx, setReach, query, values(args))
	if err != nil {
		return nil, retryable(err)
	}
	// The columns are known only with the first row, but database/sql asks for them before it.
	read := &rows{Rows: found, types: c.Conn().TypeMap()}
	read.first = found.Next()
	if err := found.Err(); err != nil {
		return nil, retryable(err)
	}
	read.fields = found.FieldDescriptions()
	return read, nil
}

// retryable lets database/sql use another connection if nothing was sent.
func retryable(err error) error {
	if pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}

func values(args []driver.NamedValue) []any {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a.Value
	}
	return list
}

// rows are rows of pgx for database/sql.
type rows struct {
	pgx.Rows
	types  *pgtype.Map
	fields []pgconn.FieldDescription
	first  bool // the first row has been read already
}

func (r *rows) Columns() []string {
	names := make([]string, len(r.fields))
	for i, f := range r.fields {
		names[i] = f.Name
	}
	return names
}

func (r *rows) Close() error {
	r.Rows.Close()
	return nil // as in the driver of pgx: Next has returned the error
}

func (r *rows) Next(dest []driver.Value) error {
	if !r.first && !r.Rows.Next() {
		if err := r.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	r.first = false
	for i, raw := range r.RawValues() {
		var err error
		if dest[i], err = r.value(r.fields[i], raw); err != nil {
			return fmt.Errorf("convert field %s: %w", r.fields[i].Name, err)
		}
	}
	return nil
}

// value returns a value in the form of the driver of pgx: types unknown to database/sql are text.
func (r *rows) value(field pgconn.FieldDescription, raw []byte) (driver.Value, error) {
	if raw == nil {
		return nil, nil
	}
	known, ok := r.types.TypeForOID(field.DataTypeOID)
	if !ok {
		return string(raw), nil
	}
	if field.DataTypeOID == pgtype.NumericOID && field.Format == pgtype.BinaryFormatCode {
		return numericText(raw)
	}
	if isArray(known.Codec) && field.Format == pgtype.BinaryFormatCode {
		elements, err := known.Codec.DecodeValue(r.types, field.DataTypeOID, field.Format, raw)
		if err != nil {
			return nil, err
		}
		text, err := r.types.Encode(field.DataTypeOID, pgtype.TextFormatCode, elements, nil)
		return string(text), err
	}
	return known.Codec.DecodeDatabaseSQLValue(r.types, field.DataTypeOID, field.Format, raw)
}

func isArray(codec pgtype.Codec) bool {
	switch codec.(type) {
	case *pgtype.ArrayCodec, textArrays:
		return true
	}
	return false
}
