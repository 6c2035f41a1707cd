package feed

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/output"
)

// eventsAtOnce is the number of events that a stream reads at a time.
const eventsAtOnce = 100

// StreamEvents sends the events after the last one that the client has read, and then each new one.
// It ends if the key is refused, the process stops, or the time is up.
func (o *Operations) StreamEvents(ctx context.Context, r contract.StreamEventsRequest, out contract.Stream) error {
	scope := call.Of(ctx).Scope
	happened, unsubscribe := o.feed.Subscribe(ctx, scope.OrganizationID)
	defer unsubscribe()
	f := &followedEvents{scope: scope, types: r.Params.TypeIn}
	var err error
	if last := out.LastEventID(); last != "" {
		f.at, err = o.cursorOf(ctx, scope, last, models.InHeader, "Last-Event-ID")
	} else {
		f.at, err = o.deps.Events.End(ctx)
	}
	if err != nil {
		return err
	}
	stream := output.NewEventStream(out)
	o.outputs.Follow(ctx, stream, scope, happened, func() bool { return o.sendEvents(ctx, stream, f) == nil })
	return nil
}

// followedEvents are the position, the organization and the types of events of a stream.
type followedEvents struct {
	scope models.Scope
	types []string
	at    models.EventPosition
}

// sendEvents sends all events after the position of the stream.
func (o *Operations) sendEvents(ctx context.Context, stream *output.EventStream, f *followedEvents) error {
	for more := true; more && stream.Err == nil; {
		found, further, err := o.deps.Events.After(ctx, models.EventQuery{
			Organizations: []string{f.scope.OrganizationID}, After: f.at, Types: f.types, Limit: eventsAtOnce,
		})
		if err != nil {
			return err
		}
		answers, err := o.eventAnswers(ctx, found)
		if err != nil {
			return err
		}
		for i := range answers {
			stream.Send(answers[i].Type, answers[i].ID, answers[i])
			f.at = found[i].Position()
		}
		more = further
	}
	return nil
}
