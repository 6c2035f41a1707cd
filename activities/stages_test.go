package activities

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// stageNames are the activities of a batch and the status from which each starts.
var stageNames = map[string]models.ProcessingStatus{
	"VerifyAddresses": models.ProcessingQueued, "DetermineExemptions": models.ProcessingAddressDone,
	"DetermineNexus": models.ProcessingExemptDone, "CalculateTax": models.ProcessingNexusDone,
}

// readyFor is a batch that starts a stage.
func readyFor(stage string, n int) ([]models.Transaction, []models.Ref) {
	transactions, refs := queued(n)
	for i := range transactions {
		transactions[i].ProcessingStatus = stageNames[stage]
		if stage != "VerifyAddresses" {
			transactions[i].Place = &tax.Place{Country: "US", State: "TX"}
		}
	}
	return transactions, refs
}

// eachStage runs a test for every stage.
func eachStage(t *testing.T, test func(t *testing.T, stage string)) {
	t.Helper()
	for stage := range stageNames {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			test(t, stage)
		})
	}
}

// An outage of the store is waited for; anything else is attempted a few times, and then the batch is bisected. A later
// attempt finds everything that was saved.
func TestErrorsOfTheStoreInAStageAreRetriedOrEndTheBatch(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, stage string) {
		for class, want := range storeErrors {
			for _, saving := range []bool{false, true} {
				transactions, refs := readyFor(stage, 3)
				b := newBundle(fakeEngine{}, transactions...)
				if b.store.loadErr = want.err; saving {
					b.store.loadErr, b.store.saveErr = nil, want.err
				}
				in := StageInput{Refs: refs}
				left := attempt{}.failing(t, b.processing, stage, in)
				require.Equal(t, want.errType, left.Type(), class)
				require.False(t, left.NonRetryable(), class)
				require.Equal(t, want.code, codeOf(t, left), class)
				require.NotContains(t, left.Error(), "078-05", class)

				last := attempt{used: MaxDefects - 1}.failing(t, b.processing, stage, in)
				if want.errType == ErrTypeUnexpected {
					require.Equal(t, ErrTypeBatchFailed, last.Type(), class)
					require.True(t, last.NonRetryable(), class)
				} else {
					require.Equal(t, ErrTypeInfrastructure, last.Type(), class)
				}
				b.store.loadErr, b.store.saveErr = nil, nil
				require.Empty(t, execute[StageResult](t, b.processing, stage, in).Exceptions, class)
				for _, ref := range refs {
					require.Len(t, b.store.transitions[ref.ID], 1, class)
				}
			}
		}
	})
}

// A transaction that changed or was cancelled meanwhile holds up none of the other items of the batch.
func TestATransactionThatChangedMeanwhileHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, stage string) {
		transactions, refs := readyFor(stage, 4)
		transactions[0].Epoch++
		transactions[2].ProcessingStatus = models.ProcessingProcessed
		b := newBundle(fakeEngine{}, transactions...)
		for range 2 {
			result := execute[StageResult](t, b.processing, stage, StageInput{Refs: refs})
			require.Equal(t, []Exception{{Index: 0, Decision: models.DecisionSuperseded}}, result.Exceptions)
		}
		require.Empty(t, b.store.transitions["txn_0"])
		require.Empty(t, b.store.transitions["txn_2"], "it has passed the stage already")
		require.Len(t, b.store.transitions["txn_1"], 1)
		require.Len(t, b.store.transitions["txn_3"], 1)
	})
}

// The run and its attempt are written into the journal with the results.
func TestTheJournalNamesTheRunOfAStage(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, stage string) {
		transactions, refs := readyFor(stage, 1)
		b := newBundle(fakeEngine{}, transactions...)
		execute[StageResult](t, b.processing, stage, StageInput{Refs: refs})
		require.Len(t, b.store.runs, 1)
		require.NotEmpty(t, b.store.runs[0].WorkflowID)
		require.NotEmpty(t, b.store.runs[0].RunID)
		require.Equal(t, 1, b.store.runs[0].Attempt)
	})
}

// refundOf makes one of a batch a refund whose original has a status.
func refundOf(transactions []models.Transaction, i int, status models.ProcessingStatus) {
	transactions[i].Type = models.TypeFullCreditNote
	transactions[i].Original = &models.Original{ID: "txn_original", ProcessingStatus: status}
}

// A refund leaves its batch until its original is processed; the others continue. A failure to take it out is
// retried.
func TestARefundWaitsForItsOriginal(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"VerifyAddresses", "CalculateTax"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			transactions, refs := readyFor(stage, 3)
			refundOf(transactions, 1, models.ProcessingQueued)
			b := newBundle(fakeEngine{}, transactions...)
			for range 2 {
				result := execute[StageResult](t, b.processing, stage, StageInput{Refs: refs})
				require.Equal(t, []Exception{{Index: 1, Decision: models.DecisionWaiting}}, result.Exceptions)
			}
			require.Equal(t, []models.Ref{refs[1], refs[1]}, b.store.waiting)
			require.Empty(t, b.store.transitions["txn_1"])
			require.Len(t, b.store.transitions["txn_2"], 1)
		})
	}
}

// A refund whose original was calculated without an explanation is a defect, and no tax is invented for it.
func TestARefundWithoutTheCalculationOfItsOriginalIsAnError(t *testing.T) {
	t.Parallel()
	transactions, refs := readyFor("CalculateTax", 1)
	refundOf(transactions, 0, models.ProcessingProcessed)
	b := newBundle(fakeEngine{}, transactions...)
	left := attempt{}.failing(t, b.processing, "CalculateTax", StageInput{Refs: refs})
	require.Equal(t, ErrTypeUnexpected, left.Type())
	require.Empty(t, b.store.transitions["txn_0"])
}

// An engine that cannot be reached is an outage, like a store that cannot be reached.
func TestAnEngineThatCannotBeReachedIsAnOutage(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"CalculateTax", "VerifyAddresses"} {
		transactions, refs := readyFor(stage, 2)
		work := New(newFakeStore(transactions...), unreachableEngine{}, quiet)
		left := attempt{used: MaxDefects}.failing(t, work, stage, StageInput{Refs: refs})
		require.Equal(t, ErrTypeInfrastructure, left.Type(), stage)
		require.False(t, left.NonRetryable(), stage)
	}
}

// Recording failures is retried without a limit: otherwise the transactions would stay in a batch that has ended.
func TestRecordingFailuresIsRetriedWithoutALimit(t *testing.T) {
	t.Parallel()
	_, refs := queued(2)
	for class, want := range storeErrors {
		b := newBundle(fakeEngine{})
		b.store.saveErr = want.err
		in := FailuresInput{Failures: []Failure{{Ref: refs[0], Code: "panic"}, {Ref: refs[1], Code: "unexpected"}}}
		left := attempt{used: MaxDefects}.failing(t, b.processing, "MarkFailed", in)
		require.Equal(t, want.errType, left.Type(), class)
		require.False(t, left.NonRetryable(), class)
		b.store.saveErr = nil
		execute[FailuresResult](t, b.processing, "MarkFailed", in)
		require.Equal(t, map[string]string{"txn_0": "panic", "txn_1": "unexpected"}, b.store.failures, class)
	}
}

// A batch that exceeds its time is bisected after some attempts. One that waited for a lock until its time was over
// is retried, like after any outage.
func TestWaitingForALockCountsNoDefect(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		models.ErrUnavailable: ErrTypeBatchFailed, models.ErrLockTimeout: ErrTypeInfrastructure,
	} {
		transactions, refs := readyFor("CalculateTax", 3)
		b := newBundle(fakeEngine{}, transactions...)
		b.store.loadErr = err
		left := attempt{used: MaxDefects - 1, late: true}.failing(t, b.processing, "CalculateTax",
			StageInput{Refs: refs})
		require.Equal(t, want, left.Type(), err)
	}
}
