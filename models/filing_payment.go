package models

import (
	"slices"
	"strconv"
	"time"

	"levy/tax/calendar"
	"levy/tax/money"
)

// RecordedPayment is a payment that people record for a return after it was filed, because nothing, or a part alone,
// was paid with it. Its amount is in the currency of the filing, and TaxRemitted of the filing contains it.
type RecordedPayment struct {
	OrganizationID string
	ID             string
	FilingID       string
	Amount         money.Total
	PaidOn         time.Time // the day on which the money left
	Method         string    // such as WIRE: the contract has all
	Reference      string    // the number by which bank or authority know it; unique for the filing
	CreatedBy      string    // the name of the person or the id of the key
	CreatedAt      time.Time
}

// Said returns amount, day, way and reference as text, such as "60.00 on 2026-01-20, CHECK 1187".
func (p *RecordedPayment) Said() string {
	return p.Amount.String() + " on " + calendar.DateOf(p.PaidOn).String() + ", " + p.Method + " " + p.Reference
}

// RecordedPaymentChange is a change of the recorded payments of a filing. Exactly one of its fields is set.
type RecordedPaymentChange struct{ Added, Deleted *RecordedPayment }

// PaymentState is what is stored about the payment of a filing besides the filing itself.
type PaymentState struct {
	Fields   map[string]string // of the registration
	Exported calendar.Date     // the day of the last bank file with the payment; zero for none
	Made     []RecordedPayment // the oldest first
}

// Payable returns what is to be paid for the filing: its amount, unless its authority takes another one. Errors:
// money.ErrOverflow.
func (f *Filing) Payable() (money.Total, error) {
	if f.ToPay != nil {
		return *f.ToPay, nil
	}
	return f.Amount()
}

// Open returns what is to be paid for the filing less what was paid. Where nothing is to be paid, nothing is open. Errors:
// money.ErrOverflow.
func (f *Filing) Open() (money.Total, error) {
	amount, err := f.Payable()
	if err != nil || f.ToPay != nil && amount.IsZero() {
		return amount, err
	}
	return amount.Plus(f.TaxRemitted.Neg())
}

// RecordPayment adds a payment to the filing. A payment without an amount is of all that is open. Errors: *TransitionError
// unless the return is filed; *InvalidError.
func (f *Filing) RecordPayment(p RecordedPayment) error {
	// guard: payments: what was paid with a return is entered when it is filed
	if f.Status != FilingFiled {
		return FilingTransitions.Refuse(string(f.Status), string(FilingFiled))
	}
	open, err := f.Open()
	if err != nil {
		return err
	}
	if p.Amount.IsZero() {
		p.Amount = open
	}
	rest, err := open.Plus(p.Amount.Neg())
	if err != nil {
		return err
	}
	var faults []Fault
	switch {
	case !open.IsPositive():
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Message: "Nothing is open: the return is paid."})
	case p.Amount.IsNeg():
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Message: "amount must be above zero."})
	// guard: payments: no more is recorded than is open
	case rest.IsNeg():
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Message: "Only " + open.String() +
			" is open. Interest and penalties are no part of it: amend the return for them."})
	}
	if len(f.Made) >= MostFilingEntries {
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "amount", Message: "A filing has at most " +
			strconv.Itoa(MostFilingEntries) + " recorded payments."})
	}
	if calendar.DateOf(p.PaidOn) > f.Today {
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "paid_on", Message: "paid_on must not be in the future."})
	}
	if p.PaidOn.Before(f.StartDate) {
		faults = append(faults, Fault{Code: FieldOutOfRange, Path: "paid_on", Message: "paid_on is before the period begins."})
	}
	// guard: payments: a payment is recorded once
	if slices.ContainsFunc(f.Made, func(made RecordedPayment) bool { return made.Reference == p.Reference }) {
		faults = append(faults, Fault{Code: FieldDuplicateValue, Path: "reference",
			Message: "A payment with this reference is already recorded for the filing."})
	}
	if faults != nil {
		return &InvalidError{Faults: faults}
	}
	f.Made, f.MadeChange = append(slices.Clone(f.Made), p), &RecordedPaymentChange{Added: &p}
	f.TaxRemitted, err = f.TaxRemitted.Plus(p.Amount)
	return err
}

// DeletePayment takes a recorded payment back. Errors: ErrNotFound.
func (f *Filing) DeletePayment(id string) (err error) {
	at := slices.IndexFunc(f.Made, func(p RecordedPayment) bool { return p.ID == id })
	if at < 0 {
		return ErrNotFound
	}
	p := f.Made[at]
	f.Made, f.MadeChange = slices.Delete(slices.Clone(f.Made), at, at+1), &RecordedPaymentChange{Deleted: &p}
	f.TaxRemitted, err = f.TaxRemitted.Plus(p.Amount.Neg())
	return err
}
