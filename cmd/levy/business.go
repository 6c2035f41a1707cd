package main

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/models"
	"levy/store"
)

// businessCollector measures when metrics are read what waits for people, and how old the tax content is.
type businessCollector struct {
	described

	store                                       *store.Store
	attention, filings, onboardings, noProgress *prometheus.Desc
	content, unconfirmed, publication, due      *prometheus.Desc
	sources, recountsFailed, recountAge         *prometheus.Desc
	passPages, passExpected, passAge, violated  *prometheus.Desc
	migrated, toMigrate, migrationFails         *prometheus.Desc
}

func newBusinessCollector(s *store.Store) *businessCollector {
	c := &businessCollector{store: s}
	c.attention = c.add("levy_transactions_need_attention",
		"Transactions that cannot be processed until the merchant corrects them.")
	c.filings = c.add("levy_filings_waiting",
		"Filings that wait for people, by why: to_approve, to_file, issue, and overdue, which may be one of the others too.", "why")
	c.onboardings = c.add("levy_onboardings", "Onboardings under way, by the number of the step that is next.", "step")
	c.noProgress = c.add("levy_onboarding_oldest_seconds",
		"Time since the last progress of the one that has waited longest, by step.", "step")
	c.content = c.add("levy_content_age_seconds",
		"Time since the tax content in force was recorded, by its version.", "version")
	c.unconfirmed = c.add("levy_content_unconfirmed_seconds",
		"Time since the table of rates of a state ended in which an organization is registered, by state.", "state")
	c.publication = c.add("levy_content_publication_late_seconds",
		"Time since the day by which the publisher of signed bundles promised the next one; 0 before it.")
	c.sources = c.add("levy_content_sources_waiting",
		"Member states whose published files wait for an operator, are refused, or have been out of reach for three days.")
	c.due = c.add("levy_due_oldest_seconds",
		"For how long the first record has been due that no process takes, by kind; 0 where there is none.", "kind")
	c.recountsFailed = c.add("levy_nexus_recounts_failed", "Organizations whose nexus the last night could not count.")
	c.recountAge = c.add("levy_nexus_recount_age_seconds",
		"Time since all changes of an organization were counted and checked, of the one for which it is longest.")
	c.passPages = c.add("levy_nexus_pass_pages", "Pages that the full passes under way have compared, of all organizations.")
	c.passExpected = c.add("levy_nexus_pass_pages_expected", "About how many pages the full passes under way have.")
	c.passAge = c.add("levy_nexus_pass_age_seconds",
		"Time since the full pass of an organization began, of the one for which it is longest.")
	c.violated = c.add("levy_record_violations",
		"Records that a nightly check found to violate a rule and has not found to be right since. Must stay zero.")
	c.migrated = c.add("levy_background_migration_rows",
		"Rows of its table that a background migration has read, by the number of the migration.", "migration")
	c.toMigrate = c.add("levy_background_migration_rows_expected",
		"About how many rows the table of a background migration has, by the number of the migration.", "migration")
	c.migrationFails = c.add("levy_background_migrations_failing", "Background migrations whose last batch failed.")
	return c
}

// Collect implements prometheus.Collector. While the database does not answer
// there are no figures.
func (c *businessCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(models.AcrossOrganizations(context.Background()), measureTimeout)
	defer cancel()
	gauge := gauges(to).set
	if version, age, err := c.store.Content.ContentAge(ctx); err == nil && version != "" {
		gauge(c.content, age.Seconds(), version)
	}
	if tables, err := endedTables(ctx, c.store, day(time.Now())); err == nil {
		for _, t := range tables {
			if t.Registered {
				gauge(c.unconfirmed, t.age.Seconds(), t.State)
			}
		}
	}
	if list, err := c.store.Content.Sources(ctx); err == nil && len(list) > 0 {
		gauge(c.sources, float64(len(sourcesInWords(list))))
	}
	if p, err := readPublication(ctx, c.store, time.Now()); err == nil && p != nil {
		gauge(c.publication, (time.Duration(p.DaysLate) * 24 * time.Hour).Seconds())
	}
	if b, err := c.store.Engine.WaitingForPeople(ctx); err == nil {
		gauge(c.attention, float64(b.NeedAttention))
		gauge(c.filings, float64(b.ToApprove), "to_approve")
		gauge(c.filings, float64(b.ToFile), "to_file")
		gauge(c.filings, float64(b.InIssue), "issue")
		gauge(c.filings, float64(b.Overdue), "overdue")
		for step, at := range b.Onboardings {
			gauge(c.onboardings, float64(at.Number), strconv.Itoa(step))
			gauge(c.noProgress, at.Oldest.Seconds(), strconv.Itoa(step))
		}
	}
	if due, err := c.store.Engine.Due(ctx); err == nil {
		for kind, longest := range due {
			gauge(c.due, longest.Seconds(), kind)
		}
	}
	if r, err := c.store.Nexus.Recounts(ctx); err == nil {
		gauge(c.recountsFailed, float64(r.Failed))
		gauge(c.recountAge, float64(r.Oldest))
		gauge(c.passPages, float64(r.Pages))
		gauge(c.passExpected, float64(r.Expected))
		gauge(c.passAge, float64(r.PassAge))
	}
	if runs, err := c.store.BackgroundRuns(ctx); err == nil {
		failing := 0
		for _, m := range runs {
			gauge(c.migrated, float64(m.Rows), strconv.FormatInt(m.Version, 10))
			gauge(c.toMigrate, float64(m.Expected), strconv.FormatInt(m.Version, 10))
			if m.Failure != "" {
				failing++
			}
		}
		gauge(c.migrationFails, float64(failing))
	}
	if v, err := c.store.Integrity.Violations(ctx); err == nil {
		gauge(c.violated, float64(v.Open))
	}
}
