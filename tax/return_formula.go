package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
)

// Formula says how a line of a return is computed: by a function of package returns with arguments, such as
// "add(#4, -#5)". "#" comes before the number of a line.
type Formula struct {
	Function string
	Args     []string
}

// String returns the formula as it was read.
func (f Formula) String() string { return f.Function + "(" + strings.Join(f.Args, ", ") + ")" }

// Fields returns the fields of a registration that the lines of a layout ask for, and those from which the periods of a
// frequency follow.
func (l *ReturnLayout) Fields(frequency calendar.FilingFrequency) (fields []string) {
	if field, ok := periodFields[periodsOf{l.Country, frequency}]; ok {
		fields = append(fields, field)
	}
	for i := range l.Lines {
		// guard: returns: what a form asks of the registration is missing data
		if slices.Contains(l.Lines[i].Formula.Args, otherCounty) {
			return append(fields, FieldCounty)
		}
	}
	return fields
}

// periodsOf are the periods of a frequency in a country.
type periodsOf struct {
	country   string
	frequency calendar.FilingFrequency
}

// periodFields are the fields of a registration from which its periods follow. Without them they begin with the year.
var periodFields = map[periodsOf]string{
	{"GB", calendar.FilingQuarterly}: FieldStagger, {"GB", calendar.FilingAnnually}: FieldAnnualEnd,
}

// FieldCounty is the field of a registration that names the county of its certificate, such as "Miami-Dade County".
const FieldCounty = "certificate_county"

// Fields of a registration in the United Kingdom.
const (
	FieldStagger   = "stagger"    // the stagger group, 1 to 3
	FieldAnnualEnd = "annual_end" // the month with which the year of annual accounting ends, 1 to 12
)

// otherCounty is the condition of lines for counties other than that of the certificate.
const otherCounty = "other_county"

// parseFormula reads a formula; false for a text that is none.
func parseFormula(text string) (f Formula, ok bool) {
	function, rest, opened := strings.Cut(text, "(")
	args, closed := strings.CutSuffix(rest, ")")
	if function == "" || !opened || !closed {
		return f, false
	}
	f.Function = function
	if args == "" {
		return f, true
	}
	for arg := range strings.SplitSeq(args, ",") {
		if arg = strings.TrimSpace(arg); arg == "" {
			return f, false
		}
		f.Args = append(f.Args, arg)
	}
	return f, true
}

// LineOf returns the number of the line that an argument names, and whether it is taken off; "" if it names none.
func LineOf(arg string) (line string, off bool) {
	arg, off = strings.CutPrefix(strings.TrimPrefix(arg, "<="), "-")
	if line, ok := strings.CutPrefix(arg, "#"); ok {
		return line, off
	}
	return "", false
}

// unknownLine returns the first line that a formula names and that does not precede it; "" for none.
func (l *ReturnLayout) unknownLine(x *ReturnLine) string {
	for _, arg := range x.Formula.Args {
		if line, _ := LineOf(arg); line != "" {
			if _, ok := l.Line(line); !ok {
				return line
			}
		}
	}
	return ""
}

// RoundingWord says where a form rounds. All but UNIT_DOWN round half away from zero, once.
type RoundingWord string

// The words of rounding.
const (
	RoundCentAccrued RoundingWord = "CENT_ACCRUED" // tax is the sum of the taxes of sales
	RoundCentOfBase  RoundingWord = "CENT_OF_BASE" // base in cents x rate, to the cent
	RoundDollarBase  RoundingWord = "DOLLAR_BASE"  // base in whole dollars x rate, to the cent
	RoundDollarAll   RoundingWord = "DOLLAR_ALL"   // bases and taxes in whole dollars
	RoundDollarHead  RoundingWord = "DOLLAR_HEAD"  // the bases of the authority in whole dollars, all else to the cent
	RoundUnitFlat    RoundingWord = "UNIT_FLAT"    // bases in whole units, of which no tax is computed
	RoundUnitDown    RoundingWord = "UNIT_DOWN"    // the same, and their hundredths are left out
)

// roundings say which units the bases and the taxes of a form have, and whether it multiplies bases by rates.
var roundings = map[RoundingWord]struct{ bases, taxes, multiplies bool }{ // true: whole dollars
	RoundCentAccrued: {false, false, false}, RoundCentOfBase: {false, false, true}, RoundDollarBase: {true, false, true},
	RoundDollarAll: {true, true, true}, RoundDollarHead: {true, false, true}, RoundUnitFlat: {true, false, false},
	RoundUnitDown: {true, false, false},
}

func (w RoundingWord) known() bool {
	_, ok := roundings[w]
	return ok
}

// allows reports whether the unit and the function of a line fit the word. Lines that begin with "X" stand beside the
// form.
func (w RoundingWord) allows(x *ReturnLine) bool {
	r, args := roundings[w], x.Formula.Args
	switch {
	case strings.HasPrefix(x.Line, "X"):
		return true
	case x.Formula.Function == "share" || x.Formula.Function == "greater":
		return r.multiplies && x.Dollars == r.taxes
	case x.Formula.Function != "sum" || len(args) == 0:
		return r.bases || !x.Dollars
	case args[0] == "tax" || args[0] == "owed":
		return x.Dollars == r.taxes
	case w == RoundDollarHead && !slices.Contains(args, "top"):
		return !x.Dollars
	}
	return x.Dollars == r.bases
}
