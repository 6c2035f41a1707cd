package filings

import (
	"context"
	"errors"

	"levy/models"
	"levy/rules"
)

// A late transaction may leave the period again: it is archived, or gets another date. The trigger
// transaction_totals_note_skipped records it then. An amendment without transactions is cancelled, unless people have
// entered amounts in it.

// emptyAmendments selects the open amendments of a registration that transactions caused and of which none is left.
// It reads the whole period only for amendments whose causes have all left. For each such amendment it records one
// transaction again: transactions in processing may come back, and the cancellation may fail.
var emptyAmendments = `
	WITH emptied AS MATERIALIZED (
	  SELECT f.id, ` + mayBePending("f.organization_id", "f.start_date", "f.end_date") + ` AS waits
	    FROM filings f
	   WHERE f.organization_id = $1 AND f.registration_id = $2 AND f.filing_category = 'AMENDMENT'
	     AND f.status IN ('UNFILED', 'PAUSED') AND NOT f.on_demand
	     AND (f.amount_adjusted, f.amount_discounts, f.amount_fees, f.amount_penalties) = (0, 0, 0, 0)
	     AND NOT EXISTS (SELECT FROM filing_entries e WHERE e.organization_id = f.organization_id AND e.filing_id = f.id)
	     AND EXISTS (SELECT FROM filing_causes c WHERE c.organization_id = f.organization_id AND c.filing_id = f.id)
	     AND CASE WHEN EXISTS (
	         SELECT FROM (SELECT f.*) f` + returnLinesOf + `
	           JOIN filing_causes c ON c.organization_id = f.organization_id AND c.filing_id = f.id
	            AND c.transaction_id = x.transaction_id
	          WHERE` + ofOneStopShop + ` AND` + notClaimed + `) THEN false
	       ELSE NOT EXISTS (
	         SELECT FROM (SELECT f.*) f` + returnLinesOf + ` WHERE` + ofOneStopShop + ` AND` + notClaimed + `) END),
	again AS (
	  INSERT INTO late_transactions (organization_id, registration_id, transaction_id, at)
	  SELECT $1, $2, ($3::text[])[1], now() + interval '` + processingCheckPause + `' WHERE EXISTS (SELECT FROM emptied)
	  ON CONFLICT DO NOTHING)
	SELECT id FROM emptied WHERE NOT waits ORDER BY id`

// cancelEmpty cancels amendments without transactions. As every change of a filing, it takes the lock of the
// registration. It keeps an amendment that has a transaction by then.
func (s *Store) cancelEmpty(ctx context.Context, organizationID string, ids []string) error {
	scope := models.Scope{OrganizationID: organizationID}
	for _, id := range ids {
		_, err := s.UpdateFiling(ctx, scope, models.Actor{}, id, rules.CancelEmptyAmendment)
		if err != nil && !errors.Is(err, models.ErrChangedMeanwhile) {
			return err
		}
	}
	return nil
}
