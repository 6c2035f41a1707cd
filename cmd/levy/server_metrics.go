package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/internal/backup"
	"levy/models"
	"levy/store"
)

// serverCollector measures what ends or fills up slowly: limits of PostgreSQL and its disk, saved keys, certificates,
// operator keys, and the shares of single organizations.
type serverCollector struct {
	described

	store *store.Store
	cfg   Config

	saved, connections, wraparound, behind, disk, certificate, operator *prometheus.Desc
	older, left, storage, backlog                                       *prometheus.Desc
}

func newServerCollector(s *store.Store, cfg Config) *serverCollector {
	c := &serverCollector{store: s, cfg: cfg}
	c.saved = c.add("levy_keys_saved_age_seconds",
		"Age of the last file with the wrapped keys (levy keys save); absent when there is none.")
	c.connections = c.add("levy_database_connections_percent",
		"Connections to the server of PostgreSQL, as a share of those that it allows, in percent.")
	c.wraparound = c.add("levy_database_wraparound_percent",
		"Transaction ids of PostgreSQL that are used up; at 100 percent it accepts no more writes.")
	c.behind = c.add("levy_standby_behind_bytes",
		"WAL that a standby has not got or applied, by its replication slot or name.", "standby")
	c.disk = c.add("levy_database_disk_free_percent",
		"Free part of the disk of LEVY_DATABASE_FOLDER, in percent; absent where that is not set.")
	c.certificate = c.add("levy_certificate_valid_seconds",
		"Time until a certificate ends that this process shows, by its setting.", "setting")
	c.operator = c.add("levy_operator_key_valid_seconds",
		"Time until the first operator key ends; absent where none that works has an end.")
	c.older = c.add("levy_older_master_keys", "Master keys that preceded the newest one and are not retired.")
	c.left = c.add("levy_master_key_left",
		"Wrapped keys and seals that the newest master key has not taken over, when they were counted last.")
	c.storage = c.add("levy_fullest_storage_percent",
		"Part of its storage quota that an active organization uses, in percent, of the ten that have used most of theirs.",
		"organization")
	c.backlog = c.add("levy_largest_backlog_percent",
		"Share of the organization with the most transactions that wait for five minutes in all that do, in percent, background "+
			"work left out; absent unless a thousand wait, of more than one organization.", "organization")
	return c
}

// Collect implements prometheus.Collector. A part that cannot be measured has no figure.
func (c *serverCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(models.AcrossOrganizations(context.Background()), measureTimeout)
	defer cancel()
	gauge := gauges(to).set
	if server, err := c.store.Engine.DatabaseServer(ctx, backup.Slot); err == nil {
		gauge(c.connections, float64(server.Connections))
		gauge(c.wraparound, float64(server.Wraparound))
		for _, standby := range server.Standbys {
			gauge(c.behind, float64(standby.Behind), standby.Name)
		}
	}
	if saved, err := c.store.Integrity.KeysSaved(ctx); err == nil && saved.Last != nil {
		gauge(c.saved, saved.Age.Seconds())
	}
	if left, known, err := c.store.Engine.OperatorKeyLeft(ctx); err == nil && known {
		gauge(c.operator, left.Seconds())
	}
	if run, err := c.store.MasterKeys.Run(ctx); err == nil && run.Newest != "" {
		gauge(c.older, float64(run.Older))
		gauge(c.left, float64(run.Left))
	}
	if shares, err := c.store.Engine.FullestStorage(ctx); err == nil {
		for _, share := range shares {
			gauge(c.storage, float64(share.Percent), share.OrganizationID)
		}
	}
	if share, err := c.store.Engine.LargestBacklog(ctx); err == nil && share.OrganizationID != "" {
		gauge(c.backlog, float64(share.Percent), share.OrganizationID)
	}
	if c.cfg.DatabaseFolder != "" {
		if free, err := freePercent(c.cfg.DatabaseFolder); err == nil {
			gauge(c.disk, free)
		}
	}
	for _, file := range c.cfg.certificates() {
		if file.path == "" {
			continue
		}
		if ends, err := certificateEnd(file.path); err == nil {
			gauge(c.certificate, time.Until(ends).Seconds(), file.setting)
		}
	}
}

// certificateOf is a certificate that this process shows, by the setting that names it.
type certificateOf struct{ setting, path string }

// certificates returns the certificates that this process shows. That of one state has its code behind the setting.
func (c Config) certificates() []certificateOf {
	found := []certificateOf{{"LEVY_TLS_CERT", c.TLSCert}, {"LEVY_TEMPORAL_CERT", c.TemporalCert}}
	for _, entry := range c.SimplifiedCert {
		state, path := splitEntry(entry)
		found = append(found, certificateOf{strings.TrimSpace("LEVY_SIMPLIFIED_CERT " + state), path})
	}
	return found
}

// freePercent returns the part of the disk of a folder that users other than root may still fill, in percent.
func freePercent(folder string) (float64, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	if disk.Blocks == 0 {
		return 0, errors.New("the file system has no size")
	}
	return 100 * float64(disk.Bavail) / float64(disk.Blocks), nil
}

// certificateEnd returns when the first certificate of a file (PEM) ends, its chain included.
func certificateEnd(path string) (ends time.Time, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return ends, err
	}
	for {
		var block *pem.Block
		if block, content = pem.Decode(content); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return ends, err
		}
		if ends.IsZero() || c.NotAfter.Before(ends) {
			ends = c.NotAfter
		}
	}
	if ends.IsZero() {
		return ends, errors.New("the file has no certificate")
	}
	return ends, nil
}
