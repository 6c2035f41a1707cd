package workflows

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

var transactionRuns = histories[scenario]{
	folder: "ProcessTransactions", workflows: map[string]any{ProcessTransactionsName: ProcessTransactions},
	scenarios: scenarios,
}

// scenario is a course of a run; prepare sets the fake activities up for it.
type scenario struct {
	size    int
	prepare func(b *testBundle)
	fails   bool
}

func scenarios() map[string]scenario {
	return map[string]scenario{
		"single": {size: 1, prepare: func(*testBundle) {}},
		"batch":  {size: 6, prepare: func(*testBundle) {}},
		"dropped": {size: 6, prepare: func(b *testBundle) {
			b.decisions["VerifyAddresses"] = map[string]models.BatchDecision{
				"txn_000": models.DecisionSuperseded, "txn_003": models.DecisionEnded,
			}
			b.decisions["CalculateTax"] = map[string]models.BatchDecision{"txn_002": models.DecisionEnded}
		}},
		"all-ended": {size: 1, prepare: func(b *testBundle) {
			b.decisions["VerifyAddresses"] = map[string]models.BatchDecision{"txn_000": models.DecisionEnded}
		}},
		"outage": {size: 2, prepare: func(b *testBundle) {
			outage := temporal.NewApplicationError(
				"stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
			)
			b.errs["DetermineNexus"] = []error{outage, outage}
		}},
		"poison": {
			size:    6,
			prepare: func(b *testBundle) { b.poison["txn_002"], b.poison["txn_005"] = "VerifyAddresses", "CalculateTax" },
		},
		"all-poisoned": {size: 3, prepare: func(b *testBundle) {
			b.poison["txn_000"], b.poison["txn_001"], b.poison["txn_002"] = "DetermineExemptions", "DetermineExemptions",
				"DetermineExemptions"
		}},
		"refused": {size: 1, fails: true, prepare: func(b *testBundle) {
			b.errs["VerifyAddresses"] = []error{
				temporal.NewNonRetryableApplicationError("no transactions given", activities.ErrTypeInvalidInput, nil),
			}
		}},
	}
}

func TestReplayProcessTransactions(t *testing.T) {
	t.Parallel()
	transactionRuns.replayAll(t)
}

// A replay that accepts anything proves nothing.
func TestReplayNoticesChangedOrder(t *testing.T) {
	t.Parallel()
	run := func(stages []stage) func(workflow.Context, TransactionsInput) (TransactionsResult, error) {
		return func(ctx workflow.Context, in TransactionsInput) (TransactionsResult, error) {
			return processTransactions(ctx, in, stages)
		}
	}
	require.NoError(t, transactionRuns.replay("batch", ProcessTransactionsName, run(transactionStages)))
	for i := range transactionStages {
		removed := slices.Delete(slices.Clone(transactionStages), i, i+1)
		require.Error(
			t, transactionRuns.replay("batch", ProcessTransactionsName, run(removed)), "without stage %d", i+1,
		)
		doubled := slices.Insert(slices.Clone(transactionStages), i, transactionStages[i])
		require.Error(
			t, transactionRuns.replay("batch", ProcessTransactionsName, run(doubled)), "with stage %d twice",
			i+1,
		)
		for j := range i {
			swapped := slices.Clone(transactionStages)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			require.Error(
				t, transactionRuns.replay("batch", ProcessTransactionsName, run(swapped)),
				"with stages %d and %d swapped", j+1, i+1,
			)
		}
	}
}
