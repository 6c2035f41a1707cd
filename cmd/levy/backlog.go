package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/internal/backup"
	"levy/models"
	"levy/store"
)

// measureTimeout bounds a measurement in the database.
const measureTimeout = 2 * time.Second

// waitsForProcessing and waitsForOriginal are the reasons for which accepted work waits, as metrics name them.
const (
	waitsForProcessing = "processing"
	waitsForOriginal   = "original"
)

// described are the metrics of a collector.
type described []*prometheus.Desc

func (d *described) add(name, help string, labels ...string) *prometheus.Desc {
	added := prometheus.NewDesc(name, help, labels, nil)
	*d = append(*d, added)
	return added
}

// Describe implements prometheus.Collector.
func (d *described) Describe(to chan<- *prometheus.Desc) {
	for _, each := range *d {
		to <- each
	}
}

// gauges collects gauges.
type gauges chan<- prometheus.Metric

func (to gauges) set(d *prometheus.Desc, value float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

// backlogCollector measures waiting work whenever metrics are read: how much accepted work is unfinished, and how old
// the oldest is. It also measures when workers last got a task, and the age of the last backup.
type backlogCollector struct {
	described

	store                            *store.Store
	rows, failing, oldest, heartbeat *prometheus.Desc
	backup, behind, archive, outage  *prometheus.Desc

	deliveries, oldestEvent, disabled *prometheus.Desc // of webhooks
}

func newBacklogCollector(s *store.Store) *backlogCollector {
	c := &backlogCollector{store: s}
	c.rows = c.add("levy_outbox_rows", "Accepted transactions whose processing has not ended, by what they "+
		"wait for: processing, or, as refunds do, their original.", "waits_for")
	c.failing = c.add("levy_outbox_struggling_rows",
		"Those that were tried "+models.FailingTimes+" or more: they need attention.")
	c.oldest = c.add("levy_outbox_oldest_seconds", "Age of the oldest of them, by what they wait for.", "waits_for")
	c.heartbeat = c.add("levy_heartbeat_age_seconds",
		"Time since Temporal last handed a task to a worker, which is tried once a minute, by task queue.", "queue")
	c.deliveries = c.add("levy_webhook_pending_deliveries", "Deliveries to webhook endpoints that wait for an attempt.")
	c.oldestEvent = c.add("levy_webhook_oldest_event_seconds",
		"Age of the oldest event that an enabled webhook endpoint has not got.")
	c.disabled = c.add("levy_webhook_disabled_endpoints",
		"Webhook endpoints that get nothing, by reason: MANUAL, FAILING or GONE.", "reason")
	c.backup = c.add("levy_backup_age_seconds",
		"Age of the last backup that levy backup took or noted; absent when there is none.")
	c.behind = c.add("levy_wal_behind_bytes",
		"WAL that PostgreSQL keeps for levy backup --wal; absent where no backup takes it.")
	c.archive = c.add("levy_wal_archive_failing",
		"1 while the last call of PostgreSQL's archive_command failed, else 0; absent when it was never called.")
	c.outage = c.add("levy_authority_outage_seconds",
		"For how long an authority has been out of reach, by its adapter; it is tried once a minute.", "authority")
	return c
}

// Collect implements prometheus.Collector. While the database does not answer
// there are no figures.
func (c *backlogCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), measureTimeout)
	defer cancel()
	gauge := gauges(to).set
	if backlog, err := c.store.Transactions.Backlog(ctx); err == nil {
		gauge(c.rows, float64(backlog.Rows), waitsForProcessing)
		gauge(c.failing, float64(backlog.Failing))
		gauge(c.oldest, backlog.OldestAge.Seconds(), waitsForProcessing)
	}
	if refunds, err := c.store.Transactions.WaitingRefunds(ctx); err == nil {
		gauge(c.rows, float64(refunds.Rows), waitsForOriginal)
		gauge(c.oldest, refunds.OldestAge.Seconds(), waitsForOriginal)
	}
	if beats, err := c.store.Engine.Heartbeats(ctx); err == nil {
		for _, b := range beats {
			gauge(c.heartbeat, b.Age.Seconds(), b.Queue)
		}
	}
	if outages, err := c.store.Engine.Outages(ctx); err == nil {
		for _, o := range outages {
			gauge(c.outage, o.Age.Seconds(), o.Authority)
		}
	}
	backups, err := c.store.Integrity.Backups(ctx, backup.Slot)
	if err == nil && backups.Last != nil {
		gauge(c.backup, backups.Age.Seconds())
	}
	if err == nil && backups.KeepsWAL {
		gauge(c.behind, float64(backups.Behind))
	}
	if err == nil && (backups.Archives || backups.ArchiveFails) {
		failing := 0.0
		if backups.ArchiveFails {
			failing = 1
		}
		gauge(c.archive, failing)
	}
	if webhooks, err := c.store.Webhooks.WebhookBacklog(models.AcrossOrganizations(ctx)); err == nil {
		gauge(c.deliveries, float64(webhooks.Pending))
		gauge(c.oldestEvent, webhooks.Oldest.Seconds())
		for _, reason := range []string{models.WebhookManual, models.WebhookFailing, models.WebhookGone} {
			gauge(c.disabled, float64(webhooks.Disabled[reason]), reason)
		}
	}
}
