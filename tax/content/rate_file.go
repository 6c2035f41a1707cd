package content

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// RateRecord is one line of a rate file of a member state.
type RateRecord struct {
	At         RowRef
	Type, Code string
	General    decimal.Decimal  // intrastate
	Food       *decimal.Decimal // food and drugs, nil without a value
	From, To   calendar.Date
}

// ReadRates reads a whole rate file of a state with that FIPS code. Errors:
// *RefusedError with every line that is wrong.
func ReadRates(file string, r io.Reader, fips string) ([]RateRecord, error) {
	in := newLines(file, r)
	var refused RefusedError
	var records []RateRecord
	for {
		ok, err := in.next()
		var fault Fault
		switch {
		case errors.As(err, &fault):
			refused.add(fault)
			if fault.Text == errLongLine.Error() {
				return nil, refused.err()
			}
			continue
		case err != nil:
			return nil, err
		case !ok:
			if len(records) == 0 && refused.Total == 0 {
				refused.add(Fault{RowRef{File: file, Line: 1}, "the file is empty"})
			}
			return records, refused.err()
		}
		record, err := rateRecord(in.fields, fips)
		if err != nil {
			refused.add(Fault{in.at(0), err.Error()})
			continue
		}
		record.At = in.at(0)
		records = append(records, record)
	}
}

func rateRecord(f [][]byte, fips string) (r RateRecord, err error) {
	if len(f) < 9 {
		return r, fmt.Errorf("%d columns instead of 9", len(f))
	}
	if string(f[0]) != fips {
		return r, fmt.Errorf("state %q instead of %q", f[0], fips)
	}
	var ok bool
	if r.Type, ok = feedType(f[1]); !ok {
		return r, fmt.Errorf("jurisdiction type %q is not two digits", f[1])
	}
	if r.Code, err = rateCode(r.Type, string(f[2])); err != nil {
		return r, err
	}
	if r.General, err = feedRate(f[3]); err != nil {
		return r, fmt.Errorf("general rate: %w", err)
	}
	if len(f[5]) > 0 {
		food, err := feedRate(f[5])
		if err != nil {
			return r, fmt.Errorf("food and drug rate: %w", err)
		}
		r.Food = &food
	}
	if r.From, err = feedDate(f[7]); err != nil || r.From == 0 {
		return r, fmt.Errorf("begin %q is not a date YYYYMMDD", f[7])
	}
	if r.To, err = feedDate(f[8]); err != nil {
		return r, fmt.Errorf("end %q is not a date YYYYMMDD", f[8])
	}
	if r.To != 0 && r.To < r.From {
		return r, fmt.Errorf("ends on %s before it begins on %s", r.To, r.From)
	}
	return r, nil
}

// rateCode pads the codes that are numbers of fixed length, as boundary files do.
func rateCode(kind, code string) (string, error) {
	length := 0
	switch {
	case kind == BoundaryCounty:
		length = 3
	case PlaceType(kind):
		length = 5
	}
	if code == "" || len(code) > maxCode || strings.ContainsAny(code, ":|\"") {
		return "", fmt.Errorf("jurisdiction code %q", code)
	}
	if length > 0 {
		n, ok := digits([]byte(code), length)
		if !ok {
			return "", fmt.Errorf("jurisdiction code %q is not up to %d digits", code, length)
		}
		return fmt.Sprintf("%0*d", length, n), nil
	}
	return code, nil
}

// highestRate is more than any jurisdiction levies: a file with percentages
// instead of fractions is not taken.
var highestRate = decimal.MustNew(20, 2)

func feedRate(field []byte) (decimal.Decimal, error) {
	text := string(field)
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	rate, err := money.ParseDecimal(text)
	if err != nil {
		return rate, fmt.Errorf("%q is not a number", field)
	}
	if rate.IsNeg() || rate.Cmp(highestRate) > 0 || rate.Scale() > 9 {
		return rate, fmt.Errorf("%s is not a fraction between 0 and %s", text, highestRate)
	}
	return rate, nil
}

// period is one rate of a series.
type period struct {
	at       RowRef
	from, to calendar.Date
	rate     decimal.Decimal
}

// series orders the rates of one key. An end that equals the next begin gives way
// to it; any other overlap is a fault. gaps counts the days between two rates
// that have none.
func series(all []period, refused *RefusedError) (ordered []period, gaps int) {
	slices.SortStableFunc(all, func(a, b period) int { return cmp.Compare(a.from, b.from) })
	for _, p := range all {
		n := len(ordered)
		if n == 0 {
			ordered = append(ordered, p)
			continue
		}
		last := &ordered[n-1]
		switch {
		case last.from == p.from && last.to == p.to && last.rate.Cmp(p.rate) == 0:
			continue // the same line twice
		case last.to == p.from && last.from < p.from:
			last.to = p.from.AddDays(-1)
		case last.to == 0 || last.to >= p.from:
			refused.add(Fault{p.at, fmt.Sprintf("overlaps line %d of the same jurisdiction", last.at.Line)})
			continue
		}
		if last.to.AddDays(1) < p.from {
			gaps++
		}
		ordered = append(ordered, p)
	}
	return ordered, gaps
}
