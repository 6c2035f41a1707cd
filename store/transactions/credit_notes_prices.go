package transactions

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// selectOthers reads the refunds of sale $2 without refund $3 that are PENDING or COMMITTED, in the order in which they
// are decided.
const selectOthers = `
	SELECT n.organization_id, n.id, n.type, n.status, n.processing_status, n.tax_date, n.currency, n.subtotal,
	       n.total_discount, n.total_tax_amount_imported, n.total_amount, n.gross_amount` + takenBy + `
	 ORDER BY n.filing_id IS NULL, coalesce(n.committed_at, n.created_at), n.id`

// queueOthers adds the statement that reads the other refunds of a sale.
func queueOthers(batch *pgx.Batch, sale models.Ref, refundID string, others *stageBatch) {
	batch.Queue(selectOthers, sale.OrganizationID, sale.ID, refundID).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var t models.Transaction
			if err := rows.Scan(&t.OrganizationID, &t.ID, &t.Type, &t.Status, &t.ProcessingStatus, &t.TaxDate, &t.Currency,
				&t.Subtotal, &t.TotalDiscount, &t.TotalTaxAmountImported, &t.TotalAmount, &t.GrossAmount); err != nil {
				return err
			}
			others.index[pg.KeyOf(t.OrganizationID, t.ID)] = len(others.transactions)
			others.transactions = append(others.transactions, t)
		}
		return rows.Err()
	})
}

// judge gives the account what the law of the sale needs to judge lower prices. It reads the lines of the other refunds.
func (c *creditCall) judge(ctx context.Context, explanation json.RawMessage, others *stageBatch) error {
	refs := make([]models.Ref, len(others.transactions))
	for i := range refs {
		refs[i] = others.transactions[i].Ref()
	}
	if len(refs) > 0 {
		others.keys = keyRows.Of(refs)
		batch := &pgx.Batch{}
		loadItems(others, batch)
		if err := c.conn.Send(ctx, batch); err != nil {
			return err
		}
	}
	c.account.Explanation, c.account.Others = explanation, others.transactions
	c.account.Law = func(version string) (func(tax.Request) (tax.Result, error), error) {
		calculate, err := c.laws.Calculator(ctx, version)
		if errors.Is(err, models.ErrNotFound) {
			return nil, nil
		}
		return calculate, err
	}
	return nil
}
