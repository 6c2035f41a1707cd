package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/klauspost/compress/zstd"
	"github.com/minio/minio-go/v7"
)

// Archive is the object that has a cluster.
type Archive struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// notEnded is the state of a backup whose verification was begun.
const notEnded = "its verification has not ended"

// Take sends the cluster to the object store as PostgreSQL sends it: nothing of it is on a disk in between. Each file is
// compared with its checksum on the way. Then it is a backup that is not verified.
func (b *Bucket) Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error) {
	release, err := of.hold(ctx)
	if err != nil {
		return "", nil, err
	}
	defer release()
	if _, removed, err = b.Names(ctx); err != nil {
		return "", nil, err
	}
	for _, half := range removed {
		if err := b.Remove(ctx, half); err != nil {
			return "", nil, err
		}
	}
	name = nameAt(m.BeganAt)
	if err := b.send(ctx, name, m, of.stream); err != nil {
		tidy, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		return "", removed, errors.Join(err, b.Remove(tidy, name))
	}
	return name, removed, nil
}

// send makes a backup of what write writes, a tar archive of a cluster.
func (b *Bucket) send(ctx context.Context, name string, m *Manifest, write streamer) error {
	if err := b.put(ctx, b.key(name, begunFile), nil); err != nil {
		return err
	}
	sent, err := b.upload(ctx, b.key(name, archiveFile), m, write)
	if err != nil {
		return err
	}
	m.EndedAt = time.Now().UTC()
	m.Bytes = sent.bytes
	if err := m.positions(sent.list); err != nil {
		return err
	}
	first := *m
	first.NotVerified = notEnded
	return b.Write(ctx, name, &first)
}

// streamer writes a tar archive of a cluster.
type streamer func(ctx context.Context, to io.Writer) error

// upload compresses an archive and sends it to an object. Its checksums are compared on the way. The error is that of
// the part that failed first.
func (b *Bucket) upload(ctx context.Context, key string, m *Manifest, write streamer) (*archived, error) {
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
			err := write(ctx, io.MultiWriter(counted(b.Sent), toCheck, to))
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
		_, err := b.core.Client.PutObject(ctx, b.bucket, key, sum, -1,
			minio.PutObjectOptions{PartSize: b.partSize, ContentType: "application/zstd"})
		if err != nil {
			fail(b.explain(err))
		}
		packed.CloseWithError(errTooLarge) // it was read to its end, unless it has too many parts
	})
	work.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m.Archive = sum.archive()
	return sent, nil
}

// errTooLarge ends an upload of more than 10,000 parts.
var errTooLarge = errors.New("the backup is too large for one object: compressed, it may have 625 GiB")

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

// archive returns what was read until now.
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

// uncompressed is readArchive for an archive that compress made, and reads all that there is.
func uncompressed(from io.Reader, to string) (*archived, error) {
	plain, err := zstd.NewReader(from, zstd.WithDecoderMaxWindow(64<<20), zstd.WithDecoderConcurrency(1))
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

// uploadSlot is a replication slot, for as long as a backup is sent: the server keeps the WAL that the end of the backup
// needs. There is one, so no two backups of a server are sent at the same time.
const uploadSlot = "levy_backup"

// hold makes the slot. release gives it back, as does the end of the connection.
func (s Server) hold(ctx context.Context) (release func(), err error) {
	at, password, err := libpq(s.URL)
	if err != nil {
		return nil, err
	}
	config, err := pgconn.ParseConfig(at)
	if err != nil {
		return nil, errors.New("the address of the database is not one that is understood")
	}
	config.Password = password
	config.RuntimeParams = map[string]string{"application_name": "levy backup", "replication": "true",
		"idle_session_timeout": "0"}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("no connection for replication: %w", err)
	}
	release = func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		_ = conn.Close(end) // the server ends it by itself, too
	}
	_, err = conn.Exec(ctx, "CREATE_REPLICATION_SLOT "+uploadSlot+" TEMPORARY PHYSICAL RESERVE_WAL").ReadAll()
	if err != nil {
		release()
		return nil, fmt.Errorf("no replication slot for the backup; if it exists, another backup of this server is being taken: %w", err)
	}
	return release, nil
}
