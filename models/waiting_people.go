package models

import "time"

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
