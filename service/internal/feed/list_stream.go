package feed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// A stream of a list reads it again after an event. Then it pauses for a multiple of the time of that read.
// It therefore never occupies more than a tenth of a connection to the database. It never pauses longer
// than the heartbeat.
const (
	pauseFactor  = 9
	longestPause = 10 * time.Second
)

// markOf returns a mark of an answer: the first bytes of its SHA-256.
func markOf(answer any) (string, error) {
	raw, err := contract.Encode(answer)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), err
}

// StreamExceptions sends a message when a page of the list of exceptions changes.
func (o *Operations) StreamExceptions(
	ctx context.Context, r contract.StreamExceptionsRequest, out contract.Stream,
) error {
	return o.streamList(ctx, out, "exceptions", func() (mark string, change any, err error) {
		params := contract.ListExceptionsParams(r.Params)
		list, err := o.ListExceptions(ctx, contract.ListExceptionsRequest{Params: params})
		if err != nil {
			return "", nil, err
		}
		mark, err = markOf(list)
		return mark, contract.ExceptionChange{Mark: mark, Counts: list.Counts}, err
	})
}

// StreamSearch sends a message when the result of a search changes.
func (o *Operations) StreamSearch(ctx context.Context, r contract.StreamSearchRequest, out contract.Stream) error {
	return o.streamList(ctx, out, "search", func() (mark string, change any, err error) {
		found, err := o.Search(ctx, contract.SearchRequest{Params: contract.SearchParams(r.Params)})
		if err != nil {
			return "", nil, err
		}
		mark, err = markOf(found)
		return mark, contract.SearchChange{Mark: mark, Found: len(found.Items)}, err
	})
}

// streamList sends a message when the result of read has another mark. It reads after events of any organization
// and with every heartbeat, because some exceptions begin at a certain time without an event.
func (o *Operations) streamList(
	ctx context.Context, out contract.Stream, kind string, read func() (mark string, change any, err error),
) error {
	happened, unsubscribe := o.feed.Subscribe(ctx, output.EveryOrganization)
	defer unsubscribe()
	<-happened // later events are not missed
	seen := out.LastEventID()
	mark, change, err := read()
	if err != nil {
		return err
	}
	stream := output.NewEventStream(out)
	stream.Ages = true
	if mark != seen {
		seen = mark
		stream.Send(kind, mark, change)
	}
	o.outputs.Follow(ctx, stream, call.Of(ctx).Scope, happened, func() bool {
		began := time.Now()
		if mark, change, err = read(); err != nil {
			return false
		}
		if mark != seen {
			seen = mark
			stream.Send(kind, mark, change)
		}
		return o.pause(ctx, min(pauseFactor*time.Since(began), longestPause))
	})
	return nil
}

// pause waits. It returns false if the client has disconnected or the process stops.
func (o *Operations) pause(ctx context.Context, d time.Duration) bool {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-over.C:
		return true
	case <-ctx.Done():
	case <-o.outputs.Stopping:
	}
	return false
}

// SameRoles reports whether two states of a person have the same roles.
func SameRoles(a, b *models.User) bool {
	roleOf := func(m models.Membership) models.Membership {
		return models.Membership{OrganizationID: m.OrganizationID, Role: m.Role}
	}
	return convert.ValueOf(a.StaffRole) == convert.ValueOf(b.StaffRole) &&
		slices.Equal(convert.ConvertAll(a.Memberships, roleOf), convert.ConvertAll(b.Memberships, roleOf))
}
