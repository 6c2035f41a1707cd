package pg

import (
	"database/sql/driver"
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// texts is an argument that is an array of texts, in which nil is NULL. It encodes itself. The driver would inspect
// each value and grow its buffer by a quarter at a time. That allocated five times the size of a batch's arguments.
type texts struct {
	values   []*string
	capacity int // the number of bytes to reserve in the buffer: for this argument and those after it
}

// Value implements driver.Valuer, for connections without the codec of texts.
func (t texts) Value() (driver.Value, error) { return t.values, nil }

// BulkArguments prepares the arguments of a statement for many rows, in place. Its arrays of texts encode themselves,
// and the buffer is allocated once for all of them.
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

// arrayHead is the size of the head of an array of one dimension. It has the number of dimensions,
// whether there are NULLs, the type of the values, their number, and the first index.
const arrayHead = 20

// size returns how many bytes the array takes in binary.
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

// textArrays is the codec of arrays of texts that can encode texts.
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

// Encode implements pgtype.EncodePlan. It writes texts in binary.
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
