package activities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/tax"
)

// StageInput is what a stage works on: versions of transactions, of whichever
// organizations the batch carries.
type StageInput struct {
	Refs []models.Ref `json:"refs"`
	// Isolating marks a part of a batch that was taken apart: it is tried once.
	Isolating bool `json:"isolating,omitempty"`
}

// StageResult names the transactions that do not go on to the next stage; all
// others do.
type StageResult struct {
	Exceptions []Exception `json:"exceptions,omitempty"`
}

// Exception is the verdict on the transaction at that index of the input.
type Exception struct {
	Index   int            `json:"index"`
	Verdict models.Verdict `json:"verdict"`
	// Unresolved: it came to rest where a person has to correct it.
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

// VerifyAddresses is stage 1: it resolves the addresses of each transaction to
// places and ends those that are not to be processed or have no taxable place.
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
		states, err := process(ctx, run, refs, load, p.store.SaveAddresses, func(t models.Transaction) (models.AddressOutcome, error) {
			return rules.DecideAddress(t, func(a tax.Address) tax.Place { return places[rules.OnTaxDate(t, a)] }), nil
		})
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
		return process(ctx, run, refs, p.store.LoadForExemptions, p.store.SaveExemptions, rules.DecideExemptions)
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
		return process(ctx, run, refs, load, p.store.SaveNexus,
			func(t models.Transaction) (models.NexusOutcome, error) {
				calculate, err := p.calculator(ctx, t)
				if err != nil {
					return models.NexusOutcome{}, err
				}
				return rules.DecideNexus(t, rates, calculate)
			})
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
		states, err := process(ctx, run, refs, load, p.store.SaveTax,
			func(t models.Transaction) (models.TaxOutcome, error) {
				calculate, err := p.calculator(ctx, t)
				if err != nil {
					return models.TaxOutcome{}, err
				}
				return rules.DecideTax(t, settings[t.OrganizationID], rates, calculate)
			})
		if err != nil || len(refunds) == 0 {
			return states, err
		}
		return p.refund(ctx, run, refs, refunds, rates)
	})
}

// MarkFailed sets transactions aside that failed alone: they leave their batch and
// are tried again later.
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
			p.report(ctx, err, len(refs))
			return FailuresResult{}, failure(err, 0, false)
		}
		// A record that cannot be written at all is set aside all the same.
		show := func(ctx context.Context) error { return p.store.ShowFailed(ctx, refs) }
		if err := guarded(ctx, p.log, show); err != nil {
			p.report(ctx, err, len(refs))
		}
		in.Failures = rest
	}
	return FailuresResult{}, nil
}

// stage runs one stage and turns the states found after it into verdicts.
func (p *Processing) stage(ctx context.Context, in StageInput, target models.ProcessingStatus,
	work func(context.Context, models.StageRun, []models.Ref) ([]models.StageState, error),
) (StageResult, error) {
	if len(in.Refs) == 0 {
		return StageResult{}, invalidInput("no transactions given")
	}
	run := runOf(ctx)
	own, cancel := ownDeadline(ctx)
	defer cancel()

	if in.Isolating {
		_ = failpoint.Hit("bisect_half")
	}
	var result StageResult
	err := guarded(own, p.log, func(ctx context.Context) error {
		states, err := inParts(ctx, in.Refs, func(ctx context.Context, refs []models.Ref) ([]models.StageState, error) {
			return work(ctx, run, refs)
		})
		if err == nil {
			result, err = judge(in.Refs, states, target)
		}
		return err
	})
	if err != nil {
		p.report(ctx, err, len(in.Refs))
		try := tryOf(ctx, err)
		if try == 0 && len(in.Refs) > 1 && tookTooLong(own, err) {
			try = useTry(ctx) // half of it may not be too much
		}
		return StageResult{}, failure(err, try, in.Isolating)
	}
	return result, nil
}

// tookTooLong reports whether the work was too much for its time. Who has waited for a lock has not worked.
func tookTooLong(own context.Context, err error) bool {
	return errors.Is(own.Err(), context.DeadlineExceeded) && !errors.Is(err, models.ErrLockTimeout)
}

// runOf is the run that an activity works for.
func runOf(ctx context.Context) models.StageRun {
	info := activity.GetInfo(ctx)
	return models.StageRun{
		WorkflowID: info.WorkflowExecution.ID,
		RunID:      info.WorkflowExecution.RunID,
		Attempt:    int(info.Attempt),
	}
}

func (p *Processing) report(ctx context.Context, err error, transactions int) {
	info := activity.GetInfo(ctx)
	code, infrastructure := classify(err)
	level := slog.LevelError
	if infrastructure {
		level = slog.LevelWarn
	}
	p.log.Log(ctx, level, "stage failed", "activity", info.ActivityType.Name, "attempt", info.Attempt,
		"workflow_id", info.WorkflowExecution.ID, "transactions", transactions, "code", code, "error", diagnosis(err))
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

// judge derives the verdicts from the states. What goes on is not mentioned.
func judge(refs []models.Ref, states []models.StageState, target models.ProcessingStatus) (StageResult, error) {
	var result StageResult
	if len(states) != len(refs) {
		return result, errNotReached
	}
	for i, state := range states {
		verdict, ok := rules.VerdictOf(state, target)
		if !ok || state.Ref != refs[i] {
			return StageResult{}, errNotReached
		}
		if verdict != models.VerdictDone {
			result.Exceptions = append(result.Exceptions, Exception{
				Index: i, Verdict: verdict,
				Unresolved: verdict == models.VerdictEnded && state.ProcessingStatus == models.ProcessingNeedsRefetch,
			})
		}
	}
	return result, nil
}

// ownDeadline ends the work a second before the server gives up on it: a timeout
// of the server does not stop the code, and two attempts would run at once.
func ownDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-time.Second))
}

// organizations lists the organizations of a batch, each once.
func organizations(refs []models.Ref) []string {
	seen := make(map[string]struct{}, len(refs))
	var ids []string
	for _, ref := range refs {
		if _, ok := seen[ref.OrganizationID]; !ok {
			seen[ref.OrganizationID] = struct{}{}
			ids = append(ids, ref.OrganizationID)
		}
	}
	return ids
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
