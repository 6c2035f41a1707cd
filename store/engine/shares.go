package engine

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// FullestStorage returns at most ten active organizations, in percent of their storage quotas, the fullest first. An
// organization also counts by the quota of its partner. Organizations without any stored byte or without a quota are
// left out.
func (s *Store) FullestStorage(ctx context.Context) ([]models.LargestShare, error) {
	quotas := s.db.Quotas()
	rows, err := s.db.Query(ctx, `
		SELECT organization_id::text, max(percent)::bigint FROM (
		  SELECT w.organization_id, w.bytes * 100.0 / greatest(coalesce(w.most,
		           CASE WHEN o.parent_organization_id IS NULL THEN $1::bigint ELSE $2::bigint END), 1) AS percent
		    FROM organization_storage w JOIN organizations o ON o.id = w.organization_id
		   WHERE w.bytes > 0 AND w.most IS DISTINCT FROM 0 AND o.status = 'ACTIVE'
		  UNION ALL
		  SELECT p.organization_id, p.bytes * 100.0 / greatest($1::bigint, 1)
		    FROM partner_storage p JOIN organizations o ON o.id = p.organization_id
		   WHERE p.bytes > 0 AND o.status = 'ACTIVE') used
		 GROUP BY organization_id ORDER BY max(percent) DESC, organization_id LIMIT 10`, quotas.Storage, quotas.OwnStorage)
	if err != nil {
		return nil, pg.Translate(err)
	}
	shares, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.LargestShare])
	return shares, pg.Translate(err)
}

// manyWaiting is the number of waiting transactions from which on the share of one organization tells something.
const manyWaiting = 1000

// sampledPart is the part of the outbox that is read, in percent: about two thousand pages, and all of a smaller one.
const sampledPart = `least(100, 2000 * 100.0 * current_setting('block_size')::bigint / greatest(pg_relation_size('outbox'), 1))`

// LargestBacklog returns the organization with the most transactions that have waited for five minutes, and its share of
// all that have, in percent. A large outbox is sampled. Background work does not count, because it waits for the other.
// The id is empty unless at least a thousand wait, of at least two organizations.
func (s *Store) LargestBacklog(ctx context.Context) (share models.LargestShare, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT organization_id::text, (n * 100 / waiting)::bigint FROM (
		  SELECT organization_id, count(*) AS n, count(*) OVER () AS organizations, sum(count(*)) OVER () AS waiting
		    FROM outbox TABLESAMPLE SYSTEM (`+sampledPart+`)
		   WHERE waits_for IS NULL AND NOT background AND created_at < now() - interval '5 minutes'
		   GROUP BY organization_id) waiting
		 WHERE organizations > 1 AND waiting * 100 >= $1 * `+sampledPart+`
		 ORDER BY n DESC, organization_id LIMIT 1`, manyWaiting).Scan(&share.OrganizationID, &share.Percent)
	if errors.Is(err, pgx.ErrNoRows) {
		return models.LargestShare{}, nil
	}
	return share, pg.Translate(err)
}
