package pg

import "strings"

// Lock is a kind of advisory lock. Each is a lock on something that is no row, or on rows that are not there yet.
type Lock int

// The advisory locks in the order in which a database transaction takes them: with one of them it waits for none that
// stands before it, so no two transactions wait for each other. To try one is not to wait. A transaction has one lock of
// a kind, or takes several in one statement, in the order of their keys. Row locks come after advisory locks.
const (
	// LockAnswer is on an idempotency key, from before its request until its answer is stored. It is only tried.
	LockAnswer Lock = iota
	// LockBatches is on the batches of an organization whose request has a key: shared by those that write once.
	LockBatches
	// LockUploads is on the imports of an organization that are under way.
	LockUploads
	// LockClients is on the clients that a partner makes.
	LockClients
	// LockBootstrap is on the first organization of an installation.
	LockBootstrap
	// LockAdmins is on those who manage the people of an organization, or of the operator.
	LockAdmins
	// LockStages is on the last stages of an organization: each of them tries it, shared, until it commits. A change of a
	// filing waits for them, and lets those that come later pass before it waits for the registration.
	LockStages
	// LockRegistration is on the filings of a registration: for a change of one. A stage tries it, shared.
	LockRegistration
	// LockPlans is on the returns that an organization gets by its plan. A trigger takes it too (keep_planned_apart).
	LockPlans
	// LockSavedKeys is on the file with wrapped keys.
	LockSavedKeys
	// LockSeals is on the queue of the audit trail. It is only tried.
	LockSeals
	// LockEventDays is on the tables of events by day. Functions of the database take it (make_event_days).
	LockEventDays
	// LockRoles is on the roles of the database, for a whole session.
	LockRoles
)

// lockKeys are the keys of the locks in PostgreSQL. %s is what is locked. All releases of Levy know each other's locks:
// no key ever changes.
var lockKeys = [...]string{
	LockAnswer:       "%s",
	LockBatches:      "hashtextextended(%s, 0)",
	LockUploads:      "hashtextextended(%s, 11)",
	LockClients:      "hashtextextended(%s, 68)",
	LockBootstrap:    "1818588793", // "levy"
	LockAdmins:       "12, hashtext(%s)",
	LockStages:       "11, hashtext(%s)",
	LockRegistration: "10, hashtext(%s)",
	LockPlans:        "13, hashtext(%s)",
	LockSavedKeys:    "hashtext('levy saved keys')",
	LockSeals:        "hashtext('audit_seals'), 0",
	LockEventDays:    "hashtext('event days'), 0",
	LockRoles:        "hashtext('levy roles')",
}

// Locks lists all kinds of locks in their order.
func Locks() []Lock {
	all := make([]Lock, len(lockKeys))
	for i := range all {
		all[i] = Lock(i)
	}
	return all
}

// Key is the key of the lock on something, which an argument or a column names. Of some locks there is only one.
func (l Lock) Key(of ...string) string {
	return strings.ReplaceAll(lockKeys[l], "%s", strings.Join(of, ""))
}

// Wait is the call of SQL that waits for the lock until the database transaction ends.
func (l Lock) Wait(of ...string) string { return "pg_advisory_xact_lock(" + l.Key(of...) + ")" }

// WaitShared is Wait for a lock that others may share.
func (l Lock) WaitShared(of ...string) string {
	return "pg_advisory_xact_lock_shared(" + l.Key(of...) + ")"
}

// Try is Wait that does not wait: it is false while somebody else has the lock.
func (l Lock) Try(of ...string) string { return "pg_try_advisory_xact_lock(" + l.Key(of...) + ")" }

// TryShared is Try for a lock that others may share.
func (l Lock) TryShared(of ...string) string {
	return "pg_try_advisory_xact_lock_shared(" + l.Key(of...) + ")"
}

// WaitInSession is Wait until the connection is closed.
func (l Lock) WaitInSession(of ...string) string { return "pg_advisory_lock(" + l.Key(of...) + ")" }
