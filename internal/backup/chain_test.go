package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/backup/s3test"
	"levy/internal/local/postgres"
)

// chained puts three backups into a place, each of which rests on the one before, and returns their names.
func chained(t *testing.T, place Place) (names []string) {
	t.Helper()
	var base *Base
	for i := range 3 {
		m := &Manifest{BeganAt: began.Add(time.Duration(i) * time.Hour), Base: base}
		name, content := nameAt(m.BeganAt), cluster{"number": {byte(i)}}
		switch at := place.(type) {
		case Folder:
			require.NoError(t, at.fill(t.Context(), name, m, content.stream("")))
		case *Bucket:
			require.NoError(t, at.send(t.Context(), name, m, content.stream("")))
		}
		require.NoError(t, place.Write(t.Context(), name, m))
		list, err := place.List(t.Context(), name)
		require.NoError(t, err)
		require.True(t, bytes.Contains(list, []byte(`"Path":"number"`)), string(list))
		names, base = append(names, name), &Base{name, m.Archive.SHA256}
	}
	return names
}

// A chain is read to its full backup. A part that is missing or another one is told, as is a name that leads elsewhere.
func TestAChainOfBackupsIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	for _, place := range []Place{Folder(t.TempDir()), bucketOf(t, s3test.New(t))} {
		names := chained(t, place)
		last, err := place.Read(t.Context(), names[2])
		require.NoError(t, err)
		chain, err := Chain(t.Context(), place, names[2], last)
		require.NoError(t, err)
		require.Len(t, chain, 3)
		for i, link := range chain {
			require.Equal(t, names[i], link.Name)
		}
		refused := func(says string, base Base) {
			t.Helper()
			m := *last
			m.Base = &base
			_, err := Chain(t.Context(), place, names[2], &m)
			require.ErrorIs(t, err, ErrBrokenChain)
			require.ErrorContains(t, err, says)
		}
		refused("which is another backup than it was", Base{names[1], chain[0].Manifest.Archive.SHA256})
		refused("no name of an earlier backup", Base{names[2], last.Archive.SHA256})
		refused("no name of an earlier backup", Base{"../" + names[1], last.Base.SHA256})
		require.NoError(t, place.Remove(t.Context(), names[0]))
		refused("rests on "+place.Address(names[0])+", which is not there", *last.Base)
		_, err = place.List(t.Context(), names[0])
		require.ErrorIs(t, err, ErrNoList)
	}
}

// The parts of a chain are read only where the program is that puts them together. A full backup does not need it.
func TestAChainNeedsItsProgram(t *testing.T) {
	t.Parallel()
	none := errors.New("it was read")
	unpack := func(context.Context, Link, string) error { return none }
	tools := &postgres.Tools{Version: "17.6"}
	to := filepath.Join(t.TempDir(), "data")
	err := Combine(t.Context(), tools, make([]Link, 2), to, unpack)
	require.ErrorContains(t, err, "PostgreSQL 17.6 in  has no pg_combinebackup: install the rest of it, or set PG_BIN_DIR")
	require.NotErrorIs(t, err, none)
	require.NoDirExists(t, to+partsEnd)
	require.ErrorIs(t, Combine(t.Context(), tools, make([]Link, 1), to, unpack), none)
}

// Without the list of its base no incremental backup is begun, and nothing is streamed. The error says that a full one may be tried.
func TestABackupWithoutAListIsNoBase(t *testing.T) {
	t.Parallel()
	place := Folder(t.TempDir())
	names := chained(t, place)
	require.NoError(t, os.Remove(filepath.Join(string(place), names[2], listFile)))
	err := Server{}.streamer(place, &Manifest{Base: &Base{Name: names[2]}})(t.Context(), io.Discard)
	require.ErrorIs(t, err, ErrNoIncrement)
	require.ErrorIs(t, err, ErrNoList)
}

// A list beside the archive that lost a byte, has another one or is missing makes the comparison fail; a restore does not need it.
func TestAChangedListIsTold(t *testing.T) {
	t.Parallel()
	objects := s3test.New(t)
	bucket, folder := bucketOf(t, objects), Folder(t.TempDir())
	for _, place := range []Place{folder, bucket} {
		name := chained(t, place)[0]
		m, err := place.Read(t.Context(), name)
		require.NoError(t, err)
		require.NoError(t, place.Compare(t.Context(), nil, name, m))
		list, err := place.List(t.Context(), name)
		require.NoError(t, err)
		put := func(content []byte) {
			t.Helper()
			if place == Place(folder) {
				require.NoError(t, os.WriteFile(filepath.Join(string(folder), name, listFile), content, 0o600))
				return
			}
			require.NoError(t, bucket.put(t.Context(), bucket.key(name, listFile), content))
		}
		for _, changed := range [][]byte{list[1:], bytes.Replace(list, []byte("number"), []byte("Number"), 1)} {
			put(changed)
			err := place.Compare(t.Context(), nil, name, m)
			require.ErrorContains(t, err, "the backup is damaged, take another one: "+place.Address(name)+"/backup_manifest")
		}
		require.NoError(t, place.Unpack(t.Context(), nil, name, m, filepath.Join(t.TempDir(), "data")))
		put(list)
		require.NoError(t, place.Compare(t.Context(), nil, name, m))
	}
	names, _, err := folder.Names(t.Context())
	require.NoError(t, err)
	m, err := folder.Read(t.Context(), names[0])
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(string(folder), names[0], listFile)))
	require.ErrorIs(t, folder.Compare(t.Context(), nil, names[0], m), ErrNoList)
}
