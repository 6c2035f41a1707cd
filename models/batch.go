package models

import (
	"time"
)

// Ref identifies one version of a transaction. Workflows pass it instead of content.
type Ref struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"transaction_id"`
	Epoch          int    `json:"epoch"`
}

// Ref returns the reference of the current version of the transaction.
func (t Transaction) Ref() Ref {
	return Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch}
}

// BatchDecision says how one transaction of a batch continues after a stage. It follows from the state found after the
// stage, not from the changes of this attempt, so a repeated attempt decides the same.
type BatchDecision string

// Decisions about a transaction of a batch.
const (
	DecisionDone       BatchDecision = "DONE"       // at this stage or beyond: continues
	DecisionSuperseded BatchDecision = "SUPERSEDED" // a newer epoch exists, or the record is gone: dropped
	DecisionEnded      BatchDecision = "ENDED"      // an end state was set: dropped
	DecisionWaiting    BatchDecision = "WAITING"    // its original has to be processed first: dropped, and due again then
	DecisionFailed     BatchDecision = "FAILED"     // isolated by bisection: dropped, retried later
)

// StageRun identifies the workflow run of a stage, for the journal.
type StageRun struct {
	WorkflowID, RunID string
	Attempt           int
}

// OutboxKind is the type of work of an outbox row.
type OutboxKind int16

// Kinds of work in the outbox.
const (
	OutboxTransaction OutboxKind = 1
)

// RecentFor is how long a transaction counts as recent. One that waits longer yields to recent ones.
const RecentFor = 30 * time.Second

// OutboxRow is pending work. It is written together with the record and deleted in the database transaction that sets
// the record to an end status.
type OutboxRow struct {
	Ref
	BatchID  string // the batch of the transaction; "" if none was started
	Attempts int
	// Background work is processed after transactions that clients sent recently.
	Background bool
	CreatedAt  time.Time
}
