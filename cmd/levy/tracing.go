package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/otel/metric/noop"

	"levy/service"
)

// tracing opens spans for requests. With a collector every request has one. Without one only requests whose caller
// traces them have a span, so that the log names their trace. An unused span costs a good part of an estimate.
func tracing(exporting bool) gin.HandlerFunc {
	open := otelgin.Middleware("levy-api",
		// Its metrics would have a series for every Host header that a client invents.
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

// hasToken reports whether an address can have a token in it. Those of the codec and of links can, and the redirects from
// the OpenID provider and from authorities.
func hasToken(path string) bool {
	return slices.ContainsFunc([]string{codecPath + "/", service.SignInPath, service.OnboardingLinkPath, service.CalendarFeedPath,
		service.StopMailsPath, service.ProviderPath, service.ConnectionsPath, consentPage},
		func(prefix string) bool {
			return strings.HasPrefix(path, prefix)
		})
}
