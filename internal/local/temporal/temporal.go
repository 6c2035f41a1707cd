// Package temporal runs a private Temporal server on this machine.
package temporal

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/local"
)

// Config says how a private Temporal server runs. It is the development server, with its records in a file. With
// Postgres set it is the server for production.
type Config struct {
	// Binary is the temporal program, as Ensure returns it.
	Binary string
	// Postgres is the address of a PostgreSQL for the records of the production
	// server, whose programs EnsureServer returns. It has no web UI.
	Postgres string
	Programs Programs
	// Dir keeps the database and the log between starts. Empty: a temporary
	// folder that Stop removes.
	Dir string
	// Port, UIPort and MetricsPort are TCP ports of 127.0.0.1; 0 takes a free one.
	Port, UIPort, MetricsPort int
	// Fast is that of postgres.Config, for the development server.
	Fast bool
	// Headless leaves out the web UI.
	Headless bool
	// Namespace is created when missing. Empty: "default".
	Namespace string
	// Retention is how long the history of a finished workflow can be read; the
	// server's minimum is one day. 0 leaves it as it is.
	Retention time.Duration
	// CodecAPI is host:port of the API whose codec decrypts payloads for the web UI. Empty: the UI decrypts nothing. With
	// CodecToken the API does so for people of this machine who are not signed in, see UI.
	CodecAPI, CodecToken string
	// SearchAttributes are registered on start: name to type, such as "KeywordList".
	SearchAttributes map[string]string
	// DynamicConfig are further server settings, KEY=JSON.
	DynamicConfig []string
	// Log receives the server's log. Empty: temporal.log in Dir.
	Log string
}

// Server is a running private Temporal server.
type Server struct {
	*local.Process
	// Address is host:port of the frontend, UIURL the web UI (empty when
	// headless), MetricsURL the Prometheus metrics.
	Address, UIURL, MetricsURL string

	ui      *http.Server // nil: the server's own
	folder  local.Folder
	stop    sync.Once
	stopErr error
}

// Start starts the server and returns when it answers, the namespace
// exists with its retention and the search attributes can be used.
//
// The error is local.ErrLocked when another process runs a server on this folder.
func Start(ctx context.Context, c Config) (_ *Server, err error) {
	t := &Server{}
	defer func() {
		if err != nil {
			t.folder.Release()
		}
	}()
	if t.folder, err = local.TakeFolder(c.Dir, "temporal"); err != nil {
		return nil, err
	}
	c.Dir = t.folder.Dir
	c.Log = cmp.Or(c.Log, filepath.Join(c.Dir, "temporal.log"))
	if c.Namespace == "" {
		c.Namespace = sdkclient.DefaultNamespace
	}
	for attempt := 1; ; attempt++ {
		chosen, err := t.startOn(ctx, c)
		if err == nil {
			return t, nil
		}
		// A port that was free when it was chosen may have been taken since.
		if !chosen || c.portTaken() || attempt == local.StartAttempts || ctx.Err() != nil {
			return nil, fmt.Errorf("%w; the end of %s:\n%s", err, c.Log, local.Tail(c.Log, 8))
		}
	}
}

// portTaken reports whether another program uses a configured port.
func (c Config) portTaken() bool {
	return slices.ContainsFunc([]int{c.Port, c.UIPort, c.MetricsPort}, func(port int) bool {
		return port != 0 && !local.PortFree(port)
	})
}

// startOn starts the server once, on free ports where none are configured, and
// reports whether it had to choose one.
func (t *Server) startOn(ctx context.Context, c Config) (chosen bool, err error) {
	for _, port := range []*int{&c.Port, &c.UIPort, &c.MetricsPort} {
		if *port != 0 {
			continue
		}
		chosen = true
		if *port, err = local.FreePort(); err != nil {
			return false, err
		}
	}
	t.Address = net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port))
	t.MetricsURL = fmt.Sprintf("http://127.0.0.1:%d/metrics", c.MetricsPort)
	if !c.Headless && c.Postgres == "" {
		t.UIURL = fmt.Sprintf("http://127.0.0.1:%d", c.UIPort)
	}
	if t.UIURL != "" && c.CodecAPI != "" {
		if err := t.serveUI(&c); err != nil {
			return chosen, err
		}
	}
	start := startDevelopment
	if c.Postgres != "" {
		start = startServer
	}
	if t.Process, err = start(ctx, c); err != nil {
		t.closeUI()
		return false, err
	}
	if err := t.waitReady(ctx, c); err != nil {
		t.closeUI()
		_ = t.Process.Stop(ctx, syscall.SIGTERM, 5*time.Second)
		return chosen, err
	}
	return chosen, nil
}

// Stop ends the server; what it has acknowledged is in its database file. A
// temporary folder is removed.
func (t *Server) Stop(ctx context.Context) error {
	t.stop.Do(func() {
		t.closeUI()
		t.stopErr = t.Process.Stop(ctx, syscall.SIGTERM, 20*time.Second)
		t.folder.Release()
	})
	return t.stopErr
}

func (t *Server) closeUI() {
	if t.ui != nil {
		_ = t.ui.Close()
	}
}

func startDevelopment(_ context.Context, c Config) (*local.Process, error) {
	synchronous := "NORMAL"
	if c.Fast {
		synchronous = "OFF"
	}
	args := []string{
		"server", "start-dev",
		// The caller's own settings of the temporal program must not leak in.
		"--disable-config-file", "--disable-config-env", "--env-file", filepath.Join(c.Dir, "no-environments.yaml"),
		"--ip", "127.0.0.1",
		"--port", strconv.Itoa(c.Port),
		"--metrics-port", strconv.Itoa(c.MetricsPort),
		"--db-filename", filepath.Join(c.Dir, "temporal.db"),
		// With WAL a commit appends to one file, instead of writing a journal and the file and deleting the journal. The
		// server may be killed at any time. A power cut loses the last commits; the records recover from it as from the loss
		// of Temporal.
		"--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=" + synchronous,
		"--namespace", c.Namespace,
		"--log-format", "json", "--log-level", "warn",
	}
	if c.Headless {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-ip", "127.0.0.1", "--ui-port", strconv.Itoa(c.UIPort))
	}
	for name, kind := range c.SearchAttributes {
		args = append(args, "--search-attribute", name+"="+kind)
	}
	// By default the server limits how fast its one shard hands out tasks. Each task would wait about 40 ms, and a run of
	// a few stages has nine. Eager execution sends an activity with the answer to its workflow task, as servers for
	// production do.
	for _, setting := range append([]string{
		"history.transferProcessorMaxPollRPS=1000", "history.transferProcessorMaxPollHostRPS=1000",
		"system.enableActivityEagerExecution=true",
	}, c.DynamicConfig...) {
		args = append(args, "--dynamic-config-value", setting)
	}
	cmd := exec.Command(c.Binary, args...)
	cmd.Dir = c.Dir
	cmd.Env = ownEnvironment()
	if c.Fast {
		cmd.Env = append(cmd.Env, "GOGC=400") // it starts more than it works, and memory is there
	}
	return local.StartLogged(cmd, c.Log, syscall.SIGKILL)
}

// ownEnvironment is the environment without the caller's settings for other servers.
func ownEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "TEMPORAL_") || strings.HasPrefix(e, "SQL_") || strings.HasPrefix(e, "LEVY_")
	})
}
