package faults_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The four stages, as the journal calls them.
var stages = []string{"ADDRESS_DONE", "EXEMPT_DONE", "NEXUS_DONE", "PROCESSED"}

// The worker dies in every stage of one batch, before the stage's commit.
func TestWorkerKilledBeforeEveryStageCommit(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start()
	accept(t, bed, ledger, 1)
	for i := range stages {
		failpoints := "before_stage_commit=kill"
		if i > 0 {
			failpoints = "before_stage_commit=skip*1,kill" // the stage at which the last one died comes first
		}
		bed.Worker.Launch(failpoints) // it may die before it is ready
		bed.Worker.WaitKilled()
		require.Equal(t, i, bed.Count("SELECT count(*) FROM transaction_stages"), "nothing of the stage was done")
		requireInvariants(t, bed, moment{ledger: ledger})
	}
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
	require.Equal(t, len(stages), bed.Count("SELECT count(*) FROM transaction_stages WHERE attempt > 1"),
		"every stage was tried again")
	waitForRuns(t, bed, 1)
}

// The number of the attempt that did the work is no measure of repeats: a task that
// was handed to a dying worker is tried again without ever having begun.
const journalOfStages = "SELECT seq, stage, at, attempt, detail FROM transaction_stages ORDER BY seq"

// The worker dies in every stage of one batch, after the stage's commit and before
// Temporal is notified.
func TestWorkerKilledAfterEveryStageCommit(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start()
	accept(t, bed, ledger, 1)
	journal := []map[string]any{}
	for i := range stages {
		failpoints := "after_stage_commit=kill"
		if i > 0 {
			failpoints = "after_stage_commit=skip*1,kill" // the repeated stage changes nothing and returns DONE
		}
		bed.Worker.Launch(failpoints) // it may die before it is ready
		bed.Worker.WaitKilled()
		grown := bed.Rows(journalOfStages)
		require.Len(t, grown, i+1, "the stage was done")
		require.Equal(t, journal, grown[:i:i], "no repeat changed anything")
		journal = grown
		requireInvariants(t, bed, moment{ledger: ledger})
	}
	require.Zero(t, bed.Count("SELECT count(*) FROM outbox"), "the outbox row is deleted with the last stage")
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
	require.Equal(t, journal, bed.Rows(journalOfStages), "no repeat changed anything")
	waitForRuns(t, bed, 1)
}

// A stage whose effects are committed but whose caller gets a timeout, or an error that no outage explains, is repeated
// without effect.
func TestLostReplyOfAStageIsRepeatedWithoutEffect(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"timeout", "error"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			bed, ledger := crashing(t)
			bed.API.Start()
			bed.Worker.Start(fmt.Sprintf("after_stage_commit=%[1]s*1,skip*1,%[1]s*2", what))
			accept(t, bed, ledger, 1)
			requireOnce(t, bed, ledger, 1, nil)
			require.Equal(t, 3, bed.Worker.Logged("failpoint after_stage_commit: "+what))
		})
	}
}
