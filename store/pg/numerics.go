package pg

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"
)

// Signs of a binary numeric.
const (
	numericPositive = 0x0000
	numericNegative = 0x4000
)

// numericText returns a binary numeric as PostgreSQL writes it, with all decimal places. The driver's type would drop
// zeros. The binary form has the number of groups of four digits, the power of the first group, the sign, the number of
// decimal places. The groups follow. NaN and infinity, which no column has, are errors.
func numericText(raw []byte) (string, error) {
	if len(raw) < 8 || len(raw) != 8+2*int(binary.BigEndian.Uint16(raw)) {
		return "", fmt.Errorf("numeric of %d bytes", len(raw))
	}
	weight, sign := int(int16(binary.BigEndian.Uint16(raw[2:]))), binary.BigEndian.Uint16(raw[4:])
	scale := int(binary.BigEndian.Uint16(raw[6:]))
	if sign != numericPositive && sign != numericNegative {
		return "", fmt.Errorf("numeric with sign %#x", sign)
	}
	var buffer [48]byte // longer than most numbers
	text := buffer[:0]
	if sign == numericNegative {
		text = append(text, '-')
	}
	group := func(i int) int {
		if i < 0 || 8+2*i >= len(raw) {
			return 0
		}
		return int(binary.BigEndian.Uint16(raw[8+2*i:]))
	}
	if weight < 0 {
		text = append(text, '0')
	} else {
		text = strconv.AppendInt(text, int64(group(0)), 10)
	}
	for i := 1; i <= weight; i++ {
		text = appendGroup(text, group(i))
	}
	if scale > 0 {
		text = append(text, '.')
		end := len(text) + scale
		for i := weight + 1; len(text) < end; i++ {
			text = appendGroup(text, group(i))
		}
		text = text[:end]
	}
	return string(text), nil
}

func appendGroup(text []byte, four int) []byte {
	return append(text, byte('0'+four/1000), byte('0'+four/100%10), byte('0'+four/10%10), byte('0'+four%10))
}

// numerics is the codec of decimals. It writes them as text without converting them to big integers.
type numerics struct{ pgtype.NumericCodec }

func registerNumerics(m *pgtype.Map) {
	m.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numerics{}})
}

// DecodeDatabaseSQLValue implements pgtype.Codec. Zero has no decimal places, as with the driver.
func (c numerics) DecodeDatabaseSQLValue(m *pgtype.Map, oid uint32, format int16, src []byte) (driver.Value, error) {
	if format != pgtype.BinaryFormatCode || len(src) < 8 {
		return c.NumericCodec.DecodeDatabaseSQLValue(m, oid, format, src)
	}
	if sign := binary.BigEndian.Uint16(src[4:]); sign != numericPositive && sign != numericNegative {
		return c.NumericCodec.DecodeDatabaseSQLValue(m, oid, format, src)
	}
	if binary.BigEndian.Uint16(src) == 0 {
		return "0", nil
	}
	return numericText(src)
}
