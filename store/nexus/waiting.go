package nexus

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// Waiting says what of nexus waits, of all organizations. Places that are due are taken within seconds: after a minute
// nobody does it.
func (s *Store) Waiting(ctx context.Context) (models.WaitingNexus, error) {
	var w models.WaitingNexus
	var longest int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE due_at < now() - interval '1 minute'),
		       coalesce(extract(epoch FROM now() - min(due_at))::bigint, 0),
		       (SELECT count(*) FROM nexus_records x WHERE `+ObligationChanged+`),
		       (SELECT count(*) FROM nexus_repairs)
		  FROM nexus_changes WHERE pending`).Scan(&w.Pending, &w.NotMoved, &longest, &w.Unapplied, &w.Repairs)
	w.Longest = time.Duration(max(longest, 0)) * time.Second
	return w, pg.Translate(err)
}
