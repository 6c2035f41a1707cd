package ledger

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/ledger"
	"levy/store/filings"
	"levy/store/pg"
)

// selectReturns reads the filed returns of an organization, those that the trail calls filed and those that are.
const selectReturns = `
	SELECT coalesce(a.id, f.id), f.id IS NOT NULL, a.id IS NOT NULL, a.leaf
	  FROM (SELECT t.entity_id AS id, t.leaf FROM audit t
	         WHERE t.organization_id = $1 AND t.entity_type = 'filing' AND t.entity_id > 'file_' AND t.entity_id < 'file~'
	           AND (t.leaf IS NOT NULL OR t.detail ->> 'to' = 'FILED' AND t.detail ->> 'from' <> 'FILED')) a
	  FULL JOIN (SELECT id FROM filings WHERE organization_id = $1 AND status = 'FILED') f ON f.id = a.id
	 ORDER BY 1`

type filedReturn struct {
	id           string
	exists, told bool
	leaf         []byte
}

// returns compares the filed returns.
func (v *verification) returns(ctx context.Context, s *filings.Store) error {
	rows, err := v.tx.Query(ctx, selectReturns, v.organizationID)
	all, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (r filedReturn, err error) {
		return r, row.Scan(&r.id, &r.exists, &r.told, &r.leaf)
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		switch {
		case r.leaf == nil && r.told:
			v.notCovered(r.id)
		case !r.told:
			v.breaks("return %s was filed past the guards", r.id)
		case !r.exists:
			v.breaks("return %s is missing or not filed any more", r.id)
		default:
			if err := v.compareReturn(ctx, s, r); err != nil {
				return err
			}
		}
		if v.Broken != "" {
			return nil
		}
	}
	return nil
}

func (v *verification) compareReturn(ctx context.Context, s *filings.Store, r filedReturn) error {
	hash, holds, err := s.SealedReport(ctx, v.tx, models.Scope{OrganizationID: v.organizationID}, r.id)
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return err
	}
	leaf, err := v.db.Leaf(ctx, ledger.Return(v.organizationID, r.id, hash))
	if err != nil {
		return err
	}
	if !holds || !bytes.Equal(leaf, r.leaf) {
		v.breaks("return %s was changed", r.id)
		return nil
	}
	v.Returns++
	return nil
}
