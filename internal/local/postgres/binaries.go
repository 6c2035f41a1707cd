package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"levy/internal/local"
)

// minimumPostgres is the oldest major version that Levy's SQL runs on.
const minimumPostgres = 15

// binaries is a folder with initdb and postgres.
type binaries struct {
	dir     string
	version string // such as "15.18"
	major   int
}

// obtainBinaries finds server binaries that user can run, installing them when
// there are none. made is the major version of an existing cluster: nothing else
// can open it.
func obtainBinaries(ctx context.Context, c Config, user *syscall.Credential, made string) (binaries, error) {
	if dir := os.Getenv("PG_BIN_DIR"); dir != "" {
		b, err := inspect(dir, user)
		if err != nil {
			return binaries{}, fmt.Errorf("PG_BIN_DIR=%s: %w", dir, err)
		}
		return b, suits(b, made)
	}
	var errs []error
	for _, step := range []func(context.Context, Config, *syscall.Credential) error{
		nil, installPackage, installArchive,
	} {
		if step != nil {
			if err := step(ctx, c, user); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		if b, ok := bestBinaries(c, user, made); ok {
			return b, nil
		}
	}
	if made != "" {
		return binaries{}, fmt.Errorf(
			"the cluster in %s was made by PostgreSQL %s, which is not on this machine any more: install it, set PG_BIN_DIR, "+
				"or delete that folder to begin anew: %w",
			c.Dir, made, errors.Join(errs...),
		)
	}
	return binaries{}, fmt.Errorf(
		"install PostgreSQL %d or newer (Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql), "+
			"or set PG_BIN_DIR to its bin folder, or LEVY_DATABASE_URL to a running server: %w",
		minimumPostgres, errors.Join(errs...),
	)
}

// Ensure obtains server binaries now, so that a later start need not.
func Ensure(ctx context.Context, c Config) error {
	if c.Out == nil {
		c.Out = io.Discard
	}
	user, err := unprivileged("")
	if err != nil {
		return err
	}
	_, err = obtainBinaries(ctx, c, user, "")
	return err
}

func suits(b binaries, made string) error {
	switch {
	case made != "" && made != strconv.Itoa(b.major):
		return fmt.Errorf("PostgreSQL %s in %s cannot open a cluster made by PostgreSQL %s", b.version, b.dir, made)
	case b.major < minimumPostgres:
		return fmt.Errorf("PostgreSQL %s in %s is too old: %d or newer is needed", b.version, b.dir, minimumPostgres)
	}
	return nil
}

// bestBinaries searches PATH, in the usual folders of packages and in our own,
// and takes the newest that suits.
func bestBinaries(c Config, user *syscall.Credential, made string) (binaries, bool) {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := local.RealPath(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	patterns := []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
		"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	}
	for _, dir := range archiveFolders(c) {
		patterns = append(patterns, filepath.Join(dir, "*", "native", "bin"))
	}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		dirs = append(dirs, found...)
	}
	best, ok := binaries{}, false
	for _, dir := range dirs {
		b, err := inspect(dir, user)
		if err == nil && suits(b, made) == nil && b.major > best.major {
			best, ok = b, true
		}
	}
	return best, ok
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) ((\d+)[.\w]*)`)

// inspect runs both programs as the server's user. That proves that they exist, fit this machine and can be reached by
// that user.
func inspect(dir string, user *syscall.Credential) (binaries, error) {
	var out []byte
	for _, program := range []string{"initdb", "postgres"} {
		path := filepath.Join(dir, program)
		if _, err := os.Stat(path); err != nil {
			return binaries{}, err
		}
		cmd := exec.Command(path, "--version")
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
		var err error
		if out, err = cmd.CombinedOutput(); err != nil {
			return binaries{}, fmt.Errorf("%s: %w %s", path, err, strings.TrimSpace(string(out)))
		}
	}
	m := versionPattern.FindSubmatch(out)
	if m == nil {
		return binaries{}, fmt.Errorf("%s does not report its version: %s", dir, out)
	}
	major, err := strconv.Atoi(string(m[2]))
	if err != nil {
		return binaries{}, err
	}
	return binaries{dir: dir, version: string(m[1]), major: major}, nil
}

// archiveFolders are the places where the npm package may be unpacked: the
// configured one, and one that an unprivileged user can always enter.
func archiveFolders(c Config) []string {
	first := c.BinariesDir
	if first == "" {
		cache, err := local.CacheDir()
		if err != nil {
			return []string{sharedBinaries}
		}
		first = filepath.Join(cache, "postgres-binaries")
	}
	if os.Geteuid() != 0 {
		return []string{first}
	}
	return slices.Compact([]string{first, sharedBinaries})
}

const sharedBinaries = "/var/lib/levy-postgres-binaries"
