package returns

import (
	"cmp"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// PaymentFacts are what the payment of a return is made of.
type PaymentFacts struct {
	models.PaymentState

	Filing models.Filing
	Day    calendar.Date // today, by the calendar of the authority
}

// Payment is what is to be paid for a return, until when, and how. Levy moves no money.
type Payment struct {
	Filing *models.Filing
	Fields map[string]string
	Way    string                   // tax.PayByPortal, tax.PayByDebit or tax.PayByCredit
	Made   []models.RecordedPayment // recorded after the return was filed
	Amount money.Total              // to be paid: the open part, or all of a filed return that counts as paid without a record
	Open   money.Total              // the amount of the filing less all that was paid
	Due    calendar.Date            // zero for none
	// Settles is the day on which the bank of the authority has the money of a payment by credit; zero otherwise.
	Settles  calendar.Date
	Findings []Finding
}

// PaymentOf returns the payment of a return. works reports whether banks work on a day. An ERROR among the findings means
// that no bank file has the payment.
func PaymentOf(facts PaymentFacts, works func(calendar.Date) bool) Payment {
	f := &facts.Filing
	p := Payment{
		Filing: f, Fields: facts.Fields, Made: facts.Made, Way: cmp.Or(facts.Fields[tax.PaymentMethod], tax.PayByPortal),
		Due: calendar.OptionalDateOf(f.DueDate),
	}
	amount, recorded, err := p.sum()
	switch {
	case err != nil:
		p.note(models.SeverityError, "AMOUNT_TOO_LARGE", "The amount has more digits than a payment may have.")
	// guard: payments: nothing is paid where nothing is due
	case amount.IsZero(), amount.IsNeg():
		if recorded {
			p.note(models.SeverityError, "PAYMENT_MADE", "Payments are recorded for all of it: it is paid.")
			break
		}
		said := "Nothing is due: there is nothing to pay."
		if AmendsShop(f) {
			said = "Nothing is paid for an amendment of the one-stop shop: the next return pays its difference as a correction."
		}
		p.note(models.SeverityInfo, "PAYMENT_NONE", said)
		p.findTotal()
	default:
		p.Amount = amount
		p.findTotal()
		p.findStatus(facts.Exported)
		p.findWay(facts.Day, works)
	}
	return p
}

// sum computes what is open, and returns what is to be paid. recorded reports whether there are recorded payments. Errors:
// money.ErrOverflow.
func (p *Payment) sum() (amount money.Total, recorded bool, err error) {
	if p.Open, err = p.Filing.Open(); err != nil {
		return amount, false, err
	}
	if amount, err = p.Filing.Payable(); err != nil {
		return amount, false, err
	}
	recorded = len(p.Made) > 0
	// A filed return that counts as paid and has no record is to be paid by the file. Of any other one, what is open is paid.
	if recorded || p.Filing.Status == models.FilingFiled && p.Open.IsPositive() {
		amount = p.Open
	}
	return amount, recorded, nil
}

func (p *Payment) note(severity, code, message string) {
	p.Findings = append(p.Findings, Finding{Severity: severity, Code: code, Message: message, Count: 1, Amount: p.Amount})
}

// findTotal notes where the amount to pay is another one than that of the filing.
func (p *Payment) findTotal() {
	f := p.Filing
	amount := f.AmountText()
	switch {
	// guard: payments: a total that lacks something is not paid in silence
	case f.ToPay == nil && HasShopWorksheet(f):
		p.note(models.SeverityWarning, "PAYMENT_TOTAL_UNKNOWN", "The worksheet has errors, so its total lacks something. This is the "+
			"amount of the filing. The one-stop shop may take more: mend the errors of the worksheet, and pay its total.")
	case HasShopWorksheet(f) && f.ToPay.String() != amount:
		p.note(models.SeverityInfo, "PAYMENT_TOTAL", "Pay the total of the worksheet, "+f.ToPay.String()+" "+f.Currency+", in all. The "+
			"amount of the filing is "+amount+" "+f.Currency+": it lacks corrections above zero, takes credit of one member off what "+
			"another one gets, and has amounts that people entered.")
	}
}

// findStatus notes why the payment is not made now.
func (p *Payment) findStatus(exported calendar.Date) {
	f := p.Filing
	switch {
	// guard: payments: what is not approved is not paid
	case f.Status != models.FilingFiling && f.Status != models.FilingFiled:
		said := "The return is neither with its authority nor filed: nothing is paid for it."
		if f.Status.Live() {
			said = "The return is not approved: its amount may change. Approve it first."
		}
		p.note(models.SeverityError, "PAYMENT_NOT_APPROVED", said)
	// guard: payments: what is paid is not paid again
	case f.PaymentConfirmationID != nil:
		p.note(models.SeverityError, "PAYMENT_MADE", "The filing has a confirmation of its payment: no bank file has it.")
	}
	if f.Status == models.FilingFiled && p.Open.IsPositive() {
		p.note(models.SeverityWarning, "PAYMENT_OPEN", p.Open.String()+" "+f.Currency+" of it are not paid by what is known: pay it, and "+
			"record the payment.")
	}
	if !exported.IsZero() && !p.Refused() {
		p.note(models.SeverityWarning, "PAYMENT_REPEATED", "A bank file of "+exported.String()+" has this payment: hand over one of them alone.")
	}
}

// findWay notes what the way of the payment lacks.
func (p *Payment) findWay(day calendar.Date, works func(calendar.Date) bool) {
	switch p.Way {
	case tax.PayByPortal:
		p.note(models.SeverityInfo, "PAYMENT_BY_HAND", "Pay it at the site of the authority. Where your bank is to send it, enter "+
			"payment_method CREDIT in jurisdiction_specific_fields of the registration.")
	case tax.PayByDebit:
		p.note(models.SeverityInfo, "PAYMENT_BY_HAND", "The authority draws it with the return: give it account and day where you file. No file "+
			"of Levy has them.")
	case tax.PayByCredit:
		p.findCredit(day, works)
	default:
		p.note(models.SeverityError, "FIELD_FORMAT", "The field payment_method of the registration is none of PORTAL, DEBIT and CREDIT.")
	}
}

// newYork takes entries CCD with an addendum of its own: Department of Taxation and Finance, "PrompTax sales and compensating
// use tax ACH credit format".
const newYork = "NY"

func (p *Payment) findCredit(day calendar.Date, works func(calendar.Date) bool) {
	f := p.Filing
	if f.CountryCode != models.UnitedStates || f.Currency != "USD" {
		p.note(models.SeverityError, "PAYMENT_FORMAT", "Bank files are for payments in US dollars to authorities of the United States: pay it "+
			"otherwise.")
		return
	}
	// guard: payments: an addendum that the authority does not read is not written
	if f.StateCode == newYork {
		p.note(models.SeverityError, "PAYMENT_FORMAT", "New York takes an addendum of its own, which Levy does not write: pay it otherwise.")
	}
	for i := range tax.PaymentFields {
		field := &tax.PaymentFields[i]
		name, _ := field.Specific()
		value := p.Fields[name]
		switch {
		case value == "":
			p.note(models.SeverityError, "FIELD_MISSING", "The registration has no field "+name+", which a payment by credit needs: "+
				field.Expected+". The authority tells it when you enrol.")
		// guard: payments: a routing number has its check digit
		case !field.Exact(value), name == tax.PaymentRouting && !models.IsRoutingNumber(value):
			p.note(models.SeverityError, "FIELD_FORMAT", "The field "+name+" of the registration is not as expected: "+field.Expected+".")
		}
	}
	if len(p.Amount.String()) > len("99999999.99") {
		p.note(models.SeverityError, "AMOUNT_TOO_LARGE", "A payment has at most 8 digits before the point.")
	}
	if !f.AmountPenalties.IsZero() {
		p.note(models.SeverityInfo, "PAYMENT_UNSPLIT", "The addendum has one amount: it does not tell penalties and interest apart from tax.")
	}
	if p.Due.IsZero() {
		p.note(models.SeverityError, "DAY_MISSING", "The filing has no due day: enter it.")
		return
	}
	p.Settles = settlementDay(p.Due, day, works)
	if p.Settles > p.Due {
		p.note(models.SeverityWarning, "PAYMENT_LATE", "The authority has it after the due day at the earliest, by the bank file.")
	}
}

// settlementDay returns the last day until the due day on which banks work. Where that is over, or too near, it is the next
// one after today, because banks want a payment a day before.
func settlementDay(due, today calendar.Date, works func(calendar.Date) bool) calendar.Date {
	first := today.AddDays(1)
	for !works(first) {
		first = first.AddDays(1)
	}
	last := due
	// guard: payments: money moves on days on which banks work
	for last > first && !works(last) {
		last = last.AddDays(-1)
	}
	return max(first, last)
}

// Refused reports whether no bank file may have the payment.
func (p *Payment) Refused() bool { return len(Refusals(p.Findings)) > 0 }
