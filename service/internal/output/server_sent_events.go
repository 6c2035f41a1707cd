package output

import (
	"context"
	"fmt"
	"io"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
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

// ContractStreams are the times that the contract states.
var ContractStreams = StreamTimes{Lifetime: time.Hour, Heartbeat: 15 * time.Second, WriteTimeout: 10 * time.Second}

// Follow lets send write what is new whenever something has happened, until it returns false, the client
// has gone, the key or the session is refused, the server stops, or the time is up. The client of a
// stream that ends early connects again.
func (o *Outputs) Follow(
	ctx context.Context, stream *EventStream, scope models.Scope, happened <-chan struct{}, send func() bool,
) {
	end, heartbeat := time.NewTimer(o.Times.Lifetime), time.NewTicker(o.Times.Heartbeat)
	defer end.Stop()
	defer heartbeat.Stop()
	for stream.Err == nil {
		isNew := false
		select {
		case <-ctx.Done():
			return
		case <-o.Stopping:
			return
		case <-end.C:
			return
		case <-heartbeat.C:
		case <-happened:
			isNew = true
		}
		if !call.Of(ctx).StillAdmitted(ctx, scope) {
			return // the key or the session may be revoked meanwhile
		}
		if !isNew {
			stream.comment()
		}
		if (isNew || stream.Ages) && !send() {
			return
		}
	}
}

// EventStream writes server-sent events. After an error it writes nothing more.
type EventStream struct {
	to   contract.Stream
	Ages bool // what it shows changes with time too, so that each heartbeat looks
	Err  error
}

func NewEventStream(to contract.Stream) *EventStream {
	to.Begin(contract.Content{Type: contract.TypeEvents})
	e := &EventStream{to: to}
	e.write("retry: 3000\n\n")
	return e
}

// Send writes one message: its kind, its id and its data on one line.
func (e *EventStream) Send(kind, id string, data any) {
	line, err := contract.Encode(data)
	if err != nil {
		e.Err = err
		return
	}
	e.write(fmt.Sprintf("event: %s\nid: %s\ndata: %s\n\n", kind, id, line))
}

func (e *EventStream) comment() { e.write(": still here\n\n") }

func (e *EventStream) write(text string) {
	if e.Err != nil {
		return
	}
	if _, e.Err = io.WriteString(e.to, text); e.Err == nil {
		e.to.Flush()
	}
}
