package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

var markFailed = pg.Prepare(`
	WITH held AS (
	  SELECT o.organization_id, o.aggregate_id
	    FROM (SELECT * FROM {ref} ORDER BY organization_id, id) r
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = r.organization_id AND x.id = r.id FOR KEY SHARE) t
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.aggregate_id FROM outbox x
	      WHERE x.organization_id = t.organization_id AND x.kind = 1 AND x.aggregate_id = t.id AND x.epoch = r.epoch
	        FOR UPDATE) o),
	marked AS (
	  UPDATE outbox o SET last_error = @code, batch_id = NULL, attempts = attempts + 1,
	         next_attempt_at = now() + least(interval '`+LongestAttemptPause+
	`', interval '3 seconds' * power(2, least(attempts, 7)))
	    FROM held h WHERE o.organization_id = h.organization_id AND o.kind = 1 AND o.aggregate_id = h.aggregate_id
	  RETURNING o.organization_id, o.aggregate_id, o.epoch)
	INSERT INTO transaction_stages AS j (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	       run_id, detail)
	SELECT m.organization_id, m.aggregate_id, m.epoch, 'FAILED', t.revision, 1, @workflow_id, @run_id,
	       jsonb_build_object('code', @code::text)
	  FROM marked m JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.aggregate_id
	    ON CONFLICT (organization_id, transaction_id, epoch, stage) DO UPDATE
	       SET at = now(), attempt = j.attempt + 1, workflow_id = excluded.workflow_id, run_id = excluded.run_id,
	           detail = excluded.detail`,
	pg.Names{"code", "workflow_id", "run_id"}, refRows)

// MarkFailed removes transactions that fail repeatedly from their batch. The relay starts each again after a growing
// pause. The outbox has the reason, and the journal the number and time of the failures. As stages do,
// it locks each transaction before its outbox row, because the journal refers to the transaction.
func (s *Store) MarkFailed(ctx context.Context, run models.StageRun, refs []models.Ref, code string) error {
	_, err := s.db.Exec(ctx, markFailed.SQL,
		markFailed.Values([]any{code, run.WorkflowID, run.RunID}, refRows.Of(refs))...)
	return pg.Translate(err)
}

var showFailed = pg.Prepare(`
	WITH failed AS (
	  SELECT t.organization_id, t.id, j.attempt, j.detail->>'code' AS code
	    FROM (SELECT * FROM {ref} ORDER BY organization_id, id) r
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id, x.epoch FROM transactions x
	      WHERE x.organization_id = r.organization_id AND x.id = r.id AND x.epoch = r.epoch
	        AND x.processing_status IN ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')
	        FOR NO KEY UPDATE) t
	   CROSS JOIN LATERAL (
	     SELECT y.attempt, y.detail FROM transaction_stages y
	      WHERE y.organization_id = t.organization_id AND y.transaction_id = t.id AND y.epoch = t.epoch
	        AND y.stage = 'FAILED' OFFSET 0) j)
	UPDATE transactions t SET processing_reason =
	       format('Processing has failed %s, last at %s. It is tried again by itself.',
	         CASE f.attempt WHEN 1 THEN 'once' ELSE f.attempt || ' times' END, f.code)
	  FROM failed f WHERE t.organization_id = f.organization_id AND t.id = f.id`, nil, refRows)

// ShowFailed writes to the transactions how often they failed and why. It does not change their status.
// It is a statement apart from MarkFailed, because the record may be what cannot be written.
func (s *Store) ShowFailed(ctx context.Context, refs []models.Ref) error {
	_, err := s.db.Exec(ctx, showFailed.SQL, showFailed.Values(nil, refRows.Of(refs))...)
	return pg.Translate(err)
}
