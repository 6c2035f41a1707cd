package models

import "time"

// TransactionRevision is a version of a transaction that an update replaced.
type TransactionRevision struct {
	Revision   int
	ReplacedAt time.Time
	RequestID  *string  // of the request that replaced it; nil when it is not known
	Changed    []string // fields in which the next version differs
	// Transaction is the version as it stood then, with the customer of today. Lists
	// leave it empty.
	Transaction Transaction
}
