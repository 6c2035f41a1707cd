package testbed

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
	"levy/store/storetest"
	"levy/test/overlay"
	"levy/workflows"
)

// setUpTimeout covers building the Temporal server on a fresh machine.
const setUpTimeout = 15 * time.Minute

// Main runs the tests of a package and then stops what they shared.
func Main(m *testing.M) {
	code := m.Run()
	ctx := context.Background()
	for _, stop := range shared.stops {
		if err := stop(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "testbed:", err)
		}
	}
	os.Exit(code)
}

// shared is what all beds of a test binary use, each made at first use.
var shared struct {
	mu    sync.Mutex
	stops []func(context.Context) error
}

func stopAtEnd(stop func(context.Context) error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.stops = append(shared.stops, stop)
}

// sharedPostgres is the address of a PostgreSQL that no test may stop or break.
var sharedPostgres = sync.OnceValues(func() (string, error) {
	if address := os.Getenv(storetest.AddressVariable); address != "" {
		return address, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	// Fast: these databases need not survive a power cut.
	pg, err := postgres.Start(ctx, postgres.Config{Fast: true, Out: os.Stderr})
	if err != nil {
		return "", err
	}
	stopAtEnd(pg.Stop)
	return pg.URL(""), nil
})

var temporalProgram = sync.OnceValues(func() (string, error) {
	bin, err := local.BinDir()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	return temporal.Ensure(ctx, bin, os.Stderr)
})

var temporalServerPrograms = sync.OnceValues(func() (temporal.Programs, error) {
	bin, err := local.BinDir()
	if err != nil {
		return temporal.Programs{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	return temporal.EnsureServer(ctx, bin, os.Stderr)
})

// searchAttributes as the launcher takes them: name to type.
func searchAttributes() map[string]string {
	types := map[string]string{}
	for name, valueType := range workflows.SearchAttributes() {
		types[name] = valueType.String()
	}
	return types
}

// newDatabase creates a database on a server: an empty one, or a copy of a template.
func newDatabase(ctx context.Context, server, name, template string) (address string, drop func() error, err error) {
	execute := func(ctx context.Context, sql string) error {
		conn, err := pgx.Connect(ctx, server)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, sql)
		return err
	}
	quoted := pgx.Identifier{name}.Sanitize()
	create := "CREATE DATABASE " + quoted
	if template != "" {
		create += " TEMPLATE " + pgx.Identifier{template}.Sanitize() + " STRATEGY FILE_COPY"
	}
	if err := execute(ctx, create); err != nil {
		return "", nil, err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, errors.New("the address of the test database is not a URL") // it may hold a password
	}
	u.Path = "/" + name
	return u.String(), func() error {
		return execute(context.Background(), "DROP DATABASE IF EXISTS "+quoted+" WITH (FORCE)")
	}, nil
}

var (
	plainProgram = sync.OnceValues(func() (string, error) { return build("levy") })
	chaosProgram = sync.OnceValues(func() (string, error) { return build("levy-chaos", "-tags", "chaos") })
)

// Variant builds the service with other code at some places, such as an
// incompatible release.
func Variant(name string, edits ...overlay.Edit) (program string, err error) {
	dir, err := os.MkdirTemp("", "levy-variant-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path, err := overlay.Write(dir, edits...)
	if err != nil {
		return "", err
	}
	return build(name, "-overlay", path)
}

// ProgramsVariable names a folder in which test binaries share the programs that they
// build: linking one takes some seconds.
const ProgramsVariable = "LEVY_TEST_PROGRAMS"

// build compiles the service.
func build(name string, flags ...string) (string, error) {
	dir := os.Getenv(ProgramsVariable)
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "levy-program-*"); err != nil {
			return "", err
		}
		stopAtEnd(func(context.Context) error { return os.RemoveAll(dir) })
	}
	program := filepath.Join(dir, name)
	lock, err := os.OpenFile(program+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { //nolint:gosec // a descriptor is small
		return "", err
	}
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	// Without its tables for debuggers a program is linked in half the time.
	cmd := exec.Command("go", append(append([]string{"build", "-ldflags=-w"}, flags...), "-o", program+".new",
		"levy/cmd/levy")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build levy: %w\n%s", err, out)
	}
	return program, os.Rename(program+".new", program)
}
