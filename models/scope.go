package models

// Scope names the organization a call acts for. Every method of the store that serves a
// client takes one: there is no way to ask for records without saying whose. Package
// store lists the others, which serve the service itself.
type Scope struct {
	OrganizationID string
}

// Actor names who asked for a change, for the audit trail.
type Actor struct {
	APIKeyID  string // empty for changes that staff or a workflow makes
	RequestID string
	Staff     string // the name of a person of the operator; empty for keys and workflows
}

// UnnamedStaff is the actor of a change from the Temporal UI whose sender gave no name.
const UnnamedStaff = "staff"

// Page selects a part of a list. Limit is at most 100.
type Page struct {
	Limit, Offset int
}

// Order is one key of a sort: a column from the list's allow list, never a
// client's string.
type Order struct {
	Column string
	Desc   bool
}

// List is one page of records with the number of all that match.
type List[T any] struct {
	Items []T
	Total int64
}
