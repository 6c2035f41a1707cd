package activities

import (
	"sync"
	"sync/atomic"
)

// eachAtOnce does n pieces of work, some of them at once, and begins no further one after one that says so, or after an
// error, of which it returns one.
func eachAtOnce(n, atOnce int, do func(i int) (more bool, err error)) error {
	var over atomic.Bool
	failed := make(chan error, n)
	next := make(chan int)
	var senders sync.WaitGroup
	for range min(max(1, atOnce), n) {
		senders.Go(func() {
			for i := range next {
				// guard: webhooks: a time-out ends the batch
				if over.Load() {
					continue
				}
				more, err := do(i)
				if err != nil {
					failed <- err
				}
				if !more || err != nil {
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
	close(failed)
	return <-failed
}
