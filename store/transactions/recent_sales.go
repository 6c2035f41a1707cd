package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Limits of a preview.
const (
	recentTransactions = 20_000
	recentPart         = 50 // transactions in memory at once
)

var afterTax = []string{
	string(models.ProcessingProcessed), string(models.ProcessingFilingStarted), string(models.ProcessingFilingDone),
	string(models.ProcessingLocked),
}

// selectRecentSales reads back in time along the index of the dates, up to the last requested line.
const selectRecentSales = `
	SELECT t.id, t.epoch, i.n
	  FROM (SELECT x.id, x.epoch, x.date FROM transactions x
	         WHERE x.organization_id = $1 AND x.date >= $3 AND x.type = 'SALE'
	           AND x.processing_status = ANY ($4::text[])
	         ORDER BY x.date DESC, x.id DESC LIMIT $5) t
	 CROSS JOIN LATERAL (
	   SELECT count(*) AS n FROM transaction_items l
	    WHERE l.organization_id = $1 AND l.transaction_id = t.id AND l.product_id = $2) i
	 WHERE i.n > 0 ORDER BY t.date DESC, t.id DESC LIMIT $6`

// RecentSales calls each with the processed sales of a product, the newest first, with their lines and every exemption
// that might apply. It writes nothing and has only a few sales in memory at a time.
func (s *Store) RecentSales(
	ctx context.Context, scope models.Scope, q models.RecentSalesQuery, each func([]models.Transaction) error,
) error {
	rows, err := s.db.OpenTables().Query(ctx, selectRecentSales, scope.OrganizationID, q.ProductID, q.Since, afterTax,
		recentTransactions, q.Lines)
	var refs []models.Ref
	lines := 0
	ref := models.Ref{OrganizationID: scope.OrganizationID}
	var n int
	err = pg.ForEach(rows, err, []any{&ref.ID, &ref.Epoch, &n}, func() error {
		if lines += n; len(refs) == 0 || lines <= q.Lines {
			refs = append(refs, ref)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for len(refs) > 0 {
		part := refs[:min(recentPart, len(refs))]
		refs = refs[len(part):]
		sales, err := s.load(ctx, part, afterTax, loadItems, loadExemptionCandidates)
		if err != nil {
			return err
		}
		if err := each(sales); err != nil {
			return err
		}
	}
	return nil
}
