package transactions

import (
	"context"
	"time"

	"levy/store/pg"
)

// WaitingRefunds measures the refunds that wait for their originals: a sale that is never
// processed keeps its refunds waiting, which no attempt tells.
func (s *Store) WaitingRefunds(ctx context.Context) (Backlog, error) {
	var b Backlog
	var seconds int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at))::bigint, 0)
		  FROM outbox WHERE waits_for IS NOT NULL`).Scan(&b.Rows, &seconds)
	b.OldestAge = time.Duration(seconds) * time.Second
	return b, pg.Translate(err)
}
