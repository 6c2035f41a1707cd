package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/models"
	"levy/store"
)

// measureTimeout bounds a measurement in the database.
const measureTimeout = 2 * time.Second

// What accepted work waits for, as metrics say it.
const (
	waitsForProcessing = "processing"
	waitsForOriginal   = "original"
)

// backlogCollector measures when metrics are read what waits: how much accepted work is not
// finished, how old the oldest of it is, and when a worker last got a task.
type backlogCollector struct {
	store                               *store.Store
	rows, struggling, oldest, heartbeat *prometheus.Desc
}

func newBacklogCollector(s *store.Store) *backlogCollector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &backlogCollector{
		store: s,
		rows: describe("levy_outbox_rows", "Accepted transactions whose processing has not ended, by what they "+
			"wait for: processing, or, as refunds do, their original.", "waits_for"),
		struggling: describe(
			"levy_outbox_struggling_rows",
			"Those that were tried ten times or more: they need attention.",
		),
		oldest: describe("levy_outbox_oldest_seconds", "Age of the oldest of them, by what they wait for.", "waits_for"),
		heartbeat: describe(
			"levy_heartbeat_age_seconds",
			"Time since Temporal last handed a task to a worker, which is tried once a minute.",
		),
	}
}

// Describe implements prometheus.Collector.
func (c *backlogCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.rows
	to <- c.struggling
	to <- c.oldest
	to <- c.heartbeat
}

// Collect implements prometheus.Collector. While the database does not answer
// there are no figures.
func (c *backlogCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), measureTimeout)
	defer cancel()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if backlog, err := c.store.Transactions.Backlog(ctx); err == nil {
		gauge(c.rows, float64(backlog.Rows), waitsForProcessing)
		gauge(c.struggling, float64(backlog.Struggling))
		gauge(c.oldest, backlog.OldestAge.Seconds(), waitsForProcessing)
	}
	if refunds, err := c.store.Transactions.WaitingRefunds(ctx); err == nil {
		gauge(c.rows, float64(refunds.Rows), waitsForOriginal)
		gauge(c.oldest, refunds.OldestAge.Seconds(), waitsForOriginal)
	}
	if age, err := c.store.Engine.CheckAge(ctx, models.CheckHeartbeat); err == nil {
		gauge(c.heartbeat, age.Seconds())
	}
}
