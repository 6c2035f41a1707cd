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

// load says how sales are posted: from so many keep-alive connections, each with one request at a time. It ends when
// the number or the time is reached.
type load struct {
	clients int
	count   int           // 0: no limit
	during  time.Duration // 0: no limit
	rate    float64       // requests per second that are planned for all of during; 0: as fast as the answers come
}

// latencies is how long each request took, from its first byte, or when it was
// planned, to the last of the answer.
type latencies []time.Duration

// post runs the load. Any answer but the one wanted is an error and ends it.
func (s *sales) post(ctx context.Context, l load) (latencies, time.Duration, error) {
	all, _, took, err := s.postLate(ctx, l)
	return all, took, err
}

// postLate is post, and says how late the requests of a planned load were sent. That is part of their latency: the
// generator was not there in time, or all connections waited for answers.
func (s *sales) postLate(ctx context.Context, l load) (all, late latencies, took time.Duration, err error) {
	connections := make([]*connection, l.clients)
	for i := range connections {
		if connections[i], err = s.connect(ctx); err != nil {
			return nil, nil, 0, err
		}
		defer connections[i].Close()
	}
	var claimed atomic.Int64
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	var planned <-chan time.Time
	if l.rate > 0 {
		planned = l.planned(ctx)
	}
	for _, c := range connections {
		group.Go(func() error {
			if planned != nil {
				return c.postPlanned(ctx, planned)
			}
			for ctx.Err() == nil {
				n, at := claimed.Add(1), time.Now()
				if l.count > 0 && n > int64(l.count) || l.during > 0 && at.Sub(began) >= l.during {
					return nil
				}
				if err := c.post(at); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	err = group.Wait()
	took = time.Since(began)
	for _, c := range connections {
		all, late = append(all, c.took...), append(late, c.late...)
	}
	return all, late, took, err
}

// postPlanned sends what is planned, as long as there is something.
func (c *connection) postPlanned(ctx context.Context, planned <-chan time.Time) error {
	for at := range planned {
		c.late = append(c.late, time.Since(at))
		if err := c.post(at); err != nil {
			return err
		}
	}
	return ctx.Err()
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
	late      latencies // of what was planned: when it was sent
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
