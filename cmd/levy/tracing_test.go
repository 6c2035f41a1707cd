package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// Without a collector a request is traced only when its caller traces it.
func TestWithoutACollectorOnlyTracesOfCallersContinue(t *testing.T) { //nolint:paralleltest // sets the propagator of the process
	before := otel.GetTextMapPropagator()
	t.Cleanup(func() { otel.SetTextMapPropagator(before) })
	otel.SetTextMapPropagator(propagation.TraceContext{})
	const callers = "4bf92f3577b34da6a3ce929d0e0e4736"
	for name, header := range map[string]string{
		"nobody traces it": "", "its caller does": "00-" + callers + "-00f067aa0ba902b7-01",
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // as above
			engine := gin.New()
			engine.Use(tracing(false))
			handled := false
			engine.GET("/", func(c *gin.Context) {
				handled = true
				span := trace.SpanContextFromContext(c.Request.Context())
				require.Equal(t, header != "", span.IsValid())
				if header != "" {
					require.Equal(t, callers, span.TraceID().String())
				}
			})
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if header != "" {
				r.Header.Set("traceparent", header)
			}
			engine.ServeHTTP(httptest.NewRecorder(), r)
			require.True(t, handled)
		})
	}
}

// Traces contain no token of the codec or of a link.
func TestTokensAreNotTraced(t *testing.T) { //nolint:paralleltest // sets the tracer of the process
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	spans := tracetest.NewSpanRecorder()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)))
	engine := gin.New()
	engine.Use(tracing(true))
	for _, path := range []string{codecPath + "/*rest", "/join/*rest", "/sign-in/*rest", "/calendar/*rest", "/unsubscribe/*rest",
		"/v1/organizations"} {
		engine.Any(path, func(*gin.Context) {})
	}
	for _, path := range []string{codecPath + "/TOKEN/decode", "/join/TOKEN", "/sign-in/TOKEN", "/calendar/TOKEN.ics",
		"/unsubscribe/TOKEN", "/v1/organizations"} {
		engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, nil))
	}
	ended := spans.Ended()
	require.Len(t, ended, 1)
	require.Equal(t, "POST /v1/organizations", ended[0].Name())
}
