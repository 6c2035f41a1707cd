package returns

import (
	"errors"
	"fmt"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Input is what a worksheet is made of.
type Input struct {
	Layout  tax.ReturnLayout
	Filing  models.Filing
	Figures models.FilingFigures
	// Day is the day of filing. Discounts depend on it.
	Day calendar.Date
	// Entries are what people have added to the return.
	Entries []models.FilingEntry
	// Allowance is what the authority leaves to sellers that file in time; nil for none.
	Allowance *tax.VendorAllowance
	// Fields are what the registration says for its authority, such as the county of a certificate.
	Fields map[string]string

	// File, Filer and IDs are of documents alone. A preview has no ids: it shows zeros.
	File  tax.ReturnFile
	Filer models.ReturnFiler
	IDs   IDs

	// These are of returns of the one-stop shop alone, which WithShop adds. CorrectionFindings are about the amendments that
	// the corrections come from, CorrectionCredit is what those of them below zero leave as credit.
	Members            []tax.ShopMember
	Corrections        []Correction
	CorrectionFindings []Finding
	CorrectionCredit   money.Total
}

// Worksheet is a return in the words of its form.
type Worksheet struct {
	Layout   tax.ReturnLayout
	Sure     tax.Confidence // the lowest of what the worksheet rests on
	Notice   string         // how sure it is, to be shown first; "" for nothing to say
	Lines    []Line
	Findings []Finding
}

// Line is a line of a worksheet. Figures are the positions of the figures that add up to it, Entries those of the entries.
type Line struct {
	Line, Name       string
	Amount           money.Total
	Dollars          bool
	Rule             string
	Sure             tax.Confidence
	Figures, Entries []int
}

// Finding is what a person should know of a worksheet or a document.
type Finding = models.ReturnFinding

// ErrLayout means that the program does not know how lines of a layout are computed, which content has.
var ErrLayout = errors.New("no worksheet for this layout")

// errFormula means that a formula names a function, a condition or an amount that the program does not know.
var errFormula = errors.New("unknown formula")

// Make makes the worksheet of a return. Errors: ErrLayout, money.ErrOverflow.
func Make(in Input) (Worksheet, error) {
	m := &maker{Input: in, sheet: Worksheet{Layout: in.Layout, Sure: in.Layout.Sure(), Findings: []Finding{}}}
	m.values, m.used = map[string]computed{}, make([]bool, len(in.Entries))
	m.sheet.Notice = notices[m.sheet.Sure]
	if err := m.makeRows(); err != nil {
		return Worksheet{}, err
	}
	m.find()
	if err := m.compute(); err != nil {
		if errors.Is(err, errFormula) {
			err = fmt.Errorf("%w: %s: %w", ErrLayout, in.Layout.ID, err)
		}
		return Worksheet{}, err
	}
	return m.sheet, m.check()
}

// notices say how sure a worksheet is.
var notices = map[tax.Confidence]string{
	tax.ConfidenceLow: "The form of this authority was not read, or not all of it: compare the lines with the form before you " +
		"file.",
	tax.ConfidenceMedium: "Some lines rest on an older edition, or were not read again: compare them with the form before you file.",
}

// maker makes a worksheet.
type maker struct {
	Input

	sheet       Worksheet
	rows        []models.FilingFigure // the figures, then purchases
	entryOf     []int                 // the entries that the purchases are
	taxedPlaces map[string]bool       // places with tax of a jurisdiction below the authority
	values      map[string]computed
	used        []bool // entries that a line has

	unclear int64  // jurisdictions whose rates cannot be added up to that of their place
	unpaid  string // the line at which payments are to be divided by hand; "" for none
	paid    bool   // a line has the payments
	adjusts bool   // a line has the free adjustment
	penal   bool   // a line has the penalties
	// collects tells that a line has the tax that was collected, where it is not that of the law.
	collects bool
}

// computed are the amounts of a line: one, or one for each of its parts.
type computed struct {
	parts   bool
	amounts []money.Total
}

// compute adds the lines. Lines that follow each other with the same parts come part by part. Errors: errFormula,
// money.ErrOverflow.
func (m *maker) compute() error {
	lines := m.Layout.Lines
	for i := 0; i < len(lines); {
		end := i + 1
		if lines[i].Each.Function == "" {
			if err := m.put(&step{maker: m, line: &lines[i], args: lines[i].Formula.Args}); err != nil {
				return err
			}
			i = end
			continue
		}
		for end < len(lines) && sameFormula(&lines[i].Each, &lines[end].Each) {
			end++
		}
		if err := m.putParts(lines[i:end]); err != nil {
			return err
		}
		i = end
	}
	return nil
}

func sameFormula(a, b *tax.Formula) bool {
	return a.Function == b.Function && strings.Join(a.Args, ",") == strings.Join(b.Args, ",")
}

// putParts adds lines with "*" for each of their parts. Errors: errFormula, money.ErrOverflow.
func (m *maker) putParts(lines []tax.ReturnLine) error {
	divide, ok := divisions[lines[0].Each.Function]
	if !ok {
		return errFormula
	}
	is, _, err := m.conditions(lines[0].Each.Args)
	if err != nil {
		return err
	}
	var rows []int
	for i := range m.rows {
		if is(&m.rows[i]) {
			rows = append(rows, i)
		}
	}
	parts := divide(m, rows)
	for i := range lines {
		m.values[lines[i].Line] = computed{parts: true}
	}
	for n := range parts {
		for i := range lines {
			err := m.put(&step{maker: m, line: &lines[i], args: lines[i].Formula.Args, part: &parts[n], n: n})
			if err != nil {
				return err
			}
		}
	}
	if len(parts) == 0 { // the formulas are read all the same
		for i := range lines {
			s := &step{maker: m, line: &lines[i], args: lines[i].Formula.Args}
			if _, known := formulas[s.line.Formula.Function]; !known {
				return errFormula
			}
		}
	}
	return nil
}

// put adds a line, as the form wants its amount. Errors: errFormula, money.ErrOverflow.
func (m *maker) put(s *step) error {
	formula, ok := formulas[s.line.Formula.Function]
	if !ok {
		return errFormula
	}
	amount, err := formula(s)
	if err != nil {
		return err
	}
	l := s.line
	switch {
	case l.Dollars && m.Layout.Rounding == tax.RoundUnitDown:
		amount = amount.UnitsAlone()
	case l.Dollars:
		amount = amount.WholeUnits()
	}
	shown := Line{
		Line: s.number(), Name: l.Name, Amount: amount, Dollars: l.Dollars, Rule: l.Rule, Sure: l.Confidence, Figures: []int{},
	}
	if s.part != nil {
		shown.Name += ": " + s.part.name
	}
	for _, i := range s.rows {
		if entry, ok := m.entry(i); ok {
			shown.Entries = append(shown.Entries, entry)
		} else {
			shown.Figures = append(shown.Figures, i)
		}
	}
	values := m.values[l.Line]
	values.amounts = append(values.amounts, amount)
	m.values[l.Line] = values
	if s.absent {
		return nil
	}
	m.sheet.Lines = append(m.sheet.Lines, shown)
	if l.FromZero {
		m.refuseNegative(shown.Line, amount)
	}
	if l.Line == differenceLine && !amount.IsZero() {
		m.note(models.SeverityInfo, "FORM_DIFFERS", l.Line, "The form computes another tax from these lines than is owed in Levy.", 1,
			amount)
	}
	return nil
}

// The lines beside a form: the tax owed, and that of the form less it.
const (
	accruedLine    = "X"
	differenceLine = "XD"
)

// note adds a finding.
func (m *maker) note(severity, code, line, message string, count int64, amount money.Total) {
	m.sheet.Findings = append(m.sheet.Findings, Finding{
		Severity: severity, Code: code, Line: line, Message: message, Count: count, Amount: amount,
	})
}

// sum adds up an amount of some figures. Errors: money.ErrOverflow.
func (m *maker) sum(of func(*models.FilingFigure) money.Total, is where) (sum money.Total, err error) {
	for i := range m.Figures.Figures {
		if x := &m.Figures.Figures[i]; is(x) {
			if sum, err = sum.Plus(of(x)); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// plus adds up totals. Errors: money.ErrOverflow.
func plus(parts ...money.Total) (sum money.Total, err error) {
	for _, part := range parts {
		if sum, err = sum.Plus(part); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
