package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// The most rows and seals of a slice. A seal has one row where little is written.
const (
	sliceRows  = 10_000
	sliceSeals = 200
)

// nearbySeals is how many seals before and after a slice are searched for the rows of its time. A row is sealed seconds
// after it was written, so almost all are among them. For any other row all seals of the organization are read.
const nearbySeals = 1000

const (
	// selectSeal selects the seal after which a slice begins, and when it was made.
	selectSeal = `SELECT seal, sealed_at FROM audit_seals WHERE organization_id = $1 AND number = $2`

	// rangesAround selects the ranges that begin before a slice after a seal, and end in it.
	rangesAround = `
	SELECT master_key_id, first FROM audit_reseals WHERE organization_id = $1 AND first <= $2 AND last > $2`

	lastSeal = `SELECT coalesce(max(number), 0) FROM audit_seals WHERE organization_id = $1`

	// notNearby selects the rows that are neither in the seals after $4 up to $5 nor in the queue. Their ids begin with $2
	// and end before $3, or do not end. It is one aggregate for the reason of neverSealed.
	notNearby = `
	SELECT coalesce(array_agg(a.id), '{}') FROM audit a
	 WHERE a.organization_id = $1 AND a.id >= $2 AND ($3 = '' OR a.id < $3)
	   AND NOT EXISTS (
	     SELECT FROM (SELECT unnest(ids) AS id FROM audit_seals WHERE organization_id = $1 AND number > $4 AND number <= $5
	                   UNION ALL
	                  SELECT n.id FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS n (organization_id, id)
	                   WHERE n.organization_id = $1) k
	      WHERE k.id = a.id)`

	// inNoSeal selects the first of the rows $2 that is in no seal at all.
	inNoSeal = `
	SELECT min(n.id) FROM unnest($2::text[]) AS n (id)
	 WHERE NOT EXISTS (SELECT FROM (SELECT unnest(ids) AS id FROM audit_seals WHERE organization_id = $1) k WHERE k.id = n.id)
	HAVING count(*) > 0`
)

// VerifySlice verifies the next seals of an organization after one that was verified, and their rows. It also searches the
// rows of that time for one that is in no seal, and after the last seal those that wait for theirs. coveredFrom is the
// seal with the mark of the ledger as far as an earlier slice has found it. It reads one moment, and locks nothing.
func (s *Store) VerifySlice(
	ctx context.Context, sealer Sealer, organizationID string, after, coveredFrom int64,
) (slice models.SealSlice, err error) {
	v := verification{sealer: sealer, last: link{organizationID: organizationID, number: after}}
	if v.mark, err = markOf(ctx, s.db, organizationID); err != nil {
		return slice, err
	}
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		if _, err := tx.Exec(ctx, fmt.Sprintf("SET LOCAL statement_timeout = %d", pg.StatementTimeout.Milliseconds())); err != nil {
			return err
		}
		if after, err = beforeRanges(ctx, tx, sealer, organizationID, after); err != nil {
			return err
		}
		v.last.number = after
		if coveredFrom <= after {
			v.coveredFrom = coveredFrom // otherwise the slice comes to it, or a later one
		}
		if err := v.readReseals(ctx, tx); err != nil {
			return err
		}
		var from, until time.Time
		if after > 0 {
			err := tx.QueryRow(ctx, selectSeal, organizationID, after).Scan(&v.last.seal, &from)
			// guard: audit: a chain that was cut off is found by the night
			if errors.Is(err, pgx.ErrNoRows) {
				return v.endsBefore(ctx, tx, after)
			}
			if err != nil {
				return err
			}
		}
		if slice.Done, err = v.readChain(ctx, tx, s.sliceRows, s.sliceSeals); err != nil || v.broken != "" {
			return err
		}
		if slice.Done {
			if v.broken = v.again.faultOfEnd(); v.broken != "" {
				return nil
			}
		}
		var ignored []byte
		if !slice.Done {
			if err := tx.QueryRow(ctx, selectSeal, organizationID, v.last.number).Scan(&ignored, &until); err != nil {
				return err
			}
		}
		if err := v.compareTime(ctx, tx, after, from, until); err != nil || v.broken != "" || !slice.Done {
			return err
		}
		return v.search(ctx, tx, v.ofQueue())
	})
	slice.Through, slice.CoveredFrom, slice.Broken = v.last.number, max(coveredFrom, v.coveredFrom), v.broken
	slice.Done = slice.Done || v.broken != ""
	return slice, pg.Translate(err)
}

// beforeRanges returns where a slice after a seal begins: before the ranges that known keys have made meanwhile. Ranges of
// other keys prove nothing here.
func beforeRanges(ctx context.Context, tx pg.Querier, sealer Sealer, organizationID string, after int64) (int64, error) {
	for begin := after; ; after = begin {
		rows, err := tx.Query(ctx, rangesAround, organizationID, after)
		var masterKeyID string
		var first int64
		err = pg.ForEach(rows, err, []any{&masterKeyID, &first}, func() error {
			if _, known := sealer.Holds(masterKeyID, nil, nil); known {
				begin = min(begin, first-1)
			}
			return nil
		})
		if err != nil || begin == after {
			return after, err
		}
	}
}

func (v *verification) endsBefore(ctx context.Context, tx pg.Querier, after int64) error {
	var last int64
	err := tx.QueryRow(ctx, lastSeal, v.last.organizationID).Scan(&last)
	v.broken = fmt.Sprintf("seal %d, which was verified, is missing: the chain ends with seal %d", after, last)
	return err
}

// compareTime searches the rows whose ids were made from one time to before another for those that are in no seal. Ids
// have the time of the machine that made them. Slices follow each other without a gap, so a pass searches all rows.
func (v *verification) compareTime(ctx context.Context, tx pg.Querier, after int64, from, until time.Time) error {
	var first, end string
	if !from.IsZero() {
		first = models.FirstID(models.PrefixAudit, from)
	}
	if !until.IsZero() {
		end = models.FirstID(models.PrefixAudit, until)
	}
	var rest []string
	err := tx.QueryRow(ctx, notNearby, v.last.organizationID, first, end, after-nearbySeals,
		v.last.number+nearbySeals).Scan(&rest)
	// guard: audit: a row that was written past the triggers is found by the night
	if err != nil || len(rest) == 0 {
		return err
	}
	var id string
	err = tx.QueryRow(ctx, inNoSeal, v.last.organizationID, rest).Scan(&id)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	v.broken = fmt.Sprintf("row %s was added past the guards", id)
	return nil
}
