package models

// LedgerResult is the result of comparing the records of one organization with their leaves.
type LedgerResult struct {
	Versions  int64 // accepted versions of transactions that are as they were
	Decisions int64 // decided liabilities in force that are as they were
	Returns   int64 // filed returns that are as they were
	// NotCovered are versions, decisions and returns from before the ledger, which have no leaf yet. FirstNotCovered is one.
	NotCovered      int64
	FirstNotCovered string
	// Broken is the first fault; "" for none.
	Broken string
}
