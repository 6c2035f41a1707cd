package content

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// impactTimeout bounds a statement that reads all transactions of some weeks.
const impactTimeout = 5 * time.Minute

// EstimateRateImpact sums up, over the processed sales of all organizations since a day,
// what was taxed at the old rate of a change, and the difference that the new rate
// makes. It is an operator's question.
func (s *Store) EstimateRateImpact(
	ctx context.Context, changes []models.RateChange, since time.Time,
) (w models.RateImpact, err error) {
	w.Difference = "0.00"
	if len(changes) == 0 {
		return w, nil
	}
	rules, old, next := make([]string, len(changes)), make([]string, len(changes)), make([]string, len(changes))
	for i, c := range changes {
		rules[i], old[i], next[i] = c.RuleID, c.Old.String(), c.New.String()
	}
	ctx, cancel := context.WithTimeout(ctx, impactTimeout)
	defer cancel()
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		return tx.QueryRow(ctx, `
			SELECT count(*), coalesce(round(sum((x.item->>'taxable_amount')::numeric * (c.new - c.old)), 2), 0.00)::text
			  FROM transactions t
			  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
			 CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) AS x(item)
			  JOIN (SELECT * FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS c(rule_id, old, new)) c
			    ON c.rule_id = x.item->>'rule_id' AND c.old = (x.item->>'rate')::numeric
			 WHERE t.tax_date >= $4 AND t.content_version IS NOT NULL AND x.item->>'type' = $5`,
			rules, old, next, since, models.TaxItemCalculated).Scan(&w.Lines, &w.Difference)
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
