package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
)

type devCmd struct {
	Home           string `name:"home" var:"LEVY_HOME" default:".levy" placeholder:"FOLDER" help:"State folder: data, logs, keys and dev.json."`
	TemporalPort   int    `name:"temporal-port" var:"LEVY_TEMPORAL_PORT" default:"7233" help:"Port of the Temporal server that dev runs; 0 takes a free one."`
	TemporalUIPort int    `name:"temporal-ui-port" var:"LEVY_TEMPORAL_UI_PORT" default:"8233" help:"Port of the Temporal UI that dev runs; 0 takes a free one."`
}

// Run brings everything up, keeps it up until the program receives a signal to end, and
// takes it down again.
func (c *devCmd) Run(p *program) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	d := newDev(c, p, self, bootstrap)
	d.register, d.invite, d.resume = registerInTemporal, inviteDevPeople, requeueAll
	d.migrate = func(ctx context.Context, cfg Config, logTo io.Writer) error {
		_, err := migrateDatabase(ctx, cfg, logTo, io.Discard)
		return err
	}
	return d.run()
}

// dev is one running `levy dev`.
type dev struct {
	*devCmd
	*program
	self      string // the file of this program, which also is the API and the worker
	bootstrap func(context.Context, Config, credentials) (credentials, error)

	// nil: nothing is done
	migrate  func(context.Context, Config, io.Writer) error // the database
	register func(context.Context, Config, io.Writer) error // search attributes and schedules of Temporal
	invite   func(ctx context.Context, cfg Config, organizationID string) (devLinks, error)
	resume   func(context.Context, Config) error // makes due all that waited for Temporal

	state       *state
	owner       Secret // address of the own PostgreSQL for who owns the tables
	credentials credentials
	keysFile    string // file of the master keys; empty if the environment has them
	links       devLinks
	ownTemporal bool
	mu          sync.Mutex // guards what restarted services change below
	postgres    *postgres.Server
	temporal    *temporal.Server
	starting    []string // services that do not answer yet, after the API does
	services    []*devService
}

func newDev(
	c *devCmd, p *program, self string, bootstrap func(context.Context, Config, credentials) (credentials, error),
) *dev {
	own := *p
	own.stdout = &lockedWriter{w: p.stdout}
	return &dev{devCmd: c, program: &own, self: self, bootstrap: bootstrap}
}

func (d *dev) run() (err error) {
	if err := address("LEVY_HTTP_ADDR", d.config.HTTPAddr); err != nil {
		return err
	}
	if d.config.TLSCert != "" || d.config.TLSKey != "" {
		return errors.New("levy dev asks its API without TLS: leave out LEVY_TLS_CERT and LEVY_TLS_KEY")
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
		keepUp := func(services ...*devService) {
			for _, s := range services {
				wait.Go(func() { s.keepUp(ctx, fail) })
			}
		}
		keepUp(d.services...)
		wait.Go(func() {
			if err := d.complete(ctx, begin, keepUp); err != nil {
				fail(err)
			}
		})
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

// start brings up what accepts and estimates: PostgreSQL, the schema, the first organization and the API. None of
// them needs Temporal, which may have to be built first.
func (d *dev) start(ctx context.Context) error {
	if d.config.DatabaseURL == "" {
		if err := d.startTogether(ctx, d.service("PostgreSQL", d.startPostgres)); err != nil {
			return err
		}
	}
	begin := time.Now()
	log, err := d.state.openLog("dev")
	if err != nil {
		return err
	}
	defer log.Close()
	if err := d.prepareConfig(ctx, log); err != nil {
		return err
	}
	if d.migrate != nil {
		if err := d.migrate(ctx, d.ownerConfig(), log); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	if d.credentials, err = d.bootstrap(ctx, d.config, d.state.known); err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	if d.invite != nil {
		if d.links, err = d.invite(ctx, d.config, d.credentials.OrganizationID); err != nil {
			return fmt.Errorf("people: %w", err)
		}
	}
	d.say("%-10s migrated, first organization %s (%s)", "Records", d.credentials.OrganizationID, since(begin))
	if err := d.startTogether(ctx, d.service("API", d.startAPI)); err != nil {
		return err
	}
	d.comes("Temporal", "Worker")
	if !d.ownTemporal {
		d.comes("Worker")
	}
	return d.publish()
}

// complete brings up what processes the accepted records: Temporal with what Levy registers there, and the worker.
// keepUp gets each service as soon as it answers.
func (d *dev) complete(ctx context.Context, begin time.Time, keepUp func(...*devService)) error {
	log, err := d.state.openLog("dev")
	if err != nil {
		return err
	}
	defer log.Close()
	if d.ownTemporal {
		own := d.service("Temporal", d.startTemporal)
		if err := d.startTogether(ctx, own); err != nil {
			return err
		}
		keepUp(own)
	}
	if d.register != nil {
		if err := d.register(ctx, d.config, log); err != nil {
			return fmt.Errorf("register in Temporal: %w", err)
		}
	}
	d.comes("Worker")
	worker := d.service("Worker", d.startWorker)
	if err := d.startTogether(ctx, worker); err != nil {
		return err
	}
	keepUp(worker)
	if d.resume != nil {
		if err := d.resume(ctx, d.config); err != nil {
			if ctx.Err() != nil {
				return err
			}
			fmt.Fprintf(d.stderr, "WARNING: what waited for Temporal goes on only within minutes: %v\n", err)
		}
	}
	d.comes()
	if err := d.publish(); err != nil {
		return err
	}
	fmt.Fprint(d.stdout, d.completed(time.Since(begin)))
	return nil
}

// comes notes which services are still to be started.
func (d *dev) comes(names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starting = names
}

// prepareConfig completes the configuration that the processes get.
func (d *dev) prepareConfig(ctx context.Context, log io.Writer) error {
	if d.postgres != nil {
		var err error
		if d.owner, d.config.DatabaseURL, err = devLogins(ctx, d.postgres.URL(""), log); err != nil {
			return err
		}
	}
	if d.ownTemporal {
		d.config.TemporalAddress = local.OnLoopback(d.TemporalPort)
	}
	if len(d.config.WebhookHosts) == 0 {
		d.config.WebhookHosts = []string{"localhost", "127.0.0.1", "::1"}
	}
	if d.config.MasterKeys == "" {
		keys, err := d.state.masterKeys()
		if err != nil {
			return err
		}
		d.config.MasterKeys, d.keysFile = keys, d.state.path(keysFile)
	}
	return d.config.validate(needHTTP, needDatabase, needTemporal, needMasterKeys)
}

// ownerConfig is the configuration of who migrates: of an own PostgreSQL it is the owner of the tables.
func (d *dev) ownerConfig() Config {
	c := d.config
	c.DatabaseURL = cmp.Or(d.owner, c.DatabaseURL)
	return c
}

// choosePorts makes sure that the known ports can be used, before anything is
// started, and fixes those that are to be chosen.
func (d *dev) choosePorts() error {
	var err error
	if d.config.HTTPAddr, err = claim(d.ctx, "LEVY_HTTP_ADDR", d.config.HTTPAddr); err != nil {
		return err
	}
	if d.ownTemporal = d.config.TemporalAddress == ""; !d.ownTemporal {
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
	// This process alone knows the token beside the API, see temporal.UI.
	d.config.CodecToken = Secret(rand.Text())
	d.config.CodecOrigins = append(
		slices.Clone(d.config.CodecOrigins),
		fmt.Sprintf("http://127.0.0.1:%d", d.TemporalUIPort), fmt.Sprintf("http://localhost:%d", d.TemporalUIPort),
	)
	return nil
}

// claim checks that addr can be listened on and replaces port 0 by a free one. It
// waits a moment, because processes of a killed levy need one to disappear.
func claim(ctx context.Context, variable, addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("%s: %w", variable, err)
	}
	if port == "0" {
		free, err := local.FreePort()
		if err != nil {
			return "", err
		}
		addr = net.JoinHostPort(host, strconv.Itoa(free))
	}
	giveUp := time.After(3 * time.Second)
	for {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			return addr, l.Close()
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

// stopOrder lists users before what they use: the API drains while Temporal answers, and PostgreSQL ends last.
var stopOrder = []string{"API", "Worker", "Temporal", "PostgreSQL"}

// stop takes everything down in stopOrder. A second signal makes it quick; nothing that was accepted is lost then
// either.
func (d *dev) stop() error {
	if len(d.services) == 0 {
		return nil
	}
	fmt.Fprintln(d.stdout, "\nStopping; press Ctrl-C again to stop at once.")
	ctx, cancel := signal.NotifyContext(context.WithoutCancel(d.ctx), endSignals()...)
	defer cancel()
	var errs []error
	slices.SortFunc(d.services, func(a, b *devService) int {
		return slices.Index(stopOrder, a.name) - slices.Index(stopOrder, b.name)
	})
	for _, s := range d.services {
		errs = append(errs, s.stop(ctx))
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

type prepareCmd struct {
	Home string `name:"home" var:"LEVY_HOME" default:".levy" placeholder:"FOLDER" help:"State folder."`
}

// Run obtains what is missing on this machine.
func (c *prepareCmd) Run(p *program) error {
	if err := postgres.Ensure(p.ctx, postgres.Config{
		BinariesDir: filepath.Join(c.Home, "postgres-binaries"), Out: p.stdout,
	}); err != nil {
		return err
	}
	_, err := temporal.Ensure(p.ctx, filepath.Join(c.Home, "bin"), p.stdout)
	return err
}
