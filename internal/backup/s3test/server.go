// Package s3test runs an object store with the interface of Amazon S3 for tests. It checks signatures, and can fail.
package s3test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
	"github.com/rclone/gofakes3/signature"
	"github.com/stretchr/testify/require"
)

// Credentials and the bucket of a Server.
const (
	AccessKey = "LEVYTESTKEY"
	SecretKey = "levy-test-secret-0123456789"
	Bucket    = "backups"
)

// Server is an object store on this machine.
type Server struct {
	URL string
	// Client reaches it without faults.
	Client *minio.Core

	mu    sync.Mutex
	fault func(w http.ResponseWriter, r *http.Request) bool
}

// New starts a server that the test stops.
func New(t testing.TB) *Server {
	t.Helper()
	store := s3mem.New()
	require.NoError(t, store.CreateBucket(t.Context(), Bucket))
	inner := signed(gofakes3.New(store).Server())
	direct := httptest.NewServer(inner)
	t.Cleanup(direct.Close)
	s := &Server{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		fault := s.fault
		s.mu.Unlock()
		if fault == nil || !fault(w, r) {
			inner.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	s.URL = front.URL
	var err error
	s.Client, err = minio.NewCore(direct.Listener.Addr().String(), &minio.Options{
		Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""),
	})
	require.NoError(t, err)
	return s
}

// signed checks the signature of each request. Then it takes an empty delimiter away, which the server behind it does not
// take for none.
func signed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := signature.V4SignVerifyWithLookup(r, func(key string) (string, bool) { return SecretKey, key == AccessKey })
		if found != signature.ErrNone {
			refusal := signature.GetAPIError(found)
			w.WriteHeader(refusal.HTTPStatusCode)
			_, _ = w.Write(signature.EncodeAPIErrorToResponse(refusal))
			return
		}
		query := r.URL.Query()
		if query.Get("delimiter") == "" && query.Has("delimiter") {
			query.Del("delimiter")
			r.URL.RawQuery = query.Encode()
		}
		next.ServeHTTP(w, r)
	})
}

// Fail has a function see each request from now on. It reports whether it answered it itself; nil ends that.
func (s *Server) Fail(fault func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Environment returns the settings by which Levy reaches the server.
func (s *Server) Environment() []string {
	return []string{"LEVY_S3_ENDPOINT=" + s.URL, "LEVY_S3_ACCESS_KEY=" + AccessKey, "LEVY_S3_SECRET_KEY=" + SecretKey}
}

// Keys lists the keys of all objects.
func (s *Server) Keys(t testing.TB) (keys []string) {
	t.Helper()
	for object := range s.Client.ListObjectsIter(t.Context(), Bucket, minio.ListObjectsOptions{Recursive: true}) {
		require.NoError(t, object.Err)
		keys = append(keys, object.Key)
	}
	return keys
}

// Uploads lists the keys of all unfinished uploads.
func (s *Server) Uploads(t testing.TB) (keys []string) {
	t.Helper()
	for upload := range s.Client.ListIncompleteUploads(t.Context(), Bucket, "", true) {
		require.NoError(t, upload.Err)
		keys = append(keys, upload.Key)
	}
	return keys
}
