package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// Folders of processes that were killed are removed, those of others are not.
func TestFoldersThatAreLeftAreRemoved(t *testing.T) {
	t.Parallel()
	parent, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{
		"levy-content-1": leftAfter + time.Hour, "levy-content-2": leftAfter - time.Hour, "others": 2 * leftAfter,
	} {
		folder := filepath.Join(parent, name)
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o600))
		require.NoError(t, os.Chtimes(folder, now, now.Add(-age)))
	}
	removeLeft(parent, now)
	require.NoDirExists(t, filepath.Join(parent, "levy-content-1"))
	require.DirExists(t, filepath.Join(parent, "levy-content-2"))
	require.DirExists(t, filepath.Join(parent, "others"))
}
