package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// An import says which service does not answer.
func TestAnImportWithoutItsService(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sales.csv")
	require.NoError(t, os.WriteFile(file, []byte("external_id\n"), 0o600))
	env := []string{"LEVY_API_KEY=levy_test_x", "LEVY_URL=ftp://127.0.0.1:1", "LEVY_HOME=" + t.TempDir()}
	err := run(t.Context(), []string{"import", file, "--organization", "org_x"}, env, io.Discard, io.Discard)
	require.ErrorContains(t, err, `the service at LEVY_URL does not answer: Post "ftp://127.0.0.1:1/`)
	require.NotContains(t, err.Error(), "may succeed later")
}

// The answer of the service is printed once, with the name of the service.
func TestAnImportThatIsRefused(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"unauthenticated","detail":"The key is unknown.","request_id":"req_1"}`)
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "sales.csv")
	require.NoError(t, os.WriteFile(file, []byte("external_id\n"), 0o600))
	env := []string{"LEVY_API_KEY=levy_test_x", "LEVY_URL=" + service.URL, "LEVY_HOME=" + t.TempDir()}
	err := run(t.Context(), []string{"import", file, "--organization", "org_x"}, env, io.Discard, io.Discard)
	require.EqualError(t, err,
		"the service at LEVY_URL answers 401 unauthenticated: The key is unknown. (request req_1)")
}

// The names of the columns are sent beside that of the file, and not at all without the flag.
func TestAnImportWithNamesOfItsColumns(t *testing.T) {
	t.Parallel()
	var asked []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Encode())
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "sales.csv")
	require.NoError(t, os.WriteFile(file, []byte("Order,,Kind\n"), 0o600))
	env := []string{"LEVY_API_KEY=levy_test_x", "LEVY_URL=" + service.URL, "LEVY_HOME=" + t.TempDir()}
	for _, flags := range [][]string{nil, {"--columns", "external_id,,type"}} {
		require.Error(t, run(t.Context(), append([]string{"import", file, "--organization", "org_x"}, flags...), env, io.Discard, io.Discard))
	}
	require.Equal(t, []string{"name=sales.csv", "columns=external_id%2C%2Ctype&name=sales.csv"}, asked)
}
