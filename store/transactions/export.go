package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// SelectExport selects the lines of transactions t, each with its customer and a further column. The caller adds a
// condition.
func SelectExport(column string) string {
	return exportColumns + ", " + column + `
	  FROM transactions t` + withCustomer + exportItems
}

const exportItems = `
	  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id`

const exportColumns = `
	SELECT t.id, t.external_id, t.type, t.status, t.processing_status, t.date, t.tax_date, t.currency, c.external_id,
	       c.name,
	       t.country, t.state, t.county, t.city, t.postal_code, t.address_status, t.marketplace, t.exempt, t.related_to,
	       t.filing_id,
	       i.id, i.external_id, i.external_product_id, i.quantity, ` + submittedAmount + `, ` + submittedDiscount + `,
	       i.taxable_amount,
	       i.tax_rate_calculated,
	       i.tax_amount_calculated, i.tax_amount_imported, i.tax_exemption, t.total_amount,
	       t.total_tax_liability_amount,
	       t.tax_liability_source, t.content_version, t.total_tax_amount_imported, t.place->>'street_1',
	       coalesce(i.sent #>> '{terms,reimbursed_by}', ''), coalesce((i.sent #> '{terms,trade_in}')::boolean, false),
	       CASE ` + submittedDiscount + ` WHEN (i.sent #>> '{terms,by_manufacturer}')::numeric THEN 'MANUFACTURER'
	            WHEN (i.sent #>> '{terms,by_third_party}')::numeric THEN 'THIRD_PARTY' ELSE '' END,
	       t.gross_amount IS NOT NULL, t.shop_date_tz, coalesce(i.sent ->> 'exemption_category', '')`

// The amounts of a line i as submitted: those of prices that include tax are stored net.
const (
	submittedAmount   = `CASE WHEN t.gross_amount IS NULL THEN i.amount ELSE (i.sent #>> '{gross,amount}')::numeric END`
	submittedDiscount = `CASE WHEN t.gross_amount IS NULL THEN i.total_discount
	            ELSE (i.sent #>> '{gross,discount}')::numeric END`
)

// exportSlice selects the lines of transactions in the order of the ids. The organization is a column, not an argument,
// as in selectPage.
var exportSlice = pg.Prepare(exportColumns+`
	  FROM (SELECT @organization_id::text AS organization_id, wanted.* FROM {wanted} OFFSET 0) u
	 CROSS JOIN LATERAL (
	   SELECT * FROM transactions x WHERE x.organization_id = u.organization_id AND x.id = u.id OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT * FROM customers x WHERE x.organization_id = t.organization_id
	      AND x.id = t.customer_id OFFSET 0) c`+exportItems+`
	 ORDER BY u.place, i.line_no LIMIT @lines`, pg.Names{"organization_id", "lines"}, exportedRows)

var exportedRows = wantedRows.Numbered("place")

// ExportTargets returns the fields that the columns of an export are scanned into.
func ExportTargets(l *models.ExportLine) []any {
	return []any{
		&l.TransactionID, &l.ExternalID, &l.Type, &l.Status, &l.ProcessingStatus, &l.Date, &l.TaxDate, &l.Currency,
		&l.CustomerExternalID, &l.CustomerName, &l.Country, &l.State, &l.County, &l.City, &l.PostalCode, &l.AddressStatus,
		&l.Marketplace, &l.Exempt, &l.RelatedTo, &l.FilingID, &l.ItemID, &l.ItemExternalID, &l.ExternalProductID,
		&l.Quantity, &l.Amount, &l.Discount, &l.TaxableAmount, &l.TaxRateCalculated, &l.TaxAmountCalculated,
		&l.TaxAmountImported, &l.TaxExemption, &l.TransactionTotal, &l.TransactionOwing, &l.TaxLiabilitySource,
		&l.ContentVersion, &l.TransactionTaxImported, &l.Street, &l.ReimbursedBy, &l.TradeIn, &l.DiscountReimbursedBy,
		&l.PricesIncludeTax, &l.ShopDateTZ, &l.ExemptionCategory,
	}
}

const (
	// exportIDs is how many transactions of an export are looked up at a time. exportBatch is the most whose lines are
	// read at a time: with a thousand lines each they take about 45 MB as CSV.
	exportIDs, exportBatch = 50_000, 100
	// exportLines is the desired number of lines of a slice.
	exportLines = 4000
)

// ExportTransactions exports every line of the transactions that pass the filter, in list order. It calls Pause without
// a connection, so that a slow reader does not occupy one. Each slice has the state of its own moment.
// An error of the export ends it.
func (s *Store) ExportTransactions(
	ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
	to models.Export[models.ExportLine],
) error {
	keys, err := orderTransactions(order)
	if err != nil {
		return err
	}
	var last []*string
	size := exportBatch / 5 // the number of lines is unknown so far
	for {
		var ids []string
		if ids, last, err = s.exportIDs(ctx, filterTransactions(scope, f), keys, last, exportIDs); err != nil {
			return err
		}
		for at := 0; at < len(ids); {
			slice := ids[at:min(at+size, len(ids))]
			lines, err := s.exportSlice(ctx, scope, slice, to)
			if err != nil {
				return err
			}
			if err := to.Pause(); err != nil {
				return err
			}
			if to.Limit -= lines; to.Limit == 0 {
				return nil
			}
			at += len(slice)
			size = min(max(1, exportLines*len(slice)/max(1, lines)), exportBatch)
		}
		if len(ids) < exportIDs {
			return nil
		}
	}
}

// exportIDs returns the next ids of the transactions that pass q, and the sort keys of the last one.
func (s *Store) exportIDs(
	ctx context.Context, q *transactionQuery, keys sortKeysOfTransactions, after []*string, limit int,
) (ids []string, last []*string, err error) {
	if after != nil {
		q.after(keys.SortKeys, after)
	}
	where, args := q.where()
	columns, last := "t.id", make([]*string, len(keys.SortKeys))
	var id string
	targets := []any{&id}
	for i, key := range keys.SortKeys {
		columns += ", " + key.Column + "::text"
		targets = append(targets, &last[i])
	}
	sql := fmt.Sprintf("SELECT %s%s%s%s LIMIT %d", columns, keys.from("transactions t"), where, keys.OrderBy(false), limit)
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error { // sorting is slow
		rows, err := tx.Query(ctx, sql, args...)
		return pg.ForEach(rows, err, targets, func() error { ids = append(ids, id); return nil })
	})
	return ids, last, pg.Translate(err)
}

// exportSlice exports the lines of some transactions, and returns their number.
func (s *Store) exportSlice(
	ctx context.Context, scope models.Scope, ids []string, to models.Export[models.ExportLine],
) (lines int, err error) {
	ctx, stop := context.WithCancel(ctx) // ends the query when the receiver stops early; otherwise its remaining rows would be read
	defer stop()
	rows, err := s.db.OpenTables().Query(ctx, exportSlice.SQL,
		exportSlice.Values([]any{scope.OrganizationID, to.Limit}, exportedRows.Of(ids))...)
	if err != nil {
		return 0, pg.Translate(err)
	}
	var line models.ExportLine
	var unwanted error
	_, err = pgx.ForEachRow(rows, ExportTargets(&line), func() error {
		lines++
		if unwanted = to.Row(&line); unwanted != nil {
			stop()
		}
		return unwanted
	})
	if unwanted != nil {
		return lines, unwanted
	}
	return lines, pg.Translate(err)
}
