package pg

import (
	"database/sql/driver"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// Decimals are read as the driver reads them.
func TestNumericsAreReadAsTheDriverReadsThem(t *testing.T) {
	t.Parallel()
	ours, drivers := pgtype.NewMap(), pgtype.NewMap()
	registerNumerics(ours)
	value := func(m *pgtype.Map, format int16, raw []byte) driver.Value {
		known, ok := m.TypeForOID(pgtype.NumericOID)
		require.True(t, ok)
		v, err := known.Codec.DecodeDatabaseSQLValue(m, pgtype.NumericOID, format, raw)
		require.NoError(t, err)
		return v
	}
	for _, text := range []string{
		"0", "0.00", "1", "-1", "7", "10", "100", "10000", "1200000000", "0.1", "0.10", "-0.0825", "0.000001", "0.0000000012",
		"12.5", "12.50", "287.47", "9999.9999", "10000.0001", "123456789.123456789", "-99999999999999999.99",
		strings.Repeat("9", 60) + "." + strings.Repeat("7", 40),
	} {
		var n pgtype.Numeric
		require.NoError(t, n.Scan(text))
		raw, err := drivers.Encode(pgtype.NumericOID, pgtype.BinaryFormatCode, n, nil)
		require.NoError(t, err)
		require.Equal(t, value(drivers, pgtype.BinaryFormatCode, raw), value(ours, pgtype.BinaryFormatCode, raw), text)
		require.Equal(t, text, value(ours, pgtype.TextFormatCode, []byte(text)))
	}
	for _, n := range []pgtype.Numeric{
		{NaN: true, Valid: true}, {InfinityModifier: pgtype.Infinity, Valid: true},
	} {
		raw, err := drivers.Encode(pgtype.NumericOID, pgtype.BinaryFormatCode, n, nil)
		require.NoError(t, err)
		require.Equal(t, value(drivers, pgtype.BinaryFormatCode, raw), value(ours, pgtype.BinaryFormatCode, raw))
	}
	require.Nil(t, value(ours, pgtype.BinaryFormatCode, nil))
	known, _ := ours.TypeForOID(pgtype.NumericOID)
	for _, broken := range [][]byte{{}, {0, 1}, {0, 2, 0, 0, 0, 0, 0, 0, 0, 1}} {
		_, err := known.Codec.DecodeDatabaseSQLValue(ours, pgtype.NumericOID, pgtype.BinaryFormatCode, broken)
		require.Error(t, err)
	}
}
