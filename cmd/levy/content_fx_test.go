package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRateFilesInEveryForm(t *testing.T) {
	t.Parallel()
	const file = "Date, USD, CAD, \n20 November 2026, 1.1492, 1.6, \n"
	pack := func(names ...string) []byte {
		var packed bytes.Buffer
		archive := zip.NewWriter(&packed)
		for _, name := range names {
			w, err := archive.Create(name)
			require.NoError(t, err)
			_, err = w.Write([]byte(file))
			require.NoError(t, err)
		}
		require.NoError(t, archive.Close())
		return packed.Bytes()
	}
	at := func(raw []byte) string {
		name := filepath.Join(t.TempDir(), "rates")
		require.NoError(t, os.WriteFile(name, raw, 0o600))
		return name
	}
	for name, raw := range map[string][]byte{"csv": []byte(file), "zip": pack("eurofxref.csv")} {
		rates, err := readRates(at(raw))
		require.NoError(t, err, name)
		require.Len(t, rates, 2, name)
		first, last := span(rates)
		require.Equal(t, "2026-11-20 2026-11-20", first+" "+last)
	}
	for want, raw := range map[string][]byte{
		"one file": pack("a.csv", "b.csv"), "zip": []byte("PK not an archive"), "line 2": []byte("Date,USD\nx,1\n"),
	} {
		_, err := readRates(at(raw))
		require.ErrorContains(t, err, want)
	}
	_, err := readRates(filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
