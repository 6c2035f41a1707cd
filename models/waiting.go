package models

import "time"

// Kinds of records whose work waits, as operators name them.
const (
	WaitingTransactions  = "transactions"
	WaitingOnboardings   = "onboardings"
	WaitingRegistrations = "registrations"
	WaitingFilings       = "filings"
	WaitingImports       = "imports"
	WaitingWebhooks      = "webhooks"
	WaitingNexusChanges  = "nexus"
	WaitingSeals         = "seals"      // of the audit trail
	WaitingAmendments    = "amendments" // transactions that came late, and no amendment has yet
)

// WaitingOutbox is the accepted work that is not finished.
type WaitingOutbox struct {
	Rows       int64            `json:"rows"`
	Oldest     time.Duration    `json:"-"`
	NotMoved   int64            `json:"not_moved"`  // due for a minute, and nobody took them
	Struggling int64            `json:"struggling"` // tried FailingAttempts times or more
	Errors     []WaitingFailure `json:"errors"`     // the most frequent first
	Refunds    WaitingOriginal  `json:"refunds"`
}

// WaitingFailure is how many transactions were set aside with the same code.
type WaitingFailure struct {
	Code     string `json:"code"`
	Rows     int64  `json:"rows"`
	Attempts int    `json:"attempts"` // the most of one of them
}

// WaitingOriginal are the refunds that wait for their original.
type WaitingOriginal struct {
	Rows   int64         `json:"rows"`
	Oldest time.Duration `json:"-"`
}

// WaitingRecords are the records of a kind for which a workflow has something to do, or
// waits.
type WaitingRecords struct {
	Kind     string           `json:"kind"`
	Open     int64            `json:"open"`
	ByStatus map[string]int64 `json:"by_status"`
	NotMoved int64            `json:"not_moved"` // due for a minute, and nobody took them
	Longest  time.Duration    `json:"-"`         // for how long the first of these is due
}

// Waiting is all that waits.
type Waiting struct {
	Outbox  WaitingOutbox    `json:"outbox"`
	Records []WaitingRecords `json:"records"`
	Nexus   WaitingNexus     `json:"nexus"`
}

// WaitingNexus is what of nexus is not evaluated or applied yet, and what was found wrong.
type WaitingNexus struct {
	Pending   int64         `json:"pending"`   // places where something changed that no evaluation has seen
	NotMoved  int64         `json:"not_moved"` // of these, due for a minute, and nobody evaluates them
	Longest   time.Duration `json:"-"`         // for how long the first of these is due
	Unapplied int64         `json:"unapplied"` // obligations that the liability of transactions does not follow yet
	Repairs   int64         `json:"repairs"`   // numbers that recounts have put right, ever
}

// WaitingForPeople is how much waits for people, of all organizations.
type WaitingForPeople struct {
	NeedAttention int64 // transactions that cannot be processed
	ToApprove     int64 // filings whose period has ended, and that nobody has approved
	ToFile        int64 // filings that people file with the authority by themselves
	InIssue       int64 // filings that an authority has rejected, or did not take
	Overdue       int64 // filings whose due date has passed
	Onboardings   map[int]OnboardingsAtStep
}

// OnboardingsAtStep are the onboardings under way whose next step is the same.
type OnboardingsAtStep struct {
	Number int64
	Oldest time.Duration // since the last progress
}

// Status is what there is to know about the whole installation, in words.
type Status struct {
	Lines  []StatusLine
	Advice []string // what needs a person, the cause before what follows from it
	Alarms []Alarm
	// AlarmsElsewhere are the names of those that follow from how figures changed, which only Prometheus knows.
	AlarmsElsewhere []string
}

// Alarm is one of docs/operations/alarms.yml whose condition is true.
type Alarm struct {
	Name     string `json:"name"`
	Severity string `json:"severity"` // page or ticket
	Summary  string `json:"summary"`
	After    string `json:"after"`   // for how long the condition has to be true until it fires, as Prometheus says it
	Runbook  string `json:"runbook"` // where its entry is
	Entry    string `json:"-"`       // the entry, in Markdown
}

// StatusLine says how one part is; the subject of a line that goes on with the one before is empty.
type StatusLine struct{ Subject, Text string }
