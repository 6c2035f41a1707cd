package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"levy/store"
)

// poolCollector reports the connections of this process to PostgreSQL when metrics are read.
type poolCollector struct {
	store                     *store.Store
	connections, most, waited *prometheus.Desc
}

func newPoolCollector(s *store.Store) *poolCollector {
	return &poolCollector{
		store: s,
		connections: prometheus.NewDesc("levy_database_connections",
			"Connections of this process to PostgreSQL, by state: in_use or idle.", []string{"state"}, nil),
		most: prometheus.NewDesc("levy_database_connections_max",
			"Most connections that this process may have: LEVY_DATABASE_CONNECTIONS.", nil, nil),
		waited: prometheus.NewDesc("levy_database_wait_seconds_total",
			"Time that work of this process has waited for a connection, added up.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *poolCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.connections
	to <- c.most
	to <- c.waited
}

// Collect implements prometheus.Collector.
func (c *poolCollector) Collect(to chan<- prometheus.Metric) {
	use := c.store.Use()
	to <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(use.InUse), "in_use")
	to <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(use.Idle), "idle")
	to <- prometheus.MustNewConstMetric(c.most, prometheus.GaugeValue, float64(use.Most))
	to <- prometheus.MustNewConstMetric(c.waited, prometheus.CounterValue, use.Waited.Seconds())
}
