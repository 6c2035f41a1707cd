package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"levy/internal/backup/s3test"
)

var began = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

// cluster is what a server would send: files that do not shrink, so that several parts are sent.
type cluster map[string][]byte

func newCluster() cluster {
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	big := make([]byte, 12<<20)
	for i := range big {
		big[i] = byte(random.Uint32())
	}
	return cluster{"base/1/1": big, "backup_label": []byte("label"), "pg_wal/000000010000000000000002": []byte("wal")}
}

// stream writes the archive as PostgreSQL does. changed is written otherwise than its checksum says.
func (c cluster) stream(changed string) streamer {
	return func(_ context.Context, to io.Writer) error {
		out := tar.NewWriter(to)
		var list struct {
			Files  []map[string]any
			Ranges []map[string]any `json:"WAL-Ranges"`
		}
		list.Ranges = []map[string]any{{"Timeline": 1, "Start-LSN": "0/2000028", "End-LSN": "0/2000100"}}
		var errs []error
		put := func(name string, content []byte) {
			errs = append(errs, out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), Typeflag: tar.TypeReg}))
			_, err := out.Write(content)
			errs = append(errs, err)
		}
		for name, content := range c {
			sum := sha256.Sum256(content)
			if !strings.HasPrefix(name, "pg_wal/") {
				list.Files = append(list.Files, map[string]any{
					"Path": name, "Checksum-Algorithm": "SHA256", "Checksum": hex.EncodeToString(sum[:]),
				})
			}
			if name == changed {
				content = bytes.ToUpper(content)
			}
			put(name, content)
		}
		raw, err := json.Marshal(list)
		put(listFile, raw)
		return errors.Join(append(errs, err, out.Close())...)
	}
}

// shortened passes on the beginning.
type shortened struct {
	to   io.Writer
	left int
}

// Write implements io.Writer.
func (s *shortened) Write(p []byte) (int, error) {
	n, err := s.to.Write(p[:min(len(p), s.left)])
	s.left -= n
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

func bucketOf(t *testing.T, s *s3test.Server) *Bucket {
	t.Helper()
	b, err := OpenBucket("s3://"+s3test.Bucket+"/some/place", S3{
		Endpoint: s.URL, AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey,
	})
	require.NoError(t, err)
	b.partSize = 5 << 20
	return b
}

// sent sends a backup that is whole.
func sent(t *testing.T, b *Bucket, at time.Time) (string, *Manifest) {
	t.Helper()
	m := &Manifest{BeganAt: at}
	name := nameAt(at)
	require.NoError(t, b.send(t.Context(), name, m, newCluster().stream("")))
	require.NoError(t, b.Write(t.Context(), name, m))
	return name, m
}

func TestABackupInAnObjectStoreIsListedComparedAndUnpacked(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	b := bucketOf(t, s)
	name, m := sent(t, b, began)
	require.Equal(t, []string{"0/2000028", "0/2000100"}, []string{m.StartLSN, m.EndLSN})
	later, _ := sent(t, b, began.Add(time.Hour))
	require.Equal(t, "s3://backups/some/place/2026-11-30T03-00-00Z", b.Address(name))
	whole, unfinished, err := b.Names(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{name, later}, whole)
	require.Empty(t, unfinished)
	read, err := b.Read(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, m.Archive, read.Archive)
	require.NoError(t, b.Compare(t.Context(), nil, name, read))
	to := filepath.Join(t.TempDir(), "data")
	require.NoError(t, b.Unpack(t.Context(), nil, name, read, to))
	for file, content := range newCluster() {
		got, err := os.ReadFile(filepath.Join(to, file))
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, got), file)
	}
	require.NoError(t, b.Remove(t.Context(), name))
	whole, _, err = b.Names(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{later}, whole)
	require.Len(t, s.Keys(t), 3, "nothing of the removed backup remains")
}

// A fault of the source, of a checksum on the way, or of the object store leaves nothing that counts as a backup.
func TestAnUploadThatFailsIsNoBackup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write streamer
		fail  func(w http.ResponseWriter, r *http.Request) bool
		says  string
	}{
		"the server of PostgreSQL ends": {
			write: func(ctx context.Context, to io.Writer) error {
				_ = newCluster().stream("")(ctx, &shortened{to, 8 << 20})
				return errors.New("pg_basebackup: no connection")
			},
			says: "pg_basebackup: no connection",
		},
		"a file is not what its checksum says": {
			write: newCluster().stream("backup_label"), says: "backup_label is not what it was",
		},
		"the object store refuses a part": {
			write: newCluster().stream(""), says: "does not let these credentials list, read, write and delete",
			fail: func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("partNumber") != "2" {
					return false
				}
				w.WriteHeader(http.StatusForbidden)
				_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>")
				return true
			},
		},
		"the object store cuts each connection": {
			write: newCluster().stream(""), says: "the object store at ",
			fail: func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("partNumber") == "2" {
					panic(http.ErrAbortHandler)
				}
				return false
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s3test.New(t)
			b := bucketOf(t, s)
			s.Fail(c.fail)
			err := b.send(t.Context(), nameAt(began), &Manifest{BeganAt: began}, c.write)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), s3test.SecretKey)
			s.Fail(nil)
			whole, unfinished, err := b.Names(t.Context())
			require.NoError(t, err)
			require.Empty(t, whole)
			require.Equal(t, []string{nameAt(began)}, unfinished, "the next run names it")
			require.NoError(t, b.Remove(t.Context(), unfinished[0]))
			require.Empty(t, s.Keys(t))
			require.Empty(t, s.Uploads(t))
		})
	}
}

// A process that is killed cleans nothing up. The parts that it sent are removed, too.
func TestAnUploadThatWasKilledIsFoundAndRemoved(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	b := bucketOf(t, s)
	name := nameAt(began)
	require.NoError(t, b.put(t.Context(), b.key(name, begunFile), nil))
	id, err := s.Client.NewMultipartUpload(t.Context(), s3test.Bucket, b.key(name, archiveFile), minio.PutObjectOptions{})
	require.NoError(t, err)
	_, err = s.Client.PutObjectPart(t.Context(), s3test.Bucket, b.key(name, archiveFile), id, 1,
		strings.NewReader("half"), 4, minio.PutObjectPartOptions{})
	require.NoError(t, err)
	whole, unfinished, err := b.Names(t.Context())
	require.NoError(t, err)
	require.Empty(t, whole)
	require.Equal(t, []string{name}, unfinished)
	_, err = b.Read(t.Context(), name)
	require.ErrorIs(t, err, ErrNotWhole)
	require.NoError(t, b.Remove(t.Context(), name))
	require.Empty(t, s.Keys(t))
	require.Empty(t, s.Uploads(t))
}

// A download goes on where its connection was cut, and does not so for ever.
func TestADownloadGoesOnAfterACut(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	b := bucketOf(t, s)
	name, m := sent(t, b, began)
	cuts := 0
	cut := func(after int) func(w http.ResponseWriter, r *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, archiveFile) || cuts == 3 {
				return false
			}
			cuts++
			object, about, _, err := s.Client.GetObject(r.Context(), s3test.Bucket, b.key(name, archiveFile),
				rangeOf(r))
			if err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return true
			}
			defer object.Close()
			w.Header().Set("ETag", `"`+about.ETag+`"`)
			w.Header().Set("Last-Modified", about.LastModified.UTC().Format(http.TimeFormat))
			w.Header().Set("Content-Length", "9000000")
			w.WriteHeader(http.StatusOK)
			_, _ = io.CopyN(w, object, int64(after))
			panic(http.ErrAbortHandler)
		}
	}
	s.Fail(cut(1 << 20))
	require.NoError(t, b.Compare(t.Context(), nil, name, m))
	require.Equal(t, 3, cuts)
	cuts = -1000
	s.Fail(cut(0))
	err := b.Compare(t.Context(), nil, name, m)
	require.ErrorContains(t, err, "the object store at ")
	require.NotContains(t, err.Error(), "damaged", "nothing is known about it")
}

func rangeOf(r *http.Request) (options minio.GetObjectOptions) {
	if asked := r.Header.Get("Range"); asked != "" {
		options.Set("Range", asked)
	}
	return options
}

func TestAnObjectThatIsMissingOrWasChangedIsNotRestored(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	b := bucketOf(t, s)
	name, m := sent(t, b, began)
	key := b.key(name, archiveFile)
	put := func(content []byte) {
		_, err := s.Client.PutObject(t.Context(), s3test.Bucket, key, bytes.NewReader(content), int64(len(content)),
			"", "", minio.PutObjectOptions{})
		require.NoError(t, err)
	}
	body, _, _, err := s.Client.GetObject(t.Context(), s3test.Bucket, key, minio.GetObjectOptions{})
	require.NoError(t, err)
	whole, err := io.ReadAll(body)
	require.NoError(t, err)
	changed := bytes.Clone(whole)
	changed[len(changed)/2]++
	other := bytes.Buffer{}
	require.NoError(t, compress(&other, func(to io.Writer) error { return cluster{}.stream("")(t.Context(), to) }))
	for name, content := range map[string][]byte{
		"a changed byte": changed, "a missing end": whole[:len(whole)-1], "an empty object": {},
		"one byte more": append(bytes.Clone(whole), 0), "another whole archive": other.Bytes(),
	} {
		put(content)
		err := b.Compare(t.Context(), nil, nameAt(began), m)
		require.ErrorContains(t, err, "the backup is damaged, take another one", name)
	}
	require.NoError(t, s.Client.RemoveObject(t.Context(), s3test.Bucket, key, minio.RemoveObjectOptions{}))
	require.ErrorContains(t, b.Compare(t.Context(), nil, name, m), "cluster.tar.zst is missing")
	_, err = b.Read(t.Context(), "2026-11-30T04-00-00Z")
	require.ErrorIs(t, err, ErrNotWhole)
}

// A refusal of an object store is told in one sentence that has no secret.
func TestRefusalsOfAnObjectStoreAreOneSentence(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	for name, c := range map[string]struct {
		address string
		at      S3
		says    string
	}{
		"another secret": {
			"s3://backups/a", S3{AccessKey: s3test.AccessKey, SecretKey: "wrong-secret"}, "does not accept the credentials",
		},
		"another key": {
			"s3://backups/a", S3{AccessKey: "OTHERKEY", SecretKey: "wrong-secret"}, "does not accept the credentials",
		},
		"no bucket": {
			"s3://elsewhere", S3{AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey}, "has no such bucket: make it first",
		},
	} {
		c.at.Endpoint, c.at.Region = s.URL, "us-east-1"
		b, err := OpenBucket(c.address, c.at)
		require.NoError(t, err)
		_, _, err = b.Names(t.Context())
		require.ErrorContains(t, err, c.says, name)
		require.NotContains(t, err.Error(), c.at.SecretKey, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	b, err := OpenBucket("s3://backups", S3{Endpoint: gone.URL, AccessKey: "k", SecretKey: "wrong-secret"})
	require.NoError(t, err)
	_, _, err = b.Names(t.Context())
	require.ErrorContains(t, err, "connection refused")
	require.NotContains(t, err.Error(), "wrong-secret")
}

func TestAddressesOfObjectStoresAreRead(t *testing.T) {
	t.Parallel()
	key := S3{AccessKey: "k", SecretKey: "hidden-secret"}
	for _, address := range []string{"s3://", "s3:///prefix", "s3://bucket/../x", "s3://bucket/a//b", "s3://key@bucket/x"} {
		_, err := OpenBucket(address, key)
		require.ErrorContains(t, err, "does not have the form s3://bucket/prefix", address)
	}
	for _, endpoint := range []string{"minio:9000", "ftp://minio", "https://k:hidden-secret@minio", "https://minio/path", "https://"} {
		at := key
		at.Endpoint = endpoint
		_, err := OpenBucket("s3://bucket", at)
		require.ErrorContains(t, err, "LEVY_S3_ENDPOINT must have the form https://host:port", endpoint)
		require.NotContains(t, err.Error(), "hidden-secret")
	}
	_, err := OpenBucket("s3://bucket", S3{AccessKey: "k"})
	require.ErrorContains(t, err, "needs credentials")
	b, err := OpenBucket("s3://bucket/", key)
	require.NoError(t, err)
	require.Equal(t, "s3://bucket/2026-11-30T03-00-00Z", b.Address(nameAt(began)))
}

func TestAnArchiveStaysInItsFolder(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]*tar.Header{
		"outside of the cluster": {Name: "../outside", Typeflag: tar.TypeReg},
		"neither a file":         {Name: "pg_tblspc/1", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
	} {
		var raw bytes.Buffer
		out := tar.NewWriter(&raw)
		require.NoError(t, errors.Join(out.WriteHeader(head), out.Close()))
		_, err := readArchive(&raw, filepath.Join(t.TempDir(), "data"))
		require.ErrorContains(t, err, name)
	}
}
