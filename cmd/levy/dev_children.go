package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
)

// devRetention is how long staff can read a finished workflow.
const devRetention = 30 * 24 * time.Hour

func (d *dev) startPostgres(ctx context.Context) (running, error) {
	pg, err := postgres.Start(ctx, postgres.Config{
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
	binary, err := temporal.Ensure(ctx, d.state.path("bin"), d.stdout)
	if err != nil {
		return nil, err
	}
	server, err := temporal.Start(ctx, temporal.Config{
		Binary: binary, Dir: d.state.path("temporal"), Log: d.state.logPath("temporal"),
		Port: d.TemporalPort, UIPort: d.TemporalUIPort,
		Namespace: d.config.TemporalNamespace, Retention: devRetention,
		CodecAPI: reachable(d.config.HTTPAddr), CodecToken: d.config.CodecToken.Reveal(),
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

// childGrace is longer than an API or a worker takes to finish what it does.
const childGrace = 45 * time.Second

// child is an api or worker process.
type child struct{ *local.Process }

// Stop lets the process finish what it does.
func (c *child) Stop(ctx context.Context) error {
	return c.Process.Stop(ctx, syscall.SIGTERM, childGrace)
}

// startChild runs a subcommand of this program and waits until /readyz of the address ready answers. Its settings are
// in its environment, which other users cannot read.
func (d *dev) startChild(ctx context.Context, command, private, ready string) (running, error) {
	log, err := d.state.openLog(command)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	config := d.config
	config.PrivateAddr = private
	cmd := exec.Command(d.self, command)
	cmd.Env = slices.Concat(d.env, config.environment())
	cmd.Stdout, cmd.Stderr = log, log
	process, err := local.StartProcess(cmd, syscall.SIGKILL)
	if err != nil {
		return nil, err
	}
	c := &child{process}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := askReady(ctx, ready)
		if err == nil {
			return c, nil
		}
		select {
		case <-process.Done():
			return nil, fmt.Errorf(
				"levy %s ended (%s); the end of %s:\n%s", command, process.Outcome(), log.Name(),
				d.state.logTail(command),
			)
		case <-ctx.Done():
			_ = process.Stop(context.Background(), syscall.SIGTERM, time.Second)
			return nil, fmt.Errorf("levy %s did not become ready: %w", command, errors.Join(ctx.Err(), err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// environment is the configuration as variables for a child process, without what only levy content build uses.
func (c Config) environment() (variables []string) {
	c.ContentSigningKey = ""
	settings := reflect.ValueOf(c)
	for i := range settings.NumField() {
		name := settings.Type().Field(i).Tag.Get("var")
		switch value := settings.Field(i).Interface().(type) {
		case Secret: // a file or a command that has it was read
			variables = append(variables, name+"="+value.Reveal(), name+fileSuffix+"=", name+commandSuffix+"=")
		case []string:
			variables = append(variables, name+"="+strings.Join(value, ","))
		default:
			variables = append(variables, fmt.Sprint(name, "=", value))
		}
	}
	return variables
}
