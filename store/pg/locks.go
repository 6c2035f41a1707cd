package pg

import "strings"

// Lock is a kind of advisory lock. It locks a thing that is no row, or rows that do not exist yet.
type Lock int

// The advisory locks are in the order in which a database transaction takes them. A transaction that has one of them
// waits for no lock that precedes it, so no two transactions wait for each other. Trying a lock is not waiting. A
// transaction has one lock of a kind, or takes several in one statement, in key order. Row locks follow advisory locks.
const (
	// LockAnswer locks an idempotency key from before its request until its answer is stored. It is only tried.
	LockAnswer Lock = iota
	// LockBatches locks the batches of an organization whose request has a key. Requests that write once share it.
	LockBatches
	// LockUploads locks the uploads of imports of an organization.
	LockUploads
	// LockClients locks the creation of clients of a partner.
	LockClients
	// LockBootstrap locks the creation of the first organization of an installation.
	LockBootstrap
	// LockAddress locks the accounts of an e-mail address, of which one at most is proven.
	LockAddress
	// LockAdmins locks the users with a role that manages people, of an organization or of the operator.
	LockAdmins
	// LockStages locks the last stages of an organization. Each stage tries it, shared, until it commits. A change of a
	// filing waits for it, then releases it to later stages before it waits for the registration.
	LockStages
	// LockRegistration locks the filings of a registration. A change of a filing takes it; a stage tries it, shared.
	LockRegistration
	// LockPlans locks the returns that an organization gets by its plan. A trigger takes it too (keep_planned_apart).
	LockPlans
	// LockSavedKeys locks the file with wrapped keys.
	LockSavedKeys
	// LockSeals locks the queue of the audit trail. It is only tried.
	LockSeals
	// LockReseals locks what the newest master key takes over. It is only tried.
	LockReseals
	// LockEventDays locks the tables of events by day. Functions of the database take it (make_event_days).
	LockEventDays
	// LockFigures locks the count of the figures of the first page. It is only tried.
	LockFigures
	// LockMailPlans locks the planning of a kind of e-mail about work. It is only tried.
	LockMailPlans
	// LockRoles locks the roles of the database, for a whole session.
	LockRoles
)

// lockKeys are the keys of the locks in PostgreSQL. %s is the locked thing. All releases of Levy share the locks of
// each other, so no key ever changes.
var lockKeys = [...]string{
	LockAnswer:       "%s",
	LockBatches:      "hashtextextended(%s, 0)",
	LockUploads:      "hashtextextended(%s, 11)",
	LockClients:      "hashtextextended(%s, 68)",
	LockBootstrap:    "1818588793", // "levy"
	LockAddress:      "14, hashtext(%s)",
	LockAdmins:       "12, hashtext(%s)",
	LockStages:       "11, hashtext(%s)",
	LockRegistration: "10, hashtext(%s)",
	LockPlans:        "13, hashtext(%s)",
	LockSavedKeys:    "hashtext('levy saved keys')",
	LockSeals:        "hashtext('audit_seals'), 0",
	LockReseals:      "hashtext('audit_reseals'), 0",
	LockEventDays:    "hashtext('event days'), 0",
	LockFigures:      "hashtext('figures'), 0",
	LockMailPlans:    "hashtext('mail plans'), hashtext(%s)",
	LockRoles:        "hashtext('levy roles')",
}

// Locks returns all kinds of locks in their order.
func Locks() []Lock {
	all := make([]Lock, len(lockKeys))
	for i := range all {
		all[i] = Lock(i)
	}
	return all
}

// Key returns the key of the lock on the thing that an argument or a column names. Locks without %s exist once.
func (l Lock) Key(of ...string) string {
	return strings.ReplaceAll(lockKeys[l], "%s", strings.Join(of, ""))
}

// Wait returns the SQL call that waits for the lock and keeps it until the database transaction ends.
func (l Lock) Wait(of ...string) string { return "pg_advisory_xact_lock(" + l.Key(of...) + ")" }

// WaitShared is Wait for a shared lock.
func (l Lock) WaitShared(of ...string) string {
	return "pg_advisory_xact_lock_shared(" + l.Key(of...) + ")"
}

// Try is Wait without waiting: the call returns false while another transaction has the lock.
func (l Lock) Try(of ...string) string { return "pg_try_advisory_xact_lock(" + l.Key(of...) + ")" }

// TryShared is Try for a shared lock.
func (l Lock) TryShared(of ...string) string {
	return "pg_try_advisory_xact_lock_shared(" + l.Key(of...) + ")"
}

// WaitInSession is Wait for a lock that lasts until the connection is closed.
func (l Lock) WaitInSession(of ...string) string { return "pg_advisory_lock(" + l.Key(of...) + ")" }
