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
)

// WaitingOutbox is the accepted work that is not finished.
type WaitingOutbox struct {
	Rows       int64            `json:"rows"`
	Oldest     time.Duration    `json:"-"`
	NotMoved   int64            `json:"not_moved"`  // due for a minute, and nobody took them
	Struggling int64            `json:"struggling"` // tried ten times or more
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
}

// WaitingForPeople is how much waits for people, of all organizations.
type WaitingForPeople struct {
	NeedAttention int64 // transactions that cannot be processed
	ToApprove     int64 // filings whose period has ended, and that nobody has approved
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
}

// StatusLine says how one part is; the subject of a line that goes on with the one before is empty.
type StatusLine struct{ Subject, Text string }
