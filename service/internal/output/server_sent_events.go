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
	// Lifetime is the longest time that a stream lasts.
	Lifetime time.Duration
	// Heartbeat is the time between two comments. By them both ends notice a broken connection.
	Heartbeat time.Duration
	// WriteTimeout bounds the time that a client takes to read one message.
	WriteTimeout time.Duration
}

// ContractStreams are the times of the contract.
var ContractStreams = StreamTimes{Lifetime: time.Hour, Heartbeat: 15 * time.Second, WriteTimeout: 10 * time.Second}

// Follow calls send after every event. It ends if send returns false, the client disconnects,
// the caller is no longer admitted, the process stops, or the lifetime is over. The client of a stream
// that ends early connects again.
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
			return // the key or the session was revoked meanwhile
		}
		if !isNew {
			stream.comment()
		}
		if (isNew || stream.Ages) && !send() {
			return
		}
	}
}

// EventStream writes server-sent events. After an error it writes nothing.
type EventStream struct {
	to   contract.Stream
	Ages bool // its content changes with time, too: each heartbeat calls send
	Err  error
}

// NewEventStream begins a stream of server-sent events.
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
