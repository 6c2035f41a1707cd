package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// measureImport imports a file of sales. It measures the time from the arrival of the file until its last sale is
// PROCESSED. The reference writes the resulting rows with COPY into the same tables of the second database, all in one
// commit. These tables have the same indexes, foreign keys and triggers (which count and write events). It does so as
// the owner, because PostgreSQL copies nothing into a table with row-level security.
func (b *bench) measureImport(ctx context.Context) error {
	b.say("Import of a file of %d sales", b.Imported)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	if err := until(ctx, "backlog", 100*time.Millisecond, 10*time.Minute, b.processed); err != nil {
		return err
	}
	file := importFile(b.Imported)
	if err := b.settle(ctx); err != nil {
		return err
	}
	id, err := b.uploadImport(ctx, file)
	if err != nil {
		return err
	}
	profiles := b.startProfiles(ctx, "import", time.Duration(b.Seconds)*time.Second, "worker")
	logged, err := b.logged(ctx)
	if err != nil {
		return err
	}
	before, began := b.cpuNow(), time.Now()
	if err := until(ctx, "import", 50*time.Millisecond, 30*time.Minute, func(ctx context.Context) (done bool, err error) {
		return done, b.db.QueryRow(ctx, "SELECT status = 'COMPLETED' FROM transaction_imports WHERE id = $1", id).Scan(&done)
	}); err != nil {
		return err
	}
	b.say("  taken in after %.1f s", time.Since(began).Seconds())
	if err := until(ctx, "all PROCESSED", 50*time.Millisecond, 30*time.Minute, b.processed); err != nil {
		return err
	}
	p := b.phaseOfImport("import", began, before)
	if err := b.countBatches(ctx, p, id); err != nil {
		return err
	}
	b.say("  %s", p)
	if err := b.noteLogged(ctx, p, logged); err != nil {
		return err
	}
	if err := profiles(); err != nil {
		return err
	}
	var taken int
	if err := b.db.QueryRow(ctx,
		"SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'PROCESSED'",
		id).Scan(&taken); err != nil {
		return err
	}
	if taken != b.Imported {
		return fmt.Errorf("%d of %d sales are processed", taken, b.Imported)
	}
	if err := b.measureMemory(ctx, "after the import", 150); err != nil {
		return err
	}
	return b.copyReference(ctx, id, p)
}

func (b *bench) phaseOfImport(name string, began time.Time, before cpu) *phase {
	p := newPhase(1, nil, time.Since(began), b.cpuNow().since(before))
	p.count(b.Imported)
	return b.report.add(name, p)
}

// countBatches counts the workflows that the sales of an import were processed in.
func (b *bench) countBatches(ctx context.Context, p *phase, id string) error {
	return b.db.QueryRow(ctx, `
		SELECT count(DISTINCT s.workflow_id) FROM transaction_stages s
		  JOIN transactions t ON t.organization_id = s.organization_id AND t.id = s.transaction_id
		 WHERE t.batch_id = $1 AND s.stage = 'PROCESSED'`, id).Scan(&p.Batches)
}

// logged is how many bytes PostgreSQL has written to its log so far.
func (b *bench) logged(ctx context.Context) (bytes int64, err error) {
	err = b.db.QueryRow(ctx, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").Scan(&bytes)
	return bytes, err
}

// noteLogged says what a phase has written to PostgreSQL's log for each of its sales.
func (b *bench) noteLogged(ctx context.Context, p *phase, before int64) error {
	now, err := b.logged(ctx)
	if err != nil {
		return err
	}
	each := float64(now-before) / float64(p.Count)
	b.say("  PostgreSQL logged %.0f bytes for each", each)
	b.report.note("In the phase %q PostgreSQL logged %.0f bytes for each sale.", p.Name, each)
	return nil
}

// importFile is a CSV file of sales of one line.
func importFile(n int) []byte {
	var out bytes.Buffer
	out.WriteString("external_id,type,date,currency,customer_external_id,customer_name,country,state,city," +
		"postal_code,street_1,item_external_id,external_product_id,quantity,amount," +
		"tax_amount_imported,transaction_total_amount\r\n")
	date, run := time.Now().UTC().Add(-time.Hour).Format(time.RFC3339), time.Now().UnixNano()
	for i := range n {
		to := destinations[i%len(destinations)]
		fmt.Fprintf(&out, "IMPORT-%d-%d,SALE,%s,USD,CUSTOMER-%d-%d,Ada Example,"+
			"US,%s,%s,%s,%s,LINE-1,%s,1,249.99,17.50,267.49\r\n",
			run, i, date, run, i, to.state, to.city, to.zip, to.street, product(i%kinds, 1))
	}
	return out.Bytes()
}

// uploadImport sends the file and returns the id of its import.
func (b *bench) uploadImport(ctx context.Context, file []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.baseURL+"/v1/transactions/imports",
		bytes.NewReader(file))
	if err != nil {
		return "", err
	}
	request.Header.Set("X-API-KEY", b.apiKey)
	request.Header.Set("x-organization-id", b.organizationID)
	request.Header.Set("Content-Type", "text/csv")
	began := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusAccepted {
		return "", fmt.Errorf("import: %s: %s", response.Status, answer)
	}
	b.say("  %.1f MB sent in %.2f s", float64(len(file))/1e6, time.Since(began).Seconds())
	var made struct {
		ID string `json:"id"`
	}
	return made.ID, json.Unmarshal(answer, &made)
}

// importedRows are the tables that hold what belongs to imported sales, with the
// condition by which their rows are found.
var importedRows = []struct{ table, condition string }{
	{"customers", "(organization_id, id) IN (SELECT organization_id, customer_id FROM transactions " +
		"WHERE batch_id = '%s')"},
	{"transactions", "batch_id = '%s'"},
	{"transaction_items", ofImported("transaction_id")},
	{"transaction_addresses", ofImported("transaction_id")},
	{"transaction_stages", ofImported("transaction_id")},
	{"transaction_explanations", ofImported("transaction_id")},
	{"nexus_contributions", ofImported("transaction_id")},
	{"transaction_totals", ofImported("transaction_id")},
	{"audit", ofImported("entity_id")},
}

func ofImported(column string) string {
	return "(organization_id, " + column + ") IN (SELECT organization_id, id FROM transactions WHERE batch_id = '%s')"
}

// copyReference writes the rows of the import once more, with COPY.
func (b *bench) copyReference(ctx context.Context, id string, imported *phase) error {
	var rows int64
	for _, part := range importedRows {
		n, err := b.unload(ctx, part.table, fmt.Sprintf(part.condition, id))
		if err != nil {
			return fmt.Errorf("%s: %w", part.table, err)
		}
		rows += n
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, b.postgres.URL(referenceDatabase))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	logged, err := b.logged(ctx)
	if err != nil {
		return err
	}
	before, began := b.cpuNow(), time.Now()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after the commit
	for _, part := range importedRows {
		if err := b.load(ctx, conn, part.table); err != nil {
			return fmt.Errorf("%s: %w", part.table, err)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	copied := b.phaseOfImport("COPY of the same rows", began, before)
	b.say("  %s (%d rows of %d tables)", copied, rows, len(importedRows))
	if err := b.noteLogged(ctx, copied, logged); err != nil {
		return err
	}
	b.report.compare("import of sales, processing included", imported, "COPY of the same rows", copied, 0.4)
	return nil
}

func (b *bench) copyFile(table string) string { return filepath.Join(b.dir, "copy-"+table) }

// unload writes rows of a table to a file.
func (b *bench) unload(ctx context.Context, table, condition string) (int64, error) {
	file, err := os.Create(b.copyFile(table))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	conn, err := b.db.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	tag, err := conn.Conn().PgConn().CopyTo(ctx, file,
		strings.Join([]string{"COPY (SELECT * FROM", table, "WHERE", condition + ") TO STDOUT"}, " "))
	return tag.RowsAffected(), err
}

func (b *bench) load(ctx context.Context, conn *pgx.Conn, table string) error {
	file, err := os.Open(b.copyFile(table))
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = conn.PgConn().CopyFrom(ctx, file, "COPY "+table+" FROM STDIN")
	return err
}
