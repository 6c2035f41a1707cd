package service

import (
	"context"

	"levy/service/internal/call"
)

// VisibleCall is the part of a call that doors may read, for logs, shares and messages of refusals.
type VisibleCall struct {
	RequestID      string
	OrganizationID string // the organization of the header
	APIKeyID       string
	Partner        string // the call uses the share of this partner
	Person         bool
}

// Begin returns the context of a request whose caller is not yet known.
func Begin(ctx context.Context, requestID string) context.Context {
	return call.With(ctx, &call.Call{Outcome: &call.Outcome{}, RequestID: requestID})
}

// Visible returns the visible part of the call in a context.
func Visible(ctx context.Context) VisibleCall {
	c := call.Of(ctx)
	return VisibleCall{
		RequestID: c.RequestID, OrganizationID: c.Scope.OrganizationID, APIKeyID: c.Principal.APIKeyID,
		Partner: c.Principal.PartnerID(), Person: c.Person != nil,
	}
}

// NoteAddress records the address of the peer of a mounted handler, for LookUpFor.
func NoteAddress(ctx context.Context, address string) { call.Of(ctx).Address = address }

// AddressOf returns the address that NoteAddress recorded.
func AddressOf(ctx context.Context) string { return call.Of(ctx).Address }
