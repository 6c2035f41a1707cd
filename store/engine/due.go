package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"levy/models"
	"levy/store/pg"
)

// longestDue selects how long the first item of each kind of work has been due. The kinds are records, changes of
// nexus, amendments and seals. The queue of seals begins with one of the oldest. The statement reads indexes alone,
// because every measurement executes it.
var longestDue = func() string {
	const since = "SELECT '%[1]s', coalesce(extract(epoch FROM now() - min(%[2]s))::bigint, 0) " +
		"FROM %[3]s WHERE %[4]s AND %[2]s <= now()"
	parts := make([]string, 0, len(waitingRecords)+3)
	for _, w := range waitingRecords {
		parts = append(parts, fmt.Sprintf(since, w.kind, "next_check_at", w.table, w.open))
	}
	parts = append(parts, fmt.Sprintf(since, models.WaitingNexusChanges, "due_at", "nexus_changes", "pending"),
		fmt.Sprintf(since, models.WaitingAmendments, "at", "late_transactions", "true"),
		fmt.Sprintf(since, models.WaitingSeals, "a.at", unsealed, "true"))
	return strings.Join(parts, " UNION ALL ")
}()

const unsealed = `(SELECT organization_ids, ids FROM audit_unsealed LIMIT 1) u
	 CROSS JOIN LATERAL unnest(u.organization_ids, u.ids) AS n (organization_id, id)
	  JOIN audit a ON a.organization_id = n.organization_id AND a.id = n.id`

// Due returns, by kind, how long the first item has been due that no process has taken, of all organizations.
func (s *Store) Due(ctx context.Context) (map[string]time.Duration, error) {
	rows, err := s.db.Query(ctx, longestDue)
	due := map[string]time.Duration{}
	var kind string
	var seconds int64
	err = pg.ForEach(rows, err, []any{&kind, &seconds}, func() error {
		due[kind] = time.Duration(max(seconds, 0)) * time.Second
		return nil
	})
	return due, pg.Translate(err)
}
