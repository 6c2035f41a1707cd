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

// A database transaction draws a number after it got its id. So first the highest number is read, and then the database
// transactions that have an id and have not ended. All other writers draw higher numbers from then on. Once those have
// ended too, every event up to that number is visible or will never be. Then that number is a horizon. Readers have no
// id and hold back nothing, neither do backups or exports. Other databases of the server do not count.

// observation is the state of the database at a moment.
type observation struct {
	highest    int64     // the highest number that was drawn
	running    []uint32  // the ids of writing database transactions, read after highest
	serverFrom time.Time // the start time of the server
}

// pending is a number that becomes the horizon when these database transactions have ended.
type pending struct {
	highest int64
	running []uint32
}

// maxPending limits the memory. While they wait for one long database transaction, a few are enough.
const maxPending = 16

// horizon is the horizon of one process. Other processes may have a higher one, never a wrong one.
type horizon struct {
	mu         sync.Mutex
	known      int64
	pending    []pending
	serverFrom time.Time
}

// update applies an observation and returns the horizon.
func (h *horizon) update(o observation) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	// A server that restarted after a crash may draw numbers again that no transaction committed.
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

// reset is for a failed observation, because the server may have changed.
func (h *horizon) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known, h.pending = 0, nil
}

// running selects the database transactions of this database that have an id.
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
	err = s.db.OpenTables().SendBatch(pg.WithoutTransaction(ctx), batch).Close()
	return o, pg.Translate(err)
}

// horizonAttempts is how often Horizon checks again, after horizonPause, whether the writers have ended.
// So a reader sees changes that were committed just before its request.
const (
	horizonAttempts = 5
	horizonPause    = 4 * time.Millisecond
)

// Horizon returns the number up to which the feed of all organizations is final. Events committed later have higher
// numbers. A long writing database transaction holds it back.
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

// followInterval is how often Follow observes the database.
const followInterval = time.Second

// Follow updates the horizon until ctx ends, so that a reader during a long write sees the events from before it.
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
