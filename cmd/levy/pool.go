package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"levy/store"
)

// poolCollector reports the connections of this process to PostgreSQL when metrics are read.
type poolCollector struct {
	described

	store                     *store.Store
	connections, most, waited *prometheus.Desc
}

func newPoolCollector(s *store.Store) *poolCollector {
	c := &poolCollector{store: s}
	c.connections = c.add("levy_database_connections",
		"Connections of this process to PostgreSQL, by state: in_use or idle.", "state")
	c.most = c.add("levy_database_connections_max",
		"Most connections that this process may have: LEVY_DATABASE_CONNECTIONS.")
	c.waited = c.add("levy_database_wait_seconds_total",
		"Time that work of this process has waited for a connection, added up.")
	return c
}

// Collect implements prometheus.Collector.
func (c *poolCollector) Collect(to chan<- prometheus.Metric) {
	use, gauge := c.store.Use(), gauges(to).set
	gauge(c.connections, float64(use.InUse), "in_use")
	gauge(c.connections, float64(use.Idle), "idle")
	gauge(c.most, float64(use.Max))
	to <- prometheus.MustNewConstMetric(c.waited, prometheus.CounterValue, use.Waited.Seconds())
}
