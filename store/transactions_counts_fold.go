package store

import (
	"context"
	"time"
)

// foldAtOnce bounds what one statement folds.
const foldAtOnce = 10000

// foldCounts folds changes into the counts, and into those "of all", which leave out
// what processing decides. Rows are changed in key order, so that several processes may
// fold at once.
const foldCounts = `
	WITH taken AS (
	  DELETE FROM transaction_count_changes WHERE ctid = ANY (ARRAY(
	    SELECT ctid FROM transaction_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	cells AS (
	  SELECT organization_id, '' AS of_all, day, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n FROM taken
	  UNION ALL
	  SELECT organization_id, ' of all', day, false, type, status, source, marketplace, connection_id, NULL, NULL, NULL, NULL, NULL, NULL, n FROM taken),
	sums AS (
	  SELECT organization_id, s.span || of_all AS span, s.start, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, sum(n) AS n
	    FROM cells CROSS JOIN LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) s(span, start)
	   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 HAVING sum(n) <> 0),
	folded AS (
	  INSERT INTO transaction_counts AS c (organization_id, span, start, cell, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n)
	  SELECT organization_id, span, start,
	         md5(ROW(settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country, state, filing_id)::text)::uuid,
	         settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country, state, filing_id, n
	    FROM sums ORDER BY 1, 2, 3, 4
	  ON CONFLICT (organization_id, span, start, cell) DO UPDATE SET n = c.n + excluded.n)
	SELECT count(*) FROM taken`

// FoldCounts folds what is there and returns how many changes there were.
func (s *Store) FoldCounts(ctx context.Context) (int, error) {
	total := 0
	for _, fold := range []string{foldCounts, foldRecordCounts} {
		for taken := foldAtOnce; taken == foldAtOnce; total += taken {
			if err := s.pool.QueryRow(ctx, fold, foldAtOnce).Scan(&taken); err != nil {
				return total, translate(err)
			}
		}
	}
	return total, nil
}

// KeepCountsFolded folds about once a second, until ctx ends. Several processes may do
// so at once; lists are exact without it, and slower.
func (s *Store) KeepCountsFolded(ctx context.Context) {
	repeat(ctx, time.Second, func(ctx context.Context) (bool, error) {
		_, err := s.FoldCounts(ctx)
		return false, err
	})
}
