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
	UserID    string // of a person with a session, and the name of that person
	UserName  string
}

// Name is the actor as records name it: the person, or the id of the key.
func (a Actor) Name() string {
	if a.UserID != "" {
		return a.UserName
	}
	return a.APIKeyID
}

// InstallationAudit stands in the audit trail where the id of an organization does, for what belongs to
// none: operator keys, people and their second factors, and histories that an operator opened. It has a
// chain of seals like an organization.
const InstallationAudit = "installation"

// UnnamedStaff is the actor of a change from the Temporal UI whose sender gave no name.
const UnnamedStaff = "staff"

// Export takes the rows of a list as they are read, slice by slice.
type Export[T any] struct {
	Limit int            // of rows
	Row   func(*T) error // a row is valid until it returns
	Pause func() error   // after each slice, while nothing of the database is held
}

// Page selects a part of a list: behind Offset rows, or behind a place. Limit is at most 100.
type Page struct {
	Limit, Offset int
	After         *Place
}

// Place is the place of a row in a list. It stays where it is when rows are added, also when the row
// itself is changed.
type Place struct {
	Keys  []*string // the values of the row by which the list is sorted, its id last; nil for an absent one
	Rows  int64     // so many rows were read up to this one
	Total int64     // of the list, when its first page was read
}

// ErrorOfCursor says that a cursor is not of the list for which it was sent. code is a code of Fault.
func ErrorOfCursor(code string) error {
	return &InvalidError{Faults: []Fault{{
		Code: code, In: InQuery, Path: "after",
		Message: "after must be the next_cursor of an answer to the same list, with the same filters and order.",
	}}}
}

// Order is one key of a sort: a column from the list's allow list, never a
// client's string.
type Order struct {
	Column string
	Desc   bool
}

// List is one page of records with the number of all that match; behind a place, as it was when the
// first page was read.
type List[T any] struct {
	Items []T
	Total int64
	Next  *Place // of the last item; nil where nothing follows, or where the order has no places
}

// TransactionPage is one page of transactions. Where they have more lines together than should be held
// at a time, Items is empty and Parts are the ids of the page, in pieces that may be read one after
// the other.
type TransactionPage struct {
	List[Transaction]
	Parts [][]string
}
