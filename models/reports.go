package models

import "time"

// ReportName names a report about an organization and, for a partner, its clients.
type ReportName string

// The reports. Taxability has a column for each state, all others those of Columns.
const (
	ReportLiability   ReportName = "LIABILITY"
	ReportExemptSales ReportName = "EXEMPT_SALES"
	ReportRounding    ReportName = "ROUNDING"
	ReportProducts    ReportName = "PRODUCTS"
	ReportCustomers   ReportName = "CUSTOMERS"
	ReportFilings     ReportName = "FILINGS"
	ReportNexus       ReportName = "NEXUS"
	ReportTaxability  ReportName = "TAXABILITY"
)

// ReportNames are the reports in the order of the console.
var ReportNames = []ReportName{
	ReportLiability, ReportExemptSales, ReportRounding, ReportProducts, ReportCustomers, ReportFilings, ReportNexus,
	ReportTaxability,
}

// ReportKind is the kind of the values of a column.
type ReportKind string

// The kinds. Amounts have two decimals and are in the currency of the row.
const (
	ReportText     ReportKind = "TEXT"
	ReportDay      ReportKind = "DAY"
	ReportMonth    ReportKind = "MONTH" // such as 2026-01
	ReportCount    ReportKind = "COUNT"
	ReportQuantity ReportKind = "QUANTITY"
	ReportAmount   ReportKind = "AMOUNT"
)

// ReportColumn is a column of a report.
type ReportColumn struct {
	Name string
	Kind ReportKind
}

// reportShape has the columns of a report. The first Keys of them identify a row of an organization, and order the rows.
type reportShape struct {
	Columns []ReportColumn
	Keys    int
	Days    bool // it is about a span of days
}

func columnsOf(kind ReportKind, names ...string) (all []ReportColumn) {
	for _, name := range names {
		all = append(all, ReportColumn{name, kind})
	}
	return all
}

func joinColumns(parts ...[]ReportColumn) (all []ReportColumn) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

var reportShapes = map[ReportName]reportShape{
	ReportLiability: {Keys: 4, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "country_code", "state_code"), columnsOf(ReportMonth, "month"), columnsOf(ReportText, "currency"),
		columnsOf(ReportCount, "transactions"),
		columnsOf(ReportAmount, "sales", "taxable", "tax", "collected", "liability", "difference", "marketplace_sales",
			"marketplace_collected"))},
	ReportExemptSales: {Keys: 4, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "country_code", "state_code", "reason", "currency"), columnsOf(ReportCount, "transactions"),
		columnsOf(ReportAmount, "sales", "taxable", "exempt"))},
	ReportRounding: {Keys: 4, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "country_code", "state_code"), columnsOf(ReportMonth, "month"), columnsOf(ReportText, "currency"),
		columnsOf(ReportAmount, "tax", "form_tax", "difference"), columnsOf(ReportCount, "beyond_rounding"),
		columnsOf(ReportAmount, "over_collected", "under_collected"))},
	ReportProducts: {Keys: 2, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "external_product_id", "currency", "product_name", "tax_class"), columnsOf(ReportCount, "lines"),
		columnsOf(ReportQuantity, "quantity"), columnsOf(ReportAmount, "sales", "taxable", "tax", "collected"))},
	ReportCustomers: {Keys: 2, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "external_customer_id", "currency"), columnsOf(ReportCount, "transactions"),
		columnsOf(ReportAmount, "sales", "taxable", "tax", "collected"))},
	ReportFilings: {Keys: 4, Days: true, Columns: joinColumns(
		columnsOf(ReportText, "country_code", "state_code"), columnsOf(ReportDay, "start_date"),
		columnsOf(ReportText, "filing_id"), columnsOf(ReportDay, "end_date"),
		columnsOf(ReportText, "filing_category", "status", "currency"), columnsOf(ReportCount, "transactions"),
		columnsOf(ReportAmount, "liability", "ledger_liability", "difference", "amount", "paid", "open"),
		columnsOf(ReportDay, "date_filed"), columnsOf(ReportText, "return_confirmation_id", "payment_confirmation_id"))},
	ReportNexus: {Keys: 2, Columns: joinColumns(
		columnsOf(ReportText, "country_code", "state_code", "nexus_id", "status", "currency"),
		columnsOf(ReportDay, "period_start_date", "period_end_date"),
		columnsOf(ReportAmount, "sales", "threshold_sales"), columnsOf(ReportCount, "transactions", "threshold_transactions"),
		columnsOf(ReportText, "reasons"), columnsOf(ReportDay, "nexus_met_date", "obliged_from"),
		columnsOf(ReportAmount, "tax_liability"))},
	ReportTaxability: {},
}

// Columns returns the columns of a report; none for Taxability, whose columns the tax content decides.
func (n ReportName) Columns() []ReportColumn { return reportShapes[n].Columns }

// Keys returns how many of the columns identify a row of an organization. Rows are in their order.
func (n ReportName) Keys() int { return reportShapes[n].Keys }

// OfDays reports whether a report is about a span of days. Others are about today.
func (n ReportName) OfDays() bool { return reportShapes[n].Days }

// ReportQuery selects a report. OrganizationID names one of the visible organizations, or is "". CustomerIDs name the
// only customers of ReportCustomers; none for all.
type ReportQuery struct {
	Name           ReportName
	OrganizationID string
	CustomerIDs    []string
	From, Until    time.Time // days, both included
}

// ReportRow is a row of a report. Values are those of the columns; "" for none.
type ReportRow struct {
	OrganizationID   string
	OrganizationName string // "" for none
	Values           []string
}

// ReportRowKey identifies a row of a report that adds up transactions of one organization.
type ReportRowKey struct {
	Name        ReportName
	From, Until time.Time // days, both included
	Keys        []string  // the values of the columns that identify a row
}

// AddsUpTransactions reports whether the rows of a report are sums of transactions that a list can select.
func (n ReportName) AddsUpTransactions() bool {
	switch n {
	case ReportLiability, ReportExemptSales, ReportRounding, ReportProducts, ReportCustomers:
		return true
	case ReportFilings, ReportNexus, ReportTaxability:
	}
	return false
}
