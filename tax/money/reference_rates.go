package money

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/govalues/decimal"
)

// ReferenceRate says how much of a currency was worth one euro on a day.
type ReferenceRate struct {
	Currency string // three capital letters
	Day      time.Time
	Rate     decimal.Decimal // positive, at most 9 decimals
}

// fixedRates are those at which the euro has replaced currencies. No bank publishes another from that day on, and
// amounts in them are converted at these for ever.
var fixedRates = []ReferenceRate{
	{Currency: "HRK", Day: time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), Rate: decimal.MustNew(7_53450, 5)},
	{Currency: "BGN", Day: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Rate: decimal.MustNew(1_95583, 5)},
}

// FixedRateSource is where they are from.
const FixedRateSource = "Council Regulation (EC) No 2866/98, article 1"

// FixedRate is the rate of a currency that the euro had replaced on a day; false for any other.
func FixedRate(currency string, day time.Time) (ReferenceRate, bool) {
	for _, r := range fixedRates {
		if r.Currency == currency && !day.Before(r.Day) {
			return r, true
		}
	}
	return ReferenceRate{}, false
}

// maxRateFaults bounds the faults that are reported of a file.
const maxRateFaults = 100

// ReadReferenceRates reads the euro reference rates of the European Central Bank as it publishes them. They are CSV
// with the day in the first column and one currency in each other, N/A without a rate. The file has one day
// (eurofxref.csv) or all days (eurofxref-hist.csv).
//
// Errors: all faults of the file at once, each with its line. Then it returns no rates.
func ReadReferenceRates(r io.Reader) ([]ReferenceRate, error) {
	lines := csv.NewReader(r)
	lines.TrimLeadingSpace = true
	lines.FieldsPerRecord = -1
	lines.ReuseRecord = true
	head, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", readable(err))
	}
	f := &rateFile{seen: map[string]int{}}
	f.head(head)
	for len(f.faults) < maxRateFaults {
		record, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.faults = append(f.faults, readable(err))
			break // where a line ends is no longer known
		}
		line, _ := lines.FieldPos(0)
		f.line(line, record)
	}
	switch {
	case len(f.faults) >= maxRateFaults:
		f.faults = append(f.faults, errors.New("more faults are not listed"))
	case len(f.faults) == 0 && len(f.seen) == 0:
		f.faults = append(f.faults, errors.New("line 2: there are no rates"))
	}
	if f.faults != nil {
		return nil, errors.Join(f.faults...)
	}
	return f.rates, nil
}

// readable is an error of the CSV reader, with an end of file in words.
func readable(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	return err
}

type rateFile struct {
	currencies []string // by column; the first is empty
	seen       map[string]int
	rates      []ReferenceRate
	faults     []error
}

func (f *rateFile) fault(line int, format string, args ...any) {
	f.faults = append(f.faults, fmt.Errorf("line %d: "+format, append([]any{line}, args...)...))
}

func (f *rateFile) head(fields []string) {
	fields = withoutLast(fields)
	if strings.TrimPrefix(strings.TrimSpace(fields[0]), "\ufeff") != "Date" {
		f.fault(1, "the first column is not Date")
	}
	known := map[string]bool{"EUR": true} // has no rate of its own
	f.currencies = make([]string, len(fields))
	for i, name := range fields[1:] {
		code := strings.TrimSpace(name)
		switch {
		case len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
			f.fault(1, "column %d: %q is not a currency", i+2, code)
		case known[code]:
			f.fault(1, "column %d: %s is there twice", i+2, code)
		}
		known[code] = true
		f.currencies[i+1] = code
	}
	if len(fields) < 2 {
		f.fault(1, "there are no currencies")
	}
}

// withoutLast drops the empty field after the comma that ends the lines.
func withoutLast(fields []string) []string {
	if n := len(fields); n > 1 && strings.TrimSpace(fields[n-1]) == "" {
		return fields[:n-1]
	}
	return fields
}

func (f *rateFile) line(n int, fields []string) {
	fields = withoutLast(fields)
	if len(fields) != len(f.currencies) {
		f.fault(n, "%d fields instead of %d", len(fields), len(f.currencies))
		return
	}
	day, ok := dayOf(strings.TrimSpace(fields[0]))
	if !ok {
		f.fault(n, "%q is not a day", fields[0])
		return
	}
	key := day.Format(time.DateOnly)
	if first, twice := f.seen[key]; twice {
		f.fault(n, "%s stands on line %d already", key, first)
		return
	}
	f.seen[key] = n
	for i, field := range fields[1:] {
		text := strings.TrimSpace(field)
		if text == "N/A" || text == "" {
			continue
		}
		rate, err := ParseDecimal(text)
		if err == nil && (!rate.IsPos() || rate.Scale() > RateScale || rate.Prec()-rate.Scale() > 10) {
			err = ErrOverflow
		}
		if err != nil {
			f.fault(n, "%s: %q is not a rate", f.currencies[i+1], text)
			continue
		}
		f.rates = append(f.rates, ReferenceRate{Currency: f.currencies[i+1], Day: day, Rate: rate})
	}
}

// dayOf reads a day in either of the forms the bank uses.
func dayOf(text string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, "2 January 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day, day.Year() >= 1999 && day.Year() <= 2100
		}
	}
	return time.Time{}, false
}
