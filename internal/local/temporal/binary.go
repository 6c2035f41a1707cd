package temporal

import (
	"context"
	"debug/buildinfo"
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

	"levy/internal/local"
)

const (
	// temporalVersion is the newest version of the program whose module can be
	// installed: later ones replace a nested module.
	temporalVersion = "v1.5.1"
	temporalModule  = "github.com/temporalio/cli/cmd/temporal"
	// With SQLite before this version, a call cancelled at the wrong moment interrupts all later statements of the
	// development server, until it is restarted (gitlab.com/cznic/sqlite/-/issues/241). The program asks for v1.34.1.
	sqliteModule  = "modernc.org/sqlite"
	sqliteVersion = "v1.44.3"
	// temporalServerVersion is the newest server that the Go version of this module builds.
	temporalServerVersion = "v1.32.1"
	// Update-with-start needs a server of at least this version.
	minimumServer = "Server 1.28"
)

// Ensure returns a suitable temporal program: one in the folder bin or in PATH, else one that it builds from its Go
// module. Building takes minutes the first time. The result is stored in local.CacheDir for other checkouts and linked
// into the folder bin. It writes to out why it does not use an existing program.
func Ensure(ctx context.Context, bin string, out io.Writer) (string, error) {
	candidates := []string{filepath.Join(bin, "temporal")}
	if path, err := exec.LookPath("temporal"); err == nil {
		candidates = append(candidates, path)
	}
	for _, path := range candidates {
		err := suitableTemporal(ctx, path)
		if err == nil {
			return filepath.Abs(path)
		}
		if _, missing := os.Stat(path); missing == nil {
			fmt.Fprintf(out, "%s is not used: %v.\n", path, err)
		}
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

var (
	serverVersion = regexp.MustCompile(`Server (\d+)\.(\d+)`)
	moduleVersion = regexp.MustCompile(`^v(\d+)\.(\d+)\.`)
)

// suitableTemporal says why a temporal program cannot be used; nil: it can.
func suitableTemporal(ctx context.Context, path string) error {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return fmt.Errorf("it does not tell its version: %w", err)
	}
	if slices.Compare(numbers(serverVersion, string(out)), numbers(serverVersion, minimumServer)) < 0 {
		return fmt.Errorf("its server is older than %s", strings.TrimPrefix(minimumServer, "Server "))
	}
	if info, unreadable := buildinfo.ReadFile(path); unreadable == nil { // else its version is all that is known
		return suitableSQLite(info)
	}
	return nil
}

// suitableSQLite refuses a program whose database cancelled calls can stop for good.
func suitableSQLite(info *buildinfo.BuildInfo) error {
	for _, module := range info.Deps {
		if module.Path != sqliteModule {
			continue
		}
		if module.Replace != nil {
			module = module.Replace
		}
		is := numbers(moduleVersion, module.Version)
		if is != nil && slices.Compare(is, numbers(moduleVersion, sqliteVersion)) < 0 {
			return fmt.Errorf("a cancelled call can stop its database, SQLite %s, for good", module.Version)
		}
	}
	return nil
}

// numbers are the major and the minor number of a version; nil where the text has none.
func numbers(version *regexp.Regexp, text string) (n []int) {
	m := version.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	for _, digits := range m[1:] {
		i, _ := strconv.Atoi(digits) // they are digits
		n = append(n, i)
	}
	return n
}

// moduleBuild is a program that is built from a Go module.
type moduleBuild struct {
	name, module, version string
	packages              int      // that are compiled, about
	flags                 string   // of the linker
	newer                 []string // modules, with the versions that replace older ones that the program asks for
}

var (
	temporalBuild = moduleBuild{
		"temporal", temporalModule, temporalVersion, 1300, serverFlags(temporalVersion),
		[]string{sqliteModule + "@" + sqliteVersion},
	}
	temporalServerBuild = moduleBuild{
		"temporal-server", "go.temporal.io/server/cmd/server", temporalServerVersion, 1600,
		serverFlags(temporalServerVersion), nil,
	}
	temporalSQLBuild = moduleBuild{
		"temporal-sql-tool", "go.temporal.io/server/cmd/tools/sql", temporalServerVersion, 300, "", nil,
	}
)

// serverFlags tell a server what its own workers call its build. Otherwise each start reads the whole program, a
// quarter of a gigabyte, for a hash: half of the CPU time of a start. Tables for debuggers are left out.
func serverFlags(version string) string {
	return "-w -X go.temporal.io/sdk/internal.binaryChecksum=" + version
}

// ensure returns the program, which it builds when it is missing. It is kept in
// local.CacheDir, where other checkouts find it too, or beside the folder bin.
func (b moduleBuild) ensure(ctx context.Context, bin string, out io.Writer) (string, error) {
	cache, err := local.CacheDir()
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
	target := filepath.Join(cache, b.file())
	if exec.CommandContext(ctx, target, "--version").Run() == nil {
		return target, nil
	}
	return target, b.build(ctx, target, out)
}

// file names the program and all that decides what it is.
func (b moduleBuild) file() string {
	parts := []string{b.name, b.version}
	for _, module := range b.newer {
		parts = append(parts, strings.ReplaceAll(path.Base(module), "@", "-"))
	}
	return strings.Join(append(parts, runtime.GOOS, runtime.GOARCH), "-")
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
	// A module of its own, which asks for the program, can also ask for newer versions of what that consists of.
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module build\n"), 0o600); err != nil {
		return err
	}
	program := filepath.Join(dir, b.name)
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, goProgram, args...)
		cmd.Dir = dir
		cmd.WaitDelay = 10 * time.Second
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
			return strings.HasPrefix(e, "GOOS=") || strings.HasPrefix(e, "GOARCH=")
		}), "CGO_ENABLED=0", "GOWORK=off")
		return cmd
	}
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
	get := command(append([]string{"get", b.module + "@" + b.version}, b.newer...)...)
	if err := local.RunWithProgress(out, "fetching "+b.name+" "+b.version, get, count); err != nil {
		return err
	}
	compile := command("build", "-v", "-ldflags="+b.flags, "-o", program, b.module)
	if err := local.RunWithProgress(out, "building "+b.name+" "+b.version, compile, count); err != nil {
		return err
	}
	return os.Rename(program, target)
}

// EnsureServer returns the programs of the production server, built from
// its Go module when they are missing.
func EnsureServer(ctx context.Context, bin string, out io.Writer) (programs Programs, err error) {
	if programs.Server, err = temporalServerBuild.ensure(ctx, bin, out); err != nil {
		return Programs{}, err
	}
	programs.SQLTool, err = temporalSQLBuild.ensure(ctx, bin, out)
	return programs, err
}

func waitLock(ctx context.Context, path string, out io.Writer) (*local.Lock, error) {
	said := time.Time{}
	for {
		lock, err := local.TryLock(path)
		if !errors.Is(err, local.ErrLocked) {
			return lock, err
		}
		if time.Since(said) > local.ProgressEvery {
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
