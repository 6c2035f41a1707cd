package limit

import (
	"sync"
	"time"
)

const (
	maxAccountFailures = 10 // failed attempts to sign in to an account in a window
	accountWindow      = 15 * time.Minute
)

// Accounts counts failed attempts to sign in for each account, also for unknown accounts. The window
// of an account opens with its first failure, and a success closes it.
type Accounts struct {
	now   func() time.Time
	mu    sync.Mutex
	known map[string]failures
}

// NewAccounts returns the limit of a process.
func NewAccounts(now func() time.Time) *Accounts {
	return &Accounts{now: now, known: map[string]failures{}}
}

// Wait returns the time until the next attempt for an account; 0 for now.
func (a *Accounts) Wait(account string) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, ok := a.known[account]; ok && f.count >= maxAccountFailures {
		return max(0, f.until.Sub(a.now()))
	}
	return 0
}

// Fail counts a failed attempt.
func (a *Accounts) Fail(account string) {
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	f, ok := a.known[account]
	if !ok && len(a.known) >= maxFailureMemory {
		forget(a.known, now)
	}
	if !ok || !now.Before(f.until) {
		f = failures{until: now.Add(accountWindow)}
	}
	f.count++
	a.known[account] = f
}

// Succeed drops the failures of an account.
func (a *Accounts) Succeed(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, account)
}
