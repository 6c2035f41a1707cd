package work

import (
	"levy/models"
	"levy/tax/nexus"
)

// backTax selects the tax k of a registration r for days before its returns begin, which no return contains. It has the
// currency in which tax is owed the longest.
const backTax = `
	 CROSS JOIN LATERAL (
	   SELECT k.currency, min(k.day) AS day, sum(k.liability) AS owed
	     FROM nexus_taxes k
	    WHERE k.organization_id = r.organization_id AND k.country_code = r.country_code AND k.state_code = r.state_code
	      AND k.day < least(r.registration_date, r.create_filings_from)
	      AND NOT ` + toMemberOfIdentification + `
	      AND NOT coalesce(k.day <@ ` + returnedDays + `, false)
	      AND NOT ` + byOtherScheme + `
	    GROUP BY 1 HAVING sum(k.liability) > 0 ORDER BY 2 LIMIT 1) early`

// toMemberOfIdentification is the condition that the sales of k are to the member where the seller is identified for
// the one-stop shop. They are no sales of the scheme (Directive 2006/112/EC, articles 369a and 369b).
const toMemberOfIdentification = `(r.country_code = '` + models.EuropeanUnion + `'
	          AND k.member_code = r.oss_member_state_of_identification_code)`

// returnedDays are the days of the other registrations at the authority and of all its returns. They are collected
// once, because finding the return of each day would read all returns of the organization.
const returnedDays = `(
	        SELECT range_agg(c.days)
	          FROM registrations o
	         CROSS JOIN LATERAL (
	           SELECT daterange(o.registration_date, o.deregistration_date, '[]')
	            WHERE o.id <> r.id AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
	              AND o.registration_date <= coalesce(o.deregistration_date, 'infinity')
	            UNION ALL
	           SELECT daterange(f.start_date, f.end_date, '[]') FROM filings f
	            WHERE f.organization_id = o.organization_id AND f.registration_id = o.id
	              AND f.filing_category = 'REGULAR' AND f.status <> 'CANCELLED') c (days)
	         WHERE o.organization_id = r.organization_id AND o.country_code = r.country_code
	           AND o.state_code = r.state_code)`

// byOtherScheme is the condition that k is a tax of the European Union for which the seller was registered in another
// way on its day. The other way is the member, or the one-stop shop. That registration returns the sale.
const byOtherScheme = `((r.country_code = '` + models.EuropeanUnion + `' OR EXISTS (
	          SELECT FROM nexus_records m WHERE m.organization_id = r.organization_id
	             AND m.country_code = r.country_code AND m.state_code = r.state_code
	             AND m.nexus_type = '` + string(nexus.TypeEUMemberState) + `'))
	        AND EXISTS (
	          SELECT FROM registrations o
	           WHERE o.organization_id = k.organization_id
	             AND o.country_code = CASE WHEN r.country_code = '` + models.EuropeanUnion + `' THEN k.member_code
	                                       ELSE '` + models.EuropeanUnion + `' END
	             AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
	             AND k.day BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))`
