// Command servers runs a command with the PostgreSQL that the tests share, and with the program of the Temporal servers
// that they start: `go run ./test/servers go test ./...`. Tests that stop or break PostgreSQL start one of their own.
// Files of tests are in memory where Linux has enough of it.
//
// It prints the output of `go test`, then the tests that were skipped on this machine with the reason. The last line
// has the numbers of tests and subtests that passed, failed and were skipped. A skipped test that
// another target of make runs is a failure if skips.txt does not name it. If CI is true, each other skip is one too, and
// the ten slowest tests are listed. If LEVY_TEST_CPU is true, it also prints the CPU time of the tests of each package,
// including all processes that they started.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
	"levy/store/storetest"
	"levy/test/testbed"
)

// setUpTimeout covers building the Temporal server on a fresh machine.
const setUpTimeout = 20 * time.Minute

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: servers COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	if os.Args[1] == meterCommand {
		os.Exit(meter(os.Args[2], os.Args[3:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		if !errors.Is(err, errSkipped) { // skips are reported already
			fmt.Fprintln(os.Stderr, "servers:", err)
		}
		os.Exit(1)
	}
}

// command is what runs: a program with its arguments.
type command []string

func run(ctx context.Context, c command) (err error) {
	setUp, cancel := context.WithTimeout(ctx, setUpTimeout)
	defer cancel()
	remove, err := temporaryFolders()
	if err != nil {
		return fmt.Errorf("a folder in memory for the tests: %w", err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	// Fast: the databases of tests need not survive a power cut.
	pg, err := postgres.Start(setUp, postgres.Config{Fast: true, Out: os.Stderr})
	if err != nil {
		return fmt.Errorf("the tests need PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, costOf(func() error { return pg.Stop(context.WithoutCancel(ctx)) })) }()
	if err := commitWithoutWaiting(setUp, pg.URL("")); err != nil {
		return fmt.Errorf("set up the PostgreSQL that tests share: %w", err)
	}
	bin, err := local.BinDir()
	if err != nil {
		return err
	}
	if _, err := temporal.Ensure(setUp, bin, os.Stderr); err != nil {
		return fmt.Errorf("the tests need Temporal: %w", err)
	}
	programs, err := os.MkdirTemp("", "levy-programs-*")
	if err != nil {
		return err
	}
	if err := os.Chmod(programs, 0o711); err != nil { // PostgreSQL's user, who is not root, must enter it
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(programs)) }()
	template, err := storetest.NewTemplate(setUp, pg.URL(""))
	if err != nil {
		return fmt.Errorf("migrate the database that tests copy: %w", err)
	}
	ofBeds, err := testbed.NewTemplate(setUp, pg.URL(""), template)
	if err != nil {
		return fmt.Errorf("make the database that beds copy: %w", err)
	}
	env := append(os.Environ(), storetest.AddressVariable+"="+pg.URL(""), storetest.TemplateVariable+"="+template,
		testbed.TemplateVariable+"="+ofBeds, testbed.ProgramsVariable+"="+programs)
	if !c.runsTests() {
		cmd := newCommand(ctx, c, env)
		cmd.Stdout = os.Stdout
		return cmd.Run()
	}
	measured, printCost, err := measure(c, programs)
	if err != nil {
		return err
	}
	defer printCost()
	return runTests(ctx, measured, env)
}

// commitWithoutWaiting has a server write its log some milliseconds after a commit. Nothing is lost by it, because
// nobody kills the server that tests share, and it takes an eighth less CPU time.
func commitWithoutWaiting(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range []string{"ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// temporaryFolders puts temporary files into memory if the machine has enough of it. Files of compilers stay on the
// disk: they are large, and written once.
func temporaryFolders() (remove func() error, err error) {
	dir, remove, err := memoryFolder()
	if err != nil || dir == "" {
		return remove, err
	}
	if os.Getenv("GOTMPDIR") == "" {
		err = os.Setenv("GOTMPDIR", os.TempDir())
	}
	return remove, errors.Join(err, os.Setenv("TMPDIR", dir))
}

func newCommand(ctx context.Context, c command, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c[0], c[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env, cmd.Stderr = env, os.Stderr
	return cmd
}

// runsTests reports whether a command is `go test` as people read it.
func (c command) runsTests() bool {
	return len(c) > 1 && strings.TrimSuffix(filepath.Base(c[0]), ".exe") == "go" && c[1] == "test" &&
		!slices.Contains(c, "-json")
}

// with is `go test` with flags before its own.
func (c command) with(flags ...string) command { return slices.Insert(slices.Clone(c), 2, flags...) }

// errSkipped is that a test was skipped which had to be run.
var errSkipped = errors.New("tests were skipped")

// runTests runs `go test` and reports how it ended. Errors: that of the command, also when it failed in a way that no
// test reports; errSkipped.
func runTests(ctx context.Context, c command, env []string) error {
	may, err := maySkip(expectedSkips)
	if err != nil {
		return err
	}
	o := newOutcome(os.Stdout, slices.Contains(c, "-v"))
	err = o.follow(newCommand(ctx, c.with("-json"), env))
	ci, _ := strconv.ParseBool(os.Getenv("CI"))
	if refused := o.conclude(may, ci, err == nil); refused && err == nil {
		err = errSkipped
	}
	return err
}

// follow runs a `go test -json` and takes its events. Errors: those of the command and of reading what it prints.
func (o *outcome) follow(cmd *exec.Cmd) error {
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read := o.read(events)
	return errors.Join(cmd.Wait(), read)
}
