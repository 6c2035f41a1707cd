package work

import (
	"levy/models"
	"levy/store/filings"
)

// An authority that owes something back gets a claim where no return takes it off. That is a credit that is left when its
// registration has ended, or where the law wants a claim. It is also a refund whose day no return covers.

// creditsToClaim selects the filings s with such a credit.
var creditsToClaim = `
	SELECT '` + models.ExceptionRefund + `', s.organization_id, s.id,
	       CASE WHEN ` + filings.Claimed("s") + ` THEN '` + models.ClaimRequired + `' ELSE '` + models.RegistrationEnded + `' END,
	       s.filed_at, ` + filings.ClaimDeadline("s.country_code", "s.state_code", "s.end_date") + `, NULL, NULL
	  FROM filings s
	  JOIN seen v ON v.id = s.organization_id
	  JOIN registrations r ON r.organization_id = s.organization_id AND r.id = s.registration_id
	 WHERE ` + filings.WithCredit + ` AND ` + filings.CreditLeft + ` > 0 AND ` + filings.ToClaim

// daysWithoutReturn are the days g of an authority that perhaps no return covers. They are those between registrations,
// of a cancelled return, and of a registration that does not file.
const daysWithoutReturn = `
	  SELECT r.organization_id, r.country_code, r.state_code, r.deregistration_date + 1 AS from_day,
	         coalesce((
	           SELECT min(n.registration_date) FROM registrations n
	            WHERE n.organization_id = r.organization_id AND n.country_code = r.country_code
	              AND n.state_code = r.state_code AND n.registration_date > r.deregistration_date
	              AND n.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')) - 1, 'infinity') AS until_day
	    FROM registrations r JOIN seen v ON v.id = r.organization_id
	   WHERE r.deregistration_date IS NOT NULL AND r.status IN ('DEREGISTERING', 'DEREGISTERED')
	  UNION
	  SELECT f.organization_id, f.country_code, f.state_code, f.start_date, f.end_date
	    FROM filings f JOIN seen v ON v.id = f.organization_id
	   WHERE f.filing_category = 'REGULAR' AND f.status = 'CANCELLED'
	  UNION
	  SELECT r.organization_id, r.country_code, r.state_code, coalesce(r.create_filings_from, r.registration_date),
	         coalesce(r.deregistration_date, 'infinity')
	    FROM registrations r JOIN seen v ON v.id = r.organization_id
	   WHERE r.do_not_file AND r.registration_date IS NOT NULL AND r.status IN ('REGISTERED', 'DEREGISTERING')`

// refundsToClaim selects the refunds on such days whose sale was filed.
var refundsToClaim = `
	SELECT '` + models.ExceptionRefund + `', p.organization_id, p.transaction_id,
	       '` + models.NoReturn + `', min(p.since), min(p.due), NULL, NULL
	  FROM (` + refundsWithoutReturn + `) p
	 GROUP BY p.organization_id, p.transaction_id`

var refundsWithoutReturn = `
	SELECT DISTINCT x.organization_id, x.transaction_id, x.country_code, x.state_code, x.liability, x.currency,
	       t.updated_at AS since, ` + filings.ClaimDeadline("x.country_code", "x.state_code", `(
	         SELECT o.tax_date FROM transactions o WHERE o.organization_id = t.organization_id AND o.id = t.related_to)`) + ` AS due
	  FROM (` + daysWithoutReturn + `) g
	  JOIN transaction_totals x ON x.organization_id = g.organization_id AND x.country_code = g.country_code
	   AND x.state_code = g.state_code AND x.tax_date BETWEEN g.from_day AND g.until_day AND x.liability < 0
	  JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
	   AND t.related_to IS NOT NULL AND t.status = 'COMMITTED' AND t.processing_status = 'PROCESSED'
	 WHERE EXISTS (
	         SELECT FROM filing_transactions m
	           JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id AND f.status = 'FILED'
	          WHERE m.organization_id = t.organization_id AND m.transaction_id = t.related_to
	            AND f.country_code = x.country_code AND f.state_code = x.state_code)
	   AND NOT EXISTS (
	         SELECT FROM filings f
	          WHERE f.organization_id = x.organization_id AND f.country_code = x.country_code
	            AND f.state_code = x.state_code AND f.filing_category = 'REGULAR' AND f.status <> 'CANCELLED'
	            AND x.tax_date BETWEEN f.start_date AND f.end_date)`

// amountToClaim joins what is to be claimed by an exception p: of a filing f, or of a transaction t.
var amountToClaim = `
	  LEFT JOIN LATERAL (
	    SELECT ` + filings.CreditLeft + ` AS amount, s.currency FROM filings s
	     WHERE p.type = '` + models.ExceptionRefund + `' AND s.organization_id = p.organization_id AND s.id = p.object_id
	    UNION ALL
	    SELECT -sum(x.liability), min(x.currency) FROM transaction_totals x
	      JOIN transactions e ON e.organization_id = x.organization_id AND e.id = x.transaction_id AND e.epoch = x.epoch
	     WHERE p.code = '` + models.NoReturn + `' AND x.organization_id = p.organization_id AND x.transaction_id = p.object_id
	       AND EXISTS (
	         SELECT FROM filing_transactions m
	           JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id AND f.status = 'FILED'
	          WHERE m.organization_id = e.organization_id AND m.transaction_id = e.related_to
	            AND f.country_code = x.country_code AND f.state_code = x.state_code)
	    HAVING count(*) > 0) claim ON true`

// claimCredit records that the credit left of a filing is claimed: no return takes it off any more.
var claimCredit = `
	UPDATE filings s SET credit_claimed = s.credit_claimed + ` + filings.CreditLeft + `
	 WHERE s.organization_id = $1 AND s.id = $2 AND ` + filings.WithCredit
