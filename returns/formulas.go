package returns

import (
	"cmp"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// step is a line that is being computed, for one of its parts if it has any.
type step struct {
	*maker

	line *tax.ReturnLine
	args []string
	part *part
	n    int // the number of the part
	rows []int
	// absent tells that the part has no such line.
	absent bool
}

// formulas are the functions of formulas. Each returns the amount of a line, and writes the rows that add up to it.
// Errors: errFormula, money.ErrOverflow.
var formulas = map[string]func(*step) (money.Total, error){
	"sum": (*step).sum, "add": (*step).add, "share": (*step).share, "greater": (*step).greater, "least": (*step).least,
	"above": (*step).above, "below": (*step).below, "open": (*step).open, "unsplit": (*step).unsplit,
	"entries": (*step).entries, "payments": (*step).payments, "penalties": (*step).penalties, "filing": (*step).filing,
	"entry":     (*step).entryOfPart,
	"allowance": (*step).allowance, "proposal": (*step).proposal,
}

// sum adds up an amount of the rows that fulfil all conditions: sum(AMOUNT, CONDITION…). "at" are the rows of the part.
func (s *step) sum() (sum money.Total, err error) {
	if len(s.args) == 0 {
		return sum, errFormula
	}
	return s.sumOf(s.args[0], s.args[1:])
}

func (s *step) sumOf(name string, names []string) (sum money.Total, err error) {
	amount, ok := amounts[name]
	if !ok {
		return sum, errFormula
	}
	is, at, err := s.conditions(names)
	if err != nil || at && s.part == nil {
		return sum, cmp.Or(err, errFormula)
	}
	s.collects = s.collects || name == "owed" && s.line.Line != accruedLine
	of := amount(s.maker)
	add := func(i int, off bool) error {
		x := &s.maker.rows[i]
		if !is(x) || of(x).IsZero() {
			return nil
		}
		if entry, ok := s.entry(i); ok {
			s.used[entry] = true
		}
		s.rows = append(s.rows, i)
		by := of(x)
		if off {
			by = by.Neg()
		}
		sum, err = sum.Plus(by)
		return err
	}
	if !at {
		for i := range s.maker.rows {
			if err := add(i, false); err != nil {
				return sum, err
			}
		}
		return sum, nil
	}
	rows, less := s.part.rowsOf(name)
	for _, i := range rows {
		if err := add(i, false); err != nil {
			return sum, err
		}
	}
	for _, i := range less {
		if err := add(i, true); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// conditions reads conditions. at tells whether "at" is one of them. Errors: errFormula.
func (m *maker) conditions(names []string) (is where, at bool, err error) {
	list := make([]where, 0, len(names))
	for _, name := range names {
		if name == "at" {
			at = true
			continue
		}
		is := m.condition(name)
		if is == nil {
			return nil, false, errFormula
		}
		list = append(list, is)
	}
	return all(list...), at, nil
}

// of returns the amount of a line: of the same part if both lines have the same parts, otherwise the sum of its parts.
func (s *step) of(line string) (sum money.Total, err error) {
	values := s.values[line]
	if s.part != nil && values.parts {
		if s.n >= len(values.amounts) {
			return sum, errFormula
		}
		return values.amounts[s.n], nil
	}
	return plus(values.amounts...)
}

// add adds up lines, or takes them off: add(#1, -#2).
func (s *step) add() (money.Total, error) { return s.total(s.args) }

func (s *step) total(lines []string) (sum money.Total, err error) {
	for _, arg := range lines {
		line, off := tax.LineOf(arg)
		if line == "" {
			return sum, errFormula
		}
		amount, err := s.of(line)
		if err != nil {
			return sum, err
		}
		if off {
			amount = amount.Neg()
		}
		if sum, err = sum.Plus(amount); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// share multiplies the sum of lines by a rate: share(#2, 0.06). "at" is the rate of the part. A part that has only purchases has none:
// its tax is as they were entered.
func (s *step) share() (money.Total, error) {
	last := len(s.args) - 1
	if last < 1 {
		return money.Total{}, errFormula
	}
	base, err := s.total(s.args[:last])
	if err != nil {
		return base, err
	}
	text := s.args[last]
	if text == "at" {
		if s.part == nil {
			return base, errFormula
		}
		if text = s.part.rate; text == "" {
			return s.sumOf("tax", []string{"at"})
		}
	}
	rate, err := money.ParseDecimal(text)
	if err != nil || rate.IsNeg() || rate.Cmp(decimal.One) > 0 {
		return base, errFormula
	}
	// guard: returns: a tax in whole dollars is rounded once
	if s.line.Dollars {
		return base.ShareInUnits(rate), nil
	}
	return base.Share(rate), nil
}

// greater is the greater of a line multiplied by a rate and of what some rows owe: greater(#2, 0.06, CONDITION…). They owe what was
// collected, too.
func (s *step) greater() (money.Total, error) {
	if len(s.args) < 2 {
		return money.Total{}, errFormula
	}
	taxed, err := s.sumOf("owed", s.args[2:])
	if err != nil {
		return taxed, err
	}
	s.args = s.args[:2]
	computed, err := s.share()
	return money.MaxTotal(taxed, computed), err
}

// least is the smallest of some lines: least(#1, #2).
func (s *step) least() (least money.Total, err error) {
	for n := range s.args {
		amount, err := s.total(s.args[n : n+1])
		if err != nil {
			return least, err
		}
		if n == 0 {
			least = amount
		}
		least = money.MinTotal(least, amount)
	}
	return least, nil
}

// above is a line if it is above zero, otherwise zero.
func (s *step) above() (money.Total, error) {
	amount, err := s.total(s.args)
	return money.MaxTotal(amount, money.Total{}), err
}

// below is a line without its sign if it is below zero, otherwise zero.
func (s *step) below() (money.Total, error) {
	amount, err := s.total(s.args)
	return money.MaxTotal(amount.Neg(), money.Total{}), err
}

// open is a line that Levy has no figure for: what entries say that name it. open(base) is a line before the tax: it has
// their bases.
func (s *step) open() (money.Total, error) {
	return s.entered(func(*models.FilingEntry) bool { return false })
}

// unsplit adds up entries like entries, on a form that divides payments in a way that Levy does not know.
func (s *step) unsplit() (money.Total, error) {
	s.unpaid = s.line.Line
	return s.entries()
}

// entries adds up entries of some kinds: entries(BAD_DEBT, <=#5) is at most line 5. After "top" and "local" come entries of
// the authority alone, and of jurisdictions below it. "collected" is what was collected above the tax of own sales.
func (s *step) entries() (money.Total, error) {
	kinds, ceiling := s.split()
	sum, err := s.entered(func(e *models.FilingEntry) bool {
		local := e.JurisdictionName != "" && !s.top(&models.FilingFigure{FigureKey: models.FigureKey{Level: e.JurisdictionType}})
		return slices.Contains(kinds, string(e.Kind)) && (!local || !slices.Contains(kinds, "top")) &&
			(local || !slices.Contains(kinds, "local"))
	})
	if err == nil && slices.Contains(kinds, "collected") {
		sum, err = s.withExcess(sum)
	}
	return s.atMost(sum, ceiling, err)
}

// withExcess adds what was collected above the tax of own sales. Tax that was collected below it is on no line. Errors:
// money.ErrOverflow.
func (s *step) withExcess(sum money.Total) (money.Total, error) {
	over, err := s.sumOf("excess", []string{"own"})
	if err != nil || over.IsNeg() {
		return sum, err
	}
	s.collects = true
	return sum.Plus(over)
}

// entry is what the entry of the part adds to the amount of the filing, or its base: entry(effect), entry(base). An entry
// without a base has no such line.
func (s *step) entryOfPart() (money.Total, error) {
	if s.part == nil || len(s.args) != 1 {
		return money.Total{}, errFormula
	}
	e := &s.Entries[s.n]
	s.used[s.n] = true
	switch s.args[0] {
	case "effect":
		return e.Effect(), nil
	case "base":
		s.absent = e.Taxable.IsZero()
		return e.Taxable, nil
	}
	return money.Total{}, errFormula
}

// payments adds up what was paid or granted before: prepayments, credit, and entries of both.
func (s *step) payments() (money.Total, error) {
	_, ceiling := s.split()
	s.paid = true
	sum, err := s.entered(func(e *models.FilingEntry) bool {
		return e.Kind == models.EntryPriorPayment || e.Kind == models.EntryCredit
	})
	if err != nil {
		return sum, err
	}
	sum, err = plus(sum, s.Filing.AmountPrepaid, s.Filing.AmountCreditApplied)
	return s.atMost(sum, ceiling, err)
}

// penalties is what was entered for penalties and interest, without entries of some kinds or for other lines:
// penalties(INTEREST).
func (s *step) penalties() (money.Total, error) {
	sum := s.Filing.AmountPenalties
	s.penal = true
	for i := range s.Entries {
		e := &s.Entries[i]
		if !e.Kind.Penal() {
			continue
		}
		line := s.lineOf(e)
		if line == s.number() || line == "" && !slices.Contains(s.args, string(e.Kind)) {
			s.used[i] = true
			continue
		}
		var err error
		if sum, err = sum.Minus(e.Amount); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// filing adds up amounts of the filing: filing(discounts).
func (s *step) filing() (sum money.Total, err error) {
	f := &s.Filing
	for _, arg := range s.args {
		var amount money.Total
		switch arg {
		case "discounts":
			amount = f.AmountDiscounts
		case "adjusted":
			amount, s.adjusts = f.AmountAdjusted, true
		case "fees":
			amount = f.AmountFees
		case "penalties":
			amount, s.penal = f.AmountPenalties, true
		case "prepaid":
			amount, s.paid = f.AmountPrepaid, true
		case "credit":
			amount = f.AmountCreditApplied
		case "amount":
			var tooLarge error
			if amount, tooLarge = money.ParseTotal(f.AmountText()); tooLarge != nil {
				s.note(models.SeverityError, "AMOUNT_TOO_LARGE", s.line.Line,
					"The amount of the filing has more digits than a return may have.", 1, money.Total{})
			}
		default:
			return sum, errFormula
		}
		if sum, err = sum.Plus(amount); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// split divides the arguments into names and the line that is the most.
func (s *step) split() (names []string, ceiling string) {
	for _, arg := range s.args {
		if strings.HasPrefix(arg, "<=") {
			ceiling = arg
		} else {
			names = append(names, arg)
		}
	}
	return names, ceiling
}

// atMost returns an amount, or the line that is the most, and notes what it cuts off.
func (s *step) atMost(sum money.Total, ceiling string, err error) (money.Total, error) {
	if err != nil || ceiling == "" {
		return sum, err
	}
	most, err := s.total([]string{ceiling})
	if err != nil {
		return sum, err
	}
	kept := money.MinTotal(sum, money.MaxTotal(most, money.Total{}))
	if rest, err := sum.Minus(kept); err == nil && !rest.IsZero() {
		s.note(models.SeverityWarning, "ENTRY_WITHOUT_LINE", s.number(),
			"The line takes no more than the tax that it lowers: this rest is in no line.", 1, rest)
	}
	return kept, nil
}

// entered adds up the entries that name the line, and those without a line that are wanted.
func (s *step) entered(wanted func(*models.FilingEntry) bool) (sum money.Total, err error) {
	for i := range s.Entries {
		e := &s.Entries[i]
		if line := s.lineOf(e); line != s.number() && (line != "" || !wanted(e)) {
			continue
		}
		amount := e.Amount
		if wantsBases(s.line) {
			amount = e.Taxable
		}
		s.used[i] = true
		if sum, err = sum.Plus(amount); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// lineOf returns the line that an entry names if the form takes entries there; "" for that of its kind. Lines of purchases
// take no other entries, and lines of bases none without a base.
func (m *maker) lineOf(e *models.FilingEntry) string {
	l, ok := m.Layout.Line(e.Line)
	if !ok || !takesEntries(&l) || wantsPurchases(&l) && !bought(e.Kind) || wantsBases(&l) && e.Taxable.IsZero() {
		return ""
	}
	return e.Line
}

// takesEntries reports whether people may enter amounts for a line.
func takesEntries(l *tax.ReturnLine) bool {
	switch l.Formula.Function {
	case "open", "unsplit", "entries", "payments", "penalties":
		return true
	case "sum":
		return wantsPurchases(l)
	}
	return false
}

// wantsPurchases reports whether a line has purchases.
func wantsPurchases(l *tax.ReturnLine) bool {
	return slices.Contains(l.Formula.Args, "bought") || slices.Contains(l.Formula.Args, "both")
}

// wantsBases reports whether a line has the bases of entries instead of their amounts.
func wantsBases(l *tax.ReturnLine) bool { return slices.Contains(l.Formula.Args, "base") }

// number returns the number of the line as the worksheet shows it.
func (s *step) number() string {
	if s.part == nil {
		return s.line.Line
	}
	return strings.Replace(s.line.Line, "*", s.part.number, 1)
}
