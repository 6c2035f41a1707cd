package workflows

import (
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// TransactionsInput is the batch: versions of transactions, never their content.
type TransactionsInput struct {
	Refs []models.Ref `json:"refs"`
}

// TransactionsResult counts what became of the batch. Failed transactions are not
// lost: they are tried again in another batch.
type TransactionsResult struct {
	Processed  int `json:"processed"`
	Superseded int `json:"superseded"`           // a newer version exists; it has its own run
	Ended      int `json:"ended"`                // not to be processed, or in need of attention
	Unresolved int `json:"unresolved,omitempty"` // of those: a person has to correct them
	Waiting    int `json:"waiting"`              // refunds whose original has to be processed first
	Failed     int `json:"failed"`
}

// TransactionsProgress is the answer to ProgressQuery.
type TransactionsProgress struct {
	Stage        string               `json:"stage"` // empty before the first and after the last
	Transactions int                  `json:"transactions"`
	Remaining    int                  `json:"remaining"` // still on their way
	Superseded   int                  `json:"superseded"`
	Ended        int                  `json:"ended"`
	Unresolved   int                  `json:"unresolved,omitempty"`
	Waiting      int                  `json:"waiting"` // for their original
	Failed       []activities.Failure `json:"failed"`
}

// stage is one step: what it is called in front of staff, and the activity.
type stage struct {
	title    string
	activity any
}

var processing *activities.Processing

// transactionStages is the order of the business.
var transactionStages = []stage{
	{"Verify addresses", processing.VerifyAddresses},
	{"Determine exemptions", processing.DetermineExemptions},
	{"Determine nexus", processing.DetermineNexus},
	{"Calculate tax", processing.CalculateTax},
}

// ProcessTransactions carries a batch of transactions through the stages. It
// completes even if some transactions failed: those are set aside and tried again.
// Errors: InvalidInput for a batch that makes no sense; a stage whose outage
// exceeded its time.
func ProcessTransactions(ctx workflow.Context, in TransactionsInput) (TransactionsResult, error) {
	return processTransactions(ctx, in, transactionStages)
}

func processTransactions(ctx workflow.Context, in TransactionsInput, stages []stage) (TransactionsResult, error) {
	b := newBatch(in.Refs)
	if err := answerProgress(ctx, b.progress); err != nil {
		return TransactionsResult{}, err
	}
	if reason := b.invalid(); reason != "" {
		return TransactionsResult{}, invalidInput(reason)
	}
	for _, s := range stages {
		if len(b.remaining) == 0 {
			break
		}
		if err := b.pass(ctx, s); err != nil {
			return TransactionsResult{}, err
		}
	}
	b.enter(ctx, "")
	if len(b.failed) > 0 {
		if err := workflow.UpsertTypedSearchAttributes(ctx, failedCount.ValueSet(int64(len(b.failed)))); err != nil {
			return TransactionsResult{}, err
		}
	}
	if b.unresolved > 0 {
		if err := workflow.UpsertTypedSearchAttributes(ctx, unresolvedCount.ValueSet(int64(b.unresolved))); err != nil {
			return TransactionsResult{}, err
		}
	}
	return b.result(), nil
}
