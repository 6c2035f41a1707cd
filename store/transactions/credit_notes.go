package transactions

import (
	"context"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax/money"
)

// Every change of the refunds of a sale takes the same locks in one order: the row of credit_totals,
// the transactions by id, the outbox. So calls about one sale run one after the other, and each compares current
// values.

// lockCredit creates the row of credit totals of a creditable sale, and locks it.
const lockCredit = `
	INSERT INTO credit_totals AS c (organization_id, transaction_id, creditable, reserved, committed)
	SELECT t.organization_id, t.id, abs(t.total_amount), 0, 0 FROM transactions t
	 WHERE t.organization_id = $1 AND t.id = $2 AND t.type = 'SALE' AND t.status = 'COMMITTED'
	ON CONFLICT (organization_id, transaction_id) DO UPDATE SET reserved = c.reserved`

// The weaker lock does not block new references to the transactions. A change of a refund may let those of the sale $3
// be decided again that were committed after it.
const lockTransactions = `
	SELECT t.id, t.sent FROM transactions t
	 WHERE t.organization_id = $1 AND t.id IN (
	   SELECT unnest($2::text[])
	   UNION ALL
	   SELECT x.id FROM transactions x
	    WHERE x.organization_id = $1 AND x.related_to = $3
	      AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')
	      AND x.processing_status = 'PROCESSED' AND x.filing_id IS NULL)
	 ORDER BY t.id FOR NO KEY UPDATE OF t`

// selectTaken sums up the amounts that the refunds of a sale took, without those of refund $3.
const (
	takenBy = `
	  FROM transactions n
	 WHERE n.organization_id = $1 AND n.related_to = $2 AND n.id <> $3 AND n.status IN ('PENDING', 'COMMITTED')
	   AND n.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')`
	netOfRefund = `CASE n.type WHEN 'TAX_REFUND' THEN 0 ELSE abs(coalesce(n.gross_amount, n.subtotal - n.total_discount)) END`
	selectTaken = `
	SELECT coalesce(sum(abs(n.total_amount)), 0), coalesce(sum(` + netOfRefund + `), 0),
	       coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'COMMITTED'), 0),
	       coalesce(sum(` + netOfRefund + `) FILTER (WHERE n.status = 'COMMITTED'), 0),
	       coalesce(sum(abs(n.total_tax_amount_imported)), 0),
	       -- one that is not calculated yet may take what it imports
	       coalesce(sum(abs(CASE WHEN n.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')
	                             THEN n.total_tax_amount_calculated ELSE n.total_tax_amount_imported END)), 0)` + takenBy
	// Coupon lines of refunds are those against the sign of the goods. Their parts are stored with the lines.
	selectLinesTaken = `
	SELECT i.original_line_no,
	       coalesce(sum(abs(coalesce((i.sent #>> '{gross,amount}')::numeric
	         - (i.sent #>> '{gross,discount}')::numeric, i.amount - i.total_discount) - ` + couponsOfItem + `))
	         FILTER (WHERE t.type <> 'TAX_REFUND'), 0),
	       coalesce(sum(abs(` + couponsOfItem + `)) FILTER (WHERE sign(i.amount) = -t.goods AND t.type <> 'TAX_REFUND'), 0),
	       sum(CASE sign(i.tax_amount_imported) WHEN -t.taxes THEN -1 ELSE 1 END * abs(i.tax_amount_imported)),
	       sum(abs(i.tax_amount_calculated))
	  FROM (SELECT n.id, n.type, sign(coalesce(nullif(n.subtotal, 0), n.total_amount)) AS goods,
	               sign(n.total_tax_amount_imported) AS taxes` + takenBy + `) t
	  JOIN transaction_items i ON i.organization_id = $1 AND i.transaction_id = t.id AND i.original_line_no IS NOT NULL
	 GROUP BY 1`
)

// changeCredit changes the amounts that a refund takes. A constraint of the row refuses amounts beyond those of the
// sale. A change that only releases amounts keeps the row valid, even if an update has lowered the total of the sale.
const changeCredit = `
	UPDATE credit_totals SET reserved = reserved + $4::numeric, committed = committed + $5::numeric,
	       creditable = CASE WHEN $4::numeric + $5::numeric > 0 THEN $3::numeric
	                         ELSE greatest($3::numeric, reserved + committed + $4::numeric + $5::numeric) END
	 WHERE organization_id = $1 AND transaction_id = $2`

// updateRefundStatus sets the refund status of a sale, by rules.RefundStatus.
const updateRefundStatus = `
	UPDATE transactions t SET refund_status = $3::text, updated_at = $4::timestamptz
	 WHERE t.organization_id = $1 AND t.id = $2 AND t.refund_status IS DISTINCT FROM $3::text`

// setCommitted sets when a refund was committed: the refunds of a sale are decided in that order. The lock of the credit
// totals keeps the times in order.
const setCommitted = `
	UPDATE transactions SET committed_at = clock_timestamp()
	 WHERE organization_id = $1 AND id = $2 AND committed_at IS NULL`

// A PENDING refund that is archived releases its reserved amount. Its sale is locked first, as the order of locks
// requires.
const (
	lockCreditOf = `
	SELECT c.transaction_id FROM credit_totals c
	 WHERE c.organization_id = $1 AND c.transaction_id IN (
	   SELECT n.related_to FROM transactions n WHERE n.organization_id = $1 AND n.id = ANY ($2) AND n.type <> 'SALE')
	 ORDER BY c.transaction_id FOR UPDATE`
	releaseReserved = `
	UPDATE credit_totals c SET reserved = c.reserved - r.amount
	  FROM (SELECT n.related_to, sum(abs(n.total_amount)) AS amount FROM transactions n
	         WHERE n.organization_id = $1 AND n.id = ANY ($2) AND n.status = 'PENDING'
	           AND n.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') GROUP BY 1) r
	 WHERE c.organization_id = $1 AND c.transaction_id = r.related_to`
)

// creditCall is a call that creates or changes a refund, inside its database transaction.
type creditCall struct {
	conn      *pg.Pipeline
	laws      Laws
	scope     models.Scope
	account   models.CreditAccount
	xid       string
	locked    transactionSet          // the sale, and the refund to be changed
	submitted *models.SubmittedFields // the submitted fields of the refund to be changed
	others    []models.NexusRefund    // the refunds of the sale, if one with collected tax changes
}

// inCredit calls change with a connection for the refunds of a sale. It rolls back if change fails.
func (s *Store) inCredit(ctx context.Context, scope models.Scope, change func(*creditCall) error) error {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return pg.Translate(err)
	}
	defer conn.Release()
	written := false
	defer func() {
		if !written {
			conn.Rollback(context.WithoutCancel(ctx))
		}
	}()
	err = change(&creditCall{conn: conn, laws: s.laws, scope: scope})
	written = err == nil
	return err
}

// open begins the database transaction, takes the locks, and reads the sale and the amounts of its refunds.
// refundID is the refund to be changed, or "". Further reads of the caller share the round trip. Errors:
// models.ErrNotFound.
func (c *creditCall) open(ctx context.Context, saleID, refundID string, reads func(*pgx.Batch)) error {
	scope := c.scope
	ids, refundsOf := []string{saleID}, ""
	if refundID != "" {
		ids, refundsOf = append(ids, refundID), saleID
	}
	batch := &pgx.Batch{}
	c.conn.Begin(batch, "")
	batch.Queue("SELECT pg_current_xact_id()::text").QueryRow(func(row pgx.Row) error { return row.Scan(&c.xid) })
	batch.Queue(lockCredit, scope.OrganizationID, saleID)
	var id string
	var sent *models.SubmittedFields
	batch.Queue(lockTransactions, scope.OrganizationID, ids, refundsOf).Query(pg.Each([]any{&id, &sent}, func() error {
		if id == refundID {
			c.submitted = sent
		}
		return nil
	}))
	batch.Queue(selectTransactions+" WHERE t.organization_id = $1 AND t.id = ANY ($2)",
		scope.OrganizationID, ids).Query(c.locked.read)
	c.locked.queueParts(batch, "= ANY ($2)", scope.OrganizationID, ids)
	c.queueTaken(batch, saleID, refundID)
	if reads != nil {
		reads(batch)
	}
	if err := c.conn.Send(ctx, batch); err != nil {
		return err
	}
	sale, err := c.locked.of(saleID)
	if err != nil {
		return models.ErrNotFound
	}
	c.account.Sale = *rules.AsSubmitted(sale)
	return nil
}

// queueTaken adds the statements that read the amounts that the other refunds of a sale took.
func (c *creditCall) queueTaken(batch *pgx.Batch, saleID, refundID string) {
	batch.Queue(selectTaken, c.scope.OrganizationID, saleID, refundID).QueryRow(func(row pgx.Row) error {
		a := &c.account
		return row.Scan(&a.Total, &a.Net, &a.Committed.Total, &a.Committed.Net, &a.Collected, &a.Calculated)
	})
	c.account.Lines = map[int]models.LineCredit{}
	var line int
	var taken models.LineCredit
	batch.Queue(selectLinesTaken, c.scope.OrganizationID, saleID, refundID).Query(pg.Each(
		[]any{&line, &taken.Amount, &taken.Coupons, &taken.Collected, &taken.Calculated}, func() error {
			c.account.Lines[line] = taken
			return nil
		}))
}

// credit are the amounts that a refund takes of a sale.
type credit struct{ reserved, committed decimal.Decimal }

func creditOf(t *models.Transaction) (c credit) {
	switch t.Status {
	case models.StatusPending:
		c.reserved = t.TotalAmount.Abs()
	case models.StatusCommitted:
		c.committed = t.TotalAmount.Abs()
	case models.StatusCancelled, models.StatusFullyRefunded, models.StatusPartiallyRefunded, models.StatusInvalid,
		models.StatusArchived:
	}
	return c
}

// queueCredit adds the statements that change the sale by the difference between the previous and the new amounts of
// the refund. It also adds the entry in the audit trail of the sale.
func (c *creditCall) queueCredit(batch *pgx.Batch, before credit, d *models.RefundDraft, action string) error {
	creditable, err := c.account.Sale.Creditable()
	if err != nil {
		return err
	}
	now := creditOf(&d.Transaction)
	reserved, err := money.Sub(now.reserved, before.reserved)
	if err != nil {
		return err
	}
	committed, err := money.Sub(now.committed, before.committed)
	if err != nil {
		return err
	}
	status, err := rules.RefundStatus(&c.account, d)
	if err != nil {
		return err
	}
	sale := &c.account.Sale
	batch.Queue(
		changeCredit, sale.OrganizationID, sale.ID, pg.Numeric(creditable), pg.Numeric(reserved), pg.Numeric(committed),
	)
	batch.Queue(updateRefundStatus, sale.OrganizationID, sale.ID, status, pg.Timestamp(d.UpdatedAt))
	// guard: refund: the order of commitment is kept
	if d.Status == models.StatusCommitted {
		batch.Queue(setCommitted, d.OrganizationID, d.ID)
	}
	entry := d.Actor.Entry(c.scope, action, "transaction", sale.ID)
	entry.Revision = &sale.Revision
	pg.QueueAudit(batch, entry.With(map[string]any{"credit_note_id": d.ID, "status": d.Status}))
	return nil
}

// exceeds returns *models.CreditExceedsError for a violation of the constraint of credit_totals, other errors
// unchanged.
func (c *creditCall) exceeds(err error) error {
	if !pg.Violates(err, "credit_within_original") {
		return err
	}
	return &models.CreditExceedsError{Remaining: decimal.Zero, Currency: c.account.Sale.Currency}
}
