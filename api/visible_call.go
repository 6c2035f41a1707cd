package api

import "context"

// VisibleCall is what doors may know of a call: for logs, shares and the words of a refusal.
type VisibleCall struct {
	RequestID      string
	OrganizationID string // that the request is about
	APIKeyID       string
	Partner        string // whose share of the machine the call uses
	Person         bool
}

// Begin returns the context of a request before its caller is known.
func Begin(ctx context.Context, requestID string) context.Context {
	return withCall(ctx, &call{Outcome: &Outcome{}, requestID: requestID})
}

// Visible returns what may be known of the call of a context.
func Visible(ctx context.Context) VisibleCall {
	c := callOf(ctx)
	return VisibleCall{
		RequestID: c.requestID, OrganizationID: c.scope.OrganizationID, APIKeyID: c.principal.APIKeyID,
		Partner: c.principal.PartnerID(), Person: c.person != nil,
	}
}

// NoteAddress records where the request of a mounted handler comes from, see LookUpAt.
func NoteAddress(ctx context.Context, address string) { callOf(ctx).address = address }

// AddressOf returns the address that NoteAddress has recorded.
func AddressOf(ctx context.Context) string { return callOf(ctx).address }
