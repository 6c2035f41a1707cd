package main

import (
	"context"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"levy/models"
	"levy/store"
)

// businessCollector measures when metrics are read what waits for people, and how old the tax content is.
type businessCollector struct {
	store                                       *store.Store
	attention, filings, onboardings, noProgress *prometheus.Desc
	content                                     *prometheus.Desc
}

func newBusinessCollector(s *store.Store) *businessCollector {
	return &businessCollector{
		store: s,
		attention: prometheus.NewDesc("levy_transactions_need_attention",
			"Transactions that cannot be processed until somebody corrects them.", nil, nil),
		filings: prometheus.NewDesc("levy_filings_waiting",
			"Filings that wait for people, by why: to_approve, issue, and overdue, which may be one of the others too.",
			[]string{"why"}, nil),
		onboardings: prometheus.NewDesc("levy_onboardings",
			"Onboardings under way, by the number of the step that is next.", []string{"step"}, nil),
		noProgress: prometheus.NewDesc("levy_onboarding_oldest_seconds",
			"Time since the last progress of the one that has waited longest, by step.", []string{"step"}, nil),
		content: prometheus.NewDesc("levy_content_age_seconds",
			"Time since the tax content in force was recorded, by its version.", []string{"version"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *businessCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.attention
	to <- c.filings
	to <- c.onboardings
	to <- c.noProgress
	to <- c.content
}

// Collect implements prometheus.Collector. While the database does not answer
// there are no figures.
func (c *businessCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(models.AcrossOrganizations(context.Background()), measureTimeout)
	defer cancel()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if version, age, err := c.store.Content.ContentAge(ctx); err == nil && version != "" {
		gauge(c.content, age.Seconds(), version)
	}
	b, err := c.store.Engine.WaitingForPeople(ctx)
	if err != nil {
		return
	}
	gauge(c.attention, float64(b.NeedAttention))
	gauge(c.filings, float64(b.ToApprove), "to_approve")
	gauge(c.filings, float64(b.InIssue), "issue")
	gauge(c.filings, float64(b.Overdue), "overdue")
	for step, at := range b.Onboardings {
		gauge(c.onboardings, float64(at.Number), strconv.Itoa(step))
		gauge(c.noProgress, at.Oldest.Seconds(), strconv.Itoa(step))
	}
}
