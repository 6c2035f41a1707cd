package models

import (
	"slices"
	"time"

	"levy/tax"
)

// FilingWatch is what decides how a filing goes on by itself, as its records stand.
type FilingWatch struct {
	Status       FilingStatus
	Period       tax.Period
	Due          tax.Date // zero: none is known
	PausedUntil  tax.Date // zero: until somebody resumes it
	BlockApprove bool
	AutoFile     bool // the organization lets returns be approved by themselves
	Special      bool // but not this one, by its settings
	Lookback     int  // units from the end of the period to the automatic approval
	Attempt      int  // the submission that is or was under way; 0 before the first
	Country      string
	State        string
	Reminders    int    `json:"-"` // how many of the reminders before Due, and of its passing, were noted; a step says how many are due
	Reason       string // of an ISSUE
	Locked       bool   // of a FILED one: its report is stored, its transactions are locked
}

// FilingRules are how an installation treats filings.
type FilingRules struct {
	LookbackUnit time.Duration
	// Reminders are the days before the due date on which staff are reminded,
	// descending; the day after it follows by itself.
	Reminders []int
}

// DefaultFilingRules are those of the contract.
func DefaultFilingRules() FilingRules {
	return FilingRules{LookbackUnit: 24 * time.Hour, Reminders: []int{10, 5, 1}}
}

// FilingAction is what the workflow of a filing does next.
type FilingAction string

// Actions.
const (
	FilingWaits    FilingAction = "WAIT"    // until FilingStep.Next, or until somebody changes the record
	FilingApproves FilingAction = "APPROVE" // the time for the automatic approval has come
	FilingResumes  FilingAction = "RESUME"  // the pause is over
	FilingSubmits  FilingAction = "SUBMIT"  // the authority gets it
	FilingLocks    FilingAction = "LOCK"    // it is filed: its transactions are locked
	FilingEnds     FilingAction = "END"
)

// What a filing can wait for, in the words that staff search by.
const (
	WaitsForPeriodEnd    = "PERIOD_END"
	WaitsForAutoApproval = "AUTO_APPROVAL"
	WaitsForApproval     = "APPROVAL"
	WaitsForUnblocking   = "UNBLOCKING"
	WaitsForTransactions = "TRANSACTIONS"
	WaitsForResumption   = "RESUMPTION"
	WaitsForAuthority    = "AUTHORITY"
	WaitsForConfirmation = "CONFIRMATION" // to be entered by hand
	WaitsForRetry        = "RETRY"
)

// FilingStep says how a filing goes on.
type FilingStep struct {
	Action FilingAction
	Waits  string        // of WAIT
	Next   time.Duration // until something happens by itself; 0: nothing does
	// Reminders is how many of the reminders are due by now; the last of them is sent
	// when it is more than were noted.
	Reminders int
}

// Step decides how the filing goes on at a moment. Approval goes by days in UTC, as
// the contract has it; the due date by days where the authority sits.
func (w FilingWatch) Step(now time.Time, rules FilingRules) FilingStep {
	step := FilingStep{Action: FilingWaits}
	switch {
	case w.Status == FilingFiled && !w.Locked:
		return FilingStep{Action: FilingLocks, Reminders: w.Reminders}
	case w.Status.Over():
		return FilingStep{Action: FilingEnds, Reminders: w.Reminders}
	}
	next := w.remind(&step, now, rules)
	switch w.Status {
	case FilingUnfiled:
		next = append(next, w.unfiled(&step, now, rules))
	case FilingPaused:
		step.Waits = WaitsForResumption
		if w.PausedUntil != 0 {
			if now.Before(w.PausedUntil.Time()) {
				next = append(next, w.PausedUntil.Time())
			} else {
				step.Action = FilingResumes
			}
		}
	case FilingFiling:
		step.Action = FilingSubmits
	case FilingIssue:
		step.Waits = WaitsForRetry
	case FilingFiled, FilingSkipped, FilingCancelled:
	}
	next = slices.DeleteFunc(next, time.Time.IsZero)
	if len(next) > 0 {
		step.Next = slices.MinFunc(next, time.Time.Compare).Sub(now)
	}
	return step
}

// unfiled says what an UNFILED filing waits for, and until when.
func (w FilingWatch) unfiled(step *FilingStep, now time.Time, rules FilingRules) time.Time {
	ended := w.Period.End.AddDays(1).Time()
	automatic := ended.Add(time.Duration(w.Lookback) * rules.LookbackUnit)
	switch {
	case w.BlockApprove:
		step.Waits = WaitsForUnblocking
	case !w.AutoFile || w.Special:
		step.Waits = WaitsForApproval
		if now.Before(ended) {
			step.Waits = WaitsForPeriodEnd
			return ended
		}
	case now.Before(automatic):
		step.Waits = WaitsForAutoApproval
		return automatic
	default:
		step.Action, step.Waits = FilingApproves, ""
	}
	return time.Time{}
}

// remind counts the reminders that are due and returns the moments of the others.
func (w FilingWatch) remind(step *FilingStep, now time.Time, rules FilingRules) []time.Time {
	if w.Due == 0 {
		return nil
	}
	zone := AuthorityZone(w.Country, w.State)
	var ahead []time.Time
	days := append(slices.Clone(rules.Reminders), -1)
	for i, before := range days {
		day := w.Due.AddDays(-before)
		at := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
		if at.After(now) {
			ahead = append(ahead, at)
		} else {
			step.Reminders = i + 1
		}
	}
	return ahead
}

// FilingLook is what a look at a filing found, and did.
type FilingLook struct {
	FilingWatch
	FilingStep
	Reminded string // the event that was noted: "filing.due_soon" or "filing.overdue"; empty for none
}

// FilingDue is a filing whose workflow is to be started, or told that the record has
// changed.
type FilingDue struct {
	OrganizationID string
	ID             string
	Category       tax.FilingCategory
	Leased         time.Time // until when nobody else gets it
	FilingWatch              // as the record stood when it was leased, or later
}

// Events of the calendar of a filing.
const (
	EventFilingDueSoon = "filing.due_soon"
	EventFilingOverdue = "filing.overdue"
)

// ReminderEvent is the event of the n-th reminder, and the days until the due date.
func (r FilingRules) ReminderEvent(n int) (event string, days int) {
	if n > len(r.Reminders) {
		return EventFilingOverdue, -1
	}
	return EventFilingDueSoon, r.Reminders[n-1]
}

// FilingMove is a change of status at the wish of staff, from the Temporal UI.
type FilingMove struct {
	To     FilingStatus `json:"to"`
	By     string       `json:"by,omitempty"`     // who approves
	Until  tax.Date     `json:"until,omitempty"`  // of a pause; zero: until it is resumed
	Reason string       `json:"reason,omitempty"` // of SKIPPED and CANCELLED
}

// AuthorityZone is where the days of an authority begin and end.
func AuthorityZone(country, state string) *time.Location {
	name := tax.ZoneOf(country, state)
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("time zone " + name + ": " + err.Error()) // embedded in the program
	}
	return zone
}
