package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"

	"levy/internal/fair"
	"levy/models"
)

// Requests of one partner, and of one organization, have at most a quarter of the connections of a process while others
// have work. While no other partner has, they have all but the one that the next to ask gets at once. Those of all
// partners together leave a quarter to shared work: authentication, intake, the relay. A few requests need a second
// connection while they have one. These second connections share an eighth, which is part of the three quarters. A
// request whose share is used up waits in the process without a connection, and not on a lock of the database with one.

const (
	// shareTimeout is how long a request waits for a connection of its share.
	shareTimeout = 5 * time.Second
	// othersWork is how long one that asked for a connection counts as having work. A statement on a borrowed connection
	// may run as long.
	othersWork = 10 * time.Second
)

// shares counts the connections of partners. The driver calls its tracers before a connection is acquired and when it
// is released, for GORM, pipelines and single statements alike.
type shares struct {
	*multitracer.Tracer
	slots, additional *fair.Slots
}

func newShares(connections int32, tracer pgx.QueryTracer) *shares {
	quarter, eighth := max(1, int(connections)/4), max(1, int(connections)/8)
	total := max(1, int(connections)-quarter-eighth)
	s := &shares{
		Tracer: multitracer.New(arguments{}),
		slots: fair.New(fair.Sizes{
			Total: total, Waits: shareTimeout, Recent: othersWork,
			Partner:      fair.Share{Busy: quarter, Alone: total - 1},
			Organization: fair.Share{Busy: quarter, Alone: total - 2},
		}, time.Now),
		additional: fair.New(fair.Sizes{
			Total: eighth, Partner: fair.Share{Busy: eighth}, Organization: fair.Share{Busy: eighth}, Waits: shareTimeout,
		}, time.Now),
	}
	if tracer != nil {
		s.Tracer = multitracer.New(tracer, arguments{})
	}
	return s
}

// payerKey is the key under which a connection stores the partner of its request.
const payerKey = "levy.partner"

// TraceAcquireStart implements pgxpool.AcquireTracer. It waits for a slot. Without one it returns a context that has
// ended, so no connection is acquired.
func (s *shares) TraceAcquireStart(
	ctx context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireStartData,
) context.Context {
	ctx = s.Tracer.TraceAcquireStart(ctx, pool, data)
	partner := models.PartnerOf(ctx)
	if partner == nil {
		return ctx
	}
	additional := partner.HasConnection()
	if err := s.of(additional).Acquire(ctx, who(partner)); err != nil {
		return withoutSlot{ctx, shareError(err)}
	}
	partner.Acquired(additional)
	return ctx
}

// TraceAcquireEnd implements pgxpool.AcquireTracer.
func (s *shares) TraceAcquireEnd(ctx context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	s.Tracer.TraceAcquireEnd(ctx, pool, data)
	partner := models.PartnerOf(ctx)
	if partner == nil {
		return
	}
	if data.Err == nil {
		data.Conn.PgConn().CustomData()[payerKey] = partner
		return
	}
	if _, refused := ctx.(withoutSlot); !refused {
		s.release(partner)
	}
}

// TraceRelease implements pgxpool.ReleaseTracer.
func (s *shares) TraceRelease(pool *pgxpool.Pool, data pgxpool.TraceReleaseData) {
	s.Tracer.TraceRelease(pool, data)
	custom := data.Conn.PgConn().CustomData()
	if partner, ok := custom[payerKey].(*models.Partner); ok {
		delete(custom, payerKey)
		s.release(partner)
	}
}

func (s *shares) release(partner *models.Partner) {
	s.of(partner.Released()).Release(who(partner))
}

func who(partner *models.Partner) fair.Who {
	return fair.Who{Partner: partner.ID, Organization: partner.Organization}
}

// of returns the slots for first connections of requests, or for additional ones.
func (s *shares) of(additional bool) *fair.Slots {
	if additional {
		return s.additional
	}
	return s.slots
}

func shareError(err error) error {
	switch {
	case errors.Is(err, fair.ErrShareUsed):
		return models.ErrShareUsed
	case errors.Is(err, fair.ErrFull):
		return fmt.Errorf("%w: %w", models.ErrUnavailable, err)
	}
	return err
}

// withoutSlot is a context that has ended because there was no slot.
type withoutSlot struct {
	context.Context
	err error
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (withoutSlot) Done() <-chan struct{} { return closedChannel }
func (c withoutSlot) Err() error          { return c.err }

// ConnectionsOf returns how many connections of its share a partner has now.
func (db *DB) ConnectionsOf(partner string) int { return db.shares.slots.Held(partner) }
