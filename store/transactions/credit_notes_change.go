package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// ChangeRefund reads a credit note or tax refund of a sale, calls change, and writes the result as a new version that
// is processed again. It updates the sale in the same database transaction. waits means that the sale must be processed
// first.
//
// Errors: models.ErrNotFound, also for a refund of another sale, *models.LockedError, *models.TransitionError, those of
// change and of AcceptRefund.
func (s *Store) ChangeRefund(ctx context.Context, scope models.Scope, saleID, refundID string,
	change func(*models.RefundDraft) error,
) (d *models.RefundDraft, waits bool, err error) {
	for range raceRetries {
		if d, waits, err = s.changeRefund(ctx, scope, saleID, refundID, change); !lostRace(err) {
			break
		}
	}
	return d, waits, err
}

func (s *Store) changeRefund(ctx context.Context, scope models.Scope, saleID, refundID string,
	change func(*models.RefundDraft) error,
) (d *models.RefundDraft, waits bool, err error) {
	err = s.inCredit(ctx, scope, func(call *creditCall) error {
		before, err := call.openRefund(ctx, s, saleID, refundID)
		if err != nil {
			return pg.Translate(err)
		}
		if d, err = newVersionOf(before, change); err != nil {
			return err
		}
		if err := call.admitChange(ctx, before, d); err != nil {
			return pg.Translate(err)
		}
		record, err := sealedRecord(ctx, s.db, &d.TransactionDraft)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		if err := call.queueChange(batch, before, record, d); err != nil {
			return err
		}
		call.conn.Commit(batch)
		if err := call.conn.Send(ctx, batch); err != nil {
			if !call.conn.Nested() {
				err = s.outcomeOf(ctx, call.xid, err, selectVersionExists, d.OrganizationID, d.ID, d.Epoch)
			}
			if err != nil {
				return call.exceeds(pg.Translate(err))
			}
		}
		waits = rules.WaitsForOriginal(&d.Transaction, call.account.Sale.ProcessingStatus)
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return d, waits, nil
}

// openRefund is open for the change of a refund. It returns the stored refund. Errors: models.ErrNotFound, also for a
// refund of another sale.
func (c *creditCall) openRefund(ctx context.Context, s *Store, saleID, refundID string) (*models.Transaction, error) {
	err := c.open(ctx, saleID, refundID, nil)
	if err == nil {
		err = c.openTaxIDs(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	refund, err := c.locked.of(refundID)
	if err != nil || refundID == saleID || refund.RelatedTo == nil || *refund.RelatedTo != saleID ||
		!refund.Type.IsCredit() {
		return nil, models.ErrNotFound
	}
	if c.submitted != nil {
		refund.Sent = *c.submitted
	}
	return refund, nil
}

// newVersionOf returns the refund after the change, as a new version that is not processed yet. It does not modify
// before.
func newVersionOf(before *models.Transaction, change func(*models.RefundDraft) error) (*models.RefundDraft, error) {
	d := &models.RefundDraft{
		TransactionDraft: models.TransactionDraft{Transaction: *rules.AsSubmitted(before)}, OwnAddresses: true, OwnSource: true,
	}
	d.Items = append([]models.TransactionItem{}, d.Items...)
	d.Epoch++
	d.Revision++
	d.ProcessingStatus, d.ProcessingReason = models.ProcessingUpdated, nil
	d.DestinationCurrency, d.ConversionRate, d.ContentVersion, d.Certainty = nil, nil, nil, nil
	if err := change(d); err != nil {
		return nil, err
	}
	if before.Locked() {
		locked := &models.LockedError{}
		if before.FilingID != nil {
			locked.FilingID = *before.FilingID
		}
		return nil, locked
	}
	return d, models.CreditNoteTransitions.Check(string(before.Status), string(d.Status))
}

// admitChange checks the changed refund like a new one. Its products are checked before its amounts.
func (c *creditCall) admitChange(ctx context.Context, before *models.Transaction, d *models.RefundDraft) error {
	known := newRefundReferences()
	batch := &pgx.Batch{}
	known.queueRefund(batch, d)
	c.queueOthersForNexus(batch, before)
	if err := c.conn.Send(ctx, batch); err != nil {
		return err
	}
	if err := resolveProducts(&d.TransactionDraft, known); err != nil {
		return err
	}
	if err := c.readSold(ctx, known, d); err != nil {
		return err
	}
	return c.admit(d, known)
}

const selectVersionExists = `SELECT EXISTS (SELECT 1 FROM transactions
	   WHERE organization_id = $1 AND id = $2 AND epoch >= $3)`

// changeTransaction writes a new version of a locked transaction, and reverses the contribution of the old version to
// the nexus counters.
var changeTransaction = pg.Prepare(`
	WITH updated AS (
	  UPDATE transactions t SET `+versionRows.Set()+resetProcessing+`
	    FROM {version} WHERE t.organization_id = version.organization_id AND t.id = version.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),`+reverseContributions+`,`+
	reverseExemptions+`,`+deleteRefetches+`
	SELECT 1`, nil, versionRows)

// queueChange adds the statements that write the new version with its parts and update the sale.
func (c *creditCall) queueChange(batch *pgx.Batch, before, record *models.Transaction, d *models.RefundDraft) error {
	changeTransaction.Queue(batch, nil, versionRows.Of([]models.Transaction{*record}))
	batch.Queue("DELETE FROM transaction_items WHERE organization_id = $1 AND transaction_id = $2", d.OrganizationID, d.ID)
	queueItems(batch, d.Items)
	batch.Queue("DELETE FROM transaction_addresses WHERE organization_id = $1 AND transaction_id = $2",
		d.OrganizationID, d.ID)
	queueAddresses(batch, d.Addresses)
	entry := auditOf(&d.TransactionDraft)
	entry.Action = models.AuditUpdate
	pg.QueueAudit(batch, entry)
	if err := c.queueCredit(batch, creditOf(before), d, models.AuditCreditNoteChanged); err != nil {
		return fmt.Errorf("credit: %w", err)
	}
	// guard: refund: those committed after a cancelled one are decided anew
	if before.Status == models.StatusCommitted && d.Status != models.StatusCommitted {
		batch.Queue(requeueAfterCancelled, d.OrganizationID, d.ID)
	}
	if err := c.queueCollected(batch, before); err != nil {
		return err
	}
	c.queueWork(batch, d)
	return nil
}
