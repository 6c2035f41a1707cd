package activities

import (
	"context"
	"log/slog"

	"levy/models"
	"levy/rules"
	"levy/tax"
)

// StageInput is what a stage works on: versions of transactions, of whichever
// organizations the batch carries.
type StageInput struct {
	Refs []models.Ref `json:"refs"`
	// Isolating marks a part of a batch that was bisected: it is attempted once.
	Isolating bool `json:"isolating,omitempty"`
}

// StageResult names the transactions that do not go on to the next stage; all
// others do.
type StageResult struct {
	Exceptions []Exception `json:"exceptions,omitempty"`
}

// Exception is the decision about the transaction at that index of the input.
type Exception struct {
	Index    int                  `json:"index"`
	Decision models.BatchDecision `json:"verdict"`
	// Unresolved: it needs attention, because a person has to correct it.
	Unresolved bool `json:"unresolved,omitempty"`
}

// FailuresInput names transactions that failed alone, and why.
type FailuresInput struct {
	Failures []Failure `json:"failures"`
}

// Failure is one transaction that a stage could not process.
type Failure struct {
	Ref models.Ref `json:"ref"`
	// Code says where and why, e.g. "CalculateTax: panic". No content.
	Code string `json:"code"`
}

// FailuresResult is empty.
type FailuresResult struct{}

// Processing holds the activities of the workflow ProcessTransactions.
type Processing struct {
	store  Transactions
	engine Engine
	log    *slog.Logger
}

// New returns the activities of ProcessTransactions.
func New(store Transactions, engine Engine, log *slog.Logger) *Processing {
	return &Processing{store: store, engine: engine, log: log}
}

// VerifyAddresses is stage 1: it resolves the addresses of each transaction to places. Transactions without a taxable
// place, and those that are not to be processed, end here.
func (p *Processing) VerifyAddresses(ctx context.Context, in StageInput) (StageResult, error) {
	return p.stage(ctx, in, models.ProcessingAddressDone, func(
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
		decide := func(t models.Transaction) (models.AddressOutcome, error) {
			return rules.DecideAddress(t, func(a tax.Address) tax.Place { return places[rules.OnTaxDate(t, a)] }), nil
		}
		states, err := stageWork[models.AddressOutcome]{load, decide, p.store.SaveAddresses}.do(ctx, run, refs)
		if err != nil {
			return nil, err
		}
		return p.wait(ctx, states, waiting)
	})
}

// DetermineExemptions is stage 2: it decides which lines are exempt, and why.
func (p *Processing) DetermineExemptions(ctx context.Context, in StageInput) (StageResult, error) {
	return p.stage(ctx, in, models.ProcessingExemptDone, func(
		ctx context.Context, run models.StageRun, refs []models.Ref,
	) ([]models.StageState, error) {
		return stageWork[models.ExemptionOutcome]{
			p.store.LoadForExemptions, rules.DecideExemptions, p.store.SaveExemptions,
		}.do(ctx, run, refs)
	})
}

// DetermineNexus is stage 3: it adds each transaction to the counters that decide
// where its organization must collect tax.
func (p *Processing) DetermineNexus(ctx context.Context, in StageInput) (StageResult, error) {
	return p.stage(ctx, in, models.ProcessingNexusDone, func(
		ctx context.Context, run models.StageRun, refs []models.Ref,
	) ([]models.StageState, error) {
		var rates rules.Rates
		load := func(ctx context.Context, refs []models.Ref) (transactions []models.Transaction, err error) {
			if transactions, err = p.store.LoadForNexus(ctx, refs); err != nil {
				return nil, err
			}
			if pairs := rules.ConversionPairs(transactions); pairs != nil {
				rates, err = p.store.ConversionRates(ctx, pairs)
			}
			return transactions, err
		}
		decide := func(t models.Transaction) (models.NexusOutcome, error) {
			calculate, err := p.calculator(ctx, t)
			if err != nil {
				return models.NexusOutcome{}, err
			}
			return rules.DecideNexus(t, rates, calculate)
		}
		return stageWork[models.NexusOutcome]{load, decide, p.store.SaveNexus}.do(ctx, run, refs)
	})
}

// calculator is how a transaction is taxed: by the content that resolved its place.
func (p *Processing) calculator(
	ctx context.Context, t models.Transaction,
) (func(tax.Request) (tax.Result, error), error) {
	version := ""
	if t.Place != nil {
		version = t.Place.ContentVersion
	}
	return p.engine.Calculator(ctx, version)
}

// CalculateTax is stage 4: it calculates the tax of each line, its breakdown, and
// what of it is owed.
func (p *Processing) CalculateTax(ctx context.Context, in StageInput) (StageResult, error) {
	return p.stage(ctx, in, models.ProcessingProcessed, func(
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
		decide := func(t models.Transaction) (models.TaxOutcome, error) {
			calculate, err := p.calculator(ctx, t)
			if err != nil {
				return models.TaxOutcome{}, err
			}
			return rules.DecideTax(t, settings[t.OrganizationID], rates, calculate)
		}
		states, err := stageWork[models.TaxOutcome]{load, decide, p.store.SaveTax}.do(ctx, run, refs)
		if err != nil || len(refunds) == 0 {
			return states, err
		}
		return p.together(ctx, run, refs, refunds, rates, decide)
	})
}

// MarkFailed sets transactions aside that failed alone: they leave their batch and
// are retried later.
func (p *Processing) MarkFailed(ctx context.Context, in FailuresInput) (FailuresResult, error) {
	if len(in.Failures) == 0 {
		return FailuresResult{}, invalidInput("no failures given")
	}
	run := runOf(ctx)
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	for len(in.Failures) > 0 {
		code := in.Failures[0].Code
		var refs []models.Ref
		var rest []Failure
		for _, f := range in.Failures {
			if f.Code == code {
				refs = append(refs, f.Ref)
			} else {
				rest = append(rest, f)
			}
		}
		mark := func(ctx context.Context) error { return p.store.MarkFailed(ctx, run, refs, code) }
		if err := guarded(ctx, p.log, mark); err != nil {
			report(ctx, p.log, "stage failed", err, "transactions", len(refs))
			return FailuresResult{}, failure(err, 0)
		}
		// A record whose status cannot be written is set aside all the same.
		show := func(ctx context.Context) error { return p.store.ShowFailed(ctx, refs) }
		if err := guarded(ctx, p.log, show); err != nil {
			report(ctx, p.log, "stage failed", err, "transactions", len(refs))
		}
		in.Failures = rest
	}
	return FailuresResult{}, nil
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
