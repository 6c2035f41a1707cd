package returns

import (
	"strconv"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// stateRate is the tax of Texas. Source: Tex. Tax Code 151.051.
var stateRate = decimal.MustNew(625, 4)

// texas makes form 01-114 with its list supplement, as a seller fills it in who files by list: once for all of Texas. It
// taxes whole dollars, so its tax differs by cents from what Levy has accrued. Errors: money.ErrOverflow.
func texas(m *maker) error {
	sold, figures, err := m.sum(gross, all(m.top, onForms))
	if err != nil {
		return err
	}
	m.refuseNegative("1", m.put("1", "", "", sold, figures))
	base, figures, err := m.sum(taxable, all(m.top, own))
	if err != nil {
		return err
	}
	base = m.put("2", "", "", base, figures)
	m.refuseNegative("2", base)
	m.put("3", "", "", money.Total{}, nil)
	m.note(models.SeverityInfo, "ENTRY_MISSING", "3", "Levy has no purchases: add those on which you paid no tax, and their tax.",
		0, money.Total{})
	subject := m.put("4", "", "", base, nil)
	local, err := m.putSupplement()
	if err != nil {
		return err
	}
	state := m.put("8a", "", "", subject.Share(stateRate), nil)
	m.put("8b", "", "", local, nil)
	m.put("9a", "", "", money.Total{}, nil)
	m.put("9b", "", "", money.Total{}, nil)
	m.put("10a", "", "", state, nil)
	m.put("10b", "", "", local, nil)
	return m.putTexasDue(state, local)
}

// putSupplement adds the rows of the list supplement, and returns the local tax. Errors: money.ErrOverflow.
func (m *maker) putSupplement() (local money.Total, err error) {
	below := func(x *models.FilingFigure) bool { return own(x) && !m.top(x) }
	places := m.places(below)
	for n, p := range places {
		rate, err := money.ParseDecimal(p.rate)
		if err != nil {
			return local, err
		}
		name := p.name + " at " + p.rate
		base, figures, err := m.sum(taxable, all(below, at(p)))
		if err != nil {
			return local, err
		}
		base = m.put("S*", strconv.Itoa(n+1), name, base, figures)
		m.refuseNegative("S"+strconv.Itoa(n+1), base)
		part := m.put("S*t", strconv.Itoa(n+1), name, base.Share(rate), nil)
		if local, err = local.Plus(part); err != nil {
			return local, err
		}
	}
	if len(places) > 0 {
		m.note(models.SeverityInfo, "CODE_MISSING", "S1", "The supplement wants the code of each jurisdiction with 7 digits, which Levy "+
			"does not have: take it from the list of the Comptroller.", 0, money.Total{})
	}
	return local, nil
}

// putTexasDue adds the lines after the tax. Errors: money.ErrOverflow.
func (m *maker) putTexasDue(state, local money.Total) error {
	discounts, err := m.texasDiscount(state, local)
	if err != nil {
		return err
	}
	var due [2]money.Total
	for i, part := range []string{"a", "b"} {
		m.put("11"+part, "", "", discounts[i], nil)
		if due[i], err = [2]money.Total{state, local}[i].Minus(discounts[i]); err != nil {
			return err
		}
	}
	m.put("12a", "", "", money.Total{}, nil)
	m.put("12b", "", "", money.Total{}, nil)
	paid, err := plus(m.Filing.AmountPrepaid, m.Filing.AmountCreditApplied)
	if err != nil {
		return err
	}
	if !paid.IsZero() {
		m.note(models.SeverityWarning, "ENTRY_MISSING", "12a", "The filing has prepayments or credit, which items 9 and 12 lack: "+
			"enter them there, divided into state and local.", 1, paid)
	}
	m.put("13a", "", "", due[0], nil)
	m.put("13b", "", "", due[1], nil)
	penalties := m.put("14", "", "", m.Filing.AmountPenalties, nil)
	whole, err := plus(due[0], due[1], penalties)
	if err != nil {
		return err
	}
	m.put("15", "", "", whole, nil)
	own, figures, err := m.sum(accrued, own)
	if err != nil {
		return err
	}
	m.put("X", "", "", own, figures)
	difference, err := plus(state, local, own.Neg())
	if err != nil {
		return err
	}
	m.put("XD", "", "", difference, nil)
	m.compareForm("XD", difference)
	return nil
}

// texasDiscount returns the discount for timely filing, of state and local tax. An amount that was entered in the filing
// wins: the tax of both shares it. Errors: money.ErrOverflow.
func (m *maker) texasDiscount(state, local money.Total) (d [2]money.Total, err error) {
	proposed := m.inTime() && !state.IsNeg() && !local.IsNeg()
	if proposed {
		d = [2]money.Total{state.Share(m.Layout.Discount), local.Share(m.Layout.Discount)}
	}
	sum, err := plus(d[0], d[1])
	if err != nil {
		return d, err
	}
	entered := m.Filing.AmountDiscounts
	switch {
	case entered == sum:
	case entered.IsZero():
		m.note(models.SeverityInfo, "DISCOUNT_PROPOSED", "11a", "The filing takes no discount: enter this one if you file and pay in time.",
			1, sum)
	default:
		m.note(models.SeverityWarning, "DISCOUNT_ENTERED", "11a", "The filing takes another discount than the form computes, which this is.",
			1, sum)
		whole, err := plus(state, local)
		if err != nil {
			return d, err
		}
		d[1] = entered.Portion(local, whole)
		if d[0], err = entered.Minus(d[1]); err != nil {
			return d, err
		}
	}
	return d, nil
}

// inTime reports whether the day of filing is not after the due day, which must be known.
func (m *maker) inTime() bool {
	// guard: returns: a discount is proposed until the due day
	return m.Filing.DueDate != nil && m.Day <= calendar.DateOf(*m.Filing.DueDate)
}
