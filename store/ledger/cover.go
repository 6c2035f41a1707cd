package ledger

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/ledger"
	"levy/rules"
	"levy/store/filings"
	"levy/store/pg"
)

// Records of an earlier release get their leaf afterwards, as they are found. Such a leaf never replaces another, so a run
// may be repeated, and covers no change of a record that has a leaf already. When all records of an organization have
// one, it gets the mark.

const (
	selectOpen = "SELECT ledger_from_before FROM installation"
	// closeCoverage waits for those that seal, so that every chain that begins later has the mark.
	closeCoverage = "UPDATE installation SET ledger_from_before = false"
	nextUncovered = `
	SELECT o.id, coalesce(c.after_transaction, '') FROM organizations o
	  LEFT JOIN ledger_coverage c ON c.organization_id = o.id
	 WHERE c.done_at IS NULL ORDER BY o.id LIMIT 1`
	noteCovered = `
	INSERT INTO ledger_coverage AS c (organization_id, after_transaction, transactions, done_at)
	VALUES ($1, $2, $3, CASE WHEN $4::boolean THEN now() END)
	ON CONFLICT (organization_id) DO UPDATE
	   SET after_transaction = excluded.after_transaction, transactions = c.transactions + excluded.transactions,
	       done_at = excluded.done_at
	 WHERE c.done_at IS NULL`
	queueLeaves = `
	INSERT INTO ledger_unsealed (organization_ids, leaves)
	SELECT array_fill($1::text, ARRAY[octet_length($2::bytea) / 37]), $2 WHERE octet_length($2) > 0`
	selectCoverage = `
	SELECT i.ledger_from_before, count(o.id), count(c.done_at), coalesce(sum(c.transactions), 0)::bigint
	  FROM installation i LEFT JOIN organizations o ON i.ledger_from_before
	  LEFT JOIN ledger_coverage c ON c.organization_id = o.id
	 GROUP BY i.ledger_from_before`
)

// ErrOlderRows means that rows of an earlier release wait for their seal, behind which the mark must stand.
var ErrOlderRows = errors.New("rows of the audit trail that an earlier release wrote wait for their seal: repeat this in a " +
	"minute, when no process of that release is left")

// Coverage tells how far the records of earlier releases have their leaf.
func (s *Store) Coverage(ctx context.Context) (c models.LedgerCoverage, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), selectCoverage).
		Scan(&c.Open, &c.Organizations, &c.Covered, &c.Transactions)
	return c, pg.Translate(err)
}

// Cover gives the records of earlier releases their leaf, and every organization the mark. No process of such a release
// may run any more, and all rows of the trail must be sealed. It goes on where an interrupted run stopped. tell is called
// after each step. Errors: ErrOlderRows, models.ErrUnavailable, and pg.ErrNoMasterKeys.
func (s *Store) Cover(ctx context.Context, tell func(models.LedgerCoverage) error) error {
	ctx = models.AcrossOrganizations(ctx)
	if _, err := s.db.LoadTaxIDKey(ctx); err != nil {
		return err
	}
	var open bool
	if err := s.db.QueryRow(ctx, selectOpen).Scan(&open); err != nil || !open {
		return pg.Translate(err)
	}
	if err := s.coverAll(ctx, tell); err != nil {
		return err
	}
	if _, err := s.db.Exec(ctx, closeCoverage); err != nil {
		return pg.Translate(err)
	}
	return s.coverAll(ctx, tell) // those that came meanwhile
}

func (s *Store) coverAll(ctx context.Context, tell func(models.LedgerCoverage) error) error {
	for {
		var organizationID, after string
		err := s.db.QueryRow(ctx, nextUncovered).Scan(&organizationID, &after)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = s.coverPage(ctx, organizationID, after)
		}
		if err != nil {
			return pg.Translate(err)
		}
		c, err := s.Coverage(ctx)
		if err == nil {
			err = tell(c)
		}
		if err != nil {
			return err
		}
	}
}

// coverPage gives the next transactions of an organization their leaves, or with the last ones its returns and the mark.
func (s *Store) coverPage(ctx context.Context, organizationID, after string) error {
	v := &verification{db: s.db, organizationID: organizationID}
	var p *page
	var leaves []byte
	err := s.db.InSnapshot(models.WithReach(ctx, organizationID), func(ctx context.Context, tx pg.Querier) (err error) {
		v.tx = tx
		if p, err = v.pageAfter(ctx, after); err != nil {
			return err
		}
		if leaves, err = p.earlierLeaves(ctx); err != nil || p.to != end {
			return err
		}
		returns, err := v.earlierReturns(ctx, s.filings)
		leaves = append(leaves, returns...)
		return err
	})
	if err != nil {
		return err
	}
	if p.to == end { // the mark comes last: a leaf that was made afterwards must precede it
		waits, err := s.audit.WaitsWithoutLeaf(ctx, organizationID)
		if err == nil && waits {
			err = ErrOlderRows
		}
		if err != nil {
			return err
		}
		digest, err := s.db.Leaf(ctx, ledger.Mark(organizationID))
		if err != nil {
			return err
		}
		leaves = ledger.Leaf{Kind: ledger.KindMark, ID: organizationID, Digest: digest}.Append(leaves)
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.db.Exec(ctx, queueLeaves, organizationID, leaves); err != nil {
			return err
		}
		_, err := s.db.Exec(ctx, noteCovered, organizationID, p.to, p.size, p.to == end)
		return err
	})
}

// earlierLeaves makes the leaves of the versions without leaf, and of all decided liabilities: the chain has those that
// have one.
func (p *page) earlierLeaves(ctx context.Context) (leaves []byte, err error) {
	add := func(kind byte, id string, content []byte) error {
		digest, err := p.db.Leaf(ctx, content)
		leaves = ledger.Leaf{Kind: kind, ID: id, Digest: digest}.Append(leaves)
		return err
	}
	for _, r := range p.records {
		for _, e := range r.entries {
			t := r.versions[max(e.revision, 1)]
			if t == nil || e.leaf != nil || e.action == models.AuditArchive {
				continue
			}
			if err := add(ledger.KindEarlierVersion, r.id, ledger.Version(rules.AsSubmitted(t))); err != nil {
				return nil, err
			}
		}
		t := r.versions[r.current]
		if t == nil || r.strange || t.Status == models.StatusArchived || !t.ProcessingStatus.Calculated() {
			continue
		}
		content := ledger.Decision(decisionOf(t, r.totals, t.PricesIncludeTax()))
		if err := add(ledger.KindEarlierDecision, r.id, content); err != nil {
			return nil, err
		}
	}
	return leaves, nil
}

// earlierReturns makes the leaves of the filed returns without leaf.
func (v *verification) earlierReturns(ctx context.Context, s *filings.Store) (leaves []byte, err error) {
	all, err := v.readReturns(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if r.leaf != nil || !r.told || !r.exists {
			continue
		}
		if leaves, err = v.addEarlierReturn(ctx, s, r.id, leaves); err != nil {
			return nil, err
		}
	}
	return leaves, nil
}

// addEarlierReturn appends the leaf of a return. A return whose report was changed gets no leaf.
func (v *verification) addEarlierReturn(ctx context.Context, s *filings.Store, id string, to []byte) ([]byte, error) {
	hash, holds, err := s.SealedReport(ctx, v.tx, models.Scope{OrganizationID: v.organizationID}, id)
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return nil, err
	}
	if hash != "" && !holds {
		return to, nil
	}
	digest, err := v.db.Leaf(ctx, ledger.Return(v.organizationID, id, hash))
	return ledger.Leaf{Kind: ledger.KindEarlierReturn, ID: id, Digest: digest}.Append(to), err
}
