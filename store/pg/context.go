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

// A database transaction travels in a context: whatever the store does with that
// context happens inside it, through GORM and through pgx alike, reads included.
// A method that opens a transaction of its own gets a savepoint. So the effect of
// a request and the answer to it are committed together, and no method has to
// know whether there is such a transaction.

// transaction is the database transaction of a context. It is one connection: only one
// thing at a time can be done with it.
type transaction struct {
	gorm *sql.Conn // the connection, for GORM
	pgx  pgx.Tx    // the same one, for pgx
	said *said     // whose rows its statements may see; that of all savepoints
	busy sync.Mutex
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	tx, _ := ctx.Value(transactionKey{}).(*transaction)
	return tx
}

// InTransaction reports whether what is done with a context happens inside a database
// transaction.
func InTransaction(ctx context.Context) bool { return transactionOf(ctx) != nil }

// Exclusive reserves the database transaction of the context until release, so that
// goroutines that share one do not use its connection at the same moment. It is false,
// and reserves nothing, in a context without a database transaction.
func Exclusive(ctx context.Context) (release func(), ok bool) {
	tx := transactionOf(ctx)
	if tx == nil {
		return nil, false
	}
	tx.busy.Lock()
	return tx.busy.Unlock, true
}

// WithoutTransaction is the context without its database transaction: for work that
// other requests share, and that must not end with this one. It names the organization of each
// itself, and sees nothing of tables with row-level security.
func WithoutTransaction(ctx context.Context) context.Context {
	alone := context.WithValue(ctx, transactionKey{}, (*transaction)(nil))
	return models.WithoutPartner(models.WithReach(alone, ""))
}

// commitTimeout bounds a commit, also of a caller that has gone away meanwhile.
const commitTimeout = 5 * time.Second

// Detached is a context in which work that is done can still be written and committed: it
// does not end when the client hangs up, but after a few seconds.
func Detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
}

// begin opens a database transaction, or a savepoint in that of the context, and returns
// the context whose work happens inside it. end gives the connection back; without a
// commit before, it rolls back.
func (db *DB) begin(ctx context.Context) (inside context.Context, tx *transaction, end func(), err error) {
	if outer := transactionOf(ctx); outer != nil {
		nested, err := outer.pgx.Begin(ctx)
		if err != nil {
			return nil, nil, nil, Translate(err)
		}
		tx = &transaction{gorm: outer.gorm, pgx: nested, said: outer.said}
		end = func() {
			_ = nested.Rollback(context.WithoutCancel(ctx)) // nothing after a commit
			tx.said.forget()                                // it may have been said inside
		}
		return context.WithValue(ctx, transactionKey{}, tx), tx, end, nil
	}
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return nil, nil, nil, Translate(err)
	}
	tx = &transaction{gorm: conn, said: &said{}}
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
		_ = tx.pgx.Rollback(context.WithoutCancel(ctx)) // nothing after a commit
		_ = conn.Close()
	}
	return context.WithValue(ctx, transactionKey{}, tx), tx, end, nil
}

// connections are the same for GORM: the database transaction of the context, or the pool.
type connections struct {
	*sql.DB
	db *DB
}

func (c connections) of(ctx context.Context) gorm.ConnPool {
	if tx := transactionOf(ctx); tx != nil {
		return tx.gorm
	}
	return c.DB
}

func (c connections) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return c.of(ctx).PrepareContext(ctx, query)
}

func (c connections) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.of(ctx).ExecContext(ctx, query, args...)
}

func (c connections) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.of(ctx).QueryContext(ctx, query, args...)
}

func (c connections) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.of(ctx).QueryRowContext(ctx, query, args...)
}
