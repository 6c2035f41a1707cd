package api

import (
	"context"

	"levy/contract"
	"levy/models"
)

// eventsAtOnce is how many events a stream reads at a time.
const eventsAtOnce = 100

// StreamEvents writes the events behind the one that the client has seen last, and then each that is
// added, until the key is refused, the server stops, or the time is up.
func (s *Server) StreamEvents(ctx context.Context, r contract.StreamEventsRequest, out contract.Stream) error {
	scope := callOf(ctx).scope
	happened, unsubscribe := s.feed.subscribe(ctx, scope.OrganizationID)
	defer unsubscribe()
	f := &followedEvents{scope: scope, types: r.Params.TypeIn}
	var err error
	if last := out.LastEventID(); last != "" {
		f.at, err = s.cursorOf(ctx, scope, last, models.InHeader, "Last-Event-ID")
	} else {
		f.at, err = s.deps.Events.End(ctx)
	}
	if err != nil {
		return err
	}
	stream := newEventStream(out)
	s.outputs.follow(ctx, stream, scope, happened, func() bool { return s.sendEvents(ctx, stream, f) == nil })
	return nil
}

// followedEvents is how far a stream has come, in which organization, and the types that it wants.
type followedEvents struct {
	scope models.Scope
	types []string
	at    models.EventPosition
}

// sendEvents writes all that is there behind where the stream is.
func (s *Server) sendEvents(ctx context.Context, stream *eventStream, f *followedEvents) error {
	for more := true; more && stream.err == nil; {
		found, further, err := s.deps.Events.After(ctx, models.EventQuery{
			Organizations: []string{f.scope.OrganizationID}, After: f.at, Types: f.types, Limit: eventsAtOnce,
		})
		if err != nil {
			return err
		}
		answers, err := s.eventAnswers(ctx, found)
		if err != nil {
			return err
		}
		for i := range answers {
			stream.send(answers[i].Type, answers[i].ID, answers[i])
			f.at = found[i].Position()
		}
		more = further
	}
	return nil
}
