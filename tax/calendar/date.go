// Package calendar is the civil calendar of tax authorities. It has days without clock or zone, the periods of returns,
// their due days, and legal holidays.
package calendar

import (
	"errors"
	"fmt"
	"time"
)

// ErrDate is returned for text that is not a calendar day.
var ErrDate = errors.New("not a calendar day in the form YYYY-MM-DD")

// Date is a civil day without clock or zone, stored as the number yyyymmdd, so
// that dates compare like numbers. The zero value means "no date".
type Date int32

// NewDate builds a Date from a real calendar day between the years 1 and 9999.
func NewDate(year int, month time.Month, day int) (Date, error) {
	d := DateOn(year, month, day)
	if year < 1 || year > 9999 || d.Year() != year || d.Month() != month || d.Day() != day {
		return 0, fmt.Errorf("%w: %d-%d-%d", ErrDate, year, month, day)
	}
	return d, nil
}

// ParseDate reads YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, fmt.Errorf("%w: %q", ErrDate, s)
	}
	n := 0
	for i := range len(s) {
		if i == 4 || i == 7 {
			continue
		}
		c := s[i]
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%w: %q", ErrDate, s)
		}
		n = n*10 + int(c-'0')
	}
	return NewDate(n/10000, time.Month(n/100%100), n%100)
}

// MustDate is ParseDate for constants; it panics on bad text.
func MustDate(s string) Date {
	d, err := ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

// DateOf is the day that t shows in its own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(y*10000 + int(m)*100 + d)
}

// OptionalDateOf is as DateOf, and zero for no time.
func OptionalDateOf(t *time.Time) Date {
	if t == nil {
		return 0
	}
	return DateOf(*t)
}

// Year, Month and Day are the parts of the date.
func (d Date) Year() int         { return int(d) / 10000 }
func (d Date) Month() time.Month { return time.Month(int(d) / 100 % 100) }
func (d Date) Day() int          { return int(d) % 100 }

// Time is midnight UTC of the day.
func (d Date) Time() time.Time {
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
}

// AddDays moves the date by n days.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == 0 }

// String is YYYY-MM-DD, or empty for no date.
func (d Date) String() string {
	if d == 0 {
		return ""
	}
	return string(d.appendTo(make([]byte, 0, 10)))
}

func (d Date) appendTo(b []byte) []byte {
	n := int(d)
	digit := func(div int) byte { return byte('0' + n/div%10) }
	return append(b, digit(10000000), digit(1000000), digit(100000), digit(10000), '-',
		digit(1000), digit(100), '-', digit(10), digit(1))
}

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD; empty text is no date.
func (d *Date) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*d = 0
		return nil
	}
	*d, err = ParseDate(string(b))
	return err
}

// DateOn returns the day as time.Date understands it: a day or month out of range carries over. So day 0 is the last
// day of the month before.
func DateOn(year int, month time.Month, day int) Date {
	return DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// AddMonths moves the date by n months; a day that the month does not have becomes
// its last.
func (d Date) AddMonths(n int) Date {
	first := DateOn(d.Year(), d.Month()+time.Month(n), 1)
	return min(DateOn(first.Year(), first.Month(), 1).AddDays(d.Day()-1), first.LastOfMonth())
}

// LastOfMonth is the last day of the month.
func (d Date) LastOfMonth() Date { return DateOn(d.Year(), d.Month()+1, 0) }

// FirstOfMonthFrom is the first day of a month, on the day or after it.
func FirstOfMonthFrom(day Date) Date {
	if day.Day() == 1 {
		return day
	}
	return DateOn(day.Year(), day.Month()+1, 1)
}

func (d Date) weekday() time.Weekday { return d.Time().Weekday() }

// Period is a span of days, both ends inclusive.
type Period struct{ Start, End Date }

// IsZero reports whether there is no period.
func (p Period) IsZero() bool { return p.Start == 0 }

// Holds reports whether the day lies in the period.
func (p Period) Holds(day Date) bool { return day >= p.Start && day <= p.End }

// Span is a period of validity, both ends inclusive; zero ends are open.
type Span struct{ From, To Date }

// Holds reports whether the day lies in the span.
func (s Span) Holds(d Date) bool { return d >= s.From && (s.To == 0 || d <= s.To) }

// Common returns the days of two spans that have a day in common.
func (s Span) Common(o Span) Span {
	common := Span{From: max(s.From, o.From), To: s.To}
	if common.To == 0 || o.To != 0 && o.To < common.To {
		common.To = o.To
	}
	return common
}
