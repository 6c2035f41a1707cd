package returns

import (
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// find notes what is to be known of any worksheet. The findings of the filing say what is to be known of its transactions.
func (m *maker) find() {
	m.findMissing()
	switch m.sheet.Sure {
	case tax.ConfidenceLow:
		m.note(models.SeverityWarning, "LAYOUT_LOW", "", m.sheet.Notice, 0, money.Total{})
	case tax.ConfidenceMedium:
		m.note(models.SeverityInfo, "LAYOUT_MED", "", m.sheet.Notice, 0, money.Total{})
	case tax.ConfidenceHigh:
	}
	if !m.Figures.Registered {
		m.note(models.SeverityWarning, "ID_MISSING", "", "The registration has no number of the authority: enter it as its sales tax id.",
			0, money.Total{})
	}
	if f := &m.Filing; f.FilingCategory == models.FilingAmendment && m.Layout.Amends == tax.AmendReplaces {
		m.note(models.SeverityWarning, "AMENDMENT_DIFFERENCE", "", "The form of an amended return wants all figures again. These lines have "+
			"the difference: add those of the return and of its filed amendments.", 0, money.Total{})
	}
	if !m.Filing.AmountAdjusted.IsZero() && m.Layout.Form != generalForm {
		m.note(models.SeverityWarning, "FREE_ADJUSTMENT", "", "The filing is adjusted by hand: the form has no line for it.",
			1, m.Filing.AmountAdjusted)
	}
	var mixed, uncategorised int64
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if x.Origin == models.OriginUnknown && m.top(x) {
			mixed += x.Transactions
		}
		if x.Class == "" && m.top(x) {
			uncategorised += x.Transactions
		}
	}
	if mixed > 0 {
		m.note(models.SeverityInfo, "ORIGIN_UNKNOWN", "", "It is not known from where these transactions ship. Some forms ask for it: "+
			"send their SHIP_FROM address.", mixed, money.Total{})
	}
	if uncategorised > 0 {
		m.note(models.SeverityInfo, "CLASS_MISSING", "", "No line of these transactions bears a part of what is owed, or an earlier release "+
			"did not keep their explanation.", uncategorised, money.Total{})
	}
}

// findMissing notes transactions without figures.
func (m *maker) findMissing() {
	if m.Figures.Missing == 0 {
		return
	}
	said := "Transactions of an earlier release have no figures yet: the lines lack them. Levy writes them in the background."
	if m.Filing.FilingCategory == calendar.FilingPrepayment && m.Filing.ClaimedAt != nil {
		said = "An earlier release did not keep the figures of this prepayment: the lines lack them. Take them from its report."
	}
	m.note(models.SeverityError, "FIGURES_MISSING", "", said, m.Figures.Missing, money.Total{})
}

// refuseNegative notes a line that a form takes only from zero on.
func (m *maker) refuseNegative(line string, amount money.Total) {
	if amount.IsNeg() {
		m.note(models.SeverityError, "NEGATIVE_NOT_ALLOWED", line,
			"Refunds exceed the sales of this line, and the form takes no amount below zero.", 1, amount)
	}
}

// compareForm notes by how much the form differs from what Levy has accrued.
func (m *maker) compareForm(line string, difference money.Total) {
	if !difference.IsZero() {
		m.note(models.SeverityInfo, "FORM_DIFFERS", line, "The form computes another tax from these lines than Levy has accrued by transaction.",
			1, difference)
	}
}
