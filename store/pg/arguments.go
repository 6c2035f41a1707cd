package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// arguments is a tracer that bounds the memory which large arguments of statements take on their connection. The
// driver lets the buffer of what it sends grow by a quarter again and again, and keeps with a connection the arguments
// of a statement until another one has as many of them.
type arguments struct{}

const (
	// largeArguments is how many bytes of arguments are worth the trouble: a connection may keep fewer.
	largeArguments = 64 << 10
	// longArrays is from how many bytes on the arguments of a statement write themselves, see BulkArguments.
	longArrays = 16 << 10
	// messageSize is, of a statement, how many bytes its messages need beside the arguments.
	messageSize = 256
	// cachedArguments is how many arguments the driver remembers of a statement; of one with more of them it remembers
	// none.
	cachedArguments = 64
)

type largeKey struct{}

// TraceBatchStart implements pgx.BatchTracer.
func (arguments) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	size := 0
	for _, q := range data.Batch.QueuedQueries {
		size += messageSize + sizeOf(q.Arguments)
	}
	return beforeSending(ctx, conn, size)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (arguments) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (arguments) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, _ pgx.TraceBatchEndData) {
	afterSending(ctx, conn)
}

// TraceQueryStart implements pgx.QueryTracer.
func (arguments) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return beforeSending(ctx, conn, messageSize+sizeOf(data.Args))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (arguments) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, _ pgx.TraceQueryEndData) {
	afterSending(ctx, conn)
}

// beforeSending reserves space for what is sent next.
func beforeSending(ctx context.Context, conn *pgx.Conn, size int) context.Context {
	if size < largeArguments {
		return ctx
	}
	conn.PgConn().Frontend().Send(reserve(size))
	return context.WithValue(ctx, largeKey{}, true)
}

// afterSending lets go of large arguments. A span of the statement has ended: the tracer that makes them comes first.
func afterSending(ctx context.Context, conn *pgx.Conn) {
	if ctx.Value(largeKey{}) != nil {
		alone := context.WithValue(context.WithoutCancel(ctx), largeKey{}, nil)
		// The error is that the last argument cannot be sent: nothing is.
		_, _ = conn.Exec(alone, "", unsendable...)
	}
}

// unsendable are arguments that take the places of all that the driver remembers, and then cannot be sent.
var unsendable = append(append([]any{pgx.QueryExecModeExec}, make([]any, cachedArguments)...), struct{}{})

// reserve is a message of no bytes, before which the buffer of what is sent gets space for as many.
type reserve int

// Encode implements pgproto3.Message.
func (r reserve) Encode(buffer []byte) ([]byte, error) {
	if cap(buffer)-len(buffer) >= int(r) {
		return buffer, nil
	}
	return append(make([]byte, 0, len(buffer)+int(r)), buffer...), nil
}

// Decode implements pgproto3.Message.
func (reserve) Decode([]byte) error { return nil }

// Frontend implements pgproto3.FrontendMessage.
func (reserve) Frontend() {}

// sizeOf is about how many bytes arguments take that are written in binary: not less, for those that may be large.
func sizeOf(args []any) int {
	n := 0
	for _, arg := range args {
		n += argumentHead
		switch a := arg.(type) {
		case texts:
			n += a.size()
		case []*string:
			n += texts{values: a}.size()
		case []string:
			n += arrayHead + 4*len(a)
			for _, s := range a {
				n += len(s)
			}
		case [][]byte:
			n += arrayHead + 4*len(a)
			for _, b := range a {
				n += len(b)
			}
		case []int32:
			n += arrayHead + 8*len(a)
		case []int64:
			n += arrayHead + 12*len(a)
		case string:
			n += len(a)
		case []byte:
			n += len(a)
		}
	}
	return n
}

// argumentHead is what precedes an argument, its format included, and space for a number or a time.
const argumentHead = 24
