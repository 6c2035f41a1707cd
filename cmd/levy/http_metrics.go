package main

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// httpMetrics counts and times answers by method, route and status: as many series
// as the contract has answers, whatever clients send.
type httpMetrics struct{ took *prometheus.HistogramVec }

func newHTTPMetrics(registry prometheus.Registerer) httpMetrics {
	m := httpMetrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "levy_http_request_seconds",
		Help:    "Duration of requests, from the first byte read to the answer.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15},
	}, []string{"method", "route", "status"})}
	registry.MustRegister(m.took)
	return m
}

func (m httpMetrics) observe(method, route string, status int, took time.Duration) {
	m.took.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
}
