package contract

import "context"

// CallerSession is a caller whom the service has admitted: it carries out operations for this caller, one after the other. A
// session counts as one call against the quota. service.Session is one; tests of pages and facades fake it.
type CallerSession interface {
	Operations

	// In returns the session about an organization. Its operations are refused if the caller does not reach it.
	In(ctx context.Context, organizationID string) CallerSession
	// WithForm returns the session for a form with a key: sending the form twice changes records once.
	WithForm(key string) CallerSession
	// WithQuery returns the session for one request whose parameters a person has typed: they need not have the types of
	// the contract. They take the place of the parameters of the request.
	WithQuery(query string) CallerSession
	// WithBody returns the session for one request whose body in JSON comes from what a person has typed, likewise.
	WithBody(json []byte) CallerSession
	// WithFile returns the session for one upload.
	WithFile(file *File) CallerSession

	// Outcome returns what the operations have said in addition to their answers, those of In and With… included.
	Outcome() Outcome
	// Context returns the context of a request for what its door does next, such as writing the refusal of an operation.
	Context(ctx context.Context) context.Context
	// Close ends the call.
	Close()
}

// Outcome is what operations of a session have said in addition to their answers.
type Outcome struct {
	Replayed     bool   // an answer is the stored one of an earlier, equal request
	SessionBegun string // token of the session of a person that has begun
	SessionEnded bool   // the session of the person has ended
}
