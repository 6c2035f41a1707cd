package main

import (
	"context"
	"time"
)

// paceTick is how often the generator of a planned load checks what is due: one timer for all connections. A timer for
// each request woke as many goroutines, late when the CPUs are busy, and that counted as latency of the service.
const paceTick = 500 * time.Microsecond

// planned hands out the times for which requests are planned, each when it has come: open loop, whatever becomes of
// the ones before. It ends with ctx or the time.
func (l load) planned(ctx context.Context) <-chan time.Time {
	due := make(chan time.Time, l.clients)
	began := time.Now()
	go func() {
		defer close(due)
		tick := time.NewTicker(paceTick)
		defer tick.Stop()
		for n := 0; ; n++ {
			at := began.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
			if at.Sub(began) >= l.during {
				return
			}
			for time.Until(at) > 0 {
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
			}
			select {
			case due <- at:
			case <-ctx.Done():
				return
			}
		}
	}()
	return due
}
