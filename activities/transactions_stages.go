package activities

import (
	"context"

	"levy/models"
	"levy/rules"
	"levy/tax"
)

// stageWork is what a stage does with a batch. It returns where each transaction stands after it.
type stageWork func(ctx context.Context, run models.StageRun, refs []models.Ref) ([]models.StageState, error)

func (p *Processing) verifyAddresses(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.StageState, error) {
	var places map[tax.DatedAddress]tax.Place
	var waiting []models.Ref
	load := func(ctx context.Context, refs []models.Ref) (ready []models.Transaction, err error) {
		transactions, err := p.store.LoadForAddresses(ctx, run, refs)
		if err != nil {
			return nil, err
		}
		ready, waiting = rules.SplitWaiting(transactions)
		places, err = p.locate(ctx, ready)
		return ready, err
	}
	states, err := process(ctx, run, refs, load, p.store.SaveAddresses,
		func(t models.Transaction) (models.AddressOutcome, error) {
			return rules.DecideAddress(t, func(a tax.Address) tax.Place { return places[rules.OnTaxDate(t, a)] }), nil
		})
	if err != nil {
		return nil, err
	}
	return p.wait(ctx, states, waiting)
}

func (p *Processing) determineExemptions(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.StageState, error) {
	return process(ctx, run, refs, p.store.LoadForExemptions, p.store.SaveExemptions, rules.DecideExemptions)
}

func (p *Processing) determineNexus(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.StageState, error) {
	return process(ctx, run, refs, p.store.LoadForNexus, p.store.SaveNexus, rules.DecideNexus)
}

func (p *Processing) calculateTax(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.StageState, error) {
	settings, err := p.store.Settings(ctx, organizations(refs))
	if err != nil {
		return nil, err
	}
	var refunds []models.Transaction
	var rates rules.Rates
	load := func(ctx context.Context, refs []models.Ref) (others []models.Transaction, err error) {
		transactions, err := p.store.LoadForTax(ctx, refs)
		if err != nil {
			return nil, err
		}
		others, refunds = rules.SplitRefunds(transactions)
		if pairs := rules.ConversionPairs(transactions); pairs != nil {
			rates, err = p.store.ConversionRates(ctx, pairs)
		}
		return others, err
	}
	states, err := process(ctx, run, refs, load, p.store.SaveTax,
		func(t models.Transaction) (models.TaxOutcome, error) {
			version := ""
			if t.Place != nil {
				version = t.Place.ContentVersion
			}
			calculate, err := p.engine.Calculator(ctx, version)
			if err != nil {
				return models.TaxOutcome{}, err
			}
			return rules.DecideTax(t, settings[t.OrganizationID], rates, calculate)
		})
	if err != nil || len(refunds) == 0 {
		return states, err
	}
	return p.refund(ctx, run, refs, refunds, rates)
}

// process loads a batch, decides each transaction by itself and saves what was decided.
func process[O any](ctx context.Context, run models.StageRun, refs []models.Ref,
	load func(context.Context, []models.Ref) ([]models.Transaction, error),
	save func(context.Context, models.StageRun, []models.Ref, []O) ([]models.StageState, error),
	decide func(models.Transaction) (O, error),
) ([]models.StageState, error) {
	transactions, err := load(ctx, refs)
	if err != nil {
		return nil, err
	}
	outcomes := make([]O, 0, len(transactions))
	for _, t := range transactions {
		outcome, err := decide(t)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	return save(ctx, run, refs, outcomes)
}

// locate resolves every address of a batch at once.
func (p *Processing) locate(
	ctx context.Context, transactions []models.Transaction,
) (map[tax.DatedAddress]tax.Place, error) {
	var addresses []tax.DatedAddress
	for _, t := range transactions {
		addresses = append(addresses, rules.AddressesOf(t)...)
	}
	if len(addresses) == 0 { // none of the batch waits for this stage any more
		return nil, nil
	}
	return p.engine.Locate(ctx, addresses)
}
