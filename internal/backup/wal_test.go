package backup

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPiecesOfWAL(t *testing.T) {
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
	whole := segments("0000000100000002000000FF", "000000010000000200000001", "000000010000000200000002", "000000020000000200000002", "000000010000000200000003.partial")
	require.Equal(t, segment{name: "000000010000000200000003", partial: true, number: 0x203}, whole[4])
	require.NoError(t, gap(whole[1:], last))
	require.NoError(t, gap(nil, last), "the archive may end before the backup does")
	require.ErrorContains(t, gap(segments("000000010000000200000003"), last), "2 segments are missing behind the backup, from number 513 on")
	require.ErrorContains(t, gap(segments("000000010000000200000001", "000000010000000200000003"), last), "1 segments are missing")
	for _, odd := range []string{"", "1", "1/", "/1", "G/1", "1/100000000"} {
		_, err := position(odd)
		require.Error(t, err, odd)
	}
}

func TestAddressesForPostgresProgramsHaveNoPassword(t *testing.T) {
	t.Parallel()
	at, password, err := libpq("postgres://levy:se%2Fcret@a:1,b:2/levy?sslmode=require&pool_max_conns=3&target_session_attrs=read-write")
	require.NoError(t, err)
	require.Equal(t, "postgres://levy@a:1,b:2/levy?sslmode=require&target_session_attrs=read-write", at)
	require.Equal(t, "se/cret", password)
	_, _, err = libpq("postgres://levy:secret@\x00/levy")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}
