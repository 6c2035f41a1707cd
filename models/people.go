package models

import (
	"slices"
	"strings"
	"time"
)

// Role is what a person may do for an organization. Each one may do what those before it may.
type Role string

// Roles of a membership, from the one that may least.
const (
	RoleViewer   Role = "viewer"
	RolePreparer Role = "preparer"
	RoleApprover Role = "approver"
	RoleAdmin    Role = "admin"
)

// StaffRole is what a person of the operator may do, for every organization.
type StaffRole string

// Roles of staff.
const (
	StaffAuditor  StaffRole = "auditor"  // reads everything but personal data
	StaffOperator StaffRole = "operator" // may also do what an approver may
)

var roleOrder = []Role{RoleViewer, RolePreparer, RoleApprover, RoleAdmin}

// Includes reports whether a role may do what another may.
func (r Role) Includes(other Role) bool {
	return other != "" && slices.Index(roleOrder, r) >= slices.Index(roleOrder, other)
}

// OrganizationRole is the role that staff have in every organization.
func (r StaffRole) OrganizationRole() Role {
	switch r {
	case StaffOperator:
		return RoleApprover
	case StaffAuditor:
		return RoleViewer
	}
	return ""
}

// UserStatus is the state of a person.
type UserStatus string

// States of a person. Somebody INVITED has neither set a password yet nor come from the OpenID provider.
const (
	UserInvited  UserStatus = "INVITED"
	UserActive   UserStatus = "ACTIVE"
	UserDisabled UserStatus = "DISABLED"
)

// MaySignIn reports whether there is something by which the person signs in.
func (u *User) MaySignIn() bool { return u.PasswordHash != nil || u.ProviderSubject != nil }

// ForgetAccount lets the person come with another account of the OpenID provider.
func (u *User) ForgetAccount() {
	u.ProviderIssuer, u.ProviderSubject = nil, nil
	if u.Status == UserActive && u.PasswordHash == nil {
		u.Status = UserInvited
	}
}

// User is a person, known to the whole installation.
type User struct {
	ID           string `gorm:"primaryKey"`
	Email        string
	EmailKey     string // the address as it is compared, see EmailKey
	Name         string
	StaffRole    *StaffRole
	Status       UserStatus
	PasswordHash *string
	// ProviderIssuer and ProviderSubject are the account at the OpenID provider by which the person signs in.
	ProviderIssuer  *string
	ProviderSubject *string
	CreatedAt       time.Time
	UpdatedAt       time.Time

	Memberships []Membership `gorm:"foreignKey:UserID"`
	// SecondFactor says that the person is asked for a code too, where a list or the person of a session was read.
	SecondFactor bool `gorm:"-"`
	// RecoveryCodesLeft is how many codes sign in without the app, where the person of a session was read.
	RecoveryCodesLeft int `gorm:"-"`
}

// Manages reports whether the person manages the people of an organization, or of the operator where it is empty.
// Somebody who has not signed in yet, or is disabled, does not.
func (u *User) Manages(organizationID string) bool {
	if u.Status != UserActive {
		return false
	}
	if organizationID == "" {
		return u.StaffRole != nil && *u.StaffRole == StaffOperator
	}
	return slices.ContainsFunc(u.Memberships, func(m Membership) bool {
		return m.OrganizationID == organizationID && m.Role == RoleAdmin
	})
}

// UserChange is what changes about a person: the record, and beside it.
type UserChange struct {
	Record      func(*User) error
	LinkHash    []byte // of a new link; nil for none
	EndSessions bool   // signs the person out everywhere
	// ResetSecondFactor lets the person sign in with the password alone.
	ResetSecondFactor bool
}

// EmailKey is the form in which e-mail addresses are compared.
func EmailKey(email string) string { return NormalizeName(email) }

// Membership is the role of a person in an organization.
type Membership struct {
	OrganizationID string `gorm:"primaryKey"`
	UserID         string `gorm:"primaryKey"`
	Role           Role
	CreatedAt      time.Time

	// OrganizationName and Root are of the organization, where it was read too.
	OrganizationName string `gorm:"-"`
	Root             bool   `gorm:"-"` // it has no parent, and may have clients
}

// RoleIn is the role of a person in an organization or, for a root organization, in one of its
// clients; parent is empty for a root organization. Empty: none.
func (u *User) RoleIn(organizationID, parent string) Role {
	best := Role("")
	if u.StaffRole != nil {
		best = u.StaffRole.OrganizationRole()
	}
	for _, m := range u.Memberships {
		if (m.OrganizationID == organizationID || parent != "" && m.OrganizationID == parent) && !best.Includes(m.Role) {
			best = m.Role
		}
	}
	return best
}

// IsStaff reports whether a person is of the operator.
func (u *User) IsStaff() bool { return u.StaffRole != nil }

// Visibility is the organizations that a caller may see in lists.
type Visibility struct {
	All bool
	// OrganizationIDs are those of organizations that are seen with their clients.
	OrganizationIDs []string
}

// Limits of sessions and links.
const (
	SessionIdle      = 12 * time.Hour
	SessionLongest   = 7 * 24 * time.Hour
	SignInLinkLasts  = 7 * 24 * time.Hour
	shortestPassword = 12
	longestPassword  = 200
)

// AcceptablePassword reports whether a password may be set.
func AcceptablePassword(password string) bool {
	n := len([]rune(password))
	return n >= shortestPassword && n <= longestPassword && strings.TrimSpace(password) != ""
}

// SavedView is a filter of a list of the console that a person has given a name.
type SavedView struct {
	UserID    string `gorm:"primaryKey"`
	List      string `gorm:"primaryKey"`
	NameKey   string `gorm:"primaryKey"` // the name as it is compared, see NormalizeName
	Name      string
	Query     string // parameters of the list, as a query string sorted by name
	UpdatedAt time.Time
}

// LimitSavedViews is what a LimitError of saved views says.
const LimitSavedViews = "saved views"

// MaxSavedViews is how many views a person may have, of all lists.
const MaxSavedViews = 20
