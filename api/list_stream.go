package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"levy/contract"
	"levy/models"
)

// A stream of a list reads it again after an event, and pauses for so many times as long as that took, so that it never
// takes more than a tenth of a connection to the database, and never longer than the heartbeat.
const (
	pauseFactor  = 9
	longestPause = 10 * time.Second
)

// markOf recognises an answer: by its first bytes of SHA-256.
func markOf(answer any) (string, error) {
	raw, err := contract.Encode(answer)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), err
}

// StreamExceptions sends a message when a page of the list of exceptions is another one.
func (s *Server) StreamExceptions(
	ctx context.Context, r contract.StreamExceptionsRequest, out contract.Stream,
) error {
	return s.streamList(ctx, out, "exceptions", func() (mark string, change any, err error) {
		params := contract.ListExceptionsParams(r.Params)
		list, err := s.ListExceptions(ctx, contract.ListExceptionsRequest{Params: params})
		if err != nil {
			return "", nil, err
		}
		mark, err = markOf(list)
		return mark, contract.ExceptionChange{Mark: mark, Counts: list.Counts}, err
	})
}

// StreamSearch sends a message when a search finds something else.
func (s *Server) StreamSearch(ctx context.Context, r contract.StreamSearchRequest, out contract.Stream) error {
	return s.streamList(ctx, out, "search", func() (mark string, change any, err error) {
		found, err := s.Search(ctx, contract.SearchRequest{Params: contract.SearchParams(r.Params)})
		if err != nil {
			return "", nil, err
		}
		mark, err = markOf(found)
		return mark, contract.SearchChange{Mark: mark, Found: len(found.Items)}, err
	})
}

// streamList writes a message whenever what read returns has another mark. It reads after events of any organization,
// and with every heartbeat, as some of it comes with time alone.
func (s *Server) streamList(
	ctx context.Context, out contract.Stream, kind string, read func() (mark string, change any, err error),
) error {
	happened, unsubscribe := s.feed.subscribe(ctx, everyOrganization)
	defer unsubscribe()
	<-happened // nothing is missed from here on
	seen := out.LastEventID()
	mark, change, err := read()
	if err != nil {
		return err
	}
	stream := newEventStream(out)
	stream.ages = true
	if mark != seen {
		seen = mark
		stream.send(kind, mark, change)
	}
	s.outputs.follow(ctx, stream, callOf(ctx).scope, happened, func() bool {
		began := time.Now()
		if mark, change, err = read(); err != nil {
			return false
		}
		if mark != seen {
			seen = mark
			stream.send(kind, mark, change)
		}
		return s.pause(ctx, min(pauseFactor*time.Since(began), longestPause))
	})
	return nil
}

// pause waits; false: the client has gone, or the server stops.
func (s *Server) pause(ctx context.Context, d time.Duration) bool {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-over.C:
		return true
	case <-ctx.Done():
	case <-s.outputs.stopping:
	}
	return false
}

// sameRoles reports whether a person still has the roles that a stream began with.
func sameRoles(a, b *models.User) bool {
	roleOf := func(m models.Membership) models.Membership {
		return models.Membership{OrganizationID: m.OrganizationID, Role: m.Role}
	}
	return valueOf(a.StaffRole) == valueOf(b.StaffRole) &&
		slices.Equal(convertAll(a.Memberships, roleOf), convertAll(b.Memberships, roleOf))
}
