package transactions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// UpdateTransaction replaces the content of a transaction, in one database transaction of three round trips.
// The first locks and reads the row, the second reads the records that the new version refers to, the third writes.
// The replaced version is stored. Its effects are reversed, and a stage that still processes it changes nothing any
// more.
//
// Errors: models.ErrNotFound; those of build; those of Intake.Accept; those of rules.CheckUpdate.
func (s *Store) UpdateTransaction(
	ctx context.Context, scope models.Scope, id string, build models.BuildUpdate,
) (models.Transaction, error) {
	d, err := s.updateTransaction(ctx, scope, id, build)
	for try := 0; try < raceRetries && lostRace(err); try++ {
		d, err = s.updateTransaction(ctx, scope, id, build)
	}
	if err != nil {
		return models.Transaction{}, err
	}
	updated := d.Transaction
	updated.Exemptions = nil // none has been applied to this version yet
	return updated, nil
}

func (s *Store) updateTransaction(
	ctx context.Context, scope models.Scope, id string, build models.BuildUpdate,
) (*models.TransactionDraft, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	u, err := lockForUpdate(ctx, conn, scope, id)
	if err == nil {
		err = s.db.OpenTaxIDs(ctx, scope.OrganizationID, &u.stored)
	}
	if err == nil {
		err = u.decide(ctx, conn, s.db, build)
	}
	if err == nil {
		err = u.group.seal(ctx, s.db)
	}
	if err == nil {
		err = failpoint.Hit("before_update_commit")
	}
	if err != nil {
		conn.Rollback(ctx)
		return nil, pg.Translate(err)
	}
	if err := u.write(ctx, conn); err != nil {
		conn.Rollback(ctx)
		if conn.Nested() { // the surrounding transaction commits later
			return nil, pg.Translate(err)
		}
		if err := s.outcomeOf(ctx, u.xid, err, selectAuditExists, u.audit.OrganizationID, u.audit.ID); err != nil {
			return nil, err
		}
	}
	return u.next, nil
}

// transactionUpdate is an update in progress: the stored version, locked, and the next one.
type transactionUpdate struct {
	xid            string
	stored         models.Transaction
	hasCreditNotes bool // has credit notes
	credited       bool // has credit notes that are not cancelled
	next           *models.TransactionDraft
	group          *intakeGroup // the next version as a group of one
	audit          *models.AuditEntry
	archived       []string // ids of exemptions that the next version no longer requests
}

// The lock comes first, so every later statement sees all changes that stages and other updates have committed before.
const (
	// guard: update: the sale is locked before it is read
	lockTransaction = "SELECT sent FROM transactions WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE"
	selectCredited  = `
		SELECT count(*) > 0, count(*) FILTER (WHERE n.status IN ('PENDING', 'COMMITTED')) > 0
		  FROM transactions n WHERE n.organization_id = $1 AND n.related_to = $2
		   AND n.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')`
)

func lockForUpdate(ctx context.Context, conn *pg.Pipeline, scope models.Scope, id string) (*transactionUpdate, error) {
	u := &transactionUpdate{}
	var found transactionSet
	var sent []byte
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(lockTransaction, scope.OrganizationID, id).QueryRow(func(row pgx.Row) error { return row.Scan(&sent) })
	batch.Queue(selectTransactions+" WHERE t.organization_id = $1 AND t.id = $2",
		scope.OrganizationID, id).Query(found.read)
	found.queueParts(batch, "= $2", scope.OrganizationID, id)
	batch.Queue(selectCredited, scope.OrganizationID,
		id).QueryRow(func(row pgx.Row) error { return row.Scan(&u.hasCreditNotes, &u.credited) })
	if err := conn.Send(ctx, batch); err != nil {
		return nil, err
	}
	u.stored = found.transactions[0]
	if sent != nil {
		if err := json.Unmarshal(sent, &u.stored.Sent); err != nil {
			return nil, err
		}
	}
	return u, failpoint.Hit("update_locked")
}

// decide builds the next version and decides, in the contract's order, whether it may replace the stored one.
func (u *transactionUpdate) decide(ctx context.Context, conn *pg.Pipeline, db *pg.DB, build models.BuildUpdate) error {
	next, err := build(&u.stored)
	if err != nil {
		return err
	}
	u.next = next
	known, made, err := u.read(ctx, conn, db)
	if err != nil {
		return err
	}
	u.xid = known.xid
	known.setRounding(next)
	spreadDiscounts(next, known)
	refused := rules.CheckUpdate(&u.stored, &next.Transaction, u.credited)
	detail := rules.UpdateDetail(&u.stored, &next.Transaction)
	// The contract's order: a missing product or reference, a refused change, a duplicate external id.
	if key := pg.KeyOf(next.OrganizationID, next.ExternalID); known.transactions[key] == next.ID {
		delete(known.transactions, key)
	}
	u.group = decide([]*models.TransactionDraft{next}, known)
	err = u.group.results[0]
	var duplicate *models.DuplicateError
	if refused != nil && (err == nil || errors.As(err, &duplicate)) {
		return refused
	}
	if err != nil {
		return err
	}
	if u.hasCreditNotes {
		next.RefundStatus = u.stored.RefundStatus // depends on all credit notes, also on cancelled ones
	}
	u.reuseExemptions(made)
	u.audit = auditOf(next)
	u.audit.Action, u.audit.Detail = models.AuditUpdate, detail
	return nil
}

// read reads the records that the next version refers to, and the exemptions that the stored version created.
func (u *transactionUpdate) read(
	ctx context.Context, conn *pg.Pipeline, db *pg.DB,
) (known *references, created []models.Exemption, err error) {
	batch := &pgx.Batch{}
	known = queueReferences(batch, []*models.TransactionDraft{u.next})
	batch.Queue(selectExemptions+" WHERE e.organization_id = $1 AND e.id = ANY ($2) AND e.status <> 'ARCHIVED' "+
		"ORDER BY e.id", u.next.OrganizationID, u.stored.Sent.Made).
		Query(pg.All(&created, func(row pgx.CollectableRow) (e models.Exemption, err error) {
			return e, row.Scan(exemptionRecord.Targets(&e)...)
		}))
	if err := conn.Send(ctx, batch); err != nil {
		return nil, nil, err
	}
	if err := known.openTaxIDs(ctx, db); err != nil {
		return nil, nil, err
	}
	for i := range created {
		if err := db.OpenTaxIDs(ctx, u.next.OrganizationID, &created[i]); err != nil {
			return nil, nil, err
		}
	}
	return known, created, nil
}

// reuseExemptions keeps exemptions that an earlier version created and this version requests again.
// It archives the others unless the version names them by id.
func (u *transactionUpdate) reuseExemptions(created []models.Exemption) {
	d := u.next
	d.Exemptions = slices.DeleteFunc(d.Exemptions, func(e models.Exemption) bool {
		if e.ExemptionType != models.ExemptionTransaction {
			e.CustomerID = &d.CustomerID
		}
		i := slices.IndexFunc(created, func(m models.Exemption) bool { return rules.SameGrant(e, m) })
		if i < 0 {
			return false
		}
		d.Sent.Made[slices.Index(d.Sent.Made, e.ID)] = created[i].ID
		created = slices.Delete(created, i, i+1)
		return true
	})
	for _, e := range created {
		if !slices.ContainsFunc(d.LinkedExemptions, func(l models.LinkedExemption) bool { return l.ID == e.ID }) {
			u.archived = append(u.archived, e.ID)
		} else {
			d.Sent.Made = append(d.Sent.Made, e.ID)
		}
	}
}

var selectExemptions = "\n	SELECT " + exemptionRecord.Select("e") + " FROM exemptions e"

const (
	storeRevision = `
	INSERT INTO transaction_revisions (organization_id, transaction_id, revision, body)
	SELECT t.organization_id, t.id, t.revision, jsonb_build_object('transaction', to_jsonb(t),
	       'items', (SELECT jsonb_agg(to_jsonb(i) ORDER BY i.line_no) FROM transaction_items i
	         WHERE i.organization_id = t.organization_id AND i.transaction_id = t.id),
	       'addresses', coalesce((SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM transaction_addresses a
	         WHERE a.organization_id = t.organization_id AND a.transaction_id = t.id), '[]'),
	       'exemptions', coalesce((SELECT jsonb_agg(to_jsonb(e) ORDER BY e.id) FROM transaction_exemptions x
	         JOIN exemptions e ON e.organization_id = x.organization_id AND e.id = x.exemption_id
	        WHERE x.organization_id = t.organization_id AND x.transaction_id = t.id AND x.applied), '[]'))
	  FROM transactions t WHERE t.organization_id = $1 AND t.id = $2`
	archiveExemptions = `UPDATE exemptions
		SET status = 'ARCHIVED', updated_at = now()
		WHERE organization_id = $1 AND id = ANY ($2)`
)

var versionRows = pg.RowsOf("version", transactionRecord.Created...)

// replaceTransaction writes the next version of a transaction.
var replaceTransaction = pg.Prepare(`
	WITH updated AS (
	  UPDATE transactions t SET `+versionRows.Set("organization_id", "id", "type", "created_at")+resetProcessing+`
	    FROM {version}
	   WHERE t.organization_id = version.organization_id AND t.id = version.id AND t.epoch = version.epoch - 1
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),`+reverseContributions+`,`+deleteRefetches+`
	SELECT 1`, nil, versionRows)

// resetProcessing clears the columns that processing writes and an insert does not.
const resetProcessing = `, processing_reason = NULL, place = NULL, origin = NULL, destination_currency = NULL,
	         conversion_rate = NULL, content_version = NULL, certainty = NULL`

// write sends all statements as one pipeline that ends in COMMIT.
func (u *transactionUpdate) write(ctx context.Context, conn *pg.Pipeline) error {
	d := u.next
	batch := &pgx.Batch{}
	pg.Queue(batch, insertCustomers, customerRecord.Created, u.group.newCustomers)
	if len(u.group.gapsFilled) > 0 {
		batch.Queue(fillCustomers, customersJSON(u.group.gapsFilled))
	}
	batch.Queue(storeRevision, d.OrganizationID, d.ID)
	replaceTransaction.Queue(batch, nil, versionRows.Of([]models.Transaction{*u.group.records[0]}))
	for _, part := range []string{
		"transaction_items", "transaction_addresses", "transaction_explanations", "transaction_exemptions",
	} {
		batch.Queue("DELETE FROM "+part+" WHERE organization_id = $1 AND transaction_id = $2", d.OrganizationID, d.ID)
	}
	if len(u.archived) > 0 {
		batch.Queue(archiveExemptions, d.OrganizationID, u.archived)
	}
	batch.Queue(
		"DELETE FROM outbox WHERE organization_id = $1 AND kind = 1 AND aggregate_id = $2", d.OrganizationID,
		d.ID,
	)
	u.audit.Leaf = d.Leaf
	u.group.queueParts(batch, u.audit)
	conn.Commit(batch)
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	return failpoint.Hit("after_update_commit")
}
