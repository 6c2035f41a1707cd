package service

import (
	"context"

	"levy/service/internal/call"
)

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
	return call.With(ctx, &call.Call{Outcome: &call.Outcome{}, RequestID: requestID})
}

// Visible returns what may be known of the call of a context.
func Visible(ctx context.Context) VisibleCall {
	c := call.Of(ctx)
	return VisibleCall{
		RequestID: c.RequestID, OrganizationID: c.Scope.OrganizationID, APIKeyID: c.Principal.APIKeyID,
		Partner: c.Principal.PartnerID(), Person: c.Person != nil,
	}
}

// NoteAddress records where the request of a mounted handler comes from, see LookUpFor.
func NoteAddress(ctx context.Context, address string) { call.Of(ctx).Address = address }

// AddressOf returns the address that NoteAddress has recorded.
func AddressOf(ctx context.Context) string { return call.Of(ctx).Address }
