package pg

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"levy/internal/secret"
	"levy/models"
)

// DB is one PostgreSQL database: a pool of connections, for GORM and for pgx alike.
type DB struct {
	pool *pgxpool.Pool
	sql  *sql.DB // the same connections, for GORM
	orm  *gorm.DB

	shares *shares
	role   Role
	quotas models.Quotas
	taxIDs taxIDs
	closed atomic.Pointer[closed] // what row-level security is on; nil while the role is not taken
}

// planCacheMode is that of every connection, see poolConfig.
const planCacheMode = "force_custom_plan"

// Options say how to open a database.
type Options struct {
	URL            string           // postgres://user:password@host:port/database
	MaxConnections int32            // of this process; 0 leaves the driver's default
	Role           Role             // role of its connections, once SecureRows has made the roles
	Quotas         models.Quotas    // what a partner may take up
	MasterKeys     *secret.Ring     // wrap the key of tax ids; nil for who reads none
	Tracer         pgx.QueryTracer  // spans for statements; nil for none
	Now            func() time.Time // what records are stamped with; nil for the clock of the machine
}

// StatementTimeout bounds every statement, so that a stuck one frees its connection.
const StatementTimeout = 10 * time.Second

// lockTimeout is how long a statement waits for a lock: its holder is at work, and a request, an activity or a
// command may be repeated. Work that may wait for longer says so itself.
const lockTimeout = 5 * time.Second

// connectTimeout bounds how long a connection may take to be made, unless the URL says connect_timeout.
const connectTimeout = 5 * time.Second

// Open prepares a pool of connections. It does not need the database to answer
// yet: a process may start before its database does.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	db := &DB{role: o.Role, quotas: o.Quotas.OrDefault()}
	if o.MasterKeys != nil {
		db.taxIDs.vault = secret.NewVault(o.MasterKeys, nil)
	}
	cfg, err := db.poolConfig(o)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if db.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, fmt.Errorf("open database pool: %w", err)
	}
	db.sql = sql.OpenDB(connector{stdlib.GetPoolConnector(db.pool), db})
	db.sql.SetMaxIdleConns(0) // the pool keeps them
	db.orm, err = gorm.Open(postgres.New(postgres.Config{Conn: connections{db.sql, db}}), &gorm.Config{
		SkipDefaultTransaction: true, // transactions are opened where they are meant
		DisableAutomaticPing:   true,
		NowFunc:                func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) },
		// Errors are returned, and whoever answers for them logs them once.
		Logger: logger.Discard,
	})
	if err != nil {
		db.pool.Close()
		return nil, fmt.Errorf("open gorm: %w", err)
	}
	return db, nil
}

// poolConfig says how connections are made, and has them counted by partners.
func (db *DB) poolConfig(o Options) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, err
	}
	if o.MaxConnections > 0 {
		cfg.MaxConns = o.MaxConnections
	}
	db.shares = newShares(cfg.MaxConns, o.Tracer)
	limiter := &reconnects{}
	db.shares.ConnectTracers = append(db.shares.ConnectTracers, limiter)
	cfg.ConnConfig.Tracer, cfg.BeforeConnect, cfg.AfterConnect = db.shares, limiter.beforeConnect, db.becomes
	// Statements are prepared, and none is only described: the driver makes a table of 512 places for those, too.
	cfg.ConnConfig.DescriptionCacheCapacity = 0
	if cfg.ConnConfig.ConnectTimeout == 0 { // the URL names none
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	settings := cfg.ConnConfig.RuntimeParams
	settings["timezone"] = "UTC"
	settings["application_name"] = "levy"
	settings["statement_timeout"] = fmt.Sprint(StatementTimeout.Milliseconds())
	settings["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
	settings["idle_in_transaction_session_timeout"] = fmt.Sprint(StatementTimeout.Milliseconds())
	// Set-based statements are planned for the tables as they are now. A plan kept
	// from when a table was new and small would scan it for as long as it is cached:
	// a fresh installation would get slower with every record.
	settings["plan_cache_mode"] = planCacheMode
	return cfg, nil
}

// Close gives back every connection.
func (db *DB) Close() { db.pool.Close() }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return Translate(db.pool.Ping(ctx)) }

// Reset lets every connection be made anew: what they have learnt of the database is out of date.
func (db *DB) Reset() { db.pool.Reset() }

// Use is how the connections of this process are used.
type Use struct {
	InUse, Idle, Max int32
	Waited           time.Duration // since the start, of all that had to wait for one
}

// Use tells how the connections of this process are used.
func (db *DB) Use() Use {
	stat := db.pool.Stat()
	return Use{
		InUse: stat.AcquiredConns(), Idle: stat.IdleConns(), Max: stat.MaxConns(), Waited: stat.EmptyAcquireWaitTime(),
	}
}
