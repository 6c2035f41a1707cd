package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// holdCredit holds what is left of sales, in key order: whoever calculates a refund
// of one of them waits for those before it, and sees what they took.
const holdCredit = `
	SELECT c.transaction_id FROM (SELECT organization_id, id FROM unnest($1::text[], $2::text[]) AS r(organization_id, id) ORDER BY 1, 2) r
	 CROSS JOIN LATERAL (
	   SELECT x.transaction_id FROM credit_totals x WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id FOR UPDATE) c`

// SaveRefunds brings refunds to PROCESSED. It holds what is left of their originals,
// hands the refunds with their originals to decide, in key order, and saves what it
// decides, all in one database transaction: two refunds of one line can never both
// take the rest of it. Refunds that decide leaves out stay where they are.
func (s *Store) SaveRefunds(ctx context.Context, run models.StageRun, refs []models.Ref, refunds []models.Transaction,
	decide func([]models.Transaction) ([]models.TaxOutcome, error),
) ([]models.StageState, error) {
	conn, err := s.session(ctx)
	if err != nil {
		return nil, translate(err)
	}
	defer conn.release()
	ended := false
	defer func() {
		if !ended { // also when decide panics
			conn.rollback(context.WithoutCancel(ctx))
		}
	}()
	refunds = slices.Clone(refunds)
	originals := originalsOf(refunds)
	held := &pgx.Batch{}
	conn.begin(held, "")
	held.Queue(holdCredit, originals.organizationIDs, originals.ids)
	originals.queue(held)
	originals.queueTaken(held)
	if err := conn.send(ctx, held); err != nil {
		return nil, translate(err)
	}
	outcomes, err := decide(refunds)
	if err != nil {
		return nil, err
	}
	if _, err := conn.stillMissing(ctx, &pgx.Batch{}, outcomes); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	late := int64(0)
	queueTax(batch, run, outcomes, &late)
	ended = true
	states, err := conn.commitStage(ctx, batch, refs)
	s.amendAfter(ctx, late)
	return states, err
}

// queueWake makes the refunds due that wait for transactions which are processed
// now. It is a statement of its own, after the one that holds the transactions: so
// it sees every refund that was written before they were held, and one written
// later sees them processed.
func queueWake(batch *pgx.Batch, outcomes []models.TaxOutcome) {
	var organizationIDs, ids []string
	for i := range outcomes {
		if outcomes[i].To == models.ProcessingProcessed {
			organizationIDs, ids = append(organizationIDs, outcomes[i].Ref.OrganizationID), append(ids, outcomes[i].Ref.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	batch.Queue(`
		WITH woken AS (
		  SELECT o.organization_id, o.aggregate_id
		    FROM (SELECT organization_id, id FROM unnest($1::text[], $2::text[]) AS r(organization_id, id) ORDER BY 1, 2) r
		   CROSS JOIN LATERAL (
		     SELECT x.organization_id, x.aggregate_id FROM outbox x
		      WHERE x.organization_id = r.organization_id AND x.waits_for = r.id FOR UPDATE) o)
		UPDATE outbox o SET waits_for = NULL, batch_id = NULL, attempts = 0, next_attempt_at = now()
		  FROM woken w WHERE o.organization_id = w.organization_id AND o.kind = 1 AND o.aggregate_id = w.aggregate_id`,
		organizationIDs, ids)
}

// WaitForOriginals takes refunds out of their batch until their originals are
// processed. The originals are held meanwhile: one that was processed since the
// caller looked makes its refunds due at once.
func (s *Store) WaitForOriginals(ctx context.Context, refs []models.Ref) error {
	organizationIDs, ids, epochs := refArrays(refs)
	_, err := s.pool.Exec(ctx, `
		WITH named AS (
		  SELECT r.organization_id, r.id, r.epoch, n.related_to
		    FROM unnest($1::text[], $2::text[], $3::int[]) AS r(organization_id, id, epoch)
		   CROSS JOIN LATERAL (
		     SELECT x.related_to FROM transactions x WHERE x.organization_id = r.organization_id AND x.id = r.id OFFSET 0) n
		   ORDER BY r.organization_id, n.related_to),
		waiting AS (
		  SELECT n.organization_id, n.id, n.epoch, CASE WHEN s.processing_status = ANY ($4::text[]) THEN NULL ELSE n.related_to END AS waits_for
		    FROM named n
		   CROSS JOIN LATERAL (
		     SELECT x.processing_status FROM transactions x WHERE x.organization_id = n.organization_id AND x.id = n.related_to FOR SHARE) s)
		UPDATE outbox o SET waits_for = w.waits_for, batch_id = NULL, attempts = 0,
		       next_attempt_at = now() + CASE WHEN w.waits_for IS NULL THEN interval '0' ELSE interval '`+parkedFor+`' END
		  FROM waiting w
		 WHERE o.organization_id = w.organization_id AND o.kind = 1 AND o.aggregate_id = w.id AND o.epoch = w.epoch`,
		organizationIDs, ids, epochs, models.CalculatedStates)
	return translate(err)
}
