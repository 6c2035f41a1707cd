package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const SelectExport = `
	SELECT t.id, t.external_id, t.type, t.status, t.processing_status, t.date, t.tax_date, t.currency, c.external_id,
	       c.name,
	       t.country, t.state, t.county, t.city, t.postal_code, t.address_status, t.marketplace, t.exempt, t.related_to,
	       t.filing_id,
	       i.id, i.external_id, i.external_product_id, i.quantity, i.amount, i.total_discount, i.taxable_amount,
	       i.tax_rate_calculated,
	       i.tax_amount_calculated, i.tax_amount_imported, i.tax_exemption, t.total_amount,
	       t.total_tax_liability_amount,
	       t.tax_liability_source, t.content_version, t.total_tax_amount_imported, t.place->>'street_1'
	  FROM transactions t` + withCustomer + `
	  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id`

func ExportTargets(l *models.ExportLine) []any {
	return []any{
		&l.TransactionID, &l.ExternalID, &l.Type, &l.Status, &l.ProcessingStatus, &l.Date, &l.TaxDate, &l.Currency, &l.CustomerExternalID, &l.CustomerName,
		&l.Country, &l.State, &l.County, &l.City, &l.PostalCode, &l.AddressStatus, &l.Marketplace, &l.Exempt, &l.RelatedTo, &l.FilingID,
		&l.ItemID, &l.ItemExternalID, &l.ExternalProductID, &l.Quantity, &l.Amount, &l.Discount, &l.TaxableAmount, &l.TaxRateCalculated,
		&l.TaxAmountCalculated, &l.TaxAmountImported, &l.TaxExemption, &l.TransactionTotal, &l.TransactionOwing,
		&l.TaxLiabilitySource, &l.ContentVersion, &l.TransactionTaxImported, &l.Street,
	}
}

// ExportTransactions hands every line of the transactions that pass the filter to
// each, in the order of the list and at most limit, as they stood at one moment: it
// is one statement. The line is valid until each returns, and only one is held at a
// time: the database sends no faster than each takes them. An error of each or the
// end of ctx stops the statement.
func (s *Store) ExportTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order, limit int,
	each func(*models.ExportLine) error,
) error {
	q := filterTransactions(scope, f)
	keys, err := orderTransactions(order)
	if err != nil {
		return err
	}
	where, args := q.where()
	args = append(args, limit)
	sql := fmt.Sprintf("%s%s%s, i.line_no LIMIT $%d", SelectExport, where, keys.orderBy(false), len(args))
	return s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		ctx, stop := context.WithCancel(ctx) // without its end the rows that nobody wants any more would still be read
		defer stop()
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return pg.Translate(err)
		}
		var line models.ExportLine
		var unwanted error
		_, err = pgx.ForEachRow(rows, ExportTargets(&line), func() error {
			if unwanted = each(&line); unwanted != nil {
				stop()
			}
			return unwanted
		})
		if unwanted != nil {
			return unwanted
		}
		return pg.Translate(err)
	})
}
