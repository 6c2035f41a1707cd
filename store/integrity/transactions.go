package integrity

// The statuses of finished transactions, which are processed and perhaps filed, and of unfinished ones.
const (
	finished   = `('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`
	unfinished = `('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')`
)

// OfTransactions are the rules of transactions, of data derived from them, and of the outbox.
var OfTransactions = []Rule{
	{"I-1 an external id belongs to one transaction", `
		SELECT t.id FROM transactions t
		 WHERE {t.id} AND EXISTS (SELECT FROM transactions o WHERE o.organization_id = t.organization_id
		          AND o.external_id = t.external_id AND o.id <> t.id)`},
	{"I-3 unfinished work is in the outbox", `
		SELECT t.id FROM transactions t
		  LEFT JOIN outbox o ON o.organization_id = t.organization_id AND o.kind = 1 AND o.aggregate_id = t.id
		       AND o.epoch = t.epoch
		 WHERE {t.id} AND t.processing_status IN ` + unfinished + ` AND o.aggregate_id IS NULL`},
	{"I-3 the outbox holds only unfinished work", `
		SELECT o.aggregate_id FROM outbox o
		  LEFT JOIN transactions t ON t.organization_id = o.organization_id AND t.id = o.aggregate_id AND t.epoch = o.epoch
		 WHERE {o.aggregate_id} AND o.kind = 1 AND coalesce(t.processing_status, '') NOT IN ` + unfinished},
	{"I-4 stages happen once and in order", `
		SELECT transaction_id || ' ' || string_agg(stage, ',' ORDER BY seq) FROM transaction_stages s
		 WHERE {s.transaction_id} AND stage IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED')
		 GROUP BY organization_id, transaction_id, epoch
		HAVING array_agg(stage ORDER BY seq)
		       <> (ARRAY['ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED'])[1:count(*)::int]`},
	{"I-4 the journal ends where the transaction is", `
		SELECT t.id || ' ' || t.processing_status FROM transactions t
		  LEFT JOIN transaction_stages s ON s.organization_id = t.organization_id AND s.transaction_id = t.id
		       AND s.epoch = t.epoch
		        AND s.stage <> 'FAILED'
		 WHERE {t.id}
		 GROUP BY t.organization_id, t.id, t.processing_status
		HAVING t.processing_status IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED')
		   AND coalesce((array_agg(s.stage ORDER BY s.seq DESC))[1], '') <> t.processing_status
		    OR t.processing_status IN ` + finished + ` AND count(s.stage) < 4
		    OR t.processing_status IN ('NEW', 'QUEUED', 'UPDATED')
		       AND count(s.stage) FILTER (WHERE s.stage <> 'QUEUED') > 0`},
	{"I-4 what is processed has one explanation, of its epoch", `
		SELECT t.id FROM transactions t
		  LEFT JOIN transaction_explanations e ON e.organization_id = t.organization_id AND e.transaction_id = t.id
		       AND e.epoch = t.epoch
		 WHERE {t.id} AND t.processing_status IN ` + finished + ` AND e.transaction_id IS NULL`},
	{"I-4 what is calculated is calculated from the lines there are", `
		SELECT t.id FROM transactions t
		  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE {t.id} AND t.processing_status IN ` + finished + `
		 GROUP BY t.organization_id, t.id
		HAVING t.taxable_amount <> sum(i.taxable_amount) OR t.total_tax_amount_calculated <> sum(i.tax_amount_calculated)
		    OR t.type = 'SALE' AND bool_or(abs(i.taxable_amount) > abs(i.amount - i.total_discount)
		       -- the amount that another party pays is a part of the base where the law says so
		       + coalesce((i.sent #>> '{terms,by_manufacturer}')::numeric, 0)
		       + coalesce((i.sent #>> '{terms,by_third_party}')::numeric, 0))`},
	{"I-4 the calculated tax of a line is the sum of its parts by jurisdiction", `
		SELECT t.id || ' line ' || i.line_no FROM transactions t
		  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE {t.id} AND t.processing_status IN ` + finished + `
		   AND i.tax_amount_calculated <> (
		        SELECT coalesce(sum((e ->> 'amount')::numeric), 0) FROM jsonb_array_elements(i.tax_items) e
		         WHERE e ->> 'type' = 'CALCULATED')`},
	{"I-4 what is taxable and calculated has what it adds to returns", `
		SELECT t.id FROM transactions t
		 WHERE {t.id} AND t.processing_status IN ` + finished + ` AND t.total_tax_amount_calculated <> 0
		   AND NOT EXISTS (SELECT FROM transaction_totals x
		        WHERE x.organization_id = t.organization_id AND x.transaction_id = t.id AND x.epoch = t.epoch)`},
	{"I-4 status and processing of a transaction fit together", `
		SELECT id || ' ' || status || ' ' || processing_status FROM transactions t
		 WHERE {t.id} AND (processing_status IN ` + finished + ` AND status NOT IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
		    OR processing_status = 'PENDING' AND status <> 'PENDING'
		    OR processing_status = 'EXCLUDED_IN_CALCULATION' AND status NOT IN ('CANCELLED', 'INVALID')
		    OR processing_status = 'ARCHIVED' AND status <> 'ARCHIVED' AND type <> 'ARCHIVE')`},
	{"I-10 credit notes never exceed their original, and the totals are their sums", `
		SELECT o.id FROM transactions o
		  JOIN transactions n ON n.organization_id = o.organization_id AND n.related_to = o.id AND n.type <> 'SALE'
		  LEFT JOIN credit_totals c ON c.organization_id = o.organization_id AND c.transaction_id = o.id
		 WHERE {o.id}
		 GROUP BY o.organization_id, o.id, c.creditable, c.reserved, c.committed
		HAVING coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status IN ('PENDING', 'COMMITTED')), 0)
		       > coalesce(c.creditable, 0)
		    OR (coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'PENDING'), 0),
		        coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'COMMITTED'), 0))
		       <> (coalesce(c.reserved, 0), coalesce(c.committed, 0))
		          -- those that had ended before they were imported have none`},
	// Sales without a total were PARTIALLY_REFUNDED by their amount alone before their lines counted too.
	{"I-10 the refund status follows the credit notes", `
		SELECT o.id FROM transactions o
		  JOIN credit_totals c ON c.organization_id = o.organization_id AND c.transaction_id = o.id
		 CROSS JOIN LATERAL (
		   SELECT coalesce(sum(abs(coalesce(n.gross_amount, n.subtotal - n.total_discount))), 0) AS net FROM transactions n
		    WHERE n.organization_id = o.organization_id AND n.related_to = o.id AND n.status = 'COMMITTED'
		      AND n.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE')) lines
		 WHERE {o.id} AND coalesce(o.refund_status, '') <> CASE
		       WHEN c.committed = 0 THEN ''
		       WHEN c.committed >= c.creditable THEN 'FULLY_REFUNDED'
		       WHEN lines.net <> abs(coalesce(o.gross_amount, o.subtotal - o.total_discount)) OR c.committed < abs(o.total_amount)
		         OR o.total_amount = 0 AND o.refund_status = 'PARTIALLY_REFUNDED' THEN 'PARTIALLY_REFUNDED'
		       ELSE 'FULLY_REFUNDED' END`},
	// Queued refunds are still to be decided by their changed sale, and those in returns keep what they gave back. A
	// refund of tax alone takes off other lines what its own lines do not have.
	{"I-10 credit notes never give back more tax than a line bore", `
		WITH given AS (
		  SELECT n.organization_id, n.related_to AS id, i.original_line_no AS line_no, sum(i.tax_amount_calculated) AS tax,
		         bool_and(n.processing_status IN ` + finished + `) AS decided,
		         bool_or(n.filing_id IS NULL AND i.tax_amount_calculated <> 0) AS free,
		         bool_or(n.type = 'TAX_REFUND' OR n.subtotal = n.total_discount) AS alone
		    FROM transactions n
		    JOIN transaction_items i ON i.organization_id = n.organization_id AND i.transaction_id = n.id
		         AND i.original_line_no IS NOT NULL
		   WHERE {n.related_to} AND n.related_to IS NOT NULL AND n.status = 'COMMITTED' GROUP BY 1, 2, 3)
		SELECT s.id FROM given g
		  JOIN transactions s ON s.organization_id = g.organization_id AND s.id = g.id
		       AND s.processing_status IN ` + finished + `
		  JOIN transaction_items o ON o.organization_id = g.organization_id AND o.transaction_id = g.id
		       AND o.line_no = g.line_no
		 GROUP BY s.organization_id, s.id
		HAVING bool_and(g.decided) AND bool_or(g.free)
		   AND (abs(sum(g.tax)) > abs(s.total_tax_amount_calculated)
		    OR NOT bool_or(g.alone) AND bool_or(abs(g.tax) > abs(o.tax_amount_calculated)))`},
	{"I-10 a refund waits only for a sale that is not processed", `
		SELECT o.aggregate_id FROM outbox o
		  JOIN transactions s ON s.organization_id = o.organization_id AND s.id = o.waits_for
		 WHERE {o.aggregate_id} AND s.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`},
	{"I-11 refunds of days are the sums of the contributions", `
		SELECT concat_ws(' ', k.organization_id, c.organization_id, k.state_code, c.state_code)
		  FROM (SELECT * FROM nexus_refunds x WHERE {x.days}) k FULL JOIN (
		  SELECT organization_id, country_code, state_code, currency, day, marketplace, sold_on, sum(amount) AS amount,
		         sum(exempt_amount) AS exempt_amount, sum(resale_amount) AS resale_amount
		    FROM nexus_contributions x WHERE {x.days} AND sold_on IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7) c
		 USING (organization_id, country_code, state_code, currency, day, marketplace, sold_on)
		 WHERE (coalesce(k.amount, 0), coalesce(k.exempt_amount, 0), coalesce(k.resale_amount, 0))
		    <> (coalesce(c.amount, 0), coalesce(c.exempt_amount, 0), coalesce(c.resale_amount, 0))`},
}

// OfDays are the rules of the sums of days. The recount of nexus compares the same, and corrects.
var OfDays = []Rule{
	{"I-11 counters are the sums of the contributions", `
		SELECT concat_ws(' ', k.organization_id, c.organization_id, k.state_code, c.state_code)
		  FROM (SELECT * FROM nexus_counters x WHERE {x}) k FULL JOIN (
		  SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) AS n, sum(amount) AS amount,
		         sum(exempt_n) AS exempt_n, sum(exempt_amount) AS exempt_amount, sum(resale_n) AS resale_n,
		         sum(resale_amount) AS resale_amount, sum(collected_tax) AS collected_tax
		    FROM nexus_contributions x WHERE {x} GROUP BY 1, 2, 3, 4, 5, 6) c
		 USING (organization_id, country_code, state_code, currency, day, marketplace)
		 WHERE (coalesce(k.n, 0), coalesce(k.amount, 0), coalesce(k.exempt_n, 0), coalesce(k.exempt_amount, 0),
		        coalesce(k.resale_n, 0), coalesce(k.resale_amount, 0), coalesce(k.collected_tax, 0))
		    <> (coalesce(c.n, 0), coalesce(c.amount, 0), coalesce(c.exempt_n, 0), coalesce(c.exempt_amount, 0),
		        coalesce(c.resale_n, 0), coalesce(c.resale_amount, 0), coalesce(c.collected_tax, 0))`},
	{"I-11 taxes of days are the sums of the totals", `
		SELECT concat_ws(' ', organization_id, country_code, state_code, day) FROM (
		  SELECT organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability
		    FROM nexus_taxes y WHERE {y}
		  UNION ALL
		  SELECT organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability
		    FROM nexus_tax_changes y WHERE {y}
		  UNION ALL
		  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -tax, -collected, -liability
		    FROM transaction_totals y WHERE {y}) x
		 GROUP BY organization_id, country_code, state_code, member_code, currency, day
		HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0)`},
}
