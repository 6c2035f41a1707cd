package returns

import (
	"slices"
	"strconv"
	"strings"

	"levy/models"
	"levy/tax/money"
)

// general makes the worksheet for authorities whose form was not read. Its lines are gross sales, sales that are not taxed
// by reason, and the base. Then follow tax by jurisdiction and rate, and what is to be paid. Errors: money.ErrOverflow.
func general(m *maker) error {
	sold, figures, err := m.sum(gross, all(m.top, onForms))
	if err != nil {
		return err
	}
	m.put("1", "", "", sold, figures)
	for _, part := range []struct {
		line string
		is   where
	}{{"1m", all(m.top, marketplace)}, {"1r", all(m.top, onForms, below)}} {
		amount, figures, err := m.sum(gross, part.is)
		if err != nil {
			return err
		}
		if part.line == "1r" {
			amount = amount.Neg()
		}
		m.put(part.line, "", "", amount, figures)
	}
	if err := m.putExempt(); err != nil {
		return err
	}
	base, figures, err := m.sum(taxable, all(m.top, own))
	if err != nil {
		return err
	}
	m.put("3", "", "", base, figures)
	due, figures, err := m.putTaxes()
	if err != nil {
		return err
	}
	m.put("5", "", "", due, figures)
	if err := m.putAmounts(due); err != nil {
		return err
	}
	outside, figures, err := m.sum(gross, all(m.top, unobliged))
	if err != nil {
		return err
	}
	m.put("X", "", "", outside, figures)
	return nil
}

// putExempt adds the lines of what is not taxed, by reason. Errors: money.ErrOverflow.
func (m *maker) putExempt() error {
	sum, figures, err := m.sum(untaxed, all(m.top, own))
	if err != nil {
		return err
	}
	m.put("2", "", "", sum, figures)
	var reasons []string
	for i := range m.Figures.Figures {
		if x := &m.Figures.Figures[i]; m.top(x) && own(x) && !untaxed(x).IsZero() && !slices.Contains(reasons, x.Category) {
			reasons = append(reasons, x.Category)
		}
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		amount, figures, err := m.sum(untaxed, all(m.top, own, func(x *models.FilingFigure) bool { return x.Category == reason }))
		if err != nil {
			return err
		}
		number, name := reason, strings.ToLower(strings.ReplaceAll(reason, "_", " "))
		if reason == "" {
			number, name = "OTHER", "tax given back, and no reason known"
		}
		m.put("2.*", number, name, amount, figures)
	}
	return nil
}

// putTaxes adds base and tax of each jurisdiction at each rate, and returns the sum of the tax. Errors: money.ErrOverflow.
func (m *maker) putTaxes() (due money.Total, figures []int, err error) {
	for n, p := range m.places(own) {
		name := p.name + " at " + p.rate
		base, from, err := m.sum(taxable, all(own, at(p)))
		if err != nil {
			return due, nil, err
		}
		m.put("4.*", strconv.Itoa(n+1), name, base, from)
		part, from, err := m.sum(owed, all(own, at(p)))
		if err != nil {
			return due, nil, err
		}
		m.put("4.*t", strconv.Itoa(n+1), name, part, from)
		if due, err = due.Plus(part); err != nil {
			return due, nil, err
		}
		figures = append(figures, from...)
	}
	return due, figures, nil
}

// putAmounts adds the amounts of the filing, from the tax to what is to be paid. Errors: money.ErrOverflow.
func (m *maker) putAmounts(due money.Total) error {
	f := &m.Filing
	entered, err := plus(f.AmountAdjusted, f.AmountFees, f.AmountPenalties)
	if err != nil {
		return err
	}
	off, err := plus(f.AmountPrepaid, f.AmountCreditApplied)
	if err != nil {
		return err
	}
	m.put("6", "", "", f.AmountDiscounts, nil)
	m.put("7", "", "", entered, nil)
	m.put("8", "", "", off, nil)
	if amount, tooLarge := money.ParseTotal(f.AmountText()); tooLarge == nil {
		m.put("9", "", "", amount, nil)
	} else {
		m.note(models.SeverityError, "AMOUNT_TOO_LARGE", "9", "The amount of the filing has more digits than a return may have.",
			1, money.Total{})
	}
	difference, err := due.Minus(f.TotalTaxLiability)
	if err != nil {
		return err
	}
	// guard: returns: the lines of a worksheet add up to what the filing owes
	if !difference.IsZero() && m.Figures.Missing == 0 {
		m.note(models.SeverityError, "SUMS_DIFFER", "5",
			"The lines do not add up to the tax of the filing: do not file them, and tell your operator.", 1, difference)
	}
	return nil
}
