package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/openapi"
	"levy/models"
)

// StreamTimes bound a stream of events.
type StreamTimes struct {
	// Lifetime is how long a stream lasts at most.
	Lifetime time.Duration
	// Heartbeat is the time between two comments, by which both ends see that the other is
	// still connected.
	Heartbeat time.Duration
	// WriteTimeout is how long a client may take to read one message.
	WriteTimeout time.Duration
}

// contractStreams are the times that the contract states.
var contractStreams = StreamTimes{Lifetime: time.Hour, Heartbeat: 15 * time.Second, WriteTimeout: 10 * time.Second}

// StreamOnboarding writes an onboarding as it is now and then once for every change, of which the
// feed of events tells, until it is over, the key is refused, the server stops, or the time is up. Of
// changes that come faster than the client reads it writes the last one.
func (s *Server) StreamOnboarding(c *gin.Context, r openapi.StreamOnboardingRequest) {
	ctx := c.Request.Context()
	scope, err := s.within(ctx, r.OrganizationID)
	var now models.Onboarding
	if err == nil {
		now, err = s.deps.Onboardings.Onboarding(ctx, scope)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	happened, unsubscribe := s.feed.subscribe(ctx, scope.OrganizationID)
	defer unsubscribe()

	stream := newEventStream(c, s.streamTimes.WriteTimeout)
	// What is no number counts as an older version.
	seen, _ := strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64)
	if seen != now.Version {
		stream.sendOnboarding(now.Version, s.onboardingAnswer(now))
	}
	if isOver(now) {
		return
	}
	s.follow(stream, scope, happened, func() bool {
		next, err := s.deps.Onboardings.Onboarding(ctx, scope)
		// The key may be revoked with the change that was just read.
		if err != nil || next.Version != now.Version && !s.isStillIn(c, scope) {
			return false
		}
		if next.Version != now.Version {
			now = next
			stream.sendOnboarding(now.Version, s.onboardingAnswer(now))
		}
		return !isOver(now)
	})
	call := callOf(ctx)
	ownKey := call.person == nil && call.principal.OrganizationID == scope.OrganizationID
	if now.Status.Undone() || !ownKey || s.isStillIn(c, scope) {
		return
	}
	// Undoing an onboarding revokes the keys of its client, which is told of the end all the same.
	if last, err := s.deps.Onboardings.Onboarding(ctx, scope); err == nil && last.Status.Undone() {
		stream.sendOnboarding(last.Version, s.onboardingAnswer(last))
	}
}

// follow lets send write what is new whenever something has happened, until it returns false, the client
// has gone, the key or the session is refused, the server stops, or the time is up. The client of a
// stream that ends early connects again.
func (s *Server) follow(stream *eventStream, scope models.Scope, happened <-chan struct{}, send func() bool) {
	ctx := stream.c.Request.Context()
	end, heartbeat := time.NewTimer(s.streamTimes.Lifetime), time.NewTicker(s.streamTimes.Heartbeat)
	defer end.Stop()
	defer heartbeat.Stop()
	defer stream.allowWrite() // the end of the answer is written too
	for stream.err == nil {
		isNew := false
		select {
		case <-ctx.Done():
			return
		case <-s.stopping:
			return
		case <-end.C:
			return
		case <-heartbeat.C:
		case <-happened:
			isNew = true
		}
		if !s.isStillIn(stream.c, scope) {
			return // the key or the session may be revoked meanwhile
		}
		if !isNew {
			stream.comment()
		}
		if (isNew || stream.ages) && !send() {
			return
		}
	}
}

// eventStream writes server-sent events. After an error it writes nothing more.
type eventStream struct {
	c            *gin.Context
	control      *http.ResponseController
	writeTimeout time.Duration
	ages         bool // what it shows changes with time too, so that each heartbeat looks
	err          error
}

func newEventStream(c *gin.Context, writeTimeout time.Duration) *eventStream {
	header := c.Writer.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // proxies pass every message on at once
	c.Status(http.StatusOK)
	e := &eventStream{c: c, control: http.NewResponseController(c.Writer), writeTimeout: writeTimeout}
	// The time for the request would end the stream. A test's writer has none.
	_ = e.control.SetReadDeadline(time.Time{})
	e.write("retry: 3000\n\n")
	return e
}

func (e *eventStream) sendOnboarding(version int64, onboarding openapi.Onboarding) {
	e.send("onboarding", strconv.FormatInt(version, 10), onboarding)
}

// send writes one message: its kind, its id and its data on one line.
func (e *eventStream) send(kind, id string, data any) {
	line, err := encode(data)
	if err != nil {
		e.err = err
		return
	}
	e.write(fmt.Sprintf("event: %s\nid: %s\ndata: %s\n\n", kind, id, line))
}

func (e *eventStream) comment() { e.write(": still here\n\n") }

// allowWrite gives what is written next its time. A writer of a test has no deadline, and needs none.
func (e *eventStream) allowWrite() { _ = e.control.SetWriteDeadline(time.Now().Add(e.writeTimeout)) }

func (e *eventStream) write(text string) {
	if e.err != nil {
		return
	}
	e.allowWrite()
	if _, e.err = e.c.Writer.WriteString(text); e.err == nil {
		e.c.Writer.Flush()
	}
}
