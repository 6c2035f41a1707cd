package returns

import (
	"slices"
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
	entries := m.entriesOfLines(texasLine, "3", "9a", "9b", "12a", "12b")
	bought, err := sumEntries(entryBase, entries["3"]...)
	if err != nil {
		return err
	}
	bought = m.put("3", "", "", bought, nil)
	m.refuseNegative("3", bought)
	if len(entries["3"]) == 0 {
		m.note(models.SeverityInfo, "ENTRY_MISSING", "3", "Levy has no purchases: add those on which you paid no tax, and their tax.",
			0, money.Total{})
	}
	subject, err := base.Plus(bought)
	if err != nil {
		return err
	}
	subject = m.put("4", "", "", subject, nil)
	local, err := m.putSupplement(entries["S*"])
	if err != nil {
		return err
	}
	state := m.put("8a", "", "", subject.Share(stateRate), nil)
	m.put("8b", "", "", local, nil)
	return m.putTexasDue(state, local, entries)
}

// texasLine returns the line of form 01-114 for an entry: purchases of a local jurisdiction are in its supplement.
func texasLine(e *models.FilingEntry) string {
	switch e.Kind {
	case models.EntryPurchase, models.EntryWithdrawal:
		if ofLocal(e) {
			return "S*"
		}
		return "3"
	case models.EntryPriorPayment:
		if ofLocal(e) {
			return "12b"
		}
		return "12a"
	case models.EntryAcquisition, models.EntryExcessTax, models.EntryNewPrepayment, models.EntryCredit, models.EntryBadDebt,
		models.EntryInputTax, models.EntryInterest, models.EntryPenalty:
	}
	return ""
}

// putSupplement adds the rows of the list supplement with the purchases there, and returns the local tax. Purchases where
// nothing was sold have a row with their tax as it was entered, because no rate is known. Errors: money.ErrOverflow.
func (m *maker) putSupplement(purchases []*models.FilingEntry) (local money.Total, err error) {
	below := func(x *models.FilingFigure) bool { return own(x) && !m.top(x) }
	places := m.places(below)
	rows := 0
	put := func(name string, base money.Total, figures []int, taxed func(money.Total) money.Total) (err error) {
		rows++
		number := strconv.Itoa(rows)
		base = m.put("S*", number, name, base, figures)
		m.refuseNegative("S"+number, base)
		local, err = local.Plus(m.put("S*t", number, name, taxed(base), nil))
		return err
	}
	for _, p := range places {
		rate, err := money.ParseDecimal(p.rate)
		if err != nil {
			return local, err
		}
		base, figures, err := m.sum(taxable, all(below, at(p)))
		if err != nil {
			return local, err
		}
		there, others := divide(purchases, func(e *models.FilingEntry) bool {
			return e.JurisdictionType == p.level && e.JurisdictionName == p.name
		})
		bought, err := sumEntries(entryBase, there...)
		if err != nil {
			return local, err
		}
		if base, err = base.Plus(bought); err != nil {
			return local, err
		}
		purchases = others
		if err := put(p.name+" at "+p.rate, base, figures, func(base money.Total) money.Total { return base.Share(rate) }); err != nil {
			return local, err
		}
	}
	for len(purchases) > 0 {
		first := purchases[0]
		there, others := divide(purchases, func(e *models.FilingEntry) bool { return e.JurisdictionID == first.JurisdictionID })
		base, err := sumEntries(entryBase, there...)
		if err != nil {
			return local, err
		}
		amount, err := sumEntries(entryAmount, there...)
		if err != nil {
			return local, err
		}
		purchases = others
		if err := put(first.JurisdictionName, base, nil, func(money.Total) money.Total { return amount }); err != nil {
			return local, err
		}
	}
	if rows > 0 {
		m.note(models.SeverityInfo, "CODE_MISSING", "S1", "The supplement wants the code of each jurisdiction with 7 digits, which Levy "+
			"does not have: take it from the list of the Comptroller.", 0, money.Total{})
	}
	return local, nil
}

// divide returns the entries for which is holds, and the others, in their order.
func divide(entries []*models.FilingEntry, is func(*models.FilingEntry) bool) (these, others []*models.FilingEntry) {
	for _, e := range entries {
		if is(e) {
			these = append(these, e)
		} else {
			others = append(others, e)
		}
	}
	return these, others
}

// putTexasDue adds the lines after the tax. Errors: money.ErrOverflow.
func (m *maker) putTexasDue(state, local money.Total, entries map[string][]*models.FilingEntry) error {
	due := [2]money.Total{state, local}
	less := func(line string, to *money.Total, after string) error {
		off, err := sumEntries(entryAmount, entries[line]...)
		if err != nil {
			return err
		}
		if *to, err = to.Minus(m.put(line, "", "", off, nil)); err == nil && after != "" {
			m.put(after, "", "", *to, nil)
		}
		return err
	}
	for i, part := range []string{"a", "b"} {
		if err := less("9"+part, &due[i], "10"+part); err != nil {
			return err
		}
	}
	discounts, err := m.texasDiscount(due[0], due[1])
	if err != nil {
		return err
	}
	for i, part := range []string{"a", "b"} {
		m.put("11"+part, "", "", discounts[i], nil)
		if due[i], err = due[i].Minus(discounts[i]); err != nil {
			return err
		}
	}
	for i, part := range []string{"a", "b"} {
		if err := less("12"+part, &due[i], ""); err != nil {
			return err
		}
	}
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
	bought, err := sumEntries(entryAmount, slices.Concat(entries["3"], entries["S*"])...)
	if err != nil {
		return err
	}
	if own, err = own.Plus(bought); err != nil {
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
