package feed

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/internal/xlsxfile"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
	"levy/tax"
)

// reportedRows is the largest number of rows of a report as CSV.
const reportedRows = 1_000_000

// GetReport reads a page of a report.
func (o *Operations) GetReport(ctx context.Context, r contract.GetReportRequest) (contract.Report, error) {
	// guard: reports: an organization adds up as many at a time as it may export files
	release, err := o.outputs.Acquire(ctx)
	if err != nil {
		return contract.Report{}, err
	}
	defer release()
	p := &r.Params
	done, err := o.connected(ctx, p.Report)
	if err != nil {
		return contract.Report{}, err
	}
	defer done()
	q, err := o.reportQuery(p.Report, p.OrganizationID, customersOf(p.CustomerID, p.CustomerIDIn),
		convert.OptionalDay(p.StartDate), convert.OptionalDay(p.EndDate))
	if err != nil {
		return contract.Report{}, err
	}
	columns, list, err := o.report(ctx, q, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.Report{}, err
	}
	answer := contract.Report{
		Report: p.Report, Total: list.Total, Page: p.Page, Size: p.Size, Pages: convert.Pages(list.Total, p.Size),
		Columns: convert.ConvertAll(columns, func(c models.ReportColumn) contract.ReportColumn {
			return contract.ReportColumn{Name: c.Name, Kind: string(c.Kind)}
		}),
		Items: convert.ConvertAll(list.Items, func(row models.ReportRow) contract.ReportRow {
			values := make(map[string]string, len(columns))
			for i, c := range columns {
				values[c.Name] = row.Values[i]
			}
			return contract.ReportRow{
				OrganizationID: row.OrganizationID, OrganizationName: convert.Optional(row.OrganizationName), Values: values,
				ReportRow: convert.ReportRowText(&q, &row),
			}
		}),
	}
	if q.Name.OfDays() {
		answer.StartDate, answer.EndDate = convert.OptionalDate(&q.From), convert.OptionalDate(&q.Until)
	}
	return answer, nil
}

// customersOf returns the customers that a report is about; none for all.
func customersOf(one string, some []string) []string {
	if one == "" {
		return some
	}
	return append([]string{one}, some...)
}

// reportQuery selects a report of some days. By default the last one is today, and the first that of the month eleven
// months before the last one. Errors: *models.InvalidError if the first one is after today and there is no last one.
func (o *Operations) reportQuery(
	name contract.ReportName, organizationID string, customers []string, from, until *time.Time,
) (models.ReportQuery, error) {
	q := models.ReportQuery{Name: models.ReportName(name), OrganizationID: organizationID, CustomerIDs: customers}
	q.Until = o.now().UTC().Truncate(24 * time.Hour)
	if until != nil {
		q.Until = *until
	}
	q.From = time.Date(q.Until.Year(), q.Until.Month()-11, 1, 0, 0, 0, 0, time.UTC)
	if from != nil {
		q.From = *from
	}
	if q.Name.OfDays() && q.From.After(q.Until) {
		return q, &models.InvalidError{Faults: []models.Fault{{
			Code: models.FieldOutOfRange, In: models.InQuery, Path: "start_date", Of: []string{"end_date"},
			Message: "Without end_date the last day is today, so start_date must not be after today.",
		}}}
	}
	return q, nil
}

// connected takes a slot for a report that holds a connection to the database, until done is called.
func (o *Operations) connected(ctx context.Context, name contract.ReportName) (done func(), err error) {
	if models.ReportName(name) == models.ReportTaxability {
		return func() {}, nil
	}
	return o.outputs.AcquireReport(ctx)
}

// report returns the columns of a report and a page of its rows.
func (o *Operations) report(
	ctx context.Context, q models.ReportQuery, page models.Page,
) ([]models.ReportColumn, models.List[models.ReportRow], error) {
	if q.Name == models.ReportTaxability {
		columns, rows, err := o.taxability(ctx, q.OrganizationID)
		total := len(rows)
		first := min(page.Offset, total)
		return columns, models.List[models.ReportRow]{
			Items: rows[first:min(first+page.Limit, total)], Total: int64(total),
		}, err
	}
	list, err := o.deps.Work.Report(ctx, call.Of(ctx).Visibility(), q, page)
	return q.Name.Columns(), list, err
}

// taxability returns how each state taxes each tax class: the rate of the state itself, or why it takes none. It is about
// no records of the organization. Another organization than that of the call has no rows.
func (o *Operations) taxability(ctx context.Context, organizationID string) ([]models.ReportColumn, []models.ReportRow, error) {
	columns := []models.ReportColumn{{Name: "tax_class", Kind: models.ReportText}}
	for _, state := range o.deps.Law.Current().States() {
		columns = append(columns, models.ReportColumn{Name: state.Country + "-" + state.State, Kind: models.ReportText})
	}
	c := call.Of(ctx)
	if organizationID != "" && organizationID != c.Scope.OrganizationID {
		return columns, nil, nil
	}
	classes := o.taxClasses()
	results, err := o.transactions.Taxability(ctx, classes)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]models.ReportRow, len(classes))
	for i, class := range classes {
		rows[i] = models.ReportRow{
			OrganizationID: c.Scope.OrganizationID, Values: []string{string(class)},
		}
		for _, result := range results[i] {
			rows[i].Values = append(rows[i].Values, taxabilityText(&result))
		}
	}
	return columns, rows, nil
}

// taxClasses returns the tax classes of the product categories, sorted.
func (o *Operations) taxClasses() []tax.TaxClass {
	all := map[tax.TaxClass]bool{}
	for _, category := range o.deps.Catalogue.Categories() {
		for _, s := range category.Subcategories {
			all[s.TaxClass] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// taxabilityText returns a rate such as "0.0625", or the reason why there is none.
func taxabilityText(s *contract.StateTaxability) string {
	switch {
	case s.Reason == nil:
		return "NO_SALES_TAX"
	case string(*s.Reason) == string(tax.ReasonTaxable):
		return strings.TrimRight(strings.TrimRight(s.Rate, "0"), ".")
	}
	return string(*s.Reason)
}

// ExportReport writes a report as a file. It reads a slice of rows before it writes them, so no query waits for the
// client.
func (o *Operations) ExportReport(ctx context.Context, r contract.ExportReportRequest, out contract.Stream) error {
	p := &r.Params
	done, err := o.connected(ctx, p.Report)
	if err != nil {
		return err
	}
	defer done()
	q, err := o.reportQuery(p.Report, p.OrganizationID, customersOf(p.CustomerID, p.CustomerIDIn),
		convert.OptionalDay(p.StartDate), convert.OptionalDay(p.EndDate))
	if err != nil {
		return err
	}
	e := reportExport{Operations: o, query: q, columns: q.Name.Columns()}
	if q.Name == models.ReportTaxability {
		if e.columns, e.rows, err = o.taxability(ctx, q.OrganizationID); err != nil {
			return err
		}
	}
	header := []string{"organization_id", "organization_name"}
	for _, c := range e.columns {
		header = append(header, c.Name)
	}
	name := strings.ToLower(string(p.Report)) + "." + p.Format
	if p.Format == "xlsx" {
		return o.outputs.StreamXLSX(ctx, out, name, header, e.writeXLSX)
	}
	return o.outputs.StreamCSV(ctx, out, name, header, e.writeCSV)
}

// reportExport is a report that is written as a file.
type reportExport struct {
	*Operations
	query   models.ReportQuery
	columns []models.ReportColumn
	rows    []models.ReportRow // of taxability, which is in memory
}

func (e *reportExport) writeCSV(ctx context.Context, w *csvfile.Writer) error {
	return e.write(ctx, tooManyReported, output.ExportTo(w, reportedRows,
		func(w *csvfile.Writer, row *models.ReportRow) error { return e.writeRow(w, row) }))
}

// tooManyReported refuses a file of more rows than a report may have as CSV.
func tooManyReported(total int64) error {
	if total <= reportedRows {
		return nil
	}
	return &models.InvalidError{Faults: []models.Fault{{
		Code: models.FieldTooMany, In: models.InQuery, Path: "format",
		Message: "This has more rows than a file of 1,000,000. Take a shorter span of days, or one organization.",
	}}}
}

func (e *reportExport) writeXLSX(ctx context.Context, w *xlsxfile.Writer) error {
	// guard: reports: a workbook is in memory
	return e.write(ctx, output.TooManyRows, models.Export[models.ReportRow]{
		Limit: xlsxfile.MaxRows,
		Row:   func(row *models.ReportRow) error { return e.writeRow(w, row) },
		Pause: func() error { return nil },
	})
}

func (e *reportExport) write(ctx context.Context, begin func(total int64) error, to models.Export[models.ReportRow]) error {
	if e.query.Name != models.ReportTaxability {
		return e.deps.Work.ExportReport(ctx, call.Of(ctx).Visibility(), e.query, begin, to)
	}
	for i := range e.rows {
		if err := to.Row(&e.rows[i]); err != nil {
			return err
		}
	}
	return to.Pause()
}

// writeRow writes the organization and the values of a row.
func (e *reportExport) writeRow(w output.Table, row *models.ReportRow) error {
	w.Cell(row.OrganizationID)
	w.Text(row.OrganizationName)
	for i, c := range e.columns {
		switch c.Kind {
		case models.ReportText:
			w.Text(row.Values[i])
		case models.ReportDay, models.ReportMonth, models.ReportCount, models.ReportQuantity, models.ReportAmount:
			w.Cell(row.Values[i])
		}
	}
	return w.End()
}
