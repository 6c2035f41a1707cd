package transactions

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
	taxnexus "levy/tax/nexus"
)

// beginApplying records the obligation by which transactions are queued again, before the first of them is queued.
// If the run is lost, the next run continues with that obligation, even if it has changed since. The transactions that
// were queued again were calculated by it.
const beginApplying = `
	UPDATE nexus_records x
	   SET applying = coalesce(x.applying,
	         jsonb_build_object('from', x.obliged_from, 'until', x.obliged_until, 'gaps', x.obliged_gaps))
	 WHERE x.organization_id = $1 AND x.id = $2 AND ` + nexus.ObligationChanged + `
	RETURNING x.country_code, x.state_code,
	       coalesce((SELECT d.place->>'country' FROM organization_details d
	                  WHERE d.organization_id = x.organization_id), ''),
	       x.applied_from, x.applied_until, x.applied_gaps,
	       (x.applying->>'from')::date, (x.applying->>'until')::date, x.applying->'gaps'`

// NexusObligation returns the change of an obligation that is not applied to liabilities yet. Until ApplyObligation
// records that it is, no return is approved by the obligation. Errors: models.ErrNotFound if all changes are applied.
func (s *Store) NexusObligation(ctx context.Context, ref models.NexusRef) (models.ObligationChange, error) {
	c := models.ObligationChange{NexusRef: ref}
	var country, state, home string
	err := s.db.QueryRow(ctx, beginApplying, ref.OrganizationID, ref.NexusID).
		Scan(
			&country, &state, &home, &c.Before.From, &c.Before.Until, &c.Before.Gaps, &c.After.From,
			&c.After.Until, &c.After.Gaps,
		)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, models.ErrNotFound
	}
	c.Countries, c.State = []string{country}, models.NexusPlaceOf(country, state, "").State
	// A member of the Union where the seller is at home may tax sales to other members, too.
	if country == taxnexus.EuropeanUnion || country == home && taxnexus.UnionMember(country, c.Since()) {
		c.Countries = taxnexus.UnionMembers(c.Since())
	}
	return c, pg.Translate(err)
}

// requeueByObligation follows "targets": organization_id, id and epoch of transactions, in lock order.
// They keep their contributions to nexus, so that none is missing while they wait. Stage 3 then changes the
// contributions by the difference.
//
// A transaction in stage 4 may have read the obligation before it changed. It gets a new epoch: the current calculation
// is not saved, and a new one begins at the same stage. Its journal begins with the stages that are not repeated,
// as this statement sees them. A transaction whose epoch has changed before it is locked was queued by another
// statement and is calculated by later obligations.
const requeueByObligation = `,
	locked AS (
	  SELECT t.organization_id, t.id, t.processing_status FROM (SELECT DISTINCT organization_id, id, epoch FROM targets
	    ORDER BY organization_id, id) i
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id, x.processing_status FROM transactions x
	      WHERE x.organization_id = i.organization_id AND x.id = i.id
	        AND x.processing_status IN ('PROCESSED', 'NEXUS_DONE')
	        AND x.filing_id IS NULL
	        AND x.epoch = i.epoch
	        FOR UPDATE) t),
	updated AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', processing_reason = NULL, epoch = t.epoch + 1,
	         updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id AND l.processing_status = 'PROCESSED'
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),
	overtaken AS (
	  UPDATE transactions t
	     SET /* guard: nexus: a calculation by an outdated obligation is not saved */ epoch = t.epoch + 1,
	         updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id AND l.processing_status = 'NEXUS_DONE'
	  RETURNING t.organization_id, t.id, t.epoch),` + reverseExemptions + `,` + pendingBackground + `,
	calculated_anew AS (
	  UPDATE outbox o SET epoch = m.epoch, batch_id = NULL, attempts = 0, last_error = NULL,
	         next_attempt_at = CASE WHEN o.waits_for IS NULL THEN now() ELSE o.next_attempt_at END
	    FROM overtaken m WHERE o.organization_id = m.organization_id AND o.kind = 1 AND o.aggregate_id = m.id),
	kept_stages AS (
	  INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	         run_id, detail)
	  SELECT m.organization_id, m.id, m.epoch, s.stage, s.revision, s.attempt, s.workflow_id, s.run_id, s.detail
	    FROM overtaken m
	   CROSS JOIN LATERAL (
	     SELECT * FROM transaction_stages x
	      WHERE x.organization_id = m.organization_id AND x.transaction_id = m.id AND x.epoch = m.epoch - 1
	        AND x.stage IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')) s
	   ORDER BY s.seq),
	journal AS (
	  INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	         run_id, detail)
	  SELECT organization_id, id, epoch, 'QUEUED', revision, @attempt, @workflow_id, @run_id,
	         jsonb_strip_nulls(jsonb_build_object('nexus_id', @nexus_id::text))
	    FROM updated)`

// requeueWindow selects the sales on days that one of two obligations covers and the other does not, and their refunds.
var requeueWindow = pg.Prepare(`
	WITH gaps AS MATERIALIZED (
	  SELECT (SELECT range_agg(daterange(g.start, g."end", '[]'))
	    FROM jsonb_to_recordset(@before_gaps::jsonb) AS g(start date, "end" date)) AS before,
	         (SELECT range_agg(daterange(g.start, g."end", '[]'))
	           FROM jsonb_to_recordset(@after_gaps::jsonb) AS g(start date, "end" date)) AS after),
	page AS (
	  SELECT c.* FROM (
	    SELECT p.country_code, p.state_code FROM nexus_changes p
	     WHERE p.organization_id = @organization_id AND p.country_code = ANY (@countries)
	       AND @state IN ('', p.state_code)) p
	   CROSS JOIN LATERAL (
	    SELECT c.organization_id, c.transaction_id, c.day, c.sold_at FROM nexus_contributions c
	     WHERE c.organization_id = @organization_id AND c.country_code = p.country_code
	       AND c.state_code = p.state_code AND c.n > 0
	       AND c.day >= greatest(@since::date, @after_day::date)
	       AND coalesce(c.day BETWEEN @before_from AND coalesce(@before_until, 'infinity'::date)
	       AND NOT c.day <@ coalesce((SELECT before FROM gaps), '{}'), false)
	        <> coalesce(c.day BETWEEN @after_from AND coalesce(@after_until, 'infinity'::date)
	          AND NOT c.day <@ coalesce((SELECT after FROM gaps), '{}'), false)
	       AND (c.day, c.sold_at, c.transaction_id) > (@after_day, @after_sold_at, @after_transaction)
	     ORDER BY c.day, c.sold_at, c.transaction_id LIMIT @at_most) c
	   ORDER BY c.day, c.sold_at, c.transaction_id LIMIT @at_most),
	refunds AS (
	  SELECT p.organization_id, n.id, n.epoch FROM page p
	   CROSS JOIN LATERAL (
	     SELECT x.id, x.epoch FROM transactions x
	      WHERE x.organization_id = p.organization_id AND x.related_to = p.transaction_id
	        AND x.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') OFFSET 0) n),
	targets AS (
	  SELECT p.organization_id, p.transaction_id AS id, t.epoch FROM page p
	   CROSS JOIN LATERAL (
	     SELECT x.epoch FROM transactions x
	      WHERE x.organization_id = p.organization_id AND x.id = p.transaction_id OFFSET 0) t
	  UNION
	  SELECT organization_id, id, epoch FROM refunds)`+requeueByObligation+`
	SELECT (SELECT count(*) FROM page), (SELECT count(*) FROM updated) + (SELECT count(*) FROM overtaken),
	       coalesce((SELECT jsonb_build_object('day', day, 'sold_at', sold_at, 'transaction_id', transaction_id)
	         FROM page ORDER BY day DESC, sold_at DESC, transaction_id DESC LIMIT 1), '{}')`,
	pg.Names{
		"organization_id", "attempt", "workflow_id", "run_id", "nexus_id", "countries", "state", "since",
		"before_from", "before_until", "after_from", "after_until", "after_day", "after_sold_at", "after_transaction",
		"at_most", "before_gaps", "after_gaps",
	})

var requeueRefs = pg.Prepare(`
	WITH targets AS (SELECT organization_id, id, epoch FROM {ref})`+requeueByObligation+`
	SELECT count(*) FROM updated`, pg.Names{"attempt", "workflow_id", "run_id", "nexus_id"}, refRows)

// queueSuperseded queues sales again whose exemptions and taxes were decided by different obligations.
// RequeueForObligation does not find those that do not contribute to nexus yet. It leaves the others where stage 4
// begins. Only stage 4 can detect them, because it reads the obligations last.
func queueSuperseded(batch *pgx.Batch, run models.StageRun, outcomes []models.TaxOutcome) {
	var superseded []models.Ref
	for i := range outcomes {
		if outcomes[i].Outdated {
			superseded = append(superseded, outcomes[i].Ref)
		}
	}
	if len(superseded) > 0 {
		requeueRefs.Queue(batch, []any{run.Attempt, run.WorkflowID, run.RunID, nil}, refRows.Of(superseded))
	}
}

// RequeueForObligation queues sales again whose liability an obligation changes, with their refunds: a limited number,
// after the cursor. It skips those in a filing. A transaction in calculation, which may have read the old obligation,
// is calculated again.
func (s *Store) RequeueForObligation(
	ctx context.Context, run models.StageRun, c models.ObligationChange, after models.ObligationCursor,
) (models.ObligationStep, error) {
	var step models.ObligationStep
	if after.Day == 0 {
		after.Day = 19000101
	}
	err := s.db.QueryRow(ctx, requeueWindow.SQL, requeueWindow.Values([]any{
		c.OrganizationID, run.Attempt, run.WorkflowID, run.RunID, c.NexusID, c.Countries, c.State, c.Since().Time(),
		c.Before.From, c.Before.Until, c.After.From, c.After.Until, after.Day.Time(), after.SoldAt, after.TransactionID,
		requeueLimit, nexus.GapsText(c.Before.Gaps), nexus.GapsText(c.After.Gaps),
	})...).
		Scan(&step.Seen, &step.Requeued, &step.Next)
	step.Done = step.Seen < requeueLimit
	return step, pg.Translate(err)
}

// RequeueCalculated queues transactions again that were calculated since the caller listed them. Runs of the previous
// release need it: their steps list the transactions in processing.
func (s *Store) RequeueCalculated(
	ctx context.Context, run models.StageRun, ref models.NexusRef, versions []models.TransactionVersion,
) (n int, err error) {
	refs := make([]models.Ref, len(versions))
	for i, v := range versions {
		refs[i] = models.Ref{OrganizationID: ref.OrganizationID, ID: v.ID, Epoch: v.Epoch}
	}
	err = s.db.QueryRow(ctx, requeueRefs.SQL, requeueRefs.Values(
		[]any{run.Attempt, run.WorkflowID, run.RunID, ref.NexusID}, refRows.Of(refs))...).Scan(&n)
	return n, pg.Translate(err)
}

// ApplyObligation records that liabilities follow an obligation.
func (s *Store) ApplyObligation(ctx context.Context, c models.ObligationChange) error {
	_, err := s.db.Exec(ctx, `UPDATE nexus_records
		SET applied_from = $3, applied_until = $4, applied_gaps = $5, applying = NULL
		WHERE organization_id = $1 AND id = $2`,
		c.OrganizationID, c.NexusID, c.After.From, c.After.Until, nexus.GapsText(c.After.Gaps))
	return pg.Translate(err)
}
