package workflows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/models"
)

func aheadBundle(t *testing.T) *testBundle {
	t.Helper()
	b := setup(t)
	b.ahead = true
	return b
}

func TestStagesThatWereDoneAheadAreConfirmed(t *testing.T) {
	t.Parallel()

	t.Run("each activity follows, once", func(t *testing.T) {
		t.Parallel()
		b := aheadBundle(t)
		b.verdicts["VerifyAddresses"] = map[string]models.Verdict{"txn_001": models.VerdictEnded}
		require.Equal(t, TransactionsResult{Processed: 2, Ended: 1}, b.run(t, refs(3)))
		for _, name := range stageNames {
			require.Equal(t, 1, b.count(name), name)
		}
		require.Equal(t, []models.Ref{refs(3)[0], refs(3)[2]}, b.calls[3].refs)
	})

	t.Run("what changed meanwhile counts once", func(t *testing.T) {
		t.Parallel()
		b := aheadBundle(t)
		for _, name := range stageNames[1:] {
			b.verdicts[name] = map[string]models.Verdict{"txn_000": models.VerdictSuperseded}
		}
		require.Equal(t, TransactionsResult{Processed: 1, Superseded: 1}, b.run(t, refs(2)))
	})

	t.Run("what cannot be confirmed is done one after the other", func(t *testing.T) {
		t.Parallel()
		b := aheadBundle(t)
		b.errs["DetermineNexus"] = []error{
			temporal.NewNonRetryableApplicationError("stage failed: panic", activities.ErrTypeBatchFailed, nil, "panic"),
		}
		require.Equal(t, TransactionsResult{Processed: 2}, b.run(t, refs(2)))
		require.Equal(t, 2, b.count("DetermineExemptions"))
		require.Equal(t, 2, b.count("CalculateTax"))
	})

	t.Run("a large batch goes stage by stage", func(t *testing.T) {
		t.Parallel()
		b := aheadBundle(t)
		b.run(t, refs(maxAhead+1))
		for i, name := range stageNames {
			require.Equal(t, name, b.calls[i].activity)
		}
	})
}
