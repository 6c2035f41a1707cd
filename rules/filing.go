package rules

import (
	"slices"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// FilingPolicy is how an installation treats filings.
type FilingPolicy struct {
	LookbackUnit time.Duration
	// Reminders are the days before the due date on which staff are reminded,
	// descending. The day after it follows automatically.
	Reminders []int
}

// DefaultFilingPolicy is that of the contract.
func DefaultFilingPolicy() FilingPolicy {
	return FilingPolicy{LookbackUnit: 24 * time.Hour, Reminders: []int{10, 5, 1}}
}

// FilingAction is the next action of the workflow of a filing.
type FilingAction string

// Actions.
const (
	FilingWaits    FilingAction = "WAIT"    // until FilingStep.Next, or until the record changes
	FilingApproves FilingAction = "APPROVE" // the time for the automatic approval has come
	FilingResumes  FilingAction = "RESUME"  // the pause is over
	FilingSubmits  FilingAction = "SUBMIT"  // the authority gets it
	FilingLocks    FilingAction = "LOCK"    // it is filed: its transactions are locked
	FilingEnds     FilingAction = "END"
)

// Conditions that a filing can wait for. Staff search by these words.
const (
	WaitsForPeriodEnd    = "PERIOD_END"
	WaitsForAutoApproval = "AUTO_APPROVAL"
	WaitsForApproval     = "APPROVAL"
	WaitsForUnblocking   = "UNBLOCKING"
	WaitsForReturn       = "RETURN" // that is amended
	WaitsForTransactions = "TRANSACTIONS"
	WaitsForResolution   = "RESOLUTION" // of transactions that cannot be processed, or of what a document lacks
	WaitsForResumption   = "RESUMPTION"
	WaitsForAuthority    = "AUTHORITY"
	WaitsForConfirmation = "CONFIRMATION" // that people enter
	WaitsForRetry        = "RETRY"
)

// FilingStep is the next step of a filing.
type FilingStep struct {
	Action FilingAction
	Waits  string        // of WAIT
	Next   time.Duration // until something happens automatically; 0: nothing does
	// Reminders is the number of reminders that are due. If it is more than are recorded, the last of them is sent.
	Reminders int
}

// Overdue reports whether the due day is over: the last reminder says so.
func (s FilingStep) Overdue() bool { return s.Reminders > len(DefaultFilingPolicy().Reminders) }

// NextFilingAction decides what the workflow of a filing does next. A period may be approved when its last day is over everywhere.
// Due dates use the days of the authority's time zone.
func NextFilingAction(w models.FilingFacts, now time.Time, policy FilingPolicy) FilingStep {
	step := FilingStep{Action: FilingWaits}
	switch {
	case w.Status == models.FilingFiled && !w.Locked:
		return FilingStep{Action: FilingLocks, Reminders: w.Reminders}
	case w.Status.Over():
		return FilingStep{Action: FilingEnds, Reminders: w.Reminders}
	}
	next := dueReminders(w, &step, now, policy)
	switch w.Status {
	case models.FilingUnfiled:
		next = append(next, nextOfUnfiled(w, &step, now, policy))
	case models.FilingPaused:
		step.Waits = WaitsForResumption
		if w.PausedUntil != 0 {
			if now.Before(w.PausedUntil.Time()) {
				next = append(next, w.PausedUntil.Time())
			} else {
				step.Action = FilingResumes
			}
		}
	case models.FilingFiling:
		step.Action = FilingSubmits
	case models.FilingIssue:
		step.Waits = WaitsForRetry
	case models.FilingFiled, models.FilingSkipped, models.FilingCancelled:
	}
	next = slices.DeleteFunc(next, time.Time.IsZero)
	if len(next) > 0 {
		step.Next = slices.MinFunc(next, time.Time.Compare).Sub(now)
	}
	return step
}

// nextOfUnfiled sets the action of an UNFILED filing and returns until when it waits; zero if no time ends that.
func nextOfUnfiled(w models.FilingFacts, step *FilingStep, now time.Time, policy FilingPolicy) time.Time {
	ended := w.Period.End.AddDays(1).Time()
	lookback := time.Duration(w.Lookback) * policy.LookbackUnit
	// guard: calendar: an approval by itself comes after the lookback
	automatic := ended.Add(lookback)
	// guard: calendar: a period ends when its last day is over everywhere
	over := models.OverEverywhere(w.Period.End)
	if w.ConvertedOn > w.Period.End { // before, no rate could be known
		automatic = w.ConvertedOn.AddDays(1).Time().Add(lookback)
	}
	if w.LateSince.After(ended) { // late transactions come one after another, and each would need an amendment
		automatic = lateLookback(w, automatic, lookback)
	}
	if automatic.Before(over) {
		automatic = over
	}
	switch {
	case w.BlockApprove:
		step.Waits = WaitsForUnblocking
	case !w.AutoFile || w.Special:
		step.Waits = WaitsForApproval
		if now.Before(over) {
			step.Waits = WaitsForPeriodEnd
			return over
		}
	case w.AmendsUnfiled: // the record changes when its return is filed
		step.Waits = WaitsForReturn
	case now.Before(automatic):
		step.Waits = WaitsForAutoApproval
		return automatic
	default:
		step.Action, step.Waits = FilingApproves, ""
	}
	return time.Time{}
}

// lateLookback returns when a filing is approved automatically that was created for late transactions. otherwise is the
// time for any other filing. The lookback begins with the late transactions. It ends at the latest with the beginning
// of the due day, if that is after otherwise. A due day that was over when they came does not count.
func lateLookback(w models.FilingFacts, otherwise time.Time, lookback time.Duration) time.Time {
	automatic := w.LateSince.Add(lookback)
	if w.Due == 0 {
		return automatic
	}
	zone := authorityZone(w.Country, w.State)
	due, over := beginningOf(w.Due, zone), beginningOf(w.Due.AddDays(1), zone)
	switch {
	case !due.Before(automatic) || !w.LateSince.Before(over):
		return automatic
	case due.Before(otherwise):
		return otherwise
	}
	return due
}

// beginningOf returns the first moment of a day in a zone.
func beginningOf(day calendar.Date, zone *time.Location) time.Time {
	// guard: calendar: a due day lasts as long as it does at its authority
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
}

// dueReminders counts the reminders that are due and returns the moments of the others.
func dueReminders(w models.FilingFacts, step *FilingStep, now time.Time, policy FilingPolicy) []time.Time {
	if w.Due == 0 {
		return nil
	}
	zone := authorityZone(w.Country, w.State)
	var ahead []time.Time
	days := append(slices.Clone(policy.Reminders), -1)
	for i, before := range days {
		at := beginningOf(w.Due.AddDays(-before), zone)
		if at.After(now) {
			ahead = append(ahead, at)
		} else {
			step.Reminders = i + 1
		}
	}
	return ahead
}

// FilingSnapshot is a filing as its workflow last read it, with its next step.
type FilingSnapshot struct {
	models.FilingFacts
	FilingStep
	Reminded string // the event that was recorded: "filing.due_soon" or "filing.overdue"; empty for none
	// Document tells that the document of the attempt is built before it is handed over.
	Document bool `json:",omitempty"`
}

// ReminderEvent returns the event of the n-th reminder, and the days until the due date.
func (r FilingPolicy) ReminderEvent(n int) (event string, days int) {
	if n > len(r.Reminders) {
		return models.EventFilingOverdue, -1
	}
	return models.EventFilingDueSoon, r.Reminders[n-1]
}

// DayOfAuthority returns the day that it is at an authority.
func DayOfAuthority(country, state string, now time.Time) calendar.Date {
	return calendar.DateOf(now.In(authorityZone(country, state)))
}

// authorityZone returns the time zone of an authority.
func authorityZone(country, state string) *time.Location {
	name := calendar.ZoneOf(country, state)
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("time zone " + name + ": " + err.Error()) // embedded in the program
	}
	return zone
}
