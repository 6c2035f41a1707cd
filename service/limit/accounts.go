package limit

import (
	"sync"
	"time"
)

const (
	maxAccountFailures = 10 // attempts to sign in to an account in a window that did not succeed
	accountWindow      = 15 * time.Minute
)

// Accounts counts attempts to sign in for each account, also for unknown accounts. An attempt counts before its work, so
// that many at once are no more than many in turn. One that succeeds is given back. The window of an account opens with
// its first attempt.
type Accounts struct {
	now   func() time.Time
	mu    sync.Mutex
	known map[string]failures
}

// NewAccounts returns the limit of a process.
func NewAccounts(now func() time.Time) *Accounts {
	return &Accounts{now: now, known: map[string]failures{}}
}

// Try counts an attempt. giveBack takes it back, once. wait is the time until the next attempt for an account with too
// many, which does not count; 0 for an admitted attempt.
func (a *Accounts) Try(account string) (giveBack func(), wait time.Duration) {
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
	// guard: sign-in: attempts at an account count before they are tried
	if f.count >= maxAccountFailures {
		return nil, f.until.Sub(now)
	}
	f.count++
	a.known[account] = f
	return func() { a.giveBack(account, f.until) }, 0
}

// giveBack takes back an attempt of the window that closes at a time.
func (a *Accounts) giveBack(account string, until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, ok := a.known[account]; ok && f.until.Equal(until) {
		f.count--
		a.known[account] = f
	}
}

// Succeed drops the attempts of an account.
func (a *Accounts) Succeed(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, account)
}
