package api

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// feedInterval is how often it is read how far the records of organizations are that streams follow:
// one statement, whatever the number of streams.
const feedInterval = 500 * time.Millisecond

// feedTimeout is how long that statement may take.
const feedTimeout = 10 * time.Second

// changeFeed notifies streams when what they follow of their organization has changed. It queries
// the database only while there are streams.
type changeFeed struct {
	versions versionsRead
	mu       sync.Mutex
	streams  map[string]map[chan struct{}]struct{} // by organization
	running  bool
}

// versionsRead reads a number for each organization that differs after every change.
type versionsRead func(ctx context.Context, organizationIDs []string) (map[string]int64, error)

func newChangeFeed(versions versionsRead) *changeFeed {
	return &changeFeed{versions: versions, streams: map[string]map[chan struct{}]struct{}{}}
}

// subscribe returns a channel that has something to receive after a change. What
// changed between reading and subscribing is notified as well.
func (f *changeFeed) subscribe(
	ctx context.Context, organizationID string,
) (changes <-chan struct{}, unsubscribe func()) {
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
		go f.run(context.WithoutCancel(ctx))
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

// run compares versions until no stream is left.
func (f *changeFeed) run(ctx context.Context) {
	last := map[string]int64{}
	for {
		followed, ok := f.followed()
		if !ok {
			return
		}
		limited, cancel := context.WithTimeout(ctx, feedTimeout)
		versions, err := f.versions(limited, followed)
		cancel()
		if err == nil {
			for id, version := range versions {
				if last[id] != version {
					f.notify(id)
				}
			}
			last = versions
		}
		<-time.After(feedInterval)
	}
}

func (f *changeFeed) followed() (organizationIDs []string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running = len(f.streams) > 0
	return slices.Collect(maps.Keys(f.streams)), f.running
}

func (f *changeFeed) notify(organizationID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for stream := range f.streams[organizationID] {
		select {
		case stream <- struct{}{}:
		default: // it has not received the last notification yet
		}
	}
}

func (s *Server) onboardingVersions(ctx context.Context, organizationIDs []string) (map[string]int64, error) {
	return s.deps.Onboardings.OnboardingVersions(ctx, organizationIDs)
}
