package models

import "levy/tax/calendar"

// PlanCursor is where the plan goes on: behind that registration.
type PlanCursor struct {
	OrganizationID string `json:"organization_id"`
	RegistrationID string `json:"registration_id"`
}

// PlanPage says what one page of the plan did.
type PlanPage struct {
	Registrations int // checked
	Planned       int // filings that did not exist before
	Next          PlanCursor
	Done          bool
}

// PlanEntry is a registration with all that was ever to be filed at its authority.
type PlanEntry struct {
	Registration
	// LaterFrom is the first day that a later registration files for, which covers the last day of this
	// one; zero: there is none.
	LaterFrom calendar.Date
	// Returns are those of the registration, and of others at its authority, in the order of their days; of several
	// of a registration for the same days, the one that is open or filed, or else the last one.
	Returns []PlanReturn
}

// PlanReturn is a filing that the registration of a PlanEntry, or another one, has or had.
type PlanReturn struct {
	Start           calendar.Date           `json:"start"`
	End             calendar.Date           `json:"end"`
	Category        calendar.FilingCategory `json:"category"`
	Status          FilingStatus            `json:"status"`
	Own             bool                    `json:"own"`     // of the registration itself
	Planned         bool                    `json:"planned"` // it, or one of the same days before it
	Skipped         bool                    `json:"skipped"` // as planned
	BlockApproval   bool                    `json:"block_approval"`
	CancelledReason string                  `json:"cancelled_reason"`
}

// Why filings are cancelled that end with their registration, or with its frequency, that begin before it, or that
// have nothing left to amend.
const (
	EndedWithRegistration = "REGISTRATION_ENDED"
	EndedWithFrequency    = "FREQUENCY_CHANGED"
	RegisteredLater       = "REGISTERED_LATER"
	NothingToAmend        = "NOTHING_TO_AMEND"
)
