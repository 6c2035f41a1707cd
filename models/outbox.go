package models

import "time"

// OutboxKind says what an outbox row asks the workflow engine to carry on with.
type OutboxKind int16

// Kinds of work in the outbox.
const (
	OutboxTransaction OutboxKind = 1
)

// OutboxRow is a promise of work: it is written together with the record and
// goes away in the database transaction that brings the record to an end state.
type OutboxRow struct {
	Ref
	BatchID   string // the batch that carries it; empty if none was started
	Attempts  int
	WaitsFor  string // the transaction that has to be processed first; empty if none
	CreatedAt time.Time
}
