package activities

import (
	"context"

	"levy/models"
	"levy/rules"
)

// wait takes the refunds out of their batch that have to wait for their originals.
func (p *Processing) wait(
	ctx context.Context, states []models.StageState, waiting []models.Ref,
) ([]models.StageState, error) {
	if len(waiting) == 0 {
		return states, nil
	}
	if err := p.store.WaitForOriginals(ctx, waiting); err != nil {
		return nil, err
	}
	waits := make(map[models.Ref]bool, len(waiting))
	for _, r := range waiting {
		waits[r] = true
	}
	for i := range states {
		states[i].Waiting = waits[states[i].Ref]
	}
	return states, nil
}

// refund is stage 4 for the refunds of a batch. It calculates them one after the other, because two refunds of one
// original share its remaining amount.
func (p *Processing) refund(
	ctx context.Context, run models.StageRun, refs []models.Ref, refunds []models.Transaction, rates rules.Rates,
) ([]models.StageState, error) {
	var waiting []models.Ref
	states, err := p.store.SaveRefunds(ctx, run, refs, refunds,
		func(refunds []models.Transaction) ([]models.TaxOutcome, error) {
			var ready []models.Transaction
			ready, waiting = rules.SplitWaiting(refunds)
			outcomes := make([]models.TaxOutcome, 0, len(ready))
			for _, t := range ready {
				outcome, err := rules.DecideRefund(t, rates)
				if err != nil {
					return nil, err
				}
				outcomes = append(outcomes, outcome)
				if err := rules.CountRefund(t, outcome); err != nil {
					return nil, err
				}
			}
			return outcomes, nil
		})
	if err != nil {
		return nil, err
	}
	return p.wait(ctx, states, waiting)
}
