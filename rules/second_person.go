package rules

import (
	"slices"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// SecondPersonFacts says who made what a return rests on, and who gave those people access.
type SecondPersonFacts struct {
	Required bool // by the settings of the organization
	Works    []FilingWork
	Access   []models.AccessSource
}

// FilingWork is the last work of an actor on a return, its registration or its sales, or the last approval by that actor.
// An empty change and a note are no work.
type FilingWork struct {
	By       models.Actor
	At       time.Time
	Approval bool
}

// NoWorkOnFiling are the fields of a return and of a registration that change neither the amount nor what is decided.
var NoWorkOnFiling = []string{
	"internal_notes", "jira_issue_key", "issue_reason", "skip_reason", "cancelled_reason", "return_confirmation_id",
	"payment_confirmation_id", "date_filed", "filed_at", "is_manual", "status", "attempt", "approved_by", "approved_at",
	"auto_approved", "paused_until_date", "due_date", "unanswered_since", "manual_since",
}

// CheckSecondPerson refuses a decision about a return by an actor who made what it rests on. It refuses every key,
// because a key does not prove which person uses it. Another person who approved the return has seen all earlier work.
// Levy itself may decide. Errors: *models.SecondPersonError.
func CheckSecondPerson(by models.Actor, facts SecondPersonFacts) error {
	if !facts.Required || by.IsLevy() {
		return nil
	}
	// guard: second person: a key is none
	if !isPerson(by) {
		return &models.SecondPersonError{Reason: models.SecondPersonIsKey}
	}
	var seen time.Time
	for _, w := range facts.Works {
		if w.Approval && isPerson(w.By) && !facts.SameHand(by, w.By) && w.At.After(seen) {
			seen = w.At
		}
	}
	for _, w := range facts.Works {
		if w.Approval || !seen.IsZero() && !w.At.After(seen) {
			continue
		}
		// guard: second person: made nothing of it
		if sameActor(by, w.By) {
			return &models.SecondPersonError{Reason: models.SecondPersonIsMaker}
		}
		// guard: second person: is no twin
		if facts.SameHand(by, w.By) {
			return &models.SecondPersonError{Reason: models.SecondPersonIsTwin}
		}
	}
	return nil
}

// SameHand reports whether two actors may be one person. They are the same, one has given access to the other, or a
// third actor has given it to both.
func (f SecondPersonFacts) SameHand(a, b models.Actor) bool {
	others := f.handsOf(b)
	return slices.ContainsFunc(f.handsOf(a), others.have)
}

func isPerson(a models.Actor) bool { return a.UserID != "" || a.Staff != "" }

// hands are the actors who may stand behind one actor, that actor first.
type hands []models.Actor

// handsOf returns an actor, who gave that actor access, and so on.
func (f SecondPersonFacts) handsOf(a models.Actor) hands {
	found := hands{a}
	for i := 0; i < len(found); i++ {
		for _, given := range f.Access {
			if given.To == handOf(found[i]) && !given.By.IsLevy() && !found.have(given.By) {
				found = append(found, given.By)
			}
		}
	}
	return found
}

func (h hands) have(a models.Actor) bool {
	return slices.ContainsFunc(h, func(b models.Actor) bool { return sameActor(a, b) })
}

// handOf identifies an actor.
func handOf(a models.Actor) string {
	switch {
	case a.UserID != "":
		return a.UserID
	case a.APIKeyID != "":
		return a.APIKeyID
	}
	return a.Staff
}

// sameActor compares actors. The operator has people with a session, and keys with the name of a person.
func sameActor(a, b models.Actor) bool {
	if a.Staff != "" || b.Staff != "" {
		return nameOf(a) == nameOf(b)
	}
	return handOf(a) == handOf(b)
}

func nameOf(a models.Actor) string {
	if a.Staff != "" {
		return a.Staff
	}
	return a.UserName
}

// longestPause bounds the pause of a return without a due date that is no decision, in days.
const longestPause = 31

// PausesForLong reports whether a change pauses a return until it is resumed, or beyond its due date. No person files
// such a return in time, as if it were skipped. Without a due date a pause is long after 31 days.
func PausesForLong(before, after *models.Filing) bool {
	if after.Status != models.FilingPaused ||
		before.Status == models.FilingPaused && sameDay(before.PausedUntilDate, after.PausedUntilDate) {
		return false
	}
	if after.PausedUntilDate == nil {
		return true
	}
	last := after.Today.AddDays(longestPause)
	if after.DueDate != nil {
		last = calendar.DateOf(*after.DueDate)
	}
	return calendar.DateOf(*after.PausedUntilDate) > last
}

func sameDay(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && calendar.DateOf(*a) == calendar.DateOf(*b)
}
