package engine

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// waitingForPeople counts the records that wait for people. It reads indexes of open records, because every measurement
// executes it.
const waitingForPeople = `
	SELECT (SELECT count(*) FROM transaction_refetches),
	       count(*) FILTER (WHERE f.status = 'UNFILED' AND f.end_date < current_date),
	       count(*) FILTER (WHERE f.status = 'FILING' AND f.manual_since IS NOT NULL),
	       count(*) FILTER (WHERE f.status = 'ISSUE'),
	       count(*) FILTER (WHERE f.due_date < current_date AND f.status NOT IN ('FILED', 'SKIPPED', 'CANCELLED'))
	  FROM filings f WHERE f.next_check_at IS NOT NULL`

const onboardingsByStep = `
	SELECT completed + 1, count(*), extract(epoch FROM now() - min(updated_at))::bigint
	  FROM onboardings WHERE next_check_at IS NOT NULL AND status = 'IN_PROGRESS' GROUP BY completed`

// WaitingForPeople counts the records that wait for people, of all organizations.
func (s *Store) WaitingForPeople(ctx context.Context) (models.WaitingForPeople, error) {
	b := models.WaitingForPeople{Onboardings: map[int]models.OnboardingsAtStep{}}
	err := s.db.QueryRow(ctx, waitingForPeople).Scan(&b.NeedAttention, &b.ToApprove, &b.ToFile, &b.InIssue, &b.Overdue)
	if err != nil {
		return b, pg.Translate(err)
	}
	rows, err := s.db.Query(ctx, onboardingsByStep)
	var step int
	var at models.OnboardingsAtStep
	var oldest int64
	err = pg.ForEach(rows, err, []any{&step, &at.Number, &oldest}, func() error {
		at.Oldest = time.Duration(oldest) * time.Second
		b.Onboardings[step] = at
		return nil
	})
	return b, err
}
