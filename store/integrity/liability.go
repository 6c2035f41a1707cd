package integrity

// The refunds of a sale.
const refunds = `('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')`

// owedOf returns what a document owes by the case of a total o, from its net calculated and collected tax.
func owedOf(o, tax, collected string) string {
	return `CASE ` + o + `.liability_case WHEN 1 THEN 0 WHEN 5 THEN greatest(` + tax + `, ` + collected + `) ELSE ` +
		collected + ` END`
}

// OfLiability are the rules of what transactions owe. Totals of earlier releases name no case, and returns have been
// filed with them: no rule is about those.
var OfLiability = []Rule{
	{"I-6 what is owed by place adds up to what is owed", `
		SELECT x.transaction_id || ' ' || x.state_code FROM transaction_totals x
		 WHERE {x.transaction_id} AND (x.places IS NOT NULL AND x.liability <> (
		        SELECT coalesce(sum(e.amount), 0) FROM jsonb_to_recordset(x.places) AS e (amount numeric))
		    -- Without tax lines nothing says where it is owed. A conversion may round a tax to 0.00.
		    OR x.places IS NULL AND x.liability_case IS NOT NULL AND x.tax = 0 AND abs(x.liability) > 0.01)`},

	{"I-6 the figures of a transaction add up to its total", `
		SELECT x.transaction_id || ' ' || x.state_code FROM transaction_totals x
		 WHERE {x.transaction_id} AND x.figure_keys IS NOT NULL AND (x.sales, x.tax, x.liability) <> (
		        SELECT coalesce(sum(g.gross), 0), coalesce(sum(g.tax), 0), coalesce(sum(g.owed), 0)
		          FROM unnest(x.figure_gross, x.figure_tax, x.figure_owed) AS g (gross, tax, owed))`},

	// The own total of a sale without refunds tells it, so few are read a second time. A conversion shares
	// what a document owes and calculated to its authorities, each by itself. A return without its sale owes the
	// calculated tax. Refunds in returns are not decided anew when another refund of the sale is cancelled, or is changed
	// and takes nothing.
	{"I-10 a sale and its refunds owe together what their net taxes say", `
		WITH documents AS (
		  SELECT x.organization_id, x.transaction_id AS id FROM transaction_totals x
		   WHERE {x.transaction_id} AND x.liability_case IS NOT NULL AND x.liability <> ` + owedOf("x", "x.tax", "x.collected") + `
		  UNION
		  SELECT n.organization_id, n.related_to FROM transactions n
		   WHERE {n.related_to} AND n.related_to IS NOT NULL AND n.type IN ` + refunds + ` AND n.status = 'COMMITTED')
		SELECT s.id || ' ' || o.state_code FROM documents d
		  JOIN transactions s ON s.organization_id = d.organization_id AND s.id = d.id AND s.related_to IS NULL
		   AND s.processing_status IN ` + finished + `
		  JOIN transaction_totals o ON o.organization_id = s.organization_id AND o.transaction_id = s.id
		   AND o.epoch = s.epoch AND o.liability_case IS NOT NULL
		 CROSS JOIN LATERAL (
		   SELECT o.tax + coalesce(sum(x.tax), 0) AS tax, o.collected + coalesce(sum(x.collected), 0) AS collected,
		          o.liability + coalesce(sum(x.liability), 0) AS owed,
		          coalesce(bool_and(n.processing_status IN ` + finished + ` AND x.liability_case IS NOT NULL
		            AND x.currency = o.currency), true) AS decided,
		          coalesce(bool_or(n.filing_id IS NOT NULL), false) AS claimed,
		          coalesce(bool_or(x.liability = 0), false) AS nothing,
		          s.conversion_rate <> 1 OR coalesce(bool_or(n.conversion_rate <> 1), false) AS converted
		     FROM transactions n
		     LEFT JOIN transaction_totals x ON x.organization_id = n.organization_id AND x.transaction_id = n.id
		      AND x.epoch = n.epoch AND x.country_code = o.country_code AND x.state_code = o.state_code
		    WHERE n.organization_id = s.organization_id AND n.related_to = s.id AND n.type IN ` + refunds + `
		      AND n.status = 'COMMITTED' OFFSET 0) c
		 WHERE c.decided AND abs(c.owed - ` + owedOf("o", "c.tax", "c.collected") + `)
		       > CASE WHEN c.converted THEN 0.01 ELSE 0 END
		   AND NOT (o.liability_case = 5 AND o.tax < 0 AND c.collected = 0 AND c.owed = c.tax)
		   AND NOT (c.claimed AND (c.nothing OR EXISTS (
		         SELECT FROM transactions n WHERE n.organization_id = s.organization_id AND n.related_to = s.id
		            AND n.type IN ` + refunds + ` AND n.status = 'CANCELLED')))`},
}
