package ach

import (
	"fmt"
	"slices"
	"strings"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// File is a file that a seller hands to its bank.
type File struct {
	Created  calendar.Date
	Modifier string  // A to Z or 0 to 9: tells files of one day apart
	Bank     Account // of the seller; its bank gets the file
	Origin   string  // the number of the seller at its bank, up to 10 characters
	Company  string  // the name of the seller
	// Offset adds the debit of the own account that pays for each batch. Most banks add it themselves.
	Offset   bool
	Payments []Payment
}

// Account is an account at a bank.
type Account struct {
	Routing, Number string
	Name            string // of its holder
	BankName        string
	Savings         bool // otherwise a checking account
}

// Payment is what one authority gets for one period.
type Payment struct {
	To                            Account
	Taxpayer, TaxType, AmountType string // of the addendum
	PeriodEnd                     calendar.Date
	Amount                        money.Total
	Settles                       calendar.Date // a day on which banks work
}

// Lengths of records and blocks.
const (
	recordLength = 94
	blockRecords = 10
)

// entryDescription names the payments on the statements of banks.
const entryDescription = "TAX PAYMT"

// Write returns the bytes of the file. Payments that settle on one day make a batch; the batches have the order of their
// days, and payments keep theirs. Errors: *FieldError for a value that does not fit its field, money.ErrOverflow.
func (f *File) Write() ([]byte, error) {
	w := &writer{file: f}
	w.header()
	for _, day := range f.days() {
		w.batch(day)
	}
	w.control()
	if w.err != nil {
		return nil, w.err
	}
	return []byte(w.out.String()), nil
}

// days returns the days on which payments settle, the first one first.
func (f *File) days() (days []calendar.Date) {
	seen := map[calendar.Date]bool{}
	for i := range f.Payments {
		if day := f.Payments[i].Settles; !seen[day] {
			seen[day] = true
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// totals are the sums of a batch or of the file.
type totals struct {
	entries       int // with their addenda
	hash          int // of the routing numbers
	debit, credit money.Total
}

func (t *totals) add(u *totals) (err error) {
	t.entries, t.hash = t.entries+u.entries, (t.hash+u.hash)%hashModulus
	if t.debit, err = t.debit.Plus(u.debit); err == nil {
		t.credit, err = t.credit.Plus(u.credit)
	}
	return err
}

// hashModulus keeps the last 10 digits of the sum of routing numbers.
const hashModulus = 10_000_000_000

// Transaction codes of entries.
const (
	creditChecking, creditSavings = "22", "32"
	debitChecking, debitSavings   = "27", "37"
)

// Classes of batches: credits and debits, or credits alone.
const (
	mixedClass   = "200"
	creditsClass = "220"
)

func (f *File) class() string {
	if f.Offset {
		return mixedClass
	}
	return creditsClass
}

// header writes the first record of the file.
func (w *writer) header() {
	f := w.file
	w.record(
		fixed("1"), fixed("01"), text(" "+f.Bank.Routing, 10, "bank"), text(fmt.Sprintf("%10s", f.Origin), 10, "origin"),
		w.date(f.Created), blank(4), text(f.Modifier, 1, "modifier"), fixed("094"), fixed("10"), fixed("1"),
		short(f.Bank.BankName, 23), short(f.Company, 23), blank(8),
	)
}

// batch writes the payments that settle on a day.
func (w *writer) batch(day calendar.Date) {
	f := w.file
	w.batches++
	bank := w.odfi()
	w.record(
		fixed("5"), fixed(f.class()), short(f.Company, 16), blank(20), text(f.Origin, 10, "origin"), fixed("CCD"),
		short(entryDescription, 10), blank(6), w.date(day), blank(3), fixed("1"), fixed(bank), number(w.batches, 7),
	)
	sums := &totals{}
	for i := range f.Payments {
		if p := &f.Payments[i]; p.Settles == day {
			w.payment(p, sums)
		}
	}
	if f.Offset {
		w.entry(entry{
			code: pick(f.Bank.Savings, debitSavings, debitChecking), account: &f.Bank, amount: sums.credit, name: f.Company,
		}, sums)
	}
	w.record(
		fixed("8"), fixed(f.class()), number(sums.entries, 6), number(sums.hash, 10), w.amount(sums.debit, 12), w.amount(sums.credit, 12),
		text(f.Origin, 10, "origin"), blank(19), blank(6), fixed(bank), number(w.batches, 7),
	)
	w.fail(w.sums.add(sums))
}

// payment writes the entry of a payment and its addendum.
func (w *writer) payment(p *Payment, sums *totals) {
	addendum := "TXP*" + strings.Join([]string{
		p.Taxpayer, p.TaxType, w.yymmdd(p.PeriodEnd), p.AmountType, cents(p.Amount),
	}, "*") + `\`
	// guard: bank files: a separator inside a value would shift the fields of the addendum
	if strings.Count(addendum, "*") != 5 || strings.Count(addendum, `\`) != 1 {
		w.fail(&FieldError{"addendum"})
	}
	sequence := w.entry(entry{
		code: pick(p.To.Savings, creditSavings, creditChecking), account: &p.To, amount: p.Amount, name: p.To.Name, number: p.Taxpayer,
		addendum: true,
	}, sums)
	w.record(fixed("7"), fixed("05"), text(addendum, 80, "addendum"), fixed("0001"), number(sequence, 7))
	sums.entries++
}

// entry is one movement of money.
type entry struct {
	code         string
	account      *Account
	amount       money.Total
	name, number string
	addendum     bool
}

// entry writes an entry and returns its number in the file.
func (w *writer) entry(e entry, sums *totals) int {
	// guard: bank files: a routing number has its check digit
	if !models.IsRoutingNumber(e.account.Routing) {
		w.fail(&FieldError{"routing number"})
		return 0
	}
	w.entries++
	w.record(
		fixed("6"), fixed(e.code), fixed(e.account.Routing), text(e.account.Number, 17, "account"), w.amount(e.amount, 10),
		text(e.number, 15, "identification"), short(e.name, 22), blank(2), fixed(pick(e.addendum, "1", "0")),
		fixed(w.odfi()), number(w.entries, 7),
	)
	one := &totals{entries: 1, hash: routingHash(e.account.Routing)}
	if e.code == debitChecking || e.code == debitSavings {
		one.debit = e.amount
	} else {
		one.credit = e.amount
	}
	w.fail(sums.add(one))
	return w.entries
}

// control writes the last record of the file, and fills the last block.
func (w *writer) control() {
	blocks := (w.records + 1 + blockRecords - 1) / blockRecords
	w.record(
		fixed("9"), number(w.batches, 6), number(blocks, 6), number(w.sums.entries, 8), number(w.sums.hash, 10),
		w.amount(w.sums.debit, 12), w.amount(w.sums.credit, 12), blank(39),
	)
	for w.records%blockRecords != 0 {
		w.record(fixed(strings.Repeat("9", recordLength)))
	}
}
