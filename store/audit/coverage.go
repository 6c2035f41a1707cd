package audit

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"levy/models/ledger"
	"levy/store/pg"
)

// The mark of the ledger is a leaf. From its link on, the row of every accepted version and filed return has a leaf, and
// every decided liability too. A new chain begins with it. An older one gets it from levy audit cover, when records of
// earlier releases have theirs. It cannot be moved: the seals cover it, and without the key no one can make another.

// coversNew selects whether new chains begin with the mark. Its lock lets levy audit cover wait for those that seal.
const coversNew = "(SELECT NOT ledger_from_before FROM installation FOR SHARE)"

// needsLeaf is the condition on a row a of the trail that a leaf belongs to it.
const needsLeaf = `(a.entity_type = 'transaction' AND a.action IN ('create', 'update')
	  OR a.entity_type = 'filing' AND starts_with(a.entity_id, 'file_')
	     AND a.detail ->> 'to' = 'FILED' AND a.detail ->> 'from' <> 'FILED')`

// unsealedWithoutLeaf selects the first row of the queue that lacks its leaf.
const unsealedWithoutLeaf = `
	SELECT a.id FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS n (organization_id, id)
	  JOIN audit a ON a.organization_id = n.organization_id AND a.id = n.id
	 WHERE n.organization_id = $1 AND a.leaf IS NULL AND ` + needsLeaf + `
	 ORDER BY a.id LIMIT 1`

// markOf returns the mark of an organization; empty for the installation, which has no ledger.
func markOf(ctx context.Context, db *pg.DB, organizationID string) ([]byte, error) {
	digest, err := db.Leaf(ctx, ledger.Mark(organizationID))
	return ledger.Leaf{Kind: ledger.KindMark, ID: organizationID, Digest: digest}.Append(nil), err
}

// WaitsWithoutLeaf reports whether a row of the queue lacks its leaf, which only an earlier release writes.
func (s *Store) WaitsWithoutLeaf(ctx context.Context, organizationID string) (waits bool, err error) {
	err = s.db.QueryRow(ctx, "SELECT EXISTS ("+unsealedWithoutLeaf+")", organizationID).Scan(&waits)
	return waits, pg.Translate(err)
}

// faultOfCoverage returns the fault of a link that lacks a leaf; "" for none. It notes the first mark. lacking is the
// first row without its leaf; "" for none.
func (v *verification) faultOfCoverage(l *link, lacking string) string {
	isMark := func(leaf []byte) bool { return len(v.mark) > 0 && bytes.Equal(leaf, v.mark) }
	if v.coveredFrom == 0 && slices.ContainsFunc(slices.Collect(slices.Chunk(l.leaves, ledger.Size)), isMark) {
		v.coveredFrom = l.number
	}
	// guard: ledger: from the mark on every version and filed return has its leaf
	if v.coveredFrom > 0 && lacking != "" {
		return fmt.Sprintf("row %s of seal %d has no leaf", lacking, l.number)
	}
	return ""
}
