package content

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// impactTimeout limits a statement that reads all transactions of some weeks.
const impactTimeout = 5 * time.Minute

var sumRateImpact = pg.Prepare(`
	SELECT count(*), coalesce(round(sum((x.item->>'taxable_amount')::numeric * (c.new - c.old)), 2), 0.00)::text
	  FROM transactions t
	  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
	 CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) AS x(item)
	  JOIN (SELECT * FROM {change}) c ON c.rule_id = x.item->>'rule_id' AND c.old = (x.item->>'rate')::numeric
	 WHERE t.tax_date >= @since AND t.content_version IS NOT NULL AND x.item->>'type' = @type`,
	pg.Names{"since", "type"}, changeRows)

var changeRows = pg.RowsOf("change",
	pg.Col("rule_id", "text", func(c *models.RateChange) *string { return &c.RuleID }),
	pg.Col("old", "numeric", func(c *models.RateChange) *string { return pg.Numeric(c.Old) }),
	pg.Col("new", "numeric", func(c *models.RateChange) *string { return pg.Numeric(c.New) }),
)

// EstimateRateImpact returns the amount taxed at the old rates of changes, and the difference by the new rates.
// It reads the processed sales of all organizations since a day. It is for operators.
func (s *Store) EstimateRateImpact(
	ctx context.Context, changes []models.RateChange, since time.Time,
) (w models.RateImpact, err error) {
	w.Difference = "0.00"
	if len(changes) == 0 {
		return w, nil
	}
	ctx, cancel := context.WithTimeout(ctx, impactTimeout)
	defer cancel()
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		return tx.QueryRow(ctx, sumRateImpact.SQL, sumRateImpact.Values(
			[]any{since, models.TaxItemCalculated}, changeRows.Of(changes))...).Scan(&w.Lines, &w.Difference)
	})
	return w, pg.Translate(err)
}

// SalesIn counts the sales of all organizations to some states since a day.
func (s *Store) SalesIn(ctx context.Context, states []string, since time.Time) (n int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, impactTimeout)
	defer cancel()
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		return tx.QueryRow(ctx, `
			SELECT count(*) FROM transactions WHERE tax_date >= $2 AND place->>'country' = 'US' AND place->>'state' = ANY ($1)`,
			states, since).Scan(&n)
	})
	return n, pg.Translate(err)
}
