package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"go.temporal.io/api/operatorservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/store/pg"
	"levy/worker"
	"levy/workflows"
)

type migrateCmd struct{}

// Run migrates once.
func (migrateCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needTemporal); err != nil {
		return err
	}
	return migrate(p.ctx, p.config, p.stderr)
}

// migrateTimeout bounds a whole migration, the wait for another process included.
const migrateTimeout = 10 * time.Minute

// migrate brings the database schema, the search attributes and the schedules up to date. It may
// run repeatedly and in several processes at once.
func migrate(ctx context.Context, cfg Config, logTo io.Writer) error {
	if err := migrateDatabase(ctx, cfg, logTo); err != nil {
		return err
	}
	return registerInTemporal(ctx, cfg, logTo)
}

// migrateDatabase brings the schema and the content of the database up to date. It needs no Temporal.
func migrateDatabase(ctx context.Context, cfg Config, logTo io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, migrateTimeout)
	defer cancel()
	log := cfg.logger(logTo)
	s, err := openStore(ctx, cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.CheckDirect(ctx); err != nil {
		return err
	}
	applied, err := s.Migrate(ctx)
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "schema is up to date", "applied", applied)
	var missing *pg.RolesError
	switch err := s.SecureRows(ctx); {
	case errors.As(err, &missing):
		log.WarnContext(ctx, "rows of organizations have no second lock", "reason", err.Error())
	case err != nil:
		return fmt.Errorf("secure rows: %w", err)
	}
	return installContent(ctx, s)
}

// registerInTemporal brings the search attributes and the schedules up to date.
func registerInTemporal(ctx context.Context, cfg Config, logTo io.Writer) error {
	return repeated(ctx, cfg.logger(logTo), func() error {
		client, err := cfg.dialPlain(ctx)
		if err != nil {
			return err
		}
		defer client.Close()
		if err := registerSearchAttributes(ctx, client, cfg.TemporalNamespace); err != nil {
			return err
		}
		return worker.EnsureSchedules(ctx, client, workflows.Schedules())
	})
}

// registerSearchAttributes adds to the namespace the attributes it lacks.
func registerSearchAttributes(ctx context.Context, client sdkclient.Client, namespace string) error {
	known, err := client.OperatorService().ListSearchAttributes(
		ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace},
	)
	if err != nil {
		return fmt.Errorf("list search attributes: %w", err)
	}
	missing := workflows.SearchAttributes()
	for name := range known.GetCustomAttributes() {
		delete(missing, name)
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = client.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: missing,
	})
	if err != nil {
		return fmt.Errorf("add search attributes: %w", err)
	}
	return nil
}

// searchAttributes are what staff can search workflows by, as the development
// server takes them: name to type.
func searchAttributes() map[string]string {
	types := map[string]string{}
	for name, valueType := range workflows.SearchAttributes() {
		types[name] = valueType.String()
	}
	return types
}
