package transactions

import (
	"context"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

// Parts of statements that restart the processing of transactions. They follow "updated": the rows with
// organization_id, id, their new epoch, and revision.
//
// The contribution of a transaction to the nexus counters is reversed exactly as it was added. An earlier statement
// must have locked the rows, or their epoch must guard them. A statement that waits for a lock does not see changes
// committed meanwhile.
const (
	// currentContributions finds the contributions of the rows by key.
	currentContributions = `
	kept AS (
	  SELECT c.at FROM updated m
	   CROSS JOIN LATERAL (
	     SELECT x.ctid AS at FROM nexus_contributions x
	      WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id OFFSET 0) c`
	reverseContributions = currentContributions + `),` + removeCurrent
	// The totals of a transaction are deleted with its contributions: a transaction in processing or in the archive owes
	// nothing.
	removeCurrent = `
	reversed AS (
	  DELETE FROM nexus_contributions c WHERE c.ctid = ANY (ARRAY (SELECT at FROM kept)) RETURNING c.*),
	owed_no_longer AS (
	  DELETE FROM transaction_totals WHERE ctid = ANY (ARRAY (
	    SELECT x.at FROM (SELECT DISTINCT organization_id, transaction_id FROM reversed) b
	     CROSS JOIN LATERAL (
	       SELECT x.ctid AS at FROM transaction_totals x WHERE x.organization_id = b.organization_id
	         AND x.transaction_id = b.transaction_id OFFSET 0) x))),
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, -n AS n, -amount AS amount,
	         -exempt_n AS exempt_n,
	         -exempt_amount AS exempt_amount, -resale_n AS resale_n, -resale_amount AS resale_amount,
	         -collected_tax AS collected_tax
	    FROM reversed)` + nexus.CountDeltas
	reverseExemptions = `
	no_longer_applied AS (
	  UPDATE transaction_exemptions x SET applied = false FROM updated m
	   WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id AND x.linked AND x.applied),
	no_longer_granted AS (
	  DELETE FROM transaction_exemptions x USING updated m
	   WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id AND NOT x.linked)`
	pendingWork       = pendingStart + `false, now() + interval '3 seconds'` + pendingEnd
	pendingBackground = pendingStart + `true, now()` + pendingEnd // no client waits for it
	pendingStart      = `
	pending_work AS (
	  INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, background, next_attempt_at)
	  SELECT organization_id, 1, id, epoch, `
	pendingEnd = ` FROM updated
	  ON CONFLICT (organization_id, kind, aggregate_id) DO UPDATE SET epoch = excluded.epoch, batch_id = NULL,
	    attempts = 0, background = excluded.background,
	         next_attempt_at = excluded.next_attempt_at, created_at = excluded.created_at, last_error = NULL)`
	deleteRefetches = `
	released AS (
	  DELETE FROM transaction_refetches p USING updated m
	   WHERE p.organization_id = m.organization_id AND p.transaction_id = m.id)`
)

// A stage that may end in NEEDS_REFETCH stores such transactions where RequeueNeedsRefetch finds them:
// `holdFor 'reason' holdEnd`.
const (
	holdFor = `,
	held_back AS (
	  INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason)
	  SELECT organization_id, id, epoch, `
	holdEnd = ` FROM updated WHERE processing_status = 'NEEDS_REFETCH')`
)

const requeueNeedsRefetch = `
	WITH waiting AS (
	  SELECT organization_id, transaction_id, epoch FROM transaction_refetches
	   WHERE reason = ANY ($1::text[]) ORDER BY organization_id, transaction_id LIMIT $2),
	locked AS (
	  SELECT t.organization_id, t.id FROM waiting w
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = w.organization_id AND x.id = w.transaction_id AND x.epoch = w.epoch
	        AND x.processing_status = 'NEEDS_REFETCH'
	        FOR UPDATE) t),
	updated AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', processing_reason = NULL, epoch = t.epoch + 1,
	         updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),` + reverseContributions + `,` +
	reverseExemptions + `,` + pendingBackground + `,
	journal AS (
	  INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	         run_id, detail)
	  SELECT organization_id, id, epoch, 'QUEUED', revision, $3, $4, $5, '{}' FROM updated),
	released AS (
	  DELETE FROM transaction_refetches p USING waiting w
	   WHERE p.organization_id = w.organization_id AND p.transaction_id = w.transaction_id AND p.epoch = w.epoch)
	SELECT (SELECT count(*) FROM waiting), (SELECT count(*) FROM updated)`

// requeueLimit is how many rows one database transaction queues again.
const requeueLimit = 1000

// RequeueNeedsRefetch queues every transaction again that waits for one of the reasons, and returns how many.
// Call it when the missing data was loaded. It crosses organizations and can be repeated.
//
// A running stage may have read before the data arrived and set NEEDS_REFETCH afterwards. So a schedule calls it once
// more a little later.
func (s *Store) RequeueNeedsRefetch(
	ctx context.Context, run models.StageRun, reasons ...models.RefetchReason,
) (int, error) {
	total := 0
	for {
		var waiting, requeued int
		err := s.db.QueryRow(ctx, requeueNeedsRefetch, reasons, requeueLimit, run.Attempt, run.WorkflowID,
			run.RunID).Scan(&waiting, &requeued)
		if err != nil {
			return total, pg.Translate(err)
		}
		total += requeued
		if waiting < requeueLimit {
			return total, nil
		}
	}
}
