package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models/ledger"
	"levy/store/pg"
)

// decidedLeaves reads the leaves of the seals of an organization, and those that wait for their seal, in the order of
// transactions. The leaves of one are in the order of their seals. PostgreSQL sorts them, on disk if there are many.
type decidedLeaves struct {
	tx    pg.Querier
	ahead []ledger.Leaf // read, not used
	done  bool
}

const openLeaves = `
	DECLARE leaves NO SCROLL CURSOR FOR
	SELECT substr(l.leaves, p * 37 + 1, 37) FROM (
	  SELECT false AS waits, number, leaves FROM audit_seals WHERE organization_id = $1 AND leaves IS NOT NULL
	  UNION ALL
	  SELECT true, u.number, (SELECT string_agg(substr(u.leaves, (o.n::int - 1) * 37 + 1, 37), ''::bytea ORDER BY o.n)
	                            FROM unnest(u.organization_ids) WITH ORDINALITY o (id, n) WHERE o.id = $1)
	    FROM ledger_unsealed u WHERE $1 = ANY (u.organization_ids)) l
	 CROSS JOIN generate_series(0, octet_length(l.leaves) / 37 - 1) p
	 ORDER BY substr(l.leaves, p * 37 + 2, 16), l.waits, l.number, p`

func (d *decidedLeaves) open(ctx context.Context, tx pg.Querier, organizationID string) error {
	d.tx = tx
	_, err := tx.Exec(ctx, openLeaves, organizationID)
	return err
}

// until returns the next leaves, whose ids are at most to.
func (d *decidedLeaves) until(ctx context.Context, to string) (leaves []ledger.Leaf, err error) {
	for {
		for i, l := range d.ahead {
			if l.ID > to {
				leaves, d.ahead = append(leaves, d.ahead[:i]...), d.ahead[i:]
				return leaves, nil
			}
		}
		leaves, d.ahead = append(leaves, d.ahead...), nil
		if d.done {
			return leaves, nil
		}
		rows, err := d.tx.Query(ctx, "FETCH 1000 FROM leaves")
		d.ahead, err = pg.Collect(rows, err, func(row pgx.CollectableRow) (ledger.Leaf, error) {
			var leaf []byte
			err := row.Scan(&leaf)
			return ledger.Parse(leaf), err
		})
		if err != nil {
			return nil, err
		}
		d.done = len(d.ahead) == 0
	}
}
