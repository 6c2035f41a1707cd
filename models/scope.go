package models

// Scope is the organization of a call. Every method of the store that serves a client takes one, so no caller can read
// records without naming their organization. Package store lists the other methods, which serve the service itself.
type Scope struct {
	OrganizationID string
}

// Actor is the origin of a change, for the audit trail.
type Actor struct {
	APIKeyID  string // "" for changes by staff or a workflow
	RequestID string
	Staff     string // the name of a person of the operator; "" for keys and workflows
	UserID    string // of a person with a session, with the name of that person
	UserName  string
	Granted   bool // acts for a client under the grant of its partner
}

// IsLevy reports whether Levy itself acts: a workflow that no person asked to act.
func (a Actor) IsLevy() bool { return a.UserID == "" && a.APIKeyID == "" && a.Staff == "" }

// Name returns the actor for records: the person, or the id of the key.
func (a Actor) Name() string {
	if a.UserID != "" {
		return a.UserName
	}
	return a.APIKeyID
}

// InstallationAudit is the organization in the audit trail for entries that belong to none: operator keys, people,
// second factors, and histories that an operator opened. It has a chain of seals like an organization.
const InstallationAudit = "installation"

// UnnamedStaff is the actor of a change from the Temporal UI without a name.
const UnnamedStaff = "staff"

// Export receives the rows of a list as they are read, slice by slice.
type Export[T any] struct {
	Limit int            // of rows
	Row   func(*T) error // a row is valid until it returns
	Pause func() error   // after each slice, while no connection is in use
}

// Page selects a part of a list: after Offset rows, or after a cursor. Limit is at most 100.
type Page struct {
	Limit, Offset int
	After         *Place
}

// Place is the cursor of a row in a list. It remains valid when rows are added, and when the row itself is changed.
type Place struct {
	Keys  []*string // the sort values of the row, its id last; nil for an absent one
	Rows  int64     // the number of rows up to this one
	Total int64     // of the list, when its first page was read
}

// ErrorOfCursor returns the error for a cursor of another list. code is a code of Fault.
func ErrorOfCursor(code string) error {
	return &InvalidError{Faults: []Fault{{
		Code: code, In: InQuery, Path: "after",
		Message: "after must be the next_cursor of an answer to the same list, with the same filters and order.",
	}}}
}

// Order is one sort key: a column from the list's allowed ones, never a client's string.
type Order struct {
	Column string
	Desc   bool
}

// List is one page of records with the number of all matches. After a cursor, that is the number when the first page
// was read.
type List[T any] struct {
	Items []T
	Total int64
	Next  *Place // after the last item; nil if no row follows, or if the order has no cursors
}

// TransactionPage is one page of transactions. If they have too many lines to read at once, Items is empty.
// Parts are then the ids of the page, in parts to be read one after the other.
type TransactionPage struct {
	List[Transaction]
	Parts [][]string
}
