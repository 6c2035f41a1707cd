package api

import (
	"context"
	"fmt"
	"io"
	"time"

	"levy/contract"
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

// follow lets send write what is new whenever something has happened, until it returns false, the client
// has gone, the key or the session is refused, the server stops, or the time is up. The client of a
// stream that ends early connects again.
func (o *outputs) follow(
	ctx context.Context, stream *eventStream, scope models.Scope, happened <-chan struct{}, send func() bool,
) {
	end, heartbeat := time.NewTimer(o.times.Lifetime), time.NewTicker(o.times.Heartbeat)
	defer end.Stop()
	defer heartbeat.Stop()
	for stream.err == nil {
		isNew := false
		select {
		case <-ctx.Done():
			return
		case <-o.stopping:
			return
		case <-end.C:
			return
		case <-heartbeat.C:
		case <-happened:
			isNew = true
		}
		if !callOf(ctx).stillAdmitted(ctx, scope) {
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
	to   contract.Stream
	ages bool // what it shows changes with time too, so that each heartbeat looks
	err  error
}

func newEventStream(to contract.Stream) *eventStream {
	to.Begin(contract.Content{Type: contract.TypeEvents})
	e := &eventStream{to: to}
	e.write("retry: 3000\n\n")
	return e
}

// send writes one message: its kind, its id and its data on one line.
func (e *eventStream) send(kind, id string, data any) {
	line, err := contract.Encode(data)
	if err != nil {
		e.err = err
		return
	}
	e.write(fmt.Sprintf("event: %s\nid: %s\ndata: %s\n\n", kind, id, line))
}

func (e *eventStream) comment() { e.write(": still here\n\n") }

func (e *eventStream) write(text string) {
	if e.err != nil {
		return
	}
	if _, e.err = io.WriteString(e.to, text); e.err == nil {
		e.to.Flush()
	}
}
