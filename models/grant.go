package models

import "time"

// GrantRole says what a partner may do for a client; "" for nothing.
type GrantRole string

// Roles of a grant. GrantAdmin is never stored: it is that of every grant during the onboarding of the client.
const (
	GrantAdmin    GrantRole = "admin"
	GrantApprover GrantRole = "approver"
	GrantPreparer GrantRole = "preparer"
	// GrantAsBefore is what a partner could do before there were grants: read, and manage the keys and the record.
	GrantAsBefore GrantRole = "as_before"
)

// Role returns the role of a person that the grant allows on records of the client; "" for none.
func (r GrantRole) Role() Role {
	if r == GrantAsBefore {
		return ""
	}
	return Role(r)
}

// Bounds reports whether the grant refuses an operation to keys under it: one for a higher role, or about people and keys
// of the client.
func (r GrantRole) Bounds(needed Role, scope APIKeyScope) bool {
	if r != GrantPreparer && r != GrantApprover {
		return false
	}
	return scope == ScopePeople || !r.Role().Includes(needed)
}

// Grant is what the people and keys of a partner may do for a client.
type Grant struct {
	OrganizationID string `gorm:"primaryKey"` // the client
	PartnerID      string
	Role           GrantRole  // after the onboarding
	ConfirmedAt    *time.Time // by an admin of the client
	EndedAt        *time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// TableName returns the name of the table of grants.
func (Grant) TableName() string { return "client_grants" }

// Granted returns what the partner of a client may do for it now; "" for nothing, and for a root organization.
func (o *Organization) Granted() GrantRole {
	switch {
	case o.Grant == nil || o.Grant.EndedAt != nil:
		return ""
	case o.OnboardingStatus == OnboardingInProgress:
		return GrantAdmin
	}
	return o.Grant.Role
}

// ErrGrantEnded refuses a call of a partner whose grant was ended by the client.
var ErrGrantEnded = &GiverError{Detail: "Your organization has no grant for this client: an admin of the client has " +
	"ended it, and can give it again."}

// ErrGrantWithoutPeople refuses a key that manages people and keys to a partner whose grant does not.
var ErrGrantWithoutPeople = &GiverError{Detail: "The grant of your organization for this client gives no keys with the " +
	"scope people. An admin of the client can create such a key."}

// ErrKeyOfClient refuses the change of a key that a partner did not make under its grant.
var ErrKeyOfClient = &GiverError{Detail: "This key is the client's own: only the client's admins change and revoke it. " +
	"The grant of your organization covers the keys that it made."}
