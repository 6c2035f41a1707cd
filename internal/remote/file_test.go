package remote_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/remote"
)

var text = strings.Repeat("13,45,13,0.04,0.04,0,0,19890401,29991231\n", 5000)

// limits are those of the tests: nothing is waited for but a server that is silent.
var limits = remote.Limits{Bytes: 1 << 20, Whole: time.Minute, Silence: time.Minute, Attempts: 3}

func get(t *testing.T, l remote.Limits, handle http.HandlerFunc, known remote.Validators) (remote.File, string, error) {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	to := filepath.Join(t.TempDir(), "file")
	f, err := remote.NewClient(l).Get(t.Context(), server.URL+"/rates/GAR2026Q4.csv", known, to, func(int64, int64) {})
	written, readErr := os.ReadFile(to)
	require.NoError(t, readErr)
	return f, string(written), err
}

func TestAFileIsDownloadedOnlyWhenItHasChanged(t *testing.T) {
	t.Parallel()
	handle := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"7"`)
		http.ServeContent(w, r, "", time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), strings.NewReader(text))
	}
	f, written, err := get(t, limits, handle, remote.Validators{})
	require.NoError(t, err)
	require.Equal(t, text, written)
	sum := sha256.Sum256([]byte(text))
	require.Equal(t, remote.File{
		Validators: remote.Validators{ETag: `"7"`, LastModified: "Tue, 01 Sep 2026 00:00:00 GMT"},
		Name:       "GAR2026Q4.csv", SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(text)),
	}, f)
	for _, known := range []remote.Validators{f.Validators, {LastModified: f.LastModified}} {
		again, _, err := get(t, limits, handle, known)
		require.NoError(t, err)
		require.Equal(t, remote.File{Unchanged: true}, again)
	}
	f, _, err = get(t, limits, handle, remote.Validators{ETag: `"6"`})
	require.NoError(t, err)
	require.False(t, f.Unchanged)
}

// cutting serves a third of the file at a time; with a changed edition in between where changes is set.
func cutting(t *testing.T, etag string, changes bool, asked *[]string) http.HandlerFunc {
	t.Helper()
	part := len(text)/3 + 1
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Header.Get("Range"))
		if changes && len(*asked) == 2 {
			etag = `"8"`
		}
		w.Header().Set("ETag", etag)
		from := 0
		if r.Header.Get("If-Range") == etag {
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(text)-1, len(text)))
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(text)-from))
		if from > 0 {
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write([]byte(text[from:min(from+part, len(text))])) // less than announced: the connection is closed
	}
}

func TestACutDownloadGoesOn(t *testing.T) {
	t.Parallel()
	var asked []string
	f, written, err := get(t, limits, cutting(t, `"7"`, false, &asked), remote.Validators{})
	require.NoError(t, err)
	require.Equal(t, text, written)
	require.EqualValues(t, len(text), f.Bytes)
	require.Equal(t, []string{"", "bytes=68334-", "bytes=136668-"}, asked)

	asked = nil
	_, _, err = get(t, limits, cutting(t, `"7"`, true, &asked), remote.Validators{})
	require.ErrorIs(t, err, remote.ErrCut, "another edition begins anew, and is cut, too")
	asked = nil
	_, _, err = get(t, limits, cutting(t, `W/"7"`, false, &asked), remote.Validators{})
	require.ErrorIs(t, err, remote.ErrCut)
	require.Equal(t, []string{"", "", ""}, asked, "a weak validator cannot say that the parts fit")
}

func TestAServerThatMisbehavesIsLeft(t *testing.T) {
	t.Parallel()
	late := limits
	late.Silence = 30 * time.Millisecond
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		limits remote.Limits
		handle http.HandlerFunc
		fault  string
	}{
		"late": {late, never, remote.ErrSilent.Error()},
		"late after the first bytes": {late, func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(text))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, remote.ErrSilent.Error()},
		"announced as huge": {limits, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<40))
		}, "1099511627776 bytes, and 1048576 are"},
		"huge and not announced": {limits, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(text))
				w.(http.Flusher).Flush()
			}
		}, remote.ErrTooLarge.Error()},
		"unchanged, though nothing is known": {limits, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotModified)
		}, "although it was not asked"},
		"gone":    {limits, http.NotFound, "404 Not Found"},
		"another": {limits, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) }, "another part"},
		"to an address that is not safe": {limits, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}, "files come by https"},
		"round": {limits, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, "more than 3 redirects"},
	} {
		_, _, err := get(t, c.limits, c.handle, remote.Validators{})
		require.ErrorContains(t, err, c.fault, name)
	}
	_, err := remote.NewClient(limits).Get(t.Context(), "http://me:hunter2@example.com/", remote.Validators{}, "", nil)
	require.ErrorContains(t, err, "files come by https")
	require.NotContains(t, err.Error(), "hunter2")
}

// A server on the internet cannot lead to this machine or to inner networks, by http or https. One of this machine can.
func TestAddressesOfServersDoNotLeadInside(t *testing.T) {
	t.Parallel()
	asked := 0
	handle := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ })
	plain, secure := httptest.NewServer(handle), httptest.NewTLSServer(handle)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	from := func(own, address string) error {
		_, err := remote.NewClient(limits).For(own).Get(
			t.Context(), address, remote.Validators{}, filepath.Join(t.TempDir(), "file"), func(int64, int64) {})
		return err
	}
	for _, own := range []string{"https://example.com/", "://"} {
		require.ErrorContains(t, from(own, plain.URL), "files come by https")
		require.ErrorContains(t, from(own, secure.URL), "not public")
	}
	require.Zero(t, asked)
	require.NoError(t, from("http://localhost/", plain.URL))
	require.Equal(t, 1, asked)
}
