package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"go.temporal.io/api/operatorservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/progress"
	"levy/store/migrations"
	"levy/store/pg"
	"levy/worker"
	"levy/workflows"
)

type migrateCmd struct {
	jsonFlag

	Plan bool `help:"Print what would be done, with the sizes of the tables, and change nothing."`
}

// migrated is what a migration did, for programs.
type migrated struct {
	Applied     int  `json:"applied"`
	RowSecurity bool `json:"row_security"` // false: the roles are missing
}

// migrationPlan are the migrations that the database lacks, for programs.
type migrationPlan struct {
	Migrations []pg.PlannedMigration `json:"migrations"`
}

// Run migrates once, or prints what it would do.
func (c migrateCmd) Run(p *program) error {
	if c.Plan {
		return c.plan(p)
	}
	if err := p.config.validate(needDatabase, needTemporal); err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*migrated, error) {
		did, err := migrateDatabase(p.ctx, p.config, p.stderr, p.progressTo)
		if err != nil {
			return nil, err
		}
		return &did, registerInTemporal(p.ctx, p.config, p.stderr)
	})
}

// plan prints the migrations that the database lacks.
func (c migrateCmd) plan(p *program) error {
	if err := p.config.validate(needDatabase); err != nil {
		return err
	}
	s, err := openStore(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	plan, err := s.MigrationPlan(p.ctx)
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*migrationPlan, error) {
		return &migrationPlan{listed(plan)}, printPlan(p.stdout, plan)
	})
}

// kindsInWords say what each kind of migration does.
var kindsInWords = map[migrations.Kind]string{
	migrations.Quick:      "takes its locks for a moment, gives up after a second without them, and is tried again",
	migrations.Concurrent: "works while rows are read and written, and waits for database transactions that began before it",
	migrations.Background: "is recorded, and workers change the rows later, some at a time; levy status says how far they are",
}

func printPlan(to io.Writer, plan []pg.PlannedMigration) error {
	if len(plan) == 0 {
		_, err := fmt.Fprintln(to, "The schema is up to date.")
		return err
	}
	t := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	kinds := map[migrations.Kind]bool{}
	for _, m := range plan {
		kinds[m.Kind] = true
		tables := make([]string, len(m.Tables))
		for i, table := range m.Tables {
			tables[i] = fmt.Sprintf("%s (%s, about %d rows)", table.Name, inBytes(table.Bytes), table.Rows)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", m.File, m.Kind, cmp.Or(strings.Join(tables, ", "), "no existing table"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(to)
	for _, kind := range []migrations.Kind{migrations.Quick, migrations.Concurrent, migrations.Background} {
		if kinds[kind] {
			fmt.Fprintf(to, "%s: %s.\n", kind, kindsInWords[kind])
		}
	}
	_, err := fmt.Fprintf(to, "Migrations to apply: %d. The service continues meanwhile.\n", len(plan))
	return err
}

// temporalMigrationTimeout bounds what is done in Temporal after the schema, which has no time limit.
const temporalMigrationTimeout = 10 * time.Minute

// migrateDatabase brings the schema and the content of the database up to date. It needs no Temporal, and may run
// repeatedly and in several processes at once.
func migrateDatabase(ctx context.Context, cfg Config, logTo, progressTo io.Writer) (did migrated, err error) {
	log := cfg.logger(logTo)
	s, err := openStore(ctx, cfg)
	if err != nil {
		return did, err
	}
	defer s.Close()
	if err := s.CheckDirect(ctx); err != nil {
		return did, err
	}
	plan, err := s.MigrationPlan(ctx)
	if err != nil {
		return did, err
	}
	shown := progress.Begin(progressTo, "Migrations", progress.Items, int64(len(plan)))
	did.Applied, err = s.MigrateTelling(ctx, migrations.FS, pg.Telling{
		Line: func(line string) { log.InfoContext(ctx, line) }, Applied: func() { shown.Add(1) },
	})
	shown.End()
	if err != nil {
		return did, err
	}
	log.InfoContext(ctx, "schema is up to date", "applied", did.Applied)
	var missing *pg.RolesError
	switch err := s.SecureRows(ctx); {
	case errors.As(err, &missing):
		log.WarnContext(ctx, "rows of organizations have no second lock", "reason", err.Error())
	case err != nil:
		return did, fmt.Errorf("secure rows: %w", err)
	}
	did.RowSecurity = missing == nil
	return did, installContent(ctx, s)
}

// registerInTemporal brings the search attributes and the schedules up to date.
func registerInTemporal(ctx context.Context, cfg Config, logTo io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, temporalMigrationTimeout)
	defer cancel()
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
