package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"levy/store/storetest"
)

// actAs makes the test binary run as levy in a process of its own. `dev` is the real one with simple records, `api` and
// `worker` answer /readyz and /pid.
const actAs = "LEVY_TEST_ACT"

const (
	actPlain    = "plain"
	actBroken   = "broken"   // the worker cannot start
	actStubborn = "stubborn" // the worker does not stop on request
	actAsItself = "levy"     // the whole command line, as PostgreSQL calls it
)

func TestMain(m *testing.M) {
	if os.Getenv(actAs) == "" {
		storetest.Main(m)
	}
	if err := act(os.Getenv(actAs), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "levy:", err)
		os.Exit(1)
	}
}

func act(how, command string) error {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	context.AfterFunc(ctx, stop)
	if how == actAsItself {
		env := slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, actAs+"=") })
		return run(ctx, os.Args[1:], env, os.Stdout, os.Stderr)
	}
	switch command {
	case "dev":
		return actDev(ctx)
	case "api":
		return answer(ctx, os.Getenv("LEVY_HTTP_ADDR"))
	}
	if how == actBroken {
		return fmt.Errorf("nothing works here")
	}
	if how == actStubborn {
		signal.Ignore(syscall.SIGTERM)
	}
	return answer(ctx, os.Getenv("LEVY_PRIVATE_ADDR"))
}

func answer(ctx context.Context, addr string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/pid", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, os.Getpid()) })
	server := &http.Server{Addr: addr, Handler: mux}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// actDev runs levy dev without migration, and with a stub of the bootstrap.
func actDev(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	env := os.Environ()
	temporalPort, _ := strconv.Atoi(os.Getenv("LEVY_TEMPORAL_PORT"))
	c := &devCmd{Home: os.Getenv("LEVY_HOME"), TemporalPort: temporalPort}
	p := &program{
		ctx: ctx, env: env, stdout: os.Stdout, stderr: os.Stderr,
		config: testConfig(os.Getenv("LEVY_HTTP_ADDR")),
	}
	bootstrap := func(_ context.Context, _ Config, known credentials) (credentials, error) {
		if known.APIKey != "" {
			return known, nil
		}
		return credentials{OrganizationID: "org_" + rand.Text(), APIKey: rand.Text(), OperatorKey: rand.Text()}, nil
	}
	d := newDev(c, p, self, bootstrap)
	d.resume = func(context.Context, Config) error {
		_, err := fmt.Fprintln(p.stdout, "What waited is due.")
		return err
	}
	return d.run()
}
