package transactions

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax"
)

// AcceptRefund stores a credit note or tax refund and updates its original, in one database transaction. After nil the
// draft has the record as stored. waits means that the original must be processed first.
//
// Errors: models.ErrNotFound or *models.ReferencesNotFoundError for an unknown original, *models.ProductsNotFoundError,
// models.ErrOriginalIsRefund, *models.OriginalNotCommittedError, *models.InvalidError, *models.CreditExceedsError,
// *models.DuplicateError, models.ErrUnavailable (nothing was written), models.ErrOutcomeUnknown.
func (s *Store) AcceptRefund(ctx context.Context, scope models.Scope, d *models.RefundDraft) (waits bool, err error) {
	for range raceRetries {
		if waits, err = s.acceptRefund(ctx, scope, d); !lostRace(err) {
			break
		}
	}
	return waits, err
}

func (s *Store) acceptRefund(ctx context.Context, scope models.Scope, d *models.RefundDraft) (waits bool, err error) {
	err = s.inCredit(ctx, scope, func(call *creditCall) error {
		if err := s.admitRefund(ctx, call, d); err != nil {
			return pg.Translate(err)
		}
		record, err := sealedRecord(ctx, s.db, &d.TransactionDraft)
		if err == nil {
			err = failpoint.Hit("before_commit")
		}
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		if err := call.queueRefund(batch, record, d); err != nil {
			return err
		}
		call.conn.Commit(batch)
		err = call.conn.Send(ctx, batch)
		if err == nil {
			err = failpoint.Hit("after_commit")
		}
		if err != nil && !call.conn.Nested() {
			err = s.outcomeOf(ctx, call.xid, err, selectTransactionExists, d.OrganizationID, d.ID)
		}
		if err != nil { // also in a savepoint: the surrounding transaction commits later
			return call.exceeds(pg.Translate(err))
		}
		waits = rules.WaitsForOriginal(&d.Transaction, call.account.Sale.ProcessingStatus)
		return nil
	})
	return waits, err
}

// admitRefund reads the records that the draft refers to and checks the draft, in the order of the contract.
func (s *Store) admitRefund(ctx context.Context, call *creditCall, d *models.RefundDraft) error {
	known := newRefundReferences()
	err := call.open(ctx, *d.RelatedTo, "", func(batch *pgx.Batch) { known.queueRefund(batch, d) })
	if err == nil {
		err = call.openTaxIDs(ctx, s)
	}
	if d.Named && errors.Is(err, models.ErrNotFound) {
		call = nil // the sale does not exist
	} else if err != nil {
		return err
	}
	if err := resolveProducts(&d.TransactionDraft, known); err != nil {
		return err
	}
	if err := checkRefundReferences(d, call); err != nil {
		return err
	}
	if err := call.readSold(ctx, known, d); err != nil {
		return err
	}
	return call.admit(d, known)
}

// newRefundReferences returns empty references for the records that a refund names in addition to its sale.
func newRefundReferences() *references {
	return &references{products: map[pg.Key]models.Product{}, transactions: map[pg.Key]string{}}
}

// queueRefund adds the look-ups of the products and of the external id of a refund.
func (r *references) queueRefund(batch *pgx.Batch, d *models.RefundDraft) {
	var products, externalIDs pg.KeySet
	for _, item := range d.Items {
		products.Add(d.OrganizationID, item.ExternalProductID)
	}
	externalIDs.Add(d.OrganizationID, d.ExternalID)
	r.queueProducts(batch, products)
	r.queueExternalIDs(batch, externalIDs)
}

// admit checks a new or changed refund. A refund without addresses gets those of the sale.
func (c *creditCall) admit(d *models.RefundDraft, known *references) error {
	setClasses(&d.Transaction, known)
	err := rules.AdmitRefund(&c.account, d)
	for i := range d.Items {
		d.Items[i].TaxClass = "" // the stages read it again
	}
	if err != nil {
		return err
	}
	if existing, taken := known.transactions[pg.KeyOf(d.OrganizationID, d.ExternalID)]; taken && existing != d.ID {
		return &models.DuplicateError{Field: "external_id", ExistingID: existing}
	}
	if !d.OwnAddresses {
		d.Addresses = copiedAddresses(&c.account.Sale, d.ID)
	}
	return nil
}

// checkRefundReferences returns an error that lists the records named in the body of a refund that do not exist. The
// customer can only be that of the original. Errors: *models.ReferencesNotFoundError.
func checkRefundReferences(d *models.RefundDraft, call *creditCall) error {
	var missing []models.Fault
	fault := func(path string) {
		missing = append(missing, models.Fault{
			Code: models.FieldNotFound, Path: path, Message: "No such record exists.",
		})
	}
	if call == nil {
		fault("related_to")
	}
	if d.CustomerIDSent != "" && (call == nil || d.CustomerIDSent != call.account.Sale.CustomerID) {
		fault(d.CustomerIDPath)
	}
	if d.FilingIDSent != "" {
		fault("filing_id")
	}
	if missing != nil {
		return &models.ReferencesNotFoundError{Faults: missing}
	}
	return nil
}

func copiedAddresses(sale *models.Transaction, refundID string) []models.TransactionAddress {
	copied := make([]models.TransactionAddress, len(sale.Addresses))
	for i, a := range sale.Addresses {
		a.ID, a.TransactionID, a.Status = models.NewID(models.PrefixAddress), refundID, tax.StatusUnverified
		copied[i] = a
	}
	return copied
}

// queueRefund adds the statements that write the refund with its parts and update the sale.
func (c *creditCall) queueRefund(batch *pgx.Batch, record *models.Transaction, d *models.RefundDraft) error {
	pg.Queue(batch, insertTransactions, transactionRecord.Created, []*models.Transaction{record})
	queueItems(batch, d.Items)
	queueAddresses(batch, d.Addresses)
	pg.QueueAudit(batch, auditOf(&d.TransactionDraft))
	if err := c.queueCredit(batch, credit{}, d, models.AuditCreditNoteAdded); err != nil {
		return fmt.Errorf("credit: %w", err)
	}
	c.queueWork(batch, d)
	return nil
}

func queueItems(batch *pgx.Batch, items []models.TransactionItem) {
	rows := make([]*models.TransactionItem, len(items))
	for i := range items {
		rows[i] = &items[i]
	}
	pg.Queue(batch, insertItems, itemRecord.Created, rows)
}

func queueAddresses(batch *pgx.Batch, addresses []models.TransactionAddress) {
	rows := make([]*models.TransactionAddress, len(addresses))
	for i := range addresses {
		rows[i] = &addresses[i]
	}
	pg.Queue(batch, insertAddresses, addressRecord.Created, rows)
}

// OriginalPause is how long a refund waits for its original before it is checked anyway. Normally the stage that
// processes the original makes the refund due earlier.
const OriginalPause = "1 hour"

// queueWork adds the outbox row of a refund: due now, or once its original is processed. The original is locked, so it
// cannot be processed in between.
func (c *creditCall) queueWork(batch *pgx.Batch, d *models.RefundDraft) {
	const insertWork = `
		INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, waits_for, next_attempt_at, background)
		VALUES ($1, 1, $2, $3, $4::text, now() + CASE WHEN $4::text IS NULL AND $5 THEN interval '0'
		                                              WHEN $4::text IS NULL THEN interval '3 seconds'
		       ELSE interval '` + OriginalPause + `' END, $5::boolean)
		ON CONFLICT (organization_id, kind, aggregate_id) DO UPDATE SET epoch = excluded.epoch,
		  waits_for = excluded.waits_for, background = excluded.background,
		       next_attempt_at = excluded.next_attempt_at, batch_id = NULL, attempts = 0, created_at = now(),
		       last_error = NULL`
	var waitsFor *string
	if rules.WaitsForOriginal(&d.Transaction, c.account.Sale.ProcessingStatus) {
		waitsFor = d.RelatedTo
	}
	batch.Queue(insertWork, d.OrganizationID, d.ID, d.Epoch, waitsFor, d.Background)
}
