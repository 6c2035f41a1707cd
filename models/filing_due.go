package models

import (
	"encoding/json"
	"time"

	"levy/tax/money"
)

// DueFiling is a filing in a list across organizations.
type DueFiling struct {
	Filing
	OrganizationName *string
	// Lacking is what its registration and its organization lack for it, by Wants of the filter.
	Lacking []string
}

// RegistrationFields returns the texts and numbers among the fields of a registration that are for its authority alone.
func RegistrationFields(stored []byte) map[string]string {
	var values map[string]json.RawMessage
	if json.Unmarshal(stored, &values) != nil {
		return nil // there are none
	}
	fields := map[string]string{}
	for name, value := range values {
		if text, ok := TextOfField(value); ok && text != "" {
			fields[name] = text
		}
	}
	return fields
}

// TextOfField returns the text of a field, also of a number; false for one that is something else. Of null it is empty.
func TextOfField(raw json.RawMessage) (text string, ok bool) {
	var number json.Number
	switch {
	case json.Unmarshal(raw, &text) == nil:
	case json.Unmarshal(raw, &number) == nil:
		text = number.String()
	default:
		return "", false
	}
	return text, true
}

// DueFilter selects filings that have a due date. Empty parts select all.
type DueFilter struct {
	Statuses       []FilingStatus
	States         []string
	Countries      []string
	OrganizationID string
	From, Until    time.Time // due on these days or between them
	Money          bool      // also what open filings need
	Wants          ReturnWants
	// After selects filings that follow a position in the order by due day. A list with it has no counts.
	After *DuePosition
}

// DuePosition is the place of a filing in the list by due day.
type DuePosition struct {
	Due                time.Time
	OrganizationID, ID string
}

// Position returns the place of the filing in the list by due day.
func (f *DueFiling) Position() *DuePosition { return &DuePosition{*f.DueDate, f.OrganizationID, f.ID} }

// MostSummed is the most waiting filings in a list by amount, because each is summed up for it.
const MostSummed = 20_000

// longestCalendar is the most days for which filings are counted by day.
const longestCalendar = 62

// IsCalendar reports whether the filter has so few days that filings are counted by day.
func (f DueFilter) IsCalendar() bool {
	return !f.From.IsZero() && !f.Until.IsZero() && f.Until.Sub(f.From) < longestCalendar*24*time.Hour
}

// LiveReturn is the current state of a waiting filing.
type LiveReturn struct {
	Amount     string
	Unresolved int // transactions that may belong to it and must be corrected first
}

// DueCount is the number of filings with a status that are due on a day.
type DueCount struct {
	Due    time.Time
	Status FilingStatus
	Count  int64
}

// DueMoney is what open filings that are due on a day need in a currency.
type DueMoney struct {
	Due      time.Time
	Currency string
	Count    int64
	Amount   money.Total
}

// DueList is a page of filings across organizations, with the counts by day if the filter is a calendar.
type DueList struct {
	List[DueFiling]
	Counts []DueCount
	Money  []DueMoney
}

// The reasons why a filing waits.
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

// WaitsFor returns why a filing waits; "" for one that is over.
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
