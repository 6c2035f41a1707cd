package returns

import (
	"slices"

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
	if f := &m.Filing; f.FilingCategory == models.FilingAmendment && f.CountryCode == models.EuropeanUnion {
		m.note(models.SeverityWarning, "AMENDMENT_CORRECTS", "", "There is no amended return to type in: the next return of the one-stop "+
			"shop has this difference as a correction of the period.", 0, money.Total{})
	}
	if m.carries() {
		m.note(models.SeverityWarning, "AMENDMENT_CARRIED", "", "The authority takes a period once, and no amended return. Carry this "+
			"difference into your next return if its law allows that, and disclose it to the authority otherwise.", 0, money.Total{})
	}
	for _, field := range m.Layout.Fields(m.Filing.Frequency()) {
		if m.Fields[field] == "" {
			m.note(models.SeverityWarning, "FIELD_MISSING", "", "The registration has no field "+field+" for its authority, which a line of the "+
				"form or its periods need: enter it in jurisdiction_specific_fields.", 0, money.Total{})
		}
	}
	m.findPaymentDay()
	m.findPeriod()
	m.findHomeRate()
	var mixed, uncategorised int64
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if !m.top(x) {
			continue
		}
		if x.Origin == models.OriginUnknown {
			mixed += x.Transactions
		}
		if x.Class == "" {
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

// refuseNegative notes a line that a form takes only from zero on. The lines of an amendment are no such amounts: they have the
// difference, which people add to those of its return.
func (m *maker) refuseNegative(line string, amount money.Total) {
	// guard: returns: a difference may be below zero
	if amount.IsNeg() && m.Filing.FilingCategory != models.FilingAmendment {
		m.note(models.SeverityError, "NEGATIVE_NOT_ALLOWED", line,
			"Refunds exceed the sales of this line, and the form takes no amount below zero: ask the authority how it takes them.", 1, amount)
	}
}

// findPeriod notes that the form is not that of the period. A form of other filers has other lines.
func (m *maker) findPeriod() {
	f, l := &m.Filing, &m.Layout
	frequency := f.Frequency()
	// guard: returns: a form is not for periods of other filers
	if !l.IsFor(frequency) {
		m.note(models.SeverityError, "PERIOD_KIND", "", "This form is for filers of another frequency: the authority has another form "+
			"for this return.", 0, money.Total{})
		return
	}
	if len(l.LastMonths) > 0 && !slices.Contains(l.LastMonths, int(f.EndDate.Month())) {
		m.note(models.SeverityError, "PERIOD_KIND", "", "The authority has no period that ends in this month: it takes no such return.",
			0, money.Total{})
	}
}

// findHomeRate notes that the rate of the county of the certificate is not known, because nothing was sold there. The line
// for counties at another rate then has all others. A county that taxes nothing itself has taxed sales of the state alone.
func (m *maker) findHomeRate() {
	home := m.Fields[tax.FieldCounty]
	if home == "" || !slices.Contains(m.Layout.Fields(m.Filing.Frequency()), tax.FieldCounty) {
		return
	}
	elsewhere := false
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if !own(x) {
			continue
		}
		if x.Name == home || !x.Taxable.IsZero() && within(x.Place, home) {
			return
		}
		elsewhere = elsewhere || !m.top(x)
	}
	if elsewhere {
		m.note(models.SeverityWarning, "RATE_UNCLEAR", "", "Nothing was sold in "+home+", so its rate is not known: a line for counties at "+
			"another rate has all others. Take those off that have the same rate.", 0, money.Total{})
	}
}

// carries reports whether the filing is an amendment for an authority that takes no amended return.
func (m *maker) carries() bool {
	return m.Filing.CountryCode == models.UnitedKingdom && m.Filing.FilingCategory == models.FilingAmendment
}

// findPaymentDay notes that banks are closed on the due day of a return, where its authority then wants a payment before.
func (m *maker) findPaymentDay() {
	if m.Filing.DueDate == nil {
		return
	}
	due := calendar.DateOf(*m.Filing.DueDate)
	// guard: returns: a payment arrives before a due day on which banks are closed
	if last, ok := calendar.LastWorkingDay(m.Filing.CountryCode, due); ok && last != due {
		m.note(models.SeverityInfo, "PAYMENT_DAY", "", "Banks are closed on the due day, "+due.String()+": a payment has to arrive by "+
			last.String()+". The return itself may be filed until the due day.", 0, money.Total{})
	}
}

// check adds the findings that follow from the lines. Errors: money.ErrOverflow.
func (m *maker) check() error {
	if m.unclear > 0 {
		m.note(models.SeverityWarning, "RATE_UNCLEAR", "", "Jurisdictions of a place do not tax the same base at one rate each: they have "+
			"lines of their own. The form wants one for the place.", m.unclear, money.Total{})
	}
	paid, err := plus(m.Filing.AmountPrepaid, m.Filing.AmountCreditApplied)
	if err != nil {
		return err
	}
	if !m.paid && !paid.IsZero() {
		m.note(models.SeverityWarning, "ENTRY_MISSING", m.unpaid, "The filing has prepayments or credit, which the lines lack: the form "+
			"divides them. Add entries that name the lines.", 1, paid)
	}
	if err := m.checkEntries(); err != nil {
		return err
	}
	m.findCollected()
	for _, n := range m.Layout.Notes {
		m.note(models.SeverityInfo, n.Code, "", n.Message, 0, money.Total{})
	}
	return m.checkOwed()
}

// findCollected notes tax that was collected above or below the tax of the law, if no line has it. The filing owes the tax that was
// collected.
func (m *maker) findCollected() {
	over, err := m.sum(excess, own)
	// guard: returns: tax that was collected and that no line has is told
	if err != nil || over.IsZero() || m.collects && over.IsPositive() {
		return
	}
	severity := models.SeverityInfo
	if m.Filing.OverCollectedCount > 0 || m.Filing.UnderCollectedCount > 0 {
		severity = models.SeverityWarning
	}
	said := "More tax was collected than these lines compute, and it is owed too: give it back to the buyers before you file, or enter it " +
		"where the authority takes it."
	if over.IsNeg() {
		said = "The filing owes what was collected, which is less than the tax of the law: authorities ask for that one."
	}
	m.note(severity, "COLLECTED_DIFFERS", "", said, 1, over)
}

// checkEntries notes what people have entered and no line has. Errors: money.ErrOverflow.
func (m *maker) checkEntries() error {
	free, err := m.freeAdjustment()
	if err != nil {
		return err
	}
	purchases := false
	for i := range m.Entries {
		e := &m.Entries[i]
		purchases = purchases || bought(e.Kind)
		// guard: returns: an entry that no line has is told
		if !m.used[i] {
			m.note(models.SeverityWarning, "ENTRY_WITHOUT_LINE", "", "The form has no line for entries of the kind "+string(e.Kind)+
				m.otherPlace(), 1, e.Amount)
		}
		if e.Line != "" && m.lineOf(e) == "" && !m.adjusts {
			m.note(models.SeverityWarning, "ENTRY_LINE_UNKNOWN", "", "An entry names a line where the form takes no entry: it is where its "+
				"kind belongs.", 1, e.Amount)
		}
	}
	at := slices.IndexFunc(m.Layout.Lines, func(l tax.ReturnLine) bool { return wantsPurchases(&l) && l.Line != accruedLine })
	if at >= 0 && !purchases {
		m.note(models.SeverityInfo, "ENTRY_MISSING", m.Layout.Lines[at].Line, "Levy has no purchases: add those on which you paid no tax, "+
			"and their tax, as entries of the filing.", 0, money.Total{})
	}
	reclaims := slices.IndexFunc(m.Layout.Lines, func(l tax.ReturnLine) bool {
		return l.Formula.Function == "entries" && slices.Contains(l.Formula.Args, string(models.EntryInputTax)) && !wantsBases(&l)
	})
	// guard: returns: input tax that the merchant did not enter is told, and not taken for zero
	if reclaims >= 0 && !slices.ContainsFunc(m.Entries, func(e models.FilingEntry) bool { return e.Kind == models.EntryInputTax }) {
		m.note(models.SeverityWarning, "ENTRY_MISSING", m.Layout.Lines[reclaims].Line, "Levy has no purchases: add the tax on them that you "+
			"reclaim as entries of the filing, with their value. If there is none, nothing is to be done.", 0, money.Total{})
	}
	if !free.IsZero() && !m.adjusts {
		m.note(models.SeverityWarning, "FREE_ADJUSTMENT", "", "The filing is adjusted by hand: the form has no line for it. "+
			"Enter it as what it is, so that it gets a line.", 1, free)
	}
	if !m.Filing.AmountPenalties.IsZero() && !m.penal {
		m.note(models.SeverityWarning, "ENTRY_WITHOUT_LINE", "", "The form has no line for penalties and interest, or it was not read: "+
			"enter them yourself.", 1, m.Filing.AmountPenalties)
	}
	return nil
}

// otherPlace says what people do with an entry that no line has.
func (m *maker) otherPlace() string {
	if slices.ContainsFunc(m.Layout.Lines, func(l tax.ReturnLine) bool { return takesEntries(&l) }) {
		return ": name one in the entry, or enter the amount on the form yourself."
	}
	return ", and takes no entries at others: delete the entry, or enter the amount on the form yourself."
}

// freeAdjustment returns what of amount_adjusted no entry explains. Errors: money.ErrOverflow.
func (m *maker) freeAdjustment() (free money.Total, err error) {
	free = m.Filing.AmountAdjusted
	for i := range m.Entries {
		if e := &m.Entries[i]; !e.Kind.Penal() {
			if free, err = free.Minus(e.Effect()); err != nil {
				return free, err
			}
		}
	}
	return free, nil
}

// checkOwed notes that what sales owe in the figures is not the tax of the filing. Errors: money.ErrOverflow.
func (m *maker) checkOwed() error {
	due, err := m.sum(owed, own)
	if err != nil {
		return err
	}
	difference, err := due.Minus(m.Filing.TotalTaxLiability)
	if err != nil {
		return err
	}
	// guard: returns: the lines of a worksheet add up to what the filing owes
	if !difference.IsZero() && m.Figures.Missing == 0 {
		m.note(models.SeverityError, "SUMS_DIFFER", "",
			"The lines do not add up to the tax of the filing: do not file them, and tell your operator.", 1, difference)
	}
	return nil
}
