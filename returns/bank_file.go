package returns

import (
	"cmp"

	"levy/models"
	"levy/returns/ach"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// BankFileInput is what a bank file is made of.
type BankFileInput struct {
	Payments []Payment
	Day      calendar.Date // of the file
	Test     bool          // of a test organization
	// Bank is the account of the seller; nil if it has none. Its numbers are in clear.
	Bank *ach.Account
	// Name and EIN are of the seller. Origin is its number at the bank; "" for 1 and the EIN.
	Name, EIN, Origin string
	Modifier          string // tells files of one day apart
	Offset            bool   // the file has the debit of the own account
}

// BankFile makes the file by which the bank of a seller sends payments. An ERROR among the findings means that there is none.
// The line of a finding is the return that it is about.
func BankFile(in BankFileInput) (Document, []Finding) {
	file := ach.File{
		Created: in.Day, Modifier: in.Modifier, Origin: in.Origin, Company: in.Name, Offset: in.Offset,
	}
	m := &maker{}
	if in.Bank == nil {
		m.note(models.SeverityError, "BANK_MISSING", "", "The organization has no bank account: enter it in its bank details.", 1, money.Total{})
	} else {
		file.Bank = *in.Bank
	}
	// guard: payments: a test organization moves no money
	if in.Test {
		m.note(models.SeverityError, "PAYMENT_TEST", "", "The organization is for tests: its returns are not paid.", 1, money.Total{})
	}
	if number, ok := digits(in.EIN); file.Origin == "" {
		if !ok || len(number) != einDigits {
			m.note(models.SeverityError, "ID_MISSING", "", "The organization has no federal tax id of 9 digits, by which banks know it: "+
				"enter it in its business details, or name the number that your bank has given.", 1, money.Total{})
		}
		file.Origin = "1" + number
	}
	for i := range in.Payments {
		p := &in.Payments[i]
		m.notePayment(p)
		if !p.Amount.IsZero() && p.Way == tax.PayByCredit {
			file.Payments = append(file.Payments, p.entry())
		}
	}
	if len(Refusals(m.sheet.Findings)) > 0 {
		return Document{}, m.sheet.Findings
	}
	if len(file.Payments) == 0 {
		m.note(models.SeverityInfo, "PAYMENT_NONE", "", "None of the returns is to be paid: there is no file.", 0, money.Total{})
		return Document{}, m.sheet.Findings
	}
	m.note(models.SeverityInfo, "PAYMENT_CODES", "", "The codes and the account are those that you entered for each authority. Levy cannot "+
		"compare them with its instructions: do so before you hand over the file.", int64(len(file.Payments)), money.Total{})
	content, err := file.Write()
	if err != nil {
		// The error names a field and no value.
		m.note(models.SeverityError, "DOCUMENT_WRONG", "", "A value does not fit into the file: "+err.Error()+".", 1, money.Total{})
		return Document{}, m.sheet.Findings
	}
	return Document{
		Layout: BankFileLayout, MediaType: "text/plain", FileName: "payments-" + in.Day.String() + "-" + in.Modifier + ".ach", Bytes: content,
	}, m.sheet.Findings
}

// BankFileLayout names the frame of the records and the convention of the addendum.
const BankFileLayout = "NACHA-CCD-TXP/2012-12"

// einDigits is the length of a federal tax id.
const einDigits = 9

// notePayment notes the findings of a payment. A return that is paid otherwise is refused.
func (m *maker) notePayment(p *Payment) {
	f := p.Filing
	line := cmp.Or(*cmp.Or(f.StateName, new(string)), f.StateCode) + ", " + calendar.DateOf(f.StartDate).String() + " to " +
		calendar.DateOf(f.EndDate).String()
	for _, x := range p.Findings {
		m.note(x.Severity, x.Code, line, x.Message, x.Count, x.Amount)
	}
	// guard: payments: a return that is paid in another way is not paid by the bank, too
	if !p.Amount.IsZero() && p.Way != tax.PayByCredit {
		m.note(models.SeverityError, "PAYMENT_WAY", line, "The return is not paid by credit: take it out of the file.", 1, p.Amount)
	}
}

// entry returns the payment as an entry of a bank file.
func (p *Payment) entry() ach.Payment {
	return ach.Payment{
		To: ach.Account{
			Routing: p.Fields[tax.PaymentRouting], Number: p.Fields[tax.PaymentAccount], Name: p.Fields[tax.PaymentReceiver],
		},
		Taxpayer: p.Fields[tax.PaymentTaxpayer], TaxType: p.Fields[tax.PaymentTaxType], AmountType: p.Fields[tax.PaymentAmountType],
		PeriodEnd: calendar.DateOf(p.Filing.EndDate), Amount: p.Amount, Settles: p.Settles,
	}
}
