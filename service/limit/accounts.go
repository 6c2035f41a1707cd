package limit

import "time"

const (
	maxAccountFailures = 10 // attempts to sign in to an account in a window that did not succeed
	accountWindow      = 15 * time.Minute
)

// Accounts counts attempts to sign in for each account, also for unknown accounts. An attempt that succeeds is given
// back.
type Accounts struct{ windows[string] }

// NewAccounts returns the limit of a process.
func NewAccounts(now func() time.Time) *Accounts {
	return &Accounts{windows[string]{now: now, most: maxAccountFailures, lasts: accountWindow, known: map[string]failures{}}}
}

// Try counts an attempt as a failure, until giveBack takes it back. wait is the time until the next attempt for an
// account with too many; 0 for an admitted attempt.
func (a *Accounts) Try(account string) (giveBack func(), wait time.Duration) { return a.try(account) }

// Succeed drops the attempts of an account.
func (a *Accounts) Succeed(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, account)
}
