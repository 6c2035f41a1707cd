package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/internal/local/localtest"
)

func TestMain(m *testing.M) {
	if localtest.Launched(launch) {
		return
	}
	made, err := os.MkdirTemp("", "levy-made-*")
	if err == nil {
		err = os.Chmod(made, 0o755) // the user of the server passes through
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(made)
	madeState = filepath.Join(made, "postgres")
	m.Run()
}

func launch(ctx context.Context, c Config) (localtest.Started, func(context.Context) error, error) {
	p, err := Start(ctx, c)
	if err != nil {
		return localtest.Started{}, nil, err
	}
	return localtest.Started{PID: p.PID(), URL: p.URL(""), Relocated: p.Relocated}, p.Stop, nil
}

// makeState makes a state folder with a cluster, without a port, at madeState. That takes several times the CPU time of
// a copy.
var (
	madeState string
	makeState = sync.OnceValue(func() error {
		ctx := context.Background()
		p, err := Start(ctx, Config{Dir: madeState, Fast: true})
		if err != nil {
			return err
		}
		return errors.Join(p.Stop(ctx), forgetPort(filepath.Join(p.folder.Dir, "cluster.json")))
	})
)

// forgetPort lets each copy of a state folder take a port of its own.
func forgetPort(record string) error {
	content, err := os.ReadFile(record)
	if err != nil {
		return err
	}
	return os.WriteFile(record, regexp.MustCompile(`"port": \d+`).ReplaceAll(content, []byte(`"port": 0`)), 0o600)
}

// stateFolder is a state folder with a cluster.
func stateFolder(t *testing.T) string {
	t.Helper()
	require.NoError(t, makeState())
	dir := filepath.Join(openFolder(t), "postgres")
	out, err := exec.Command("cp", "-a", madeState, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

func TestPostgresKeepsDataPortAndPasswordOverRestarts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := stateFolder(t)
	first := startPostgres(t, Config{Dir: dir})
	execute(t, first.URL(""), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (42)")
	require.NoError(t, first.Stop(ctx))
	localtest.RequireGone(t, first.PID())

	second := startPostgres(t, Config{Dir: dir})
	require.Equal(t, first.URL(""), second.URL(""))
	require.Equal(t, 42, number(t, second.URL(""), "SELECT n FROM kept"))
}

func TestPostgresIsDurableUnlessFast(t *testing.T) {
	t.Parallel()
	setting := func(url, name string) int {
		return number(t, url, "SELECT (setting = 'on')::int FROM pg_settings WHERE name = '"+name+"'")
	}
	durable := startPostgres(t, Config{Dir: stateFolder(t)})
	fast := startPostgres(t, Config{Dir: stateFolder(t), Fast: true})
	for _, name := range []string{"fsync", "full_page_writes"} {
		require.Equal(t, 1, setting(durable.URL(""), name), name)
		require.Equal(t, 0, setting(fast.URL(""), name), name)
	}
	require.Equal(t, 1, setting(fast.URL(""), "synchronous_commit"), "a kill of the server loses nothing")
}

func TestPostgresRefusesOtherPasswords(t *testing.T) {
	t.Parallel()
	p := startPostgres(t, Config{Dir: stateFolder(t), Fast: true})
	config, err := pgx.ParseConfig(p.URL(""))
	require.NoError(t, err)
	config.Password = "guess"
	_, err = pgx.ConnectConfig(t.Context(), config)
	require.Error(t, err)
}

func TestTemporaryPostgresLeavesNothing(t *testing.T) {
	t.Parallel()
	p := startPostgres(t, Config{Fast: true})
	require.NoError(t, p.Stop(t.Context()))
	require.NoDirExists(t, p.folder.Dir)
	require.NoDirExists(t, p.ClusterDir)
}

func TestSecondPostgresOnTheSameFolderIsRefused(t *testing.T) {
	t.Parallel()
	dir := stateFolder(t)
	startPostgres(t, Config{Dir: dir, Fast: true})
	_, err := Start(t.Context(), Config{Dir: dir, Fast: true})
	require.ErrorIs(t, err, local.ErrLocked)
}

func TestPostgresEndsWithItsKilledParentAndStartsAgain(t *testing.T) {
	t.Parallel()
	dir := stateFolder(t)
	h := localtest.StartLauncher(t, Config{Dir: dir}, nil)
	execute(t, h.URL, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
	h.Kill()
	// Immediately, while the old server may still be shutting down.
	p := startPostgres(t, Config{Dir: dir})
	localtest.RequireGone(t, h.PID)
	require.Equal(t, 7, number(t, p.URL(""), "SELECT n FROM kept"))
}

func TestPostgresRecoversFromKilledServers(t *testing.T) {
	t.Parallel()
	dir := stateFolder(t)
	p := startPostgres(t, Config{Dir: dir})
	execute(t, p.URL(""), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
	p.Signal(syscall.SIGKILL)
	<-p.Done()
	require.Error(t, p.Err())
	require.NoError(t, p.Stop(t.Context()))
	// The noted process id now belongs to a living process of the same user.
	stranger := exec.Command("sleep", "60")
	user, err := unprivileged(p.ClusterDir)
	require.NoError(t, err)
	stranger.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	require.NoError(t, stranger.Start())
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })
	noted := filepath.Join(p.ClusterDir, "data", pidFile)
	content, err := os.ReadFile(noted)
	require.NoError(t, err)
	content = append([]byte(strconv.Itoa(stranger.Process.Pid)), content[len(strconv.Itoa(p.PID())):]...)
	require.NoError(t, os.WriteFile(noted, content, 0o600))

	again := startPostgres(t, Config{Dir: dir})
	require.Equal(t, 7, number(t, again.URL(""), "SELECT n FROM kept"))
	require.True(t, localtest.Alive(stranger.Process.Pid), "a process that is no PostgreSQL was stopped")
}

func TestPostgresLeftRunningIsStoppedFirst(t *testing.T) {
	t.Parallel()
	dir := stateFolder(t)
	p := startPostgres(t, Config{Dir: dir})
	execute(t, p.URL(""), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
	p.folder.Lock.Unlock() // as if the launcher had died and the server had not noticed

	again := startPostgres(t, Config{Dir: dir})
	localtest.RequireGone(t, p.PID())
	require.Equal(t, 7, number(t, again.URL(""), "SELECT n FROM kept"))
}

func TestPostgresTakesAnotherPortWhenItsOwnIsTaken(t *testing.T) {
	t.Parallel()
	dir := stateFolder(t)
	p := startPostgres(t, Config{Dir: dir, Fast: true})
	require.NoError(t, p.Stop(t.Context()))
	localtest.Occupy(t, p.Port)
	again := startPostgres(t, Config{Dir: dir, Fast: true})
	require.NotEqual(t, p.Port, again.Port)
	require.Equal(t, 1, number(t, again.URL(""), "SELECT 1"))
}

func TestUnfinishedClusterIsBuiltAnew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openFolder(t), "postgres")
	require.NoError(t, local.MakeFolder(filepath.Join(dir, "cluster", "data.new")))
	p := startPostgres(t, Config{Dir: dir, Fast: true})
	require.False(t, p.Relocated, "root's folder lets the user of the server pass")
	info, err := os.Stat(p.ClusterDir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Equal(t, 1, number(t, p.URL(""), "SELECT 1"))
}

func TestRootPutsTheClusterWhereItsUserCanEnter(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	dir := filepath.Join(t.TempDir(), "postgres") // inside a folder of mode 0700
	first := startPostgres(t, Config{Dir: dir, Fast: true})
	t.Cleanup(func() { _ = os.RemoveAll(first.ClusterDir) })
	require.True(t, first.Relocated)
	execute(t, first.URL(""), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
	require.NoError(t, first.Stop(t.Context()))
	require.DirExists(t, first.ClusterDir)

	second := startPostgres(t, Config{Dir: dir, Fast: true})
	require.Equal(t, first.ClusterDir, second.ClusterDir)
	require.Equal(t, 7, number(t, second.URL(""), "SELECT n FROM kept"))
}

func TestOrdinaryUserRunsPostgres(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	nobody := &syscall.Credential{Uid: 65534, Gid: 65534, Groups: []uint32{}}
	dir, err := os.MkdirTemp("/var/tmp", "levy-home-*") //nolint:usetesting // that user cannot enter t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chown(dir, int(nobody.Uid), int(nobody.Gid)))
	require.NoError(t, os.Chmod(dir, 0o700))
	config := Config{Dir: filepath.Join(dir, "postgres")}
	h := localtest.StartLauncher(t, config, nobody)
	require.False(t, h.Relocated)
	execute(t, h.URL, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
	h.Kill()
	localtest.RequireGone(t, h.PID)

	again := localtest.StartLauncher(t, config, nobody)
	require.Equal(t, 7, number(t, again.URL, "SELECT n FROM kept"))
	again.Stop(t)
	localtest.RequireGone(t, again.PID)
}

// openFolder is a temporary folder that other users can pass through.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	return dir
}

func startPostgres(t *testing.T, c Config) *Server {
	t.Helper()
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Stop(context.Background())) })
	return p
}

func execute(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	for _, s := range statements {
		_, err := conn.Exec(t.Context(), s)
		require.NoError(t, err)
	}
}

func number(t *testing.T, url, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&n))
	return n
}

// onlyRoot ends a test about what root's rights change; for an ordinary user
// there is nothing to test.
func onlyRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("about running as root")
	}
}
