package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// identifiedBy is the member of the Union that identifies the seller of a registration r at the Union scheme; empty elsewhere.
const identifiedBy = `CASE r.oss_type WHEN '` + models.OSSUnion + `' THEN coalesce(r.oss_member_state_of_identification_code, '')
	            ELSE '' END`

// aroundOf reads what other filings and the registration say about the filings $2 of an organization $1.
const aroundOf = `
	SELECT f.id,
	       CASE WHEN f.filing_category = 'REGULAR' AND f.status NOT IN ('FILED', 'SKIPPED', 'CANCELLED') THEN (
	         SELECT count(*) FROM filings p
	          WHERE p.organization_id = f.organization_id AND p.registration_id = f.registration_id
	            AND p.filing_category = 'PREPAYMENT' AND p.planned AND p.start_date >= f.start_date
	            AND p.end_date <= f.end_date AND p.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE')) ELSE 0 END,
	       CASE WHEN f.filing_category = 'AMENDMENT' THEN coalesce((
	         SELECT sum(c.amount) FROM filings s
	           JOIN filing_credits c ON c.organization_id = s.organization_id AND c.credit_of = s.id
	           JOIN filings q ON q.organization_id = c.organization_id AND q.id = c.used_by
	            AND q.filing_category = 'REGULAR'
	          WHERE s.organization_id = f.organization_id
	            AND (s.id = f.amends_filing_id OR s.amends_filing_id = f.amends_filing_id)), 0) ELSE 0 END,
	       coalesce(r.deregistration_date <= f.end_date, false), x.n, coalesce(x.amount, 0), ` + identifiedBy + `, o.is_test
	  FROM filings f
	  JOIN organizations o ON o.id = f.organization_id
	  JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id
	 CROSS JOIN LATERAL (
	   SELECT count(*) AS n, sum(e.amount) AS amount FROM filing_exclusions e
	    WHERE e.organization_id = f.organization_id AND e.filing_id = f.id AND e.claimed_at = f.claimed_at) x
	 WHERE f.organization_id = $1 AND f.id = ANY ($2)`

// intoAround returns a reader of the rows of aroundOf.
func intoAround(byID map[string]*models.Filing) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var id string
			var a models.FilingAround
			if err := rows.Scan(&id, &a.PrepaymentsMissing, &a.CreditTaken, &a.Ends, &a.Excluded, &a.ExcludedAmount,
				&a.IdentifiedBy, &a.Test); err != nil {
				return err
			}
			byID[id].Around = a
		}
		return rows.Err()
	}
}
