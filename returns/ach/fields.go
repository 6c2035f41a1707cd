package ach

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// FieldError tells that a value does not fit its field. It never has the value, which may be the number of an account.
type FieldError struct{ Field string }

func (e *FieldError) Error() string { return "bank file: the " + e.Field + " does not fit its field" }

// writer collects the records of a file. The first error stays.
type writer struct {
	file                      *File
	out                       strings.Builder
	records, batches, entries int
	sums                      totals
	err                       error
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// odfi returns the first 8 digits of the routing number of the bank that gets the file.
func (w *writer) odfi() string {
	if !models.IsRoutingNumber(w.file.Bank.Routing) {
		w.fail(&FieldError{"routing number"})
		return strings.Repeat("0", 8)
	}
	return w.file.Bank.Routing[:8]
}

// field is a value in its width. name is that of a value that must fit.
type field struct {
	text  string
	width int
	name  string
}

// fixed is a part of a record that has its width.
func fixed(text string) field { return field{text, len(text), "record"} }

func blank(width int) field { return field{width: width} }

// text is a value that has to fit.
func text(value string, width int, name string) field { return field{value, width, name} }

// short is a name, which is cut to its width.
func short(name string, width int) field {
	name = Plain(name)
	return field{strings.TrimSpace(name[:min(len(name), width)]), width, "name"}
}

func number(n, width int) field { return field{fmt.Sprintf("%0*d", width, n), width, "number"} }

// record writes the fields of a record, each filled with blanks at its end.
func (w *writer) record(fields ...field) {
	start := w.out.Len()
	for _, f := range fields {
		if len(f.text) > f.width || strings.ContainsFunc(f.text, unprintable) {
			w.fail(&FieldError{f.name})
			return
		}
		w.out.WriteString(f.text + strings.Repeat(" ", f.width-len(f.text)))
	}
	if w.out.Len()-start != recordLength {
		w.fail(&FieldError{"record"})
	}
	w.out.WriteString("\r\n")
	w.records++
}

// unprintable reports whether banks take a character for none.
func unprintable(r rune) bool { return r < ' ' || r > '~' }

// amount is an amount in cents. Banks take none below zero.
func (w *writer) amount(amount money.Total, width int) field {
	digits := cents(amount)
	if amount.IsNeg() || len(digits) > width {
		w.fail(&FieldError{"amount"})
		digits = "0"
	}
	return field{strings.Repeat("0", width-len(digits)) + digits, width, "amount"}
}

// cents returns an amount without its point and without zeros before it.
func cents(amount money.Total) string {
	digits := strings.TrimLeft(strings.Replace(amount.String(), ".", "", 1), "0")
	if digits == "" {
		return "0"
	}
	return digits
}

func (w *writer) date(day calendar.Date) field { return field{w.yymmdd(day), 6, "date"} }

func (w *writer) yymmdd(day calendar.Date) string {
	if day.IsZero() {
		w.fail(&FieldError{"date"})
		return "000000"
	}
	return day.Time().Format("060102")
}

// routingHash returns the first 8 digits of a routing number as a number.
func routingHash(routing string) int {
	n, _ := strconv.Atoi(routing[:8]) // digits alone
	return n
}

// Plain returns a name in the characters that banks read: capitals without accents. Others become blanks.
func Plain(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case unprintable(r):
			return ' '
		}
		return r
	}, norm.NFKD.String(strings.ToUpper(name))))
}

func pick(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}
