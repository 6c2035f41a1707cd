package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The text in a zip is bounded by what the archive says and by what is read.
func TestTheTextInAZipIsBounded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "GAB2026Q4SEP01.zip")
	out, err := os.Create(file)
	require.NoError(t, err)
	w := zip.NewWriter(out)
	_, err = w.CreateRaw(&zip.FileHeader{Name: "GAB2026Q4SEP01.csv", UncompressedSize64: maxUnpacked + 1})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, out.Close())
	_, err = openFeed(file)
	require.ErrorIs(t, err, errUnpacked)
	require.ErrorContains(t, err, "more than 4294967296 bytes")

	for left, want := range map[int64]error{10: nil, 9: errUnpacked} {
		_, err = io.ReadAll(&zippedText{ReadCloser: io.NopCloser(strings.NewReader("0123456789")), left: left})
		require.ErrorIs(t, err, want)
	}
}
