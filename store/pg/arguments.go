package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// arguments is a tracer that limits the memory that large arguments of statements take on their connection. The driver
// grows its send buffer by a quarter at a time. It also keeps the arguments of a statement with the connection until a
// later statement has as many of them.
type arguments struct{}

const (
	// largeArguments is the size in bytes from which the tracer reserves and frees memory. A connection may keep less.
	largeArguments = 64 << 10
	// longArrays is the size in bytes from which BulkArguments makes arrays of texts encode themselves.
	longArrays = 16 << 10
	// messageSize is the number of bytes that the messages of a statement need in addition to its arguments.
	messageSize = 256
	// cachedArguments is the number of arguments that the driver caches for a connection. It caches none of a statement
	// with more.
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

// beforeSending reserves space in the send buffer for a statement or batch of the given size.
func beforeSending(ctx context.Context, conn *pgx.Conn, size int) context.Context {
	if size < largeArguments {
		return ctx
	}
	conn.PgConn().Frontend().Send(reserve(size))
	return context.WithValue(ctx, largeKey{}, true)
}

// afterSending frees large arguments. The span of the statement has ended before, because its tracer comes first.
func afterSending(ctx context.Context, conn *pgx.Conn) {
	if ctx.Value(largeKey{}) != nil {
		alone := context.WithValue(context.WithoutCancel(ctx), largeKey{}, nil)
		// The error says that the last argument cannot be encoded, so nothing is sent.
		_, _ = conn.Exec(alone, "", unsendable...)
	}
}

// unsendable are arguments that replace all arguments in the driver's cache. The last one makes the encoding fail.
var unsendable = append(append([]any{pgx.QueryExecModeExec}, make([]any, cachedArguments)...), struct{}{})

// reserve is a message of no bytes. Its encoding grows the send buffer by its number of bytes.
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

// sizeOf returns about how many bytes arguments take in binary. It never returns too little for large ones.
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

// argumentHead is the size of the head of an argument with its format, and of a number or a time.
const argumentHead = 24
