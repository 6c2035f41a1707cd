package telemetry

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// SQLTracer records a span per statement and per pipelined batch: the text of the
// SQL, never its arguments.
type SQLTracer struct{ tracer trace.Tracer }

// NewSQLTracer returns a tracer for the driver of the store.
func NewSQLTracer() SQLTracer { return SQLTracer{otel.Tracer("levy/store")} }

// TraceQueryStart implements pgx.QueryTracer.
func (t SQLTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	verb, _, _ := strings.Cut(strings.TrimSpace(data.SQL), " ")
	ctx, _ = t.tracer.Start(ctx, "sql "+strings.ToLower(verb), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("db.system.name", "postgresql"), attribute.String("db.query.text", data.SQL),
		))
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (t SQLTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	end(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (t SQLTracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	ctx, _ = t.tracer.Start(ctx, "sql batch", trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("db.system.name", "postgresql"),
			attribute.Int("db.operation.batch.size", data.Batch.Len()),
		))
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (t SQLTracer) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	span := trace.SpanFromContext(ctx)
	if span.IsRecording() {
		verb, _, _ := strings.Cut(strings.TrimSpace(data.SQL), " ")
		span.AddEvent(strings.ToLower(verb), trace.WithAttributes(attribute.String("db.query.text", data.SQL)))
	}
}

// TraceBatchEnd implements pgx.BatchTracer.
func (t SQLTracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	end(ctx, data.Err)
}

func end(ctx context.Context, err error) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	if err != nil {
		span.SetStatus(codes.Error, "statement failed") // the error's text may hold values
	}
	span.End()
}
