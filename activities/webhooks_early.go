package activities

import (
	"sync"

	"levy/models"
)

// earlyResults stores what was delivered while other attempts of the batch are under way. Otherwise a delivery would
// read PENDING until the slowest attempt of its batch has ended. The last results are left to the end of the batch, so
// a batch of one event is one database transaction.
type earlyResults struct {
	save func([]models.WebhookResult) error

	mu      sync.Mutex
	waiting []*models.WebhookResult // delivered and not stored
	open    int                     // attempts that have not ended
	wake    chan struct{}
	done    chan struct{}
}

// storeEarly begins to store results of a batch with so many attempts.
func storeEarly(attempts int, save func([]models.WebhookResult) error) *earlyResults {
	e := &earlyResults{save: save, open: attempts, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go e.run()
	return e
}

// ended records the result of an attempt.
func (e *earlyResults) ended(r *models.WebhookResult) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open--
	// guard: webhooks: what was delivered is saved before the batch ends
	if r.Outcome.Status == models.WebhookDelivered {
		e.waiting = append(e.waiting, r)
	}
	select {
	case e.wake <- struct{}{}:
	default: // run takes all that wait
	}
}

// run stores results until close. A result that cannot be stored now is stored at the end of the batch.
func (e *earlyResults) run() {
	defer close(e.done)
	for range e.wake {
		waiting := e.take()
		if len(waiting) == 0 {
			continue
		}
		delivered := make([]models.WebhookResult, len(waiting))
		for i, r := range waiting {
			delivered[i] = *r
		}
		if e.save(delivered) == nil {
			for _, r := range waiting {
				r.Saved = true
			}
		}
	}
}

// take returns the results to store now: none once all attempts have ended.
func (e *earlyResults) take() []*models.WebhookResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == 0 {
		return nil
	}
	waiting := e.waiting
	e.waiting = nil
	return waiting
}

// close waits until the results say whether they are stored.
func (e *earlyResults) close() {
	close(e.wake)
	<-e.done
}
