package faults_test

import (
	"slices"

	"levy/store/integrity"
)

// recordInvariants are those of what happens to sales later, and of filings, registrations, onboardings, keys and
// presences.
var recordInvariants = append(general(slices.Concat(integrity.OfReturns, integrity.OfReturnLines, integrity.OfOrganizations)), []invariant{
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
	{id: "I-9 nothing of a filed period is missing", quiet: true, query: `
		SELECT t.id FROM filings f
		  JOIN transaction_totals x ON x.organization_id = f.organization_id AND x.country_code = f.country_code
		       AND x.state_code = f.state_code
		   AND x.tax_date BETWEEN f.start_date AND f.end_date
		  JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
		 WHERE f.status = 'FILED' AND f.filing_category = 'REGULAR'
		   AND t.status IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
		   AND NOT EXISTS (SELECT FROM filing_transactions m
		        WHERE m.organization_id = t.organization_id AND m.transaction_id = t.id
		          AND m.registration_id = f.registration_id)
		   AND NOT EXISTS (SELECT FROM filings a WHERE a.organization_id = f.organization_id AND a.amends_filing_id = f.id
		                      AND a.status IN ('UNFILED', 'PAUSED'))`},
	{id: "I-9 whatever comes late is amended", quiet: true, query: `SELECT transaction_id::text FROM late_transactions`},
	{id: "I-9 what is filed is sealed, and was handed over once for each attempt", quiet: true, query: `
		SELECT f.id FROM filings f
		  LEFT JOIN sandbox_submissions s ON s.organization_id = f.organization_id AND s.kind = 'RETURN'
		       AND s.record_id = f.id
		 WHERE f.status = 'FILED'
		 GROUP BY f.organization_id, f.id
		HAVING f.report_hash IS NULL OR f.locked_at IS NULL OR count(s.attempt) <> f.attempt OR f.next_check_at IS NOT NULL`},
	{id: "I-13 every client that was accepted exists, and every one that cancelled is archived", quiet: true,
		ledgered: true, query: `
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
		  LEFT JOIN organizations o ON o.parent_organization_id = l.organization_id
		       AND o.name = split_part(l.external_id, '/', 1)
		  LEFT JOIN onboarding_steps s ON s.organization_id = o.id AND s.number = split_part(l.external_id, '/', 2)::smallint
		 WHERE l.kind = 'step'
		 GROUP BY l.organization_id, l.external_id, s.attempts
		HAVING count(*) FILTER (WHERE l.outcome = 'ok') > coalesce(s.attempts, 0)
		    OR coalesce(s.attempts, 0) > count(*) FILTER (WHERE l.outcome IN ('ok', 'unknown'))`},
	{id: "I-14 a key that was shown exists, one that was refused does not, one that was revoked is", quiet: true,
		ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN api_keys k ON k.organization_id = l.organization_id AND k.name = l.external_id
		 WHERE l.kind IN ('key', 'revocation')
		 GROUP BY l.organization_id, l.external_id
		HAVING count(DISTINCT k.id) > 1
		    OR bool_or(l.kind = 'key' AND l.outcome = 'ok') AND count(k.id) = 0
		    OR bool_and(l.outcome = 'fail') AND count(k.id) > 0
		    OR bool_or(l.kind = 'revocation' AND l.outcome = 'ok') AND bool_or(k.revoked_at IS NULL)
		    OR NOT bool_or(l.kind = 'revocation' AND l.outcome IN ('ok', 'unknown')) AND bool_or(k.revoked_at IS NOT NULL)`},
	{id: "I-11 a presence that was accepted is there until its end", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		  LEFT JOIN physical_nexus p ON p.organization_id = l.organization_id AND p.external_id = l.external_id
		 WHERE l.kind IN ('presence', 'end of a presence')
		 GROUP BY l.organization_id, l.external_id
		HAVING count(DISTINCT p.id) > 1
		    OR bool_or(l.kind = 'end of a presence' AND l.outcome = 'ok') AND count(p.id) > 0
		    OR bool_or(l.kind = 'presence' AND l.outcome = 'ok')
		       AND NOT bool_or(l.kind = 'end of a presence' AND l.outcome IN ('ok', 'unknown')) AND count(p.id) <> 1`},
	{id: "I-9 every accepted registration exists, every approval was carried out", quiet: true, ledgered: true, query: `
		SELECT l.external_id FROM ledger l
		 WHERE l.outcome = 'ok' AND (
		       l.kind = 'registration' AND NOT EXISTS (SELECT FROM registrations r WHERE r.organization_id = l.organization_id
		                                                  AND r.state_code = l.external_id)
		    OR l.kind = 'approval' AND NOT EXISTS (SELECT FROM filings f WHERE f.organization_id = l.organization_id
		                                              AND f.id = l.external_id AND f.approved_at IS NOT NULL))`},
	{id: "I-15 every record that was made or ended has one audit row of it", query: `
		SELECT r.kind || ' ' || r.id FROM (
		  SELECT organization_id, id, 'api_key' AS kind, 'create' AS action FROM api_keys UNION ALL
		  SELECT organization_id, id, 'registration', 'create' FROM registrations WHERE NOT auto_registered UNION ALL
		  SELECT organization_id, id, 'physical_nexus', 'create' FROM physical_nexus UNION ALL
		  SELECT id, id, 'organization', 'create' FROM organizations UNION ALL
		  SELECT k.organization_id, k.id, 'api_key', 'revoke' FROM api_keys k
		    JOIN organizations o ON o.id = k.organization_id AND o.status = 'ACTIVE' WHERE k.revoked_at IS NOT NULL) r
		  LEFT JOIN audit a ON a.organization_id = r.organization_id AND a.entity_id = r.id AND a.entity_type = r.kind
		       AND a.action = r.action
		 GROUP BY r.organization_id, r.kind, r.id, r.action HAVING count(a.id) <> 1`},
	{id: "I-15 every accepted step, and each that was undone, has its audit row", query: `
		SELECT s.organization_id::text FROM (
		  SELECT organization_id, sum(attempts) FILTER (WHERE number >= 3) AS done, count(compensated_at) AS undone
		    FROM onboarding_steps GROUP BY 1) s
		  LEFT JOIN audit a ON a.organization_id = s.organization_id
		 GROUP BY s.organization_id, s.done, s.undone
		HAVING coalesce(s.done, 0) <> count(*) FILTER (WHERE a.entity_type IN ('organization_details', 'bank_details')
		                                               AND a.action = 'update')
		    OR s.undone <> count(*) FILTER (WHERE a.action = 'undo' AND a.entity_type <> 'registration')`},
	{id: "I-17 every record has one event of its creation", query: `
		SELECT r.kind || ' ' || r.id FROM (
		  SELECT id AS organization_id, id, 'organization' AS kind FROM organizations UNION ALL
		  SELECT organization_id, id, 'api_key' FROM api_keys UNION ALL
		  SELECT organization_id, id, 'product' FROM products UNION ALL
		  SELECT organization_id, id, 'customer' FROM customers UNION ALL
		  SELECT organization_id, id, 'exemption' FROM exemptions UNION ALL
		  SELECT organization_id, id, 'physical_nexus' FROM physical_nexus UNION ALL
		  SELECT organization_id, id, 'registration' FROM registrations UNION ALL
		  SELECT organization_id, id, 'filing' FROM filings) r
		  LEFT JOIN events e ON e.organization_id = r.organization_id AND e.object_id = r.id AND e.type = r.kind || '.created'
		 GROUP BY r.organization_id, r.kind, r.id HAVING count(e.sequence) <> 1`},
	{id: "I-17 every end of a record is one event", query: `
		SELECT r.type || ' ' || r.id FROM (
		  SELECT id AS organization_id, id, 'organization.archived' AS type
		    FROM organizations WHERE status = 'ARCHIVED' UNION ALL
		  SELECT organization_id, id, 'api_key.revoked' FROM api_keys WHERE revoked_at IS NOT NULL UNION ALL
		  SELECT organization_id, id, 'filing.filed' FROM filings
		   WHERE status = 'FILED' AND approved_at IS NOT NULL) r
		  LEFT JOIN events e ON e.organization_id = r.organization_id AND e.object_id = r.id AND e.type = r.type
		 GROUP BY r.organization_id, r.type, r.id HAVING count(e.sequence) <> 1`},
	{id: "I-17 every change of an onboarding is one event", query: `
		SELECT b.organization_id::text FROM onboardings b
		  JOIN organizations o ON o.id = b.organization_id
		  LEFT JOIN events e ON e.organization_id = b.organization_id AND e.type LIKE 'onboarding.%'
		       AND e.type <> 'onboarding.completed' -- beside that of its step
		 GROUP BY b.organization_id, b.version, o.parent_organization_id
		HAVING count(e.sequence) <> b.version - CASE WHEN o.parent_organization_id IS NULL THEN 1 ELSE 0 END`},
}...)
