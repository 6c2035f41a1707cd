package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const (
	// releaseReturnLines releases the lines of a return. endClaim marks it as unclaimed.
	releaseReturnLines = "SELECT release_members($1, $2)"
	endClaim           = `UPDATE filings
		SET status = $3, claimed_at = NULL
		WHERE organization_id = $1 AND id = $2 AND status = 'ISSUE'`

	// closeAmendment ends the open amendment of a return $2. The transactions that it would claim belong again to $9, which
	// is the return or an earlier amendment of it.
	closeAmendment = `
	WITH open AS (
	  SELECT organization_id, id, status FROM filings
	   WHERE organization_id = $1 AND amends_filing_id = $2 AND filing_category = 'AMENDMENT'
	     AND status IN ('UNFILED', 'PAUSED') FOR NO KEY UPDATE),
	closed AS (
	  UPDATE filings f
	     SET status = 'CANCELLED', cancelled_reason = 'RETURN_RELEASED', paused_until_date = NULL, updated_at = now(),
	       next_check_at = now()
	    FROM open o WHERE f.organization_id = o.organization_id AND f.id = o.id)
	INSERT INTO audit (organization_id, id, api_key_id, request_id, action, user_id, user_name, entity_type, entity_id,
	                   detail)
	SELECT organization_id, $3, $4, $5, $6, $7, $8, 'filing', id,
	       jsonb_build_object('from', status, 'to', 'CANCELLED', 'because_of', $9::text) FROM open`

	openAmendment = `
	SELECT a.id FROM filings a
	 WHERE a.organization_id = $1 AND a.amends_filing_id = $2 AND a.filing_category = 'AMENDMENT'
	   AND a.status IN ('UNFILED', 'PAUSED')`
)

// freezeSums returns the statement that stores the sums of filings that end without lines. $1 is the organization,
// ids the expression for their ids.
func freezeSums(ids string) string {
	return `
	UPDATE filings SET transaction_count = s.n, marketplace_transaction_count = s.m, amount_sales = s.sales,
	       total_taxable_sales = s.taxable,
	       amount_calculated = s.tax, amount_tax_collected = s.collected, total_tax_liability = s.liability,` + setMarkSums + `
	  FROM (` + liveSumsOf(ids) + `) s (id, n, m, sales, taxable, tax, collected, liability)
	 WHERE filings.organization_id = $1 AND filings.id = s.id`
}

// queueRelease adds the statements that release the lines of a return. Its amendment ends with the sums from before the
// release.
func (u *filingUpdate) queueRelease(batch *pgx.Batch) {
	amended := u.next.ID
	// guard: filing: an amendment that is open again is the only open one of its return
	if u.next.AmendsFilingID != nil && u.next.Status == models.FilingUnfiled {
		amended = *u.next.AmendsFilingID
	}
	batch.Queue(freezeSums("ARRAY("+openAmendment+")"), u.scope.OrganizationID, amended)
	batch.Queue(
		closeAmendment, u.scope.OrganizationID, amended, models.NewID(models.PrefixAudit),
		pg.Optional(u.actor.APIKeyID), pg.Optional(u.actor.RequestID), models.AuditUpdate,
		pg.Optional(u.actor.UserID), pg.Optional(u.actor.UserName), u.next.ID,
	)
	batch.Queue(releaseReturnLines, u.scope.OrganizationID, u.next.ID)
	batch.Queue(endClaim, u.scope.OrganizationID, u.next.ID, string(u.next.Status)).Exec(changedOne)
	batch.Queue(
		"DELETE FROM filing_rates WHERE organization_id = $1 AND filing_id = $2", u.scope.OrganizationID,
		u.next.ID,
	)
	for _, sql := range forgetFigures {
		batch.Queue(sql, u.scope.OrganizationID, u.next.ID)
	}
	// guard: credit: a release frees it
	batch.Queue(freeCredit, u.scope.OrganizationID, u.next.ID)
	batch.Queue(unsettle, u.scope.OrganizationID, u.next.ID)
	u.next.ClaimedAt = nil
}
