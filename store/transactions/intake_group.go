package transactions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

// acceptGroup stores a group of transactions in one database transaction of two round trips. The first reads the
// records that the drafts refer to, the second writes and commits. It returns the result of each draft,
// and an error for the group as a whole.
func (s *Store) acceptGroup(ctx context.Context, drafts []*models.TransactionDraft) ([]error, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()

	known, err := readReferences(ctx, conn, drafts)
	if err == nil {
		err = known.openTaxIDs(ctx, s.db)
	}
	if err != nil {
		conn.Rollback(ctx)
		return nil, pg.Translate(err)
	}
	g := decide(drafts, known)
	if len(g.accepted) == 0 {
		conn.Rollback(ctx)
		return g.results, nil
	}
	err = g.seal(ctx, s.db)
	if err == nil {
		err = failpoint.Hit("before_commit")
	}
	if err != nil {
		conn.Rollback(ctx)
		return nil, err
	}
	if err := g.write(ctx, conn); err != nil {
		conn.Rollback(ctx)
		if conn.Nested() { // the surrounding transaction commits later
			return nil, pg.Translate(err)
		}
		if err := s.outcomeOf(ctx, known.xid, err, selectTransactionExists, g.accepted[0].OrganizationID,
			g.accepted[0].ID); err != nil {
			return nil, err
		}
	}
	return g.results, nil
}

var (
	insertCustomers    = customerRecord.Insert()
	insertTransactions = transactionRecord.Insert()
	insertItems        = itemRecord.Insert()
	insertAddresses    = addressRecord.Insert()
	insertExemptions   = exemptionRecord.Insert()
	insertLinks        = pg.InsertFrom("transaction_exemptions", linkColumns)
	// A dispatcher starts recent rows at once. A relay takes them if that has not happened, and all background rows.
	insertOutbox = pg.Prepare(`
	INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, background, next_attempt_at)
	SELECT pending.organization_id, 1, pending.id, pending.epoch, pending.background,
	       now() + CASE WHEN pending.background THEN interval '0' ELSE interval '3 seconds' END
	  FROM {pending}`, nil, pendingRows)
)

const fillCustomers = `
	UPDATE customers c SET name = coalesce(c.name, u.name), email = coalesce(c.email, u.email),
	       phone = coalesce(c.phone, u.phone),
	       street_1 = coalesce(c.street_1, u.street_1), street_2 = coalesce(c.street_2, u.street_2),
	       city = coalesce(c.city, u.city),
	       county = coalesce(c.county, u.county), state = coalesce(c.state, u.state),
	       postal_code = coalesce(c.postal_code, u.postal_code),
	       country = coalesce(c.country, u.country), full_address = coalesce(c.full_address, u.full_address),
	       connection_id = coalesce(c.connection_id, u.connection_id),
	       registration_number = coalesce(c.registration_number, u.registration_number),
	       external_friendly_id = coalesce(c.external_friendly_id, u.external_friendly_id),
	       tax_registrations = CASE WHEN c.tax_registrations = '[]' THEN u.tax_registrations
	       ELSE c.tax_registrations END,
	       address_status = CASE
	         WHEN (coalesce(c.street_1, u.street_1), coalesce(c.street_2, u.street_2), coalesce(c.city, u.city),
	         coalesce(c.county, u.county),
	               coalesce(c.state, u.state), coalesce(c.postal_code, u.postal_code), coalesce(c.country, u.country),
	               coalesce(c.full_address, u.full_address))
	              IS NOT DISTINCT FROM (u.street_1, u.street_2, u.city, u.county, u.state, u.postal_code, u.country,
	              u.full_address)
	         THEN u.address_status ELSE c.address_status END,
	       updated_at = u.updated_at
	  FROM jsonb_populate_recordset(NULL::customers, $1::jsonb) u
	 WHERE c.organization_id = u.organization_id AND c.id = u.id`

// write sends all prepared rows as one pipeline that ends in COMMIT.
func (g *intakeGroup) write(ctx context.Context, conn *pg.Pipeline) error {
	batch := &pgx.Batch{}
	pg.Queue(batch, insertCustomers, customerRecord.Created, g.newCustomers)
	if len(g.gapsFilled) > 0 {
		batch.Queue(fillCustomers, customersJSON(g.gapsFilled))
	}
	pg.Queue(batch, insertTransactions, transactionRecord.Created, g.records)
	audits := make([]*models.AuditEntry, len(g.accepted))
	for i, d := range g.accepted {
		audits[i] = auditOf(d)
	}
	g.queueParts(batch, audits...)
	conn.Commit(batch)
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	return failpoint.Hit("after_commit")
}

// queueParts adds the statements that write the parts of the accepted transactions.
func (g *intakeGroup) queueParts(batch *pgx.Batch, audits ...*models.AuditEntry) {
	var (
		items     []*models.TransactionItem
		addresses []*models.TransactionAddress
		links     []*transactionLink
		pending   []models.OutboxRow
	)
	for _, d := range g.accepted {
		for i := range d.Items {
			items = append(items, &d.Items[i])
		}
		for i := range d.Addresses {
			addresses = append(addresses, &d.Addresses[i])
		}
		for _, link := range d.LinkedExemptions {
			links = append(links, &transactionLink{d.OrganizationID, d.ID, link.ID})
		}
		// guard: acceptance: its outbox row in the same transaction
		if !d.ProcessingStatus.Terminal() {
			pending = append(pending, models.OutboxRow{
				Ref:        models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch},
				Background: d.Background,
			})
		}
	}
	pg.Queue(batch, insertItems, itemRecord.Created, items)
	pg.Queue(batch, insertAddresses, addressRecord.Created, addresses)
	pg.Queue(batch, insertExemptions, exemptionRecord.Created, g.exemptions)
	pg.Queue(batch, insertLinks, linkColumns, links)
	pg.QueueAudit(batch, audits...)
	if pending != nil {
		insertOutbox.Queue(batch, nil, pendingRows.Of(pending))
	}
}

func auditOf(d *models.TransactionDraft) *models.AuditEntry {
	scope := models.Scope{OrganizationID: d.OrganizationID}
	entry := d.Actor.Entry(scope, models.AuditCreate, "transaction", d.ID)
	entry.Revision = &d.Revision
	// guard: ledger: an accepted version has its leaf
	entry.Leaf = d.Leaf
	return entry
}

const (
	selectTransactionExists = "SELECT EXISTS (SELECT 1 FROM transactions WHERE organization_id = $1 AND id = $2)"
	selectAuditExists       = "SELECT EXISTS (SELECT 1 FROM audit WHERE organization_id = $1 AND id = $2)"
)

// outcomeOf returns nil if a write that ended in an error was committed, else the error. Unless the error is certain
// (see pg.RolledBack), it asks the database on a new connection. The commit may have happened, may still run,
// or may never happen. trace is a statement that reports whether a record exists that only this write creates.
func (s *Store) outcomeOf(ctx context.Context, xid string, cause error, trace string, args ...any) error {
	if pg.RolledBack(cause) {
		return pg.Translate(cause)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	for {
		ended, err := s.isFinished(ctx, xid)
		if err == nil && ended {
			return s.requireStored(ctx, trace, args...)
		}
		select {
		case <-ctx.Done():
			return models.ErrOutcomeUnknown
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// isFinished reports whether a database transaction has ended.
func (s *Store) isFinished(ctx context.Context, xid string) (bool, error) {
	var status *string
	err := s.db.QueryRow(ctx, "SELECT pg_xact_status($1::text::xid8)", xid).Scan(&status)
	return status != nil && *status != "in progress", err
}

// requireStored returns nil if the trace of a write is stored, and with it all other rows of the write.
// The status of the database transaction does not prove that: after a crash PostgreSQL may reuse an id that left no
// trace in its log.
func (s *Store) requireStored(ctx context.Context, trace string, args ...any) error {
	var stored bool
	err := s.db.QueryRow(ctx, trace, args...).Scan(&stored)
	switch {
	case err != nil:
		return models.ErrOutcomeUnknown
	case !stored:
		return fmt.Errorf("%w: the database gave up the transaction", models.ErrUnavailable)
	}
	return nil
}
