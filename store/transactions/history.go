package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// history joins the calls of the API, from the audit trail, with the stages, from the journal.
const history = `
	SELECT CASE a.action WHEN 'create' THEN 'ACCEPTED' WHEN 'update' THEN 'UPDATED'
	            WHEN 'credit_note_added' THEN 'CREDIT_NOTE_ADDED' WHEN 'credit_note_changed' THEN 'CREDIT_NOTE_CHANGED'
	            WHEN 'reprocess' THEN 'REPROCESS'
	            ELSE 'ARCHIVED' END AS stage,
	       a.at, coalesce(a.revision, 1) AS revision, 1 AS attempt, NULL AS workflow_id, NULL AS run_id, a.request_id,
	       coalesce(a.detail, '{}') AS detail, 0 AS seq
	  FROM audit a
	 WHERE a.organization_id = $1 AND a.entity_id = $2 AND a.entity_type = 'transaction'
	   AND a.action IN ('create', 'update', 'archive', 'credit_note_added', 'credit_note_changed', 'reprocess')
	UNION ALL
	SELECT s.stage, s.at, s.revision, s.attempt, s.workflow_id, s.run_id, NULL, s.detail, s.seq
	  FROM transaction_stages s
	 WHERE s.organization_id = $1 AND s.transaction_id = $2
	UNION ALL
	SELECT e.stage, e.at, t.revision, 1, NULL, NULL, NULL, jsonb_build_object('filing_id', e.filing_id), 0
	  FROM transactions t
	 CROSS JOIN LATERAL (` + filingHistory + `) e
	 WHERE t.organization_id = $1 AND t.id = $2 AND e.at IS NOT NULL`

// filingHistory selects the events of filings about transaction t. Claims write no journal, because a return has up to
// a million transactions.
const filingHistory = `
	SELECT s.stage, s.at, f.id AS filing_id
	  FROM filing_transactions m
	  JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
	 CROSS JOIN LATERAL (VALUES ('FILING_STARTED', f.claimed_at), ('FILING_DONE', f.filed_at),
	   ('LOCKED', f.locked_at)) s (stage, at)
	 WHERE m.organization_id = t.organization_id AND m.transaction_id = t.id
	UNION ALL
	SELECT s.stage, s.at, r.filing_id
	  FROM filing_releases r
	 CROSS JOIN LATERAL (VALUES ('FILING_STARTED', r.claimed_at), ('RELEASED', r.released_at)) s (stage, at)
	 WHERE r.organization_id = t.organization_id AND r.transaction_id = t.id`

var historyList = pg.PartsList[models.StageRecord]{
	Exists: selectTransactionExists,
	Count:  "SELECT count(*) FROM (" + history + ") h",
	Select: `
	SELECT h.stage, h.at, h.revision, h.attempt, h.workflow_id, h.run_id, h.request_id, h.detail
	  FROM (` + history + `) h ORDER BY h.at, h.seq, h.stage`,
	Scan: func(row pgx.CollectableRow) (r models.StageRecord, err error) {
		return r, row.Scan(&r.Stage, &r.At, &r.Revision, &r.Attempt, &r.WorkflowID, &r.WorkflowRunID, &r.RequestID, &r.Detail)
	},
}

// TransactionHistory returns a page of the history of a transaction, the oldest entry first. Errors:
// models.ErrNotFound.
func (s *Store) TransactionHistory(
	ctx context.Context, scope models.Scope, id string, page models.Page,
) (models.List[models.StageRecord], error) {
	return historyList.Read(ctx, s.db, scope, id, page)
}
