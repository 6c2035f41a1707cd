package work

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// ExchangeCalls writes what a process of the API reports, and returns what the others reported last. A process that has
// not reported for ten seconds has ended.
func (s *Store) ExchangeCalls(
	ctx context.Context, process string, calls models.ProcessCalls,
) (others map[string]models.ProcessCalls, err error) {
	report, err := json.Marshal(calls)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO api_processes (id, seen_at, calls) VALUES ($1, now(), $2)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, calls = excluded.calls`, process, report)
	batch.Queue("DELETE FROM api_processes WHERE seen_at < now() - interval '1 minute'")
	others = map[string]models.ProcessCalls{}
	batch.Queue("SELECT id, calls FROM api_processes WHERE id <> $1 AND seen_at > now() - interval '10 seconds'", process).
		Query(func(rows pgx.Rows) error {
			var id string
			var text []byte
			_, err := pgx.ForEachRow(rows, []any{&id, &text}, func() error {
				var calls models.ProcessCalls
				err := json.Unmarshal(text, &calls)
				others[id] = calls
				return err
			})
			return err
		})
	return others, pg.Translate(s.db.OpenTables().SendBatch(ctx, batch).Close())
}

// LeaveProcesses deletes the report of a process that ends.
func (s *Store) LeaveProcesses(ctx context.Context, process string) error {
	_, err := s.db.OpenTables().Exec(ctx, "DELETE FROM api_processes WHERE id = $1", process)
	return pg.Translate(err)
}
