package store

import (
	"context"

	"levy/models"
)

// Parts of statements that begin the processing of transactions anew. They follow
// "moved": the rows with organization_id, id, their new epoch, and revision.
//
// What a transaction added to the nexus counters is taken back exactly as it was
// added. The rows must have been locked by an earlier statement, or be guarded by
// their epoch: a statement that waits for a lock does not see what was committed
// meanwhile.
const (
	// keptContributions finds what they contribute, by look-ups of their keys.
	keptContributions = `
	kept AS (
	  SELECT c.at FROM moved m
	   CROSS JOIN LATERAL (
	     SELECT x.ctid AS at FROM nexus_contributions x WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id OFFSET 0) c`
	// countDeltas adds deltas to the counters, and notes where something changed, so
	// that the nexus there is evaluated again. Counters first, changes after them, each
	// in key order: no two statements wait for each other.
	countDeltas = `,
	counted AS (
	  INSERT INTO nexus_counters AS k (organization_id, country_code, state_code, currency, day, marketplace,
	         n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax)
	  SELECT organization_id, country_code, state_code, currency, day, marketplace,
	         sum(n), sum(amount), sum(exempt_n), sum(exempt_amount), sum(resale_n), sum(resale_amount), sum(collected_tax)
	    FROM deltas GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
	  ON CONFLICT (organization_id, country_code, state_code, currency, day, marketplace) DO UPDATE SET
	         n = k.n + excluded.n, amount = k.amount + excluded.amount, exempt_n = k.exempt_n + excluded.exempt_n,
	         exempt_amount = k.exempt_amount + excluded.exempt_amount, resale_n = k.resale_n + excluded.resale_n,
	         resale_amount = k.resale_amount + excluded.resale_amount, collected_tax = k.collected_tax + excluded.collected_tax
	  RETURNING k.organization_id, k.country_code, k.state_code),
	changed AS (
	  INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
	  SELECT DISTINCT organization_id, country_code, state_code, 1, true FROM counted ORDER BY 1, 2, 3
	  ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true)`
	takeBackNexus = keptContributions + `),` + removeKept
	// The totals of a transaction go with what it contributes: what is under way, or
	// archived, owes nothing.
	removeKept = `
	taken_back AS (
	  DELETE FROM nexus_contributions c WHERE c.ctid = ANY (ARRAY (SELECT at FROM kept)) RETURNING c.*),
	owed_no_longer AS (
	  DELETE FROM transaction_totals WHERE ctid = ANY (ARRAY (
	    SELECT x.at FROM (SELECT DISTINCT organization_id, transaction_id FROM taken_back) b
	     CROSS JOIN LATERAL (
	       SELECT x.ctid AS at FROM transaction_totals x WHERE x.organization_id = b.organization_id AND x.transaction_id = b.transaction_id OFFSET 0) x))),
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, -n AS n, -amount AS amount, -exempt_n AS exempt_n,
	         -exempt_amount AS exempt_amount, -resale_n AS resale_n, -resale_amount AS resale_amount, -collected_tax AS collected_tax
	    FROM taken_back)` + countDeltas
	takeBackExemptions = `
	no_longer_applied AS (
	  UPDATE transaction_exemptions x SET applied = false FROM moved m
	   WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id AND x.linked AND x.applied),
	no_longer_granted AS (
	  DELETE FROM transaction_exemptions x USING moved m
	   WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id AND NOT x.linked)`
	promise = `
	promised AS (
	  INSERT INTO outbox (organization_id, kind, aggregate_id, epoch) SELECT organization_id, 1, id, epoch FROM moved
	  ON CONFLICT (organization_id, kind, aggregate_id) DO UPDATE SET epoch = excluded.epoch, batch_id = NULL, attempts = 0,
	         next_attempt_at = excluded.next_attempt_at, created_at = excluded.created_at, last_error = NULL)`
	unpark = `
	unparked AS (
	  DELETE FROM transaction_refetches p USING moved m WHERE p.organization_id = m.organization_id AND p.transaction_id = m.id)`
)

// A stage that may end in NEEDS_REFETCH puts such transactions where loading finds
// them: `parkFor 'reason' parkRest`.
const (
	parkFor = `,
	parked AS (
	  INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason)
	  SELECT organization_id, id, epoch, `
	parkRest = ` FROM moved WHERE processing_status = 'NEEDS_REFETCH')`
)

const requeueNeedsRefetch = `
	WITH waiting AS (
	  SELECT organization_id, transaction_id, epoch FROM transaction_refetches
	   WHERE reason = ANY ($1::text[]) ORDER BY organization_id, transaction_id LIMIT $2),
	locked AS (
	  SELECT t.organization_id, t.id FROM waiting w
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = w.organization_id AND x.id = w.transaction_id AND x.epoch = w.epoch AND x.processing_status = 'NEEDS_REFETCH'
	        FOR UPDATE) t),
	moved AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', processing_reason = NULL, epoch = t.epoch + 1, updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),` + takeBackNexus + `,` + takeBackExemptions + `,` + promise + `,
	journal AS (
	  INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id, run_id, detail)
	  SELECT organization_id, id, epoch, 'QUEUED', revision, $3, $4, $5, '{}' FROM moved),
	unparked AS (
	  DELETE FROM transaction_refetches p USING waiting w
	   WHERE p.organization_id = w.organization_id AND p.transaction_id = w.transaction_id AND p.epoch = w.epoch)
	SELECT (SELECT count(*) FROM waiting), (SELECT count(*) FROM moved)`

// requeueAtOnce bounds what one database transaction puts back into the queue.
const requeueAtOnce = 1000

// RequeueNeedsRefetch puts every transaction that waits for one of the reasons back
// into the queue, and returns how many: to be called when what they wait for was
// loaded. It crosses organizations, and can be repeated at will.
//
// A stage that is under way may have looked before the data came and park its
// transactions afterwards, so call it once more a little later, by a schedule.
func (s *Store) RequeueNeedsRefetch(ctx context.Context, run models.StageRun, reasons ...models.RefetchReason) (int, error) {
	total := 0
	for {
		var waiting, moved int
		err := s.pool.QueryRow(ctx, requeueNeedsRefetch, reasons, requeueAtOnce, run.Attempt, run.WorkflowID, run.RunID).Scan(&waiting, &moved)
		if err != nil {
			return total, translate(err)
		}
		total += moved
		if waiting < requeueAtOnce {
			return total, nil
		}
	}
}
