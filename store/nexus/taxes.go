package nexus

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// rollUpTaxRows is the most rows that one statement rolls up.
const rollUpTaxRows = 10000

// rollUpTaxes adds changes of taxes to the sums of their days, and records the changed places for evaluation. Sums come
// first, changes after them, each in key order, so several processes may do so at once.
const rollUpTaxes = `
	WITH taken AS (
	  DELETE FROM nexus_tax_changes WHERE ctid = ANY (ARRAY (
	    SELECT ctid FROM nexus_tax_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	rolled_up AS (
	  INSERT INTO nexus_taxes AS k (organization_id, country_code, state_code, member_code, currency, day, tax,
	         collected, liability)
	  SELECT organization_id, country_code, state_code, member_code, currency, day, sum(tax), sum(collected),
	         sum(liability)
	    FROM taken GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 6, 4, 5
	  ON CONFLICT (organization_id, country_code, state_code, day, member_code, currency) DO UPDATE SET
	         tax = k.tax + excluded.tax, collected = k.collected + excluded.collected,
	         liability = k.liability + excluded.liability
	  RETURNING k.organization_id, k.country_code, k.state_code)
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
	SELECT DISTINCT organization_id, country_code, CASE WHEN state_code = country_code THEN '' ELSE state_code END, 1,
	       true FROM rolled_up ORDER BY 1, 2, 3
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true`

// rollUpTaxes rolls up a limited number of changes. The next call takes the rest. It crosses organizations.
func (s *Store) rollUpTaxes(ctx context.Context) error {
	if changed, err := s.db.Exists(ctx, "nexus_tax_changes"); err != nil || !changed {
		return err
	}
	_, err := s.db.Exec(ctx, rollUpTaxes, rollUpTaxRows)
	return pg.Translate(err)
}

// The totals and taxes of a slice, and those of the days of some transactions, $2.
const (
	daysOfTotals = `
	WITH wanted AS (
	  SELECT DISTINCT country_code, state_code, tax_date AS day FROM transaction_totals
	   WHERE organization_id = $1 AND transaction_id = ANY ($2)),`

	ofWantedDay = ` WHERE x.organization_id = $1 AND x.country_code = w.country_code AND x.state_code = w.state_code`

	totalsOfTransactions = `wanted w CROSS JOIN LATERAL (
	    SELECT * FROM transaction_totals x` + ofWantedDay + ` AND x.tax_date = w.day OFFSET 0) x`
	taxesOfTransactions = `wanted w CROSS JOIN LATERAL (
	    SELECT * FROM nexus_taxes x` + ofWantedDay + ` AND x.day = w.day OFFSET 0) x`
	changesOfTransactions = `nexus_tax_changes x JOIN wanted w ON x.organization_id = $1
	     AND x.country_code = w.country_code AND x.state_code = w.state_code AND x.day = w.day`
)

// taxDifferences compares the taxes of days, with the changes that are not rolled up yet, with the totals of the
// transactions. Totals, taxes and changes are written together.
func taxDifferences(days, totals, taxes, changes string) string {
	return days + `
	both_sides AS (
	  SELECT x.organization_id, x.country_code, x.state_code, x.member_code, x.currency, x.tax_date AS day, x.tax,
	         x.collected, x.liability, 0 AS ktax, 0 AS kcollected, 0 AS kliability FROM ` + totals + `
	  UNION ALL
	  SELECT x.organization_id, x.country_code, x.state_code, x.member_code, x.currency, x.day, 0, 0, 0, x.tax,
	         x.collected, x.liability FROM ` + taxes + `
	  UNION ALL
	  SELECT x.organization_id, x.country_code, x.state_code, x.member_code, x.currency, x.day, 0, 0, 0, x.tax,
	         x.collected, x.liability FROM ` + changes + `),
	sums AS (
	  SELECT organization_id, country_code, state_code, member_code, currency, day, sum(tax) AS tax,
	         sum(collected) AS collected, sum(liability) AS liability,
	         sum(ktax) AS ktax, sum(kcollected) AS kcollected, sum(kliability) AS kliability
	    FROM both_sides GROUP BY 1, 2, 3, 4, 5, 6),
	wrong AS (
	  SELECT * FROM sums WHERE (tax, collected, liability) <> (ktax, kcollected, kliability))`
}

const selectWrongTaxes = `
	SELECT organization_id, country_code, state_code, currency, day, false,
	       jsonb_build_object('member_code', member_code, 'tax', ktax, 'collected', kcollected, 'liability',
	       kliability),
	       jsonb_build_object('member_code', member_code, 'tax', tax, 'collected', collected, 'liability', liability)
	  FROM wrong ORDER BY country_code, state_code, currency, day, member_code`

// repairTaxes adds the missing amounts, so concurrent changes remain.
const repairTaxes = `,
	repaired AS (
	  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax,
	         collected, liability)
	  SELECT organization_id, country_code, state_code, member_code, currency, day, tax - ktax, collected - kcollected,
	         liability - kliability FROM wrong)`

var (
	taxesOfSlice = recount{
		kind: models.NexusDifferenceTax,
		list: taxDifferences("WITH", "transaction_totals x WHERE "+inSlice("x", "tax_date"),
			"nexus_taxes x WHERE "+inSlice("x", "day"), "nexus_tax_changes x WHERE "+inSlice("x", "day")),
		end: endOfSlice("transaction_totals", "tax_date"),
	}.with(repairTaxes, selectWrongTaxes)
	taxesOf = recount{
		kind: models.NexusDifferenceTax,
		list: taxDifferences(daysOfTotals, totalsOfTransactions, taxesOfTransactions, changesOfTransactions),
	}.with(repairTaxes, selectWrongTaxes)
)
