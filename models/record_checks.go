package models

// RecordKind is a kind of records that a check of some of them is about.
type RecordKind string

// The kinds of records.
const (
	RecordTransactions RecordKind = "TRANSACTIONS" // and what is derived from them
	RecordReturns      RecordKind = "RETURNS"
	RecordOrganization RecordKind = "ORGANIZATION" // registrations, onboarding and keys of one
	RecordDays         RecordKind = "DAYS"         // sums of nexus
	RecordSeals        RecordKind = "SEALS"        // of the audit trail
	RecordFigures      RecordKind = "FIGURES"      // of the first page
)

// RecordViolation is a record that violates a rule. Record begins with its id.
type RecordViolation struct {
	Rule   string
	Record string
}

// ChangedRecords are the records of some events.
type ChangedRecords struct {
	Transactions []string
	Returns      []string
}

// TrailHolds is the rule that an audit trail keeps.
const TrailHolds = "the audit trail is as it was sealed"

// SealSlice is a part of the chain of seals of an organization that was verified.
type SealSlice struct {
	Through     int64  // the last valid seal
	CoveredFrom int64  // the seal from which on the ledger covers the organization; 0 for none yet
	Done        bool   // there are no more seals
	Broken      string // the first fault; "" for none
}

// RecordViolations says what checks found and have not found to be right since.
type RecordViolations struct {
	Open     int64    `json:"open"`
	Examples []string `json:"examples"` // some of them
}
