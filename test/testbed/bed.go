package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/local/temporal"
	"levy/internal/secret"
	"levy/internal/twice"
	"levy/worker"
	"levy/workflows"
)

// WaitLimit is how long a test waits at the most. It is long because other tests are compiled and run on the same
// machine.
const WaitLimit = 6 * time.Minute

// Options say what a bed is like.
type Options struct {
	// Failpoints builds the service with package failpoint switched on.
	Failpoints bool
	// Program is another version of the service, with which the bed begins; empty: this one.
	Program string
	// Own gives the bed a PostgreSQL and a Temporal server that it may kill, and proxies
	// to them that can inject faults.
	Own bool
	// Compose starts the service as docker-compose.yml says.
	Compose bool
	// Disk is the size in bytes of a file system for the bed's own PostgreSQL alone, TemporalDisk that for the data of its
	// Temporal server. The test is skipped if none can be mounted. 0: the disk of the machine.
	Disk, TemporalDisk int64
	// Clock lets the test set the clock of a bed's own PostgreSQL. It is skipped where
	// that cannot be done.
	Clock bool
	// Machine puts everything of a bed that has its own servers on a disk of its own, so
	// that CutPower can end all at once. The test is skipped where none can be mounted.
	Machine bool
	// UI gives the bed's Temporal server its web UI, which may call the codec.
	UI bool
}

// Bed is one installation of the service. Its methods fail the test when they
// cannot do what they say.
type Bed struct {
	DatabaseURL       string // of a superuser; processes and commands log in as docker-compose.yml has them
	TemporalAddress   string
	TemporalNamespace string
	OrganizationID    string
	APIKey            string
	// TemporalUI is the address of the web UI, with Options.UI.
	TemporalUI string
	// MasterKeys is the master keys of the first start.
	MasterKeys string

	// API and Worker are the processes of the installation, not started yet.
	API, Worker *Service
	// Disk and TemporalDisk are those of Options.
	Disk, TemporalDisk *Disk
	// ToDatabase and ToTemporal are the proxies between the service and its own servers.
	ToDatabase, ToTemporal *Proxy
	// ToTemporalOfWorkers is the proxy to Temporal that only workers use.
	ToTemporalOfWorkers *Proxy
	// DB reads and prepares records directly in the database.
	DB *pgxpool.Pool

	tb         testing.TB
	dir        string
	prepared   *prepared // nil: the bed has run the migrations itself
	program    string
	env        []string
	ownerURL   string // of the database for the login that migrates
	serviceURL string // of the database for all else
	workerURL  string // of the database for workers that log in on their own, as those of compose do
	services   []*Service

	environmentOfWorkers []string // of their own
	own                  *own
	serverEnvironment    []string // of its own PostgreSQL
	clock                string   // the file that says what time it is for PostgreSQL
	http                 *http.Client
	temporalLock         sync.Mutex
	temporal             sdkclient.Client // made at first use
}

// withoutKillsVariable is set by `make test`, which leaves to `make faults` what kills or delays processes at named
// points.
const withoutKillsVariable = "LEVY_TEST_WITHOUT_KILLS"

// Kills says that a test kills or delays processes at named points. Each such test is on the list of expected skips.
func Kills(tb testing.TB) {
	tb.Helper()
	if os.Getenv(withoutKillsVariable) != "" {
		tb.Skip("make faults runs it: it kills or delays processes at named points")
	}
}

// eachTwice reports whether workers execute each activity twice.
func eachTwice() bool { return os.Getenv(twice.Variable) != "" }

var bedCount atomic.Int64

// New sets up servers, schema, organization and product. The processes of the
// service are started by the test.
func New(tb testing.TB, o Options) *Bed {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	b := &Bed{tb: tb, TemporalNamespace: sdkclient.DefaultNamespace, http: NewHTTPClient(128)}
	tb.Cleanup(b.http.CloseIdleConnections)
	b.makeFolder()
	var err error
	b.program, err = o.program()
	require.NoError(tb, err)
	if o.Own {
		b.mountOwn(o)
		b.startOwn(ctx, o)
	} else {
		b.share(ctx, o)
	}
	if b.MasterKeys = secret.NewMasterKey("test"); b.prepared != nil {
		b.MasterKeys = b.prepared.MasterKeys
	}
	b.env = cleanEnvironment()
	if eachTwice() {
		b.env = append(b.env, twice.Variable+"="+os.Getenv(twice.Variable))
	}
	b.nameLogins()
	if o.Compose {
		b.compose()
	} else {
		b.configure(ctx, o)
	}
	if o.Program == "" { // an earlier version has fewer
		b.waitForSearchAttributes(ctx)
	}
	var made first
	if b.prepared != nil {
		made = b.prepared.first
	} else {
		require.NoError(tb, json.Unmarshal(b.bootstrap(o), &made))
	}
	b.OrganizationID, b.APIKey = made.OrganizationID, made.APIKey
	b.DB, err = pgxpool.New(ctx, b.DatabaseURL)
	require.NoError(tb, err)
	tb.Cleanup(b.DB.Close)
	if o.Program == "" { // an earlier version may store them in another way
		tb.Cleanup(b.verifyAuditTrails)
	}
	b.addProduct(ctx)
	if b.prepared != nil && !o.Own {
		b.noteHeartbeat(ctx)
	}
	b.API, b.Worker = b.NewAPI(), b.NewWorker()
	return b
}

// bootstrap makes the first organization for tests. An earlier program may know no --test, and make tests without it.
func (b *Bed) bootstrap(o Options) []byte {
	b.tb.Helper()
	out, problems, err := b.Try("bootstrap", "--test")
	if err != nil && o.Program != "" {
		return b.Run("bootstrap")
	}
	require.NoError(b.tb, err, "levy bootstrap --test: %s", problems)
	return out
}

// program is the one whose processes serve.
func (o Options) program() (string, error) {
	switch {
	case o.Program != "":
		return o.Program, nil
	case o.Failpoints, eachTwice():
		return chaosProgram()
	}
	return plainProgram()
}

// mountOwn gives servers of the bed's own the machine, the disks and the clock that the test wants.
func (b *Bed) mountOwn(o Options) {
	b.tb.Helper()
	if o.Machine {
		b.mountMachine()
	}
	if o.Disk > 0 {
		b.Disk = b.MountDisk("postgres", o.Disk)
	}
	if o.TemporalDisk > 0 {
		b.TemporalDisk = b.MountDisk(temporalFolder(), o.TemporalDisk)
	}
	if o.Clock {
		b.mountClock()
	}
}

// configure gives the processes their settings for tests, and migrates the database unless it was prepared.
func (b *Bed) configure(ctx context.Context, o Options) {
	b.tb.Helper()
	b.makeLogins(ctx)
	serviceDatabase, serviceTemporal := b.serviceURL, b.TemporalAddress
	if o.Own {
		serviceDatabase, serviceTemporal = b.startProxies()
	}
	b.env = append(b.env,
		"LEVY_DATABASE_URL="+serviceDatabase,
		"LEVY_DATABASE_CONNECTIONS=10",
		// All load is that of one organization.
		"LEVY_RATE_LIMIT=100000000", "LEVY_RATE_BURST=1000000", "LEVY_RATE_CONCURRENT=100000",
		"LEVY_TEMPORAL_ADDRESS="+serviceTemporal,
		"LEVY_TEMPORAL_NAMESPACE="+b.TemporalNamespace,
		"LEVY_MASTER_KEYS="+b.MasterKeys,
		"LEVY_CODEC_ORIGINS="+b.TemporalUI,
		"LEVY_PROFILES=true",
		"LEVY_WORKER_BUILD_ID=none", // a worker deployment version takes seconds to start; the tests of releases set it
	)
	if b.prepared == nil {
		b.Run("migrate")
		return
	}
	require.NoError(b.tb, worker.EnsureSchedules(ctx, b.Temporal(), workflows.Schedules())) // as `levy migrate` does
}

// makeFolder makes a folder that PostgreSQL's user, who is not root, can enter:
// t.TempDir is not one.
func (b *Bed) makeFolder() {
	dir, err := os.MkdirTemp("", "levy-testbed-*")
	require.NoError(b.tb, err)
	require.NoError(b.tb, os.Chmod(dir, 0o711))
	b.dir = dir
	b.tb.Cleanup(func() { _ = os.RemoveAll(dir) })
}

// share gives the bed a database of the shared PostgreSQL, and a Temporal server. Starting one takes less
// time than registering a namespace with a shared one, which would also keep working for tests that have ended.
func (b *Bed) share(ctx context.Context, o Options) {
	b.tb.Helper()
	server, err := sharedPostgres()
	require.NoError(b.tb, err, "the tests need PostgreSQL")
	name := fmt.Sprintf("levy_bed_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), bedCount.Add(1))
	template := os.Getenv(TemplateVariable)
	switch {
	case o.Program != "":
		template = "" // an earlier version begins with an earlier schema
	case !o.Compose: // Compose says how all is prepared
		b.prepared, err = installation()
		require.NoError(b.tb, err)
	}
	if b.prepared != nil {
		template = b.prepared.Database
	}
	address, drop, err := newDatabase(ctx, server, name, template)
	require.NoError(b.tb, err)
	b.tb.Cleanup(func() { _ = drop() })
	b.DatabaseURL = address
	program, err := temporalProgram()
	require.NoError(b.tb, err, "the tests need Temporal")
	started, err := temporal.Start(ctx, temporal.Config{
		Binary: program, Dir: filepath.Join(b.dir, "temporal"), Fast: true,
		Headless: !o.UI, SearchAttributes: searchAttributes(),
	})
	require.NoError(b.tb, err)
	b.tb.Cleanup(func() {
		started.Signal(syscall.SIGKILL)
		_ = started.Stop(context.Background())
		b.logTemporal()
	})
	b.TemporalAddress, b.TemporalUI = started.Address, started.UIURL
}

// ServiceURL is the address of the database for the login by which processes serve.
func (b *Bed) ServiceURL() string { return b.serviceURL }

// TB is the test that the bed belongs to.
func (b *Bed) TB() testing.TB { return b.tb }

// Eventually waits until the condition holds and fails the test when it does not
// in time. The failure contains the last error of the condition.
func (b *Bed) Eventually(what string, condition func(context.Context) (bool, error)) {
	b.tb.Helper()
	b.EventuallyWithin(WaitLimit, what, condition)
}

// EventuallyWithin is Eventually with another timeout.
func (b *Bed) EventuallyWithin(timeout time.Duration, what string, condition func(context.Context) (bool, error)) {
	b.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for pause := shortestPause; ; pause = min(pause*3/2, longestPause) {
		ok, err := condition(ctx)
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			require.FailNow(b.tb, "it did not happen in time: "+what, "last error: %v", err)
		case <-time.After(pause):
		}
	}
}

// Pauses between two checks of a condition. They grow, so that the checks do not slow down what is waited for.
const shortestPause, longestPause = 10 * time.Millisecond, 300 * time.Millisecond
