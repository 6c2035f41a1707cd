package output

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"levy/models"
	"levy/service/internal/deps"
)

// feedInterval is the time between two reads of the newest events. One read of the events serves all streams.
const feedInterval = 500 * time.Millisecond

// feedTimeout bounds such a read.
const feedTimeout = 10 * time.Second

// EveryOrganization subscribes a stream to the events of all organizations.
const EveryOrganization = ""

// EventFeed notifies streams of new events in their organizations. It queries the database only
// while there are streams.
type EventFeed struct {
	events  deps.Events
	mu      sync.Mutex
	streams map[string]map[chan struct{}]struct{} // by organization
	running bool
}

// NewEventFeed returns a feed without streams.
func NewEventFeed(events deps.Events) *EventFeed {
	return &EventFeed{events: events, streams: map[string]map[chan struct{}]struct{}{}}
}

// Subscribe returns a channel that receives after events. It receives once at the beginning,
// for events between the caller's last read and the subscription. The caller calls unsubscribe at its end.
func (f *EventFeed) Subscribe(
	ctx context.Context, organizationID string,
) (happened <-chan struct{}, unsubscribe func()) {
	stream := make(chan struct{}, 1)
	stream <- struct{}{}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streams[organizationID] == nil {
		f.streams[organizationID] = map[chan struct{}]struct{}{}
	}
	f.streams[organizationID][stream] = struct{}{}
	if !f.running {
		f.running = true
		go f.run(models.WithoutPartner(context.WithoutCancel(ctx))) // it reads for all partners
	}
	return stream, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.streams[organizationID], stream)
		if len(f.streams[organizationID]) == 0 {
			delete(f.streams, organizationID)
		}
	}
}

// run reads the newest events until no stream is left.
func (f *EventFeed) run(ctx context.Context) {
	last := map[string]models.EventPosition{}
	for {
		followed, ok := f.followed()
		if !ok {
			return
		}
		limited, cancel := context.WithTimeout(ctx, feedTimeout)
		newest, err := f.newest(models.AcrossOrganizations(limited), followed)
		cancel()
		if err == nil {
			for id, at := range newest {
				if last[id] != at {
					f.notify(id)
				}
			}
			last = newest
		}
		<-time.After(feedInterval)
	}
}

// newest returns the positions of the newest events of the followed organizations.
func (f *EventFeed) newest(ctx context.Context, followed []string) (map[string]models.EventPosition, error) {
	every := slices.Index(followed, EveryOrganization)
	if every < 0 {
		return f.events.Newest(ctx, followed)
	}
	newest, err := f.events.Newest(ctx, slices.Delete(followed, every, every+1))
	if err != nil {
		return nil, err
	}
	end, err := f.events.End(ctx)
	newest[EveryOrganization] = models.EventPosition{Sequence: end.Sequence}
	return newest, err
}

// followed returns the organizations with streams. ok is false, and the feed stops, if there are none.
func (f *EventFeed) followed() (organizationIDs []string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running = len(f.streams) > 0
	return slices.Collect(maps.Keys(f.streams)), f.running
}

// notify sends to the streams of an organization.
func (f *EventFeed) notify(organizationID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for stream := range f.streams[organizationID] {
		select {
		case stream <- struct{}{}:
		default: // the last notification is still unread
		}
	}
}
