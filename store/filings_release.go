package store

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

const (
	// A filing gives its members back in two statements: the second sees what others
	// released while the first waited for the locks. A transaction that another filing
	// holds follows that one from now on.
	lockMembers = `
	SELECT count(*) FROM (
	  SELECT t.id FROM filing_transactions m
	    JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
	   WHERE m.organization_id = $1 AND m.filing_id = $2 ORDER BY t.id FOR NO KEY UPDATE OF t) l`
	releaseMembers = `
	WITH released AS (
	  DELETE FROM filing_transactions m USING filings f
	   WHERE m.organization_id = $1 AND m.filing_id = $2 AND f.organization_id = $1 AND f.id = $2
	  RETURNING m.transaction_id, f.claimed_at),
	noted AS (
	  INSERT INTO filing_releases (organization_id, transaction_id, filing_id, claimed_at, released_at)
	  SELECT $1, transaction_id, $2, claimed_at, now() FROM released),
	followed AS (
	  SELECT r.transaction_id, o.filing_id, o.status
	    FROM released r
	    LEFT JOIN LATERAL (
	      SELECT m.filing_id, g.status FROM filing_transactions m
	        JOIN filings g ON g.organization_id = m.organization_id AND g.id = m.filing_id
	       WHERE m.organization_id = $1 AND m.transaction_id = r.transaction_id AND m.filing_id <> $2
	       ORDER BY g.claimed_at, g.id LIMIT 1) o ON true),
	moved AS (
	  UPDATE transactions t
	     SET filing_id = o.filing_id, updated_at = now(),
	         processing_status = CASE WHEN o.filing_id IS NULL THEN 'PROCESSED' WHEN o.status = 'FILED' THEN 'FILING_DONE' ELSE t.processing_status END
	    FROM followed o
	   WHERE t.organization_id = $1 AND t.id = o.transaction_id AND t.filing_id = $2 AND t.processing_status = 'FILING_STARTED')
	UPDATE filings SET status = $3, claimed_at = NULL WHERE organization_id = $1 AND id = $2 AND status = 'ISSUE'`

	// closeAmendment ends the amendment that is open for a return: what it would claim
	// belongs to the return again.
	closeAmendment = `
	WITH open AS (
	  SELECT organization_id, id, status FROM filings
	   WHERE organization_id = $1 AND amends_filing_id = $2 AND filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED') FOR NO KEY UPDATE),
	closed AS (
	  UPDATE filings f
	     SET status = 'CANCELLED', cancelled_reason = 'RETURN_RELEASED', paused_until_date = NULL, updated_at = now(), next_check_at = now()
	    FROM open o WHERE f.organization_id = o.organization_id AND f.id = o.id)
	INSERT INTO audit (organization_id, id, api_key_id, request_id, action, entity_type, entity_id, detail)
	SELECT organization_id, $3, $4, $5, $6, 'filing', id, jsonb_build_object('from', status, 'to', 'CANCELLED', 'because_of', $2::text) FROM open`

	openAmendment = `
	SELECT a.id FROM filings a
	 WHERE a.organization_id = $1 AND a.amends_filing_id = $2 AND a.filing_category = 'AMENDMENT' AND a.status IN ('UNFILED', 'PAUSED')`
)

// freezeSums keeps what filings add up to at the moment they end without members; $1
// is the organization, ids what names them.
func freezeSums(ids string) string {
	return `
	UPDATE filings SET transaction_count = s.n, marketplace_transaction_count = s.m, amount_sales = s.sales, total_taxable_sales = s.taxable,
	       amount_calculated = s.tax, amount_tax_collected = s.collected, total_tax_liability = s.liability
	  FROM (` + liveSumsOf(ids) + `) s (id, n, m, sales, taxable, tax, collected, liability)
	 WHERE filings.organization_id = $1 AND filings.id = s.id`
}

// queueRelease gives the members of a filing back. Its amendment ends with the sums
// that it has before.
func (u *filingUpdate) queueRelease(batch *pgx.Batch) {
	batch.Queue(longWork)
	batch.Queue(lockMembers, u.scope.OrganizationID, u.next.ID)
	batch.Queue(freezeSums("ARRAY("+openAmendment+")"), u.scope.OrganizationID, u.next.ID)
	batch.Queue(closeAmendment, u.scope.OrganizationID, u.next.ID, models.NewID(models.PrefixAudit), known(u.actor.APIKeyID), known(u.actor.RequestID), models.AuditUpdate)
	batch.Queue(releaseMembers, u.scope.OrganizationID, u.next.ID, string(u.next.Status)).Exec(changedOne)
	batch.Queue("DELETE FROM filing_rates WHERE organization_id = $1 AND filing_id = $2", u.scope.OrganizationID, u.next.ID)
	u.next.ClaimedAt = nil
}
