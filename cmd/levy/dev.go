package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"levy/local"
)

type devCmd struct {
	Home           string `name:"home" var:"LEVY_HOME" default:".levy" placeholder:"FOLDER" help:"State folder: data, logs, keys and dev.json."`
	TemporalPort   int    `name:"temporal-port" var:"LEVY_TEMPORAL_PORT" default:"7233" help:"Port of the Temporal server that dev runs; 0 takes a free one."`
	TemporalUIPort int    `name:"temporal-ui-port" var:"LEVY_TEMPORAL_UI_PORT" default:"8233" help:"Port of the Temporal UI that dev runs; 0 takes a free one."`
}

// devRetention is how long staff can read a finished workflow.
const devRetention = 30 * 24 * time.Hour

// Run brings everything up, keeps it up until the program is told to end, and
// takes it down again.
func (c *devCmd) Run(p *program) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return newDev(c, p, self, migrate, bootstrap).run()
}

// dev is one running `levy dev`.
type dev struct {
	*devCmd
	*program
	self      string // the file of this program, which also is the API and the worker
	migrate   func(context.Context, Config, io.Writer) error
	bootstrap func(context.Context, Config, credentials) (credentials, error)

	state       *state
	credentials credentials
	mu          sync.Mutex // guards what restarted services change below
	postgres    *local.Postgres
	temporal    *local.Temporal
	services    []*service // in the order of starting; stopped in reverse
}

func newDev(c *devCmd, p *program, self string, migrate func(context.Context, Config, io.Writer) error, bootstrap func(context.Context, Config, credentials) (credentials, error)) *dev {
	own := *p
	own.stdout = &lockedWriter{w: p.stdout}
	return &dev{devCmd: c, program: &own, self: self, migrate: migrate, bootstrap: bootstrap}
}

func (d *dev) run() (err error) {
	if err := address("LEVY_HTTP_ADDR", d.config.HTTPAddr); err != nil {
		return err
	}
	if d.state, err = openState(d.Home); err != nil {
		return err
	}
	defer d.state.close()
	if err := d.choosePorts(); err != nil {
		return err
	}
	begin := time.Now()
	ctx, fail := context.WithCancelCause(d.ctx)
	defer fail(nil)
	err = d.start(ctx)
	if err == nil {
		fmt.Fprint(d.stdout, d.table(time.Since(begin)))
		var wait sync.WaitGroup
		for _, s := range d.services {
			wait.Go(func() { s.keepUp(ctx, fail) })
		}
		<-ctx.Done()
		wait.Wait()
		err = context.Cause(ctx)
	}
	stopped := d.stop()
	if d.ctx.Err() != nil { // asked to end: whatever failed meanwhile did so because of that
		return stopped
	}
	return errors.Join(err, stopped)
}

// start brings everything up in order: stores first, then the schema and the
// first organization, then the processes that use them.
func (d *dev) start(ctx context.Context) error {
	stores := []*service{}
	if d.config.DatabaseURL == "" {
		stores = append(stores, d.service("PostgreSQL", d.startPostgres))
	}
	if d.config.TemporalAddress == "" {
		stores = append(stores, d.service("Temporal", d.startTemporal))
	}
	if err := d.startTogether(ctx, stores); err != nil {
		return err
	}
	if err := d.prepareConfig(); err != nil {
		return err
	}
	begin := time.Now()
	log, err := d.state.openLog("dev")
	if err != nil {
		return err
	}
	defer log.Close()
	if err := d.migrate(ctx, d.config, log); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if d.credentials, err = d.bootstrap(ctx, d.config, d.state.known); err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	d.say("%-10s migrated, first organization %s (%s)", "Records", d.credentials.OrganizationID, since(begin))
	if err := d.startTogether(ctx, []*service{d.service("Worker", d.startWorker), d.service("API", d.startAPI)}); err != nil {
		return err
	}
	return d.publish()
}

// prepareConfig completes the configuration that the processes get.
func (d *dev) prepareConfig() error {
	if d.postgres != nil {
		d.config.DatabaseURL = Secret(d.postgres.URL(""))
	}
	if d.temporal != nil {
		d.config.TemporalAddress = d.temporal.Address
	}
	if d.config.MasterKeys == "" {
		keys, err := d.state.masterKeys()
		if err != nil {
			return err
		}
		d.config.MasterKeys = keys
	}
	return d.config.validate(needHTTP, needDatabase, needTemporal, needMasterKeys)
}

// choosePorts makes sure that the known ports can be used, before anything is
// started, and fixes those that are to be chosen.
func (d *dev) choosePorts() error {
	var err error
	if d.config.HTTPAddr, err = claim(d.ctx, "LEVY_HTTP_ADDR", d.config.HTTPAddr); err != nil {
		return err
	}
	// The token is in the Temporal UI's configuration; it keeps other web pages
	// from having payloads decoded.
	d.config.CodecToken = Secret(rand.Text())
	if d.config.TemporalAddress != "" {
		return nil
	}
	for _, p := range []struct {
		name string
		port *int
	}{{"LEVY_TEMPORAL_PORT", &d.TemporalPort}, {"LEVY_TEMPORAL_UI_PORT", &d.TemporalUIPort}} {
		addr, err := claim(d.ctx, p.name, net.JoinHostPort("127.0.0.1", strconv.Itoa(*p.port)))
		if err != nil {
			return err
		}
		_, port, _ := net.SplitHostPort(addr)
		if *p.port, err = strconv.Atoi(port); err != nil {
			return err
		}
	}
	if len(d.config.CodecOrigins) == 0 {
		d.config.CodecOrigins = []string{fmt.Sprintf("http://127.0.0.1:%d", d.TemporalUIPort), fmt.Sprintf("http://localhost:%d", d.TemporalUIPort)}
	}
	return nil
}

// claim checks that addr can be listened on and replaces port 0 by a free one. It
// waits a moment, because processes of a killed levy need one to disappear.
func claim(ctx context.Context, variable, addr string) (string, error) {
	giveUp := time.After(3 * time.Second)
	for {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			defer l.Close()
			host, _, _ := net.SplitHostPort(addr)
			_, port, _ := net.SplitHostPort(l.Addr().String())
			return net.JoinHostPort(host, port), nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return "", fmt.Errorf("%s: %w", variable, err)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-giveUp:
			return "", fmt.Errorf("%s is in use by another program: set %s to a free address or port", addr, variable)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func (d *dev) startPostgres(ctx context.Context) (running, error) {
	pg, err := local.StartPostgres(ctx, local.PostgresConfig{
		Dir:         d.state.path("postgres"),
		BinariesDir: d.state.path("postgres-binaries"),
		Log:         d.state.logPath("postgres"),
		Out:         d.stdout,
	})
	if err != nil {
		return nil, err
	}
	if pg.Relocated && d.postgres == nil {
		d.say("%-10s keeps its data in %s, because its user cannot enter %s", "PostgreSQL", pg.ClusterDir, d.state.dir)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.postgres = pg
	return pg, nil
}

func (d *dev) startTemporal(ctx context.Context) (running, error) {
	binary, err := local.EnsureTemporal(ctx, d.state.path("bin"), d.stdout)
	if err != nil {
		return nil, err
	}
	server, err := local.StartTemporal(ctx, local.TemporalConfig{
		Binary: binary, Dir: d.state.path("temporal"), Log: d.state.logPath("temporal"),
		Port: d.TemporalPort, UIPort: d.TemporalUIPort,
		Namespace: d.config.TemporalNamespace, Retention: devRetention,
		CodecEndpoint:    d.baseURL() + "/codec/" + d.config.CodecToken.Reveal(),
		SearchAttributes: searchAttributes(),
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.temporal = server
	return server, nil
}

func (d *dev) startAPI(ctx context.Context) (running, error) {
	return d.startChild(ctx, "api", d.config.PrivateAddr, reachable(d.config.HTTPAddr))
}

func (d *dev) startWorker(ctx context.Context) (running, error) {
	private, err := claim(ctx, "LEVY_PRIVATE_ADDR", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return d.startChild(ctx, "worker", private, private)
}

// child is an api or worker process.
type child struct {
	*local.Process
	grace time.Duration
}

// Stop lets the process finish what it does.
func (c *child) Stop(ctx context.Context) error {
	return c.Process.Stop(ctx, syscall.SIGTERM, c.grace)
}

// startChild runs a subcommand of this program with its settings in the
// environment, where other users cannot read them, and waits until /readyz of the
// address ready answers.
func (d *dev) startChild(ctx context.Context, command, private, ready string) (running, error) {
	log, err := d.state.openLog(command)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(d.self, command)
	cmd.Env = slices.Concat(d.env, d.config.environment(private))
	cmd.Stdout, cmd.Stderr = log, log
	process, err := local.StartProcess(cmd, syscall.SIGKILL)
	if err != nil {
		return nil, err
	}
	c := &child{process, d.config.ShutdownGrace + 10*time.Second}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := askReady(ctx, ready)
		if err == nil {
			return c, nil
		}
		select {
		case <-process.Done():
			return nil, fmt.Errorf("levy %s ended (%s); the end of %s:\n%s", command, process.Outcome(), log.Name(), d.state.logTail(command))
		case <-ctx.Done():
			_ = process.Stop(context.Background(), syscall.SIGTERM, time.Second)
			return nil, fmt.Errorf("levy %s did not become ready: %w", command, errors.Join(ctx.Err(), err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop takes everything down, users before what they use: the API drains first,
// PostgreSQL ends last. A second signal makes
// it quick; nothing that was accepted is lost then either.
func (d *dev) stop() error {
	if len(d.services) == 0 {
		return nil
	}
	fmt.Fprintln(d.stdout, "\nStopping; press Ctrl-C again to stop at once.")
	ctx, cancel := signal.NotifyContext(context.WithoutCancel(d.ctx), endSignals()...)
	defer cancel()
	var errs []error
	for i := len(d.services) - 1; i >= 0; i-- {
		errs = append(errs, d.services[i].stop(ctx))
	}
	if err := d.state.retire(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (d *dev) baseURL() string { return "http://" + reachable(d.config.HTTPAddr) }

func (d *dev) say(format string, args ...any) { fmt.Fprintf(d.stdout, format+"\n", args...) }

// lockedWriter keeps lines of services that report at the same time apart.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

func since(t time.Time) string { return fmt.Sprintf("%.1f s", time.Since(t).Seconds()) }

// environment is the configuration as variables for a child process.
func (c Config) environment(private string) []string {
	return []string{
		"LEVY_HTTP_ADDR=" + c.HTTPAddr,
		"LEVY_PRIVATE_ADDR=" + private,
		"LEVY_SHUTDOWN_GRACE=" + c.ShutdownGrace.String(),
		"LEVY_DATABASE_URL=" + c.DatabaseURL.Reveal(),
		"LEVY_DATABASE_CONNECTIONS=" + strconv.Itoa(int(c.DatabaseConnections)),
		"LEVY_TEMPORAL_ADDRESS=" + c.TemporalAddress,
		"LEVY_TEMPORAL_NAMESPACE=" + c.TemporalNamespace,
		"LEVY_WORKER_CONCURRENCY=" + strconv.Itoa(c.WorkerConcurrency),
		"LEVY_MASTER_KEYS=" + c.MasterKeys.Reveal(),
		"LEVY_CODEC_TOKEN=" + c.CodecToken.Reveal(),
		"LEVY_CODEC_ORIGINS=" + strings.Join(c.CodecOrigins, ","),
		"LEVY_LOG_LEVEL=" + c.LogLevel.String(),
		"LEVY_LOG_FORMAT=" + c.LogFormat,
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.OTLPEndpoint,
	}
}
