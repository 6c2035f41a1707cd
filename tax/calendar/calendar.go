package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Calendar knows the legal holidays of the United States, and when returns are due
// there. It is safe for concurrent use.
type Calendar struct {
	holidays []holidayRule
	dues     map[filingKey]filingDue
}

// HolidayRow is a legal holiday as it stands in its table: FIXED:mm-dd,
// NTH:mm:DAY:n or LAST:mm:DAY. Observed NEAREST moves it from a Saturday to the
// Friday before and from a Sunday to the Monday after. Scope is US, or a list such as
// US-MA|US-ME of states.
type HolidayRow struct {
	At                   fmt.Stringer // where the row was read
	Name, Rule, Observed string
	Scope                []string
	Since                Date
}

// holidayRule is a legal holiday that comes every year.
type holidayRule struct {
	scope   []string
	since   Date
	month   time.Month
	day     int          // of a fixed date; else 0
	weekday time.Weekday // and which of them in the month
	nth     int          // from 1; 0 is the last
	nearest bool
}

var weekdays = map[string]time.Weekday{
	"SUN": time.Sunday, "MON": time.Monday, "TUE": time.Tuesday, "WED": time.Wednesday, "THU": time.Thursday,
	"FRI": time.Friday, "SAT": time.Saturday,
}

func (row HolidayRow) parse() (holidayRule, error) {
	h := holidayRule{scope: row.Scope, since: row.Since, nearest: row.Observed == "NEAREST"}
	wrong := fmt.Errorf("holiday rule %q, observed %q", row.Rule, row.Observed)
	if !h.nearest && row.Observed != "NONE" || len(row.Scope) == 0 {
		return h, wrong
	}
	kind, rest, _ := strings.Cut(row.Rule, ":")
	if kind == "FIXED" {
		at, err := time.Parse("2006-01-02", "2024-"+rest) // a leap year has every day
		if err != nil {
			return h, wrong
		}
		h.month, h.day = at.Month(), at.Day()
		return h, nil
	}
	parts := strings.Split(rest, ":")
	if kind == "LAST" {
		parts = append(parts, "0")
	}
	if kind != "NTH" && kind != "LAST" || len(parts) != 3 {
		return h, wrong
	}
	month, err := strconv.Atoi(parts[0])
	if err != nil || month < 1 || month > 12 {
		return h, wrong
	}
	nth, err := strconv.Atoi(parts[2])
	if err != nil || nth > 4 || (nth < 1) != (kind == "LAST") {
		return h, wrong
	}
	weekday, ok := weekdays[parts[1]]
	if !ok {
		return h, wrong
	}
	h.month, h.weekday, h.nth = time.Month(month), weekday, nth
	return h, nil
}

// in is the day of a year on which offices are closed for the holiday.
func (h *holidayRule) in(year int) Date {
	if h.day == 0 {
		if h.nth == 0 {
			last := DateOn(year, h.month, 1).LastOfMonth()
			return last.AddDays(-int(last.weekday()-h.weekday+7) % 7)
		}
		first := DateOn(year, h.month, 1)
		return first.AddDays(int(h.weekday-first.weekday()+7)%7 + 7*(h.nth-1))
	}
	day := DateOn(year, h.month, h.day)
	switch {
	case h.nearest && day.weekday() == time.Saturday:
		// guard: calendar: a holiday on a Saturday is the Friday before
		return day.AddDays(-1)
	case h.nearest && day.weekday() == time.Sunday:
		return day.AddDays(1)
	}
	return day
}

// IsBusinessDay reports whether a day is neither a Saturday, a Sunday nor a legal
// holiday, as observed, of the country or the state. Only the United States have
// holidays in the content.
func (c *Calendar) IsBusinessDay(country, state string, day Date) bool {
	if day.weekend() {
		return false
	}
	return !slices.ContainsFunc(c.holidays, func(h holidayRule) bool {
		// guard: calendar: a holiday begins with its law
		// guard: calendar: a holiday of another state is a business day
		if day < h.since || !slices.Contains(h.scope, country) && !slices.Contains(h.scope, country+"-"+state) {
			return false
		}
		// 1 January on a Saturday is observed in the year before.
		// guard: calendar: New Year's Day on a Saturday is in the year before
		return h.in(day.Year()) == day || h.in(day.Year()+1) == day
	})
}

// NextBusinessDay is the day itself, or the first business day after it.
func (c *Calendar) NextBusinessDay(country, state string, day Date) Date {
	for !c.IsBusinessDay(country, state, day) {
		day = day.AddDays(1)
	}
	return day
}

type filingKey struct {
	state     string
	frequency FilingFrequency
}

type filingDue struct {
	rule       string
	schedule   cron.Schedule          // the nominal day after the end of a period
	others     map[time.Month]dueRule // of periods that end in a month
	byDefault  bool
	source     string
	confidence string
}
