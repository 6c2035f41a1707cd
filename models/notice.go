package models

import (
	"fmt"
	"time"

	"levy/tax/money"
)

// NoticeStatus is how far people are with a notice.
type NoticeStatus string

// Statuses of a notice.
const (
	NoticeOpen       NoticeStatus = "OPEN"
	NoticeInProgress NoticeStatus = "IN_PROGRESS"
	NoticeAnswered   NoticeStatus = "ANSWERED"
	NoticeClosed     NoticeStatus = "CLOSED"
)

// Waits reports whether a notice still needs an answer.
func (s NoticeStatus) Waits() bool { return s == NoticeOpen || s == NoticeInProgress }

// NoticeTransitions is the status of a notice.
var NoticeTransitions = StateMachine{
	Name: "notice_status", Object: "notice", Field: "status", States: states("OPEN IN_PROGRESS ANSWERED CLOSED"),
	Transitions: table([]Transition{
		{"", "OPEN", byHTTP, ""},
		{"OPEN", "IN_PROGRESS", byHTTP, ""},
		{"IN_PROGRESS", "OPEN", byHTTP, ""},
		{"OPEN IN_PROGRESS", "ANSWERED CLOSED", byHTTP, "answer says what was answered, or why nothing is"},
		{"ANSWERED", "CLOSED", byHTTP, ""},
		{"ANSWERED CLOSED", "IN_PROGRESS", byHTTP, "the authority has written again"},
	}),
}

// NoticeKind is what an authority writes about.
type NoticeKind string

// Kinds of notices.
const (
	NoticeAssessment         NoticeKind = "ASSESSMENT" // tax that the authority has set itself
	NoticePenalty            NoticeKind = "PENALTY"
	NoticeInformationRequest NoticeKind = "INFORMATION_REQUEST"
	NoticeRateChange         NoticeKind = "RATE_CHANGE"
	NoticeFrequencyChange    NoticeKind = "FREQUENCY_CHANGE" // returns are due for other periods from a day on
	NoticeRefund             NoticeKind = "REFUND"
	NoticeOther              NoticeKind = "OTHER"
)

// NoticeKinds are all kinds.
var NoticeKinds = []NoticeKind{
	NoticeAssessment, NoticePenalty, NoticeInformationRequest, NoticeRateChange, NoticeFrequencyChange, NoticeRefund,
	NoticeOther,
}

// noticeKinds name the kinds of notices.
var noticeKinds = map[NoticeKind]string{
	NoticeAssessment: "assessment", NoticePenalty: "penalty", NoticeInformationRequest: "request for information",
	NoticeRateChange: "change of a rate", NoticeFrequencyChange: "change of the filing frequency", NoticeRefund: "refund",
	NoticeOther: "another matter",
}

// Label returns the name of the kind, for people.
func (k NoticeKind) Label() string { return noticeKinds[k] }

// Limits of notices.
const (
	MaxNotices         = 10000 // of an organization
	MaxNoticeDocuments = 20    // of a notice
)

// LimitNotices and LimitNoticeDocuments are subjects of a LimitError.
const (
	LimitNotices         = "notices"
	LimitNoticeDocuments = "letters of a notice"
)

// Notice is a letter of an authority about a registration, or about one of its returns. Its letters are stored apart.
type Notice struct {
	OrganizationID string  `gorm:"primaryKey"`
	ID             string  `gorm:"primaryKey"`
	RegistrationID string  `gorm:"<-:create"`
	FilingID       *string `gorm:"<-:create"` // nil for a letter about the registration itself
	CountryCode    string  `gorm:"<-:create"` // of the registration
	StateCode      string  `gorm:"<-:create"`
	Kind           NoticeKind
	Authority      string
	Reference      *string      // the number of the letter at the authority
	Amount         *money.Total `gorm:"type:numeric"`
	Currency       *string      // of Amount
	ReceivedDate   time.Time    `gorm:"type:date"`
	DueDate        *time.Time   `gorm:"type:date"` // nil if the letter sets no day
	Description    *string
	Status         NoticeStatus
	Answer         *string
	AnsweredAt     *time.Time
	Revision       int // raised by each change
	CreatedAt      time.Time
	UpdatedAt      time.Time

	Assignee  *string          `gorm:"-"` // that of its exception
	Documents []NoticeDocument `gorm:"-"` // the oldest first
}

// Transition sets the status at a time. Errors: *TransitionError; *InvalidError if an answer is missing.
func (n *Notice) Transition(to NoticeStatus, now time.Time) error {
	if err := NoticeTransitions.Check(string(n.Status), string(to)); err != nil {
		return err
	}
	// guard: notices: a notice ends with an answer, or with a reason why it needs none
	if !to.Waits() && n.Answer == nil {
		return &InvalidError{Faults: []Fault{{Code: FieldMissing, Path: "answer",
			Message: "Say in answer what was answered, or why no answer is needed."}}}
	}
	if n.Status.Waits() && !to.Waits() {
		n.AnsweredAt = &now
	}
	if to.Waits() {
		n.AnsweredAt = nil
	}
	n.Status = to
	return nil
}

// NoticeDocument is a letter, or what was answered. Its content is stored apart.
type NoticeDocument struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	NoticeID       string
	Filename       string
	ContentType    string // application/pdf, image/png or image/jpeg, by content
	Size           int64  // bytes
	SHA256         []byte `gorm:"column:sha256"` // of the document in clear
	CreatedAt      time.Time
}

// PieceField returns the field to which a sealed piece of a document is bound, so that no other piece can replace it.
func (d NoticeDocument) PieceField(n int) string { return fmt.Sprintf("piece %d of %s", n, d.ID) }

// NoticeFilter selects notices of a list. Empty parts select all.
type NoticeFilter struct {
	Statuses       []NoticeStatus
	Kinds          []NoticeKind
	RegistrationID string
	FilingID       string
	Countries      []string
	States         []string
	Assignee       string
	DueFrom        time.Time
	DueUntil       time.Time
	Text           string // a part of the authority or the reference
}

// NoticeChangedError means that a notice has changed since the caller read it.
type NoticeChangedError struct{ Revision int }

func (e *NoticeChangedError) Error() string {
	return fmt.Sprintf("the notice has revision %d", e.Revision)
}
