// Package ledger verifies that the database still has what the ledger proves, unchanged (see models/ledger). That is every
// accepted version of a transaction, every decided liability and every filed return. The leaves of versions and returns are
// in rows of the audit trail, those of decisions in its seals. So the chain of the trail, see store/audit, is verified
// first.
package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/audit"
	"levy/store/filings"
	"levy/store/pg"
)

// Store verifies the ledger.
type Store struct {
	db      *pg.DB
	filings *filings.Store
	audit   *audit.Store
}

// New returns the store on a database.
func New(db *pg.DB, returns *filings.Store, trail *audit.Store) *Store {
	return &Store{db, returns, trail}
}

// pageSize is how many transactions are compared at a time.
const pageSize = 500

// end sorts after every id.
const end = "~"

// Verify compares the records of an organization with their leaves, as of one moment. It names the first transaction in
// the order of ids that differs, else the first return. coveredFrom is that of the verified chain: if it is 0, a record
// without leaf is not covered, otherwise it is broken. Errors: models.ErrUnavailable, and pg.ErrNoMasterKeys.
func (s *Store) Verify(ctx context.Context, organizationID string, coveredFrom int64) (models.LedgerResult, error) {
	if _, err := s.db.LoadTaxIDKey(ctx); err != nil {
		return models.LedgerResult{}, err
	}
	v := &verification{db: s.db, organizationID: organizationID, coveredFrom: coveredFrom}
	ctx = models.WithReach(ctx, organizationID)
	err := s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		v.tx = tx
		if err := v.transactions(ctx); err != nil || v.Broken != "" {
			return err
		}
		return v.returns(ctx, s.filings)
	})
	return v.LedgerResult, pg.Translate(err)
}

// verification is a verification in progress.
type verification struct {
	models.LedgerResult

	db             *pg.DB
	tx             pg.Querier
	organizationID string
	coveredFrom    int64 // the seal with the mark; 0 for none
	decided        decidedLeaves
}

// transactions compares all transactions, a page of ids at a time.
func (v *verification) transactions(ctx context.Context) error {
	if err := v.decided.open(ctx, v.tx, v.organizationID, v.coveredFrom); err != nil {
		return err
	}
	for after := ""; after != end; {
		p, err := v.pageAfter(ctx, after)
		if err != nil {
			return err
		}
		if err := p.compare(ctx); err != nil || v.Broken != "" {
			return err
		}
		after = p.to
	}
	return nil
}

// pageAfter reads the next transactions with all that is compared of them, but no leaves.
func (v *verification) pageAfter(ctx context.Context, after string) (*page, error) {
	rows, err := v.tx.Query(ctx, `SELECT id FROM transactions WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
		v.organizationID, after, pageSize)
	ids, err := pg.Collect(rows, err, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	p := &page{verification: v, after: after, to: end, records: map[string]*record{}, size: int64(len(ids))}
	if len(ids) == pageSize {
		p.to = ids[pageSize-1]
	}
	return p, p.read(ctx)
}
