package models

import "time"

// MailKind is the subject of an e-mail to a person.
type MailKind string

// The kinds of e-mail. Each is about access, so no person can turn it off.
const (
	MailInvitation        MailKind = "INVITATION"          // with a link that sets the first password
	MailSignInLink        MailKind = "SIGN_IN_LINK"        // with a link that sets another password
	MailSecondFactorReset MailKind = "SECOND_FACTOR_RESET" // the second step of the sign-in was removed
)

// HasLink reports whether a mail carries a sign-in link. It goes to the person alone.
func (k MailKind) HasLink() bool { return k == MailInvitation || k == MailSignInLink }

// MailStatus is the status of an e-mail.
type MailStatus string

// The statuses of an e-mail. A mail is dropped when its person has no role there any more, or after a week.
const (
	MailPending MailStatus = "PENDING"
	MailSent    MailStatus = "SENT"
	MailFailed  MailStatus = "FAILED"
	MailDropped MailStatus = "DROPPED"
)

// Mail is an e-mail that an attempt sends, with its recipient.
type Mail struct {
	ID             string
	OrganizationID string // empty: of the operator
	Organization   string // its name
	UserID         string
	Email          string
	Kind           MailKind
	Attempt        int  // the number of this attempt, from 1
	Reached        bool // the person still has a role there and is not disabled
	CreatedAt      time.Time
}

// MailResult is the result of an attempt to send.
type MailResult struct {
	Failure   string // empty: the mail was sent
	Permanent bool   // the server refused the mail for good
	LinkHash  []byte // of the link in the mail; nil for none
}

// MailAttempts is the number of attempts after which a mail fails.
const MailAttempts = 10

// MailPause returns the time from a failed attempt to the next one: a minute, doubled with each attempt, at most 4 hours.
func MailPause(attempt int) time.Duration {
	return min(time.Minute<<max(0, min(attempt-1, 10)), 4*time.Hour)
}
