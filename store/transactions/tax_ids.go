package transactions

import (
	"cmp"
	"context"
	"slices"

	"levy/models"
	"levy/models/ledger"
	"levy/rules"
	"levy/store/pg"
)

// Tax ids are encrypted in the rows, and in clear text for callers of the store.

// openTaxIDs decrypts the tax ids of transactions.
func (s *Store) openTaxIDs(ctx context.Context, transactions []models.Transaction) error {
	for i := range transactions {
		if err := s.db.OpenTaxIDs(ctx, transactions[i].OrganizationID, &transactions[i]); err != nil {
			return err
		}
	}
	return nil
}

// openTaxIDs decrypts the tax ids of the customers that were found.
func (r *references) openTaxIDs(ctx context.Context, db *pg.DB) error {
	for _, c := range r.customers {
		if err := db.OpenTaxIDs(ctx, c.OrganizationID, c); err != nil {
			return err
		}
	}
	return nil
}

// openTaxIDs decrypts those of the sale and of the refund that is changed.
func (c *creditCall) openTaxIDs(ctx context.Context, s *Store) error {
	if err := s.openTaxIDs(ctx, c.locked.transactions); err != nil {
		return err
	}
	return s.db.OpenTaxIDs(ctx, c.account.Sale.OrganizationID, &c.account.Sale)
}

// sealedRecord is the row of a draft: the draft itself, unless it has tax ids. It makes the leaf of the draft.
func sealedRecord(ctx context.Context, db *pg.DB, d *models.TransactionDraft) (_ *models.Transaction, err error) {
	if d.Leaf, err = db.Leaf(ctx, ledger.Version(rules.AsSubmitted(&d.Transaction))); err != nil {
		return nil, err
	}
	if d.TaxID == nil && d.RequiresExemption == nil && d.Sent.Exemptions == nil {
		return &d.Transaction, nil
	}
	sealed := d.Transaction
	sealed.Customer, sealed.Exemptions = models.Customer{}, nil // they have rows of their own
	return &sealed, db.SealTaxIDs(ctx, d.OrganizationID, &sealed)
}

// seal makes the rows of a group: those with tax ids apart from the drafts, which answers show. They are in the order
// of their keys, so that two groups that meet on the same keys wait for each other instead of deadlocking. Errors:
// *models.InvalidError.
func (g *intakeGroup) seal(ctx context.Context, db *pg.DB) error {
	slices.SortFunc(g.newCustomers, func(a, b *models.Customer) int {
		return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ExternalID, b.ExternalID))
	})
	slices.SortFunc(g.gapsFilled, func(a, b *models.Customer) int {
		return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(g.accepted, func(a, b *models.TransactionDraft) int {
		return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ExternalID, b.ExternalID))
	})
	for _, customer := range slices.Concat(g.newCustomers, g.gapsFilled) { // the drafts have copies
		if err := db.SealTaxIDs(ctx, customer.OrganizationID, customer); err != nil {
			return err
		}
	}
	for _, d := range g.accepted {
		record, err := sealedRecord(ctx, db, d)
		if err != nil {
			return err
		}
		g.records = append(g.records, record)
		for i := range d.Exemptions {
			if e := &d.Exemptions[i]; e.ExemptionType != models.ExemptionTransaction {
				e.CustomerID = &d.CustomerID
			}
			sealed := d.Exemptions[i]
			if err := db.SealTaxIDs(ctx, d.OrganizationID, &sealed); err != nil {
				return err
			}
			g.exemptions = append(g.exemptions, &sealed)
		}
	}
	return nil
}
