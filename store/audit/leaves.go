package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models/ledger"
	"levy/store/pg"
)

// takeUnsealedLeaves takes leaves of the ledger from their queue, in the order in which they were put there. The last one
// of a record is in force.
const takeUnsealedLeaves = `
	WITH taken AS (
	  DELETE FROM ledger_unsealed WHERE number IN (SELECT number FROM ledger_unsealed ORDER BY number LIMIT $1)
	  RETURNING number, organization_ids, leaves)
	SELECT organization_ids, leaves FROM taken ORDER BY number`

// takeLeaves takes the leaves of some statements, by organization. more reports that some are left.
func (s *Store) takeLeaves(ctx context.Context) (leaves map[string][]byte, more bool, err error) {
	rows, err := s.db.Query(ctx, takeUnsealedLeaves, maxStatements)
	leaves = map[string][]byte{}
	statements := 0
	var organizations []string
	var of []byte
	err = pg.ForEach(rows, err, []any{&organizations, &of}, func() error {
		statements++
		for i, id := range organizations {
			leaves[id] = append(leaves[id], of[i*ledger.Size:(i+1)*ledger.Size]...)
		}
		return nil
	})
	return leaves, statements == maxStatements, err
}

const lastSeals = `
	SELECT o.id, coalesce(l.number, 0), l.seal FROM unnest($1::text[]) o (id)
	  LEFT JOIN LATERAL (SELECT number, seal FROM audit_seals s WHERE s.organization_id = o.id
	                      ORDER BY number DESC LIMIT 1) l ON true`

// withoutRows returns the links of leaves whose organizations have no rows to seal.
func (s *Store) withoutRows(ctx context.Context, chains chains, leaves map[string][]byte) (links []link, err error) {
	if len(leaves) == 0 {
		return nil, nil
	}
	rows, err := s.db.Query(ctx, lastSeals, slices.Sorted(maps.Keys(leaves)))
	last, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (l link, err error) {
		return l, row.Scan(&l.organizationID, &l.number, &l.seal)
	})
	for _, l := range last {
		next, err := chains.next(ctx, l, nil, nil, leaves[l.organizationID])
		if err != nil {
			return nil, err
		}
		links = append(links, next...)
	}
	return links, err
}
