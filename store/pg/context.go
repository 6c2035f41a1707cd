package pg

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/models"
)

// A context carries a database transaction. All calls of the store with that context happen inside it, through GORM and
// through pgx, reads included. A method that opens a transaction gets a savepoint. So the effect of a request and its
// answer are committed together, and no method needs to know whether it runs in a transaction.

// transaction is the database transaction of a context. It is one connection, so it serves one call at a time.
type transaction struct {
	gorm  *sql.Conn   // the connection, for GORM
	pgx   pgx.Tx      // the same connection, for pgx
	reach *reachState // the reach that its statements have; all savepoints share it
	busy  sync.Mutex
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	tx, _ := ctx.Value(transactionKey{}).(*transaction)
	return tx
}

// InTransaction reports whether calls with the context happen inside a database transaction.
func InTransaction(ctx context.Context) bool { return transactionOf(ctx) != nil }

// Exclusive reserves the database transaction of the context until release, so that goroutines that share it do not use
// its connection at the same moment. Without a database transaction it reserves nothing and returns false.
func Exclusive(ctx context.Context) (release func(), ok bool) {
	tx := transactionOf(ctx)
	if tx == nil {
		return nil, false
	}
	tx.busy.Lock()
	return tx.busy.Unlock, true
}

// WithoutTransaction returns the context without its database transaction, partner and reach. It is for work that
// several requests share and that must not end with one of them. Such work passes the organization in each call and
// sees no rows of tables with row-level security.
func WithoutTransaction(ctx context.Context) context.Context {
	alone := context.WithValue(ctx, transactionKey{}, (*transaction)(nil))
	return models.WithoutPartner(models.WithReach(alone, ""))
}

// commitTimeout limits a commit, also after the caller has gone away.
const commitTimeout = 5 * time.Second

// Detached returns a context in which finished work can still be written and committed. It does not end when the client
// disconnects, but after commitTimeout.
func Detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
}

// begin opens a database transaction, or a savepoint in that of the context. It returns the context whose calls happen
// inside. end releases the connection; without a commit before, it rolls back.
func (db *DB) begin(ctx context.Context) (inside context.Context, tx *transaction, end func(), err error) {
	if outer := transactionOf(ctx); outer != nil {
		nested, err := outer.pgx.Begin(ctx)
		if err != nil {
			return nil, nil, nil, Translate(err)
		}
		tx = &transaction{gorm: outer.gorm, pgx: nested, reach: outer.reach}
		end = func() {
			_ = nested.Rollback(context.WithoutCancel(ctx)) // has no effect after a commit
			tx.reach.clear()                                // the reach may have been set inside
		}
		return context.WithValue(ctx, transactionKey{}, tx), tx, end, nil
	}
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return nil, nil, nil, Translate(err)
	}
	tx = &transaction{gorm: conn, reach: &reachState{}}
	err = conn.Raw(func(driver any) error {
		under, ok := driver.(*connection)
		if !ok {
			return fmt.Errorf("connection of an unknown driver: %T", driver)
		}
		tx.pgx, err = under.Conn().Begin(ctx)
		return err
	})
	if err != nil {
		_ = conn.Close()
		return nil, nil, nil, Translate(err)
	}
	end = func() {
		_ = tx.pgx.Rollback(context.WithoutCancel(ctx)) // has no effect after a commit
		_ = conn.Close()
	}
	return context.WithValue(ctx, transactionKey{}, tx), tx, end, nil
}

// connections gives GORM the database transaction of the context, else the pool.
type connections struct {
	*sql.DB
	db   *DB
	open bool // for OpenTables
}

func (c connections) of(ctx context.Context, query string) gorm.ConnPool {
	if c.open {
		c.db.observeOpen(query)
	}
	if tx := transactionOf(ctx); tx != nil {
		return tx.gorm
	}
	return c.DB
}

func (c connections) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return c.of(ctx, query).PrepareContext(ctx, query)
}

func (c connections) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.of(ctx, query).ExecContext(ctx, query, args...)
}

func (c connections) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.of(ctx, query).QueryContext(ctx, query, args...)
}

func (c connections) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.of(ctx, query).QueryRowContext(ctx, query, args...)
}
