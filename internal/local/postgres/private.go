package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/local"
)

// PrivateServer is a PostgreSQL on a copy of a cluster. Only root of this machine and the user that runs it reach it,
// by a socket. It has no other connection: it archives nothing, follows no primary and waits for no standby, whatever
// the settings of the cluster say.
type PrivateServer struct {
	*local.Process
	dir string // of its socket, its configuration and its log
}

// privateSettings overrule those of the cluster, which may be for another machine.
var privateSettings = []string{
	"listen_addresses=", "ssl=off", "archive_mode=off", "archive_command=", "synchronous_standby_names=",
	"primary_conninfo=", "primary_slot_name=", "hot_standby=off", "shared_preload_libraries=", "external_pid_file=",
	"shared_buffers=128MB", "huge_pages=off", "logging_collector=off", "log_destination=stderr",
	"log_timezone=UTC", "port=5432",
}

// ServePrivately starts a server on the cluster in data, which belongs to the user that runs it. It returns when the
// server has recovered and accepts the login for the database. settings are further ones, as name=value. The error has
// the end of the server's log.
func (t *Tools) ServePrivately(
	ctx context.Context, data, login, database string, settings ...string,
) (_ *PrivateServer, err error) {
	dir, err := os.MkdirTemp("", "levy-private-*")
	if err != nil {
		return nil, err
	}
	p := &PrivateServer{dir: dir}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w; the end of its log:\n%s", err, local.Tail(p.log(), 12))
			_ = p.Stop(context.WithoutCancel(ctx))
		}
	}()
	files := map[string]string{"postgresql.conf": "", "pg_hba.conf": "local all all trust\n", "pg_ident.conf": ""}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	if err := t.Own(dir); err != nil {
		return nil, err
	}
	args := []string{"-D", data}
	for _, s := range append(append([]string{
		"config_file=" + filepath.Join(dir, "postgresql.conf"), "hba_file=" + filepath.Join(dir, "pg_hba.conf"),
		"ident_file=" + filepath.Join(dir, "pg_ident.conf"), "unix_socket_directories=" + dir,
	}, privateSettings...), settings...) {
		args = append(args, "-c", s)
	}
	cmd, err := t.Command(context.WithoutCancel(ctx), "postgres", args...)
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: t.user}
	if p.Process, err = local.StartLogged(cmd, p.log(), syscall.SIGINT); err != nil {
		return nil, err
	}
	return p, p.waitReady(ctx, login, database)
}

// waitReady waits as long as the server recovers.
func (p *PrivateServer) waitReady(ctx context.Context, login, database string) error {
	for {
		conn, err := pgx.Connect(ctx, p.URL(login, database))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-p.Done():
			return fmt.Errorf("PostgreSQL does not start on it (%s)", p.Outcome())
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// URL is the address of a database for a user of the cluster, who needs no password.
func (p *PrivateServer) URL(login, database string) string {
	return (&url.URL{
		Scheme: "postgres", User: url.User(login), Host: "localhost:5432", Path: "/" + database,
		RawQuery: url.Values{"host": {p.dir}, "sslmode": {"disable"}}.Encode(),
	}).String()
}

func (p *PrivateServer) log() string { return filepath.Join(p.dir, "postgres.log") }

// Log is what the server has said.
func (p *PrivateServer) Log() (string, error) {
	content, err := os.ReadFile(p.log())
	return string(content), err
}

// Stop ends the server with a checkpoint, and removes all but the cluster.
func (p *PrivateServer) Stop(ctx context.Context) error {
	var err error
	if p.Process != nil {
		err = p.Process.Stop(ctx, syscall.SIGINT, time.Minute)
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}
