package ledger

import (
	"bytes"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models/ledger"
	"levy/store/pg"
)

// leavesOf selects the leaves of an organization, those in seals and those that wait for their seal. Leaves that were made
// afterwards count only up to the seal with the mark.
const leavesOf = `
	SELECT substr(l.leaves, p * 37 + 1, 37) AS leaf, l.waits, l.number, p FROM (
	  SELECT false AS waits, number, leaves FROM audit_seals WHERE organization_id = $1 AND leaves IS NOT NULL
	  UNION ALL
	  SELECT true, u.number, (SELECT string_agg(substr(u.leaves, (o.n::int - 1) * 37 + 1, 37), ''::bytea ORDER BY o.n)
	                            FROM unnest(u.organization_ids) WITH ORDINALITY o (id, n) WHERE o.id = $1)
	    FROM ledger_unsealed u WHERE $1 = ANY (u.organization_ids)) l
	 CROSS JOIN generate_series(0, octet_length(l.leaves) / 37 - 1) p
	 WHERE get_byte(l.leaves, p * 37) < ascii('a')
	    /* guard: ledger: a leaf made after the mark is none */ OR $2 = 0 OR NOT l.waits AND l.number <= $2`

// decidedLeaves reads the leaves of an organization in the order of transactions. The leaves of one are in the order of
// their seals. PostgreSQL sorts them, on disk if there are many.
type decidedLeaves struct {
	tx    pg.Querier
	ahead []ledger.Leaf // read, not used
	done  bool
}

const openLeaves = `
	DECLARE leaves NO SCROLL CURSOR FOR
	SELECT leaf FROM (` + leavesOf + `) a WHERE chr(get_byte(leaf, 0)) IN ('D', 'd', 'v')
	 ORDER BY substr(leaf, 2, 16), waits, number, p`

func (d *decidedLeaves) open(ctx context.Context, tx pg.Querier, organizationID string, coveredFrom int64) error {
	d.tx = tx
	_, err := tx.Exec(ctx, openLeaves, organizationID, coveredFrom)
	return err
}

// inForce returns the digest of the last decision of a transaction; nil without any. One that was made afterwards counts
// where there is no other. replayed reports whether it is an earlier one again, which no release writes.
func inForce(leaves []ledger.Leaf) (last []byte, replayed bool) {
	var earlier [][]byte
	for _, l := range leaves {
		if l.Kind == ledger.KindEarlierVersion || l.Kind == ledger.KindEarlierDecision && last != nil ||
			bytes.Equal(l.Digest, last) {
			continue
		}
		replayed = slices.ContainsFunc(earlier, func(e []byte) bool { return bytes.Equal(e, l.Digest) })
		earlier, last = append(earlier, l.Digest), l.Digest
	}
	return last, replayed
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
