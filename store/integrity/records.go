package integrity

// OfReturns are the rules of returns.
var OfReturns = []Rule{
	{"I-6 a filing is the sum of its return lines", `
		SELECT f.id || ' ' || f.status FROM filings f
		  LEFT JOIN filing_transactions m ON m.organization_id = f.organization_id AND m.filing_id = f.id
		 WHERE {f.id} AND f.claimed_at IS NOT NULL AND NOT (f.settled AND f.filing_category = 'PREPAYMENT') -- it claims no lines
		 GROUP BY f.organization_id, f.id
		HAVING (f.amount_sales, f.total_taxable_sales, f.amount_calculated, f.amount_tax_collected, f.total_tax_liability)
		    <> (coalesce(sum(m.sales), 0), coalesce(sum(m.taxable), 0), coalesce(sum(m.tax), 0),
		        coalesce(sum(m.collected), 0), coalesce(sum(m.liability), 0))
		    OR (f.transaction_count, f.marketplace_transaction_count)
		    <> (count(m.transaction_id) FILTER (WHERE NOT m.marketplace),
		        count(m.transaction_id) FILTER (WHERE m.marketplace))`},
	{"I-6 the jurisdictions of a sealed return add up to what it owes, and to its calculated tax", `
		SELECT f.id || ' ' || f.status FROM filings f
		  LEFT JOIN filing_jurisdictions j ON j.organization_id = f.organization_id AND j.filing_id = f.id
		 WHERE {f.id} AND f.report_hash IS NOT NULL AND NOT (f.settled AND f.filing_category = 'PREPAYMENT')
		 GROUP BY f.organization_id, f.id
		HAVING f.amount_calculated <> coalesce(sum(coalesce(j.tax_calculated, j.tax)), 0)
		    OR count(j.tax_calculated) > 0 AND f.total_tax_liability <> sum(j.tax)`},
	// Those that lack figures of transactions of an earlier release are completed in the background.
	{"I-6 the figures of a return add up to its sums", `
		SELECT f.id || ' ' || f.status FROM filings f
		  JOIN filing_freezes z ON z.organization_id = f.organization_id AND z.filing_id = f.id AND z.missing = 0
		       AND z.frozen_at >= f.claimed_at
		  LEFT JOIN filing_figures g ON g.organization_id = f.organization_id AND g.filing_id = f.id
		 WHERE {f.id}
		 GROUP BY f.organization_id, f.id
		HAVING (f.amount_sales, f.amount_calculated, f.total_tax_liability)
		    <> (coalesce(sum(g.gross), 0), coalesce(sum(g.tax), 0), coalesce(sum(g.owed), 0))`},
	{"I-6 what a return has taken off is what it says", `
		SELECT f.id || ' ' || f.status FROM filings f
		  LEFT JOIN filing_credits c ON c.organization_id = f.organization_id AND c.used_by = f.id
		 WHERE {f.id}
		 GROUP BY f.organization_id, f.id
		HAVING (f.amount_prepaid, f.amount_credit_applied)
		    <> (coalesce(sum(c.amount) FILTER (WHERE c.prepaid), 0), coalesce(sum(c.amount) FILTER (WHERE NOT c.prepaid), 0))
		    OR NOT f.settled AND count(c.amount) > 0`},
	{"I-6 a credit is used as often as it says, and by its registration", `
		SELECT s.id || ' ' || s.status FROM filings s
		  LEFT JOIN filing_credits c ON c.organization_id = s.organization_id AND c.credit_of = s.id
		  LEFT JOIN filings f ON f.organization_id = c.organization_id AND f.id = c.used_by
		 WHERE {s.id}
		 GROUP BY s.organization_id, s.id
		HAVING s.credit_used <> coalesce(sum(c.amount), 0)
		    OR count(c.amount) FILTER (WHERE f.registration_id <> s.registration_id OR s.status <> 'FILED'
		         OR c.prepaid <> (s.filing_category = 'PREPAYMENT' AND f.filing_category = 'REGULAR'
		            AND s.start_date >= f.start_date AND s.end_date <= f.end_date)) > 0`},
	{"I-6 a return that is settled is not to be paid back", `
		SELECT f.id || ' ' || f.status FROM filings f
		 WHERE {f.id} AND f.settled AND (f.total_tax_liability + f.amount_adjusted - f.amount_discounts + f.amount_fees
		       + f.amount_penalties - f.amount_prepaid - f.amount_credit_applied + f.amount_credit_carried - f.amount_deferred < 0
		    OR f.amount_credit_carried > 0 AND f.amount_credit_applied > 0)`},
	{"I-8 each day has one regular return", `
		SELECT DISTINCT a.id FROM filings a
		  JOIN filings b ON b.organization_id = a.organization_id AND b.registration_id = a.registration_id AND b.id <> a.id
		   AND daterange(b.start_date, b.end_date, '[]') && daterange(a.start_date, a.end_date, '[]')
		 WHERE {a.id} AND a.filing_category = 'REGULAR' AND b.filing_category = 'REGULAR'
		   AND a.status NOT IN ('CANCELLED', 'SKIPPED') AND b.status NOT IN ('CANCELLED', 'SKIPPED')`},
	{"I-8 each period is planned once", `
		SELECT f.id || ' ' || f.start_date FROM filings f
		 WHERE {f.id} AND f.planned AND f.cancelled_reason IS DISTINCT FROM 'REGISTERED_LATER'
		   AND EXISTS (SELECT FROM filings o WHERE o.organization_id = f.organization_id
		         AND o.registration_id = f.registration_id AND o.filing_category = f.filing_category
		         AND o.start_date = f.start_date AND o.end_date = f.end_date AND o.id <> f.id AND o.planned
		         AND o.cancelled_reason IS DISTINCT FROM 'REGISTERED_LATER')`},
	{"I-8 a return has one open amendment", `
		SELECT amends_filing_id::text FROM filings a
		 WHERE {a.amends_filing_id} AND filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED')
		 GROUP BY organization_id, amends_filing_id HAVING count(*) > 1`},
}

// OfReturnLines are the rules of the transactions in returns.
var OfReturnLines = []Rule{
	{"I-6 return lines are of the period and the registration, and unchanged since they were claimed", `
		SELECT m.transaction_id || ' ' || m.filing_id FROM filing_transactions m
		  LEFT JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
		  LEFT JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
		  LEFT JOIN transaction_totals x ON x.organization_id = m.organization_id AND x.transaction_id = m.transaction_id
		       AND x.epoch = m.epoch
		       AND x.country_code = f.country_code AND x.state_code = f.state_code
		 WHERE {m.transaction_id} AND (f.id IS NULL OR t.id IS NULL OR f.claimed_at IS NULL OR t.filing_id IS NULL
		    OR t.processing_status NOT IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED')
		    OR m.registration_id <> f.registration_id OR t.tax_date NOT BETWEEN f.start_date AND f.end_date
		    OR m.epoch <> t.epoch
		    OR (m.sales, m.tax, m.liability) IS DISTINCT FROM (x.sales::numeric, x.tax::numeric, x.liability::numeric))`},
	{"I-6 whatever is locked for a filing is in its return lines", `
		SELECT t.id || ' ' || t.processing_status FROM transactions t
		 WHERE {t.id} AND (t.filing_id IS NOT NULL OR t.processing_status IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED'))
		   AND NOT EXISTS (SELECT FROM filing_transactions m
		                    WHERE m.organization_id = t.organization_id AND m.filing_id = t.filing_id
		                      AND m.transaction_id = t.id)`},
	{"I-7 nothing is returned twice", `
		SELECT transaction_id FROM filing_transactions m WHERE {m.transaction_id}
		 GROUP BY organization_id, registration_id, transaction_id, claims_as
		HAVING count(*) > 1`},
}

// OfOrganizations are the rules of the few records that an organization has of each kind: registrations, its onboarding
// and its keys.
var OfOrganizations = []Rule{
	{"I-9 each jurisdiction has one registration", `
		SELECT organization_id || ' ' || state_code FROM registrations r WHERE {r}
		   AND status NOT IN ('DEREGISTERED', 'CANCELLED')
		 GROUP BY organization_id, country_code, state_code HAVING count(*) > 1`},
	{"I-13 steps are done in their order, without gaps", `
		SELECT b.organization_id::text FROM onboardings b
		  LEFT JOIN onboarding_steps s ON s.organization_id = b.organization_id AND s.completed_at IS NOT NULL
		 WHERE {b}
		 GROUP BY b.organization_id, b.completed, b.status
		HAVING array_agg(s.number ORDER BY s.number) <> ARRAY(SELECT n::smallint FROM generate_series(1, b.completed) n)
		    OR (b.status = 'COMPLETED') <> (b.completed = 8)`},
	{"I-13 who is on the way has somebody who looks after it", `
		SELECT b.organization_id || ' ' || b.status FROM onboardings b JOIN organizations o ON o.id = b.organization_id
		 WHERE {b} AND b.next_check_at IS NULL
		   AND (b.status = 'IN_PROGRESS' AND o.parent_organization_id IS NOT NULL -- that of a partner has no end
		     OR b.status IN ('CANCELLED', 'EXPIRED', 'FAILED') AND b.compensation_finished_at IS NULL)`},
	{"I-13 nothing is left of who went away", `
		SELECT o.id FROM organizations o JOIN onboardings b ON b.organization_id = o.id
		  LEFT JOIN organization_details d ON d.organization_id = o.id
		 WHERE {b} AND (b.compensation_finished_at IS NOT NULL OR b.status = 'COMPLETED' AND o.status = 'ARCHIVED') AND (
		       o.status <> 'ARCHIVED'
		    OR EXISTS (SELECT FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL)
		    OR EXISTS (SELECT FROM data_keys k WHERE k.organization_id = o.id)
		    OR EXISTS (SELECT FROM personal_data p WHERE p.organization_id = o.id)
		    OR EXISTS (SELECT FROM bank_details x WHERE x.organization_id = o.id)
		    OR b.status <> 'COMPLETED' AND EXISTS (
		         SELECT FROM onboarding_steps s
		          WHERE s.organization_id = o.id AND s.completed_at IS NOT NULL AND s.compensated_at IS NULL)
		    OR coalesce(d.business_details, d.business_address, d.business_information, d.business_contact,
		                d.business_owners) IS NOT NULL)`},
	{"I-13 an onboarded client has everything", `
		SELECT b.organization_id::text FROM onboardings b
		  LEFT JOIN organizations o ON o.id = b.organization_id
		  LEFT JOIN organization_details d ON d.organization_id = b.organization_id
		 WHERE {b} AND b.status = 'COMPLETED' AND o.status IS DISTINCT FROM 'ARCHIVED' AND (o.status IS NULL
		    OR d.business_details IS NULL OR d.business_address IS NULL OR d.business_information IS NULL
		       OR d.business_contact IS NULL OR d.business_owners IS NULL
		    OR NOT EXISTS (SELECT FROM bank_details x WHERE x.organization_id = b.organization_id)
		    OR NOT EXISTS (SELECT FROM data_keys k WHERE k.organization_id = b.organization_id))`},
	{"I-13 a name belongs to one living client", `
		SELECT o.id FROM organizations o
		 WHERE {o:id} AND o.status = 'ACTIVE' AND EXISTS (
		         SELECT FROM organizations x WHERE x.parent_organization_id = o.parent_organization_id
		            AND x.name_key = o.name_key AND x.status = 'ACTIVE' AND x.id <> o.id)`},
	{"I-14 a hash belongs to one key", `
		SELECT k.id FROM api_keys k
		 WHERE {k} AND EXISTS (SELECT FROM api_keys o WHERE o.hash = k.hash 
		          AND (o.organization_id, o.id) <> (k.organization_id, k.id))`},
}
