package filings

import "levy/models"

// ofOneStopShop is the condition that a sale x belongs to a return f. A return of the one-stop shop leaves out the
// sales of other returns. In the Union scheme these are the sales to the member where the seller is identified.
// The scheme is for sellers who are not established where they sell (Directive 2006/112/EC, articles 369a and 369b).
// In both schemes these are the sales to a member for which the seller has a registration, on its days.
// A registration that was given up has returned its sales.
const ofOneStopShop = `
	   (f.country_code <> '` + models.EuropeanUnion + `' OR NOT EXISTS (
	     SELECT 1 FROM registrations o
	      WHERE o.organization_id = f.organization_id
	        AND (o.country_code = x.member_code AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
	        AND x.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')
	          OR o.id = f.registration_id AND o.oss_type = '` + models.OSSUnion + `'
	            AND o.oss_member_state_of_identification_code = x.member_code)))`

// periodEnd is the last day of the calendar quarter or month of a return f in euro. A return that ends earlier,
// with its registration, has the same last day (Directive 2006/112/EC, articles 364, 369f and 369s).
const periodEnd = `(CASE f.filing_frequency
	      WHEN 'QUARTERLY' THEN date_trunc('quarter', f.end_date) + interval '3 months - 1 day'
	      WHEN 'MONTHLY' THEN date_trunc('month', f.end_date) + interval '1 month - 1 day'
	      ELSE f.end_date END)::date`

// returnRate is the rate by which a return f in euro converts a sale x in another currency. It is the rate of the last
// day of the period, or of the first later day with a rate (Directive 2006/112/EC, article 369h). Until that rate is
// loaded, the return cannot be claimed, and its live sums use the last earlier rate.
const returnRate = `(SELECT r.rate FROM fx_rates r WHERE r.currency = x.currency
	      AND r.day BETWEEN ` + periodEnd + ` AND ` + periodEnd + ` + 7 ORDER BY r.day LIMIT 1)`
