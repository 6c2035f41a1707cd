package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/ledger"
	"levy/store/pg"
)

const (
	linksAfter = `
	SELECT number, ids, digests, leaves, master_key_id, seal FROM audit_seals
	 WHERE organization_id = $1 AND number > $2 ORDER BY number LIMIT 20`

	// neverSealed selects the first row that is in no seal and not in the queue: it was written past the triggers.
	// It does not use ORDER BY and LIMIT, because PostgreSQL would expect to find it soon and compare each row with each
	// sealed one.
	neverSealed = `
	SELECT min(a.id) FROM audit a
	 WHERE a.organization_id = $1
	   AND NOT EXISTS (
	     SELECT FROM (SELECT unnest(ids) AS id FROM audit_seals WHERE organization_id = $1
	                   UNION ALL
	                  SELECT n.id FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS n (organization_id, id)
	                   WHERE n.organization_id = $1) k
	      WHERE k.id = a.id)
	HAVING count(*) > 0`

	// missingUnsealed selects the first row that is in the queue and not in the trail.
	missingUnsealed = `
	SELECT n.id FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS n (organization_id, id)
	 WHERE n.organization_id = $1
	   AND NOT EXISTS (SELECT FROM audit a WHERE a.organization_id = n.organization_id AND a.id = n.id)
	 ORDER BY n.id LIMIT 1`
)

var digestsOf = pg.Prepare(`
	SELECT string_agg(`+digest+`, ''::bytea ORDER BY n.line),
	       coalesce((array_agg(n.id ORDER BY n.line) FILTER (WHERE a.leaf IS NULL AND `+needsLeaf+`))[1], '')
	  FROM {n}
	  LEFT JOIN LATERAL (SELECT * FROM audit x
	                      WHERE x.organization_id = @organization_id AND x.id = n.id OFFSET 0) a ON true`,
	pg.Names{"organization_id"}, sealedRows)

// sealedRows are the ids of rows of the trail, in the order of their seal.
var sealedRows = pg.RowsOf("n", pg.Col("id", "text", func(id *string) *string { return id })).Numbered("line")

// AuditedOrganizations returns the organizations with a trail to verify.
func (s *Store) AuditedOrganizations(ctx context.Context) ([]string, error) {
	rows, err := s.db.Query(ctx,
		"SELECT id FROM organizations UNION SELECT DISTINCT organization_id FROM audit_seals ORDER BY 1")
	return pg.Collect(rows, err, pgx.RowTo[string])
}

// VerifyAudit verifies the trail of an organization as of one moment. Every seal must follow from the previous one,
// every sealed row must be unchanged, and every row must be sealed or queued. savedHead is a seal that was recorded
// outside the database and must still be in the chain; nil for none. Without it, a chain whose end was cut off with its
// rows looks complete.
func (s *Store) VerifyAudit(
	ctx context.Context, sealer Sealer, organizationID string, savedHead *models.AuditHead,
) (models.AuditResult, error) {
	v := verification{sealer: sealer, savedHead: savedHead, last: link{organizationID: organizationID}}
	var err error
	if v.mark, err = markOf(ctx, s.db, organizationID); err != nil {
		return models.AuditResult{}, err
	}
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		if err := v.readReseals(ctx, tx); err != nil {
			return err
		}
		if _, err := v.readChain(ctx, tx, math.MaxInt, math.MaxInt); err != nil || v.broken != "" {
			return err
		}
		if v.broken = v.again.faultOfEnd(); v.broken != "" {
			return nil
		}
		if savedHead != nil && savedHead.Number > v.last.number {
			v.broken = fmt.Sprintf("seal %d, which was kept, is missing: the chain ends with seal %d",
				savedHead.Number, v.last.number)
			return nil
		}
		return v.compareRows(ctx, tx)
	})
	return models.AuditResult{
		OrganizationID: organizationID, Rows: v.rows, Seals: v.last.number, Head: v.last.seal, CoveredFrom: v.coveredFrom,
		Broken: v.broken,
	}, pg.Translate(err)
}

// verification is the progress of verifying the trail of an organization.
type verification struct {
	sealer    Sealer
	savedHead *models.AuditHead
	last      link // the last valid link
	rows      int64
	broken    string
	mark      []byte // the leaf that says from where on the ledger covers the organization
	// coveredFrom is the number of the link that has the mark; 0 for none yet.
	coveredFrom int64
	// again are the seals over ranges of links by newer master keys.
	again reseals
}

// readChain checks the seals after the last one, and ends after so many rows or seals. done reports that there are no more.
func (v *verification) readChain(ctx context.Context, tx pg.Querier, rows int64, seals int) (done bool, err error) {
	for {
		links, err := v.next(ctx, tx)
		if err != nil || len(links) == 0 {
			return true, err
		}
		for i := range links {
			// guard: reseals: no slice ends inside a range, whose links may be of a missing key
			if (v.rows >= rows || seals <= 0) && !v.again.covers() {
				return false, nil
			}
			seals--
			if v.broken = v.faultOfSeal(&links[i]); v.broken != "" {
				return true, nil
			}
			var now []byte // empty for a link of leaves alone
			var lacking string
			err := tx.QueryRow(ctx, digestsOf.SQL,
				digestsOf.Values([]any{v.last.organizationID}, sealedRows.Of(links[i].ids))...).Scan(&now, &lacking)
			if err != nil {
				return true, err
			}
			v.broken = cmp.Or(faultOfRows(&links[i], now), v.faultOfCoverage(&links[i], lacking),
				v.again.add(v.sealer, &links[i], v.last.seal))
			if v.broken != "" {
				return true, nil
			}
			v.last, v.rows = links[i], v.rows+int64(len(links[i].ids))
		}
	}
}

func (v *verification) next(ctx context.Context, tx pg.Querier) ([]link, error) {
	rows, err := tx.Query(ctx, linksAfter, v.last.organizationID, v.last.number)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (link, error) {
		l := link{organizationID: v.last.organizationID}
		return l, row.Scan(&l.number, &l.ids, &l.digests, &l.leaves, &l.masterKeyID, &l.seal)
	})
}

// faultOfSeal returns the fault of the next link itself; "" for none.
func (v *verification) faultOfSeal(l *link) string {
	if l.number != v.last.number+1 {
		return fmt.Sprintf("seal %d is missing", v.last.number+1)
	}
	v.again.begin(l.number)
	holds, known := v.sealer.Holds(l.masterKeyID, l.content(v.last.seal), l.seal)
	switch {
	// guard: reseals: a seal of a missing master key counts only under a seal of a key that is there
	case !known && v.again.covers():
	case !known:
		return fmt.Sprintf("seal %d was made with master key %s, which is not in LEVY_MASTER_KEYS, "+
			"and no other key has sealed it again", l.number, l.masterKeyID)
	case !holds:
		return fmt.Sprintf("seal %d was changed, whose first row is %s", l.number, l.first())
	}
	// A link of a missing key is compared too.
	if v.savedHead != nil && v.savedHead.Number == l.number && !bytes.Equal(v.savedHead.Seal, l.seal) {
		return fmt.Sprintf("seal %d is not the one that was kept, %s", l.number, hex.EncodeToString(v.savedHead.Seal))
	}
	return ""
}

// first returns the id of the first record of a link.
func (l *link) first() string {
	switch {
	case len(l.ids) > 0:
		return l.ids[0]
	case len(l.leaves) >= ledger.Size:
		return ledger.Parse(l.leaves[:ledger.Size]).ID
	}
	return "none"
}

// faultOfRows returns the first row of a link that differs from its sealed digest; "" for none. now has the current
// digests of its rows.
func faultOfRows(l *link, now []byte) string {
	missing := make([]byte, digestSize)
	for i, id := range l.ids {
		was, is := l.digests[i*digestSize:(i+1)*digestSize], now[i*digestSize:(i+1)*digestSize]
		switch {
		case bytes.Equal(is, missing):
			return fmt.Sprintf("row %s of seal %d is missing", id, l.number)
		case !bytes.Equal(was, is):
			return fmt.Sprintf("row %s of seal %d was changed", id, l.number)
		}
	}
	return ""
}

// compareRows searches for rows that are not sealed, among all of the organization.
func (v *verification) compareRows(ctx context.Context, tx pg.Querier) error {
	return v.search(ctx, tx, append([]search{{neverSealed, "row %s was added past the guards"}}, v.ofQueue()...))
}

// search is a statement that selects the first row that is wrong, and what is wrong with it.
type search struct{ query, says string }

// ofQueue are the searches among the rows that are not sealed yet.
func (v *verification) ofQueue() []search {
	all := []search{{missingUnsealed, "row %s, which is not sealed yet, is missing"}}
	if v.coveredFrom > 0 {
		all = append(all, search{unsealedWithoutLeaf, "row %s, which is not sealed yet, has no leaf"})
	}
	return all
}

func (v *verification) search(ctx context.Context, tx pg.Querier, all []search) error {
	for _, one := range all {
		var id string
		err := tx.QueryRow(ctx, one.query, v.last.organizationID).Scan(&id)
		switch {
		case err == nil:
			v.broken = fmt.Sprintf(one.says, id)
			return nil
		case !errors.Is(err, pgx.ErrNoRows):
			return err
		}
	}
	return nil
}
