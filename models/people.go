package models

import (
	"slices"
	"strings"
	"time"
)

// Role is the permission of a person in an organization. Each includes those before it.
type Role string

// Roles of a membership, from the lowest on.
const (
	RoleViewer   Role = "viewer"
	RolePreparer Role = "preparer"
	RoleApprover Role = "approver"
	RoleAdmin    Role = "admin"
)

// StaffRole is the permission of a person of the operator, in every organization.
type StaffRole string

// Roles of staff.
const (
	StaffAuditor  StaffRole = "auditor"  // reads everything but personal data
	StaffOperator StaffRole = "operator" // also does the tasks of an approver
)

var roleOrder = []Role{RoleViewer, RolePreparer, RoleApprover, RoleAdmin}

// Includes reports whether a role has the permissions of another.
func (r Role) Includes(other Role) bool {
	return other != "" && slices.Index(roleOrder, r) >= slices.Index(roleOrder, other)
}

// AtMost returns the lower of two roles; "" for none is the lowest.
func (r Role) AtMost(most Role) Role {
	if slices.Index(roleOrder, most) < slices.Index(roleOrder, r) {
		return most
	}
	return r
}

// OrganizationRole returns the role of staff in every organization.
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

// States of a person. An INVITED person has neither set a password nor signed in by the OpenID provider.
const (
	UserInvited  UserStatus = "INVITED"
	UserActive   UserStatus = "ACTIVE"
	UserDisabled UserStatus = "DISABLED"
)

// MaySignIn reports whether the person has a password or an account to sign in.
func (u *User) MaySignIn() bool { return u.PasswordHash != nil || u.ProviderSubject != nil }

// ForgetAccount lets the person sign in by another account of the OpenID provider.
func (u *User) ForgetAccount() {
	u.ProviderIssuer, u.ProviderSubject = nil, nil
	if u.Status == UserActive && u.PasswordHash == nil {
		u.Status = UserInvited
	}
}

// User is a person of the installation.
type User struct {
	ID    string `gorm:"primaryKey"`
	Email string
	// EmailKey is unique: the address as it is compared or, of an account that shares it, that and the id. AddressKey is
	// then the address as it is compared, else nil.
	EmailKey     string
	AddressKey   *string
	Name         string
	StaffRole    *StaffRole
	Status       UserStatus
	PasswordHash *string
	// ProviderIssuer and ProviderSubject are the account at the OpenID provider by which the person signs in.
	ProviderIssuer  *string
	ProviderSubject *string
	// ProvenAt is when the address was proved to the installation: by a link of its operator, or at the OpenID
	// provider. Of the accounts of an address one at most is proven.
	ProvenAt  *time.Time
	CreatedAt time.Time
	UpdatedAt time.Time

	Memberships []Membership `gorm:"foreignKey:UserID"`
	// SecondFactor means that the person also needs a code. It is set in lists and for the person of a session.
	SecondFactor bool `gorm:"-"`
	// Passkeys is how many passkeys the person has. With one, a password alone does not sign in. It is set like
	// SecondFactor.
	Passkeys int `gorm:"-"`
	// PasskeysEnded is how many passkeys ended with the link that the person has opened.
	PasskeysEnded int `gorm:"-"`
	// RecoveryCodesLeft is how many codes sign in without the app. It is set for the person of a session.
	RecoveryCodesLeft int `gorm:"-"`
	// Preferences are set for the person of a session.
	Preferences *Preferences `gorm:"-"`
	// Proven means that the person proved by the session who it is, within ProofLasts. It is set for the person of a
	// session.
	Proven bool `gorm:"-"`
	// ProvenLastAt is when the person last proved who uses the session, and SecondProof the second kind of that proof. They
	// are set for the person of a session; nil and "" if they are not known.
	ProvenLastAt *time.Time `gorm:"-"`
	SecondProof  ProofKind  `gorm:"-"`
}

// Answers reports whether the account can be opened again: it is not disabled, or has no role left.
func (u *User) Answers() bool {
	return u.Status != UserDisabled || u.StaffRole == nil && len(u.Memberships) == 0
}

// Manages reports whether the person manages the people of an organization, or of the operator for "".
// A person who has not signed in yet, or is disabled, does not.
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

// UserChange is a change of a person: of the record, and of other records.
type UserChange struct {
	Record      func(*User) error
	LinkHash    []byte // of a new link; nil for none
	EndSessions bool   // signs the person out everywhere
	// ResetSecondFactor lets the person sign in with the password alone, and ends the other sessions.
	ResetSecondFactor bool
	// Session has the hashes of the session that asks for the change. A reset lets it go on.
	Session [][]byte
	Mails   []MailKind // to the person, in the same database transaction
}

// NewLink reports whether the change gives the person a new link, at once or by e-mail.
func (c UserChange) NewLink() bool {
	return c.LinkHash != nil || slices.Contains(c.Mails, MailSignInLink)
}

// ProofKind is a thing by which a person proves who it is. The audit trail names it.
type ProofKind string

// Kinds of proof.
const (
	ProofPassword     ProofKind = "password"
	ProofLink         ProofKind = "sign_in_link"
	ProofCode         ProofKind = "code"
	ProofRecoveryCode ProofKind = "recovery_code"
	ProofPasskey      ProofKind = "passkey"
	ProofProvider     ProofKind = "provider"
)

// SignInProof is by which things a person has proved who it is, and how long ago.
type SignInProof struct {
	Kinds   []ProofKind // in their order, such as password and code
	Passkey string      // name of the passkey; empty without one
	// CredentialID is that of the passkey, which must still exist when the session begins; nil without one.
	CredentialID []byte
	Age          *time.Duration // nil if it is not known
}

// Second returns the kind of the proof that is more than a password or a link; nil for none. A provider does not say which it has
// asked for.
func (p SignInProof) Second() *ProofKind {
	for _, kind := range p.Kinds {
		if kind == ProofCode || kind == ProofRecoveryCode || kind == ProofPasskey {
			return &kind
		}
	}
	return nil
}

// Detail returns the proof as the audit trail tells it.
func (p SignInProof) Detail() map[string]any {
	detail := map[string]any{"proof": p.Kinds}
	if p.Passkey != "" {
		detail["passkey_name"] = p.Passkey
	}
	return detail
}

// EmailKey returns the form in which e-mail addresses are compared for a sign-in with a password.
func EmailKey(email string) string { return NormalizeName(email) }

// Address returns the address of a person as it is compared.
func (u *User) Address() string {
	if u.AddressKey != nil {
		return *u.AddressKey
	}
	return u.EmailKey
}

// SameAddress reports whether two e-mail addresses are spelled alike, except for the case of ASCII letters. Letters that
// only look alike, or that Unicode folds into each other, differ.
func SameAddress(a, b string) bool { return lowerASCII(a) == lowerASCII(b) }

func lowerASCII(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

// PasswordSalt returns the part of a stored password hash without its key: parameters and salt.
func PasswordSalt(hash string) string { return hash[:max(0, strings.LastIndexByte(hash, '$'))] }

// Membership is the role of a person in an organization.
type Membership struct {
	OrganizationID string `gorm:"primaryKey"`
	UserID         string `gorm:"primaryKey"`
	Role           Role
	CreatedAt      time.Time

	// OrganizationName, Root and TimeZone are set if the organization was read, too.
	OrganizationName string  `gorm:"-"`
	Root             bool    `gorm:"-"` // it has no parent, and may have clients
	TimeZone         *string `gorm:"-"` // of its settings; nil for UTC
}

// RoleIn returns the role of a person in an organization or, for a root organization, in one of its clients;
// "" for none. parent is "" for a root organization.
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

// IsStaff reports whether a person belongs to the operator.
func (u *User) IsStaff() bool { return u.StaffRole != nil }

// Visibility are the organizations that a caller sees in lists.
type Visibility struct {
	All bool
	// OrganizationIDs are the organizations that are visible with their clients.
	OrganizationIDs []string
	// Mailed leaves out organizations that want no e-mails.
	Mailed bool
}

// Limits of sessions, links and devices.
const (
	SessionIdle      = 12 * time.Hour
	SessionLongest   = 7 * 24 * time.Hour
	ProofLasts       = 5 * time.Minute // how long a person may give access after proving who uses the session
	SignInLinkLasts  = 7 * 24 * time.Hour
	DeviceLasts      = 90 * 24 * time.Hour // since the last sign-in by a device
	MaxDevices       = 20                  // of an account
	shortestPassword = 12
	longestPassword  = 200
)

// AcceptablePassword reports whether a password may be set.
func AcceptablePassword(password string) bool {
	n := len([]rune(password))
	return n >= shortestPassword && n <= longestPassword && strings.TrimSpace(password) != ""
}

// SavedView is a filter of a list of the console that a person has named.
type SavedView struct {
	UserID    string `gorm:"primaryKey"`
	List      string `gorm:"primaryKey"`
	NameKey   string `gorm:"primaryKey"` // the normalized name, see NormalizeName
	Name      string
	Query     string // parameters of the list, as a query string sorted by name
	UpdatedAt time.Time
	ID        string
	// SharedWith is the organization whose people see the view, too; nil if only its person does.
	SharedWith *string
}

// SharedView is a view that another person shares.
type SharedView struct {
	SavedView
	SharedBy string // name of that person
}

// Mention is a text that may name an erased person or customer, and that the erasure leaves.
type Mention struct {
	Place string // the table, or its column
	ID    string // of the record
	Text  string
}

// LimitSavedViews is the subject of a LimitError of saved views.
const LimitSavedViews = "saved views"

// LimitSharedViews is the subject of a LimitError of views that are shared with an organization.
const LimitSharedViews = "shared views"

// The most views of a person, and of those that are shared with an organization, of all lists.
const (
	MaxSavedViews  = 20
	MaxSharedViews = 50
)
