package backup

import (
	"bytes"
	"context"
	"net"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// wal is a message of the server with WAL from a position on.
func wal(from uint64, data []byte) *pgproto3.CopyData {
	head := make([]byte, 25)
	head[0], head[8] = 'w', byte(from)
	return &pgproto3.CopyData{Data: slices.Concat(head, data)}
}

// The WAL that comes is put into segments, of which the last one is there as far as it came. A process that is started anew
// replaces no part by less of it, and none takes the place of WAL of another server.
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

// A stop is no failure, also before PostgreSQL has answered. The part that came is in the archive afterwards, also where
// PostgreSQL sends something else.
func TestAStopKeepsThePartOfASegmentThatCame(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	archive := WALFolder(t.TempDir())
	require.NoError(t, Server{URL: "postgres://levy@127.0.0.1/levy"}.SendWAL(ended, archive, 16, func(error) {}))

	own, ofServer := net.Pipe()
	config, err := pgconn.ParseConfig("postgres://levy@127.0.0.1/levy?sslmode=disable")
	require.NoError(t, err)
	conn, err := pgconn.Construct(&pgconn.HijackedConn{Conn: own, Config: config, TxStatus: 'I'})
	require.NoError(t, err)
	go func() {
		server := pgproto3.NewBackend(ofServer, ofServer)
		_, _ = server.Receive()
		server.Send(wal(12, []byte("later")))
		_ = server.Flush()
		_ = ofServer.Close()
	}()
	r := &walReceiver{archive: archive, timeline: 1, buffer: make([]byte, 16)}
	_, err = r.take(t.Context(), wal(0, []byte("0123456789")))
	require.NoError(t, err)
	require.NoError(t, r.end(t.Context(), conn))
	kept, err := readWAL(t.Context(), archive, "000000010000000000000000"+partial)
	require.NoError(t, err)
	require.Equal(t, "0123456789", string(bytes.TrimRight(kept, "\x00")))
}
