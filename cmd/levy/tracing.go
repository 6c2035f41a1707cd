package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/otel/metric/noop"

	"levy/api"
)

// tracing opens a span for each request that somebody follows: with a collector for
// all, without one for those whose caller traces them, so that the log names their
// trace. A span that nobody sees costs as much as a good part of an estimate.
func tracing(exporting bool) gin.HandlerFunc {
	open := otelgin.Middleware("levy-api",
		// Its metrics would have a series for every Host header that somebody invents.
		otelgin.WithMeterProvider(noop.NewMeterProvider()),
		otelgin.WithFilter(func(r *http.Request) bool { return !hasToken(r.URL.Path) }))
	if exporting {
		return open
	}
	return func(c *gin.Context) {
		if c.Request.Header["Traceparent"] != nil {
			open(c)
		}
	}
}

// hasToken reports whether an address can have a token in it: those of the codec, of links, and the redirect
// from the OpenID provider.
func hasToken(path string) bool {
	return slices.ContainsFunc([]string{codecPath + "/", api.SignInPath, api.OnboardingLinkPath, api.ProviderPath},
		func(prefix string) bool {
			return strings.HasPrefix(path, prefix)
		})
}
