package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// temporalVersion is the newest version of the program whose module can be
	// installed: later ones replace a nested module.
	temporalVersion = "v1.5.1"
	temporalModule  = "github.com/temporalio/cli/cmd/temporal"
	// temporalServerVersion is the newest server that the Go version of this module builds.
	temporalServerVersion = "v1.32.1"
	// Update-with-start needs a server of at least this version.
	minimumServerMajor, minimumServerMinor = 1, 28
)

// FindTemporal searches for a suitable temporal program in the given folder, then in
// PATH. The error is exec.ErrNotFound when there is none.
func FindTemporal(ctx context.Context, bin string) (string, error) {
	candidates := []string{filepath.Join(bin, "temporal")}
	if path, err := exec.LookPath("temporal"); err == nil {
		candidates = append(candidates, path)
	}
	for _, path := range candidates {
		if suitableTemporal(ctx, path) {
			return filepath.Abs(path)
		}
	}
	return "", exec.ErrNotFound
}

// EnsureTemporal is FindTemporal that builds the program from its Go module when
// it is missing, which takes minutes the first time. The result is kept in
// CacheDir for other checkouts and linked into the folder bin.
func EnsureTemporal(ctx context.Context, bin string, out io.Writer) (string, error) {
	if path, err := FindTemporal(ctx, bin); err == nil {
		return path, nil
	}
	cached, err := temporalBuild.ensure(ctx, bin, out)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	link := filepath.Join(bin, "temporal")
	if err := linkFile(cached, link); err != nil {
		return "", err
	}
	return filepath.Abs(link)
}

var serverVersion = regexp.MustCompile(`Server (\d+)\.(\d+)`)

func suitableTemporal(ctx context.Context, path string) bool {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return false
	}
	m := serverVersion.FindSubmatch(out)
	if m == nil {
		return false
	}
	major, _ := strconv.Atoi(string(m[1]))
	minor, _ := strconv.Atoi(string(m[2]))
	return major > minimumServerMajor || major == minimumServerMajor && minor >= minimumServerMinor
}

// moduleBuild is a program that is built from a Go module.
type moduleBuild struct {
	name, module, version string
	packages              int    // that are compiled, about
	flags                 string // of the linker
}

var (
	temporalBuild       = moduleBuild{"temporal", temporalModule, temporalVersion, 1300, serverFlags(temporalVersion)}
	temporalServerBuild = moduleBuild{
		"temporal-server", "go.temporal.io/server/cmd/server", temporalServerVersion, 1600,
		serverFlags(temporalServerVersion),
	}
	temporalSQLBuild = moduleBuild{
		"temporal-sql-tool", "go.temporal.io/server/cmd/tools/sql", temporalServerVersion, 300, "",
	}
)

// serverFlags tell a server what its own workers call its build. Otherwise each start reads the whole program, a
// quarter of a gigabyte, for a hash: half of the CPU time of a start. Tables for debuggers are left out.
func serverFlags(version string) string {
	return "-w -X go.temporal.io/sdk/internal.binaryChecksum=" + version
}

// ensure returns the program, which it builds when it is missing. It is kept in
// CacheDir, where other checkouts find it too, or beside the folder bin.
func (b moduleBuild) ensure(ctx context.Context, bin string, out io.Writer) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		if cache, err = filepath.Abs(filepath.Dir(bin)); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	lock, err := waitLock(ctx, filepath.Join(cache, b.name+".lock"), out)
	if err != nil {
		return "", err
	}
	defer lock.Unlock()
	target := filepath.Join(cache, fmt.Sprintf("%s-%s-%s-%s", b.name, b.version, runtime.GOOS, runtime.GOARCH))
	if exec.CommandContext(ctx, target, "--version").Run() == nil {
		return target, nil
	}
	return target, b.build(ctx, target, out)
}

func (b moduleBuild) build(ctx context.Context, target string, out io.Writer) error {
	goProgram, err := exec.LookPath("go")
	if err != nil {
		return errors.New("neither a temporal program nor Go to build one was found: install Go, or the Temporal CLI, " +
			"or set LEVY_TEMPORAL_ADDRESS to a running server")
	}
	dir, err := os.MkdirTemp(filepath.Dir(target), ".building-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, goProgram, "install", "-v", "-ldflags="+b.flags, b.module+"@"+b.version)
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "GOOS=") || strings.HasPrefix(e, "GOARCH=")
	}), "GOBIN="+dir, "CGO_ENABLED=0", "GOWORK=off")
	modules, packages := 0, 0
	count := func(line []byte) string {
		if strings.HasPrefix(string(line), "go: ") {
			modules++
		} else {
			packages++
		}
		return fmt.Sprintf("%d modules downloaded, %d of about %d packages compiled", modules, packages, b.packages)
	}
	fmt.Fprintln(out, "The Temporal server is built from source once; that takes some minutes.")
	if err := runWithProgress(out, "building "+b.name+" "+b.version, cmd, count); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, path.Base(b.module)), target)
}

// EnsureTemporalServer returns the programs of the production server, built from
// its Go module when they are missing.
func EnsureTemporalServer(ctx context.Context, bin string, out io.Writer) (programs TemporalPrograms, err error) {
	if programs.Server, err = temporalServerBuild.ensure(ctx, bin, out); err != nil {
		return TemporalPrograms{}, err
	}
	programs.SQLTool, err = temporalSQLBuild.ensure(ctx, bin, out)
	return programs, err
}

func waitLock(ctx context.Context, path string, out io.Writer) (*Lock, error) {
	said := time.Time{}
	for {
		lock, err := TryLock(path)
		if !errors.Is(err, ErrLocked) {
			return lock, err
		}
		if time.Since(said) > progressEvery {
			fmt.Fprintln(out, "waiting for another process that builds the Temporal server ...")
			said = time.Now()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// linkFile puts the file at path without using space twice where possible.
func linkFile(from, path string) error {
	_ = os.Remove(path)
	if os.Link(from, path) == nil {
		return nil
	}
	return os.Symlink(from, path)
}
