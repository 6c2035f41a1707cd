// Package storetest gives each test a database of its own: a copy of a migrated template. The server is the one of
// LEVY_TEST_DATABASE_URL (`make test` starts one for the whole run), else one of this test binary.
//
// A package that uses it has `func TestMain(m *testing.M) { storetest.Main(m) }`.
package storetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"levy/internal/local/postgres"
	"levy/internal/secret"
	"levy/store"
)

// AddressVariable names a PostgreSQL for the tests. They need the right to create databases and roles.
const AddressVariable = "LEVY_TEST_DATABASE_URL"

// TemplateVariable names a migrated database of that server for tests to copy. Without it each test binary creates its
// own, because a migration takes longer than ten copies.
const TemplateVariable = "LEVY_TEST_TEMPLATE"

// server is the PostgreSQL of this test binary with its template, created at first use.
var server struct {
	once     sync.Once
	own      *postgres.Server
	template *template
	err      error
}

// Main runs the tests of a package and then stops what they started.
func Main(m *testing.M) {
	code := m.Run()
	if server.template != nil && server.template.name != os.Getenv(TemplateVariable) {
		_ = server.template.exec(context.Background(), "DROP DATABASE IF EXISTS "+server.template.name+" WITH (FORCE)")
	}
	if server.own != nil {
		_ = server.own.Stop(context.Background())
	}
	os.Exit(code)
}

// New returns a store on an empty, migrated database that only this test uses.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	return Open(tb, store.Options{URL: URL(tb)})
}

// Open opens a store with the options of a test and closes it with the test.
func Open(tb testing.TB, o store.Options) *store.Store {
	tb.Helper()
	if o.MaxConnections == 0 {
		o.MaxConnections = 8
	}
	if o.MasterKeys == nil {
		o.MasterKeys = masterKeys()
	}
	if o.Tracer == nil {
		order := &LockOrder{}
		o.Tracer = order
		tb.Cleanup(func() { require.Empty(tb, order.Faults(), "advisory locks that are taken out of order") })
	}
	if o.OnOpenTables == nil {
		open := &openStatements{}
		o.OnOpenTables = open.check
		tb.Cleanup(func() { require.Empty(tb, open.faults, "statements of OpenTables that name a closed table") })
	}
	s, err := store.Open(context.Background(), o)
	require.NoError(tb, err)
	tb.Cleanup(s.Close)
	return s
}

// masterKeys are the master keys of all stores of a test binary without keys of their own.
var masterKeys = sync.OnceValue(func() *secret.Ring {
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	if err != nil {
		panic(err) // it was created one line above
	}
	return ring
})

// Skewed opens a store whose process has a wrong clock.
func Skewed(tb testing.TB, url string, by time.Duration) *store.Store {
	tb.Helper()
	return Open(tb, store.Options{URL: url, Now: func() time.Time { return time.Now().Add(by) }})
}

// URL returns the address of an empty, migrated database that only this test uses.
func URL(tb testing.TB) string {
	tb.Helper()
	return database(tb, false)
}

// UnmigratedURL returns the address of a database without a schema that only this test uses.
func UnmigratedURL(tb testing.TB) string {
	tb.Helper()
	return database(tb, true)
}

func database(tb testing.TB, unmigrated bool) string {
	tb.Helper()
	server.once.Do(start)
	require.NoError(tb, server.err, "the tests need PostgreSQL")
	from := server.template.name
	if unmigrated {
		from = "template0"
	}
	address, drop, err := server.template.copy(context.Background(), from)
	require.NoError(tb, err)
	tb.Cleanup(drop)
	pools.Store(address, newPool(tb, address))
	tb.Cleanup(func() { pools.Delete(address) })
	return address
}

// pools are the pools of the databases of this package, by address.
var pools sync.Map

// SQL returns the pool by which a test reads and writes outside the store. A connection costs the server more than most
// statements. Tests with the same database share the pool, so they must not change the settings of a session.
func SQL(tb testing.TB, address string) *pgxpool.Pool {
	tb.Helper()
	if shared, found := pools.Load(address); found {
		return shared.(*pgxpool.Pool)
	}
	return newPool(tb, address)
}

// newPool returns a pool, which connects when it is used.
func newPool(tb testing.TB, address string) *pgxpool.Pool {
	tb.Helper()
	pool, err := pgxpool.New(context.Background(), address)
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return pool
}

func start() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	address := os.Getenv(AddressVariable)
	if address == "" {
		// Fast: the databases of tests need not survive a power failure.
		if server.own, server.err = postgres.Start(ctx,
			postgres.Config{Fast: true, Out: os.Stderr}); server.err != nil {
			return
		}
		address = server.own.URL("")
	}
	server.template = &template{address: address, name: os.Getenv(TemplateVariable)}
	if server.template.name == "" {
		server.template.name, server.err = NewTemplate(ctx, address)
	}
}

// template is a migrated database that tests copy.
type template struct {
	address, name string
	mu            sync.Mutex // one command at a time: a template can only be copied by one
	conn          *pgx.Conn  // the connection for all copies, opened at first use
	copies        atomic.Int64
}

// NewTemplate creates a migrated database on a server and returns its name.
func NewTemplate(ctx context.Context, address string) (name string, err error) {
	t := &template{address: address, name: fmt.Sprintf("levy_test_%d_%d", os.Getpid(), time.Now().UnixNano())}
	if err := t.exec(ctx, "CREATE DATABASE "+t.name); err != nil {
		return "", err
	}
	defer t.conn.Close(ctx)
	return t.name, Migrate(ctx, t.url(t.name))
}

// Migrate creates the schema of a database.
func Migrate(ctx context.Context, address string) error {
	s, err := store.Open(ctx, store.Options{URL: address, MaxConnections: 4})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Migrate(ctx); err != nil {
		return err
	}
	return s.SecureRows(ctx)
}

func (t *template) copy(ctx context.Context, from string) (address string, drop func(), err error) {
	name := fmt.Sprintf("levy_copy_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), t.copies.Add(1))
	if err := t.exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY FILE_COPY", name, from)); err != nil {
		return "", nil, err
	}
	return t.url(name), func() { _ = t.exec(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") }, nil
}

func (t *template) url(database string) string {
	u, err := url.Parse(t.address)
	if err != nil {
		return t.address
	}
	u.Path = "/" + database
	values := u.Query()
	values.Set("connect_timeout", "60") // others compute, too
	u.RawQuery = values.Encode()
	return u.String()
}

func (t *template) exec(ctx context.Context, sql string) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn == nil || t.conn.IsClosed() {
		if t.conn, err = pgx.Connect(ctx, t.address); err != nil {
			return err
		}
	}
	_, err = t.conn.Exec(ctx, sql)
	return err
}
