package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// history joins what calls of the API did, from the audit trail, with what the
// stages did, from their journal.
const history = `
	SELECT CASE a.action WHEN 'create' THEN 'ACCEPTED' WHEN 'update' THEN 'UPDATED'
	            WHEN 'credit_note_added' THEN 'CREDIT_NOTE_ADDED' WHEN 'credit_note_changed' THEN 'CREDIT_NOTE_CHANGED' ELSE 'ARCHIVED' END AS stage,
	       a.at, coalesce(a.revision, 1) AS revision, 1 AS attempt, NULL AS workflow_id, NULL AS run_id, a.request_id,
	       coalesce(a.detail, '{}') AS detail, 0 AS seq
	  FROM audit a
	 WHERE a.organization_id = $1 AND a.entity_id = $2 AND a.entity_type = 'transaction' AND a.action IN ('create', 'update', 'archive', 'credit_note_added', 'credit_note_changed')
	UNION ALL
	SELECT s.stage, s.at, s.revision, s.attempt, s.workflow_id, s.run_id, NULL, s.detail, s.seq
	  FROM transaction_stages s
	 WHERE s.organization_id = $1 AND s.transaction_id = $2
	UNION ALL
	SELECT e.stage, e.at, t.revision, 1, NULL, NULL, NULL, jsonb_build_object('filing_id', e.filing_id), 0
	  FROM transactions t
	 CROSS JOIN LATERAL (` + filingHistory + `) e
	 WHERE t.organization_id = $1 AND t.id = $2 AND e.at IS NOT NULL`

// filingHistory is what filings did with transaction t. Claims write no journal of
// their own: a return has up to a million members.
const filingHistory = `
	SELECT s.stage, s.at, f.id AS filing_id
	  FROM filing_transactions m
	  JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
	 CROSS JOIN LATERAL (VALUES ('FILING_STARTED', f.claimed_at), ('FILING_DONE', f.filed_at), ('LOCKED', f.locked_at)) s (stage, at)
	 WHERE m.organization_id = t.organization_id AND m.transaction_id = t.id
	UNION ALL
	SELECT s.stage, s.at, r.filing_id
	  FROM filing_releases r
	 CROSS JOIN LATERAL (VALUES ('FILING_STARTED', r.claimed_at), ('RELEASED', r.released_at)) s (stage, at)
	 WHERE r.organization_id = t.organization_id AND r.transaction_id = t.id`

// TransactionHistory lists what happened to a transaction, the oldest first.
// Errors: models.ErrNotFound.
func (s *Store) TransactionHistory(ctx context.Context, scope models.Scope, id string, page models.Page) (models.List[models.StageRecord], error) {
	list := models.List[models.StageRecord]{Items: []models.StageRecord{}}
	exists := false
	err := s.snapshot(ctx, func(conn *session, begin *pgx.Batch) error {
		begin.Queue("SELECT EXISTS (SELECT 1 FROM transactions t WHERE t.organization_id = $1 AND t.id = $2)", scope.OrganizationID, id).
			QueryRow(func(row pgx.Row) error { return row.Scan(&exists) })
		begin.Queue("SELECT count(*) FROM ("+history+") h", scope.OrganizationID, id).
			QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		begin.Queue("SELECT stage, at, revision, attempt, workflow_id, run_id, request_id, detail FROM ("+history+
			") h ORDER BY at, seq, stage LIMIT $3 OFFSET $4", scope.OrganizationID, id, page.Limit, page.Offset).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var r models.StageRecord
					if err := rows.Scan(&r.Stage, &r.At, &r.Revision, &r.Attempt, &r.WorkflowID, &r.WorkflowRunID, &r.RequestID, &r.Detail); err != nil {
						return err
					}
					list.Items = append(list.Items, r)
				}
				return rows.Err()
			})
		conn.commit(begin)
		return conn.send(ctx, begin)
	})
	if err != nil {
		return models.List[models.StageRecord]{}, err
	}
	if !exists {
		return models.List[models.StageRecord]{}, models.ErrNotFound
	}
	return list, nil
}
