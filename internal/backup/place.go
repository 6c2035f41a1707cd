package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"levy/internal/local"
	"levy/internal/local/postgres"
)

// ErrNotWhole says that there is no backup with a manifest under a name.
var ErrNotWhole = errors.New("it is not a whole backup")

// ErrNoList says that a backup has no list of its files beside its archive: an earlier release took it.
var ErrNoList = errors.New("it has no " + listFile + " beside its archive")

// Place is where backups are kept, each under the name of its time: a Folder or a Bucket. The name "" stands for a place
// that is itself a backup.
type Place interface {
	// Address returns where a backup is, for people.
	Address(name string) string
	// Names returns the whole backups and the unfinished ones, each with the oldest first.
	Names(ctx context.Context) (whole, unfinished []string, err error)
	// Read returns the manifest of a backup. Errors: ErrNotWhole.
	Read(ctx context.Context, name string) (*Manifest, error)
	// List returns PostgreSQL's list of the files of a backup, by which a server says what has changed since. Errors: ErrNoList.
	List(ctx context.Context, name string) ([]byte, error)
	// Take takes a base backup of a server, with the WAL that it needs, and puts its properties into the manifest. Where that names
	// a base, the backup is incremental. Before, it removes the unfinished backups, and all but the newest whose verification
	// has not ended. It returns their names. Errors: ErrNoIncrement.
	Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error)
	// Write writes the manifest of what Take took, in the place of an earlier one.
	Write(ctx context.Context, name string, m *Manifest) error
	// Compare compares every file of a backup with its checksum, and the list beside the archive with the one in it. It needs no
	// space.
	Compare(ctx context.Context, tools *postgres.Tools, name string, m *Manifest) error
	// Unpack does the same while it copies the cluster to a folder, which it makes.
	Unpack(ctx context.Context, tools *postgres.Tools, name string, m *Manifest, to string) error
	// Remove removes a backup. A backup that it removed in part is unfinished.
	Remove(ctx context.Context, name string) error
}

// removeUnfinished removes the unfinished backups of a place, and those that are whole and whose verification was killed. The
// newest of the latter stays. A verification that is always killed would fill the place with them. It returns their names.
func removeUnfinished(ctx context.Context, place Place) ([]string, error) {
	whole, halves, err := place.Names(ctx)
	if err != nil {
		return nil, err
	}
	newest := true
	for _, name := range slices.Backward(whole) {
		if _, err := BeganAt(name); err != nil {
			continue
		}
		if m, err := place.Read(ctx, name); err != nil || m.Ended() {
			continue
		}
		if !newest {
			halves = append(halves, name)
		}
		newest = false
	}
	for _, half := range halves {
		if err := place.Remove(ctx, half); err != nil {
			return nil, err
		}
	}
	return halves, nil
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

// Names lists the backups. Names of unfinished ones have an ending of their own, or no manifest.
func (f Folder) Names(context.Context) (whole, halves []string, err error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		_, missing := os.Stat(filepath.Join(string(f), e.Name(), manifestFile))
		switch {
		// An earlier release left a folder without its manifest where it was killed while it verified the backup.
		case strings.HasSuffix(e.Name(), unfinished), missing != nil && nameOf.MatchString(e.Name()):
			halves = append(halves, e.Name())
		case missing == nil:
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

// List reads the list.
func (f Folder) List(_ context.Context, name string) ([]byte, error) {
	list, err := os.ReadFile(filepath.Join(string(f), name, listFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", f.Address(name), ErrNoList)
	}
	return list, err
}

// Take writes the cluster into one compressed file. Once the folder has its name, it is a backup that is not verified. A kill
// before that leaves an unfinished one.
func (f Folder) Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return "", nil, err
	}
	release, err := of.hold(ctx, slotOfFolders)
	if err != nil {
		return "", nil, err
	}
	defer release()
	if removed, err = removeUnfinished(ctx, f); err != nil {
		return "", nil, err
	}
	name = nameAt(m.BeganAt)
	return name, removed, f.fill(ctx, name, m, of.streamer(f, m))
}

// fill makes a backup of what write writes, a tar archive of a cluster.
func (f Folder) fill(ctx context.Context, name string, m *Manifest, write streamer) (err error) {
	half := filepath.Join(string(f), name+unfinished)
	if err := os.Mkdir(half, 0o700); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(half))
		}
	}()
	list, err := pack(ctx, m, write, func(_ context.Context, from io.Reader) error {
		file, err := os.OpenFile(filepath.Join(half, archiveFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, from)
		return errors.Join(err, file.Sync(), file.Close())
	})
	if err != nil {
		return err
	}
	if err := local.WriteFileAtomic(filepath.Join(half, listFile), list, 0o600); err != nil {
		return err
	}
	m.EndedAt = time.Now().UTC()
	if err := f.Write(ctx, name+unfinished, m.begun()); err != nil {
		return err
	}
	if err := os.Rename(half, filepath.Join(string(f), name)); err != nil {
		return err
	}
	return syncFolder(string(f))
}

// Write writes the manifest.
func (f Folder) Write(_ context.Context, name string, m *Manifest) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	return local.WriteFileAtomic(filepath.Join(string(f), name, manifestFile), raw, 0o600)
}

// Compare compares the files. Those that an earlier release put into a folder PostgreSQL compares, with their WAL.
func (f Folder) Compare(ctx context.Context, tools *postgres.Tools, name string, m *Manifest) error {
	if m.Archive == nil {
		return checksums(ctx, tools, filepath.Join(string(f), name))
	}
	list, err := f.read(ctx, name, m, "")
	if err != nil {
		return err
	}
	return compareList(ctx, f, name, list)
}

// Unpack compares and copies the files.
func (f Folder) Unpack(ctx context.Context, tools *postgres.Tools, name string, m *Manifest, to string) error {
	if m.Archive != nil {
		_, err := f.read(ctx, name, m, to)
		return err
	}
	if err := f.Compare(ctx, tools, name, m); err != nil {
		return err
	}
	return copyTree(ctx, dataIn(filepath.Join(string(f), name)), to)
}

// read reads the archive of a backup, and returns the list in it.
func (f Folder) read(ctx context.Context, name string, m *Manifest, to string) (list []byte, err error) {
	file, err := os.Open(filepath.Join(string(f), name, archiveFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(fmt.Errorf("%s is missing", filepath.Join(f.Address(name), archiveFile)))
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source := &sourceFile{ctx: ctx, file: file}
	return m.unpack(source, to, func() error { return source.failed })
}

// sourceFile reads a file until a context ends, and remembers why reading failed.
type sourceFile struct {
	ctx    context.Context //nolint:containedctx // a reader has no other way to get it
	file   *os.File
	failed error // nil for the end
}

// Read implements io.Reader.
func (s *sourceFile) Read(p []byte) (int, error) {
	if s.failed = s.ctx.Err(); s.failed != nil {
		return 0, s.failed
	}
	n, err := s.file.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
	}
	return n, err
}

// Remove removes the folder of a backup.
func (f Folder) Remove(_ context.Context, name string) error {
	path := filepath.Join(string(f), name)
	half := strings.TrimSuffix(path, unfinished) + unfinished
	if err := os.Rename(path, half); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(half)
}

// damaged says that the bytes read are not those of the backup.
func damaged(err error) error {
	return fmt.Errorf("the backup is damaged, take another one: %w", err)
}
