package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// lockForArchive locks in key order. The organization is a column, not an argument, as in selectPage.
var lockForArchive = pg.Prepare(`
	SELECT t.id, t.type, t.status, t.processing_status, t.filing_id
	  FROM (SELECT @organization_id::text AS organization_id, id FROM {wanted} ORDER BY id OFFSET 0) r
	 CROSS JOIN LATERAL (
	   SELECT * FROM transactions x WHERE x.organization_id = r.organization_id AND x.id = r.id FOR NO KEY UPDATE) t`,
	pg.Names{"organization_id"}, wantedRows)

// wantedRows are the ids of transactions as rows of a statement.
var wantedRows = pg.RowsOf("wanted", pg.Col("id", "text", func(id *string) *string { return id }))

const (
	selectCreditedOf = `
	SELECT DISTINCT n.related_to FROM transactions n WHERE n.organization_id = $1 AND n.related_to = ANY ($2)
	   AND n.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') AND n.status IN ('PENDING', 'COMMITTED')`
	archiveTransactions = `
	WITH updated AS (
	  UPDATE transactions t SET status = 'ARCHIVED', processing_status = 'ARCHIVED', processing_reason = NULL,
	         updated_at = now()
	   WHERE t.organization_id = $1 AND t.id = ANY ($2)
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),` + reverseContributions + `,` + deleteRefetches + `,
	ended AS (
	  DELETE FROM outbox o USING updated m WHERE o.organization_id = m.organization_id AND o.kind = 1
	    AND o.aggregate_id = m.id)
	SELECT 1`
)

// ArchiveTransactions archives transactions, all possible ones in one database transaction. They leave the nexus
// counters, and a stage that is processing them changes nothing any more. The results are in the order of ids;
// nil also for a transaction that was archived before.
//
// Results: models.ErrNotFound; those of rules.CheckArchive. Errors: models.ErrUnavailable (nothing was written),
// models.ErrOutcomeUnknown.
func (s *Store) ArchiveTransactions(
	ctx context.Context, scope models.Scope, actor models.Actor, ids []string,
) ([]error, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	results, err := archive(ctx, conn, scope, actor, ids)
	if err != nil {
		conn.Rollback(ctx)
		return nil, pg.Translate(err)
	}
	return results, nil
}

func archive(
	ctx context.Context, conn *pg.Pipeline, scope models.Scope, actor models.Actor, ids []string,
) ([]error, error) {
	stored, credited, err := readForArchive(ctx, conn, scope, ids)
	if err != nil {
		return nil, err
	}
	results := make([]error, len(ids))
	var archiving []string
	var audits []*models.AuditEntry
	for i, id := range ids {
		t := stored[id]
		if t == nil {
			results[i] = models.ErrNotFound
			continue
		}
		if results[i] = rules.CheckArchive(t, credited[id]); results[i] != nil || t.Status == models.StatusArchived {
			continue
		}
		archiving = append(archiving, id)
		audits = append(audits, actor.Entry(scope, models.AuditArchive, "transaction", id))
	}
	batch := &pgx.Batch{}
	if len(archiving) > 0 {
		batch.Queue(releaseReserved, scope.OrganizationID, archiving)
		batch.Queue(archiveTransactions, scope.OrganizationID, archiving)
		pg.QueueAudit(batch, audits...)
	}
	conn.Commit(batch)
	return results, conn.SendLast(ctx, batch)
}

// readForArchive locks transactions and reads the columns that decide whether they may be archived.
func readForArchive(
	ctx context.Context, conn *pg.Pipeline, scope models.Scope, ids []string,
) (stored map[string]*models.Transaction, credited map[string]bool, err error) {
	stored, credited = map[string]*models.Transaction{}, map[string]bool{}
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(lockCreditOf, scope.OrganizationID, ids)
	lockForArchive.Queue(batch, []any{scope.OrganizationID}, wantedRows.Of(ids)).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			t := &models.Transaction{OrganizationID: scope.OrganizationID}
			if err := rows.Scan(&t.ID, &t.Type, &t.Status, &t.ProcessingStatus, &t.FilingID); err != nil {
				return err
			}
			stored[t.ID] = t
		}
		return rows.Err()
	})
	var id string
	batch.Queue(selectCreditedOf, scope.OrganizationID, ids).Query(pg.Each([]any{&id}, func() error {
		credited[id] = true
		return nil
	}))
	return stored, credited, conn.Send(ctx, batch)
}

// RelatedTransactions returns a page of the transactions related to one, by date. Those of a sale are its credit notes
// and tax refunds; those of a refund are its sale and the other refunds of it. Errors: models.ErrNotFound.
func (s *Store) RelatedTransactions(
	ctx context.Context, scope models.Scope, id string, page models.Page,
) (models.TransactionPage, error) {
	t, err := s.Transaction(ctx, scope, id)
	if err != nil {
		return models.TransactionPage{}, err
	}
	q := &transactionQuery{}
	q.and("t.organization_id = %s", scope.OrganizationID) // $1
	if t.Type.IsCredit() && t.RelatedTo != nil {
		q.and("(t.id = %[1]s OR t.related_to = %[1]s AND "+isCredit+") AND t.id <> %[2]s", *t.RelatedTo, id)
	} else {
		q.and("t.related_to = %s AND "+isCredit, id)
	}
	return s.listTransactions(ctx, scope, q, []models.Order{{Column: "date"}}, page)
}

const isCredit = "t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')"
