package ser

import (
	"maps"
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// addEntries adds what people have entered for the filing and for what it amends. Interest and penalties of before were paid
// with what they belong to.
func (m *maker) addEntries() {
	for i := range m.Entries {
		m.addEntry(&m.Entries[i])
	}
	for i := range m.Before {
		for n := range m.Before[i].Entries {
			if e := &m.Before[i].Entries[n]; !e.Kind.Penal() {
				m.addEntry(e)
			}
		}
		m.add(&m.discounts, m.Before[i].Discounts)
	}
}

func (m *maker) addEntry(e *models.FilingEntry) {
	switch e.Kind {
	case models.EntryPurchase, models.EntryWithdrawal:
		m.addPurchase(e)
	case models.EntryInterest:
		m.add(&m.interest, e.Amount)
	case models.EntryPenalty:
		m.add(&m.penalty, e.Amount)
	case models.EntryNewPrepayment:
		m.add(&m.next, e.Amount)
	case models.EntryPriorPayment:
		m.add(&m.prior, e.Amount)
	case models.EntryCredit:
		m.addCredit(e.Amount)
	case models.EntryAcquisition, models.EntryExcessTax, models.EntryBadDebt, models.EntryInputTax:
		m.note(models.SeverityError, "ENTRY_WITHOUT_LINE", "", "The return has no line for entries of the kind "+string(e.Kind)+
			": delete the entry, and enter it where the state takes it.", 1, e.Amount)
	}
}

// addCredit adds credit of earlier returns, which the schema does not name.
func (m *maker) addCredit(sum money.Total) {
	if !sum.IsZero() {
		m.add(&m.prior, sum)
		line, _ := m.Layout.Line("Priorpayments")
		m.rest(line.Confidence)
	}
}

// addPurchase adds the tax on own purchases or withdrawals to the state, or to the code of the jurisdiction.
func (m *maker) addPurchase(e *models.FilingEntry) {
	kind := tax.JurisdictionType(e.JurisdictionType)
	if kind == "" || kind == tax.TypeState {
		m.add(&m.own, e.Amount)
		return
	}
	code, _ := m.Layout.Codes.Of(kind, e.JurisdictionName)
	if code == "" {
		m.noteCode(e.JurisdictionName, 1, e.Amount)
		code = e.JurisdictionName
	}
	m.add(&m.localOf(code, e.JurisdictionName).own, e.Amount)
}

// addAmounts adds the amounts of the filing itself.
func (m *maker) addAmounts() {
	f := &m.Filing
	m.add(&m.discounts, f.AmountDiscounts)
	m.add(&m.prior, f.AmountPrepaid)
	m.addCredit(f.AmountCreditApplied)
	if m.amended && f.AmendedTotals != nil {
		m.add(&m.prior, f.AmendedTotals.PreviouslyPaid)
	}
	m.addPenalties()
	if !f.AmountFees.IsZero() {
		m.note(models.SeverityError, "FREE_ADJUSTMENT", "", "The filing has fees: the return has no line for them.", 1, f.AmountFees)
	}
	if free := m.freeAdjustment(); !free.IsZero() {
		m.note(models.SeverityError, "FREE_ADJUSTMENT", "", "The filing is adjusted by hand, and the return has no line for it: enter it as "+
			"what it is, so that it gets one.", 1, free)
	}
}

// proposeAllowance compares the discount that was entered with what the state leaves. Amended returns get none besides that
// of the return.
func (m *maker) proposeAllowance() {
	f := &m.Filing
	entered, due := f.AmountDiscounts, calendar.OptionalDateOf(f.DueDate)
	if due != 0 && m.Day > due {
		if !entered.IsZero() {
			m.note(models.SeverityWarning, "DISCOUNT_LATE", "Discounts", "The due day is over, and the filing takes a discount for filing in "+
				"time: states refuse it.", 1, entered)
		}
		return
	}
	if m.Allowance == nil || m.amended || due == 0 || m.tooLarge {
		return
	}
	state := amount{}
	for _, part := range []*amount{&m.inState, &m.outside, &m.food} {
		m.add(&state, part.Total)
	}
	whole := amount{Total: m.total.Total}
	m.add(&whole, m.purchases().Neg())
	proposed, err := m.Allowance(state.Total, whole.Total)
	switch {
	case err != nil:
		m.noteTooLarge("Discounts")
	case proposed == entered:
	case entered.IsZero():
		m.note(models.SeverityInfo, "DISCOUNT_PROPOSED", "Discounts", "The filing takes no discount: enter this one if you file and pay in time.",
			1, proposed)
	default:
		m.note(models.SeverityWarning, "DISCOUNT_ENTERED", "Discounts", "The filing takes another discount than the state leaves, which this "+
			"is.", 1, proposed)
	}
}

// addPenalties adds penalties that were entered as one amount, which counts as a penalty.
func (m *maker) addPenalties() {
	entered := amount{Total: m.Filing.AmountPenalties}
	m.add(&entered, m.interest.Neg())
	m.add(&entered, m.penalty.Neg())
	if entered.IsZero() {
		return
	}
	m.add(&m.penalty, entered.Total)
	m.note(models.SeverityWarning, "INTEREST_UNKNOWN", "PenaltyDue", "The penalties of the filing may have interest in them, for which the "+
		"return has a line of its own: enter both as entries.", 1, entered.Total)
}

// freeAdjustment returns what of amount_adjusted no entry explains.
func (m *maker) freeAdjustment() money.Total {
	free := amount{Total: m.Filing.AmountAdjusted}
	for i := range m.Entries {
		if e := &m.Entries[i]; !e.Kind.Penal() {
			m.add(&free, e.Effect().Neg())
		}
	}
	return free.Total
}

// sum adds up what the return adds up.
func (m *maker) sum() {
	join := func(to *amount, parts ...*amount) {
		for _, part := range parts {
			m.add(to, part.Total, part.figures...)
		}
	}
	minus := func(to *amount, by *amount) { m.add(to, by.Neg(), by.figures...) }
	join(&m.taxable, &m.sales)
	minus(&m.taxable, &m.exempt)
	join(&m.total, &m.inState, &m.outside, &m.own, &m.food)
	for _, code := range m.codes() {
		l := m.locals[code]
		join(&m.total, &l.inState, &l.outside, &l.own)
	}
	join(&m.due, &m.total, &m.interest, &m.penalty, &m.next)
	minus(&m.due, &m.discounts)
	minus(&m.due, &m.prior)
	for _, sum := range m.all() {
		if len(sum.String()) > len("-9999999999999.99") || !sum.IsNeg() && len(sum.String()) > len("9999999999999.99") {
			m.noteTooLarge("")
		}
	}
}

// all returns all amounts of the return.
func (m *maker) all() (sums []money.Total) {
	sums = []money.Total{
		m.sales.Total, m.exempt.Total, m.taxable.Total, m.inState.Total, m.outside.Total, m.own.Total, m.food.Total, m.total.Total,
		m.interest.Total, m.penalty.Total, m.discounts.Total, m.prior.Total, m.next.Total, m.due.Total,
	}
	for i := range m.breakout {
		sums = append(sums, m.breakout[i].Total)
	}
	for _, code := range m.codes() {
		l := m.locals[code]
		sums = append(sums, l.inState.Total, l.outside.Total, l.own.Total)
	}
	return sums
}

// codes returns the codes of local tax in their order.
func (m *maker) codes() []string { return slices.Sorted(maps.Keys(m.locals)) }

// checkSums compares the return with the filing. Figures that are missing explain a difference.
func (m *maker) checkSums() {
	if m.tooLarge || m.failed() {
		return
	}
	f := &m.Filing
	owed, paid := f.TotalTaxLiability, amount{}
	if m.amended {
		owed = f.AmendedTotals.TotalTaxLiability
	}
	difference := amount{Total: m.total.Total}
	m.add(&difference, owed.Neg())
	m.add(&difference, m.purchases().Neg())
	// guard: simplified: the tax of the return is what the filing owes
	if !difference.IsZero() {
		m.note(models.SeverityError, "SUMS_DIFFER", "TotalTaxDue", "The lines do not add up to the tax of the filing: do not file them, and "+
			"tell your operator.", 1, difference.Total)
	}
	whole, err := f.Amount()
	if err != nil {
		m.noteTooLarge("AmountDueOrRefund")
		return
	}
	m.add(&paid, m.due.Total)
	m.add(&paid, whole.Neg())
	m.add(&paid, f.AmountCreditCarried)
	m.add(&paid, f.AmountDeferred.Neg())
	if m.amended && !paid.IsZero() {
		m.note(models.SeverityWarning, "FORM_DIFFERS", "AmountDueOrRefund", "The amended return asks for another amount than the filing: "+
			"compare what was paid for the period.", 1, paid.Total)
	}
	// guard: simplified: what is due is the amount of the filing
	if !m.amended && !paid.IsZero() {
		m.note(models.SeverityError, "SUMS_DIFFER", "AmountDueOrRefund", "What is due differs from the amount of the filing: do not file it, "+
			"and tell your operator.", 1, paid.Total)
	}
}

// purchases returns the tax on own purchases and withdrawals, which is not in the liability of the filing.
func (m *maker) purchases() money.Total {
	sum := amount{Total: m.own.Total}
	for _, code := range m.codes() {
		m.add(&sum, m.locals[code].own.Total)
	}
	return sum.Total
}

// checkPayment refuses a payment that banks would refuse. Nothing is drawn where nothing is due.
func (m *maker) checkPayment() {
	p := m.Payment
	if p == nil {
		return
	}
	if !m.due.IsPositive() {
		m.Payment = nil
		m.note(models.SeverityInfo, "PAYMENT_NONE", "AmountDueOrRefund", "Nothing is due: the return goes without a payment.", 0, money.Total{})
		return
	}
	rule := m.Layout.Rule(tax.SimplifiedPayment)
	m.rest(rule.Confidence)
	// guard: simplified: a payment whose words were not read is refused
	if rule.Confidence == tax.ConfidenceLow || len(rule.Value) == 0 {
		m.note(models.SeverityError, "LAYOUT_LOW", "FinancialTransaction", "How a payment is told to the state was not read: file without it, "+
			"and pay by the way that the state names.", 1, m.due.Total)
	}
	switch {
	case !isRouting(p.Routing), !isAccount(p.Account), len([]rune(p.Holder)) > mostHolder:
		m.note(models.SeverityError, "PAYMENT_FORMAT", "StatePayment", "The account of the payment is not one that the return can name: a "+
			"routing number of 9 digits, an account of up to 17 letters, digits and hyphens, a holder of up to 22 characters.", 1, money.Total{})
	case len(m.due.String()) > len("99999999.99"):
		m.note(models.SeverityError, "AMOUNT_TOO_LARGE", "PaymentAmount", "A payment has at most 8 digits before the point.", 1, m.due.Total)
	case p.On == 0:
		m.note(models.SeverityError, "PAYMENT_DAY", "RequestedPaymentDate", "The payment has no day.", 1, money.Total{})
	}
}
