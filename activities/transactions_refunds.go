package activities

import (
	"context"
	"errors"

	"levy/models"
	"levy/rules"
	"levy/tax"
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

// together is stage 4 for the refunds of a batch, and for its sales with refunds. It decides them one after the other,
// because the documents of one sale share what is left of it. sell decides sales.
func (p *Processing) together(
	ctx context.Context, run models.StageRun, refs []models.Ref, documents []models.Transaction, rates rules.Rates,
	sell func(models.Transaction) (models.TaxOutcome, error),
) ([]models.StageState, error) {
	var waiting []models.Ref
	states, err := p.store.SaveRefunds(ctx, run, refs, documents,
		func(documents []models.Transaction) ([]models.TaxOutcome, error) {
			var ready []models.Transaction
			ready, waiting = rules.SplitWaiting(documents)
			rules.OrderRefunds(ready)
			outcomes := make([]models.TaxOutcome, 0, len(ready))
			for _, t := range ready {
				outcome, err := decideDocument(t, rates, sell, p.law(ctx))
				if err != nil {
					return nil, err
				}
				outcomes = append(outcomes, outcome)
			}
			return outcomes, nil
		})
	if err != nil {
		return nil, err
	}
	return p.wait(ctx, states, waiting)
}

// law returns the law of a version of the content. A version that is no longer stored has none: without it a lower price
// takes its share of the tax.
func (p *Processing) law(ctx context.Context) rules.Law {
	return func(version string) (func(tax.Request) (tax.Result, error), error) {
		calculate, err := p.engine.Calculator(ctx, version)
		if errors.Is(err, models.ErrNotFound) {
			return nil, nil
		}
		return calculate, err
	}
}

// decideDocument decides a refund, which those after it take into account, or a sale.
func decideDocument(
	t models.Transaction, rates rules.Rates, sell func(models.Transaction) (models.TaxOutcome, error), law rules.Law,
) (models.TaxOutcome, error) {
	if !t.Type.IsCredit() {
		return sell(t)
	}
	outcome, err := rules.DecideRefund(t, rates, law)
	if err != nil {
		return outcome, err
	}
	return outcome, rules.CountRefund(t, outcome)
}
