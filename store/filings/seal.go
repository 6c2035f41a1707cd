package filings

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/report"
	"levy/store/pg"
)

// sealReport stores the report of a filing in the database transaction that sets it to FILED. It stores all parts but
// the lines, and the hash over the whole report, which it returns.
func sealReport(ctx context.Context, db *pg.DB, tx pg.Querier, scope models.Scope, filingID string) (string, error) {
	r, err := openReport(ctx, db, tx, scope, filingID)
	if err != nil {
		return "", err
	}
	if r.head.Hash != nil { // a repetition
		return *r.head.Hash, nil
	}
	hash, err := report.NewHash(&r.head)
	if err != nil {
		return "", err
	}
	if err := r.transactions(ctx, report.Reader{Transaction: hash.Transaction}); err != nil {
		return "", err
	}
	sum, err := hash.Sum()
	if err != nil {
		return "", err
	}
	var taxpayer report.Taxpayer
	if r.head.Taxpayer != nil {
		taxpayer = *r.head.Taxpayer
	}
	if err := db.SealTaxIDs(ctx, scope.OrganizationID, &taxpayer); err != nil {
		return "", err
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO filing_reports (organization_id, filing_id, content_versions, taxpayer, findings)
		VALUES ($1, $2, $3, $4, $5)`,
		scope.OrganizationID, filingID, r.head.ContentVersions, taxpayer, r.head.Filing.Findings)
	for i, j := range r.head.Jurisdictions {
		batch.Queue(`
			INSERT INTO filing_jurisdictions (organization_id, filing_id, position, jurisdiction_type,
			       jurisdiction_name, code, taxable, tax, tax_calculated, taxable_calculated)
			VALUES ($1, $2, $3, $4, $5, $6, $7::text::numeric, $8::text::numeric, $9::text::numeric, $10::text::numeric)`,
			scope.OrganizationID, filingID, i+1, j.Type, j.Name, j.Code, j.TaxableAmount, j.TaxAmount, j.TaxCalculated,
			j.TaxableCalculated)
	}
	batch.Queue(
		"UPDATE filings SET report_hash = $3 WHERE organization_id = $1 AND id = $2 AND status = 'FILED'",
		scope.OrganizationID, filingID, sum,
	)
	return sum, pg.Translate(tx.SendBatch(ctx, batch).Close())
}

// readSealed reads the parts of the report that were stored with FILED.
func (r *filingReport) readSealed(ctx context.Context) error {
	err := r.tx.QueryRow(ctx, `SELECT content_versions, taxpayer, findings
		FROM filing_reports
		WHERE organization_id = $1 AND filing_id = $2`,
		r.scope.OrganizationID, r.head.Filing.ID).Scan(&r.head.ContentVersions, &r.head.Taxpayer, &r.head.Filing.Findings)
	if err == nil && r.head.Taxpayer != nil {
		err = r.db.OpenTaxIDs(ctx, r.scope.OrganizationID, r.head.Taxpayer)
	}
	if err != nil {
		return err
	}
	rows, err := r.tx.Query(ctx, `
		SELECT jurisdiction_type, jurisdiction_name, code, taxable::text, tax::text, tax_calculated::text,
		       taxable_calculated::text FROM filing_jurisdictions
		 WHERE organization_id = $1 AND filing_id = $2 ORDER BY position`, r.scope.OrganizationID, r.head.Filing.ID)
	r.head.Jurisdictions, err = pg.Collect(rows, err, scanJurisdiction)
	return err
}
