package faults_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/integrity"
	"levy/test/testbed"
)

// invariant is what must hold of the records. Its query returns what violates it,
// as one column of text.
type invariant struct {
	id, query string
	// quiet ones hold only when all faults are over and all work is done; the
	// others hold at any moment.
	quiet bool
	// ledgered ones compare with the ledger of the clients.
	ledgered bool
}

const unfinished = `('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')`

// general turns rules of package integrity, which hold at any moment of any installation, into invariants.
func general(rules []integrity.Rule) []invariant {
	all := make([]invariant, len(rules))
	for i, r := range rules {
		all[i] = invariant{id: r.Says, query: r.Query}
	}
	return all
}

var invariants = append(general(slices.Concat(integrity.OfTransactions, integrity.OfLiability, integrity.OfDays)), []invariant{
	{id: "I-1 every accepted transaction exists once, as it was sent last", quiet: true, ledgered: true, query: `
		WITH sent AS (
		  SELECT organization_id, external_id, max(seq) FILTER (WHERE outcome = 'ok') AS last FROM ledger
		   WHERE kind IN ('sale', 'change of a sale') GROUP BY 1, 2 HAVING bool_or(outcome = 'ok')),
		there AS (
		  SELECT s.organization_id, s.external_id, s.last, count(DISTINCT t.id) AS n, count(DISTINCT i.line_no) AS lines,
		         count(DISTINCT a.type) AS addresses,
		         array_agg(DISTINCT concat_ws(' ', t.total_amount, t.currency, c.external_id, i.amount, i.external_product_id,
		                                      a.postal_code)) AS content
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
	{id: "I-2 nothing exists that was not sent or was refused", quiet: true, ledgered: true, query: `
		SELECT t.external_id FROM transactions t
		  LEFT JOIN ledger l ON l.organization_id = t.organization_id AND l.external_id = t.external_id AND l.kind = 'sale'
		 WHERE t.related_to IS NULL
		 GROUP BY t.organization_id, t.id, t.external_id
		HAVING NOT coalesce(bool_or(l.outcome IN ('ok', 'unknown')), false)`},
	{id: "I-3 no work is left", quiet: true, query: `SELECT aggregate_id FROM outbox WHERE kind = 1`},
	{id: "I-11 sales past the nexus stage contribute what they are worth, others nothing", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN (SELECT organization_id, transaction_id, sum(n) AS n, sum(amount) AS amount
		               FROM nexus_contributions GROUP BY 1, 2) c
		         ON c.organization_id = t.organization_id AND c.transaction_id = t.id
		  LEFT JOIN (SELECT organization_id, transaction_id, sum(amount - total_discount) AS net
		               FROM transaction_items GROUP BY 1, 2) i
		         ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE t.type = 'SALE'
		   AND CASE WHEN t.processing_status IN ('NEXUS_DONE', 'PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')
		            THEN (c.n, c.amount) IS DISTINCT FROM (1::bigint, i.net)
		            WHEN t.processing_status IN ` + unfinished + ` THEN c.n IS NOT NULL
		   AND NOT EXISTS ( -- it keeps what it contributes while an obligation has it calculated anew
		              SELECT FROM transaction_stages s
		               WHERE s.organization_id = t.organization_id AND s.transaction_id = t.id AND s.epoch = t.epoch
		                 AND s.stage = 'QUEUED' AND s.detail ? 'nexus_id')
		            ELSE false END`},
	{id: "I-15 every accepted change has its audit row, with key and request", query: `
		SELECT t.id FROM transactions t
		  LEFT JOIN audit a ON a.organization_id = t.organization_id AND a.entity_type = 'transaction' AND a.entity_id = t.id
		       AND a.action IN ('create', 'update')
		 GROUP BY t.organization_id, t.id, t.revision
		HAVING count(a.id) <> t.revision OR count(a.api_key_id) <> t.revision OR count(a.request_id) <> t.revision`},
	{id: "I-16 every version of a transaction has exactly one event, and every calculation", query: `
		WITH announced AS (
		  SELECT organization_id, object_id AS id,
		         count(*) FILTER (WHERE type IN ('transaction.created', 'credit_note.created')) AS created,
		         count(*) FILTER (WHERE type IN ('transaction.updated', 'credit_note.updated')
		                          AND previous ->> 'revision' <> record ->> 'revision') AS updated,
		         count(*) FILTER (WHERE type IN ('transaction.processed', 'credit_note.processed')) AS processed
		    FROM events GROUP BY 1, 2),
		done AS (
		  SELECT organization_id, transaction_id AS id, count(*) AS n FROM transaction_stages
		   WHERE stage IN ('PROCESSED', 'EXCLUDED_IN_CALCULATION') GROUP BY 1, 2)
		SELECT t.id FROM transactions t
		  LEFT JOIN announced e ON e.organization_id = t.organization_id AND e.id = t.id
		  LEFT JOIN done d ON d.organization_id = t.organization_id AND d.id = t.id
		 WHERE (e.created, e.updated, e.processed) IS DISTINCT FROM (1::bigint, t.revision - 1::bigint, coalesce(d.n, 0))`},
}...)

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
	money, err := integrity.Amounts(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, i := range append(allInvariants(), general([]integrity.Rule{money})...) {
		if i.quiet && !at.quiet || i.ledgered && at.ledger == nil {
			continue
		}
		records, err := integrity.Violating(ctx, tx, integrity.Rule{Says: i.id, Query: i.query})
		if err != nil {
			return nil, err
		}
		if len(records) > 0 {
			found[i.id] = records
		}
	}
	return found, nil
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
