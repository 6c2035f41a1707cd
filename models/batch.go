package models

// Ref names one version of a transaction: what travels through workflows instead
// of content.
type Ref struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"transaction_id"`
	Epoch          int    `json:"epoch"`
}

// Verdict is what a stage says of one transaction of its batch. It is derived
// from the state found after the stage, not from what this attempt moved, so a
// repeated attempt gives the same verdicts.
type Verdict string

// Verdicts.
const (
	VerdictDone       Verdict = "DONE"       // at this stage or beyond: goes on
	VerdictSuperseded Verdict = "SUPERSEDED" // a newer epoch exists, or the record is gone: dropped
	VerdictEnded      Verdict = "ENDED"      // an end state was set: dropped
	VerdictWaiting    Verdict = "WAITING"    // its original has to be processed first: dropped, and due again then
	VerdictFailed     Verdict = "FAILED"     // isolated by bisection: dropped, retried later
)

// StageRun says which run of which workflow performs a stage, for the journal.
type StageRun struct {
	WorkflowID, RunID string
	Attempt           int
}
