package models

import (
	"slices"
	"time"
)

// MailKind is the subject of an e-mail to a person.
type MailKind string

// The kinds of e-mail about access. No person can turn them off.
const (
	MailInvitation        MailKind = "INVITATION"          // with a link that sets the first password
	MailSignInLink        MailKind = "SIGN_IN_LINK"        // with a link that sets another password
	MailSecondFactorReset MailKind = "SECOND_FACTOR_RESET" // the second step of the sign-in was removed
)

// The kinds of e-mail to a client without an account. Both have the link of its onboarding.
const (
	MailOnboardingLink     MailKind = "ONBOARDING_LINK"
	MailOnboardingReminder MailKind = "ONBOARDING_REMINDER" // the link was not opened and ends soon
)

// The kinds of e-mail about work. A person can turn each of them off.
const (
	MailDueDates    MailKind = "DUE_DATES"   // returns that are due soon
	MailRejections  MailKind = "REJECTIONS"  // returns that got an issue in an hour
	MailDigest      MailKind = "DIGEST"      // the exceptions, once a week
	MailMentions    MailKind = "MENTIONS"    // comments of an hour that mention the person
	MailAssignments MailKind = "ASSIGNMENTS" // exceptions that the person was given in an hour
)

// WorkMails are the kinds of e-mail about work.
var WorkMails = []MailKind{MailDigest, MailDueDates, MailRejections, MailMentions, MailAssignments}

// IsAboutWork reports whether a person can turn the kind off.
func (k MailKind) IsAboutWork() bool { return slices.Contains(WorkMails, k) }

// HasLink reports whether a mail carries a sign-in link. It goes to the person alone.
func (k MailKind) HasLink() bool { return k == MailInvitation || k == MailSignInLink }

// IsToClient reports whether a mail is to a client without an account.
func (k MailKind) IsToClient() bool { return k == MailOnboardingLink || k == MailOnboardingReminder }

// MailStatus is the status of an e-mail.
type MailStatus string

// The statuses of an e-mail. One about work is planned until it is sent. A mail is dropped when it is too old. It is also
// dropped when its person has no role there any more, does not want it, or has nothing to read.
const (
	MailPending MailStatus = "PENDING"
	MailPlanned MailStatus = "PLANNED"
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
	Occasion       string // the day, week or hour of a mail about work
	Attempt        int    // the number of this attempt, from 1
	Reached        bool   // the person still has a role, is not disabled and wants the mail
	CreatedAt      time.Time
	Person         MailRecipient
	Link           MailedLink // of a mail to a client
}

// MailedLink is the link of an onboarding that a mail brings to a client.
type MailedLink struct {
	Partner   string // the name of the partner that made it
	MadeAt    time.Time
	ExpiresAt time.Time
}

// MailRecipient is the person who gets a mail about work.
type MailRecipient struct {
	Name       string
	Visible    Visibility // of now
	Zone       string     // name in the IANA database
	DateFormat DateFormat
}

// MailHour is the form of the hour, in UTC, that a mail about events of an hour is about.
const MailHour = "2006-01-02T15"

// Days until the due day of a return on which people are reminded.
const (
	DueSoon     = 7 // days; the mail lists all returns that are due until then
	DueTomorrow = 1
)

// DigestHour is the hour of the day, in the zone of the person, from which on reminders and digests are sent.
const DigestHour = 7

// MailStopLasts is how long the address in a mail turns off its kind.
const MailStopLasts = 60 * 24 * time.Hour

// MailItem is a record that a mail about work names.
type MailItem struct {
	OrganizationID, Organization string
	Type                         string // of the record
	Place                        string // state or country of a return; empty for others
	From, To, Due                *time.Time
	By                           string // the person who wrote the comment
}

// MailItems are the first records that a mail names, and how many there are.
type MailItems struct {
	Items []MailItem
	Total int
}

// MailResult is the result of an attempt to send.
type MailResult struct {
	Failure   string // empty: the mail was sent
	Dropped   bool   // it has nothing to tell
	Permanent bool   // the server refused the mail for good
	LinkHash  []byte // of the link in the mail; nil for none
}

// Times that a mail waits to be sent at most. That about work is soon of no use.
const (
	MailWaits     = 7 * 24 * time.Hour
	WorkMailWaits = 48 * time.Hour
)

// MailLease is how long one attempt has its mail. The time limit of an attempt is much shorter.
const MailLease = 2 * time.Minute

// MailsKept is how long an ended mail stays.
const MailsKept = 30 * 24 * time.Hour

// MailAttempts is the number of attempts after which a mail fails.
const MailAttempts = 10

// MailPause returns the time from a failed attempt to the next one: a minute, doubled with each attempt, at most 4 hours.
func MailPause(attempt int) time.Duration {
	return min(time.Minute<<max(0, min(attempt-1, 10)), 4*time.Hour)
}

// StatusAfter returns the status of a mail after an attempt, and the time to the next attempt if it stays PENDING.
func (m *Mail) StatusAfter(r *MailResult) (status MailStatus, pause time.Duration) {
	switch {
	case !m.Reached || r.Dropped:
		return MailDropped, 0
	case r.Failure != "" && (r.Permanent || m.Attempt >= MailAttempts):
		return MailFailed, 0
	case r.Failure != "":
		return MailPending, MailPause(m.Attempt)
	}
	return MailSent, 0
}

// MailState is what waits to be sent by e-mail, and what was not sent in the last week.
type MailState struct {
	Waiting int64  `json:"waiting"`
	Late    int64  `json:"late"`              // due for a quarter of an hour, and not taken
	Failed  int64  `json:"failed"`            // given up, or refused for good
	Failure string `json:"failure,omitempty"` // of the last one that failed, in words
}
