package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// load says how sales are posted: from this many keep-alive connections, each with
// one request at a time, until the number or the time is reached.
type load struct {
	clients int
	count   int           // 0: no limit
	during  time.Duration // 0: no limit
	rate    float64       // requests per second that are planned; 0: as fast as the answers come
}

// latencies is how long each request took, from its first byte, or when it was
// planned, to the last of the answer.
type latencies []time.Duration

// post runs the load. Any answer but the one wanted is an error and ends it.
func (s *sales) post(ctx context.Context, l load) (latencies, time.Duration, error) {
	connections := make([]*connection, l.clients)
	for i := range connections {
		var err error
		if connections[i], err = s.connect(ctx); err != nil {
			return nil, 0, err
		}
		defer connections[i].Close()
	}
	var claimed atomic.Int64
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for _, c := range connections {
		group.Go(func() error {
			for ctx.Err() == nil {
				n := claimed.Add(1)
				at := time.Now()
				if l.rate > 0 {
					at = began.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
				}
				if l.count > 0 && n > int64(l.count) || l.during > 0 && at.Sub(began) >= l.during {
					return nil
				}
				select {
				case <-ctx.Done():
				case <-time.After(time.Until(at)):
				}
				if err := c.post(at); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	took := time.Since(began)
	var all latencies
	for _, c := range connections {
		all = append(all, c.took...)
	}
	return all, took, err
}

// connection posts with as little work as a client can do: on the same machine,
// what the client uses is missing to the service.
type connection struct {
	net.Conn
	sales     *sales
	templates []template
	answers   *bufio.Reader
	timeout   time.Duration // of an answer
	took      latencies
}

func (s *sales) connect(ctx context.Context) (*connection, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.host)
	if err != nil {
		return nil, err
	}
	return &connection{
		Conn: conn, sales: s, templates: s.clone(), answers: bufio.NewReaderSize(conn, 16<<10), timeout: answerTimeout,
	}, nil
}

// answerTimeout is beyond every timeout of the service.
const answerTimeout = 60 * time.Second

// post sends the next request, which was planned for began.
func (c *connection) post(began time.Time) error { return c.send(c.sales.next.Add(1), began) }

// send sends the request of a number, which was planned for began.
func (c *connection) send(number int64, began time.Time) error {
	request := c.templates[number%int64(len(c.templates))].fill(number)
	if err := c.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return err
	}
	if _, err := c.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != c.sales.status {
		problem, err := io.ReadAll(answer.Body)
		return errors.Join(fmt.Errorf("POST %s: %s: %s", c.sales.path, answer.Status, problem), err)
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	c.took = append(c.took, time.Since(began))
	c.sales.taken.Add(1)
	return nil
}
