package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// refundsOfSale are the COMMITTED refunds of the sales of key. Amounts have the sign that returns give them, whatever
// sign was submitted.
const refundsOfSale = `
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transactions x
	    WHERE x.organization_id = key.organization_id AND x.related_to = key.id AND x.status = 'COMMITTED'
	      AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') OFFSET 0) n`

var selectRefunds = pg.Prepare(`
	SELECT key.organization_id, key.id, n.id, n.tax_date, coalesce(n.committed_at, n.created_at), n.filing_id IS NOT NULL,
	       n.processing_status = ANY (@calculated::text[]),
	       CASE n.type WHEN 'TAX_REFUND' THEN 0 ELSE -abs(n.subtotal - n.total_discount) END, n.taxable_amount,
	       n.total_tax_amount_calculated, -abs(n.total_tax_amount_imported), n.total_tax_liability_amount
	  FROM {key}`+refundsOfSale+`
	 ORDER BY key.organization_id, key.id, n.id`, pg.Names{"calculated"}, keyRows)

// couponsOfItem is what coupon lines of a refund take off its line i.
const couponsOfItem = `coalesce((i.sent #>> '{terms,coupons}')::numeric, 0)`

var selectRefundItems = pg.Prepare(`
	SELECT key.organization_id, key.id, n.id, i.original_line_no, i.quantity,
	       CASE sign(n.total_tax_amount_imported) WHEN -1 THEN -i.tax_amount_imported ELSE i.tax_amount_imported END,
	       i.tax_amount_calculated, i.tax_items,
	       CASE n.type WHEN 'TAX_REFUND' THEN 0 ELSE i.amount - i.total_discount - `+couponsOfItem+` END
	  FROM {key}`+refundsOfSale+`
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_items x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = n.id OFFSET 0) i
	 WHERE i.original_line_no IS NOT NULL AND n.processing_status = ANY (@calculated::text[])
	 ORDER BY key.organization_id, key.id, n.id, i.line_no`, pg.Names{"calculated"}, keyRows)

// totalColumns are the columns of a row s of transaction_totals that scanTotal reads.
const totalColumns = `s.country_code, s.state_code, s.currency, s.sales, s.taxable, s.tax, s.collected, s.liability,
	       s.places, coalesce(s.liability_case, 0), coalesce(s.over_collected, 0), coalesce(s.under_collected, 0)`

func scanTotal(rows pgx.Rows, before ...any) (a models.AuthorityTotal, err error) {
	return a, rows.Scan(append(before, &a.CountryCode, &a.StateCode, &a.Currency, &a.Sales, &a.Taxable, &a.Tax,
		&a.Collected, &a.Liability, &a.Places, &a.Case, &a.OverCollected, &a.UnderCollected)...)
}

var selectRefundTotals = pg.Prepare(`
	SELECT key.organization_id, key.id, n.id, `+totalColumns+`
	  FROM {key}`+refundsOfSale+`
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_totals x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = n.id AND x.epoch = n.epoch OFFSET 0) s
	 WHERE n.processing_status = ANY (@calculated::text[])`, pg.Names{"calculated"}, keyRows)

// queueRefunds adds the statements that read the COMMITTED refunds of sales. of returns the list of a sale.
func queueRefunds(batch *pgx.Batch, sales pg.Arrays, of func(pg.Key) *[]models.DecidedRefund) {
	selectRefunds.Queue(batch, []any{models.CalculatedStates}, sales).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var r models.DecidedRefund
		_, err := pgx.ForEachRow(rows, []any{
			&at.OrganizationID, &at.Name, &r.ID, &r.Day, &r.CommittedAt, &r.Locked, &r.Calculated,
			&r.Sales, &r.Taxable, &r.Tax, &r.Collected, &r.Liability,
		}, func() error {
			*of(at) = append(*of(at), r)
			return nil
		})
		return err
	})
	refund := func(at pg.Key, id string) *models.DecidedRefund {
		all := *of(at)
		for i := range all {
			if all[i].ID == id {
				return &all[i]
			}
		}
		return &models.DecidedRefund{} // committed since the first statement; it cannot be while the sale is locked
	}
	selectRefundItems.Queue(batch, []any{models.CalculatedStates}, sales).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var at pg.Key
			var id string
			var i models.TransactionItem
			if err := rows.Scan(&at.OrganizationID, &at.Name, &id, &i.OriginalLine, &i.Quantity, &i.TaxAmountImported,
				&i.TaxAmountCalculated, &i.TaxItems, &i.Amount); err != nil {
				return err
			}
			r := refund(at, id)
			r.Items = append(r.Items, i)
		}
		return rows.Err()
	})
	selectRefundTotals.Queue(batch, []any{models.CalculatedStates}, sales).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var at pg.Key
			var id string
			a, err := scanTotal(rows, &at.OrganizationID, &at.Name, &id)
			if err != nil {
				return err
			}
			r := refund(at, id)
			r.Totals = append(r.Totals, a)
		}
		return rows.Err()
	})
}

// refundedSales are the sales of a batch that are calculated again and may have refunds.
type refundedSales struct {
	of   map[pg.Key]*models.Transaction
	refs []models.Ref
}

func refundedSalesOf(transactions []models.Transaction) refundedSales {
	s := refundedSales{of: map[pg.Key]*models.Transaction{}}
	for i := range transactions {
		if t := &transactions[i]; t.Epoch > 1 && !t.Type.IsCredit() {
			s.of[pg.KeyOf(t.OrganizationID, t.ID)] = t
			s.refs = append(s.refs, t.Ref())
		}
	}
	return s
}

// queue adds the statements that read the refunds of the sales.
func (s refundedSales) queue(batch *pgx.Batch) {
	for _, t := range s.of {
		t.Refunds = nil
	}
	queueRefunds(batch, keyRows.Of(s.refs), func(at pg.Key) *[]models.DecidedRefund { return &s.of[at].Refunds })
}

// withRefunds gives sales that are calculated again their refunds. A first calculation sends no statement.
func (s *Store) withRefunds(ctx context.Context, transactions []models.Transaction) error {
	sales := refundedSalesOf(transactions)
	if len(sales.refs) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	sales.queue(batch)
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// laterRefund names a refund that is to be decided again, because one that was committed before it is decided now.
type laterRefund struct {
	ref   *models.Ref
	later string
}

var laterRows = pg.RowsOf("pair", refColumns(func(p *laterRefund) *models.Ref { return p.ref },
	pg.Col("later", "text", func(p *laterRefund) *string { return &p.later }))...)

// requeueLater queues refunds again that were decided before one that was committed earlier.
var requeueLater = pg.Prepare(`
	WITH refunds AS (
	  SELECT DISTINCT n.organization_id, n.id FROM {pair}
	   CROSS JOIN LATERAL (
	     SELECT j.seq FROM transaction_stages j
	      WHERE j.organization_id = pair.organization_id AND j.transaction_id = pair.id AND j.epoch = pair.epoch
	        AND j.stage = 'PROCESSED' OFFSET 0) s
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id, x.epoch FROM transactions x
	      WHERE x.organization_id = pair.organization_id AND x.id = pair.later
	        AND x.processing_status = 'PROCESSED' AND x.filing_id IS NULL OFFSET 0) n
	   CROSS JOIN LATERAL (
	     SELECT FROM transaction_stages j
	      WHERE j.organization_id = n.organization_id AND j.transaction_id = n.id AND j.epoch = n.epoch
	        AND j.stage = 'PROCESSED' AND j.seq < s.seq OFFSET 0) j),`+decideAgain+journalAgain,
	pg.Names{"attempt", "workflow_id", "run_id"}, laterRows)

// queueLater adds the statement that queues the refunds again that come after those that were decided.
func queueLater(batch *pgx.Batch, run models.StageRun, refunds []models.Transaction, outcomes []models.TaxOutcome) {
	decided := make(map[models.Ref]*models.Ref, len(outcomes))
	for i := range outcomes {
		if outcomes[i].Calculated() {
			decided[outcomes[i].Ref] = &outcomes[i].Ref
		}
	}
	var pairs []laterRefund
	for i := range refunds {
		t := &refunds[i]
		ref := decided[t.Ref()]
		if ref == nil || t.Original == nil {
			continue
		}
		for _, id := range rules.LaterRefunds(t) {
			if decided[models.Ref{OrganizationID: t.OrganizationID, ID: id}] == nil {
				pairs = append(pairs, laterRefund{ref, id})
			}
		}
	}
	// guard: refund: those committed after one that is decided now are decided anew
	if pairs != nil {
		requeueLater.Queue(batch, []any{run.Attempt, run.WorkflowID, run.RunID}, laterRows.Of(pairs))
	}
}

// requeueAfterCancelled queues the refunds again that were committed after one that is cancelled.
var requeueAfterCancelled = `
	WITH refunds AS (
	  SELECT x.organization_id, x.id FROM transactions c
	    JOIN transactions x ON x.organization_id = c.organization_id AND x.related_to = c.related_to AND x.id <> c.id
	     AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') AND x.status = 'COMMITTED'
	     AND x.processing_status = 'PROCESSED' AND x.filing_id IS NULL
	     AND (coalesce(x.committed_at, x.created_at), x.id) > (coalesce(c.committed_at, c.created_at), c.id)
	   WHERE c.organization_id = $1 AND c.id = $2),` + decideAgain + `
	SELECT 1`
