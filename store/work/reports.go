package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// ownTotals are the totals x of the visible organizations in the returns of the authority that taxes, dated in the days
// @first to @last. The returns of the one-stop shop report the same a second time.
const ownTotals = `
	  FROM seen s
	  JOIN transaction_totals x ON x.organization_id = s.id AND ` + filings.ReportedTotals + `
	   AND x.tax_date BETWEEN @first AND @last`

// ofDocument are the signs d of the net amounts and of the collected tax of a transaction t. Amounts of refunds are as
// submitted, so their documents say their sign. Tax that Levy calculates has it already.
const ofDocument = `CROSS JOIN LATERAL (
	   SELECT CASE WHEN t.type = 'TAX_REFUND' THEN 0
	               WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE') AND t.subtotal - t.total_discount > 0 THEN -1
	               ELSE 1 END AS net,
	          CASE WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')
	                AND t.total_tax_amount_imported > 0 THEN -1 ELSE 1 END AS tax) d`

// reports select the rows of each report, with its columns by name and the organization. @first and @last are the days.
var reports = map[models.ReportName]string{
	models.ReportLiability: `
	SELECT x.organization_id, x.country_code, x.state_code, to_char(x.tax_date, 'YYYY-MM') AS month, x.currency,
	       count(*) FILTER (WHERE NOT x.marketplace) AS transactions,
	       sum(x.sales) FILTER (WHERE NOT x.marketplace) AS sales,
	       sum(x.taxable) FILTER (WHERE NOT x.marketplace) AS taxable,
	       sum(x.tax) FILTER (WHERE NOT x.marketplace) AS tax,
	       sum(x.collected) FILTER (WHERE NOT x.marketplace) AS collected, sum(x.liability) AS liability,
	       coalesce(sum(x.collected) FILTER (WHERE NOT x.marketplace), 0) - sum(x.liability) AS difference,
	       sum(x.sales) FILTER (WHERE x.marketplace) AS marketplace_sales,
	       sum(x.collected) FILTER (WHERE x.marketplace) AS marketplace_collected` + ownTotals + `
	 GROUP BY 1, 2, 3, 4, 5`,

	models.ReportExemptSales: `
	SELECT x.organization_id, x.country_code, x.state_code, g.reason, x.currency,
	       count(DISTINCT x.transaction_id) AS transactions, sum(g.gross) AS sales, sum(g.taxable) AS taxable,
	       sum(g.gross - g.taxable) AS exempt` + ownTotals + `
	 CROSS JOIN LATERAL ` + filings.ReportedFigures + `
	 GROUP BY 1, 2, 3, 4, 5`,

	models.ReportRounding: `
	SELECT x.organization_id, x.country_code, x.state_code, to_char(x.tax_date, 'YYYY-MM') AS month, x.currency,
	       sum(x.tax) AS tax, round(sum(coalesce(x.form_tax, x.tax)), 2) AS form_tax,
	       sum(x.tax) - round(sum(coalesce(x.form_tax, x.tax)), 2) AS difference,
	       count(*) FILTER (WHERE x.beyond_rounding) AS beyond_rounding,
	       sum(x.over_collected) AS over_collected, sum(x.under_collected) AS under_collected` + ownTotals + `
	 GROUP BY 1, 2, 3, 4, 5`,

	models.ReportProducts: `
	SELECT i.organization_id, i.external_product_id, t.currency, max(p.name) AS product_name, max(p.tax_class) AS tax_class,
	       count(*) AS lines, sum(d.net * i.quantity) AS quantity,
	       sum(d.net * (i.amount - i.total_discount)) AS sales, sum(i.taxable_amount) AS taxable,
	       sum(i.tax_amount_calculated) AS tax, sum(d.tax * i.tax_amount_imported) AS collected
	  FROM seen s
	  JOIN transactions t ON t.organization_id = s.id AND t.tax_date BETWEEN @first AND @last
	   AND ` + filings.ReportedSales + `
	  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
	  JOIN products p ON p.organization_id = i.organization_id AND p.id = i.product_id
	` + ofDocument + `
	 GROUP BY 1, 2, 3`,

	models.ReportCustomers: `
	SELECT t.organization_id, c.external_id AS external_customer_id, t.currency, count(DISTINCT t.id) AS transactions,
	       sum(d.net * (i.amount - i.total_discount)) AS sales, sum(i.taxable_amount) AS taxable,
	       sum(i.tax_amount_calculated) AS tax, sum(d.tax * i.tax_amount_imported) AS collected
	  FROM seen s
	  JOIN transactions t ON t.organization_id = s.id AND t.tax_date BETWEEN @first AND @last
	   AND (coalesce(cardinality(@customers), 0) = 0 OR t.customer_id = ANY(@customers)) AND ` + filings.ReportedSales + `
	  JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
	  JOIN customers c ON c.organization_id = t.organization_id AND c.id = t.customer_id
	` + ofDocument + `
	 GROUP BY 1, 2, 3`,

	// A settled prepayment claims no lines.
	models.ReportFilings: `
	SELECT f.organization_id, f.country_code, f.state_code, f.start_date, f.id AS filing_id, f.end_date, f.filing_category,
	       f.status, f.currency, f.transaction_count + f.marketplace_transaction_count AS transactions,
	       f.total_tax_liability AS liability, m.liability AS ledger_liability,
	       f.total_tax_liability - m.liability AS difference, ` + filings.AmountOf + ` AS amount, f.tax_remitted AS paid,
	       ` + filings.AmountOf + ` - f.tax_remitted AS open, f.date_filed, f.return_confirmation_id, f.payment_confirmation_id
	  FROM seen s
	  JOIN filings f ON f.organization_id = s.id AND f.end_date BETWEEN @first AND @last AND f.claimed_at IS NOT NULL
	  LEFT JOIN LATERAL (
	    SELECT coalesce(sum(m.liability), 0) AS liability FROM filing_transactions m
	     WHERE m.organization_id = f.organization_id AND m.filing_id = f.id) m
	       ON NOT (f.settled AND f.filing_category = 'PREPAYMENT')`,

	models.ReportNexus: `
	SELECT n.organization_id, n.country_code, n.state_code, n.id AS nexus_id, n.status, n.currency, n.period_start_date,
	       n.period_end_date, n.transactions_amount AS sales, n.threshold_sales, n.transaction_count AS transactions,
	       n.threshold_transactions, concat_ws(', ', CASE WHEN n.economic_nexus_met THEN 'ECONOMIC' END,
	         CASE WHEN n.physical_nexus_met THEN 'PHYSICAL' END,
	         CASE WHEN n.collected_tax_nexus_met THEN 'COLLECTED_TAX' END) AS reasons,
	       n.nexus_met_date, n.obliged_from, n.tax_liability
	  FROM seen s JOIN nexus_records n ON n.organization_id = s.id AND n.enabled`,
}

// selectReport returns the statement that reads rows of a report after the key @after. The total comes also without rows.
func selectReport(name models.ReportName) pg.Statement {
	columns, cells, keys := name.Columns(), []string{}, []string{"q.organization_id"}
	for i, c := range columns {
		cell := "q." + c.Name
		switch c.Kind {
		case models.ReportAmount:
			cell += "::numeric(24,2)"
		case models.ReportQuantity:
			cell = "trim_scale(" + cell + ")"
		case models.ReportText, models.ReportDay, models.ReportMonth, models.ReportCount:
		}
		cells = append(cells, "coalesce("+cell+"::text, '')")
		if i < name.Keys() {
			keys = append(keys, "q."+c.Name)
		}
	}
	return pg.Prepare("WITH"+visibleOrganizations+`,
	days AS (SELECT @first::date, @last::date, @customers::text[]), -- for reports without them
	q AS MATERIALIZED (`+reports[name]+`),
	r AS (
	  SELECT concat_ws(E'\x01', `+strings.Join(keys, ", ")+`) COLLATE "C" AS key, q.organization_id AS id,
	         ARRAY[`+strings.Join(cells, ", ")+`] AS cells
	    FROM q)
	SELECT n.total, coalesce(p.key, ''), coalesce(p.id, ''), coalesce(s.name, ''), coalesce(p.cells, '{}')
	  FROM (SELECT count(*) AS total FROM q) n
	  LEFT JOIN (SELECT * FROM r WHERE r.key > @after ORDER BY r.key LIMIT @at_most OFFSET @skipped) p ON true
	  LEFT JOIN seen s ON s.id = p.id
	 ORDER BY p.key`, viewer.And("first", "last", "customers", "after", "at_most", "skipped"))
}

// statementsOfReports are the statements of all reports.
var statementsOfReports = func() map[models.ReportName]pg.Statement {
	all := map[models.ReportName]pg.Statement{}
	for name := range reports {
		all[name] = selectReport(name)
	}
	return all
}()

// readReport reads rows of a report after a key, and returns the key of the last one and the number of all rows.
func (s *Store) readReport(
	ctx context.Context, visible models.Visibility, q *models.ReportQuery, after string, limit, offset int,
	each func(*models.ReportRow) error,
) (last string, total int64, err error) {
	statement, ok := statementsOfReports[q.Name]
	if !ok {
		return "", 0, fmt.Errorf("the store has no report %s", q.Name)
	}
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	args := append(viewedBy(visible, q.OrganizationID), q.From, q.Until, q.CustomerIDs, after, limit, offset)
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		var row models.ReportRow
		var key string
		rows, err := tx.Query(ctx, statement.SQL, args...)
		return pg.ForEach(rows, err, []any{&total, &key, &row.OrganizationID, &row.OrganizationName, &row.Values}, func() error {
			if key == "" { // the total alone
				return nil
			}
			last = key
			return each(&row)
		})
	})
	return last, total, pg.Translate(err)
}

// Report reads a page of a report.
func (s *Store) Report(
	ctx context.Context, visible models.Visibility, q models.ReportQuery, page models.Page,
) (list models.List[models.ReportRow], err error) {
	list.Items = []models.ReportRow{}
	_, list.Total, err = s.readReport(ctx, visible, &q, "", page.Limit, page.Offset, func(row *models.ReportRow) error {
		kept := *row
		kept.Values = append([]string{}, row.Values...)
		list.Items = append(list.Items, kept)
		return nil
	})
	return list, err
}

// reportTimeout bounds the time for which a slice of a report holds a connection.
const reportTimeout = 5 * time.Minute

// reportSlice is the number of rows that an export reads at once.
var reportSlice = 10_000

// ExportReport exports the rows of a report, slice by slice. begin is called with the number of all rows once the first
// slice is read, before its pause. Each slice is added up anew.
func (s *Store) ExportReport(
	ctx context.Context, visible models.Visibility, q models.ReportQuery, begin func(total int64) error,
	to models.Export[models.ReportRow],
) error {
	after := ""
	for first := true; ; first = false {
		n, limit := 0, min(reportSlice, to.Limit)
		last, total, err := s.readReport(ctx, visible, &q, after, limit, 0, func(row *models.ReportRow) error {
			n++
			return to.Row(row)
		})
		if err == nil && first {
			err = begin(total)
		}
		if err == nil {
			err = to.Pause()
		}
		to.Limit -= n
		if err != nil || n < limit || to.Limit == 0 {
			return err
		}
		after = last
	}
}
