package engine

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// downFrom is the number of records whose calls have failed since the last success, from which an authority counts as
// down. A single record may have a submission that the authority cannot process.
const downFrom = "3"

// trialEvery is the pause between two calls of an authority that is down.
const trialEvery = "interval '1 minute'"

// Admit returns whether an authority may be called for a record. While the authority is down, Admit allows one call a
// minute, for another record than the last one if there is another.
func (s *Store) Admit(ctx context.Context, authority, record string) (a models.AuthorityAdmission, err error) {
	var microseconds int64
	err = s.db.QueryRow(ctx, `
		WITH trial AS (
		  UPDATE authority_outages SET try_at = now() + `+trialEvery+`, tried_by = $2
		   WHERE name = $1 AND cardinality(by) >= `+downFrom+`
		     AND CASE WHEN tried_by = $2 THEN try_at + `+trialEvery+` ELSE try_at END <= now()
		  RETURNING name)
		SELECT o.name IS NOT NULL, o.name IS NULL OR cardinality(o.by) < `+downFrom+` OR EXISTS (SELECT FROM trial),
		       coalesce(extract(epoch FROM greatest(interval '1 second',
		         CASE WHEN o.tried_by = $2 THEN o.try_at + `+trialEvery+` ELSE o.try_at END - now()))
		         * 1000000, 0)::bigint
		  FROM (SELECT) one
		  LEFT JOIN authority_outages o ON o.name = $1`, authority, record).Scan(&a.Failing, &a.May, &microseconds)
	if !a.May {
		a.Again = time.Duration(microseconds) * time.Microsecond
	}
	return a, pg.Translate(err)
}

// Failed records that a call for a record did not reach the authority.
func (s *Store) Failed(ctx context.Context, authority, record, reason string) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO authority_outages AS o (name, by, error, try_at, tried_by)
		VALUES ($1, ARRAY[$2::text], $3, now() + `+trialEvery+`, $2)
		ON CONFLICT (name) DO UPDATE SET failures = o.failures + 1, error = excluded.error,
		  try_at = excluded.try_at, tried_by = excluded.tried_by,
		  by = CASE WHEN $2 = ANY (o.by) OR cardinality(o.by) >= `+downFrom+` THEN o.by
		            ELSE o.by || excluded.by END`, authority, record, reason)
	return pg.Translate(err)
}

// Reached records that an authority answers.
func (s *Store) Reached(ctx context.Context, authority string) error {
	_, err := s.db.Exec(ctx, "DELETE FROM authority_outages WHERE name = $1", authority)
	return pg.Translate(err)
}

// waitedFor selects an authority that no call has reached for ten minutes, even for a single record. Its records call
// it again within a minute, or within a quarter of an hour if their figures take so long. Without such a call the
// records were withdrawn or wait for people, and it is not known whether the authority answers.
const waitedFor = "since < now() - interval '10 minutes' AND try_at > now() - interval '20 minutes'"

// Outages returns the authorities that are down, and those that fewer records wait for, the longest outage first.
func (s *Store) Outages(ctx context.Context) ([]models.AuthorityOutage, error) {
	rows, err := s.db.Query(ctx, `
		SELECT name, (extract(epoch FROM greatest(now() - since, interval '0')) * 1000000)::bigint, failures, error
		  FROM authority_outages WHERE cardinality(by) >= `+downFrom+` OR `+waitedFor+`
		 ORDER BY since, name`)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (o models.AuthorityOutage, err error) {
		var microseconds int64
		err = row.Scan(&o.Authority, &microseconds, &o.Failures, &o.Error)
		o.Age = time.Duration(microseconds) * time.Microsecond
		o.AgeSeconds = int64(o.Age.Seconds())
		return o, err
	})
}
