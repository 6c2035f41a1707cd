package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestTheDecisionAboutATransactionOfABatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		epoch   int
		status  models.ProcessingStatus
		waiting bool
		stage   models.ProcessingStatus
		want    models.BatchDecision // empty: the stage was not completed
	}{
		"reached the stage": {
			epoch: 3, status: models.ProcessingAddressDone, stage: models.ProcessingAddressDone, want: models.DecisionDone,
		},
		"has passed it already": {
			epoch: 3, status: models.ProcessingProcessed, stage: models.ProcessingAddressDone, want: models.DecisionDone,
		},
		"claimed by a filing meanwhile": {
			epoch: 3, status: models.ProcessingLocked, stage: models.ProcessingProcessed, want: models.DecisionDone,
		},
		"changed meanwhile": {
			epoch: 4, status: models.ProcessingUpdated, stage: models.ProcessingAddressDone, want: models.DecisionSuperseded,
		},
		"changed and processed meanwhile": {
			epoch: 4, status: models.ProcessingProcessed, stage: models.ProcessingAddressDone, want: models.DecisionSuperseded,
		},
		"gone": {
			epoch: 0, status: "", stage: models.ProcessingAddressDone, want: models.DecisionSuperseded,
		},
		"not to be processed": {
			epoch: 3, status: models.ProcessingPending, stage: models.ProcessingAddressDone, want: models.DecisionEnded,
		},
		"without a conversion rate": {
			epoch: 3, status: models.ProcessingNeedsRefetch, stage: models.ProcessingProcessed, want: models.DecisionEnded,
		},
		"archived": {
			epoch: 3, status: models.ProcessingArchived, stage: models.ProcessingProcessed, want: models.DecisionEnded,
		},
		"waiting for its original": {
			epoch: 3, status: models.ProcessingQueued, waiting: true, stage: models.ProcessingAddressDone,
			want: models.DecisionWaiting,
		},
		"processed although it waited": {
			epoch: 3, status: models.ProcessingProcessed, waiting: true, stage: models.ProcessingProcessed,
			want: models.DecisionDone,
		},
		"not advanced": {
			epoch: 3, status: models.ProcessingExemptDone, stage: models.ProcessingNexusDone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := models.StageState{
				Ref: models.Ref{Epoch: 3}, Epoch: c.epoch, ProcessingStatus: c.status, Waiting: c.waiting,
			}
			decision, happened := BatchDecisionOf(state, c.stage)
			require.Equal(t, c.want, decision)
			require.Equal(t, c.want != "", happened)
		})
	}
}
