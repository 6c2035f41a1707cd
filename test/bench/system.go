package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"levy/client"
	"levy/internal/local"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
	"levy/models"
	"levy/store"
)

// bench is one run: what it started and what it found out.
type bench struct {
	options
	out    io.Writer
	report *report

	dir      string // of this run, removed at the end
	postgres *postgres.Server
	temporal *temporal.Server

	postgresConfig postgres.Config
	temporalConfig temporal.Config

	levy
	db        *pgxpool.Pool // Levy's database
	reference *pgxpool.Pool // the same schema without Levy
	sales     *sales
	filled    int // transactions that were written by SQL, see fill
}

// referenceDatabase has the same schema as Levy's and the same organization and
// products; the other designs work there.
const referenceDatabase = "levy_reference"

// begin starts the stores, prepares both databases and runs API and worker once,
// to create what the sales are about.
func (b *bench) begin(ctx context.Context) error {
	if err := b.startStores(ctx); err != nil {
		return err
	}
	if err := b.openDatabases(ctx); err != nil {
		return err
	}
	if err := b.levy.configure(b); err != nil {
		return err
	}
	if err := b.startAPI(ctx); err != nil {
		return err
	}
	if err := b.createProducts(ctx); err != nil {
		return err
	}
	return b.copyOrganization(ctx)
}

func (b *bench) startStores(ctx context.Context) error {
	b.say("Starting PostgreSQL (with fsync) and Temporal")
	home, err := filepath.Abs(b.Home)
	if err != nil {
		return err
	}
	b.dir = filepath.Join(home, "bench", "run")
	if err := os.RemoveAll(b.dir); err != nil { // of a run that was killed
		return err
	}
	if err := local.MakeFolder(b.dir); err != nil {
		return err
	}
	binary, err := temporal.Ensure(ctx, filepath.Join(home, "bin"), b.out)
	if err != nil {
		return err
	}
	postgresDir := filepath.Join(b.dir, "postgres")
	if err := local.MakeFolder(postgresDir); err != nil {
		return err
	}
	b.postgresConfig = postgres.Config{Dir: postgresDir, BinariesDir: filepath.Join(home, "postgres-binaries"),
		Out: b.out}
	if b.postgres, err = postgres.Start(ctx, b.postgresConfig); err != nil {
		return err
	}
	b.temporalConfig = temporal.Config{Binary: binary, Dir: filepath.Join(b.dir, "temporal")}
	b.temporal, err = temporal.Start(ctx, b.temporalConfig)
	return err
}

// openDatabases creates the second database and migrates it; the first is migrated
// by Levy itself.
func (b *bench) openDatabases(ctx context.Context) error {
	var err error
	if b.db, err = pgxpool.New(ctx, b.postgres.URL("")); err != nil {
		return err
	}
	if err := b.db.QueryRow(ctx, "SHOW server_version").Scan(&b.report.Postgres); err != nil {
		return err
	}
	if _, err := b.db.Exec(ctx, "CREATE DATABASE "+referenceDatabase); err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Options{URL: b.postgres.URL(referenceDatabase)})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Migrate(ctx); err != nil {
		return err
	}
	b.reference, err = pgxpool.New(ctx, b.postgres.URL(referenceDatabase))
	return err
}

func (b *bench) createProducts(ctx context.Context) error {
	b.sales = newSales(b.baseURL, b.apiKey, b.organizationID)
	service := client.New(b.baseURL, b.apiKey, b.organizationID)
	for kind := range kinds {
		for line, subcategory := range []string{"PHYSICAL_GENERAL", "BOOKS"} {
			name := product(kind, line+1)
			_, err := service.CreateProduct(ctx, client.ProductCreate{
				ExternalID: name, Name: name, ProductCategory: "PHYSICAL", ProductSubcategory: subcategory,
			})
			if err != nil {
				return fmt.Errorf("create product: %w", err)
			}
		}
	}
	return nil
}

// copyOrganization gives the second database what the rows refer to.
func (b *bench) copyOrganization(ctx context.Context) error {
	for _, table := range []string{"organizations", "organization_settings", "products"} {
		var rows string
		if err := b.db.QueryRow(ctx, "SELECT json_agg(t) FROM "+table+" t").Scan(&rows); err != nil {
			return err
		}
		if _, err := b.reference.Exec(ctx,
			"INSERT INTO "+table+" SELECT * FROM json_populate_recordset(NULL::"+table+", $1) ON CONFLICT DO NOTHING",
			rows); err != nil {
			return err
		}
	}
	return nil
}

// settle lets a load begin with as little as possible left to do from the one
// before. It belongs before a warm-up: just after a checkpoint PostgreSQL logs
// whole pages.
func (b *bench) settle(ctx context.Context) error {
	_, err := b.db.Exec(ctx, "CHECKPOINT")
	return err
}

// end stops everything and removes the data.
func (b *bench) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	errs := []error{b.levy.stop(ctx)}
	for _, pool := range []*pgxpool.Pool{b.db, b.reference} {
		if pool != nil {
			pool.Close()
		}
	}
	if b.temporal != nil {
		errs = append(errs, b.temporal.Stop(ctx))
	}
	if b.postgres != nil {
		errs = append(errs, b.postgres.Stop(ctx))
		if b.postgres.Relocated {
			errs = append(errs, os.RemoveAll(b.postgres.ClusterDir))
		}
	}
	if b.dir != "" {
		errs = append(errs, os.RemoveAll(b.dir))
	}
	return errors.Join(errs...)
}

// processed reports whether nothing that was accepted waits.
func (b *bench) processed(ctx context.Context) (done bool, err error) {
	err = b.db.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM outbox)").Scan(&done)
	return done, err
}

// checkAll fails unless every transaction was processed exactly once as it is now:
// nexus that arises meanwhile has it processed anew.
func (b *bench) checkAll(ctx context.Context) error {
	var unprocessed, journaled, total int
	err := b.db.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE processing_status <> $1),
		       (SELECT count(*) FROM transaction_stages s
		          JOIN transactions t ON t.organization_id = s.organization_id AND t.id = s.transaction_id
		               AND t.epoch = s.epoch
		         WHERE s.stage = $1) FROM transactions`, models.ProcessingProcessed).
		Scan(&total, &unprocessed, &journaled)
	if err != nil {
		return err
	}
	if unprocessed > 0 || journaled != total || total != b.sales.accepted() {
		return fmt.Errorf("%d accepted, %d recorded, %d of them not PROCESSED, %d journaled as PROCESSED",
			b.sales.accepted(), total, unprocessed, journaled)
	}
	return nil
}
