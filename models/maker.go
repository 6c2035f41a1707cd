package models

import (
	"strings"
	"time"
)

// MadeKind is the kind of a thing that gives access.
type MadeKind string

// Kinds of things whose maker is stored.
const (
	MadeAPIKey         MadeKind = "api_key"
	MadeCalendarFeed   MadeKind = "calendar_feed"
	MadeInvitation     MadeKind = "invitation" // its id is that of the person
	MadeOnboardingLink MadeKind = "onboarding_link"
	MadeWebhook        MadeKind = "webhook_endpoint"
)

// Maker is the key, person or link that made a thing.
type Maker struct {
	OrganizationID string   `gorm:"primaryKey"` // of the thing
	Kind           MadeKind `gorm:"primaryKey"`
	ID             string   `gorm:"primaryKey"` // of the thing
	KeyID          *string
	UserID         *string
	LinkID         *string
	Own            bool // the first key of a client: it is the client's own
	Granted        bool // made for a client under the grant of its partner, with which it ends
	MadeAt         time.Time
	MakerEndedAt   *time.Time
}

// By returns the id of the maker.
func (m *Maker) By() string {
	for _, id := range []*string{m.KeyID, m.UserID, m.LinkID} {
		if id != nil {
			return *id
		}
	}
	return ""
}

// IsLink reports whether the actor is an onboarding link.
func (a Actor) IsLink() bool { return strings.HasPrefix(a.UserID, PrefixOnboardingLink+"_") }

// MadeBy records the actor as the maker. It reports false for staff and workflows, whose things stay.
func (m *Maker) MadeBy(a Actor) bool {
	m.Granted = a.Granted && !m.Own
	switch {
	case a.IsLink():
		m.LinkID = &a.UserID
	case a.UserID != "":
		m.UserID = &a.UserID
	case a.APIKeyID != "":
		m.KeyID = &a.APIKeyID
	default:
		return false
	}
	return true
}

// Made names a thing after the end of its maker.
type Made struct {
	Kind           MadeKind
	OrganizationID string
	ID             string
}

// Aftermath says what became of the things of a maker that ended. The things in ToDecide still work.
type Aftermath struct{ Ended, ToDecide []Made }

// Add adds the things of another maker.
func (a *Aftermath) Add(other Aftermath) {
	a.Ended, a.ToDecide = append(a.Ended, other.Ended...), append(a.ToDecide, other.ToDecide...)
}

// Detail returns the ids for the audit trail; nil for nothing.
func (a Aftermath) Detail() map[string]any {
	detail := map[string]any{}
	for name, things := range map[string][]Made{"ended": a.Ended, "to_decide": a.ToDecide} {
		var ids []string
		for _, t := range things {
			ids = append(ids, t.ID)
		}
		if ids != nil {
			detail[name] = ids
		}
	}
	if len(detail) == 0 {
		return nil
	}
	return detail
}

// GiverError refuses to give what its giver does not have. Detail says what is missing, and who can give it.
type GiverError struct{ Detail string }

func (e *GiverError) Error() string { return e.Detail }

// Is reports whether target is ErrForbidden.
func (e *GiverError) Is(target error) bool { return target == ErrForbidden }

// ErrOutlivesKey refuses a thing that would end after the key that makes it.
var ErrOutlivesKey = &GiverError{Detail: "Your key ends, and makes nothing that ends later than itself. " +
	"Name an end that is not later, or use a key without end."}

// ErrMakerEnded refuses a thing whose maker was revoked or removed meanwhile.
var ErrMakerEnded = &GiverError{Detail: "The key or the person of this call has been revoked or removed meanwhile."}

// ErrNotFirstAdmin refuses any person but the first admin, whom an onboarding link invites.
var ErrNotFirstAdmin = &GiverError{Detail: "An onboarding link invites the first admin of its organization, and nobody else. " +
	"Ask an admin of the organization, who invites further people."}

// ErrLinkInvitesNobody refuses the first admin, because the maker of the link may invite none.
var ErrLinkInvitesNobody = &GiverError{Detail: "The key or the person that made this onboarding link may not invite an admin. " +
	"Ask for a new link, which an admin makes, or a key with all scopes and without end or allowed_addresses."}

// ErrLinkUsed refuses a second key of an onboarding link.
var ErrLinkUsed = &GiverError{Detail: "An onboarding link makes one key, which the organization has already."}
