package catalog

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Totals of the lists of customers, products and exemptions come from counts by status, if a list filters only by
// status. Every statement on these tables updates the counts (see the migration of record_counts).

// countRecords returns a function that counts the records of an organization: those with one of the statuses,
// or all without statuses. kind is their table.
func countRecords[S ~string](
	ctx context.Context, s *Store, scope models.Scope, kind string, statuses []S,
) func(total *int64) error {
	return func(total *int64) error {
		texts := make([]string, len(statuses))
		for i, status := range statuses {
			texts[i] = string(status)
		}
		return s.db.OpenTables().QueryRow(ctx, `
			SELECT coalesce(sum(c.n), 0)::bigint FROM (
			  SELECT organization_id, kind, status, n FROM record_counts
			  UNION ALL SELECT organization_id, kind, status, n FROM record_count_changes) c
			 WHERE c.organization_id = $1 AND c.kind = $2 AND (cardinality($3::text[]) = 0 OR c.status = ANY ($3::text[]))`,
			scope.OrganizationID, kind, texts).Scan(total)
	}
}

// RollUpCounts rolls up all changes of counts and of versions, and returns their number.
func (s *Store) RollUpCounts(ctx context.Context) (total int, err error) {
	for _, of := range []struct{ changes, statement string }{
		{"record_count_changes", rollUpRecordCounts},
		{"catalog_version_changes", rollUpCatalogVersions},
	} {
		rolledUp, err := pg.RollUp(ctx, s.db, of.changes, of.statement)
		total += rolledUp
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// KeepCountsRolledUp calls RollUpCounts about once a second, until ctx ends.
func (s *Store) KeepCountsRolledUp(ctx context.Context) { pg.KeepRolledUp(ctx, s.RollUpCounts) }

// rollUpRecordCounts adds changes to the counts, in key order, so several processes may do so at once.
const rollUpRecordCounts = `
	WITH taken AS (
	  DELETE FROM record_count_changes WHERE ctid = ANY (ARRAY(
	    SELECT ctid FROM record_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	rolled_up AS (
	  INSERT INTO record_counts AS c (organization_id, kind, status, n)
	  SELECT organization_id, kind, status, sum(n) FROM taken GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
	  ON CONFLICT (organization_id, kind, status) DO UPDATE SET n = c.n + excluded.n)
	SELECT count(*) FROM taken`

// rollUpCatalogVersions rolls up versions. Their values do not change.
const rollUpCatalogVersions = `
	WITH taken AS (
	  DELETE FROM catalog_version_changes WHERE ctid = ANY (ARRAY(
	    SELECT ctid FROM catalog_version_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	rolled_up AS (
	  INSERT INTO catalog_versions AS v (organization_id, token)
	  SELECT organization_id, bit_xor(token) FROM taken GROUP BY 1 ORDER BY 1
	  ON CONFLICT (organization_id) DO UPDATE SET token = v.token # excluded.token)
	SELECT count(*) FROM taken`
