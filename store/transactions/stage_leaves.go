package transactions

import (
	"context"

	"levy/models"
	"levy/models/ledger"
)

// leavesOfMoved is a part of the statement of stage 4. It queues the leaves of what it has decided for their seal. A stage
// that changes nothing queues none.
const leavesOfMoved = `
	leaves AS (
	  INSERT INTO ledger_unsealed (organization_ids, leaves)
	  SELECT array_agg(m.organization_id::text ORDER BY m.organization_id, m.id),
	         string_agg(i.leaf, ''::bytea ORDER BY m.organization_id, m.id)
	    FROM updated m JOIN input i USING (organization_id, id)
	   WHERE i.leaf IS NOT NULL HAVING count(*) > 0),`

// addLeaves makes the leaves of decided liabilities.
func (s *Store) addLeaves(ctx context.Context, outcomes []models.TaxOutcome) error {
	for i := range outcomes {
		o := &outcomes[i]
		if !o.Calculated() {
			continue
		}
		digest, err := s.db.Leaf(ctx, ledger.Decision(o))
		if err != nil {
			return err
		}
		// guard: ledger: a decided liability has its leaf
		if digest != nil {
			o.Leaf = ledger.Leaf{Kind: ledger.KindDecision, ID: o.Ref.ID, Digest: digest}.Append(nil)
		}
	}
	return nil
}
