package pg

import (
	"database/sql/driver"
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// texts is an array of texts as an argument, in which nil is NULL. It writes itself: the driver asks each value what it
// is, and lets its buffer grow by a quarter again and again, which for the arguments of a batch allocated five times
// their size.
type texts struct {
	values   []*string
	capacity int // bytes that the buffer gets: for this argument and those after it
}

// Value implements driver.Valuer, for connections that do not know texts.
func (t texts) Value() (driver.Value, error) { return t.values, nil }

// BulkArguments prepares the arguments of a statement for many rows, in place: its arrays of texts write themselves, and
// the buffer is made for all of them at once.
func BulkArguments(args []any) []any {
	first, size := -1, 0
	for i, arg := range args {
		switch a := arg.(type) {
		case []string:
			values := make([]*string, len(a))
			for j := range a {
				values[j] = &a[j]
			}
			args[i] = texts{values: values}
		case []*string:
			args[i] = texts{values: a}
		case [][]byte:
			size += arrayHead + 4*len(a)
			for _, b := range a {
				size += len(b)
			}
		}
		if t, ok := args[i].(texts); ok {
			size += t.size()
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		t := args[first].(texts)
		t.capacity = size
		args[first] = t
	}
	return args
}

// arrayHead is what precedes the values of an array of one dimension: how many dimensions it has, whether it has
// NULLs, the type of its values, how many it has, and the number of the first.
const arrayHead = 20

// size is how many bytes the array takes.
func (t texts) size() int {
	n := arrayHead
	for _, v := range t.values {
		n += 4
		if v != nil {
			n += len(*v)
		}
	}
	return n
}

// textArrays is the codec of arrays of texts, which knows texts.
type textArrays struct{ *pgtype.ArrayCodec }

func registerTexts(m *pgtype.Map) {
	text, _ := m.TypeForOID(pgtype.TextOID)
	m.RegisterType(&pgtype.Type{
		Name: "_text", OID: pgtype.TextArrayOID, Codec: textArrays{&pgtype.ArrayCodec{ElementType: text}},
	})
}

// PlanEncode implements pgtype.Codec.
func (c textArrays) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(texts); ok && format == pgtype.BinaryFormatCode {
		return c
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

// Encode implements pgtype.EncodePlan: texts in binary.
func (textArrays) Encode(value any, buf []byte) ([]byte, error) {
	t := value.(texts)
	buf = slices.Grow(buf, max(t.capacity, t.size()))
	nulls := 0
	if slices.Contains(t.values, nil) {
		nulls = 1
	}
	for _, n := range []int{1, nulls, pgtype.TextOID, len(t.values), 1} {
		buf = binary.BigEndian.AppendUint32(buf, uint32(n))
	}
	for _, v := range t.values {
		if v == nil {
			buf = append(buf, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		buf = append(binary.BigEndian.AppendUint32(buf, uint32(len(*v))), *v...)
	}
	return buf, nil
}
