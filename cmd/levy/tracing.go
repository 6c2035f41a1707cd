package main

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/otel/metric/noop"
)

// tracing opens a span for each request that somebody follows: with a collector for
// all, without one for those whose caller traces them, so that the log names their
// trace. A span that nobody sees costs as much as a good part of an estimate.
func tracing(exporting bool) gin.HandlerFunc {
	open := otelgin.Middleware("levy-api",
		// Its metrics would have a series for every Host header that somebody invents.
		otelgin.WithMeterProvider(noop.NewMeterProvider()),
		// A path of the codec can have its token in it.
		otelgin.WithFilter(func(r *http.Request) bool { return !strings.HasPrefix(r.URL.Path, codecPath+"/") }))
	if exporting {
		return open
	}
	return func(c *gin.Context) {
		if c.Request.Header["Traceparent"] != nil {
			open(c)
		}
	}
}
