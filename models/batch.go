package models

import (
	"time"
)

// Ref names one version of a transaction: what travels through workflows instead
// of content.
type Ref struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"transaction_id"`
	Epoch          int    `json:"epoch"`
}

// Ref names the present version of the transaction.
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

// StageRun says which run of which workflow performs a stage, for the journal.
type StageRun struct {
	WorkflowID, RunID string
	Attempt           int
}

// OutboxKind says what an outbox row asks the workflow engine to carry on with.
type OutboxKind int16

// Kinds of work in the outbox.
const (
	OutboxTransaction OutboxKind = 1
)

// SentFor is how long a transaction counts as recent: one that still waits after it yields to recent ones.
const SentFor = 30 * time.Second

// OutboxRow is pending work: it is written together with the record and
// goes away in the database transaction that brings the record to an end state.
type OutboxRow struct {
	Ref
	BatchID  string // the batch that carries it; empty if none was started
	Attempts int
	// Background work is processed after transactions that clients sent recently.
	Background bool
	CreatedAt  time.Time
}
