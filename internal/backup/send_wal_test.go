package backup

import (
	"bytes"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// wal is a message of the server with WAL from a position on.
func wal(from uint64, data []byte) *pgproto3.CopyData {
	head := make([]byte, 25)
	head[0], head[8] = 'w', byte(from)
	return &pgproto3.CopyData{Data: slices.Concat(head, data)}
}

// What comes is put into segments, of which the last one is there as far as it came. A process that is started anew replaces no part
// by less of it, and none takes the place of WAL of another server.
func TestWALIsPutIntoTheArchiveInSegments(t *testing.T) {
	t.Parallel()
	archive := WALFolder(t.TempDir())
	receiver := func() *walReceiver { return &walReceiver{archive: archive, timeline: 1, buffer: make([]byte, 16)} }
	take := func(r *walReceiver, message pgproto3.BackendMessage) bool {
		soon, err := r.take(t.Context(), message)
		require.NoError(t, err)
		return soon
	}
	holds := func(want map[string]string) {
		t.Helper()
		names, err := archive.Names(t.Context())
		require.NoError(t, err)
		found := map[string]string{}
		for _, name := range names {
			content, err := readWAL(t.Context(), archive, name)
			require.NoError(t, err)
			require.Len(t, content, 16, "PostgreSQL reads whole segments")
			found[name[16:]] = string(bytes.TrimRight(content, "\x00"))
		}
		require.Equal(t, want, found)
	}
	asks := &pgproto3.CopyData{Data: append(append([]byte{'k'}, make([]byte, 16)...), 1)}

	r := receiver()
	require.False(t, take(r, wal(0, []byte("0123456789"))))
	holds(map[string]string{})
	require.True(t, take(r, asks), "a server that stops wants to know")
	require.EqualValues(t, 10, r.kept)
	holds(map[string]string{"00000000.partial": "0123456789"})
	require.True(t, take(r, wal(10, []byte("abcdefghijkl"))))
	require.EqualValues(t, 16, r.kept)
	require.NoError(t, r.keep(t.Context()))
	require.EqualValues(t, 22, r.kept)
	holds(map[string]string{"00000000": "0123456789abcdef", "00000001.partial": "ghijkl"})
	_, err := r.take(t.Context(), wal(23, []byte("n")))
	require.ErrorContains(t, err, "where 0/16 was expected")
	_, err = r.take(t.Context(), &pgproto3.CopyDone{})
	require.ErrorIs(t, err, errNoMoreWAL)

	r = receiver()
	take(r, wal(0, []byte("0123456789abcdefghi")))
	take(r, asks)
	holds(map[string]string{"00000000": "0123456789abcdef", "00000001.partial": "ghijkl"})
	take(r, wal(19, []byte("jklm")))
	take(r, asks)
	holds(map[string]string{"00000000": "0123456789abcdef", "00000001.partial": "ghijklm"})

	r = receiver()
	r.at = 16
	_, err = r.take(t.Context(), wal(16, []byte("gxy")))
	require.NoError(t, err)
	require.ErrorIs(t, r.keep(t.Context()), ErrOtherWAL)
	r = receiver()
	_, err = r.take(t.Context(), wal(0, []byte("0123456789ABCDEF")))
	require.ErrorIs(t, err, ErrOtherWAL)
	holds(map[string]string{"00000000": "0123456789abcdef", "00000001.partial": "ghijklm"})
}
