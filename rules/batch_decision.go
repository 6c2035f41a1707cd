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

// VerdictOf says what a transaction's state means for a batch that wanted to bring it
// to the given stage. Second result false: the stage did not take place, which
// a caller that saw no error must treat as an unexpected failure.
func VerdictOf(s models.StageState, stage models.ProcessingStatus) (models.Verdict, bool) {
	if s.Epoch != s.Ref.Epoch {
		return models.VerdictSuperseded, true
	}
	rank, onPath := stageOrder[s.ProcessingStatus]
	switch {
	case !onPath:
		return models.VerdictEnded, true
	case rank >= stageOrder[stage]:
		return models.VerdictDone, true
	case s.Waiting:
		return models.VerdictWaiting, true
	default:
		return "", false
	}
}
