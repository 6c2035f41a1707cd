package models

import "time"

// AuditFilter selects entries of the audit trail; zero values select all.
type AuditFilter struct {
	ObjectID string
	ActorID  string // of a key, or the name of staff
	Actions  []string
	Since    time.Time // inclusive
	Until    time.Time // inclusive
}

// AuditVerdict is what verifying the audit trail of one organization found.
type AuditVerdict struct {
	OrganizationID string
	Rows           int64  // sealed, and as they were
	Seals          int64  // the number of the last seal that holds
	Head           []byte // that seal; empty without one
	// Broken says what is wrong first, in the order of the chain; empty when nothing is.
	Broken string
}

// AuditHead is a seal that somebody kept outside the database: it must still be in the chain.
type AuditHead struct {
	Number int64
	Seal   []byte
}
