package models

import "levy/tax/calendar"

// PlanCursor is the position of the plan: after that registration.
type PlanCursor struct {
	OrganizationID string `json:"organization_id"`
	RegistrationID string `json:"registration_id"`
}

// PlanPage is the result of one page of the plan.
type PlanPage struct {
	Registrations int // checked
	Planned       int // filings that did not exist before
	Next          PlanCursor
	Done          bool
}

// PlanEntry is a registration with everything that was ever to be filed at its authority.
type PlanEntry struct {
	Registration
	// LaterFrom is the first day that a later registration files for, if that covers the last day of this one;
	// zero without one.
	LaterFrom calendar.Date
	// Returns are the returns of the registration, and of others at its authority, in the order of their days.
	// Of several of a registration for the same days, it is the open or filed one, or else the last one.
	Returns []PlanReturn
}

// PlanReturn is a filing that the registration of a PlanEntry, or another one, has or had.
type PlanReturn struct {
	Start           calendar.Date           `json:"start"`
	End             calendar.Date           `json:"end"`
	Category        calendar.FilingCategory `json:"category"`
	Status          FilingStatus            `json:"status"`
	Own             bool                    `json:"own"`     // of the registration itself
	Planned         bool                    `json:"planned"` // this one, or an earlier one of the same days
	Skipped         bool                    `json:"skipped"` // it was planned and skipped
	BlockApproval   bool                    `json:"block_approval"`
	CancelledReason string                  `json:"cancelled_reason"`
}

// Reasons for cancelling filings: their registration or its frequency ended, they begin before it,
// or they have nothing left to amend.
const (
	EndedWithRegistration = "REGISTRATION_ENDED"
	EndedWithFrequency    = "FREQUENCY_CHANGED"
	RegisteredLater       = "REGISTERED_LATER"
	NothingToAmend        = "NOTHING_TO_AMEND"
)
