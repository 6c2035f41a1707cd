package models

import "time"

// Types of records with waiting work, as operators name them.
const (
	WaitingTransactions  = "transactions"
	WaitingOnboardings   = "onboardings"
	WaitingRegistrations = "registrations"
	WaitingFilings       = "filings"
	WaitingImports       = "imports"
	WaitingWebhooks      = "webhooks"
	WaitingNexusChanges  = "nexus"
	WaitingSeals         = "seals"      // of the audit trail
	WaitingAmendments    = "amendments" // late transactions without an amendment yet
)

// WaitingOutbox is the accepted work that is not finished.
type WaitingOutbox struct {
	Rows     int64            `json:"rows"`
	Oldest   time.Duration    `json:"-"`
	NotMoved int64            `json:"not_moved"`  // due for a minute, and not taken
	Failing  int64            `json:"struggling"` // with FailingAttempts or more
	Errors   []WaitingFailure `json:"errors"`     // the most frequent first
	Refunds  WaitingOriginal  `json:"refunds"`
}

// WaitingFailure is the number of transactions that failed with the same code.
type WaitingFailure struct {
	Code     string `json:"code"`
	Rows     int64  `json:"rows"`
	Attempts int    `json:"attempts"` // the largest number of one of them
}

// WaitingOriginal are the refunds that wait for their original.
type WaitingOriginal struct {
	Rows   int64         `json:"rows"`
	Oldest time.Duration `json:"-"`
}

// WaitingRecords are the records of a type whose workflow has something to do, or waits.
type WaitingRecords struct {
	Kind     string           `json:"kind"`
	Open     int64            `json:"open"`
	ByStatus map[string]int64 `json:"by_status"`
	NotMoved int64            `json:"not_moved"` // due for a minute, and not taken
	Longest  time.Duration    `json:"-"`         // for how long the first of these has been due
}

// Waiting is all waiting work.
type Waiting struct {
	Outbox  WaitingOutbox    `json:"outbox"`
	Records []WaitingRecords `json:"records"`
	Nexus   WaitingNexus     `json:"nexus"`
	// Recomputed tells how far the open returns of an earlier release are.
	Recomputed Recomputation `json:"recomputed_filings"`
	// Figures tells how far the figures of an earlier release are.
	Figures FigureRun `json:"figures_of_filings"`
}

// Recomputation counts the open returns of an earlier release that were completed since the upgrade, and their
// transactions.
type Recomputation struct {
	Open         int64 `json:"open"` // not completed yet
	Done         int64 `json:"done"`
	Transactions int64 `json:"transactions"` // that were looked at
	Completed    int64 `json:"completed"`    // of these, that have changed
}

// WaitingNexus is the nexus that is not evaluated or applied yet, and the number of repairs.
type WaitingNexus struct {
	Pending   int64         `json:"pending"`   // places with changes that no evaluation has seen
	NotMoved  int64         `json:"not_moved"` // of these, due for a minute, and not evaluated
	Longest   time.Duration `json:"-"`         // for how long the first of these has been due
	Unapplied int64         `json:"unapplied"` // obligations that are not applied to the liability of transactions yet
	Repairs   int64         `json:"repairs"`   // numbers that recounts have corrected so far
}

// WaitingForPeople is the work that waits for people, of all organizations.
type WaitingForPeople struct {
	NeedAttention int64 // transactions that cannot be processed
	ToApprove     int64 // filings whose period has ended and that are not approved
	ToFile        int64 // filings that people file with the authority themselves
	InIssue       int64 // filings that an authority has rejected, or did not accept
	Overdue       int64 // filings whose due date has passed
	Onboardings   map[int]OnboardingsAtStep
}

// OnboardingsAtStep are the onboardings in progress with the same next step.
type OnboardingsAtStep struct {
	Number int64
	Oldest time.Duration // since the last progress
}

// Status is the status of the whole installation, as text.
type Status struct {
	Lines  []StatusLine
	Advice []string // the tasks for a person, the cause before its effects
	Alarms []Alarm
	// AlarmsElsewhere are the names of alarms on changes of figures, which only Prometheus knows.
	AlarmsElsewhere []string
}

// Alarm is an alarm of docs/operations/alarms.yml whose condition is true.
type Alarm struct {
	Name     string `json:"name"`
	Severity string `json:"severity"` // page or ticket
	Summary  string `json:"summary"`
	After    string `json:"after"`   // how long the condition must be true until it fires, as in Prometheus
	Runbook  string `json:"runbook"` // the address of its entry
	Entry    string `json:"-"`       // the entry, in Markdown
}

// StatusLine is the status of one part. A line without a subject continues the previous one.
type StatusLine struct{ Subject, Text string }
