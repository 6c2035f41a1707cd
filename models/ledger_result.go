package models

// LedgerResult is the result of comparing the records of one organization with their leaves.
type LedgerResult struct {
	Versions  int64 // accepted versions of transactions that are as they were
	Decisions int64 // decided liabilities in force that are as they were
	Returns   int64 // filed returns that are as they were
	// Undecided are transactions without a liability in force.
	Undecided int64
	// NotCovered are versions, decisions and returns of an earlier release that have no leaf. FirstNotCovered is one.
	NotCovered      int64
	FirstNotCovered string
	// Broken is the first fault; "" for none.
	Broken string
}

// LedgerCoverage tells how far the records of an earlier release have their leaf.
type LedgerCoverage struct {
	Open          bool  `json:"open"` // records of an earlier release may have none
	Organizations int64 `json:"organizations"`
	Covered       int64 `json:"covered"`      // of these organizations, those whose records all have theirs
	Transactions  int64 `json:"transactions"` // seen
}
