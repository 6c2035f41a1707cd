package workflows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

var stageNames = []string{"VerifyAddresses", "DetermineExemptions", "DetermineNexus", "CalculateTax"}

// testBundle runs the workflow on fake activities that follow the rules of the real
// ones: a poisoned transaction fails every part it is in.
type testBundle struct {
	env *testsuite.TestWorkflowEnvironment

	mu     sync.Mutex
	calls  []call
	failed []activities.Failure
	// poison names the stage at which a transaction (by id) fails.
	poison map[string]string
	// decisions names what a stage answers for a transaction other than DONE.
	decisions map[string]map[string]models.BatchDecision
	// unresolved need attention, because a person has to correct them.
	unresolved map[string]bool
	// errs is what a stage fails with, as often as there are errors.
	errs map[string][]error
}

type call struct {
	activity string
	refs     []models.Ref
}

func newTestBundle() *testBundle {
	return &testBundle{
		poison: map[string]string{}, decisions: map[string]map[string]models.BatchDecision{},
		errs: map[string][]error{},
	}
}

func setup(t *testing.T) *testBundle {
	t.Helper()
	b := newTestBundle()
	b.env = newEnvironment()
	Register(b.env, TransactionsQueue, &activities.Processing{}, &activities.Heartbeat{})
	for _, name := range stageNames {
		b.env.OnActivity(name, mock.Anything, mock.Anything).Return(
			func(ctx context.Context, in activities.StageInput) (activities.StageResult, error) {
				return b.stage(ctx, name, in)
			})
	}
	b.env.OnActivity("MarkFailed", mock.Anything, mock.Anything).Return(b.markFailed)
	return b
}

func (b *testBundle) markFailed(_ context.Context, in activities.FailuresInput) (activities.FailuresResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = append(b.failed, in.Failures...)
	b.calls = append(b.calls, call{activity: "MarkFailed"})
	return activities.FailuresResult{}, nil
}

func (b *testBundle) stage(ctx context.Context, name string, in activities.StageInput) (activities.StageResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, call{name, in.Refs})
	if errs := b.errs[name]; len(errs) > 0 {
		b.errs[name] = errs[1:]
		return activities.StageResult{}, errs[0]
	}
	var result activities.StageResult
	for i, ref := range in.Refs {
		if b.poison[ref.ID] == name {
			if !in.Isolating && activity.GetInfo(ctx).Attempt < activities.MaxDefects {
				return activities.StageResult{}, temporal.NewApplicationError(
					"stage failed: panic", activities.ErrTypeUnexpected, "panic",
				)
			}
			return activities.StageResult{}, temporal.NewNonRetryableApplicationError(
				"stage failed: panic", activities.ErrTypeBatchFailed, nil, "panic",
			)
		}
		if decision, ok := b.decisions[name][ref.ID]; ok {
			result.Exceptions = append(result.Exceptions, activities.Exception{
				Index: i, Decision: decision, Unresolved: b.unresolved[ref.ID],
			})
		}
	}
	return result, nil
}

func (b *testBundle) run(t *testing.T, refs []models.Ref) TransactionsResult {
	t.Helper()
	b.env.ExecuteWorkflow(ProcessTransactionsName, TransactionsInput{Refs: refs})
	require.True(t, b.env.IsWorkflowCompleted())
	require.NoError(t, b.env.GetWorkflowError())
	var result TransactionsResult
	require.NoError(t, b.env.GetWorkflowResult(&result))
	return result
}

func (b *testBundle) count(name string) (n int) {
	for _, c := range b.calls {
		if c.activity == name {
			n++
		}
	}
	return n
}

func (b *testBundle) progress(t *testing.T) TransactionsProgress {
	t.Helper()
	value, err := b.env.QueryWorkflow(ProgressQuery)
	require.NoError(t, err)
	var p TransactionsProgress
	require.NoError(t, value.Get(&p))
	return p
}

func refs(n int) []models.Ref {
	refs := make([]models.Ref, 0, n)
	for i := range n {
		refs = append(refs, models.Ref{
			OrganizationID: fmt.Sprintf("org_%d", i%3), ID: fmt.Sprintf("txn_%03d", i), Epoch: 1,
		})
	}
	return refs
}

func TestProcessTransactions(t *testing.T) {
	t.Parallel()

	t.Run("the stages run in their order, each once on the whole batch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, TransactionsResult{Processed: 5}, b.run(t, refs(5)))
		require.Len(t, b.calls, 4)
		for i, c := range b.calls {
			require.Equal(t, stageNames[i], c.activity)
			require.Equal(t, refs(5), c.refs)
		}
		require.Equal(t, TransactionsProgress{Transactions: 5, Remaining: 5}, b.progress(t))
	})

	t.Run("superseded and ended transactions are dropped, the others continue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.decisions["VerifyAddresses"] = map[string]models.BatchDecision{
			"txn_000": models.DecisionSuperseded, "txn_003": models.DecisionEnded,
		}
		b.decisions["CalculateTax"] = map[string]models.BatchDecision{"txn_002": models.DecisionEnded}
		require.Equal(t, TransactionsResult{Processed: 2, Superseded: 1, Ended: 2}, b.run(t, refs(5)))
		all := refs(5)
		require.Equal(t, []models.Ref{all[1], all[2], all[4]}, b.calls[1].refs)
		require.Equal(t, TransactionsProgress{Transactions: 5, Remaining: 2, Superseded: 1, Ended: 2}, b.progress(t))
	})

	t.Run("a run says what came to rest unresolved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.decisions["CalculateTax"] = map[string]models.BatchDecision{"txn_001": models.DecisionEnded, "txn_002": models.DecisionEnded}
		b.unresolved = map[string]bool{"txn_002": true}
		var shown temporal.SearchAttributes
		b.env.OnUpsertTypedSearchAttributes(mock.MatchedBy(func(attributes temporal.SearchAttributes) bool {
			shown = attributes
			return true
		})).Return(nil).Once()
		require.Equal(t, TransactionsResult{Processed: 3, Ended: 2, Unresolved: 1}, b.run(t, refs(5)))
		n, _ := shown.GetInt64(unresolvedCount)
		require.EqualValues(t, 1, n)
		require.Equal(t, 1, b.progress(t).Unresolved)
		require.Equal(t, "**Finished**: 3 of 5 transactions processed, 2 not calculated\n\n**1 transaction unresolved**: "+
			"a person has to correct them, see the exceptions of the console", detailsOf(t, b.env))
	})

	t.Run("when nothing is left the other stages are not run", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.decisions["VerifyAddresses"] = map[string]models.BatchDecision{"txn_000": models.DecisionEnded}
		require.Equal(t, TransactionsResult{Ended: 1}, b.run(t, refs(1)))
		require.Len(t, b.calls, 1)
	})

	t.Run("the query names the stage in progress", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var seen TransactionsProgress
		b.env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
			if info.ActivityType.Name == "DetermineNexus" {
				seen = b.progress(t)
			}
		})
		b.run(t, refs(3))
		require.Equal(t, "Determine nexus", seen.Stage)
		require.Equal(t, 3, seen.Transactions)
	})
}

func TestStageFailures(t *testing.T) {
	t.Parallel()
	for _, name := range stageNames {
		t.Run("an outage of "+name+" is waited for", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 8 { // the test environment gives up after ten attempts
				b.errs[name] = append(
					b.errs[name],
					temporal.NewApplicationError(
						"stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
					),
				)
			}
			require.Equal(t, TransactionsResult{Processed: 2}, b.run(t, refs(2)))
			require.Equal(t, 9, b.count(name))
			require.Len(t, b.calls, 12)
		})

		t.Run("an outage of "+name+" that exceeds its time fails the run", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 100 {
				b.errs[name] = append(
					b.errs[name],
					temporal.NewApplicationError(
						"stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
					),
				)
			}
			b.env.ExecuteWorkflow(ProcessTransactionsName, TransactionsInput{Refs: refs(2)})
			require.Error(t, b.env.GetWorkflowError())
			require.Empty(t, b.failed)
		})

		t.Run("a passing unexpected error of "+name+" is tried again", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.errs[name] = []error{
				temporal.NewApplicationError("stage failed: unexpected", activities.ErrTypeUnexpected, "unexpected"),
			}
			require.Equal(t, TransactionsResult{Processed: 2}, b.run(t, refs(2)))
			require.Empty(t, b.failed)
		})

		t.Run("an input refused by "+name+" fails the run at once", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.errs[name] = []error{
				temporal.NewNonRetryableApplicationError("no transactions given", activities.ErrTypeInvalidInput, nil),
			}
			b.env.ExecuteWorkflow(ProcessTransactionsName, TransactionsInput{Refs: refs(2)})
			require.Error(t, b.env.GetWorkflowError())
			require.Equal(t, 1, b.count(name))
		})

		for size, poisons := range map[int][]int{
			1:        {0},
			2:        {1},
			7:        {3},
			64:       {0, 63},
			100:      evens(100),
			MaxBatch: {MaxBatch / 3},
			30:       all(30),
		} {
			t.Run(fmt.Sprintf(
				"%d poisoned of %d at %s are found, the other items of the batch go on", len(poisons), size,
				name,
			), func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				batch := refs(size)
				var want []activities.Failure
				title := transactionStages[slices.Index(stageNames, name)].title
				for _, i := range poisons {
					b.poison[batch[i].ID] = name
					want = append(want, activities.Failure{Ref: batch[i], Code: title + ": panic"})
				}
				result := b.run(t, batch)
				require.Equal(t, TransactionsResult{Processed: size - len(poisons), Failed: len(poisons)}, result)
				require.ElementsMatch(t, want, b.failed)
				require.Equal(t, 1, b.count("MarkFailed"), "all failures of a stage are noted together")
				require.LessOrEqual(t, b.count(name), activities.MaxDefects+2*len(poisons)*levels(size))
				require.LessOrEqual(
					t, b.count(name), activities.MaxDefects+2*(size-1), "never more than every part once",
				)
				require.Len(t, b.progress(t).Failed, len(poisons))
			})
		}
	}

	t.Run("poison at several stages", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.poison["txn_001"], b.poison["txn_004"] = "VerifyAddresses", "CalculateTax"
		require.Equal(t, TransactionsResult{Processed: 8, Failed: 2}, b.run(t, refs(10)))
		require.Equal(t, 2, b.count("MarkFailed"))
	})

	t.Run("an outage while isolating is waited for", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.poison["txn_001"] = "DetermineNexus"
		outage := temporal.NewApplicationError(
			"stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
		)
		failed := temporal.NewNonRetryableApplicationError(
			"stage failed: panic", activities.ErrTypeBatchFailed, nil, "panic",
		)
		b.errs["DetermineNexus"] = []error{failed, outage, outage, outage}
		require.Equal(t, TransactionsResult{Processed: 3, Failed: 1}, b.run(t, refs(4)))
	})
}

func TestInputOfProcessTransactions(t *testing.T) {
	t.Parallel()
	for name, in := range map[string][]models.Ref{
		"empty":                nil,
		"too large":            refs(MaxBackgroundBatch + 1),
		"without organization": {{ID: "txn_1", Epoch: 1}},
		"without id":           {{OrganizationID: "org_1", Epoch: 1}},
		"without epoch":        {{OrganizationID: "org_1", ID: "txn_1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.env.ExecuteWorkflow(ProcessTransactionsName, TransactionsInput{Refs: in})
			app, ok := errors.AsType[*temporal.ApplicationError](b.env.GetWorkflowError())
			require.True(t, ok)
			require.Equal(t, activities.ErrTypeInvalidInput, app.Type())
			require.Empty(t, b.calls)
		})
	}
}

// levels is how often a batch can be halved.
func levels(size int) (n int) {
	for size > 1 {
		size = (size + 1) / 2
		n++
	}
	return max(n, 1)
}

func evens(n int) (indexes []int) {
	for i := 0; i < n; i += 2 {
		indexes = append(indexes, i)
	}
	return indexes
}

func all(n int) (indexes []int) {
	for i := range n {
		indexes = append(indexes, i)
	}
	return indexes
}
