package models

import "time"

// BritishAuthority is the adapter that sends returns to the United Kingdom, by a grant of access.
const BritishAuthority = "hmrc"

// ConsentLasts is how long a person has to grant access at an authority.
const ConsentLasts = 30 * time.Minute

// AuthorityConsent is a grant of access that a person has begun at an authority. An organization has one at a time for each.
type AuthorityConsent struct {
	Authority string // the adapter
	State     []byte // SHA-256 of the state, which comes back from the authority
	Session   []byte // hash of the session in which it began
	UserID    string
	Verifier  string // of PKCE (RFC 7636); stored encrypted
	ExpiresAt time.Time
}

// AuthorityConnection is what Levy knows of the access of an organization at an authority, without its tokens.
type AuthorityConnection struct {
	Authority string
	GrantedAt time.Time
	GrantedBy string
	EndsAt    time.Time // when the authority renews no token any more
}

// ConnectionEndingDays is how many days before its end a connection is to be renewed.
const ConnectionEndingDays = 30

// ConnectionStatus is whether returns of an organization can be sent to an authority.
type ConnectionStatus string

// Statuses of a connection.
const (
	ConnectionNone   ConnectionStatus = "NOT_CONNECTED"
	ConnectionActive ConnectionStatus = "CONNECTED"
	ConnectionEnding ConnectionStatus = "ENDING" // within ConnectionEndingDays
	ConnectionEnded  ConnectionStatus = "ENDED"
)

// Status returns the status of a connection; that of a zero one is ConnectionNone.
func (c AuthorityConnection) Status(now time.Time) ConnectionStatus {
	switch {
	case c.GrantedAt.IsZero():
		return ConnectionNone
	case !now.Before(c.EndsAt):
		return ConnectionEnded
	case !now.Before(c.EndsAt.AddDate(0, 0, -ConnectionEndingDays)):
		return ConnectionEnding
	}
	return ConnectionActive
}
