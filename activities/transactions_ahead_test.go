package activities

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestStageOneGoesAhead(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(3)
	transactions[1].Status = models.StatusPending // ends in stage 1
	b := newBundle(fakeEngine{}, transactions...)
	result, err := b.run(t, b.processing.VerifyAddresses, StageInput{Refs: refs, Ahead: true})
	require.NoError(t, err)
	require.Equal(t, StageResult{
		Exceptions: []Exception{{Index: 1, Verdict: models.VerdictEnded}}, Ahead: true,
	}, result)
	for _, id := range []string{"txn_0", "txn_2"} {
		require.Equal(t, models.ProcessingProcessed, b.store.records[id].ProcessingStatus)
		require.Len(t, b.store.transitions[id], 4)
	}
	for _, stage := range b.processing.stages()[1:] { // they find it done
		confirmed, err := b.run(t, stage, StageInput{Refs: []models.Ref{refs[0], refs[2]}, Ahead: true})
		require.NoError(t, err)
		require.Empty(t, confirmed.Exceptions)
	}
	require.Len(t, b.store.transitions["txn_0"], 4)
}

// What cannot be done ahead is left to the activity of its stage, which reports it.
func TestWhatFailsAheadIsLeftToItsStage(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(1)
	b := newBundle(fakeEngine{calculate: func(tax.Request) (tax.Result, error) { panic("078-05-1120") }}, transactions...)
	in := StageInput{Refs: refs, Ahead: true}
	result, err := b.run(t, b.processing.VerifyAddresses, in)
	require.NoError(t, err)
	require.Equal(t, StageResult{}, result)
	require.Equal(t, models.ProcessingNexusDone, b.store.records["txn_0"].ProcessingStatus)
	_, err = b.run(t, b.processing.DetermineNexus, in)
	require.NoError(t, err)
	_, err = b.run(t, b.processing.CalculateTax, in)
	require.ErrorContains(t, err, "stage failed: panic")
}
