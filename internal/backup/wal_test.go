package backup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/backup/s3test"
)

func TestMissingSegmentsOfTheWALAreFound(t *testing.T) {
	t.Parallel()
	const perID = 256 // of 16 MiB
	m := Manifest{StartLSN: "1/FE000028", EndLSN: "2/1000000"}
	first, last, err := m.segments(perID)
	require.NoError(t, err)
	require.Equal(t, []uint64{0x1FE, 0x200}, []uint64{first, last}, "an end between two segments needs the first")
	segments := func(names ...string) (all []segment) {
		for _, name := range names {
			require.Regexp(t, segmentName, name)
			all = append(all, parseSegment(name, perID))
		}
		return all
	}
	whole := segments("0000000100000002000000FF", "000000010000000200000001", "000000010000000200000002",
		"000000020000000200000002", "000000010000000200000003.partial")
	require.Equal(t, segment{name: "000000010000000200000003", partial: true, number: 0x203}, whole[4])
	require.NoError(t, gap(whole[1:], last))
	require.NoError(t, gap(nil, last), "the archive may end before the backup does")
	require.ErrorContains(t, gap(segments("000000010000000200000003"), last),
		"2 segments are missing behind the backup, from number 513 on")
	require.ErrorContains(t, gap(segments("000000010000000200000001", "000000010000000200000003"), last),
		"1 segments are missing")
	for _, odd := range []string{"", "1", "1/", "/1", "G/1", "1/100000000"} {
		_, err := position(odd)
		require.Error(t, err, odd)
	}
}

// A backup may hold the beginning of the segment after its end. The archive may have more of that segment, and its
// copy is restored then.
func TestTheCopyOfASegmentThatReachesFurtherIsRestored(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	m := Manifest{StartLSN: "0/200028", EndLSN: "0/300000"} // segment 2, of which the backup has the whole
	for name, c := range map[string]struct{ backup, archive, want string }{
		"the archive goes on":         {"begun", "begun and continued", "begun and continued"},
		"the archive was left behind": {"begun and continued", "begun", "begun and continued"},
		"the backup ended before it":  {"", "begun", "begun"},
		"more than is compared at once": {"begun", "begun" + strings.Repeat("x", 200_000), "begun" +
			strings.Repeat("x", 200_000)},
	} {
		data, archive := t.TempDir(), t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(data, "pg_wal"), 0o700))
		put := func(path, text string) {
			require.NoError(t, os.WriteFile(path, append([]byte(text), make([]byte, size-len(text))...), 0o600), name)
		}
		put(filepath.Join(data, "pg_wal", "000000010000000000000002"), "whole")
		third := filepath.Join(data, "pg_wal", "000000010000000000000003")
		if c.backup != "" {
			put(third, c.backup)
		}
		put(filepath.Join(archive, "000000010000000000000003.partial"), c.archive)
		require.NoError(t, addWAL(t.Context(), WALFolder(archive), data, &m), name)
		got, err := os.ReadFile(third)
		require.NoError(t, err, name)
		require.Len(t, got, size, name)
		require.Equal(t, c.want, strings.TrimRight(string(got), "\x00"), name)
		empty := WALFolder(t.TempDir())
		require.ErrorContains(t, addWAL(t.Context(), empty, data, &m), "has no WAL: restore without --wal", name)
	}
}

func TestAddressesForPostgresProgramsHaveNoPassword(t *testing.T) {
	t.Parallel()
	at, password, err := libpq("postgres://levy:se%2Fcret@a:1," +
		"b:2/levy?sslmode=require&pool_max_conns=3&target_session_attrs=read-write")
	require.NoError(t, err)
	require.Equal(t, "postgres://levy@a:1,b:2/levy?sslmode=require&target_session_attrs=read-write", at)
	require.Equal(t, "se/cret", password)
	_, _, err = libpq("postgres://levy:secret@\x00/levy")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

// A file is archived once. The same file again does no harm, another one under its name is refused, and what is no file of WAL
// too.
func TestTheWALOfAnotherServerIsNotReplaced(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(from, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for place, archive := range map[string]WALArchive{
		"a folder": WAL(Folder(t.TempDir())), "a bucket": WAL(bucketOf(t, s3test.New(t))),
	} {
		const name = "000000010000000000000002"
		path := put(name, strings.Repeat("wal", 1000))
		require.NoError(t, ArchiveWAL(t.Context(), archive, path), place)
		require.NoError(t, ArchiveWAL(t.Context(), archive, path), place)
		require.ErrorIs(t, ArchiveWAL(t.Context(), archive, put(name, "other")), ErrOtherWAL, place)
		require.NoError(t, ArchiveWAL(t.Context(), archive, put("00000002.history", "1 0/3000000 no reason")), place)
		require.ErrorContains(t, ArchiveWAL(t.Context(), archive, put("postgresql.conf", "")), "no file of the WAL", place)
		names, err := archive.Names(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{name, "00000002.history"}, names, place)
		got, err := readWAL(t.Context(), archive, name)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("wal", 1000), string(got), place)
	}
}

// Complete segments that pg_receivewal wrote are compressed, but the newest one, which it looks for when it starts again.
func TestReceivedSegmentsAreCompressed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"000000010000000000000001", "000000010000000000000002", "000000010000000000000003.partial"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600))
	}
	for range 2 {
		require.NoError(t, packReceived(t.Context(), WALFolder(folder)))
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Len(t, entries, 3)
		require.Equal(t, "000000010000000000000001.zst", entries[0].Name())
		require.Equal(t, "000000010000000000000002", entries[1].Name())
	}
	content, err := readWAL(t.Context(), WALFolder(folder), "000000010000000000000001")
	require.NoError(t, err)
	require.Equal(t, "000000010000000000000001", string(content))
}
