package engine

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// FullestStorage returns the organization that has used the largest part of its storage quota, or whose partner has, in
// percent. Without any stored byte its id is empty.
func (s *Store) FullestStorage(ctx context.Context) (models.LargestShare, error) {
	quotas := s.db.Quotas()
	return s.largestShare(ctx, `
		SELECT organization_id::text, percent::bigint FROM (
		  SELECT w.organization_id, w.bytes * 100.0 / greatest(coalesce(w.most,
		           CASE WHEN o.parent_organization_id IS NULL THEN $1::bigint ELSE $2::bigint END), 1) AS percent
		    FROM organization_storage w JOIN organizations o ON o.id = w.organization_id WHERE w.bytes > 0
		  UNION ALL
		  SELECT organization_id, bytes * 100.0 / greatest($1::bigint, 1) FROM partner_storage WHERE bytes > 0) used
		 ORDER BY percent DESC, organization_id LIMIT 1`, quotas.Storage, quotas.OwnStorage)
}

// manyWaiting is the number of waiting transactions from which on the share of one organization tells something.
const manyWaiting = 1000

// LargestBacklog returns the organization with the most transactions that wait to be processed, and its share of all that
// wait, in percent. The id is empty unless at least a thousand wait, of at least two organizations.
func (s *Store) LargestBacklog(ctx context.Context) (models.LargestShare, error) {
	return s.largestShare(ctx, `
		SELECT organization_id::text, (n * 100 / waiting)::bigint FROM (
		  SELECT organization_id, count(*) AS n, count(*) OVER () AS organizations, sum(count(*)) OVER () AS waiting
		    FROM outbox WHERE waits_for IS NULL GROUP BY organization_id) waiting
		 WHERE organizations > 1 AND waiting >= $1
		 ORDER BY n DESC, organization_id LIMIT 1`, manyWaiting)
}

func (s *Store) largestShare(ctx context.Context, statement string, args ...any) (share models.LargestShare, err error) {
	err = s.db.QueryRow(ctx, statement, args...).Scan(&share.OrganizationID, &share.Percent)
	if errors.Is(err, pgx.ErrNoRows) {
		return models.LargestShare{}, nil
	}
	return share, pg.Translate(err)
}
