package faults_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// invariant is what must hold of the records. Its query returns what violates it,
// as one column of text.
type invariant struct {
	id, query string
	// quiet ones hold only when all faults are healed and all work is done; the
	// others hold at any moment.
	quiet bool
	// ledgered ones compare with the clients' own record.
	ledgered bool
}

// what is finished is processed, and filed perhaps.
const finished = `('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`

const unfinished = `('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')`

var invariants = []invariant{
	{id: "I-1 every accepted transaction exists once, as it was sent last", quiet: true, ledgered: true, query: `
		WITH sent AS (
		  SELECT organization_id, external_id, max(seq) FILTER (WHERE outcome = 'ok') AS last FROM ledger
		   WHERE kind IN ('sale', 'change of a sale') GROUP BY 1, 2 HAVING bool_or(outcome = 'ok')),
		there AS (
		  SELECT s.organization_id, s.external_id, s.last, count(DISTINCT t.id) AS n, count(DISTINCT i.line_no) AS lines, count(DISTINCT a.type) AS addresses,
		         array_agg(DISTINCT concat_ws(' ', t.total_amount, t.currency, c.external_id, i.amount, i.external_product_id, a.postal_code)) AS content
		    FROM sent s
		    LEFT JOIN transactions t ON t.organization_id = s.organization_id AND t.external_id = s.external_id
		    LEFT JOIN customers c ON c.organization_id = t.organization_id AND c.id = t.customer_id
		    LEFT JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		    LEFT JOIN transaction_addresses a ON a.organization_id = t.organization_id AND a.transaction_id = t.id
		   GROUP BY 1, 2, 3)
		SELECT external_id FROM there h
		 WHERE n <> 1 OR lines <> 1 OR addresses <> 1
		    OR NOT EXISTS ( -- a change whose answer was lost may have come last
		       SELECT FROM ledger l WHERE l.organization_id = h.organization_id AND l.external_id = h.external_id
		          AND (l.seq = h.last OR l.kind = 'change of a sale' AND l.outcome = 'unknown')
		          AND h.content = ARRAY[concat_ws(' ', l.amount, 'USD', l.customer, l.amount, 'P-1', l.postal_code)])`},
	{id: "I-1 an external id belongs to one transaction", query: `
		SELECT external_id FROM transactions GROUP BY organization_id, external_id HAVING count(*) > 1`},
	{id: "I-2 nothing exists that was not sent or was refused", quiet: true, ledgered: true, query: `
		SELECT t.external_id FROM transactions t
		  LEFT JOIN ledger l ON l.organization_id = t.organization_id AND l.external_id = t.external_id AND l.kind = 'sale'
		 WHERE t.related_to IS NULL
		 GROUP BY t.organization_id, t.id, t.external_id
		HAVING NOT coalesce(bool_or(l.outcome IN ('ok', 'unknown')), false)`},
	{id: "I-3 unfinished work is in the outbox", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN outbox o ON o.organization_id = t.organization_id AND o.kind = 1 AND o.aggregate_id = t.id AND o.epoch = t.epoch
		 WHERE t.processing_status IN ` + unfinished + ` AND o.aggregate_id IS NULL`},
	{id: "I-3 the outbox holds only unfinished work", query: `
		SELECT o.aggregate_id FROM outbox o
		  LEFT JOIN transactions t ON t.organization_id = o.organization_id AND t.id = o.aggregate_id AND t.epoch = o.epoch
		 WHERE o.kind = 1 AND coalesce(t.processing_status, '') NOT IN ` + unfinished},
	{id: "I-3 no work is left", quiet: true, query: `SELECT aggregate_id FROM outbox WHERE kind = 1`},
	{id: "I-4 stages happen once and in order", query: `
		SELECT transaction_id || ' ' || string_agg(stage, ',' ORDER BY seq) FROM transaction_stages
		 WHERE stage IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED')
		 GROUP BY organization_id, transaction_id, epoch
		HAVING array_agg(stage ORDER BY seq) <> (ARRAY['ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED'])[1:count(*)::int]`},
	{id: "I-4 the journal ends where the transaction is", query: `
		SELECT t.id || ' ' || t.processing_status FROM transactions t
		  LEFT JOIN transaction_stages s ON s.organization_id = t.organization_id AND s.transaction_id = t.id AND s.epoch = t.epoch
		        AND s.stage <> 'FAILED'
		 GROUP BY t.organization_id, t.id, t.processing_status
		HAVING t.processing_status IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED')
		   AND coalesce((array_agg(s.stage ORDER BY s.seq DESC))[1], '') <> t.processing_status
		    OR t.processing_status IN ` + finished + ` AND count(s.stage) < 4
		    OR t.processing_status IN ('NEW', 'QUEUED', 'UPDATED') AND count(s.stage) FILTER (WHERE s.stage <> 'QUEUED') > 0`},
	{id: "I-4 what is processed has one explanation, of its epoch", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN transaction_explanations e ON e.organization_id = t.organization_id AND e.transaction_id = t.id AND e.epoch = t.epoch
		 WHERE t.processing_status IN ` + finished + ` AND e.transaction_id IS NULL`},
	{id: "I-4 what is calculated is calculated from the lines there are", query: `
		SELECT t.id FROM transactions t
		  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE t.processing_status IN ` + finished + `
		 GROUP BY t.organization_id, t.id
		HAVING t.taxable_amount <> sum(i.taxable_amount) OR t.total_tax_amount_calculated <> sum(i.tax_amount_calculated)
		    OR bool_or(abs(i.taxable_amount) > abs(i.amount - i.total_discount))`},
	{id: "I-10 credit notes never exceed their original, and the totals are their sums", query: `
		SELECT o.id FROM transactions o
		  JOIN transactions n ON n.organization_id = o.organization_id AND n.related_to = o.id AND n.type <> 'SALE'
		  LEFT JOIN credit_totals c ON c.organization_id = o.organization_id AND c.transaction_id = o.id
		 GROUP BY o.organization_id, o.id, c.creditable, c.reserved, c.committed
		HAVING coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status IN ('PENDING', 'COMMITTED')), 0) > abs(o.total_amount)
		    OR (coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'PENDING'), 0), coalesce(sum(abs(n.total_amount)) FILTER (WHERE n.status = 'COMMITTED'), 0))
		       IS DISTINCT FROM (c.reserved::numeric, c.committed::numeric)`},
	{id: "I-10 the refund status follows the credit notes", query: `
		SELECT o.id FROM transactions o
		  JOIN credit_totals c ON c.organization_id = o.organization_id AND c.transaction_id = o.id
		 WHERE o.refund_status IS DISTINCT FROM
		       CASE WHEN c.committed = 0 THEN NULL WHEN c.committed < c.creditable THEN 'PARTIALLY_REFUNDED' ELSE 'FULLY_REFUNDED' END`},
	{id: "I-10 credit notes never give back more tax than a line bore", query: `
		SELECT o.transaction_id FROM transaction_items o
		  JOIN transactions n ON n.organization_id = o.organization_id AND n.related_to = o.transaction_id AND n.status = 'COMMITTED'
		  JOIN transaction_items i ON i.organization_id = n.organization_id AND i.transaction_id = n.id AND i.original_line_no = o.line_no
		 GROUP BY o.organization_id, o.transaction_id, o.line_no, o.tax_amount_calculated
		HAVING abs(sum(i.tax_amount_calculated)) > abs(o.tax_amount_calculated)`},
	{id: "I-10 a refund waits only for a sale that is not processed", query: `
		SELECT o.aggregate_id FROM outbox o
		  JOIN transactions s ON s.organization_id = o.organization_id AND s.id = o.waits_for
		 WHERE s.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`},
	{id: "I-11 counters are the sums of the contributions", query: `
		SELECT concat_ws(' ', k.organization_id, c.organization_id, k.state_code, c.state_code) FROM nexus_counters k FULL JOIN (
		  SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) AS n, sum(amount) AS amount,
		         sum(exempt_n) AS exempt_n, sum(exempt_amount) AS exempt_amount, sum(resale_n) AS resale_n, sum(resale_amount) AS resale_amount, sum(collected_tax) AS collected_tax
		    FROM nexus_contributions GROUP BY 1, 2, 3, 4, 5, 6) c
		 USING (organization_id, country_code, state_code, currency, day, marketplace)
		 WHERE (coalesce(k.n, 0), coalesce(k.amount, 0), coalesce(k.exempt_n, 0), coalesce(k.exempt_amount, 0), coalesce(k.resale_n, 0), coalesce(k.resale_amount, 0), coalesce(k.collected_tax, 0))
		    <> (coalesce(c.n, 0), coalesce(c.amount, 0), coalesce(c.exempt_n, 0), coalesce(c.exempt_amount, 0), coalesce(c.resale_n, 0), coalesce(c.resale_amount, 0), coalesce(c.collected_tax, 0))`},
	{id: "I-11 taxes of days are the sums of the totals", query: `
		SELECT concat_ws(' ', organization_id, country_code, state_code, day) FROM (
		  SELECT organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability FROM nexus_taxes
		  UNION ALL SELECT organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability FROM nexus_tax_changes
		  UNION ALL SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -tax, -collected, -liability FROM transaction_totals) x
		 GROUP BY organization_id, country_code, state_code, member_code, currency, day
		HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0)`},
	{id: "I-11 sales past the nexus stage contribute what they are worth, others nothing", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN (SELECT organization_id, transaction_id, sum(n) AS n, sum(amount) AS amount FROM nexus_contributions GROUP BY 1, 2) c
		         ON c.organization_id = t.organization_id AND c.transaction_id = t.id
		  LEFT JOIN (SELECT organization_id, transaction_id, sum(amount - total_discount) AS net FROM transaction_items GROUP BY 1, 2) i
		         ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE t.type = 'SALE'
		   AND CASE WHEN t.processing_status IN ('NEXUS_DONE', 'PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')
		            THEN (c.n, c.amount) IS DISTINCT FROM (1::bigint, i.net)
		            WHEN t.processing_status IN ` + unfinished + ` THEN c.n IS NOT NULL AND NOT EXISTS ( -- it keeps what it contributes while an obligation has it calculated anew
		              SELECT FROM transaction_stages s WHERE s.organization_id = t.organization_id AND s.transaction_id = t.id AND s.epoch = t.epoch
		                 AND s.stage = 'QUEUED' AND s.detail ? 'nexus_id')
		            ELSE false END`},
	{id: "I-15 every accepted change has its audit row, with key and request", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN audit a ON a.organization_id = t.organization_id AND a.entity_type = 'transaction' AND a.entity_id = t.id AND a.action IN ('create', 'update')
		 GROUP BY t.organization_id, t.id, t.revision
		HAVING count(a.id) <> t.revision OR count(a.api_key_id) <> t.revision OR count(a.request_id) <> t.revision`},
}

// amounts is I-12. Its query is made of the columns there are: each number of the
// schema has a scale, keeps to it and is never NaN.
const amounts = "I-12 amounts are numbers of their scale"

const numericColumns = `
	SELECT c.relname, a.attname, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier
	  FROM pg_attribute a
	  JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
	  JOIN pg_type t ON t.oid = a.atttypid
	 WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
	   AND (t.oid = 'numeric'::regtype OR t.typbasetype = 'numeric'::regtype)
	 ORDER BY 1, 2`

// moment says which invariants are checked.
type moment struct {
	quiet  bool
	ledger *ledger // nil: those that need one are left out
}

// allInvariants are those of transactions and those of other records.
func allInvariants() []invariant { return slices.Concat(invariants, recordInvariants) }

// violations checks the invariants inside a transaction, which it leaves open.
func violations(ctx context.Context, tx pgx.Tx, at moment) (map[string][]string, error) {
	found := map[string][]string{}
	if at.ledger != nil {
		if err := at.ledger.load(ctx, tx); err != nil {
			return nil, err
		}
	}
	money, err := amountsQuery(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, i := range append(allInvariants(), invariant{id: amounts, query: money}) {
		if i.quiet && !at.quiet || i.ledgered && at.ledger == nil {
			continue
		}
		rows, err := tx.Query(ctx, i.query)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.id, err)
		}
		records, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.id, err)
		}
		if len(records) > 0 {
			found[i.id] = records
		}
	}
	return found, nil
}

func amountsQuery(ctx context.Context, tx pgx.Tx) (string, error) {
	rows, err := tx.Query(ctx, numericColumns)
	if err != nil {
		return "", err
	}
	var parts []string
	var table, column string
	var modifier int
	_, err = pgx.ForEachRow(rows, []any{&table, &column, &modifier}, func() error {
		condition := "true" // no scale at all
		if modifier >= 4 {
			condition = fmt.Sprintf("%[1]s = 'NaN' OR scale(%[1]s) > %[2]d", pgx.Identifier{column}.Sanitize(), (modifier-4)&0xffff)
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s.%s' FROM %s WHERE %s", table, column, pgx.Identifier{table}.Sanitize(), condition))
		return nil
	})
	return strings.Join(parts, " UNION ALL "), err
}

// requireInvariants fails the test with everything that is violated.
func requireInvariants(t *testing.T, bed *testbed.Bed, at moment) {
	t.Helper()
	ctx := context.Background()
	tx, err := bed.DB.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}) // all queries see one moment
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	found, err := violations(ctx, tx, at)
	require.NoError(t, err)
	for id, records := range found {
		if len(records) > 5 {
			found[id] = append(records[:5:5], fmt.Sprintf("and %d more", len(records)-5))
		}
	}
	require.Empty(t, found, "violated invariants")
}
