package models

import (
	"errors"
	"fmt"
	"strings"

	"github.com/govalues/decimal"
)

// Sentinel errors. Callers test them with errors.Is. One table of the service maps them to problems.
var (
	// ErrNotFound: the organization has no such record.
	ErrNotFound = errors.New("record not found")
	// ErrUnauthenticated: the key is missing, unknown, revoked or expired, or its organization is archived.
	ErrUnauthenticated = errors.New("key not accepted")
	// ErrForbidden: the key is known but may not use this function for this organization.
	ErrForbidden = errors.New("function not allowed for this key")
	// ErrArchived: an archived organization cannot change.
	ErrArchived = errors.New("organization is archived")
	// ErrUnavailable: a service that Levy depends on is down or overloaded. Nothing was written.
	ErrUnavailable = errors.New("service unavailable")
	// ErrShareUsed: the requests of the partner have used up its share. Nothing was written.
	ErrShareUsed = fmt.Errorf("%w: the share of the partner is used up", ErrUnavailable)
	// ErrLockTimeout: another transaction has locked a record for longer than a statement waits. Nothing was written.
	ErrLockTimeout = fmt.Errorf("%w: lock timeout", ErrUnavailable)
	// ErrChangedMeanwhile: the record has changed since the caller read it.
	ErrChangedMeanwhile = errors.New("record changed meanwhile")
	// ErrLastAdmin: without this person no user could manage the people of the organization, or of the operator.
	ErrLastAdmin = errors.New("the last person who manages people")
	// ErrIDsTaken: another document has the ids. Nothing was written.
	ErrIDsTaken = errors.New("the ids of the document are taken")
	// ErrOutcomeUnknown: the write may or may not have happened.
	ErrOutcomeUnknown = errors.New("outcome unknown")
)

// DuplicateError means that a unique value is taken, by the record ExistingID.
type DuplicateError struct {
	Field      string // "external_id", "name", "registration", "filing", or "amendment" for an open one
	ExistingID string
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("duplicate %s, held by %s", e.Field, e.ExistingID)
}

// LimitError means that an organization has the most records of a kind.
type LimitError struct {
	What  string
	Limit int
}

func (e *LimitError) Error() string { return fmt.Sprintf("limit of %d %s reached", e.Limit, e.What) }

// InvalidError has the faults of a request that were found by the stored records.
type InvalidError struct{ Faults []Fault }

func (e *InvalidError) Error() string { return fmt.Sprintf("%d invalid fields", len(e.Faults)) }

// ProductsNotFoundError lists every reference to a product that does not exist.
type ProductsNotFoundError struct{ Faults []Fault }

func (e *ProductsNotFoundError) Error() string {
	return fmt.Sprintf("%d unknown products", len(e.Faults))
}

// ReferencesNotFoundError lists every other reference to a record that does not exist.
type ReferencesNotFoundError struct{ Faults []Fault }

func (e *ReferencesNotFoundError) Error() string {
	return fmt.Sprintf("%d unknown references", len(e.Faults))
}

// NotProcessedError means that a transaction has no result yet. It has the status, and the reason if it needs
// attention.
type NotProcessedError struct {
	ProcessingStatus ProcessingStatus
	Reason           string
}

func (e *NotProcessedError) Error() string {
	return fmt.Sprintf("not processed yet: %s", e.ProcessingStatus)
}

// TransitionError refuses a transition that the state machine does not know.
type TransitionError struct {
	From, To string
	Allowed  []string
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("no transition from %s to %s", e.From, e.To)
}

// LockedError refuses a change of a transaction that a filing has claimed or that is archived.
type LockedError struct{ FilingID string } // empty for an archived one

func (e *LockedError) Error() string { return "transaction is locked" }

// CreditEndpointError refuses to change a credit note as if it were a sale.
type CreditEndpointError struct{ RelatedTo string }

func (e *CreditEndpointError) Error() string { return "credit note has its own endpoint" }

// HasCreditNotesError refuses a change that the credit notes of the sale depend on.
type HasCreditNotesError struct{ Fields []string } // the fields that would change

func (e *HasCreditNotesError) Error() string { return "sale has credit notes" }

// ErrOriginalIsRefund: credit notes refer to sales only.
var ErrOriginalIsRefund = errors.New("the original is a refund itself")

// OriginalNotCommittedError refuses a refund of a sale that is not COMMITTED.
type OriginalNotCommittedError struct{ Status TransactionStatus }

func (e *OriginalNotCommittedError) Error() string {
	return fmt.Sprintf("the original is %s", e.Status)
}

// CreditExceedsError refuses a refund of more than the remainder of the original.
type CreditExceedsError struct {
	Remaining decimal.Decimal
	Currency  string
}

func (e *CreditExceedsError) Error() string { return "more than is left of the original" }

// QuotesData reports whether the text of a database error with this code quotes the value that caused it.
func QuotesData(sqlState string) bool { return strings.HasPrefix(sqlState, "22") }

// PassingState reports whether the code of a database error is independent of the data: the same statement may succeed
// later, or after a failover. The codes are those of PostgreSQL's manual, appendix A.
func PassingState(sqlState string) bool {
	if len(sqlState) != 5 {
		return false
	}
	switch sqlState[:2] {
	case "08", // the connection is lost
		"53", // no resources
		"57", // an operator intervened, such as by a shutdown
		"58": // input and output
		return true
	}
	switch sqlState {
	case "40001", "40P01", "55P03", // a race was lost
		"25P03", "25P04", // the database transaction was idle for too long
		"25006": // the server is read-only: another server writes now
		return true
	}
	return false
}
