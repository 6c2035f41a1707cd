package tax

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
)

// ReturnLayout is an edition of the return of an authority: its lines, and how sure they are. It is for periods that end
// on its days, so that an amended return of last year has the lines of last year.
type ReturnLayout struct {
	ID                  string // such as "US-TX-01-114/2019-04"
	Country, State      string // "*" is the country of the layout for authorities without one
	Form, Name, Edition string
	calendar.Span
	Amends     string                     // how an amended return is filed: REPLACES or CORRECTS
	Rounding   RoundingWord               // where the form rounds
	Filers     []calendar.FilingFrequency // that file it; none for all
	LastMonths []int                      // the months that end a period; none for all
	Notes      []ReturnNote
	Source     string
	Confidence Confidence // of the layout itself; that of its lines may be lower
	Lines      []ReturnLine
}

// ReturnNote is a finding that every return of a layout has.
type ReturnNote struct{ Code, Message string }

// ReturnLine is a line of a layout. A "*" in its number stands for each of several lines.
type ReturnLine struct {
	Line, Name string
	Dollars    bool // it is in whole units of the currency, otherwise to the cent
	Rule       string
	Source     string
	Confidence Confidence
	Each       Formula // the parts of a line with "*", such as "locals(own)"; none for a single line
	Formula    Formula // how its amount is computed
	FromZero   bool    // the form takes no amount below zero
}

// How amended returns are filed.
const (
	AmendReplaces = "REPLACES"
	AmendCorrects = "CORRECTS"
)

// AnyCountry is the country of the layout for authorities without one.
const AnyCountry = "*"

// ReturnLayout returns the layout of an authority for a period that ends on a day: its own, else the general one.
func (c *Content) ReturnLayout(country, state string, end calendar.Date) (ReturnLayout, bool) {
	for _, at := range [][2]string{{country, state}, {AnyCountry, ""}} {
		for i := range c.layouts {
			if l := &c.layouts[i]; l.Country == at[0] && l.State == at[1] && l.Holds(end) {
				return *l, true
			}
		}
	}
	return ReturnLayout{}, false
}

// GeneralLayout returns the layout for authorities without one of their own, whatever the authority.
func (c *Content) GeneralLayout(end calendar.Date) (ReturnLayout, bool) {
	return c.ReturnLayout(AnyCountry, "", end)
}

// ReturnLayouts returns all layouts.
func (c *Content) ReturnLayouts() []ReturnLayout { return slices.Clone(c.layouts) }

// Line returns the line of a number; false if the layout has none.
func (l *ReturnLayout) Line(number string) (ReturnLine, bool) {
	i := slices.IndexFunc(l.Lines, func(x ReturnLine) bool { return x.Line == number })
	if i < 0 {
		return ReturnLine{}, false
	}
	return l.Lines[i], true
}

// IsFor reports whether filers of a frequency file the form; also if the frequency is not known.
func (l *ReturnLayout) IsFor(f calendar.FilingFrequency) bool {
	return len(l.Filers) == 0 || f == "" || slices.Contains(l.Filers, f)
}

// Sure returns the confidence of the whole layout: the lowest of its own and those of its lines.
func (l *ReturnLayout) Sure() Confidence {
	sure := levelOf(l.Confidence)
	for i := range l.Lines {
		sure = max(sure, levelOf(l.Lines[i].Confidence))
	}
	return sure.confidence()
}

func (b *builder) addReturnLayouts(rows []content.ReturnLayoutRow, lines []content.ReturnLineRow) {
	for _, row := range rows {
		l := ReturnLayout{
			ID: row.ID, Country: row.Country, State: row.State, Form: row.Form, Name: row.Name, Edition: row.Edition,
			Span: calendar.Span{From: row.From, To: row.To}, Amends: row.Amends, Source: row.Source,
			Rounding: RoundingWord(row.Rounding), Confidence: Confidence(row.Confidence),
		}
		switch {
		case l.ID == "" || l.Form == "" || l.Name == "" || l.Edition == "":
			b.fault(row.At, "no id, form, name or edition")
		case l.Source == "":
			b.fault(row.At, "no source")
		case row.From == 0:
			b.fault(row.At, "no first day")
		case row.Amends != AmendReplaces && row.Amends != AmendCorrects:
			b.fault(row.At, "amends %q", row.Amends)
		case !l.Rounding.known():
			b.fault(row.At, "rounding %q", row.Rounding)
		case row.Country == AnyCountry && row.State == "":
		case b.c.countries[row.Country] == "":
			b.fault(row.At, "unknown country %q", row.Country)
		case row.Country == "US" && b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		}
		b.checkSpan(row.At, l.Span)
		b.addReturnDetails(&l, row)
		for i := range b.c.layouts {
			o := &b.c.layouts[i]
			if o.ID == l.ID {
				b.fault(row.At, "a second layout %s", l.ID)
			}
			if o.Country == l.Country && o.State == l.State {
				b.checkApart(row.At, l.Span, o.Span)
			}
		}
		b.c.layouts = append(b.c.layouts, l)
	}
	b.addReturnLines(lines)
	for _, row := range rows {
		if i := slices.IndexFunc(b.c.layouts, func(l ReturnLayout) bool { return l.ID == row.ID }); len(b.c.layouts[i].Lines) == 0 {
			b.fault(row.At, "layout %s has no lines", row.ID)
		}
	}
	slices.SortFunc(b.c.layouts, func(x, y ReturnLayout) int { return cmp.Compare(x.ID, y.ID) })
}

// addReturnDetails adds what a layout says of filers, periods and findings.
func (b *builder) addReturnDetails(l *ReturnLayout, row content.ReturnLayoutRow) {
	for _, f := range row.Filers {
		l.Filers = append(l.Filers, calendar.FilingFrequency(f))
	}
	for _, text := range row.LastMonths {
		month, err := strconv.Atoi(text)
		if err != nil || month < 1 || month > 12 {
			b.fault(row.At, "month %q", text)
		}
		l.LastMonths = append(l.LastMonths, month)
	}
	for _, text := range row.Notes {
		code, message, ok := strings.Cut(text, ": ")
		if !ok {
			b.fault(row.At, "note %q has no code", text)
		}
		l.Notes = append(l.Notes, ReturnNote{code, message})
	}
}

func (b *builder) addReturnLines(lines []content.ReturnLineRow) {
	for _, row := range lines {
		i := slices.IndexFunc(b.c.layouts, func(l ReturnLayout) bool { return l.ID == row.Layout })
		if i < 0 {
			b.fault(row.At, "unknown layout %q", row.Layout)
			continue
		}
		l := &b.c.layouts[i]
		_, again := l.Line(row.Line)
		switch {
		case row.Line == "" || row.Name == "" || row.Rule == "":
			b.fault(row.At, "no number, name or rule")
		case strings.Count(row.Line, "*") > 1:
			b.fault(row.At, "line %q", row.Line)
		case row.Source == "":
			b.fault(row.At, "no source")
		case row.Unit != "CENT" && row.Unit != "DOLLAR":
			b.fault(row.At, "unit %q", row.Unit)
		case again:
			b.fault(row.At, "a second line %s of %s", row.Line, row.Layout)
		}
		line := ReturnLine{
			Line: row.Line, Name: row.Name, Dollars: row.Unit == "DOLLAR", Rule: row.Rule, Source: row.Source,
			Confidence: Confidence(row.Confidence), FromZero: row.FromZero,
		}
		var readable [2]bool
		line.Each, readable[0] = parseFormula(row.Each)
		line.Formula, readable[1] = parseFormula(row.Formula)
		switch {
		case row.Each != "" && !readable[0]:
			b.fault(row.At, "each %q", row.Each)
		case !readable[1]:
			b.fault(row.At, "formula %q", row.Formula)
		case strings.Contains(row.Line, "*") != (row.Each != ""):
			b.fault(row.At, "line %q has each %q", row.Line, row.Each)
		case l.unknownLine(&line) != "":
			b.fault(row.At, "formula %q: line %s is none of those before", row.Formula, l.unknownLine(&line))
		case !l.Rounding.allows(&line):
			b.fault(row.At, "%s of line %s does not fit %s", row.Unit, row.Line, l.Rounding)
		}
		l.Lines = append(l.Lines, line)
	}
}
