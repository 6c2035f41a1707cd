package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"levy/internal/local/postgres"
)

// Server is the PostgreSQL of which a backup is taken. Its user needs the right to replicate.
type Server struct {
	URL   string // postgres://user:password@host:port/database
	Tools *postgres.Tools
	// Sent is called with the number of bytes of the cluster that were read since the last call; it may be nil.
	Sent func(bytes int)
}

// ErrNoIncrement says that a server did not begin to give what has changed since another backup.
var ErrNoIncrement = errors.New("no incremental backup")

// streamer returns what streams the cluster into a place. Where the manifest names a base, only what has changed since that is
// streamed.
func (s Server) streamer(place Place, m *Manifest) streamer {
	if m.Base == nil {
		return told(func(ctx context.Context, to io.Writer) error { return s.stream(ctx, to) }, s.Sent)
	}
	return told(func(ctx context.Context, to io.Writer) error {
		begun := false
		err := s.streamSince(ctx, place, m.Base.Name, io.MultiWriter(counted(func(int) { begun = true }), to))
		if err != nil && !begun && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", ErrNoIncrement, err)
		}
		return err
	}, s.Sent)
}

// streamSince streams what has changed since a backup of a place.
func (s Server) streamSince(ctx context.Context, place Place, base string, to io.Writer) (err error) {
	list, err := place.List(ctx, base)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "levy-base-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = file.Write(list)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return s.stream(ctx, to, "--incremental="+file.Name())
}

// stream takes a base backup with the WAL that it needs as a tar archive. It has no other folder of tables.
func (s Server) stream(ctx context.Context, to io.Writer, options ...string) error {
	cmd, err := s.command(ctx, "pg_basebackup", append(options, "--pgdata=-", "--format=tar", "--wal-method=fetch",
		"--checkpoint=fast", "--manifest-checksums=SHA256", "--label=levy backup", "--no-password")...)
	if err != nil {
		return err
	}
	return runProgramTo(ctx, cmd, to)
}

// checksums compares every file of a backup with what PostgreSQL wrote down when it was taken, and
// reads its WAL.
func checksums(ctx context.Context, tools *postgres.Tools, folder string) error {
	folder, err := filepath.Abs(folder) // the program runs elsewhere
	if err != nil {
		return err
	}
	cmd, err := tools.Command(ctx, "pg_verifybackup", "--quiet", dataIn(folder))
	if err != nil {
		return err
	}
	if err := runProgram(ctx, cmd); err != nil {
		return damaged(err)
	}
	return nil
}

// KeepWAL copies the WAL of the server into folder as it is written, until ctx ends. It compresses each segment once
// the next one is complete. The server keeps what is not taken, for as long as no backup takes it. failed is called
// with an error of the compression, which is tried again.
func (s Server) KeepWAL(ctx context.Context, folder string, failed func(error)) error {
	folder, err := filepath.Abs(folder) // the programs run elsewhere
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	slot := []string{"--directory", folder, "--slot", Slot, "--no-password"}
	if err := s.run(ctx, "pg_receivewal", append(slot, "--create-slot", "--if-not-exists")...); err != nil {
		return err
	}
	cmd, err := s.command(ctx, "pg_receivewal", append(slot, "--synchronous")...)
	if err != nil {
		return err
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends with what it has
	packing, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			if err := packReceived(packing, WALFolder(folder)); err != nil && packing.Err() == nil {
				failed(err)
			}
			select {
			case <-packing.Done():
				return
			case <-time.After(packEvery):
			}
		}
	})
	err = runProgram(ctx, cmd)
	stop()
	work.Wait()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// packEvery is how often segments are compressed that are complete.
const packEvery = 10 * time.Second

// Slot is the replication slot of KeepWAL.
const Slot = "levy_wal"

func (s Server) run(ctx context.Context, program string, args ...string) error {
	cmd, err := s.command(ctx, program, args...)
	if err != nil {
		return err
	}
	return runProgram(ctx, cmd)
}

// command prepares a program that connects to the server. The password is in its environment, where
// other users do not see it.
func (s Server) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	at, password, err := libpq(s.URL)
	if err != nil {
		return nil, err
	}
	cmd, err := s.Tools.Command(ctx, program, append([]string{"--dbname", at}, args...)...)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, "PGPASSWORD="+password)
	return cmd, nil
}

// parameters are those of an address that PostgreSQL's programs know; others are the driver's.
var parameters = []string{
	"host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "channel_binding", "connect_timeout",
	"target_session_attrs", "krbsrvname", "gssencmode",
}

// libpq is an address as PostgreSQL's programs take it, without its password.
func libpq(address string) (at, password string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", errors.New("the address of the database is not a URL") // it holds a password
	}
	password, _ = u.User.Password()
	u.User = url.User(u.User.Username())
	query := u.Query()
	for name := range query {
		if !slices.Contains(parameters, name) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), password, nil
}

// runProgram runs a program that ends with ctx; the error has its standard error.
func runProgram(ctx context.Context, cmd *exec.Cmd) error { return runProgramTo(ctx, cmd, io.Discard) }

// runProgramTo does the same, and passes its standard output on.
func runProgramTo(ctx context.Context, cmd *exec.Cmd, to io.Writer) error {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = to, &said
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err() // how it ended then says nothing
	}
	return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, strings.TrimSpace(said.String()))
}
