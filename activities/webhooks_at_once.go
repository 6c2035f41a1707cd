package activities

import (
	"sync"
	"sync/atomic"
)

// eachAtOnce does n pieces of work, some of them at once, and begins no further one after one that says so.
func eachAtOnce(n, atOnce int, do func(i int) (more bool)) {
	var over atomic.Bool
	next := make(chan int)
	var senders sync.WaitGroup
	for range min(max(1, atOnce), n) {
		senders.Go(func() {
			for i := range next {
				// guard: webhooks: a time-out ends the batch
				if over.Load() {
					continue
				}
				if !do(i) {
					over.Store(true)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	senders.Wait()
}
