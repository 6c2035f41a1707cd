package models

import "time"

// AuditFilter selects entries of the audit trail; zero values select all.
type AuditFilter struct {
	ObjectID string
	ActorID  string // the id of a key, or the name of staff
	Actions  []string
	Since    time.Time // inclusive
	Until    time.Time // inclusive
	// ObjectTypes are types of records. Without them a cursor is that of the release before.
	ObjectTypes []string `json:",omitempty"`
}

// AuditResult is the result of verifying the audit trail of one organization.
type AuditResult struct {
	OrganizationID string
	Rows           int64  // sealed and unchanged
	Seals          int64  // the number of the last valid seal
	Head           []byte // that seal; empty without one
	// CoveredFrom is the number of the seal from which on every record has its leaf in the ledger; 0 for none.
	CoveredFrom int64
	// Broken is the first fault, in the order of the chain; "" for none.
	Broken string
}

// AuditHead is a seal that was recorded outside the database. It must still be in the chain.
type AuditHead struct {
	Number int64
	Seal   []byte
}
