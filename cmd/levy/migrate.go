package main

import (
	"context"
	"errors"
	"io"
)

type migrateCmd struct{}

// Run migrates once.
func (migrateCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needTemporal); err != nil {
		return err
	}
	return migrate(p.ctx, p.config, p.stderr)
}

// migrate brings the database schema, the search attributes and the schedules up
// to date. It may run repeatedly and in several processes at once.
func migrate(ctx context.Context, cfg Config, log io.Writer) error {
	return errors.New("the migrations are not wired")
}

// searchAttributes are what staff can search workflows by: name to Temporal type.
func searchAttributes() map[string]string {
	return map[string]string{
		"OrganizationId": "KeywordList",
		"Jurisdiction":   "Keyword",
		"FilingPeriod":   "Keyword",
		"Step":           "Keyword",
		"FailedCount":    "Int",
	}
}
