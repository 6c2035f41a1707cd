package main

import (
	"io"
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
