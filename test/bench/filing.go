package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"levy/client"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// plainClaim is what the claim of a return does at the least, as one statement: it
// marks the transactions and adds them up. It writes no return lines.
const plainClaim = `
	WITH claimed AS (
	  UPDATE transactions SET processing_status = 'FILING_STARTED', filing_id = 'file_plain', updated_at = now()
	   WHERE organization_id = $1 AND tax_date BETWEEN '2026-01-01' AND '2026-01-31' AND processing_status = 'PROCESSED'
	  RETURNING organization_id, id, epoch)
	SELECT count(*), sum(x.sales), sum(x.taxable), sum(x.tax), sum(x.collected), sum(x.liability)
	  FROM claimed c JOIN transaction_totals x ON x.organization_id = c.organization_id AND x.transaction_id = c.id
	       AND x.epoch = c.epoch`

// filer is an organization whose return is measured.
type filer struct {
	scope  models.Scope
	apiKey string
	filing string
}

// measureFiling files a return of few transactions and one of many, side by side with
// the same claim in plain SQL, and reads their reports.
func (b *bench) measureFiling(ctx context.Context) error {
	b.say("Return of %d and of %d transactions", fewRows, b.Rows)
	s, err := b.openStore(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	peaks := map[string][]float64{}
	for _, rows := range slices.Compact([]int{fewRows, b.Rows}) {
		f, err := b.newFiler(ctx, s, "Filer", rows)
		if err != nil {
			return err
		}
		if err := b.measureWorksheet(ctx, f, rows); err != nil {
			return err
		}
		plain, took, err := b.fileBesidePlain(ctx, s, f, rows)
		if err != nil {
			return err
		}
		said := fmt.Sprintf("claimed in %.2f s, in plain SQL %.2f s; to its stored document in %.2f s; filed with its hash in %.2f s",
			took.claim, plain, took.document, took.seal)
		b.say("  %d transactions: %s", rows, said)
		b.report.note("Return of %d transactions: %s.", rows, said)
		if rows == b.Rows {
			b.report.atMost(fmt.Sprintf("claim of %d transactions over the same in plain SQL", rows), "x", took.claim/plain, 2)
			b.report.atMost(fmt.Sprintf("return of %d transactions to its stored document over its claim alone", rows), "x",
				took.document/took.claim, 1.1)
		}
		for _, format := range []string{"json", "csv", "pdf"} {
			peak, err := b.readReport(ctx, f, rows, format)
			if err != nil {
				return err
			}
			peaks[format] = append(peaks[format], peak)
		}
		if err := b.verify(ctx, f, rows); err != nil {
			return err
		}
	}
	if b.Rows == fewRows {
		return nil
	}
	for _, format := range []string{"json", "csv"} {
		b.report.atMost(fmt.Sprintf("report as %s, memory of the API with %d transactions over that with %d", format,
			b.Rows, fewRows), "x", peaks[format][1]/peaks[format][0], 1.2)
	}
	return nil
}

// filed is how many seconds a return took.
type filed struct {
	claim    float64 // the claim alone
	document float64 // from its begin until the document is stored
	seal     float64 // the filing, with its hash
}

// fileBesidePlain claims the same in plain SQL first, and then files. It returns the seconds of both.
func (b *bench) fileBesidePlain(ctx context.Context, s *store.Store, f filer, rows int) (plain float64, took filed, err error) {
	if plain, err = b.claimPlainly(ctx, f.scope, rows); err != nil {
		return 0, took, err
	}
	took, err = b.file(ctx, s, f, rows)
	return plain, took, err
}

// newFiler makes an organization of that name with so many processed sales, in both databases,
// and their return.
func (b *bench) newFiler(ctx context.Context, s *store.Store, name string, rows int) (filer, error) {
	if err := b.ensure(ctx, true); err != nil { // organizations are made by a workflow
		return filer{}, err
	}
	service := client.New(b.baseURL, b.apiKey, b.organizationID)
	made, err := service.CreateOrganization(ctx, client.OrganizationCreate{Name: fmt.Sprint(name, " of ", rows)})
	if err != nil {
		return filer{}, err
	}
	key, err := client.New(b.baseURL, b.apiKey, made.ID).CreateAPIKey(ctx, client.APIKeyCreate{})
	if err != nil {
		return filer{}, err
	}
	f := filer{scope: models.Scope{OrganizationID: made.ID}, apiKey: key.APIKey}
	if _, err := client.New(b.baseURL, f.apiKey, made.ID).CreateProduct(ctx,
		client.ProductCreate{ExternalID: "P-1", Name: "Widget", ProductCategory: "PHYSICAL"}); err != nil {
		return filer{}, err
	}
	if err := b.copyOrganization(ctx); err != nil {
		return filer{}, err
	}
	if err := b.sell(ctx, made.ID, rows); err != nil {
		return filer{}, err
	}
	if err := b.rolledUp(ctx); err != nil {
		return filer{}, err
	}
	if _, err := b.db.Exec(ctx, storetest.FiguresInNewYork, made.ID); err != nil {
		return filer{}, err
	}
	if _, err := b.db.Exec(ctx, "VACUUM (FULL, ANALYZE) transaction_totals"); err != nil {
		return filer{}, err
	}
	f.filing, err = storetest.WriteReturn(ctx, s, f.scope)
	return f, err
}

// sell writes the sales into both databases at once; the plain claim needs less of them.
func (b *bench) sell(ctx context.Context, organizationID string, rows int) error {
	began := time.Now()
	var both errgroup.Group
	for pool, write := range map[*pgxpool.Pool]func(context.Context, *pgx.Conn, string, int) error{
		b.db: storetest.SellInNewYork, b.reference: storetest.SellForClaim,
	} {
		both.Go(func() error {
			return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
				if err := write(ctx, conn.Conn(), organizationID, rows); err != nil {
					return err
				}
				_, err := conn.Exec(ctx, "VACUUM ANALYZE transactions, transaction_items, transaction_totals, "+
					"transaction_explanations")
				return err
			})
		})
	}
	err := both.Wait()
	b.say("  %d sales written in %.0f s", rows, time.Since(began).Seconds())
	return err
}

// claimPlainly does plainClaim and returns the seconds it took.
func (b *bench) claimPlainly(ctx context.Context, scope models.Scope, rows int) (float64, error) {
	if _, err := b.reference.Exec(ctx, "CHECKPOINT"); err != nil {
		return 0, err
	}
	began := time.Now()
	var claimed int
	sums := make([]any, 6)
	sums[0] = &claimed
	for i := range 5 {
		sums[i+1] = new(string)
	}
	err := b.reference.QueryRow(ctx, plainClaim, pgx.QueryExecModeSimpleProtocol, scope.OrganizationID).Scan(sums...)
	if err == nil && claimed != rows {
		err = fmt.Errorf("claimed %d of %d", claimed, rows)
	}
	return time.Since(began).Seconds(), err
}

// file claims and files the return, and stores its document between.
func (b *bench) file(ctx context.Context, s *store.Store, f filer, rows int) (took filed, err error) {
	if err := b.settle(ctx); err != nil {
		return took, err
	}
	began := time.Now()
	if _, err := storetest.Claim(ctx, s, f.scope, f.filing); err != nil {
		return took, err
	}
	withFigures := time.Since(began).Seconds()
	if took.claim, err = b.claimTook(ctx, f); err != nil {
		return took, err
	}
	if took.document, err = b.keepDocument(ctx, s, f, rows); err != nil {
		return took, err
	}
	took.document += withFigures
	began = time.Now()
	_, err = storetest.Confirm(ctx, s, f.scope, f.filing)
	took.seal = time.Since(began).Seconds()
	return took, err
}

// readReport reads a report from an API that has just started, and returns what that
// held in memory at most.
func (b *bench) readReport(ctx context.Context, f filer, rows int, format string) (peak float64, err error) {
	if err := b.levy.stop(ctx); err != nil {
		return 0, err
	}
	if err := b.startAPI(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	size, err := b.ask(ctx, f, http.MethodGet, "/report?format="+format)
	if err != nil {
		return 0, err
	}
	took := time.Since(began)
	if _, peak, err = memory(b.api.PID()); err != nil {
		return 0, err
	}
	megabytes := float64(size) / 1e6
	b.say("  report as %s: %.1f MB in %.2f s, %.1f MB/s, API at most %.0f MB", format, megabytes, took.Seconds(),
		megabytes/took.Seconds(), peak)
	b.report.note("Report of %d transactions as %s: %.1f MB in %.2f s, %.1f MB/s; the API held at most %.0f MB.", rows,
		format, megabytes, took.Seconds(),
		megabytes/took.Seconds(), peak)
	return peak, nil
}

func (b *bench) verify(ctx context.Context, f filer, rows int) error {
	began := time.Now()
	if _, err := b.ask(ctx, f, http.MethodPost, "/verify"); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	b.say("  verified in %.2f s", took)
	b.report.note("Return of %d transactions: verified in %.2f s.", rows, took)
	return nil
}

// ask reads the filing and returns the size of the answer.
func (b *bench) ask(ctx context.Context, f filer, method, path string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, method, b.baseURL+"/v1/filings/"+f.filing+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	request.Header.Set("X-API-KEY", f.apiKey)
	request.Header.Set("x-organization-id", f.scope.OrganizationID)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(answer.Body)
		return 0, fmt.Errorf("%s %s: %s: %.300s", method, request.URL, answer.Status, body)
	}
	return io.Copy(io.Discard, answer.Body)
}
