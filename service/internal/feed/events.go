package feed

import (
	"context"
	"errors"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// eventsVersion is the version of the contract for the objects of events.
const eventsVersion = "v1"

// afterNow is the cursor of a client that wants only later events.
const afterNow = "now"

// ListEvents lists the events after a cursor.
func (o *Operations) ListEvents(ctx context.Context, r contract.ListEventsRequest) (contract.EventList, error) {
	p, scope := r.Params, call.Of(ctx).Scope
	if p.After == afterNow {
		return o.endOfEvents(ctx, scope)
	}
	after, err := o.cursorOf(ctx, scope, p.After, models.InQuery, "after")
	if err != nil {
		return contract.EventList{}, err
	}
	found, more, err := o.deps.Events.After(ctx, models.EventQuery{
		Organizations: []string{scope.OrganizationID}, After: after, Types: p.TypeIn, Limit: p.Limit,
	})
	if err != nil {
		return contract.EventList{}, err
	}
	answer := contract.EventList{NextCursor: convert.Optional(p.After), HasMore: more}
	if answer.Items, err = o.eventAnswers(ctx, found); err != nil {
		return contract.EventList{}, err
	}
	if n := len(found); n > 0 {
		answer.NextCursor = convert.Optional(found[n-1].ID())
	}
	return answer, nil
}

// endOfEvents returns a page without events whose cursor is the newest event.
func (o *Operations) endOfEvents(ctx context.Context, scope models.Scope) (contract.EventList, error) {
	last, err := o.deps.Events.Last(ctx, scope)
	if err != nil {
		return contract.EventList{}, err
	}
	answer := contract.EventList{Items: []contract.Event{}}
	if last != (models.EventPosition{}) {
		answer.NextCursor = convert.Optional(models.EventID(last.At, last.Sequence))
	}
	return answer, nil
}

// GetEvent reads one event.
func (o *Operations) GetEvent(ctx context.Context, r contract.GetEventRequest) (contract.Event, error) {
	e, err := o.EventOf(ctx, r.EventID)
	if err != nil {
		return contract.Event{}, err
	}
	answers, err := o.eventAnswers(ctx, []models.Event{e})
	if err != nil {
		return contract.Event{}, err
	}
	return answers[0], nil
}

// EventOf reads the event with an id. Errors: models.ErrNotFound.
func (o *Operations) EventOf(ctx context.Context, id string) (models.Event, error) {
	at, ok := models.ParseEventID(id)
	if !ok {
		return models.Event{}, models.ErrNotFound
	}
	return o.deps.Events.Event(ctx, call.Of(ctx).Scope, at)
}

// cursorOf returns the position of the last event that a client has read, from a parameter or header.
// It returns the beginning for no event, and for one that is no longer stored. Errors: *models.ReferencesNotFoundError.
func (o *Operations) cursorOf(
	ctx context.Context, scope models.Scope, id string, in models.Part, name string,
) (models.EventPosition, error) {
	if id == "" {
		return models.EventPosition{}, nil
	}
	unknown := &models.ReferencesNotFoundError{Faults: []models.Fault{{
		Code: models.FieldNotFound, In: in, Path: name, Message: "There is no such event.",
	}}}
	at, ok := models.ParseEventID(id)
	switch {
	case !ok:
		return at, unknown
	case at.At.Before(o.now().Add(-models.EventsKept)):
		return models.EventPosition{}, nil
	}
	if _, err := o.deps.Events.Event(ctx, scope, at); errors.Is(err, models.ErrNotFound) {
		return at, unknown
	} else if err != nil {
		return at, err
	}
	return at, nil
}

// eventAnswers returns events with their records.
func (o *Operations) eventAnswers(ctx context.Context, events []models.Event) ([]contract.Event, error) {
	records, err := o.deps.Events.EventRecords(ctx, events)
	if err != nil {
		return nil, err
	}
	answers := make([]contract.Event, len(records))
	for i := range records {
		if answers[i], err = o.eventAnswer(&records[i]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func (o *Operations) eventAnswer(r *models.EventRecord) (contract.Event, error) {
	object, previous, err := o.eventObjects(r)
	return contract.Event{
		ID: r.ID(), Type: r.Type, APIVersion: eventsVersion,
		CreatedAt: convert.Instant(r.CreatedAt), OrganizationID: r.OrganizationID,
		IsTest: r.IsTest, Sequence: r.Sequence, RequestID: r.RequestID,
		Data: contract.EventData{Object: object, PreviousAttributes: previous},
	}, err
}
