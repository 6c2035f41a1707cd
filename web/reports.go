package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
)

// reportNotes say what each report is about.
var reportNotes = map[models.ReportName]string{
	models.ReportLiability: "What is owed for each month, against the tax that was collected. A positive difference is " +
		"collected tax beyond that.",
	models.ReportExemptSales: "Sales that are not taxed in full, by reason.",
	models.ReportRounding: "Tax rounded for each sale, against the tax that the form computes from the sums. It also has the " +
		"difference between collected and calculated tax.",
	models.ReportProducts:  "Sales and their tax by product. Credit notes take off.",
	models.ReportCustomers: "Sales and their tax by customer. Credit notes take off.",
	models.ReportFilings: "Returns as they were filed, against the transactions in the ledger and what was paid. A " +
		"difference other than 0.00 needs a look. The total has the tax of a prepayment once: in the return of its period.",
	models.ReportNexus:      "Where there is nexus or it comes near, as last evaluated.",
	models.ReportTaxability: "How each state taxes each kind of goods and services today, without counties and cities.",
}

// reportParameters are the parameters of a report.
var reportParameters = []string{"report", "start_date", "end_date", "organization_id", "customer_id"}

// reportPage is a page of a report.
type reportPage struct {
	listPage

	Name    string
	Note    string
	Filters filterForm
	Heads   []column
	Rows    [][]reportCell
	Total   []reportCell // the sums of all rows; nil if there are none to show
	File    template.URL // query of the files
	Days    string       // the span; empty for today
	States  bool         // each state is a column
}

// reportCell is a value of a report.
type reportCell struct {
	Text    string
	Address string // of the page of the record; empty for none
	Status  string // a code that is shown as a badge; empty for none
	Number  bool
	Short   bool // a day or a month, which stays on one line
}

// reports shows a report about an organization, and for a partner about its clients.
func (c *Console) reports(v *pageRequest) error {
	query := v.URL.Query()
	chosen := models.ReportName(query.Get("report"))
	if !slices.Contains(models.ReportNames, chosen) {
		chosen = models.ReportNames[0]
		query.Set("report", string(chosen))
	}
	kinds := choice("report", "Report", "", options(models.ReportNames...))
	kinds.NoBlank = true
	fields := []field{kinds, hidden("organization_id", ""), hidden("customer_id", "")}
	if chosen.OfDays() {
		fields = append(fields, as("from", date("start_date", "From")), as("until", date("end_date", "Until")))
	}
	page := reportPage{Name: sentence(string(chosen)), Note: reportNotes[chosen], Filters: filters("Show", query, fields...),
		States: chosen == models.ReportTaxability}
	asked := v.session.WithQuery(v.sized(pick(query, append([]string{"page"}, reportParameters...)...)))
	answer, err := asked.GetReport(v.Context(), contract.GetReportRequest{})
	refused, faulty := correctable(err)
	if err != nil && !faulty {
		return err
	}
	status := http.StatusOK
	if faulty {
		status = refused.Status
		page.Note = refused.text()
	}
	page.listPage = v.pageOf(answer.Total, max(answer.Page, 1), answer.Pages)
	page.Query = query
	page.File = template.URL(pick(query, reportParameters...)) //nolint:gosec // it is encoded
	page.take(v.org, &answer)
	v.render(status, "Report: "+page.Name, page)
	return nil
}

// linked are the columns whose values are ids of records. The place of their row leads to the record.
var linked = map[string]string{"filing_id": "filings", "nexus_id": "nexus"}

// take fills the table. Country and state are one column, the organization is shown if it is another one, and numbers that no
// row of the page has are not shown.
func (p *reportPage) take(organization string, r *contract.Report) {
	if from, until := plain(r.StartDate), plain(r.EndDate); from != "" {
		p.Days = day(from) + " – " + day(until)
	}
	r.Columns = slices.DeleteFunc(r.Columns, func(c contract.ReportColumn) bool { return isNumber(&c) && isEmpty(r, c.Name) })
	others := slices.ContainsFunc(r.Items, func(row contract.ReportRow) bool { return row.OrganizationID != organization })
	for _, c := range r.Columns {
		switch c.Name {
		case "country_code":
			p.Heads = append(p.Heads, column{Label: "Place"})
		case "state_code", "filing_id", "nexus_id":
		default:
			p.Heads = append(p.Heads, column{Label: reportHead(c.Name), Number: isNumber(&c)})
		}
	}
	if others {
		p.Heads = append(p.Heads, column{Label: "Organization"})
	}
	for i := range r.Items {
		row := &r.Items[i]
		cells := reportCells(models.ReportName(r.Report), row, r.Columns)
		if others {
			cells = append(cells, reportCell{Text: cmp.Or(valueOf(row.OrganizationName), row.OrganizationID),
				Address: "/o/" + url.PathEscape(row.OrganizationID)})
		}
		p.Rows = append(p.Rows, cells)
	}
	// A total is that of all rows: it is shown if all of them are on the page.
	if p.Pages <= 1 && slices.Contains(summedReports, models.ReportName(r.Report)) {
		p.Total = totalsOf(r)
		if others && p.Total != nil {
			p.Total = append(p.Total, reportCell{})
		}
	}
}

// summedReports are the reports whose amounts add up: each sale, or each return, is in one row. The tax of a prepayment is
// also in the return of its period.
var summedReports = []models.ReportName{models.ReportLiability, models.ReportExemptSales, models.ReportProducts, models.ReportCustomers,
	models.ReportFilings}

// totalsOf returns the cells of a row with the sums of all amounts. It returns nil for a single row, and unless all rows
// have the same currency. The sum of a column that lacks a value is empty. Tax that repeats is left out.
func totalsOf(r *contract.Report) []reportCell {
	if len(r.Items) < 2 {
		return nil
	}
	currency := r.Items[0].Values["currency"]
	isOther := func(row contract.ReportRow) bool { return row.Values["currency"] != currency }
	if currency == "" || slices.ContainsFunc(r.Items, isOther) {
		return nil
	}
	var cells []reportCell
	for _, c := range r.Columns {
		switch {
		case c.Name == "state_code" || linked[c.Name] != "":
		case models.ReportKind(c.Kind) == models.ReportAmount:
			var values []string
			for _, row := range r.Items {
				if !repeatsTax(&row, c.Name) {
					values = append(values, row.Values[c.Name])
				}
			}
			sum := reportCell{Number: true}
			if values != nil {
				sum.Text = grouped(sumOf(values...))
			}
			cells = append(cells, sum)
		case c.Name == "currency":
			cells = append(cells, reportCell{Text: currency})
		default:
			cells = append(cells, reportCell{})
		}
	}
	cells[0] = reportCell{Text: "Total"}
	return cells
}

// repeatsTax reports whether a value is tax of a prepayment that claims no transactions: that of the return of its period
// has it, too.
func repeatsTax(row *contract.ReportRow, name string) bool {
	return (name == "liability" || name == "ledger_liability" || name == "difference") &&
		row.Values["filing_category"] == "PREPAYMENT" && row.Values["ledger_liability"] == ""
}

// reportHead returns the label of a column. That of a state is its code.
func reportHead(name string) string {
	if _, state, ok := strings.Cut(name, "-"); ok {
		return state
	}
	return sentence(name)
}

// isEmpty reports whether no row of the page has a value of a column.
func isEmpty(r *contract.Report, column string) bool {
	return !slices.ContainsFunc(r.Items, func(row contract.ReportRow) bool { return row.Values[column] != "" })
}

func isNumber(c *contract.ReportColumn) bool {
	switch models.ReportKind(c.Kind) {
	case models.ReportAmount, models.ReportCount, models.ReportQuantity:
		return true
	case models.ReportText, models.ReportDay, models.ReportMonth:
	}
	return false
}

// reportParts are the columns of a report whose value adds up only some transactions of their row: sales of marketplaces, or all
// others.
var reportParts = map[string]string{
	"transactions": "false", "sales": "false", "taxable": "false", "tax": "false", "collected": "false",
	"marketplace_sales": "true", "marketplace_collected": "true",
}

// listOf returns the address of what a figure of a row adds up: a list of transactions, or the record of the row. It is
// empty for a value that adds up nothing.
func listOf(report models.ReportName, row *contract.ReportRow, c *contract.ReportColumn) string {
	if !isNumber(c) {
		return ""
	}
	folder, query := "/o/"+url.PathEscape(row.OrganizationID)+"/", url.Values{}
	switch report {
	case models.ReportLiability:
		if of, some := reportParts[c.Name]; some {
			query.Set("marketplace", of)
		}
	case models.ReportFilings:
		if c.Name != "transactions" && c.Name != "liability" && c.Name != "ledger_liability" {
			return folder + "filings/" + url.PathEscape(row.Values["filing_id"])
		}
		return folder + "transactions?filing_id=" + url.QueryEscape(row.Values["filing_id"])
	case models.ReportNexus:
		return folder + "nexus/" + url.PathEscape(row.Values["nexus_id"])
	case models.ReportRounding:
		if c.Name == "beyond_rounding" {
			return "" // it counts some transactions of its row, and no filter of the list selects them
		}
	case models.ReportExemptSales, models.ReportProducts, models.ReportCustomers, models.ReportTaxability:
	}
	if row.ReportRow == "" {
		return ""
	}
	query.Set("report_row", row.ReportRow)
	return folder + "transactions?" + query.Encode()
}

// reportCells returns the cells of a row. Each figure leads to what it adds up.
func reportCells(report models.ReportName, row *contract.ReportRow, columns []contract.ReportColumn) (cells []reportCell) {
	for i := range columns {
		c := &columns[i]
		value := row.Values[c.Name]
		switch c.Name {
		case "country_code":
			cells = append(cells, reportCell{Text: placeName(value, row.Values["state_code"])})
		case "state_code":
		case "filing_id", "nexus_id":
			cells[0].Address = "/o/" + url.PathEscape(row.OrganizationID) + "/" + linked[c.Name] + "/" + url.PathEscape(value)
		case "status":
			cells = append(cells, reportCell{Status: value})
		default:
			text := reportText(c, value)
			short := slices.Contains([]models.ReportKind{models.ReportMonth, models.ReportDay}, models.ReportKind(c.Kind))
			cells = append(cells, reportCell{Text: text, Number: isNumber(c), Short: short, Address: listOf(report, row, c)})
		}
	}
	if len(cells) > 0 && cells[0].Status == "" {
		cells[0].Text = cmp.Or(cells[0].Text, "none") // it is the header of its row
	}
	return cells
}

// reportText returns a value as it is shown.
func reportText(c *contract.ReportColumn, value string) string {
	switch models.ReportKind(c.Kind) {
	case models.ReportAmount, models.ReportCount, models.ReportQuantity:
		return grouped(value)
	case models.ReportMonth:
		return monthName(value+"-01", 0)
	case models.ReportDay:
		return day(value)
	case models.ReportText:
	}
	switch {
	case c.Name == "tax_class":
		return sentence(className(value))
	case c.Name == "reason" || c.Name == "filing_category":
		return sentence(value)
	case c.Name == "reasons":
		return strings.ToLower(strings.ReplaceAll(value, "_", " "))
	case strings.Contains(c.Name, "-"):
		return taxabilityLabel(value)
	}
	return value
}

// taxabilityLabel returns the rate of a state in percent, or why it takes none.
func taxabilityLabel(value string) string {
	if value == "NO_SALES_TAX" {
		return "No sales tax"
	}
	if known, ok := taxReasons[contract.TaxReason(value)]; ok {
		return known.text
	}
	if strings.Trim(value, ".0123456789") == "" {
		return percentOf(value)
	}
	return sentence(value)
}
