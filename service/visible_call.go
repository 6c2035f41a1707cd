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
	UserID         string // of a person, or the id of an onboarding link
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
		UserID: c.Actor().UserID, Partner: c.Principal.PartnerID(), Person: c.Person != nil,
	}
}

// NotePeer records the peer of a mounted handler. The request has its id already.
func NotePeer(ctx context.Context, peer Peer) {
	c := call.Of(ctx)
	c.Address, c.Port, c.Device, c.UserAgent = peer.Address, peer.Port, peer.Device, peer.UserAgent
}

// AddressOf returns the address that NotePeer recorded.
func AddressOf(ctx context.Context) string { return call.Of(ctx).Address }
