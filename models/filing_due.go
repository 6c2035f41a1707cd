package models

import "time"

// DueFiling is a filing in a list over organizations.
type DueFiling struct {
	Filing
	OrganizationName *string
}

// DueFilter selects filings that have a due date. Empty parts select all.
type DueFilter struct {
	Statuses       []FilingStatus
	States         []string
	Countries      []string
	OrganizationID string
	From, Until    time.Time // due on these days or between them
}

// MostSummed is of how many filings that wait a list is sorted by amount: each is added up for it.
const MostSummed = 20_000

// longestCalendar is for how many days at once filings are counted by day.
const longestCalendar = 62

// IsCalendar reports whether the filter names so few days that each is counted.
func (f DueFilter) IsCalendar() bool {
	return !f.From.IsZero() && !f.Until.IsZero() && f.Until.Sub(f.From) < longestCalendar*24*time.Hour
}

// LiveReturn is how a filing that waits stands now.
type LiveReturn struct {
	Amount     string
	Unresolved int // transactions that may belong to it and have to be corrected first
}

// DueCount is how many filings with a status are due on a day.
type DueCount struct {
	Due    time.Time
	Status FilingStatus
	Count  int64
}

// DueList is a page of filings over organizations, with the numbers of each day where the
// filter is a calendar.
type DueList struct {
	List[DueFiling]
	Counts []DueCount
}

// What a filing waits for.
const (
	WaitsForPeriodEnd    = "PERIOD_END"
	WaitsForUnblocking   = "UNBLOCKING"
	WaitsForProcessing   = "PROCESSING"
	WaitsForCorrection   = "CORRECTION"
	WaitsForApproval     = "APPROVAL"
	WaitsForAuthority    = "AUTHORITY"
	WaitsForConfirmation = "CONFIRMATION" // people file it, and enter the confirmation
	WaitsForDecision     = "DECISION"
	WaitsForResumption   = "RESUMPTION"
)

// WaitsFor is what a filing waits for before it goes on; empty for one that is over.
func (f Filing) WaitsFor() string {
	switch f.Status {
	case FilingPaused:
		return WaitsForResumption
	case FilingFiling:
		if f.Manual() != nil {
			return WaitsForConfirmation
		}
		return WaitsForAuthority
	case FilingIssue:
		return WaitsForDecision
	case FilingUnfiled:
	default:
		return ""
	}
	switch {
	case f.periodOpen():
		return WaitsForPeriodEnd
	case f.BlockApproval:
		return WaitsForUnblocking
	case f.Unresolved.Transactions > 0:
		return WaitsForCorrection
	case f.Pending > 0:
		return WaitsForProcessing
	}
	return WaitsForApproval
}
