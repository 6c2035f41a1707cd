package filings

import (
	"bufio"
	"strconv"
	"time"

	"levy/internal/csvfile"
	"levy/models/report"
	"levy/service/internal/convert"
)

// reportHeader are the columns of a report that every filing has.
var reportHeader = []string{
	"transaction_id", "external_id", "type", "tax_date", "net_amount", "taxable_amount", "tax_calculated", "tax_collected",
	"tax_liability",
	"marketplace", "exempt",
}

// reportCSV writes a report as CSV: a row per transaction, with its tax by jurisdiction.
type reportCSV struct {
	w        *csvfile.Writer
	excluded *report.Exclusion // nil if the report has no columns for excluded transactions
	places   int               // number of columns of jurisdictions
}

func newReportCSV(to *bufio.Writer, h *report.Head) (*reportCSV, error) {
	r := &reportCSV{&csvfile.Writer{To: to}, h.Excluded, len(h.Jurisdictions)}
	for _, name := range reportHeader {
		r.w.Cell(name)
	}
	for _, name := range jurisdictionColumns(h.Jurisdictions) {
		r.w.Text(name)
	}
	if r.excluded != nil {
		r.w.Cell("excluded_amount")
		r.w.Cell("excluded_by")
	}
	return r, r.w.End()
}

// Transaction writes the row of a transaction.
func (r *reportCSV) Transaction(t *report.Transaction) error {
	r.w.Text(t.ID)
	r.w.Text(t.ExternalID)
	r.w.Text(t.Type)
	r.w.Cell(t.TaxDate.Format(time.DateOnly))
	for _, amount := range []string{t.NetAmount, t.TaxableAmount, t.TaxCalculated, t.TaxCollected, t.TaxLiability} {
		r.w.Cell(amount)
	}
	r.w.Cell(strconv.FormatBool(t.Marketplace))
	r.w.Text(t.Exempt)
	for _, amount := range t.Taxes {
		r.w.Cell(amount)
	}
	if r.excluded != nil {
		r.w.Cell("")
		r.w.Cell("")
	}
	return r.w.End()
}

// End writes the rows of excluded transactions. Their only amount is the one that is not in the return.
func (r *reportCSV) End() error {
	if r.excluded == nil {
		return nil
	}
	for _, x := range r.excluded.Transactions {
		r.w.Text(x.ID)
		r.w.Text(x.ExternalID)
		r.w.Text(x.Type)
		r.w.Cell(x.TaxDate.Format(time.DateOnly))
		for range len(reportHeader) - 4 + r.places {
			r.w.Cell("")
		}
		r.w.Cell(convert.ValueOf(x.Amount))
		r.w.Text(convert.ValueOf(r.excluded.DecidedBy))
		if err := r.w.End(); err != nil {
			return err
		}
	}
	return nil
}

// jurisdictionColumns returns the names of their columns. Equal names, such as those of the city and the state
// of New York, get the type and, if necessary, the code.
func jurisdictionColumns(all []report.Jurisdiction) []string {
	names, typed := map[string]int{}, map[[2]string]int{}
	for _, j := range all {
		names[j.Name]++
		typed[[2]string{j.Name, j.Type}]++
	}
	columns := make([]string, len(all))
	for i, j := range all {
		columns[i] = "tax:" + j.Name
		if names[j.Name] > 1 {
			columns[i] += " " + j.Type
		}
		if typed[[2]string{j.Name, j.Type}] > 1 {
			columns[i] += " " + j.Code
		}
	}
	return columns
}
