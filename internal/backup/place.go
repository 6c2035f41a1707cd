package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"levy/internal/local"
	"levy/internal/local/postgres"
)

// ErrNotWhole says that there is no backup with a manifest under a name.
var ErrNotWhole = errors.New("it is not a whole backup")

// Place is where backups are kept, each under the name of its time: a Folder or a Bucket. The name "" stands for a place
// that is itself a backup.
type Place interface {
	// Address returns where a backup is, for people.
	Address(name string) string
	// Names returns the whole backups and the unfinished ones, each with the oldest first.
	Names(ctx context.Context) (whole, unfinished []string, err error)
	// Read returns the manifest of a backup. Errors: ErrNotWhole.
	Read(ctx context.Context, name string) (*Manifest, error)
	// Take takes a base backup of a server, with the WAL that it needs, and puts its properties into the manifest. Before,
	// it removes the unfinished backups, whose names it returns.
	Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error)
	// Write writes the manifest of what Take took, in the place of an earlier one.
	Write(ctx context.Context, name string, m *Manifest) error
	// Compare compares every file of a backup with its checksum. It needs no space.
	Compare(ctx context.Context, tools *postgres.Tools, name string, m *Manifest) error
	// Unpack does the same while it copies the cluster to a folder, which it makes.
	Unpack(ctx context.Context, tools *postgres.Tools, name string, m *Manifest, to string) error
	// Remove removes a backup. One that it removed in part is unfinished.
	Remove(ctx context.Context, name string) error
}

// Folder is a folder that has a folder for each backup.
type Folder string

// Address returns the path of a backup.
func (f Folder) Address(name string) string {
	path := filepath.Join(string(f), name)
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// Names lists the backups. Names of unfinished ones have an ending of their own.
func (f Folder) Names(context.Context) (whole, halves []string, err error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), unfinished) {
			halves = append(halves, e.Name())
		} else if _, err := os.Stat(filepath.Join(string(f), e.Name(), manifestFile)); err == nil {
			whole = append(whole, e.Name())
		}
	}
	return whole, halves, err
}

// Read reads the manifest.
func (f Folder) Read(_ context.Context, name string) (*Manifest, error) {
	path := filepath.Join(string(f), name)
	raw, err := os.ReadFile(filepath.Join(path, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s: %w", path, manifestFile, ErrNotWhole)
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, manifestFile), err)
	}
	return m, nil
}

// Take lets pg_basebackup write the files of the cluster. Until Write it is no backup.
func (f Folder) Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return "", nil, err
	}
	_, halves, err := f.Names(ctx)
	if err != nil {
		return "", nil, err
	}
	for _, half := range halves {
		if err := os.RemoveAll(filepath.Join(string(f), half)); err != nil {
			return "", nil, err
		}
	}
	name, err = of.takeInto(ctx, string(f), m)
	return name, halves, err
}

// Write writes the manifest.
func (f Folder) Write(_ context.Context, name string, m *Manifest) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	return local.WriteFileAtomic(filepath.Join(string(f), name, manifestFile), raw, 0o600)
}

// Compare compares the files with what PostgreSQL wrote down when the backup was taken, and reads its WAL.
func (f Folder) Compare(ctx context.Context, tools *postgres.Tools, name string, _ *Manifest) error {
	return checksums(ctx, tools, filepath.Join(string(f), name))
}

// Unpack compares and copies the files.
func (f Folder) Unpack(ctx context.Context, tools *postgres.Tools, name string, m *Manifest, to string) error {
	if err := f.Compare(ctx, tools, name, m); err != nil {
		return err
	}
	return copyTree(ctx, dataIn(filepath.Join(string(f), name)), to)
}

// Remove removes the folder of a backup.
func (f Folder) Remove(_ context.Context, name string) error {
	path := filepath.Join(string(f), name)
	if err := os.Rename(path, path+unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(path + unfinished)
}

// damaged says that what was read is not what was backed up.
func damaged(err error) error {
	return fmt.Errorf("the backup is damaged, take another one: %w", err)
}
