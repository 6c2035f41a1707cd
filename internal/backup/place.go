package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// Names lists the backups.
func (f Folder) Names(context.Context) (whole, unfinishedOnes []string, err error) {
	if whole, err = Finished(string(f)); err != nil {
		return nil, nil, err
	}
	halves, err := filepath.Glob(filepath.Join(string(f), "*"+unfinished))
	for _, half := range halves {
		unfinishedOnes = append(unfinishedOnes, filepath.Base(half))
	}
	return whole, unfinishedOnes, err
}

// Read reads the manifest.
func (f Folder) Read(_ context.Context, name string) (*Manifest, error) {
	return Read(filepath.Join(string(f), name))
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
	return m.Write(filepath.Join(string(f), name))
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
