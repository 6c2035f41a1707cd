package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// archiveFile has the cluster of a backup: a tar archive, compressed.
const archiveFile = "cluster.tar.zst"

// Archive is the file or object that has a cluster.
type Archive struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// streamer writes a tar archive of a cluster.
type streamer func(ctx context.Context, to io.Writer) error

// pack compresses what write writes, a tar archive of a cluster, while store reads it. Each file is compared with its
// checksum while it is read. It puts the properties of both into the manifest, and returns PostgreSQL's list of the
// files. The error is that of the part that failed first.
func pack(
	ctx context.Context, m *Manifest, write streamer, store func(ctx context.Context, from io.Reader) error,
) (list []byte, err error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	plain, toCheck := io.Pipe()
	packed, toSend := io.Pipe()
	sum := newSummed(packed)
	var sent *archived
	var work sync.WaitGroup
	work.Go(func() {
		var err error
		if sent, err = readArchive(plain, ""); err != nil {
			fail(err)
		}
		plain.CloseWithError(err)
	})
	work.Go(func() {
		err := compress(toSend, func(to io.Writer) error {
			err := write(ctx, io.MultiWriter(toCheck, to))
			if err != nil {
				fail(err)
			}
			toCheck.CloseWithError(err)
			return err
		})
		if err != nil {
			fail(err)
		}
		toSend.CloseWithError(err)
	})
	work.Go(func() {
		if err := store(ctx, sum); err != nil {
			fail(err)
		}
		packed.CloseWithError(errTooLarge) // it was read to its end, unless it has too many parts
	})
	work.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m.Archive, m.Bytes = sum.archive(), sent.bytes
	return sent.rawList, m.positions(sent.list)
}

// errTooLarge ends an upload of more than 10,000 parts.
var errTooLarge = errors.New("the backup is too large for one object: compressed, it may have 625 GiB")

// told passes on what a streamer writes, and calls sent with the number of bytes.
func told(write streamer, sent func(bytes int)) streamer {
	if sent == nil {
		return write
	}
	return func(ctx context.Context, to io.Writer) error { return write(ctx, io.MultiWriter(counted(sent), to)) }
}

// counted tells how much is written to it.
type counted func(bytes int)

// Write implements io.Writer.
func (c counted) Write(p []byte) (int, error) {
	c(len(p))
	return len(p), nil
}

// summed reads, and remembers size and SHA-256.
type summed struct {
	from  io.Reader
	sum   hash.Hash
	bytes int64
}

func newSummed(from io.Reader) *summed { return &summed{from: from, sum: sha256.New()} }

// Read implements io.Reader.
func (s *summed) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.sum.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// archive returns the bytes that were read so far.
func (s *summed) archive() *Archive {
	return &Archive{Bytes: s.bytes, SHA256: hex.EncodeToString(s.sum.Sum(nil))}
}

// compress compresses what write writes.
func compress(to io.Writer, write func(to io.Writer) error) error {
	out, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(2))
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		return errors.Join(err, out.Close())
	}
	return out.Close()
}

// decompress reads what compress wrote, in bounded memory. The caller closes it.
func decompress(from io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(from, zstd.WithDecoderMaxWindow(64<<20), zstd.WithDecoderConcurrency(1))
}

// uncompressed is readArchive for an archive that compress made, and reads all that there is.
func uncompressed(from io.Reader, to string) (*archived, error) {
	plain, err := decompress(from)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	read, err := readArchive(plain, to)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, from)
	return read, err
}

// unpack reads the archive of a backup to its end, and compares it with the manifest and each file with its checksum. to is the
// folder that the cluster is put into, which is made; "" keeps nothing. failed returns the error of the source, nil for none. It
// returns PostgreSQL's list of the files in the archive.
func (m *Manifest) unpack(from io.Reader, to string, failed func() error) (list []byte, err error) {
	sum := newSummed(from)
	watched := io.Reader(sum)
	if m.Read != nil {
		watched = io.TeeReader(sum, counted(m.Read))
	}
	read, err := uncompressed(watched, to)
	if err := failed(); err != nil {
		return nil, err
	}
	kept := sum.archive()
	// guard: backups: an archive that was changed is not restored
	if err == nil && *kept != *m.Archive {
		err = errors.New(archiveFile + " is not what was written: its size or its checksum differs")
	}
	if err != nil {
		return nil, damaged(err)
	}
	return read.rawList, nil
}
