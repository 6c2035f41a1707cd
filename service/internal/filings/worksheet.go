package filings

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
	"levy/returns"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// GetFilingWorksheet answers with a filing in the lines of its form.
func (o *Operations) GetFilingWorksheet(
	ctx context.Context, r contract.GetFilingWorksheetRequest,
) (contract.FilingWorksheet, error) {
	return o.worksheet(ctx, call.Of(ctx).Scope, r.FilingID)
}

// ExportFilingWorksheet writes the lines of a worksheet, or its figures, as CSV.
func (o *Operations) ExportFilingWorksheet(
	ctx context.Context, r contract.ExportFilingWorksheetRequest, stream contract.Stream,
) error {
	sheet, err := o.worksheet(ctx, call.Of(ctx).Scope, r.FilingID)
	if err != nil {
		return err
	}
	header, rows := linesHeader, func(_ context.Context, w *csvfile.Writer) error { return writeLines(w, sheet.Lines) }
	if r.Params.Of == "figures" {
		header, rows = figuresHeader, func(_ context.Context, w *csvfile.Writer) error { return writeFigures(w, sheet.Figures) }
	}
	return o.outputs.StreamCSV(ctx, stream, r.FilingID+"-"+r.Params.Of+".csv", header, rows)
}

func (o *Operations) worksheet(ctx context.Context, scope models.Scope, id string) (contract.FilingWorksheet, error) {
	f, figures, err := o.deps.Reports.FilingWithFigures(ctx, scope, id)
	if err != nil {
		return contract.FilingWorksheet{}, err
	}
	reg, err := o.deps.Registrations.Registration(ctx, scope, f.RegistrationID)
	if err != nil {
		return contract.FilingWorksheet{}, err
	}
	amended, err := o.deps.Reports.Corrections(ctx, scope, f)
	if err != nil {
		return contract.FilingWorksheet{}, err
	}
	sheet, err := o.makeWorksheet(f, figures, models.RegistrationFields(reg.JurisdictionSpecificFields), amended)
	if err != nil {
		return contract.FilingWorksheet{}, err
	}
	return newWorksheet(&f, &figures, &sheet), nil
}

// makeWorksheet makes the worksheet of a filing by the layout of its period. A newer content may have the layout of a form
// that this program does not know: the general one takes its place. amended is of returns of the one-stop shop. Errors:
// money.ErrOverflow.
func (o *Operations) makeWorksheet(
	f models.Filing, figures models.FilingFigures, fields map[string]string, amended models.ShopCorrections,
) (returns.Worksheet, error) {
	law, end := o.deps.Law.Current(), calendar.DateOf(f.EndDate)
	in := returns.Input{Filing: f, Figures: figures, Entries: f.Entries, Day: dayOfFiling(&f, o.now()), Fields: fields}
	if returns.HasShopWorksheet(&f) {
		return returns.ShopWorksheet(in.WithShop(law, amended))
	}
	in.Layout = layoutOf(law, &f)
	in.Allowance = allowanceOf(law, &f, in.Day)
	sheet, err := returns.Make(in)
	if errors.Is(err, returns.ErrLayout) {
		in.Layout, _ = law.GeneralLayout(end)
		sheet, err = returns.Make(in)
	}
	return sheet, err
}

// layoutOf returns the layout of the worksheet of a filing: the general one if the form of its authority is for filers of another
// frequency.
func layoutOf(law *tax.Content, f *models.Filing) tax.ReturnLayout {
	if returns.HasShopWorksheet(f) {
		return returns.ShopLayout()
	}
	end := calendar.DateOf(f.EndDate)
	layout, _ := law.ReturnLayout(f.CountryCode, f.StateCode, end)
	frequency := f.Frequency()
	if f.FilingCategory == calendar.FilingPrepayment {
		frequency = calendar.FilingMonthly // the form of a prepayment is that of its months
	}
	if !layout.IsFor(frequency) {
		layout, _ = law.GeneralLayout(end)
	}
	return layout
}

// allowanceOf returns what the state leaves to sellers that file a return in time; nil where there is no state, or nothing.
func allowanceOf(law *tax.Content, f *models.Filing, day calendar.Date) *tax.VendorAllowance {
	if f.CountryCode != models.UnitedStates || f.DueDate == nil || f.FilingFrequency == nil {
		return nil
	}
	a, ok := law.VendorAllowance(f.StateCode, calendar.FilingFrequency(*f.FilingFrequency), calendar.DateOf(f.EndDate),
		calendar.DateOf(*f.DueDate), day)
	if !ok || a.None() {
		return nil
	}
	return &a
}

// dayOfFiling returns the day that decides about discounts: that of the filing, else of the approval, else today, both at the
// authority.
func dayOfFiling(f *models.Filing, now time.Time) calendar.Date {
	if f.DateFiled != nil {
		return calendar.DateOf(*f.DateFiled)
	}
	if f.ApprovedAt != nil {
		now = *f.ApprovedAt
	}
	return rules.DayOfAuthority(f.CountryCode, f.StateCode, now)
}

func newWorksheet(f *models.Filing, figures *models.FilingFigures, w *returns.Worksheet) contract.FilingWorksheet {
	return contract.FilingWorksheet{
		FilingID: f.ID, Layout: w.Layout.ID, Form: w.Layout.Form, Name: w.Layout.Name, Edition: w.Layout.Edition,
		Source: w.Layout.Source, Confidence: string(w.Sure), Notice: convert.Optional(w.Notice), Currency: f.Currency,
		Frozen: figures.Frozen, MissingFigures: figures.Missing,
		Lines: convert.ConvertAll(w.Lines, func(l returns.Line) contract.WorksheetLine {
			line := contract.WorksheetLine{
				Line: l.Line, Name: l.Name, Amount: l.Amount.String(), Unit: unitOf(l.Dollars), Rule: l.Rule, Confidence: string(l.Sure),
				Figures: make([]int, len(l.Figures)),
			}
			for i, n := range l.Figures {
				line.Figures[i] = n + 1
			}
			for _, n := range l.Entries {
				line.Entries = append(line.Entries, f.Entries[n].ID)
			}
			return line
		}),
		Figures:  newFigures(figures.Figures),
		Findings: convert.ConvertAll(w.Findings, newFinding),
	}
}

func newFinding(x returns.Finding) contract.WorksheetFinding {
	return contract.WorksheetFinding{
		Code: x.Code, Severity: x.Severity, Line: convert.Optional(x.Line), Message: x.Message, Count: x.Count,
		Amount: x.Amount.String(),
	}
}

func newFigures(figures []models.FilingFigure) []contract.WorksheetFigure {
	answer := make([]contract.WorksheetFigure, len(figures))
	for i := range figures {
		x := &figures[i]
		answer[i] = contract.WorksheetFigure{
			Figure: i + 1, Level: x.Level, Jurisdiction: x.Name, Place: x.Place, Rate: x.Rate, Sign: x.Sign, Channel: x.Channel,
			Origin: x.Origin, Category: convert.Optional(x.Category), Class: convert.Optional(x.Class),
			Transactions: x.Transactions, Gross: x.Gross.String(), Taxable: x.Taxable.String(), Tax: x.Tax.String(),
			Owed: x.Owed.String(),
		}
	}
	return answer
}

// Columns of the files of a worksheet.
var (
	linesHeader   = []string{"line", "name", "amount", "unit", "rule", "confidence", "figures"}
	figuresHeader = []string{
		"figure", "level", "jurisdiction", "place", "rate", "sign", "channel", "origin", "category", "class",
		"transactions", "gross", "taxable", "tax", "owed",
	}
)

func writeLines(w *csvfile.Writer, lines []contract.WorksheetLine) error {
	for i := range lines {
		l := &lines[i]
		figures := make([]string, len(l.Figures))
		for n, figure := range l.Figures {
			figures[n] = strconv.Itoa(figure)
		}
		w.Text(l.Line)
		w.Text(l.Name)
		w.Cell(l.Amount)
		w.Cell(l.Unit)
		w.Text(l.Rule)
		w.Cell(l.Confidence)
		w.Cell(strings.Join(figures, " "))
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}

func writeFigures(w *csvfile.Writer, figures []contract.WorksheetFigure) error {
	for i := range figures {
		x := &figures[i]
		w.Cell(strconv.Itoa(x.Figure))
		w.Cell(x.Level)
		w.Text(x.Jurisdiction)
		w.Text(x.Place)
		for _, cell := range []string{
			x.Rate, x.Sign, x.Channel, x.Origin, *cmp.Or(x.Category, new(string)), *cmp.Or(x.Class, new(string)),
			strconv.FormatInt(x.Transactions, 10), x.Gross, x.Taxable, x.Tax, x.Owed,
		} {
			w.Cell(cell)
		}
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}
