package pg

import (
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// The buffer for arguments is large enough for them, so that it does not grow while they are written.
func TestTheBufferForArgumentsIsLargeEnough(t *testing.T) {
	t.Parallel()
	m := pgtype.NewMap()
	a := "a"
	for _, arg := range []struct {
		oid   uint32
		value any
	}{
		{pgtype.TextArrayOID, []string{"a", "ü\n", ""}}, {pgtype.TextArrayOID, []*string{&a, nil}},
		{pgtype.TextArrayOID, texts{values: []*string{&a, nil}}}, {pgtype.ByteaArrayOID, [][]byte{{1, 2}, nil}},
		{pgtype.Int4ArrayOID, []int32{1, 2, 3}}, {pgtype.Int8ArrayOID, []int64{1, 2, 3}},
		{pgtype.TextOID, "text"}, {pgtype.ByteaOID, []byte("bytes")}, {pgtype.Int8OID, int64(7)}, {pgtype.BoolOID, true},
	} {
		if ours, ok := arg.value.(texts); ok {
			registerTexts(m)
			arg.value = ours
		}
		written, err := m.Encode(arg.oid, pgtype.BinaryFormatCode, arg.value, nil)
		require.NoError(t, err)
		const lengthAndFormat = 4 + 2
		require.GreaterOrEqual(t, sizeOf([]any{arg.value}), lengthAndFormat+len(written), "%T", arg.value)
	}
	buffer, err := reserve(1000).Encode([]byte("before"))
	require.NoError(t, err)
	require.Equal(t, "before", string(buffer))
	require.GreaterOrEqual(t, cap(buffer)-len(buffer), 1000)
	again, err := reserve(10).Encode(buffer)
	require.NoError(t, err)
	require.Same(t, &buffer[0], &again[0], "where the buffer is large enough already")
}
