package transactions

import (
	"time"

	"levy/models"
	"levy/store/filings"
)

// andReportRow selects the transactions that a row of a report adds up, by the conditions of the report.
func (q *transactionQuery) andReportRow(row *models.ReportRowKey) {
	from, until := row.From, row.Until
	switch row.Name {
	case models.ReportLiability, models.ReportRounding:
		month, err := time.Parse("2006-01", row.Keys[2])
		if err != nil {
			q.conditions = append(q.conditions, "false")
			return
		}
		if month.After(from) {
			from = month
		}
		if last := month.AddDate(0, 1, -1); last.Before(until) {
			until = last
		}
		q.and(reportedBy+")", row.Keys[0], row.Keys[1], row.Keys[3], from, until)
	case models.ReportExemptSales:
		q.and(reportedBy+" AND EXISTS (SELECT FROM "+filings.ReportedFigures+" WHERE g.reason = %s))",
			row.Keys[0], row.Keys[1], row.Keys[3], from, until, row.Keys[2])
	case models.ReportProducts:
		q.and(filings.ReportedSales+` AND t.currency = %s AND t.tax_date BETWEEN %s::date AND %s::date AND t.id IN (
			SELECT i.transaction_id FROM transaction_items i
			  JOIN products p ON p.organization_id = i.organization_id AND p.id = i.product_id
			 WHERE i.organization_id = $1 AND i.external_product_id = %s)`, row.Keys[1], from, until, row.Keys[0])
	case models.ReportCustomers:
		q.and(filings.ReportedSales+` AND t.currency = %s AND t.tax_date BETWEEN %s::date AND %s::date AND t.customer_id IN (
			SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.external_id = %s)`, row.Keys[1], from, until, row.Keys[0])
	case models.ReportFilings, models.ReportNexus, models.ReportTaxability, "":
		q.conditions = append(q.conditions, "false") // no list of transactions makes such a row
	}
}

// reportedBy selects transactions by their totals x of an authority and a currency on some days. It ends within the
// parentheses of its query.
const reportedBy = `t.id IN (SELECT x.transaction_id FROM transaction_totals x
	 WHERE x.organization_id = $1 AND ` + filings.ReportedTotals + ` AND x.country_code = %s AND x.state_code = %s
	   AND x.currency = %s AND x.tax_date BETWEEN %s::date AND %s::date`
