package rules

import (
	"levy/models"
)

// stageOrder ranks the states of the normal path.
var stageOrder = map[models.ProcessingStatus]int{
	models.ProcessingNew: 0, models.ProcessingUpdated: 0, models.ProcessingQueued: 0,
	models.ProcessingAddressDone: 1, models.ProcessingExemptDone: 2, models.ProcessingNexusDone: 3,
	models.ProcessingProcessed:     4,
	models.ProcessingFilingStarted: 5, models.ProcessingFilingDone: 6, models.ProcessingLocked: 7,
}

// BatchDecisionOf decides how a transaction continues in a batch that was to bring it to a stage. ok is false if the
// stage did not take place. A caller that saw no error must treat that as an unexpected failure.
func BatchDecisionOf(s models.StageState, stage models.ProcessingStatus) (decision models.BatchDecision, ok bool) {
	if s.Epoch != s.Ref.Epoch {
		return models.DecisionSuperseded, true
	}
	rank, onPath := stageOrder[s.ProcessingStatus]
	switch {
	case !onPath:
		return models.DecisionEnded, true
	case rank >= stageOrder[stage]:
		return models.DecisionDone, true
	case s.Waiting:
		return models.DecisionWaiting, true
	default:
		return "", false
	}
}
