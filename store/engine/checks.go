package engine

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// LeaseCheck reports whether a check of Temporal is due. If so, no other process gets it for the time of every.
func (s *Store) LeaseCheck(ctx context.Context, name string, every time.Duration) (due bool, err error) {
	done, err := s.db.Exec(ctx, `
		UPDATE engine_checks SET due_at = now() + $2::interval
		 WHERE name = $1 AND due_at <= now()`, name, every)
	return done.RowsAffected() > 0, pg.Translate(err)
}

// NoteCheck records that a check has succeeded.
func (s *Store) NoteCheck(ctx context.Context, name string) error {
	_, err := s.db.Exec(ctx, "UPDATE engine_checks SET done_at = now() WHERE name = $1", name)
	return pg.Translate(err)
}

// CheckAge returns how long ago a check last succeeded, by the clock of the database.
func (s *Store) CheckAge(ctx context.Context, name string) (time.Duration, error) {
	var microseconds int64
	err := s.db.QueryRow(ctx, `
		SELECT (extract(epoch FROM greatest(now() - done_at, interval '0')) * 1000000)::bigint
		  FROM engine_checks WHERE name = $1`, name).Scan(&microseconds)
	return time.Duration(microseconds) * time.Microsecond, pg.Translate(err)
}

// Heartbeats returns the ages of the heartbeats of all task queues, the oldest first.
func (s *Store) Heartbeats(ctx context.Context) ([]models.Heartbeat, error) {
	rows, err := s.db.Query(ctx, `
		SELECT name, (extract(epoch FROM greatest(now() - done_at, interval '0')) * 1000000)::bigint
		  FROM engine_checks WHERE name = $1 OR starts_with(name, $1 || '/') ORDER BY done_at, name`, models.CheckHeartbeat)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (h models.Heartbeat, err error) {
		var name string
		var microseconds int64
		err = row.Scan(&name, &microseconds)
		h.Queue, h.Age = models.HeartbeatQueue(name), time.Duration(microseconds)*time.Microsecond
		return h, err
	})
}

// NoteHeartbeatRun records the run id of the last heartbeat.
func (s *Store) NoteHeartbeatRun(ctx context.Context, runID string) error {
	_, err := s.db.Exec(ctx, "UPDATE engine_checks SET run_id = $2 WHERE name = $1", models.CheckHeartbeat, runID)
	return pg.Translate(err)
}

// ForgetHeartbeatRun removes a run id that NoteHeartbeatRun has recorded.
func (s *Store) ForgetHeartbeatRun(ctx context.Context, runID string) error {
	_, err := s.db.Exec(ctx, "UPDATE engine_checks SET run_id = NULL WHERE name = $1 AND run_id = $2",
		models.CheckHeartbeat, runID)
	return pg.Translate(err)
}

// HeartbeatRun returns the run id of the last heartbeat, or an empty string.
func (s *Store) HeartbeatRun(ctx context.Context) (string, error) {
	var id string
	err := s.db.QueryRow(ctx, "SELECT coalesce(run_id, '') FROM engine_checks WHERE name = $1",
		models.CheckHeartbeat).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, pg.Translate(err)
}
