package store

import "context"

// foldTaxesAtOnce bounds what one statement folds.
const foldTaxesAtOnce = 10000

// foldNexusTaxes folds the changes of taxes into the sums of their days, and notes where
// something changed, so that the nexus there is evaluated again. Sums first, changes
// after them, each in key order: several processes may fold at once.
const foldNexusTaxes = `
	WITH taken AS (
	  DELETE FROM nexus_tax_changes WHERE ctid = ANY (ARRAY (
	    SELECT ctid FROM nexus_tax_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	folded AS (
	  INSERT INTO nexus_taxes AS k (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
	  SELECT organization_id, country_code, state_code, member_code, currency, day, sum(tax), sum(collected), sum(liability)
	    FROM taken GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 6, 4, 5
	  ON CONFLICT (organization_id, country_code, state_code, day, member_code, currency) DO UPDATE SET
	         tax = k.tax + excluded.tax, collected = k.collected + excluded.collected, liability = k.liability + excluded.liability
	  RETURNING k.organization_id, k.country_code, k.state_code)
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
	SELECT DISTINCT organization_id, country_code, CASE WHEN state_code = country_code THEN '' ELSE state_code END, 1, true FROM folded ORDER BY 1, 2, 3
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true`

// foldNexusTaxes folds a bounded number of changes; the rest is for the next time. It
// crosses organizations by nature.
func (s *Store) foldNexusTaxes(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, foldNexusTaxes, foldTaxesAtOnce)
	return err
}
