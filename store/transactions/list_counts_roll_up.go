package transactions

import (
	"context"

	"levy/store/pg"
)

// rollUpCounts adds changes to the counts and to the counts "of all", which ignore columns that processing sets.
// It changes rows in key order, so several processes may do so at once.
const rollUpCounts = `
	WITH taken AS (
	  DELETE FROM transaction_count_changes WHERE ctid = ANY (ARRAY(
	    SELECT ctid FROM transaction_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	cells AS (
	  SELECT organization_id, '' AS of_all, day, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n FROM taken
	  UNION ALL
	  SELECT organization_id, ' of all', day, false, type, status, source, marketplace, connection_id, NULL, NULL, NULL,
	         NULL, NULL, NULL, n FROM taken),
	sums AS (
	  SELECT organization_id, s.span || of_all AS span, s.start, settled, type, status, source, marketplace,
	         connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, sum(n) AS n
	    FROM cells CROSS JOIN LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) s(span, start)
	   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 HAVING sum(n) <> 0),
	rolled_up AS (
	  INSERT INTO transaction_counts AS c (organization_id, span, start, cell, settled, type, status, source,
	         marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n)
	  SELECT organization_id, span, start,
	         md5(ROW(settled, type, status, source, marketplace, connection_id, processing_status, address_status,
	         exempt, country, state, filing_id)::text)::uuid,
	         settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt,
	         country, state, filing_id, n
	    FROM sums ORDER BY 1, 2, 3, 4
	  ON CONFLICT (organization_id, span, start, cell) DO UPDATE SET n = c.n + excluded.n)
	SELECT count(*) FROM taken`

// RollUpCounts rolls up all changes and returns their number.
func (s *Store) RollUpCounts(ctx context.Context) (int, error) {
	return pg.RollUp(ctx, s.db, "transaction_count_changes", rollUpCounts)
}

// KeepCountsRolledUp calls RollUpCounts about once a second, until ctx ends.
func (s *Store) KeepCountsRolledUp(ctx context.Context) { pg.KeepRolledUp(ctx, s.RollUpCounts) }
