package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/minio/minio-go/v7"

	"levy/internal/local"
)

const (
	walFolder = "wal"  // of a place of backups
	packedEnd = ".zst" // behind the name of a file of WAL that is compressed
)

// WALArchive is where the WAL of a server is kept: a folder, or a part of a bucket. Its files are compressed, one by one. In a
// folder, the newest ones may not be: pg_receivewal has written them.
type WALArchive interface {
	// Address returns where it is, for people.
	Address() string
	// Names returns the names that PostgreSQL gave to the files, sorted.
	Names(ctx context.Context) ([]string, error)
	// open returns the content of a file.
	open(ctx context.Context, name string) (io.ReadCloser, error)
	// put writes a compressed file, whole or not at all, in the place of an earlier one.
	put(ctx context.Context, name string, packed []byte) error
	// settle makes the files of the archive survive a power cut.
	settle() error
	// remove removes a file.
	remove(ctx context.Context, name string) error
}

// WAL returns where a place of backups has the WAL.
func WAL(place Place) WALArchive {
	switch at := place.(type) {
	case *Bucket:
		return walBucket{at}
	case Folder:
		return WALFolder(filepath.Join(string(at), walFolder))
	}
	panic(fmt.Sprintf("a place without WAL: %T", place))
}

// WALFolder is a folder with WAL.
type WALFolder string

// Address returns the path.
func (f WALFolder) Address() string { return string(f) }

// Names lists the files.
func (f WALFolder) Names(context.Context) ([]string, error) {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), packedEnd); namesWAL(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (f WALFolder) open(_ context.Context, name string) (io.ReadCloser, error) {
	raw, err := os.Open(filepath.Join(string(f), name))
	if !errors.Is(err, fs.ErrNotExist) {
		return raw, err
	}
	packed, err := os.Open(filepath.Join(string(f), name+packedEnd))
	if err != nil {
		return nil, err
	}
	return unpacked(packed)
}

func (f WALFolder) put(_ context.Context, name string, packed []byte) error {
	if err := makeFolder(string(f)); err != nil {
		return err
	}
	if err := local.WriteFileAtomic(filepath.Join(string(f), name+packedEnd), packed, 0o600); err != nil {
		return err
	}
	return f.settle()
}

func (f WALFolder) settle() error { return syncFolder(string(f)) }

func (f WALFolder) remove(_ context.Context, name string) error {
	for _, file := range []string{name, name + packedEnd} {
		if err := os.Remove(filepath.Join(string(f), file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// walBucket is the WAL of a part of a bucket.
type walBucket struct{ of *Bucket }

// Address returns the address.
func (b walBucket) Address() string { return b.of.Address(walFolder) }

// Names lists the objects.
func (b walBucket) Names(ctx context.Context) ([]string, error) {
	var names []string
	under := b.of.key(walFolder, "") + "/"
	for object := range b.of.core.ListObjectsIter(ctx, b.of.bucket, minio.ListObjectsOptions{Prefix: under, Recursive: true}) {
		if object.Err != nil {
			return nil, b.of.explain(object.Err)
		}
		name, is := strings.CutSuffix(strings.TrimPrefix(object.Key, under), packedEnd)
		if is && namesWAL(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, ctx.Err()
}

func (b walBucket) open(ctx context.Context, name string) (io.ReadCloser, error) {
	body, _, _, err := b.of.core.GetObject(ctx, b.of.bucket, b.of.key(walFolder, name+packedEnd), minio.GetObjectOptions{})
	if isMissing(err) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, b.of.explain(err)
	}
	return unpacked(body)
}

func (b walBucket) put(ctx context.Context, name string, packed []byte) error {
	return b.of.put(ctx, b.of.key(walFolder, name+packedEnd), packed)
}

func (b walBucket) settle() error { return nil }

func (b walBucket) remove(ctx context.Context, name string) error {
	return b.of.drop(ctx, b.of.key(walFolder, name+packedEnd))
}

// unpackedFile is a compressed file that is read.
type unpackedFile struct {
	*zstd.Decoder
	packed io.Closer
}

// Close closes the decoder and the file.
func (u unpackedFile) Close() error {
	u.Decoder.Close()
	return u.packed.Close()
}

func unpacked(packed io.ReadCloser) (io.ReadCloser, error) {
	plain, err := decompress(packed)
	if err != nil {
		return nil, errors.Join(err, packed.Close())
	}
	return unpackedFile{plain, packed}, nil
}

// readWAL returns the content of a file, nil for none.
func readWAL(ctx context.Context, archive WALArchive, name string) ([]byte, error) {
	file, err := archive.open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	return content, errors.Join(err, file.Close())
}

// fetchWAL copies a file of an archive to a path.
func fetchWAL(ctx context.Context, archive WALArchive, name, to string) error {
	from, err := archive.open(ctx, name)
	if err != nil {
		return fmt.Errorf("%s in %s: %w", name, archive.Address(), err)
	}
	defer from.Close()
	if err := writeFile(to, from); err != nil {
		return fmt.Errorf("%s in %s: %w", name, archive.Address(), err)
	}
	return nil
}

// ErrOtherWAL says that an archive has a file of WAL with the same name and another content. It is of another server. A server that
// was restored needs an archive of its own.
var ErrOtherWAL = errors.New("the archive has other WAL under this name")

// ArchiveWAL compresses a file of pg_wal into an archive, for archive_command. When it returns nil, the file is there whole, and
// PostgreSQL may remove it. The same file may be archived again. Errors: ErrOtherWAL.
func ArchiveWAL(ctx context.Context, archive WALArchive, path string) error {
	name := filepath.Base(path)
	if !namesWAL(name) {
		return fmt.Errorf("%s is no file of the WAL of PostgreSQL", name)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return archiveWAL(ctx, archive, name, content)
}

// archiveWAL puts a file of WAL into an archive that may have it.
func archiveWAL(ctx context.Context, archive WALArchive, name string, content []byte) error {
	there, err := readWAL(ctx, archive, name)
	if err != nil {
		return err
	}
	// guard: backups: WAL that is there is not replaced by other WAL
	if there != nil && !bytes.Equal(there, content) {
		return fmt.Errorf("%s in %s: %w", name, archive.Address(), ErrOtherWAL)
	}
	if there != nil {
		return archive.settle() // the call that wrote it may have been killed before its end
	}
	return packWAL(ctx, archive, name, content)
}

// packWAL writes a file, compressed.
func packWAL(ctx context.Context, archive WALArchive, name string, content []byte) error {
	var packed bytes.Buffer
	err := compress(&packed, func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	return archive.put(ctx, name, packed.Bytes())
}

// PruneWAL removes the segments that none of the kept backups needs, of which there is one at least. It returns their number.
// segment is the size of a segment in bytes.
func PruneWAL(ctx context.Context, archive WALArchive, kept []*Manifest, segment int64) (removed int, err error) {
	names, err := archive.Names(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	perID := uint64(1<<32) / uint64(segment)
	first := uint64(math.MaxUint64)
	for _, m := range kept {
		needs, _, err := m.segments(perID)
		if err != nil {
			return 0, err
		}
		first = min(first, needs)
	}
	for _, name := range names {
		if historyName.MatchString(name) || parseSegment(name[:len("000000010000000000000001")], perID).number >= first {
			continue
		}
		if err := archive.remove(ctx, name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// packReceived compresses the complete segments that pg_receivewal has written into a folder, all but the newest. By that one
// pg_receivewal knows where to go on when it starts again.
func packReceived(ctx context.Context, in WALFolder) error {
	entries, err := os.ReadDir(string(in))
	if err != nil {
		return err
	}
	var whole []string
	for _, e := range entries {
		if segmentName.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), partial) {
			whole = append(whole, e.Name())
		}
	}
	for _, name := range whole[:max(0, len(whole)-1)] {
		path := filepath.Join(string(in), name)
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := packWAL(ctx, in, name, content); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
