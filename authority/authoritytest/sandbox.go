// Package authoritytest has what the sandboxes of authorities remember, in memory, for tests.
package authoritytest

import (
	"context"
	"maps"
	"sync"
	"time"

	"levy/models"
)

// Ledger is an authority.Ledger in memory, whose clock stands still until a test sets it. It is safe for concurrent use.
type Ledger struct {
	mu       sync.Mutex
	receipts map[models.AuthorityKey]models.SandboxReceipt
	received map[models.AuthorityKey]time.Duration
	now      time.Duration
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{
		receipts: map[models.AuthorityKey]models.SandboxReceipt{}, received: map[models.AuthorityKey]time.Duration{},
	}
}

// Set sets the clock to a time after its start.
func (l *Ledger) Set(now time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = now
}

// Receipts returns what was received.
func (l *Ledger) Receipts() map[models.AuthorityKey]models.SandboxReceipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.receipts)
}

// Receive implements authority.Ledger.
func (l *Ledger) Receive(_ context.Context, r models.SandboxReceipt) (models.SandboxReceipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept, ok := l.receipts[r.Key]
	if !ok {
		l.received[r.Key] = l.now
	}
	if kept.Answer.Outcome == "" {
		r.Contacts = kept.Contacts
		kept = r
	}
	kept.Contacts++
	l.receipts[r.Key] = kept
	return l.receipt(r.Key)
}

// Receipt implements authority.Ledger.
func (l *Ledger) Receipt(_ context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.receipt(key)
}

func (l *Ledger) receipt(key models.AuthorityKey) (models.SandboxReceipt, error) {
	kept, ok := l.receipts[key]
	if !ok {
		return kept, models.ErrNotFound
	}
	kept.Age = l.now - l.received[key]
	return kept, nil
}

// AcceptedBefore implements authority.Ledger.
func (l *Ledger) AcceptedBefore(_ context.Context, key models.AuthorityKey) (models.SandboxReceipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key.Attempt--; key.Attempt > 0; key.Attempt-- {
		if r, err := l.receipt(key); err == nil && r.Answer.Outcome == models.AuthorityAccepted {
			return r, nil
		}
	}
	return models.SandboxReceipt{}, models.ErrNotFound
}

// Documents are the documents of one record by their attempts.
type Documents map[int]models.FilingDocument

// DocumentOfAttempt implements authority.Documents.
func (d Documents) DocumentOfAttempt(_ context.Context, _ models.Scope, a models.Attempt) (models.FilingDocument, error) {
	document, ok := d[a.Number]
	if !ok {
		return document, models.ErrNotFound
	}
	return document, nil
}
