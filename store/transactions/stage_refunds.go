package transactions

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/content"
	"levy/store/pg"
)

// lockCredits locks the credit totals of sales in key order. The calculation of a refund of such a sale waits for those
// before it, and sees the amounts they took.
var lockCredits = pg.Prepare(`
	SELECT c.transaction_id FROM (SELECT organization_id, id FROM {key} ORDER BY 1, 2) r
	 CROSS JOIN LATERAL (
	   SELECT x.transaction_id FROM credit_totals x
	    WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id FOR UPDATE) c`, nil, keyRows)

// SaveRefunds sets refunds, and sales with refunds, to PROCESSED. It locks the credit totals of the sales and their
// refunds, in key order. Then it reads them, calls decide, and saves the outcomes, all in one database transaction. So
// two refunds of one line never both take its remainder. It does not change transactions without an outcome.
func (s *Store) SaveRefunds(ctx context.Context, run models.StageRun, refs []models.Ref, refunds []models.Transaction,
	decide func([]models.Transaction) ([]models.TaxOutcome, error),
) ([]models.StageState, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, pg.Translate(err)
	}
	defer conn.Release()
	ended := false
	defer func() {
		if !ended { // also if decide panics
			conn.Rollback(context.WithoutCancel(ctx))
		}
	}()
	refunds = slices.Clone(refunds)
	originals, sales := originalsOf(refunds), refundedSalesOf(refunds)
	both := slices.Concat(originals.refs, sales.refs)
	locks := &pgx.Batch{}
	conn.BeginByKey(locks)
	lockCredits.Queue(locks, nil, keyRows.Of(both))
	lockWithRefunds.Queue(locks, nil, keyRows.Of(refs), saleRows.Of(both))
	if len(originals.refs) > 0 {
		originals.queue(locks)
		originals.queueTaken(locks)
		if slices.ContainsFunc(refunds, func(t models.Transaction) bool { return t.PricesIncludeTax() }) {
			originals.queueNexus(locks)
		}
	}
	if len(sales.refs) > 0 {
		sales.queue(locks)
	}
	if err := conn.Send(ctx, locks); err != nil {
		return nil, pg.Translate(err)
	}
	outcomes, err := decide(refunds)
	if err == nil {
		err = s.addLeaves(ctx, outcomes)
	}
	if err != nil {
		return nil, err
	}
	if _, err := content.StillMissing(ctx, conn.Conn(), &pgx.Batch{}, outcomes); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	late := int64(0)
	queueTax(batch, run, outcomes, &late)
	if len(sales.refs) > 0 {
		ofSales := slices.DeleteFunc(slices.Clone(outcomes), func(o models.TaxOutcome) bool {
			return sales.of[pg.KeyOf(o.Ref.OrganizationID, o.Ref.ID)] == nil
		})
		queueDueRefunds(batch, ofSales)
		queueRefundsAgain(batch, run, calculatedAgain(ofSales))
		queueSuperseded(batch, run, ofSales)
	}
	queueLater(batch, run, refunds, outcomes)
	if err := originals.queueCollected(batch); err != nil {
		return nil, err
	}
	ended = true
	states, err := commitStage(ctx, conn, batch, refs)
	conn.Release() // amending uses a connection of its own
	s.filings.AmendAfter(ctx, late, refs)
	return states, err
}

var makeRefundsDue = pg.Prepare(`
	WITH woken AS (
	  SELECT o.organization_id, o.aggregate_id
	    FROM (SELECT organization_id, id FROM {key} ORDER BY 1, 2) r
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.aggregate_id FROM outbox x
	      WHERE x.organization_id = r.organization_id AND x.waits_for = r.id FOR UPDATE) o)
	UPDATE outbox o SET waits_for = NULL, batch_id = NULL, attempts = 0, next_attempt_at = now()
	  FROM woken w WHERE o.organization_id = w.organization_id AND o.kind = 1 AND o.aggregate_id = w.aggregate_id`, nil, keyRows)

// queueDueRefunds adds the statement that makes refunds due whose originals are processed now. It follows the statement
// that locks the originals. So it sees every refund that was written before the lock, and refunds written later see the
// originals as processed.
func queueDueRefunds(batch *pgx.Batch, outcomes []models.TaxOutcome) {
	var processed []models.Ref
	for i := range outcomes {
		if outcomes[i].To == models.ProcessingProcessed {
			processed = append(processed, outcomes[i].Ref)
		}
	}
	if len(processed) > 0 {
		makeRefundsDue.Queue(batch, nil, keyRows.Of(processed))
	}
}

// decideAgain follows "refunds": organization_id and id of refunds. It queues again those that no return has claimed.
const decideAgain = `
	locked AS (
	  SELECT t.organization_id, t.id FROM (SELECT * FROM refunds ORDER BY organization_id, id) r
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = r.organization_id AND x.id = r.id AND x.processing_status = 'PROCESSED'
	        AND x.filing_id IS NULL FOR UPDATE) t),
	updated AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', processing_reason = NULL, epoch = t.epoch + 1,
	         updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),` + reverseContributions + `,` +
	reverseExemptions + `,` + pendingWork

// journalAgain writes into the journal that a stage has queued them.
const journalAgain = `
	INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	       run_id, detail)
	SELECT organization_id, id, epoch, 'QUEUED', revision, @attempt, @workflow_id, @run_id, '{}' FROM updated`

// requeueRefunds follows the recalculation of sales: their refunds mirror taxes that are no longer right.
var requeueRefunds = pg.Prepare(`
	WITH sales AS (
	  SELECT s.organization_id, s.id, s.seq FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT j.organization_id, j.transaction_id AS id, j.seq FROM transaction_stages j
	      WHERE j.organization_id = ref.organization_id AND j.transaction_id = ref.id AND j.epoch = ref.epoch
	        AND j.stage = 'PROCESSED' OFFSET 0) s),
	refunds AS (
	  SELECT n.organization_id, n.id FROM sales s
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id, x.epoch FROM transactions x
	      WHERE x.organization_id = s.organization_id AND x.related_to = s.id
	        AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')
	        AND x.processing_status = 'PROCESSED' AND x.filing_id IS NULL OFFSET 0) n
	   CROSS JOIN LATERAL (
	     SELECT FROM transaction_stages j
	      WHERE j.organization_id = n.organization_id AND j.transaction_id = n.id AND j.epoch = n.epoch
	        AND j.stage = 'PROCESSED' AND j.seq < s.seq OFFSET 0) j),`+decideAgain+journalAgain,
	pg.Names{"attempt", "workflow_id", "run_id"}, refRows)

// calculatedAgain returns the sales among the outcomes that were calculated before.
func calculatedAgain(outcomes []models.TaxOutcome) []models.Ref {
	var again []models.Ref
	for i := range outcomes {
		if o := &outcomes[i]; o.To == models.ProcessingProcessed && o.Ref.Epoch > 1 {
			again = append(again, o.Ref)
		}
	}
	return again
}

// lockWithRefunds locks the transactions of a batch and the refunds that requeueRefunds may queue again,
// all in key order. Otherwise a claim that has locked a refund could wait for a sale of the batch,
// and the batch for the refund.
var lockWithRefunds = pg.Prepare(`
	SELECT t.id FROM (
	  SELECT organization_id, id FROM {key}
	  UNION
	  SELECT sale.organization_id, n.id FROM {sale}
	   CROSS JOIN LATERAL (
	     SELECT x.id FROM transactions x WHERE x.organization_id = sale.organization_id AND x.related_to = sale.id
	        AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')
	        AND x.processing_status = 'PROCESSED' AND x.filing_id IS NULL OFFSET 0) n
	   ORDER BY 1, 2) i
	 CROSS JOIN LATERAL (
	   SELECT x.id FROM transactions x WHERE x.organization_id = i.organization_id AND x.id = i.id FOR UPDATE) t`,
	nil, keyRows, saleRows)

var saleRows = pg.RowsOf("sale", refColumns(sameRef)[:2]...)

// queueLocks adds the statements that lock the credit totals of sales that are calculated again. They precede the save,
// so that no refund of such a sale is calculated at the same time.
func queueLocks(batch *pgx.Batch, all, again []models.Ref) {
	if len(again) > 0 {
		lockCredits.Queue(batch, nil, keyRows.Of(again))
		lockWithRefunds.Queue(batch, nil, keyRows.Of(all), saleRows.Of(again))
	}
}

// queueRefundsAgain adds the statement that queues the refunds of recalculated sales again.
func queueRefundsAgain(batch *pgx.Batch, run models.StageRun, again []models.Ref) {
	if len(again) > 0 {
		requeueRefunds.Queue(batch, []any{run.Attempt, run.WorkflowID, run.RunID}, refRows.Of(again))
	}
}

var waitForOriginals = pg.Prepare(`
	WITH named AS (
	  SELECT ref.organization_id, ref.id, ref.epoch, n.related_to
	    FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT x.related_to FROM transactions x WHERE x.organization_id = ref.organization_id
	       AND x.id = ref.id OFFSET 0) n
	   ORDER BY ref.organization_id, n.related_to),
	waiting AS (
	  SELECT n.organization_id, n.id, n.epoch, CASE WHEN s.processing_status = ANY (@calculated::text[]) THEN NULL
	         ELSE n.related_to END AS waits_for
	    FROM named n
	   CROSS JOIN LATERAL (
	     SELECT x.processing_status FROM transactions x WHERE x.organization_id = n.organization_id
	       AND x.id = n.related_to FOR SHARE) s)
	UPDATE outbox o SET waits_for = w.waits_for, batch_id = NULL, attempts = 0,
	       next_attempt_at = now() + CASE WHEN w.waits_for IS NULL THEN interval '0' ELSE interval '`+
	OriginalPause+`' END
	  FROM waiting w
	 WHERE o.organization_id = w.organization_id AND o.kind = 1 AND o.aggregate_id = w.id AND o.epoch = w.epoch`,
	pg.Names{"calculated"}, refRows)

// WaitForOriginals removes refunds from their batch until their originals are processed. It locks the originals,
// so that an original that was processed since the caller's check makes its refunds due at once.
func (s *Store) WaitForOriginals(ctx context.Context, refs []models.Ref) error {
	_, err := s.db.Exec(ctx, waitForOriginals.SQL,
		waitForOriginals.Values([]any{models.CalculatedStates}, refRows.Of(refs))...)
	return pg.Translate(err)
}
