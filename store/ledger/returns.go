package ledger

import (
	"bytes"
	"context"
	"errors"
	"slices"

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
	earlier      bool // an earlier release filed it
	leaf         []byte
}

// readReturns reads the filed returns. The leaf of one from an earlier release is the first that was made afterwards.
func (v *verification) readReturns(ctx context.Context) ([]filedReturn, error) {
	rows, err := v.tx.Query(ctx, "SELECT leaf FROM ("+leavesOf+") a WHERE chr(get_byte(leaf, 0)) = 'r'"+
		" ORDER BY waits DESC, number DESC, p DESC", v.organizationID, v.coveredFrom)
	earlier := map[string][]byte{}
	var leaf []byte
	err = pg.ForEach(rows, err, []any{&leaf}, func() error {
		l := ledger.Parse(slices.Clone(leaf))
		earlier[l.ID] = l.Digest
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows, err = v.tx.Query(ctx, selectReturns, v.organizationID)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (r filedReturn, err error) {
		err = row.Scan(&r.id, &r.exists, &r.told, &r.leaf)
		if r.leaf == nil {
			r.leaf, r.earlier = earlier[r.id], true
		}
		return r, err
	})
}

// returns compares the filed returns.
func (v *verification) returns(ctx context.Context, s *filings.Store) error {
	all, err := v.readReturns(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		switch {
		case !r.told:
			v.breaks("return %s was filed past the guards", r.id)
		case !r.exists:
			v.breaks("return %s is missing or not filed any more", r.id)
		case r.leaf == nil:
			v.notCovered(r.id) // the chain has its row from before the mark, see store/audit
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
	switch {
	case r.earlier && hash == "" && bytes.Equal(leaf, r.leaf): // it was filed before reports had a hash
		v.notCovered(r.id)
		return nil
	case !holds || !bytes.Equal(leaf, r.leaf):
		v.breaks("return %s was changed", r.id)
		return nil
	}
	v.Returns++
	return nil
}
