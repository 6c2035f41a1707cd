package models

import (
	"fmt"
	"time"
)

// OnboardingStatus is the state of an organization's onboarding.
type OnboardingStatus string

// Onboarding states. A root organization starts NOT_STARTED, a client IN_PROGRESS.
const (
	OnboardingNotStarted OnboardingStatus = "NOT_STARTED"
	OnboardingInProgress OnboardingStatus = "IN_PROGRESS"
	OnboardingCompleted  OnboardingStatus = "COMPLETED"
	OnboardingCancelled  OnboardingStatus = "CANCELLED"
	OnboardingExpired    OnboardingStatus = "EXPIRED"
	OnboardingFailed     OnboardingStatus = "FAILED"
)

// Undone reports whether an onboarding with this status is undone: no more calls are accepted, and its steps are
// undone.
func (s OnboardingStatus) Undone() bool {
	return s == OnboardingCancelled || s == OnboardingExpired || s == OnboardingFailed
}

// The steps of an onboarding, in their order.
const (
	StepOrganization = 1 + iota
	StepAPIKey
	StepBusinessDetails
	StepBusinessAddress
	StepBusinessInformation
	StepBusinessContact
	StepBusinessOwners
	StepBankDetails

	LastStep = StepBankDetails
)

// OnboardingStep describes one of the steps.
type OnboardingStep struct {
	Number int
	Name   string // of the contract
	Title  string // for people
	Path   string // of the call of the step
}

// OnboardingSteps are all steps in their order.
var OnboardingSteps = [LastStep]OnboardingStep{
	{StepOrganization, "ORGANIZATION", "organization", "/v1/organizations"},
	{StepAPIKey, "API_KEY", "API key", "/v1/organizations/api_keys"},
	{StepBusinessDetails, "BUSINESS_DETAILS", "business details", "/v1/organization_details/business_details"},
	{StepBusinessAddress, "BUSINESS_ADDRESS", "business address", "/v1/organization_details/business_address"},
	{
		StepBusinessInformation, "BUSINESS_INFORMATION", "business information",
		"/v1/organization_details/business_information",
	},
	{StepBusinessContact, "BUSINESS_CONTACT", "business contact", "/v1/organization_details/business_contact"},
	{StepBusinessOwners, "BUSINESS_OWNERS", "business owners", "/v1/organization_details/business_owners"},
	{StepBankDetails, "BANK_DETAILS", "bank details", "/v1/bank_details"},
}

// StepOf returns the step of a number from 1 to LastStep.
func StepOf(number int) OnboardingStep { return OnboardingSteps[number-1] }

// Onboarding is the progress of the onboarding of an organization. It is the pending work of the workflow:
// a lost workflow is started again from it.
type Onboarding struct {
	OrganizationID         string `gorm:"primaryKey"`
	Status                 OnboardingStatus
	Completed              int   // the steps 1 to Completed are done
	Version                int64 // rises with every change
	Reason                 *string
	CompensationStartedAt  *time.Time
	CompensationFinishedAt *time.Time
	Reminders              int
	RemindedAt             *time.Time
	NextCheckAt            *time.Time
	CreatedAt              time.Time
	UpdatedAt              time.Time

	Steps []OnboardingStepRecord `gorm:"foreignKey:OrganizationID"` // the steps that were begun
	// ProgressAt is the time of the last accepted write of the organization.
	ProgressAt time.Time `gorm:"-"`
	// OrganizationName is the name of the organization, nil for none.
	OrganizationName *string `gorm:"-"`
	// Root means that the organization has no parent, so nothing expires.
	Root bool `gorm:"-"`
	// Unlimited means that the settings disable reminders and expiry.
	Unlimited bool `gorm:"-"`
}

// Next returns the next step; 0 for none.
func (o Onboarding) Next() int {
	if o.Completed >= LastStep || o.Status != OnboardingInProgress && o.Status != OnboardingNotStarted {
		return 0
	}
	return o.Completed + 1
}

// Since returns when the onboarding reached its current state: its next step, its completion or its end.
func (o Onboarding) Since() time.Time {
	if o.CompensationStartedAt != nil {
		return *o.CompensationStartedAt
	}
	for _, step := range o.Steps {
		switch {
		case step.Number == o.Completed+1:
			return step.StartedAt
		case o.Completed == LastStep && step.Number == LastStep && step.CompletedAt != nil:
			return *step.CompletedAt
		}
	}
	return o.CreatedAt
}

// Undoing returns the newest completed step that is not undone yet, while an onboarding is undone; 0 for none.
func (o Onboarding) Undoing() int {
	newest := 0
	for _, step := range o.Steps {
		if o.Status.Undone() && step.CompletedAt != nil && step.CompensatedAt == nil {
			newest = max(newest, step.Number)
		}
	}
	return newest
}

// Expires reports whether the onboarding ends automatically without progress.
func (o Onboarding) Expires() bool {
	return o.Status == OnboardingInProgress && !o.Root && !o.Unlimited
}

// OnboardingStepRecord is the record of one step.
type OnboardingStepRecord struct {
	OrganizationID string `gorm:"primaryKey"`
	Number         int    `gorm:"primaryKey"`
	StartedAt      time.Time
	CompletedAt    *time.Time
	CompensatedAt  *time.Time
	Attempts       int // calls that were accepted
	Refused        int // calls that were refused because of their fields
	Error          *string
	// Errors are the faults of the last refused call, until one is accepted.
	Errors       []StepFault `gorm:"serializer:json"`
	SubmissionID *string
}

// StepFault is the fault of one field of a step, without its value.
type StepFault struct {
	Code     string `json:"code"`
	Location string `json:"location"` // the path in the contract, such as body.business_phone
	Message  string `json:"message"`
}

// TableName returns the plural of the step.
func (OnboardingStepRecord) TableName() string { return "onboarding_steps" }

// OnboardingList is a page of onboardings, with counts of those that pass the filter without status and step.
type OnboardingList struct {
	List[Onboarding]
	Counts []OnboardingCount
}

// OnboardingCount is the number of onboardings with a status and a next step.
type OnboardingCount struct {
	Status OnboardingStatus
	Next   int // 0 for none
	Count  int64
	Long   int64 // since OnboardingFilter.Long or before
}

// OnboardingRules are the times for an onboarding without progress.
type OnboardingRules struct {
	Reminders []time.Duration // ascending
	Expiry    time.Duration
}

// DefaultOnboardingRules returns the times of the contract.
func DefaultOnboardingRules() OnboardingRules {
	const day = 24 * time.Hour
	return OnboardingRules{Reminders: []time.Duration{7 * day, 23 * day}, Expiry: 30 * day}
}

// OnboardingEnd is the reason why an onboarding ends before its completion.
type OnboardingEnd struct {
	Status OnboardingStatus // CANCELLED, EXPIRED or FAILED
	Reason string           // for staff, without data of clients
	Step   int              // the failed step; 0 for none
	Actor  Actor
}

// ProgressCheck is the result of a check of an onboarding without progress.
type ProgressCheck struct {
	Status    OnboardingStatus `json:"status"`
	Completed int              `json:"completed"`
	Reminders int              `json:"reminders"` // sent since the last progress
	Next      time.Duration    `json:"next"`      // until the next check
}

// StepOrderError refuses a step that is not the next one.
type StepOrderError struct{ Next int }

func (e *StepOrderError) Error() string { return fmt.Sprintf("step %d is next", e.Next) }

// OnboardingInactiveError refuses a call about an onboarding that is over, or not in progress.
type OnboardingInactiveError struct{ Status OnboardingStatus }

func (e *OnboardingInactiveError) Error() string { return fmt.Sprintf("onboarding is %s", e.Status) }

// StepFailedError means that the work of a step failed permanently. Reason is for people and contains no submitted
// data.
type StepFailedError struct {
	Step   int
	Reason string
}

func (e *StepFailedError) Error() string { return fmt.Sprintf("step %d failed: %s", e.Step, e.Reason) }

// ReminderPause is the least time between a reminder and a requested one.
const ReminderPause = time.Hour

// OnboardingLinkLasts is how long a link for the steps of an onboarding works at most.
const OnboardingLinkLasts = 14 * 24 * time.Hour

// OnboardingLink is a link with which a client completes the steps of its onboarding. An organization has one at most,
// and it works only while the onboarding is in progress.
type OnboardingLink struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string
	Hash           []byte
	MadeBy         string // the name of the person, or the id of the key
	CreatedAt      time.Time
	ExpiresAt      time.Time
	OpenedAt       *time.Time // the first time; nil for never
	Mail           *LinkMail  `gorm:"-"` // nil if it was not sent by e-mail
}

// LinkMail is the e-mail with the link of an onboarding.
type LinkMail struct {
	Email      string
	Status     MailStatus
	Failure    string     // of the last attempt, in words; empty for none
	SentAt     *time.Time // when the mail server took it
	RemindedAt *time.Time // when the mail server took the reminder
}

// Advice returns why a mail was not sent until now and what to do about it; empty if it was sent or was not tried.
func (m *LinkMail) Advice() string {
	switch {
	case m.Status == MailDropped:
		return "It was not sent: its link has ended, or it waited for a week. Make another link."
	case m.Failure == "" || m.Status == MailSent:
		return ""
	case m.Status == MailPending:
		return m.Failure + " It is tried again. You can also make a link without an address, and hand it over yourself."
	}
	return m.Failure + " Correct the address, or make a link without one and hand it over yourself. If the address is right, " +
		"tell the operator."
}

// LinkMailRequest says to whom the link of an onboarding is sent.
type LinkMailRequest struct {
	Email  string
	PerDay int // mails of the partner with its clients in 24 hours
}

// LimitLinkMails is the subject of a LimitError of links by e-mail.
const LimitLinkMails = "links by e-mail"

// MaxLinkMails is the number of links that are sent to a client by e-mail in 24 hours.
const MaxLinkMails = 5

// LinkReminderBefore is how long before its end a link that was not opened is reminded of. A link that lives shorter than
// twice that time is reminded of after half of its life.
const LinkReminderBefore = 3 * 24 * time.Hour
