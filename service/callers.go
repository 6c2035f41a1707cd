package service

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
)

// Peer is the origin of a request.
type Peer struct {
	Address   string // failed attempts to authenticate count for it
	RequestID string // identifies the request in logs and in the audit trail
	Port      int    // of the client at the address; 0 if it is not known, as behind a proxy
	Device    string // cookie of a device that was used to sign in; empty for none
	UserAgent string // how the program of the client names itself; empty for none
}

// Caller is an authenticated key, signed-in person, onboarding link or calendar feed, or a visitor. Its fields are
// unexported: no door can make one up.
type Caller struct{ call call.Call }

// Visitor returns a caller without authentication, who may use the operations that need no caller.
func Visitor(peer Peer) Caller { return Caller{callFrom(peer)} }

func callFrom(peer Peer) call.Call {
	return call.Call{Outcome: &call.Outcome{}, RequestID: peer.RequestID, Address: peer.Address, Port: peer.Port, Device: peer.Device,
		UserAgent: peer.UserAgent}
}

// CallerByKey authenticates an API key. Errors: models.ErrUnauthenticated, *problem.Problem for an address that has
// failed too often, models.ErrUnavailable.
func (s *Service) CallerByKey(ctx context.Context, peer Peer, key string) (Caller, error) {
	principal, err := s.principalOf(ctx, peer, key)
	if err != nil {
		return Caller{}, s.refuseCaller(peer, err)
	}
	from := netipOf(peer.Address)
	// guard: keys: a limited one is used from its networks alone
	if !principal.Networks.Admit(from) {
		return Caller{}, problem.New(problem.CodeForbiddenForKey, "This key may not be used from the address "+from.String()+
			": its allowed_addresses do not contain it.")
	}
	c := callFrom(peer)
	c.Principal, c.Key = principal, key
	return Caller{c}, nil
}

// netipOf returns the address of a peer; the zero address if it is not known.
func netipOf(peer string) netip.Addr {
	at, _ := netip.ParseAddrPort(peer) // the zero address has no network
	return at.Addr().Unmap().WithZone("")
}

// CallerBySession authenticates a person by the token of a session. Errors: those of CallerByKey.
func (s *Service) CallerBySession(ctx context.Context, peer Peer, token string) (Caller, error) {
	hashes := s.subjects.SessionHashes(token)
	var person models.User
	err := s.lookUp(peer.Address, hashes[0], func() (err error) {
		person, err = s.deps.People.FindSession(ctx, hashes)
		return err
	})
	if err != nil {
		return Caller{}, s.refuseCaller(peer, err)
	}
	c := callFrom(peer)
	c.Person, c.Token = &person, token
	return Caller{c}, nil
}

// CallerByLink authenticates the token of an onboarding link. Errors: those of CallerByKey.
func (s *Service) CallerByLink(ctx context.Context, peer Peer, token string) (Caller, error) {
	hashes := s.subjects.LinkHashes(token)
	var link models.OnboardingLink
	var principal models.Principal
	err := s.lookUp(peer.Address, hashes[0], func() (err error) {
		if link, err = s.deps.Links.FindOnboardingLink(ctx, hashes); err == nil {
			principal, err = s.deps.Organizations.PrincipalOf(ctx, link.OrganizationID)
		}
		return err
	})
	if err != nil {
		return Caller{}, s.refuseCaller(peer, err)
	}
	c := callFrom(peer)
	c.Principal, c.Link, c.Token = principal, link.ID, token
	return Caller{c}, nil
}

// CallerByFeed authenticates the token of a calendar feed. Errors: those of CallerByKey.
func (s *Service) CallerByFeed(ctx context.Context, peer Peer, token string) (Caller, error) {
	hashes := s.subjects.FeedHashes(token)
	var feed models.CalendarFeed
	var principal models.Principal
	err := s.lookUp(peer.Address, hashes[0], func() (err error) {
		if feed, err = s.deps.CalendarFeeds.FindCalendarFeed(ctx, hashes); err == nil {
			principal, err = s.deps.Organizations.PrincipalOf(ctx, feed.OrganizationID)
		}
		return err
	})
	if err != nil {
		return Caller{}, s.refuseCaller(peer, err)
	}
	c := callFrom(peer)
	c.Principal, c.Feed, c.Token = principal, feed.ID, token
	return Caller{c}, nil
}

// refuseCaller counts a failed authentication for the address of the peer. It returns err, or *problem.Problem if the
// address has failed too often.
func (s *Service) refuseCaller(peer Peer, err error) error {
	if !errors.Is(err, models.ErrUnauthenticated) {
		return err
	}
	if wait := s.failures.Add(peer.Address); wait > 0 {
		return problem.RateLimited("Too many failed authentications.", "authentication", wait)
	}
	return err
}

// lookUp calls find for the hash of a key, session or link. A hash that was valid the last time is always read, another
// one only while its address has not failed too often. Guesses must not overload the database, and must not lock out
// other callers at that address. Errors: models.ErrUnauthenticated, and those of find.
func (s *Service) lookUp(address string, hash []byte, find func() error) error {
	if !s.good.Has(hash) && !s.failures.MayLookUp(address) {
		return models.ErrUnauthenticated
	}
	err := find()
	switch {
	case err == nil:
		s.good.Add(hash)
	case errors.Is(err, models.ErrNotFound), errors.Is(err, models.ErrUnauthenticated):
		s.good.Drop(hash)
		return models.ErrUnauthenticated
	}
	return err
}

// LookUpFor is lookUp for a handler outside the contract, which also counts failed attempts. wait is the time until the
// next attempt of an address that failed too often, else 0. Errors: models.ErrUnauthenticated, and those of find.
func (s *Service) LookUpFor(ctx context.Context, hash []byte, find func() error) (wait time.Duration, err error) {
	address := AddressOf(ctx)
	if err = s.lookUp(address, hash, find); errors.Is(err, models.ErrUnauthenticated) {
		wait = s.failures.Add(address)
	}
	return wait, err
}

// principalOf returns the principal of a key. Errors: models.ErrUnauthenticated, models.ErrUnavailable.
func (s *Service) principalOf(ctx context.Context, peer Peer, key string) (principal models.Principal, err error) {
	if kind, ok := secret.APIKeyKind(key); !ok || kind == secret.KindOperator {
		return principal, models.ErrUnauthenticated // no query is necessary
	}
	hash := s.keys.Hash(key)
	err = s.lookUp(peer.Address, hash, func() (err error) {
		principal, err = s.principals.find(ctx, s.keys, key, hash)
		return err
	})
	return principal, err
}
