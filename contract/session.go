package contract

import "context"

// CallerSession carries out operations for a caller whom the service has admitted, one after the other or at once.
// A session counts as one call against the quota. service.Session is one; tests of pages and facades fake it.
type CallerSession interface {
	Operations

	// In returns the session for an organization, without the query, body and file of this one. Its operations are
	// refused if the caller has no access to it.
	In(ctx context.Context, organizationID string) CallerSession
	// WithForm returns the session for a form with a key: sending the form twice changes records once.
	WithForm(key string) CallerSession
	// WithQuery returns the session for one request whose parameters a person has typed. They need not have the types of
	// the contract, and they replace the parameters of the request.
	WithQuery(query string) CallerSession
	// WithBody returns the session for one request whose JSON body comes from a form that a person has filled in.
	// The values need not have the types of the contract.
	WithBody(json []byte) CallerSession
	// WithFile returns the session for one upload.
	WithFile(file *File) CallerSession

	// Outcome returns the results of the operations that are not in their answers. It includes those of In and of the With
	// methods.
	Outcome() Outcome
	// Context returns the context of a request for the work after an operation, such as writing its refusal.
	Context(ctx context.Context) context.Context
	// Close ends the call.
	Close()
}

// Outcome is the result of the operations of a session that is not in their answers.
type Outcome struct {
	Replayed     bool   // an answer is the stored one of an earlier, equal request
	SessionBegun string // token of the session that a person has begun; empty for none
	DeviceKnown  string // cookie of the device by which it has begun; empty for none
	SessionEnded bool   // the session of the person has ended
}
