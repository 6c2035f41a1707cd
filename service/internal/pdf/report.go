// Package pdf prints the report of a filing, tagged for screen readers. The same report always gives the same bytes.
package pdf

import (
	"bytes"
	"io"
	"strconv"

	"codeberg.org/go-pdf/fpdf"

	"levy/models/report"
)

// Printed bounds the printed transactions, about 130 pages. A document is in memory until it is complete,
// and a longer one is not readable. The report states how many transactions it omits.
const Printed = 5_000

// Report is the state of the printing of a report.
type Report struct {
	page  *fpdf.Fpdf
	tags  *tags
	head  *report.Head
	title string

	columns []column // of the open table
	table   part     // the open table
	row     []part   // the cells of its last row
	lines   int      // printed lines of that row

	printed     int  // printed transactions
	cut         bool // a text did not fit
	unprintable bool // the fonts lack characters of a text
}

// New begins a report with everything before its transactions.
func New(h *report.Head) *Report {
	r := &Report{page: newPage(h), tags: newTags(), head: h, title: title(h)}
	r.page.SetHeaderFunc(r.header)
	r.page.SetFooterFunc(r.footer)
	r.page.AddPage()
	r.summary()
	r.jurisdictions()
	r.excluded()
	r.history()
	r.openTransactions()
	return r
}

// Transaction prints a transaction unless Printed were printed.
func (r *Report) Transaction(t *report.Transaction) {
	if r.printed >= Printed {
		return
	}
	r.printed++
	r.add(false, t.TaxDate.Format("2006-01-02"), t.ExternalID, typeNames[t.Type],
		grouped(t.NetAmount), grouped(t.TaxableAmount),
		grouped(t.TaxCalculated), grouped(t.TaxCollected), grouped(t.TaxLiability), note(t))
}

// Write ends the report and writes it. Errors: those of to, and of a defective document.
func (r *Report) Write(to io.Writer) error {
	if r.printed == 0 {
		r.sentence("There are no transactions in this period.")
	}
	r.remarks()
	r.page.SetFont(plain, "", 8)
	var drawn bytes.Buffer
	if err := r.page.Output(&drawn); err != nil {
		return err
	}
	return r.tags.write(to, drawn.Bytes())
}

// remarks prints what screen readers omit in the footers, and what the pages above omit.
func (r *Report) remarks() {
	r.page.Ln(2)
	if r.head.Hash != nil {
		r.sentence(hashLabel + ": " + *r.head.Hash)
	}
	if r.unprintable {
		r.sentence("A character that this document has no letter for is shown as \uFFFD. " + fullTextElsewhere)
	}
	if r.cut {
		r.sentence("A text that ends with … did not fit. " + fullTextElsewhere)
	}
}

const fullTextElsewhere = "Screen readers get the whole text; so do readers of the JSON and the CSV form."

// count returns the number of transactions of the report, printed or not.
func (r *Report) count() int64 {
	return r.head.Totals.TransactionCount + r.head.Totals.MarketplaceTransactionCount
}

func (r *Report) openTransactions() {
	detail := whole(r.count())
	if r.count() > Printed {
		detail = "the first " + whole(Printed) + " of " + detail
	}
	r.section("Transactions", detail)
	if r.count() == 0 {
		return
	}
	r.open([]column{
		{name: "Tax date", share: 10.5}, {name: "Transaction", share: 18.5, head: true}, {name: "Type", share: 9.5},
		{name: "Net", share: 11, right: true}, {name: "Taxable", share: 11, right: true},
		{name: "Calculated", share: 9.75, right: true},
		{name: "Collected", share: 9.75, right: true},
		{name: "Liability", share: 10, right: true}, {name: "Note", share: 10},
	})
}

// typeNames are the printed names of types of transactions.
var typeNames = map[string]string{
	"SALE": "Sale", "FULL_CREDIT_NOTE": "Credit note", "PARTIAL_CREDIT_NOTE": "Part credit", "TAX_REFUND": "Tax refund",
	"ARCHIVE": "Archived",
}

// note returns the explanation of a liability that differs from the calculated tax.
func note(t *report.Transaction) string {
	switch {
	case t.Marketplace:
		return "marketplace"
	case t.Exempt == "FULLY_EXEMPT":
		return "exempt"
	case t.Exempt == "PARTIALLY_EXEMPT":
		return "part exempt"
	case t.Exempt == "ZERO_RATE_NOT_EXEMPT":
		return "zero rate"
	}
	return ""
}

func (r *Report) jurisdictions() {
	if len(r.head.Jurisdictions) == 0 {
		return
	}
	r.section("Jurisdictions", whole(int64(len(r.head.Jurisdictions))))
	r.open([]column{
		{name: "Jurisdiction", share: 40, head: true, wraps: true},
		{name: "Level", share: 14}, {name: "Code", share: 14, wraps: true},
		{name: "Taxable", share: 16, right: true}, {name: "Tax", share: 16, right: true},
	})
	for _, j := range r.head.Jurisdictions {
		r.add(false, j.Name, levelNames[j.Type], j.Code, grouped(j.TaxableAmount), grouped(j.TaxAmount))
	}
	r.add(true, "Tax calculated", "", "", "", grouped(r.head.Totals.AmountCalculated))
}

// levelNames are the printed names of types of jurisdictions.
var levelNames = map[string]string{
	"COUNTRY": "Country", "FEDERAL": "Federal", "STATE": "State", "COUNTY": "County", "CITY": "City",
	"SPECIAL": "District", "OTHER": "Other",
}

// whole returns a number with marked thousands.
func whole(n int64) string { return grouped(strconv.FormatInt(n, 10)) }
