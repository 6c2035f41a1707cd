package events

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// A number is drawn by a database transaction that has its id already. So when the highest number is
// read, and after it which database transactions have an id and have not ended, every other one draws
// higher numbers from then on. Once those have ended too, every event up to the number that was read is
// there or will never be: that number is a horizon. Readers have no id and hold up nobody, neither a
// backup nor an export; other databases of the server do not count.

// observation is what is seen of the database at a moment.
type observation struct {
	highest    int64     // number that was drawn
	running    []uint32  // database transactions that write, read after it
	serverFrom time.Time // when the server was started
}

// pending is a number that becomes the horizon when these database transactions have ended.
type pending struct {
	highest int64
	running []uint32
}

// maxPending bounds the memory. While they wait for one long database transaction, a few are enough.
const maxPending = 16

// horizon is what one process knows. Others may know of a higher one, never of one that is wrong.
type horizon struct {
	mu         sync.Mutex
	known      int64
	pending    []pending
	serverFrom time.Time
}

// learn takes an observation into account and returns the horizon.
func (h *horizon) update(o observation) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	// A server that was restarted after a crash may draw numbers again that nobody committed.
	if !o.serverFrom.Equal(h.serverFrom) || o.highest < h.known {
		h.known, h.pending, h.serverFrom = 0, nil, o.serverFrom
	}
	h.pending = slices.DeleteFunc(h.pending, func(p pending) bool {
		ended := !slices.ContainsFunc(p.running, func(id uint32) bool { return slices.Contains(o.running, id) })
		if ended {
			h.known = max(h.known, p.highest)
		}
		return ended
	})
	switch {
	// guard: events: who still writes holds the horizon back
	case len(o.running) == 0:
		h.known = max(h.known, o.highest)
	case len(h.pending) < maxPending:
		h.pending = append(h.pending, pending{o.highest, o.running})
	}
	return h.known
}

// forget is for an observation that failed: the server may be another one.
func (h *horizon) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known, h.pending = 0, nil
}

// running are the database transactions of this database that have an id.
const running = `
	SELECT coalesce(array_agg(r.id), '{}'), pg_postmaster_start_time()
	  FROM (SELECT a.backend_xid::text::bigint AS id FROM pg_stat_get_activity(NULL) a
	         WHERE a.backend_xid IS NOT NULL
	           AND a.datid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
	        UNION ALL
	        SELECT p.transaction::text::bigint FROM pg_prepared_xacts p WHERE p.database = current_database()) r`

func (s *Store) observe(ctx context.Context) (o observation, err error) {
	batch := &pgx.Batch{}
	batch.Queue("SELECT coalesce(pg_sequence_last_value('event_sequence'), 0)").
		QueryRow(func(row pgx.Row) error { return row.Scan(&o.highest) })
	batch.Queue(running).QueryRow(func(row pgx.Row) error { return row.Scan(&o.running, &o.serverFrom) })
	err = s.db.SendBatch(pg.WithoutTransaction(ctx), batch).Close()
	return o, pg.Translate(err)
}

// horizonAttempts is how often, and after which pause, is looked again whether those have ended who were
// writing: so a reader sees what was committed just before it asks.
const (
	horizonAttempts = 5
	horizonPause    = 4 * time.Millisecond
)

// Horizon is the number up to which the feed of all organizations is as it stays: whatever is committed
// later has a higher one. A database transaction that writes for long holds it back.
func (s *Store) Horizon(ctx context.Context) (int64, error) {
	var requested int64
	for n := 1; ; n++ {
		o, err := s.observe(ctx)
		if err != nil {
			s.horizon.reset()
			return 0, err
		}
		if n == 1 {
			requested = o.highest
		}
		known := s.horizon.update(o)
		if known >= requested || n == horizonAttempts {
			return known, nil
		}
		select {
		case <-ctx.Done():
			return 0, models.ErrUnavailable
		case <-time.After(horizonPause):
		}
	}
}

// followInterval is how often Follow looks.
const followInterval = time.Second

// Follow keeps the horizon close until ctx ends, so that a reader that comes during a write of
// long sees what was there before.
func (s *Store) Follow(ctx context.Context) {
	tick := time.NewTicker(followInterval)
	defer tick.Stop()
	for {
		if o, err := s.observe(ctx); err == nil {
			s.horizon.update(o)
		} else {
			s.horizon.reset()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
