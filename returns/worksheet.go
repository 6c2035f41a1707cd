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

// Input is what a worksheet or a document is made of.
type Input struct {
	Layout  tax.ReturnLayout
	Filing  models.Filing
	Figures models.FilingFigures
	// Day is the day of filing. Discounts depend on it.
	Day calendar.Date

	// File, Filer and IDs are of documents alone. A preview has no ids: it shows zeros.
	File  tax.ReturnFile
	Filer models.ReturnFiler
	IDs   IDs
}

// Worksheet is a return in the words of its form.
type Worksheet struct {
	Layout   tax.ReturnLayout
	Sure     tax.Confidence // the lowest of what the worksheet rests on
	Notice   string         // how sure it is, to be shown first; "" for nothing to say
	Lines    []Line
	Findings []Finding
}

// Line is a line of a worksheet. Figures are the positions of the figures that add up to it.
type Line struct {
	Line, Name string
	Amount     money.Total
	Dollars    bool
	Rule       string
	Sure       tax.Confidence
	Figures    []int
}

// Finding is what a person should know of a worksheet or a document.
type Finding = models.ReturnFinding

// ErrLayout means that the program does not know the lines of a layout, which content has.
var ErrLayout = errors.New("no worksheet for this layout")

// generalForm is the form of authorities whose form was not read. It has a line for adjustments.
const generalForm = "GENERAL"

// forms are the forms whose lines this package computes.
var forms = map[string]func(*maker) error{generalForm: general, "01-114": texas}

// Make makes the worksheet of a return. Errors: ErrLayout, money.ErrOverflow.
func Make(in Input) (Worksheet, error) {
	form, ok := forms[in.Layout.Form]
	if !ok {
		return Worksheet{}, fmt.Errorf("%w: %s", ErrLayout, in.Layout.ID)
	}
	m := &maker{Input: in, sheet: Worksheet{Layout: in.Layout, Sure: in.Layout.Sure(), Findings: []Finding{}}}
	m.sheet.Notice = notices[m.sheet.Sure]
	m.find()
	if err := form(m); err != nil {
		return Worksheet{}, err
	}
	return m.sheet, nil
}

// notices say how sure a worksheet is.
var notices = map[tax.Confidence]string{
	tax.ConfidenceLow: "The form of this authority was not read: these lines are in no order of a form. " +
		"Compare them with the form before you file.",
	tax.ConfidenceMedium: "Some lines rest on an older edition, or were not read again: compare them with the form before you file.",
}

// maker makes a worksheet.
type maker struct {
	Input
	sheet Worksheet
}

// where is a condition on figures.
type where func(*models.FilingFigure) bool

// all returns the condition that all conditions hold.
func all(conditions ...where) where {
	return func(x *models.FilingFigure) bool {
		for _, is := range conditions {
			if !is(x) {
				return false
			}
		}
		return true
	}
}

func own(x *models.FilingFigure) bool         { return x.Channel == models.ChannelOwn }
func marketplace(x *models.FilingFigure) bool { return x.Channel == models.ChannelMarketplace }
func unobliged(x *models.FilingFigure) bool   { return x.Channel == models.ChannelNoObligation }
func onForms(x *models.FilingFigure) bool     { return !unobliged(x) }
func below(x *models.FilingFigure) bool       { return x.Sign == models.FigureRefund }

// top is the condition that a figure is of the level of the authority, which has all sales once.
func (m *maker) top(x *models.FilingFigure) bool {
	kind := tax.JurisdictionType(x.Level)
	if f := &m.Filing; (f.CountryCode == models.UnitedStates || f.CountryCode == models.Canada) && f.StateCode != f.CountryCode {
		return kind == tax.TypeState
	}
	return kind == tax.TypeCountry || kind == tax.TypeFederal
}

// at returns the condition that a figure is of a jurisdiction and rate.
func at(p place) where {
	return func(x *models.FilingFigure) bool { return x.Level == p.level && x.Name == p.name && x.Rate == p.rate }
}

func gross(x *models.FilingFigure) money.Total   { return x.Gross }
func taxable(x *models.FilingFigure) money.Total { return x.Taxable }
func accrued(x *models.FilingFigure) money.Total { return x.Tax }
func owed(x *models.FilingFigure) money.Total    { return x.Owed }

// untaxed is the part of the gross that is not taxed.
func untaxed(x *models.FilingFigure) money.Total {
	difference, _ := x.Gross.Minus(x.Taxable) // two amounts of a figure differ by less than a total has room for
	return difference
}

// sum adds up an amount of some figures, and returns their positions. Errors: money.ErrOverflow.
func (m *maker) sum(of func(*models.FilingFigure) money.Total, is where) (sum money.Total, at []int, err error) {
	at = []int{}
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if !is(x) || of(x).IsZero() {
			continue
		}
		if sum, err = sum.Plus(of(x)); err != nil {
			return sum, nil, err
		}
		at = append(at, i)
	}
	return sum, at, nil
}

// place is a jurisdiction at one rate.
type place struct{ level, name, rate string }

// places returns the jurisdictions of figures in their order, each with each of its rates once.
func (m *maker) places(is where) (found []place) {
	known := map[place]bool{}
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		p := place{x.Level, x.Name, x.Rate}
		if is(x) && !known[p] && (!x.Taxable.IsZero() || !x.Tax.IsZero() || !x.Owed.IsZero()) {
			known[p] = true
			found = append(found, p)
		}
	}
	return found
}

// put adds a line, as the form wants its amount, and returns that amount. name is added to the name of the layout; ""
// for none. In a number with "*" the part replaces it. A line that the layout lacks is not shown.
func (m *maker) put(number, part, name string, amount money.Total, figures []int) money.Total {
	l, ok := m.Layout.Line(number)
	if !ok {
		return amount
	}
	if l.Dollars {
		amount = amount.WholeUnits()
	}
	shown := Line{
		Line: strings.Replace(l.Line, "*", part, 1), Name: l.Name, Amount: amount, Dollars: l.Dollars, Rule: l.Rule,
		Sure: l.Confidence, Figures: figures,
	}
	if name != "" {
		shown.Name += ": " + name
	}
	if shown.Figures == nil {
		shown.Figures = []int{}
	}
	m.sheet.Lines = append(m.sheet.Lines, shown)
	return amount
}

// note adds a finding.
func (m *maker) note(severity, code, line, message string, count int64, amount money.Total) {
	m.sheet.Findings = append(m.sheet.Findings, Finding{
		Severity: severity, Code: code, Line: line, Message: message, Count: count, Amount: amount,
	})
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
