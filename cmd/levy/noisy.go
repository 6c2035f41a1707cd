package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"levy/service"
)

// noisyMetrics is how many organizations the metrics name.
const noisyMetrics = 5

// noisyCollector reports the organizations whose calls took the most time in the last minute, in all processes: a few
// series, however many organizations there are.
type noisyCollector struct {
	described

	service              *service.Service
	calls, refused, busy *prometheus.Desc
}

func newNoisyCollector(s *service.Service) *noisyCollector {
	c := &noisyCollector{service: s}
	c.calls = c.add("levy_noisiest_calls",
		"Calls in the last minute, in all processes, of the five organizations whose calls took the most time.", "organization")
	c.refused = c.add("levy_noisiest_refused_calls", "Further calls of these that were refused for a limit.", "organization")
	c.busy = c.add("levy_noisiest_busy_seconds", "Time that calls of these were under way, added up.", "organization")
	return c
}

// Collect implements prometheus.Collector.
func (c *noisyCollector) Collect(to chan<- prometheus.Metric) {
	ids, counts := c.service.Noisiest(noisyMetrics)
	for _, id := range ids {
		n, gauge := counts[id], gauges(to).set
		gauge(c.calls, float64(n.Calls), id)
		gauge(c.refused, float64(n.Refused), id)
		gauge(c.busy, n.Busy.Seconds(), id)
	}
}
