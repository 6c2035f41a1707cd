package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"levy/internal/local/postgres"
)

// ErrBrokenChain says that an incremental backup cannot be restored, because a backup that it needs has changed.
var ErrBrokenChain = errors.New("an incremental backup is worth nothing without the one on which it rests")

// Link is a backup of a chain.
type Link struct {
	Name     string
	Manifest *Manifest
}

// Chain returns a backup and those on which it rests, the full one first. It reads their manifests only. Errors: ErrBrokenChain.
func Chain(ctx context.Context, place Place, name string, m *Manifest) ([]Link, error) {
	chain := []Link{{name, m}}
	before := m.BeganAt
	for m.Base != nil {
		base := m.Base
		broken := func(why string) error {
			return fmt.Errorf("%s rests on %s, %s: %w", place.Address(name), place.Address(base.Name), why, ErrBrokenChain)
		}
		began, err := BeganAt(base.Name)
		if err != nil || !began.Before(before) {
			return nil, fmt.Errorf("%s rests on %q, which is no name of an earlier backup: %w", place.Address(name), base.Name,
				ErrBrokenChain)
		}
		below, err := place.Read(ctx, base.Name)
		switch {
		case errors.Is(err, ErrNotWhole):
			return nil, broken("which is not there")
		case err != nil:
			return nil, err
		// guard: backups: an incremental one is not put onto another backup than its own
		case below.Archive == nil || below.Archive.SHA256 != base.SHA256:
			return nil, broken("which is another backup than it was")
		}
		name, m, before = base.Name, below, began
		chain = append(chain, Link{name, m})
	}
	slices.Reverse(chain)
	return chain, nil
}

// CombineProgram is the program of PostgreSQL that puts incremental backups together.
const CombineProgram = "pg_combinebackup"

const partsEnd = ".parts" // behind the name of a folder that is put together

// Combine puts the cluster of a chain into a folder, which it makes. unpack makes a folder with what one backup has. The parts lie
// beside it until it returns, so that it needs the space of all of them and of the cluster. A full backup alone has no parts.
func Combine(
	ctx context.Context, tools *postgres.Tools, chain []Link, to string, unpack func(ctx context.Context, of Link, to string) error,
) (err error) {
	if len(chain) == 1 {
		return unpack(ctx, chain[0], to)
	}
	parts := to + partsEnd
	args := []string{"--output", to, "--no-sync", "--no-manifest"} // PostgreSQL syncs them
	folders := make([]string, len(chain))
	for i := range chain {
		folders[i] = filepath.Join(parts, strconv.Itoa(i))
	}
	cmd, err := tools.Command(ctx, CombineProgram, append(args, folders...)...) // where it is missing, nothing is read first
	if err != nil {
		return err
	}
	if err := os.Mkdir(parts, 0o700); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(parts)) }()
	for i, link := range chain {
		if err := unpack(ctx, link, folders[i]); err != nil {
			return err
		}
	}
	return runProgram(ctx, cmd)
}
