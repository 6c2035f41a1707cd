// Command servers runs a command with the PostgreSQL and the Temporal server that
// the tests share: `go run ./test/servers go test ./...`. Tests that harm a server
// start one of their own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"levy/local"
	"levy/store/storetest"
	"levy/test/testbed"
	"levy/workflows"
)

// setUpTimeout covers building the Temporal server on a fresh machine.
const setUpTimeout = 20 * time.Minute

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: servers COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command []string) (err error) {
	setUp, cancel := context.WithTimeout(ctx, setUpTimeout)
	defer cancel()
	// Fast: the databases of tests need not survive a power cut.
	pg, err := local.StartPostgres(setUp, local.PostgresConfig{Fast: true, Out: os.Stderr})
	if err != nil {
		return fmt.Errorf("the tests need PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, pg.Stop(context.WithoutCancel(ctx))) }()
	bin, err := local.BinDir()
	if err != nil {
		return err
	}
	program, err := local.EnsureTemporal(setUp, bin, os.Stderr)
	if err != nil {
		return fmt.Errorf("the tests need Temporal: %w", err)
	}
	attributes := map[string]string{}
	for name, valueType := range workflows.SearchAttributes() {
		attributes[name] = valueType.String()
	}
	temporal, err := local.StartTemporal(setUp, local.TemporalConfig{Binary: program, Headless: true, SearchAttributes: attributes})
	if err != nil {
		return fmt.Errorf("the tests need Temporal: %w", err)
	}
	defer func() { err = errors.Join(err, temporal.Stop(context.WithoutCancel(ctx))) }()

	programs, err := os.MkdirTemp("", "levy-programs-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(programs)) }()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), storetest.AddressVariable+"="+pg.URL(""), testbed.TemporalVariable+"="+temporal.Address, testbed.ProgramsVariable+"="+programs)
	return cmd.Run()
}
