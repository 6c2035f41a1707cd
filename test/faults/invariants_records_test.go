package faults_test

// recordInvariants are those of what happens to sales later, and of filings, registrations, onboardings, keys and presences.
var recordInvariants = []invariant{
	{id: "I-1 what is archived is archived, and nothing else", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN transactions t ON t.organization_id = l.organization_id AND t.external_id = l.external_id
		 WHERE l.kind IN ('sale', 'archiving of a sale')
		 GROUP BY l.organization_id, l.external_id, t.status
		HAVING bool_or(l.kind = 'archiving of a sale' AND l.outcome = 'ok') AND t.status IS DISTINCT FROM 'ARCHIVED'
		    OR NOT bool_or(l.kind = 'archiving of a sale' AND l.outcome IN ('ok', 'unknown')) AND t.status = 'ARCHIVED'`},
	{id: "I-1 every accepted credit note exists once, and none that was refused", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN transactions t ON t.organization_id = l.organization_id AND t.external_id = l.external_id
		 WHERE l.kind = 'credit note' GROUP BY l.organization_id, l.external_id
		HAVING bool_or(l.outcome = 'ok') AND count(t.id) <> 1 OR bool_and(l.outcome = 'fail') AND count(t.id) > 0`},
	{id: "I-6 a filing is the sum of its members", query: `
		SELECT f.id || ' ' || f.status FROM filings f
		  LEFT JOIN filing_transactions m ON m.organization_id = f.organization_id AND m.filing_id = f.id
		 WHERE f.claimed_at IS NOT NULL
		 GROUP BY f.organization_id, f.id
		HAVING (f.amount_sales, f.total_taxable_sales, f.amount_calculated, f.amount_tax_collected, f.total_tax_liability)
		    <> (coalesce(sum(m.sales), 0), coalesce(sum(m.taxable), 0), coalesce(sum(m.tax), 0), coalesce(sum(m.collected), 0), coalesce(sum(m.liability), 0))
		    OR (f.transaction_count, f.marketplace_transaction_count)
		    <> (count(m.transaction_id) FILTER (WHERE NOT m.marketplace), count(m.transaction_id) FILTER (WHERE m.marketplace))`},
	{id: "I-6 members are of the period and the registration, and what they were when they were claimed", query: `
		SELECT m.filing_id || ' ' || m.transaction_id FROM filing_transactions m
		  LEFT JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
		  LEFT JOIN transactions t ON t.organization_id = m.organization_id AND t.id = m.transaction_id
		  LEFT JOIN transaction_totals x ON x.organization_id = m.organization_id AND x.transaction_id = m.transaction_id AND x.epoch = m.epoch
		        AND x.country_code = f.country_code AND x.state_code = f.state_code
		 WHERE f.id IS NULL OR t.id IS NULL OR f.claimed_at IS NULL OR t.filing_id IS NULL OR t.processing_status NOT IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED')
		    OR m.registration_id <> f.registration_id OR t.tax_date NOT BETWEEN f.start_date AND f.end_date
		    OR m.epoch <> t.epoch OR (m.sales, m.tax, m.liability) IS DISTINCT FROM (x.sales::numeric, x.tax::numeric, x.liability::numeric)`},
	{id: "I-6 who is held by a filing is a member of it", query: `
		SELECT t.id || ' ' || t.processing_status FROM transactions t
		 WHERE (t.filing_id IS NOT NULL OR t.processing_status IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED'))
		   AND NOT EXISTS (SELECT FROM filing_transactions m WHERE m.organization_id = t.organization_id AND m.filing_id = t.filing_id AND m.transaction_id = t.id)`},
	{id: "I-7 nothing is returned twice", query: `
		SELECT transaction_id FROM filing_transactions GROUP BY organization_id, registration_id, transaction_id, claims_as HAVING count(*) > 1`},
	{id: "I-8 each day has one regular return", query: `
		SELECT a.id FROM filings a
		  JOIN filings b ON b.organization_id = a.organization_id AND b.registration_id = a.registration_id AND b.id > a.id
		   AND daterange(b.start_date, b.end_date, '[]') && daterange(a.start_date, a.end_date, '[]')
		 WHERE a.filing_category = 'REGULAR' AND b.filing_category = 'REGULAR'
		   AND a.status NOT IN ('CANCELLED', 'SKIPPED') AND b.status NOT IN ('CANCELLED', 'SKIPPED')`},
	{id: "I-8 each period is planned once", query: `
		SELECT registration_id || ' ' || start_date FROM filings WHERE planned
		 GROUP BY organization_id, registration_id, filing_category, start_date, end_date HAVING count(*) > 1`},
	{id: "I-8 a return has one open amendment", query: `
		SELECT amends_filing_id::text FROM filings WHERE filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED')
		 GROUP BY organization_id, amends_filing_id HAVING count(*) > 1`},
	{id: "I-9 nothing of a filed period is missing", quiet: true, query: `
		SELECT t.id FROM filings f
		  JOIN transaction_totals x ON x.organization_id = f.organization_id AND x.country_code = f.country_code AND x.state_code = f.state_code
		   AND x.tax_date BETWEEN f.start_date AND f.end_date
		  JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
		 WHERE f.status = 'FILED' AND f.filing_category = 'REGULAR' AND t.status IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
		   AND NOT EXISTS (SELECT FROM filing_transactions m
		        WHERE m.organization_id = t.organization_id AND m.transaction_id = t.id AND m.registration_id = f.registration_id)
		   AND NOT EXISTS (SELECT FROM filings a WHERE a.organization_id = f.organization_id AND a.amends_filing_id = f.id AND a.status IN ('UNFILED', 'PAUSED'))`},
	{id: "I-9 whatever comes late is amended", quiet: true, query: `SELECT transaction_id::text FROM late_transactions`},
	{id: "I-9 what is filed is sealed, and was handed over once for each attempt", quiet: true, query: `
		SELECT f.id FROM filings f
		  LEFT JOIN sandbox_submissions s ON s.organization_id = f.organization_id AND s.kind = 'RETURN' AND s.record_id = f.id
		 WHERE f.status = 'FILED'
		 GROUP BY f.organization_id, f.id
		HAVING f.report_hash IS NULL OR f.locked_at IS NULL OR count(s.attempt) <> f.attempt OR f.next_check_at IS NOT NULL`},
	{id: "I-9 each jurisdiction has one registration", query: `
		SELECT organization_id || ' ' || state_code FROM registrations WHERE status NOT IN ('DEREGISTERED', 'CANCELLED')
		 GROUP BY organization_id, country_code, state_code HAVING count(*) > 1`},
	{id: "I-13 steps are done in their order, without gaps", query: `
		SELECT b.organization_id::text FROM onboardings b
		  LEFT JOIN onboarding_steps s ON s.organization_id = b.organization_id AND s.completed_at IS NOT NULL
		 GROUP BY b.organization_id, b.completed, b.status
		HAVING array_agg(s.number ORDER BY s.number) <> ARRAY(SELECT n::smallint FROM generate_series(1, b.completed) n)
		    OR (b.status = 'COMPLETED') <> (b.completed = 8)`},
	{id: "I-13 who is on the way has somebody who looks after it", query: `
		SELECT organization_id || ' ' || status FROM onboardings
		 WHERE next_check_at IS NULL AND (status = 'IN_PROGRESS' OR status IN ('CANCELLED', 'EXPIRED', 'FAILED') AND compensation_finished_at IS NULL)`},
	{id: "I-13 nothing is left of who went away", query: `
		SELECT o.id FROM organizations o JOIN onboardings b ON b.organization_id = o.id
		  LEFT JOIN organization_details d ON d.organization_id = o.id
		 WHERE b.compensation_finished_at IS NOT NULL AND (
		       o.status <> 'ARCHIVED'
		    OR EXISTS (SELECT FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL)
		    OR EXISTS (SELECT FROM data_keys k WHERE k.organization_id = o.id)
		    OR EXISTS (SELECT FROM personal_data p WHERE p.organization_id = o.id)
		    OR EXISTS (SELECT FROM bank_details x WHERE x.organization_id = o.id)
		    OR EXISTS (SELECT FROM onboarding_steps s WHERE s.organization_id = o.id AND s.completed_at IS NOT NULL AND s.compensated_at IS NULL)
		    OR coalesce(d.business_details, d.business_address, d.business_information, d.business_contact, d.business_owners) IS NOT NULL)`},
	{id: "I-13 who came aboard has everything", query: `
		SELECT b.organization_id::text FROM onboardings b
		  LEFT JOIN organizations o ON o.id = b.organization_id
		  LEFT JOIN organization_details d ON d.organization_id = b.organization_id
		 WHERE b.status = 'COMPLETED' AND (o.status IS DISTINCT FROM 'ACTIVE'
		    OR d.business_details IS NULL OR d.business_address IS NULL OR d.business_information IS NULL OR d.business_contact IS NULL OR d.business_owners IS NULL
		    OR NOT EXISTS (SELECT FROM bank_details x WHERE x.organization_id = b.organization_id)
		    OR NOT EXISTS (SELECT FROM data_keys k WHERE k.organization_id = b.organization_id))`},
	{id: "I-13 a name belongs to one living client", query: `
		SELECT min(name) FROM organizations WHERE status = 'ACTIVE' AND parent_organization_id IS NOT NULL
		 GROUP BY parent_organization_id, name_key HAVING count(*) > 1`},
	{id: "I-13 every client that was accepted came, and every one that left is gone", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN organizations o ON o.parent_organization_id = l.organization_id AND o.name = l.external_id
		 WHERE l.kind IN ('client', 'cancelling')
		 GROUP BY l.organization_id, l.external_id
		HAVING bool_or(l.kind = 'client' AND l.outcome = 'ok') AND count(DISTINCT o.id) <> 1
		    OR count(DISTINCT o.id) > 1
		    OR bool_or(l.kind = 'cancelling' AND l.outcome = 'ok') AND bool_or(o.status = 'ACTIVE')
		    OR NOT bool_or(l.kind = 'cancelling' AND l.outcome IN ('ok', 'unknown')) AND bool_or(o.status <> 'ACTIVE')`},
	{id: "I-13 every accepted step is done", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN organizations o ON o.parent_organization_id = l.organization_id AND o.name = split_part(l.external_id, '/', 1)
		  LEFT JOIN onboarding_steps s ON s.organization_id = o.id AND s.number = split_part(l.external_id, '/', 2)::smallint
		 WHERE l.kind = 'step'
		 GROUP BY l.organization_id, l.external_id, s.attempts
		HAVING count(*) FILTER (WHERE l.outcome = 'ok') > coalesce(s.attempts, 0)
		    OR coalesce(s.attempts, 0) > count(*) FILTER (WHERE l.outcome IN ('ok', 'unknown'))`},
	{id: "I-14 a key that was shown exists, one that was refused does not, one that was revoked is", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN api_keys k ON k.organization_id = l.organization_id AND k.name = l.external_id
		 WHERE l.kind IN ('key', 'revocation')
		 GROUP BY l.organization_id, l.external_id
		HAVING count(DISTINCT k.id) > 1
		    OR bool_or(l.kind = 'key' AND l.outcome = 'ok') AND count(k.id) = 0
		    OR bool_and(l.outcome = 'fail') AND count(k.id) > 0
		    OR bool_or(l.kind = 'revocation' AND l.outcome = 'ok') AND bool_or(k.revoked_at IS NULL)
		    OR NOT bool_or(l.kind = 'revocation' AND l.outcome IN ('ok', 'unknown')) AND bool_or(k.revoked_at IS NOT NULL)`},
	{id: "I-14 a hash belongs to one key", query: `SELECT encode(hash, 'hex') FROM api_keys GROUP BY hash HAVING count(*) > 1`},
	{id: "I-11 a presence that was accepted is there until its end", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN physical_nexus p ON p.organization_id = l.organization_id AND p.external_id = l.external_id
		 WHERE l.kind IN ('presence', 'end of a presence')
		 GROUP BY l.organization_id, l.external_id
		HAVING count(DISTINCT p.id) > 1
		    OR bool_or(l.kind = 'end of a presence' AND l.outcome = 'ok') AND count(p.id) > 0
		    OR bool_or(l.kind = 'presence' AND l.outcome = 'ok') AND NOT bool_or(l.kind = 'end of a presence' AND l.outcome IN ('ok', 'unknown')) AND count(p.id) <> 1`},
	{id: "I-9 every accepted registration exists, every approval was carried out", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		 WHERE l.outcome = 'ok' AND (
		       l.kind = 'registration' AND NOT EXISTS (SELECT FROM registrations r WHERE r.organization_id = l.organization_id AND r.state_code = l.external_id)
		    OR l.kind = 'approval' AND NOT EXISTS (SELECT FROM filings f WHERE f.organization_id = l.organization_id AND f.id = l.external_id AND f.approved_at IS NOT NULL))`},
	{id: "I-15 every record that was made or ended has one audit row of it", query: `
		SELECT r.kind || ' ' || r.id FROM (
		  SELECT organization_id, id, 'api_key' AS kind, 'create' AS action FROM api_keys UNION ALL
		  SELECT organization_id, id, 'registration', 'create' FROM registrations WHERE NOT auto_registered UNION ALL
		  SELECT organization_id, id, 'physical_nexus', 'create' FROM physical_nexus UNION ALL
		  SELECT id, id, 'organization', 'create' FROM organizations UNION ALL
		  SELECT k.organization_id, k.id, 'api_key', 'revoke' FROM api_keys k JOIN organizations o ON o.id = k.organization_id AND o.status = 'ACTIVE' WHERE k.revoked_at IS NOT NULL) r
		  LEFT JOIN audit a ON a.organization_id = r.organization_id AND a.entity_id = r.id AND a.entity_type = r.kind AND a.action = r.action
		 GROUP BY r.organization_id, r.kind, r.id, r.action HAVING count(a.id) <> 1`},
	{id: "I-15 every accepted step, and each that was undone, has its audit row", query: `
		SELECT s.organization_id::text FROM (
		  SELECT organization_id, sum(attempts) FILTER (WHERE number >= 3) AS done, count(compensated_at) AS undone FROM onboarding_steps GROUP BY 1) s
		  LEFT JOIN audit a ON a.organization_id = s.organization_id
		 GROUP BY s.organization_id, s.done, s.undone
		HAVING coalesce(s.done, 0) <> count(*) FILTER (WHERE a.entity_type IN ('organization_details', 'bank_details') AND a.action = 'update')
		    OR s.undone <> count(*) FILTER (WHERE a.action = 'undo' AND a.entity_type <> 'registration')`},
}
