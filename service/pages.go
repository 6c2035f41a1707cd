package service

import (
	"context"

	"levy/contract"
	"levy/service/internal/call"
	"levy/service/internal/people"
)

// Pages enter with these operations, which need no organization, because a page may read several organizations:
// see Session.In.
const (
	ofPerson  = "getSession"
	ofLink    = "getOwnOnboarding"
	ofFeed    = "exportDueFilings"
	ofVisitor = "signIn"
)

// Person admits the person of a session to a page. A page counts as one call, whatever it reads. Errors: those
// of CallerBySession and Enter.
func (s *Service) Person(ctx context.Context, token string) (contract.CallerSession, error) {
	who, err := s.CallerBySession(ctx, peerOf(ctx), token)
	if err != nil {
		return nil, err
	}
	return s.Enter(ctx, who, ofPerson, "")
}

// Client admits a client to a page by the token of an onboarding link. Errors: those of CallerByLink and Enter.
func (s *Service) Client(ctx context.Context, token string) (contract.CallerSession, error) {
	who, err := s.CallerByLink(ctx, peerOf(ctx), token)
	if err != nil {
		return nil, err
	}
	return s.Enter(ctx, who, ofLink, "")
}

// Feed admits a program that reads a calendar by the token of its feed. Errors: those of CallerByFeed and Enter.
func (s *Service) Feed(ctx context.Context, token string) (contract.CallerSession, error) {
	who, err := s.CallerByFeed(ctx, peerOf(ctx), token)
	if err != nil {
		return nil, err
	}
	return s.Enter(ctx, who, ofFeed, "")
}

// Visitor admits a visitor to a page, for operations that need no caller. Errors: those of Enter.
func (s *Service) Visitor(ctx context.Context) (contract.CallerSession, error) {
	return s.Enter(ctx, Visitor(peerOf(ctx)), ofVisitor, "")
}

// peerOf returns the origin of a request of a mounted handler.
func peerOf(ctx context.Context) Peer {
	c := call.Of(ctx)
	return Peer{Address: c.Address, Port: c.Port, RequestID: c.RequestID, Device: c.Device, UserAgent: c.UserAgent}
}

// FirstSignIn returns the path at which the first admin sets a password, who was invited by the onboarding link with a token.
// Whether there is such an invitation, the page at that path says.
func (s *Service) FirstSignIn(token string) string {
	return people.SignInPath + s.keys.FirstSignIn(token)
}
