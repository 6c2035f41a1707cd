package pg

import (
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// Texts are written as the driver would write the same values, in one buffer for all arguments.
func TestTextsAreWrittenAsTheDriverWritesThem(t *testing.T) {
	t.Parallel()
	ours, drivers := pgtype.NewMap(), pgtype.NewMap()
	registerTexts(ours)
	a, empty := "a", ""
	for _, values := range []any{
		[]*string{&a, nil, &empty}, []*string{&a}, []*string{nil}, []*string{}, []string{"a", "ü\n"}, []string{},
	} {
		want, err := drivers.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, values, nil)
		require.NoError(t, err)
		args := BulkArguments([]any{7, values, [][]byte{{1, 2}, nil}, values})
		first := args[1].(texts)
		require.GreaterOrEqual(t, first.capacity, 2*len(want)+arrayHead+10)
		got, err := ours.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, first, []byte("before"))
		require.NoError(t, err)
		require.Equal(t, "before"+string(want), string(got))
		require.GreaterOrEqual(t, cap(got), first.capacity)
		for _, m := range []*pgtype.Map{ours, drivers} { // text, and a connection that does not know them
			text, err := drivers.Encode(pgtype.TextArrayOID, pgtype.TextFormatCode, values, nil)
			require.NoError(t, err)
			got, err := m.Encode(pgtype.TextArrayOID, pgtype.TextFormatCode, first, nil)
			require.NoError(t, err)
			require.Equal(t, string(text), string(got))
		}
		got, err = drivers.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, first, nil)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}
