package testbed

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
)

// own are the servers of a bed that it may kill.
type own struct {
	postgres      *postgres.Server
	standby       *postgres.Server // see AddStandby
	temporal      *temporal.Server
	temporalStore *postgres.Server // of the production server
	port          int              // of Temporal
	fast          bool             // no power is cut, and no disk is full
}

func (b *Bed) startOwn(ctx context.Context, o Options) {
	b.tb.Helper()
	port, err := local.FreePort()
	require.NoError(b.tb, err)
	b.own = &own{port: port, fast: !o.Machine && o.Disk == 0 && o.TemporalDisk == 0}
	b.tb.Cleanup(func() {
		if t := b.own.temporal; t != nil {
			_ = t.Stop(context.Background())
		}
		for _, p := range []*postgres.Server{b.own.postgres, b.own.temporalStore} {
			if p == nil {
				continue
			}
			_ = p.Stop(context.Background())
			if p.Relocated {
				_ = os.RemoveAll(p.ClusterDir)
			}
		}
		if b.tb.Failed() {
			b.tb.Logf("the end of postgres.log:\n%s", tail(filepath.Join(b.dir, "postgres", "postgres.log"), 20))
		}
		b.logTemporal()
	})
	if b.own.fast && o.Program == "" && !o.Compose {
		b.copyCluster()
	}
	b.StartPostgres(ctx)
	b.StartTemporal(ctx)
	b.DatabaseURL, b.TemporalAddress = b.own.postgres.URL(""), b.own.temporal.Address
}

// copyCluster makes the bed's PostgreSQL one that has been prepared, where there is one.
func (b *Bed) copyCluster() {
	b.tb.Helper()
	var err error
	b.prepared, err = ownInstallation()
	require.NoError(b.tb, err)
	if b.prepared != nil {
		copyFolder(b.tb, b.prepared.Cluster, filepath.Join(b.dir, "postgres"))
	}
}

func copyFolder(tb testing.TB, from, to string) {
	tb.Helper()
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	require.NoError(tb, err, "%s", out)
}

// startProxies puts proxies between the service and the bed's own servers.
func (b *Bed) startProxies() (databaseURL, temporalAddress string) {
	b.tb.Helper()
	u, err := url.Parse(b.serviceURL)
	require.NoError(b.tb, err)
	b.ToDatabase, b.ToTemporal = newProxy(b.tb, u.Host), newProxy(b.tb, b.TemporalAddress)
	b.ToTemporalOfWorkers = newProxy(b.tb, b.ToTemporal.Address)
	u.Host = b.ToDatabase.Address
	return u.String(), b.ToTemporal.Address
}

// ownConnections are enough for eight processes, the test, and closed connections that PostgreSQL has not noticed yet. A
// test that takes all that are left starts a process of PostgreSQL for each.
const ownConnections = 160

// StartPostgres starts the bed's own PostgreSQL on its data and address.
func (b *Bed) StartPostgres(ctx context.Context) {
	b.tb.Helper()
	require.NoError(b.tb, b.startPostgres(ctx))
}

func (b *Bed) startPostgres(ctx context.Context) error {
	pg, err := postgres.Start(ctx, postgres.Config{
		Dir: filepath.Join(b.dir, "postgres"), Fast: b.own.fast,
		Connections: ownConnections, Environment: b.serverEnvironment, Out: os.Stderr,
	})
	if err != nil {
		return err
	}
	if b.DatabaseURL != "" {
		require.Equal(b.tb, b.DatabaseURL, pg.URL(""), "PostgreSQL came back elsewhere")
	}
	b.own.postgres = pg
	if b.DB != nil {
		b.DB.Reset() // its connections are those to the server that is gone
	}
	return nil
}

// SaveDatabase keeps a copy of all that the bed's own PostgreSQL has on its disk now;
// LoadDatabase restores it. Both stop the server for a moment.
func (b *Bed) SaveDatabase(ctx context.Context) { b.copyDatabase(ctx, "postgres", "saved") }

// LoadDatabase restores what SaveDatabase has kept.
func (b *Bed) LoadDatabase(ctx context.Context) { b.copyDatabase(ctx, "saved", "postgres") }

func (b *Bed) copyDatabase(ctx context.Context, from, to string) {
	b.tb.Helper()
	require.NoError(b.tb, b.own.postgres.Stop(ctx))
	require.False(b.tb, b.own.postgres.Relocated, "the data is in the folder")
	require.NoError(b.tb, os.RemoveAll(filepath.Join(b.dir, to)))
	copyFolder(b.tb, filepath.Join(b.dir, from), filepath.Join(b.dir, to))
	b.StartPostgres(ctx)
}

// KillPostgres ends the bed's own PostgreSQL as kill -9 does.
func (b *Bed) KillPostgres() {
	pg := b.own.postgres
	pg.Signal(syscall.SIGKILL)
	<-pg.Done()
	_ = pg.Stop(context.Background()) // gives back the lock on its folder
}

// PostgresEnded reports whether the bed's own PostgreSQL has ended.
func (b *Bed) PostgresEnded() bool {
	select {
	case <-b.own.postgres.Done():
		return true
	default:
		return false
	}
}

// ExhaustPostgres takes every connection that the bed's own PostgreSQL has left, until
// release is called.
func (b *Bed) ExhaustPostgres(ctx context.Context) (release func()) {
	b.tb.Helper()
	var taken []*pgx.Conn
	for {
		conn, err := pgx.Connect(ctx, b.DatabaseURL)
		if err != nil {
			var full *pgconn.PgError
			require.ErrorAs(b.tb, err, &full)
			require.Equal(b.tb, "53300", full.Code, "too many connections")
			break
		}
		taken = append(taken, conn)
	}
	return func() {
		for _, conn := range taken {
			_ = conn.Close(ctx)
		}
	}
}

// OwnTemporalVariable names the kind of Temporal server that beds run of their own. "dev" (the default) is the
// development server on a file. "postgres" is the production server on a PostgreSQL of its own.
const OwnTemporalVariable = "LEVY_TEST_OWN_TEMPORAL"

// StartTemporal starts the bed's own Temporal server on its data and address.
func (b *Bed) StartTemporal(ctx context.Context) {
	b.tb.Helper()
	c := temporal.Config{Dir: filepath.Join(b.dir, "temporal"), Port: b.own.port, Fast: b.own.fast, Headless: true,
		SearchAttributes: searchAttributes()}
	var err error
	if os.Getenv(OwnTemporalVariable) == "postgres" {
		b.startTemporalStore(ctx)
		c.Postgres = b.own.temporalStore.URL("postgres")
		c.Programs, err = temporalServerPrograms()
	} else {
		c.Binary, err = temporalProgram()
	}
	require.NoError(b.tb, err)
	server, err := temporal.Start(ctx, c)
	require.NoError(b.tb, err)
	b.own.temporal = server
	b.resetTemporalClient()
}

// startTemporalStore starts the PostgreSQL of the Temporal server unless it runs. It
// is not Levy's: losing one must not touch the other.
func (b *Bed) startTemporalStore(ctx context.Context) {
	b.tb.Helper()
	if b.own.temporalStore != nil {
		return
	}
	pg, err := postgres.Start(ctx,
		postgres.Config{Dir: filepath.Join(b.dir, "temporal-store"), Fast: b.own.fast, Out: os.Stderr})
	require.NoError(b.tb, err)
	b.own.temporalStore = pg
}

// KillTemporal ends the bed's own Temporal server as kill -9 does.
func (b *Bed) KillTemporal() {
	server := b.own.temporal
	server.Signal(syscall.SIGKILL)
	<-server.Done()
	_ = server.Stop(context.Background()) // gives back the lock on its folder
}

// DestroyTemporal deletes all data of the killed Temporal server.
func (b *Bed) DestroyTemporal() {
	b.tb.Helper()
	if b.own.temporalStore != nil {
		b.destroyTemporalStore()
		return
	}
	dir := filepath.Join(b.dir, "temporal")
	entries, err := os.ReadDir(dir)
	require.NoError(b.tb, err)
	destroyed := 0
	for _, e := range entries {
		if strings.Contains(e.Name(), ".db") {
			require.NoError(b.tb, os.Remove(filepath.Join(dir, e.Name())))
			destroyed++
		}
	}
	require.NotZero(b.tb, destroyed, "Temporal's data was not found")
}

func (b *Bed) destroyTemporalStore() {
	b.tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, b.own.temporalStore.URL("postgres"))
	require.NoError(b.tb, err)
	defer conn.Close(ctx)
	for _, database := range []string{"temporal", "temporal_visibility"} {
		_, err := conn.Exec(ctx, "DROP DATABASE "+database+" WITH (FORCE)")
		require.NoError(b.tb, err, "Temporal's data was not found")
	}
}
