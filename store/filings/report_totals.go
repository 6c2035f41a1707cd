package filings

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/report"
	"levy/store/pg"
)

// filing reads the filing of the report. Before the claim its sums are those of the transactions that it would claim
// now, and they settle it.
func (r *filingReport) filing(ctx context.Context, claimed bool) (f models.Filing, err error) {
	organization := r.scope.OrganizationID
	f, err = scanFiling(r.tx.QueryRow(ctx, selectFilings+" WHERE f.organization_id = $1 AND f.id = $2", organization, r.head.Filing.ID))
	if err != nil {
		return f, err
	}
	byID, ids := map[string]*models.Filing{f.ID: &f}, []string{f.ID}
	batch := &pgx.Batch{}
	batch.Queue(aroundOf, organization, ids).Query(intoAround(byID))
	if !claimed && (f.Status.Live() || f.Status == models.FilingIssue) {
		batch.Queue(liveSumsOf("$2"), organization, ids).Query(intoLiveSums(byID))
		batch.Queue(creditOffered, organization, ids).Query(func(rows pgx.Rows) error {
			f.Settle(models.CreditOffered{})
			var id string
			var offered models.CreditOffered
			return pg.Each([]any{&id, &offered.Prepaid, &offered.Credit}, func() error {
				f.Settle(offered)
				return nil
			})(rows)
		})
		batch.Queue(previousTotals, organization, ids).Query(intoAmended(byID))
	}
	return f, r.tx.SendBatch(ctx, batch).Close()
}

// total writes the sums and amounts of the filing into the report. An early one has no offsets: an earlier release has
// sealed it, or would.
func (r *filingReport) total(f models.Filing, early bool) {
	t := &r.head.Totals
	t.Amount, t.AmountSales, t.TotalTaxableSales = f.AmountText(), f.AmountSales.String(), f.TotalTaxableSales.String()
	t.AmountCalculated, t.AmountTaxCollected = f.AmountCalculated.String(), f.AmountTaxCollected.String()
	t.TotalTaxLiability = f.TotalTaxLiability.String()
	t.TransactionCount, t.MarketplaceTransactionCount = f.TransactionCount, f.MarketplaceTransactionCount
	if a := f.AmendedTotals; a != nil {
		r.head.Filing.AmendedTotals = &report.AmendedTotals{
			AmountCalculated: a.AmountCalculated.String(), AmountSales: a.AmountSales.String(),
			AmountTaxCollected: a.AmountTaxCollected.String(), PreviouslyPaid: a.PreviouslyPaid.String(),
			PreviouslyReportedLiability: a.PreviouslyReportedLiability.String(),
			TotalTaxLiability:           a.TotalTaxLiability.String(), TotalTaxableSales: a.TotalTaxableSales.String(),
		}
	}
	if early {
		return
	}
	t.AmountPrepaid, t.AmountCreditApplied = f.AmountPrepaid.String(), f.AmountCreditApplied.String()
	t.AmountCreditCarried = f.AmountCreditCarried.String()
	if !f.AmountDeferred.IsZero() {
		t.AmountDeferred = f.AmountDeferred.String()
	}
}

// findingsOf returns what a person should know of the filing, in the order of its answers.
func findingsOf(f models.Filing) []report.Finding {
	findings := []report.Finding{}
	for _, x := range f.Findings() {
		findings = append(findings, report.Finding{
			Amount: x.Amount, Code: x.Code, Count: x.Count, Message: x.Message, Severity: x.Severity,
		})
	}
	return findings
}
