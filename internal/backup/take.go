package backup

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"levy/internal/local/postgres"
)

// Server is the PostgreSQL of which a backup is taken. Its user needs the right to replicate.
type Server struct {
	URL   string // postgres://user:password@host:port/database
	Tools *postgres.Tools
}

// Take takes a base backup with the WAL that it needs into folder/<name of its start>. It verifies the files by their
// checksums, notes the end and the needed WAL in the manifest, and returns the path. It removes unfinished earlier
// backups. The caller writes the manifest: without one it is no backup.
func (s Server) Take(ctx context.Context, folder string, m *Manifest) (path string, err error) {
	if folder, err = filepath.Abs(folder); err != nil { // the programs run elsewhere
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := forgetUnfinished(folder); err != nil {
		return "", err
	}
	path = filepath.Join(folder, nameAt(m.BeganAt))
	half := path + unfinished
	if err := os.Mkdir(half, 0o700); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(half)
		}
	}()
	err = s.run(ctx, "pg_basebackup", "--pgdata", dataIn(half), "--wal-method=stream", "--checkpoint=fast",
		"--manifest-checksums=SHA256", "--label=levy backup", "--no-password")
	if err != nil {
		return "", err
	}
	m.EndedAt = time.Now().UTC()
	if err := Checksums(ctx, s.Tools, half); err != nil {
		return "", err
	}
	if err := m.positions(dataIn(half)); err != nil {
		return "", err
	}
	if m.Bytes, err = size(dataIn(half)); err != nil {
		return "", err
	}
	if err := os.Rename(half, path); err != nil {
		return "", err
	}
	return path, syncFolder(folder)
}

func forgetUnfinished(folder string) error {
	halves, err := filepath.Glob(filepath.Join(folder, "*"+unfinished))
	if err != nil {
		return err
	}
	for _, half := range halves {
		if err := os.RemoveAll(half); err != nil {
			return err
		}
	}
	return nil
}

// Checksums compares every file of a backup with what PostgreSQL wrote down when it was taken, and
// reads its WAL.
func Checksums(ctx context.Context, tools *postgres.Tools, folder string) error {
	folder, err := filepath.Abs(folder) // the program runs elsewhere
	if err != nil {
		return err
	}
	cmd, err := tools.Command(ctx, "pg_verifybackup", "--quiet", dataIn(folder))
	if err != nil {
		return err
	}
	return runProgram(ctx, cmd)
}

// KeepWAL takes what the server writes into its WAL into folder as it is written, until ctx ends. The
// server keeps what is not taken, for as long as nobody takes it.
func (s Server) KeepWAL(ctx context.Context, folder string) error {
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
	if err := runProgram(ctx, cmd); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

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
func runProgram(ctx context.Context, cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err() // how it ended then says nothing
	}
	return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, strings.TrimSpace(string(out)))
}
