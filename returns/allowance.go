package returns

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// allowance is what the state leaves to sellers that file and pay in time: allowance(#14, #15) of the sum of two lines.
// After "of" come lines that share it: allowance(#10a, of, #10a, #10b) is the part of line 10a. An amount that was entered
// in the filing wins.
func (s *step) allowance() (money.Total, error) {
	lines, shared := s.args, []string(nil)
	if n := slices.Index(s.args, "of"); n >= 0 {
		lines, shared = s.args[:n], s.args[n+1:]
	}
	if len(lines) == 0 || shared != nil && !slices.Contains(shared, lines[0]) {
		return money.Total{}, errFormula
	}
	base := lines
	if shared != nil {
		base = shared
	}
	whole, err := s.total(base)
	if err != nil {
		return whole, err
	}
	proposed, err := s.proposedOf(whole, base)
	if err != nil {
		return whole, err
	}
	if shared == nil || shared[0] == lines[0] {
		s.noteDiscount(s.Filing.AmountDiscounts, proposed)
	}
	amount := s.Filing.AmountDiscounts
	own := amount.IsZero() || amount == proposed
	switch {
	case shared == nil && own:
		return proposed, nil
	case shared == nil:
		return amount, nil
	case own:
		amount = proposed
	}
	if own && !proposed.IsZero() && s.Allowance.Flat() {
		part, err := s.total(lines[:1])
		if err != nil {
			return part, err
		}
		return s.left(part)
	}
	return s.portion(amount, whole, lines[0], shared)
}

// portion returns what of an amount falls to one of the lines that share it. Running sums are rounded, so that all portions
// add up to it. Errors: money.ErrOverflow.
func (s *step) portion(amount, whole money.Total, line string, shared []string) (money.Total, error) {
	n := slices.Index(shared, line)
	before, err := s.total(shared[:n])
	if err != nil {
		return before, err
	}
	upTo, err := s.total(shared[:n+1])
	if err != nil {
		return upTo, err
	}
	return amount.Portion(upTo, whole).Minus(amount.Portion(before, whole))
}

// proposal is the allowance that the filing does not take, of an authority whose form was not read.
func (s *step) proposal() (money.Total, error) {
	conditions := []string{"own"}
	if a := s.Allowance; a != nil && a.Basis == tax.BasisStateTax {
		conditions = append(conditions, "top")
	}
	whole, err := s.sumOf("owed", conditions)
	if err != nil {
		return whole, err
	}
	s.rows = nil // the lines above name them
	proposed, err := s.proposedOf(whole, nil)
	if err != nil {
		return whole, err
	}
	s.noteDiscount(s.Filing.AmountDiscounts, proposed)
	return proposed, nil
}

// proposedOf returns the allowance of a tax: 0.00 after the due day, or if the row of the state is not sure.
func (s *step) proposedOf(whole money.Total, shared []string) (sum money.Total, err error) {
	a := s.Allowance
	if a == nil || !s.inTime() || whole.IsNeg() {
		return sum, nil
	}
	if a.Confidence == tax.ConfidenceLow || !a.Computable() {
		s.note(models.SeverityInfo, "DISCOUNT_UNSURE", s.line.Line, "The state may leave a part of the tax to sellers that file in time, "+
			"which Levy does not compute: "+a.Condition, 0, money.Total{})
		return sum, nil
	}
	if !a.Flat() || len(shared) < 2 {
		return s.left(whole)
	}
	for _, line := range shared { // each column of the form rounds its own
		part, err := s.total([]string{line})
		if err != nil {
			return sum, err
		}
		if part, err = s.left(part); err != nil {
			return sum, err
		}
		if sum, err = sum.Plus(part); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// left is the allowance of a tax, in the unit of the line. Errors: money.ErrOverflow.
func (s *step) left(tax money.Total) (money.Total, error) {
	// guard: returns: an allowance in whole dollars is rounded once
	if s.line.Dollars {
		return s.Allowance.InUnits(tax, s.months())
	}
	return s.Allowance.Of(tax, s.months())
}

// noteDiscount notes how a discount that was entered differs from what is proposed.
func (s *step) noteDiscount(entered, proposed money.Total) {
	switch {
	case entered == proposed:
	case entered.IsZero():
		s.note(models.SeverityInfo, "DISCOUNT_PROPOSED", s.number(),
			"The filing takes no discount: enter this one if you file and pay in time. It is for sellers that meet this: "+
				s.Allowance.Condition, 1, proposed)
	default:
		s.note(models.SeverityWarning, "DISCOUNT_ENTERED", s.number(),
			"The filing takes another discount than the form computes, which this is.", 1, proposed)
	}
}

// months returns how many months the period has.
func (m *maker) months() int {
	from, to := m.Filing.StartDate, m.Filing.EndDate
	return (to.Year()-from.Year())*12 + int(to.Month()-from.Month()) + 1
}

// inTime reports whether the day of filing is not after the due day, which must be known. Prepayments and amended returns
// get no allowance.
func (m *maker) inTime() bool {
	// guard: returns: a discount is proposed until the due day
	return m.Filing.DueDate != nil && m.Day <= calendar.DateOf(*m.Filing.DueDate) &&
		m.Filing.FilingCategory == calendar.FilingRegular
}
