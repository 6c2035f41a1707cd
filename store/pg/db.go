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
	pool    *pgxpool.Pool
	sql     *sql.DB // a view of the same pool, for GORM
	orm     *gorm.DB
	openORM *gorm.DB // for OpenTables

	shares *shares
	role   Role
	quotas models.Quotas
	taxIDs taxIDs
	master *masterKey
	roles  atomic.Pointer[roleNames] // the roles of the database; nil while the connections have no role

	onOpenTables func(statement string)
}

// planCacheMode is the plan_cache_mode of every connection, see poolConfig.
const planCacheMode = "force_custom_plan"

// Options are the settings of a database.
type Options struct {
	URL            string           // postgres://user:password@host:port/database
	MaxConnections int32            // of this process; 0 means the default of the driver
	Role           Role             // the role of its connections, once SecureRows has created the roles
	Quotas         models.Quotas    // the limits of a partner
	MasterKeys     *secret.Ring     // the keys that wrap the key of tax ids; nil for a process that reads no tax ids
	Tracer         pgx.QueryTracer  // the tracer that makes spans of statements; nil for none
	Now            func() time.Time // the clock for times in records; nil for that of the machine

	OnOpenTables func(statement string) // hears the statements of OpenTables, for tests; nil for none
}

// StatementTimeout limits every statement, so that a stuck one frees its connection.
const StatementTimeout = 10 * time.Second

// lockTimeout is how long a statement waits for a lock. It is short, because requests, activities and commands can be
// repeated. Work that may wait longer sets its own limit.
const lockTimeout = 5 * time.Second

// connectTimeout limits how long a new connection may take, unless the URL has connect_timeout.
const connectTimeout = 5 * time.Second

// Open prepares a pool of connections. It does not connect, so a process may start before its database.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	db := &DB{role: o.Role, quotas: o.Quotas.OrDefault(), master: newMasterKey(o.MasterKeys), onOpenTables: o.OnOpenTables}
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
	db.sql = db.openSQL(false)
	db.orm, err = gorm.Open(postgres.New(postgres.Config{Conn: connections{DB: db.sql, db: db}}), &gorm.Config{
		SkipDefaultTransaction: true, // the store opens transactions explicitly
		DisableAutomaticPing:   true,
		NowFunc:                func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) },
		// Errors are returned to the caller, which logs them once.
		Logger: logger.Discard,
	})
	if err != nil {
		db.pool.Close()
		return nil, fmt.Errorf("open gorm: %w", err)
	}
	db.openORM = db.orm.WithContext(ctx)
	db.openORM.Statement.ConnPool = connections{DB: db.openSQL(true), db: db, open: true}
	return db, nil
}

// openSQL returns the connections of the pool for GORM.
func (db *DB) openSQL(open bool) *sql.DB {
	connections := sql.OpenDB(connector{stdlib.GetPoolConnector(db.pool), db, open})
	connections.SetMaxIdleConns(0) // the pool keeps the idle connections
	return connections
}

// poolConfig returns the settings of the pool. Its tracers count connections by partner.
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
	cfg.ConnConfig.Tracer, cfg.BeforeConnect, cfg.AfterConnect = db.shares, limiter.beforeConnect, db.setRole
	// Statements are prepared, and none is only described. The driver would allocate a table of 512 entries for the
	// latter.
	cfg.ConnConfig.DescriptionCacheCapacity = 0
	if cfg.ConnConfig.ConnectTimeout == 0 { // the URL has no connect_timeout
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	settings := cfg.ConnConfig.RuntimeParams
	settings["timezone"] = "UTC"
	settings["application_name"] = "levy"
	settings["statement_timeout"] = fmt.Sprint(StatementTimeout.Milliseconds())
	settings["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
	settings["idle_in_transaction_session_timeout"] = fmt.Sprint(StatementTimeout.Milliseconds())
	// Set-based statements are planned for the tables as they are now. A cached plan from the time when a table was small
	// would scan the table for as long as it is cached. A fresh installation would get slower with every record.
	settings["plan_cache_mode"] = planCacheMode
	// Statements about all organizations have many parts and look expensive. PostgreSQL would compile them, for longer than they run.
	settings["jit"] = "off"
	return cfg, nil
}

// Close closes every connection.
func (db *DB) Close() { db.pool.Close() }

// Ping returns an error if the database does not answer.
func (db *DB) Ping(ctx context.Context) error { return Translate(db.pool.Ping(ctx)) }

// Reset closes all connections of the pool, because their knowledge of the schema is out of date.
func (db *DB) Reset() { db.pool.Reset() }

// Use is the state of the pool of this process.
type Use struct {
	InUse, Idle, Max int32
	Waited           time.Duration // since the start, of all acquisitions that had to wait
}

// Use returns the state of the pool of this process.
func (db *DB) Use() Use {
	stat := db.pool.Stat()
	return Use{
		InUse: stat.AcquiredConns(), Idle: stat.IdleConns(), Max: stat.MaxConns(), Waited: stat.EmptyAcquireWaitTime(),
	}
}
