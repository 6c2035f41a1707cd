package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/store"
)

// backlogCollector measures the outbox when metrics are read: how much accepted
// work is not finished, and how old the oldest of it is.
type backlogCollector struct {
	store                    *store.Store
	rows, struggling, oldest *prometheus.Desc
}

func newBacklogCollector(s *store.Store) *backlogCollector {
	describe := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(name, help, nil, nil) }
	return &backlogCollector{
		store: s,
		rows:  describe("levy_outbox_rows", "Accepted transactions whose processing has not ended."),
		struggling: describe(
			"levy_outbox_struggling_rows",
			"Those of them that were tried ten times or more: they need attention.",
		),
		oldest: describe("levy_outbox_oldest_seconds", "Age of the oldest of them."),
	}
}

// Describe implements prometheus.Collector.
func (c *backlogCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.rows
	to <- c.struggling
	to <- c.oldest
}

// Collect implements prometheus.Collector. While the database does not answer
// there are no figures.
func (c *backlogCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	backlog, err := c.store.Transactions.Backlog(ctx)
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(c.rows, prometheus.GaugeValue, float64(backlog.Rows))
	to <- prometheus.MustNewConstMetric(c.struggling, prometheus.GaugeValue, float64(backlog.Struggling))
	to <- prometheus.MustNewConstMetric(c.oldest, prometheus.GaugeValue, backlog.OldestAge.Seconds())
}
