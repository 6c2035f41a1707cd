package calendar

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// DueRow says when the returns of one state and frequency are due. Default marks the frequency of new registrations.
// Rule is one of these:
//
//   - DAY:n is day n of the month after the period, MONTHm_DAY:n that of the m-th month after it.
//   - LAST is the last day of the month after the period.
//   - PLUS_DAYS:n is n days after the end of the period.
//   - DATE:mm-dd is the first such day after the end of the period.
type DueRow struct {
	At        fmt.Stringer // where the row was read
	Country   string       // empty: the United States
	State     string       // abroad: the province, or the code of the country for all of it
	Frequency FilingFrequency
	Rule      string
	// Others are the rules of periods that end in some months, where those differ: "1=DAY:23|3=LAST".
	Others     []string
	Default    bool
	Source     string
	Confidence string // HIGH, MED or LOW
}

// Due is when a return is due.
type Due struct {
	Date    Date // a business day
	Nominal Date // the day the rule names, which may be a holiday
	Rule    string
	// Assumed: the state has no rule for this frequency; that of a shorter one was taken.
	Assumed    bool
	Source     string
	Confidence string // HIGH, MED or LOW
}

// shorter is the frequency whose rule stands in for one without a rule of its own.
var shorter = map[FilingFrequency]FilingFrequency{
	FilingAnnualFiscalYear: FilingAnnually, FilingAnnually: FilingSemiAnnually, FilingSemiAnnually: FilingQuarterly,
	FilingFourMonthly: FilingQuarterly, FilingQuarterlyPrepayment: FilingMonthly, FilingQuarterly: FilingMonthly,
	// guard: calendar: a frequency without a rule has that of a shorter one
	FilingBiMonthly: FilingMonthly, FilingSemiMonthly: FilingMonthly,
}

// Due is when the return of a period is due in a state of the United States.
// The rule of a payment on account is that of QUARTERLY_PREPAYMENT, of its quarters
// that of QUARTERLY. ok is false where the content has no rule.
func (c *Calendar) Due(state string, frequency FilingFrequency, p FilingPeriod) (due Due, ok bool) {
	f := frequency
	// guard: calendar: a payment on account is due by its own rule
	if f == FilingQuarterlyPrepayment && p.Category == FilingRegular {
		f = FilingQuarterly
	}
	asked := f
	d, ok := c.dues[filingKey{state, f}]
	for !ok && f != "" {
		f = shorter[f]
		d, ok = c.dues[filingKey{state, f}]
	}
	if !ok {
		return Due{}, false
	}
	end := p.End
	// guard: calendar: a payment on account for days of two months is due like that of the first
	if p.Category == FilingPrepayment && p.End > p.Start.LastOfMonth() {
		end = p.Start.LastOfMonth() // Cal. Rev. & Tax. Code 6472(b)(2)
	}
	d = d.in(end.Month())
	nominal := DateOf(d.schedule.Next(end.Time()))
	// guard: calendar: a due day that is no business day is the next one
	return Due{Date: c.NextBusinessDay("US", state, nominal), Nominal: nominal, Rule: d.rule, Assumed: f != asked,
		Source: d.source, Confidence: d.confidence}, true
}

// oneStopShop is the code of the European Union as an authority.
const oneStopShop = "ZZ_EU"

// DueIn returns the due day of a return in any country. Outside the United States it is the day that the rule names,
// even a holiday. The holidays there are not known, and not all authorities move a due day that is one. ok is false for
// a frequency without a rule.
//
// A return of the one-stop shop may end early, with its registration. It is due when the return of the whole period is
// due, by whose last day its amounts are converted. Source: Directive 2006/112/EC, articles 364, 369f and 369h.
func (c *Calendar) DueIn(country, state string, frequency FilingFrequency, p FilingPeriod) (due Due, ok bool) {
	if country == "US" {
		return c.Due(state, frequency, p)
	}
	d, ok := c.dues[filingKey{placeOfDue(country, state), frequency}]
	if !ok {
		return Due{}, false
	}
	if whole, ok := frequency.PeriodOn(p.End, TaxYear{}); ok && country == oneStopShop {
		p.End = whole.End
	}
	d = d.in(p.End.Month())
	day := DateOf(d.schedule.Next(p.End.Time()))
	return Due{Date: day, Nominal: day, Rule: d.rule, Source: d.source, Confidence: d.confidence}, true
}

// placeOfDue is the first part of the key of a rule.
func placeOfDue(country, state string) string {
	if country == "" || country == "US" {
		return state
	}
	return country + "/" + state
}

// DefaultFrequency is how often a state usually wants returns of new registrations.
func (c *Calendar) DefaultFrequency(state string) (FilingFrequency, bool) {
	for key, d := range c.dues {
		if key.state == state && d.byDefault {
			return key.frequency, true
		}
	}
	return FilingUnknown, false
}

func (c *Calendar) addDues(rows []DueRow, fault func(at fmt.Stringer, format string, args ...any)) {
	defaults := map[string]bool{}
	for _, row := range rows {
		schedule, err := parseDue(row.Rule)
		if err != nil {
			fault(row.At, "%v", err)
		}
		if row.Frequency.monthsOf() == 0 && row.Frequency != FilingAnnualFiscalYear &&
			row.Frequency != FilingSemiMonthly {
			fault(row.At, "unknown frequency %q", row.Frequency)
		}
		key := filingKey{placeOfDue(row.Country, row.State), row.Frequency}
		if _, twice := c.dues[key]; twice {
			fault(row.At, "a second rule of %s for %s", row.State, row.Frequency)
		}
		if row.Default && defaults[key.state] {
			fault(row.At, "a second default of %s", row.State)
		}
		defaults[key.state] = defaults[key.state] || row.Default
		due := filingDue{rule: row.Rule, schedule: schedule, byDefault: row.Default, source: row.Source,
			confidence: row.Confidence}
		if err := due.addOthers(row.Others); err != nil {
			fault(row.At, "%v", err)
		}
		c.dues[key] = due
	}
}

// dueRule is a rule with the schedule that it means.
type dueRule struct {
	rule     string
	schedule cron.Schedule
}

func (d *filingDue) addOthers(list []string) error {
	for _, other := range list {
		month, rule, _ := strings.Cut(other, "=")
		n, err := strconv.Atoi(month)
		schedule, wrong := parseDue(rule)
		if err != nil || wrong != nil || n < 1 || n > 12 {
			return fmt.Errorf("due rule of a month %q", other)
		}
		if d.others == nil {
			d.others = map[time.Month]dueRule{}
		}
		d.others[time.Month(n)] = dueRule{rule, schedule}
	}
	return nil
}

// in is the rule for a period that ends in a month.
func (d filingDue) in(month time.Month) filingDue {
	// guard: calendar: a period has the rule of the month in which it ends
	if other, ok := d.others[month]; ok {
		d.rule, d.schedule = other.rule, other.schedule
	}
	return d
}

// parseDue reads a rule. Rules that cron can express become cron expressions. None names a day that a month may lack,
// because cron would leave out that month.
func parseDue(rule string) (cron.Schedule, error) {
	wrong := fmt.Errorf("due rule %q", rule)
	kind, value, _ := strings.Cut(rule, ":")
	if kind == "DATE" {
		// guard: calendar: no rule names a day that a year may lack
		at, err := time.Parse("2006-01-02", "2023-"+value) // not a leap year: 29 February is not every year
		if err != nil {
			return nil, wrong
		}
		return cron.ParseStandard(fmt.Sprintf("0 0 %d %d *", at.Day(), int(at.Month())))
	}
	n, err := strconv.Atoi(cmp.Or(value, "0"))
	months, inMonth := strings.CutPrefix(kind, "MONTH")
	switch {
	case err != nil, n < 0, (value == "") != (kind == "LAST"):
		return nil, wrong
	case kind == "LAST":
		return lastDay{}, nil
	case kind == "PLUS_DAYS" && n >= 1 && n <= 366:
		return plusDays(n), nil
	case kind == "DAY" && n >= 1 && n <= 28:
		day, err := cron.ParseStandard(fmt.Sprintf("0 0 %d * *", n))
		return monthAfter{day}, err
	case inMonth && n >= 1 && n <= 28:
		m, err := strconv.Atoi(strings.TrimSuffix(months, "_DAY"))
		if err != nil || m < 1 || m > 12 || !strings.HasSuffix(months, "_DAY") {
			return nil, wrong
		}
		return dayOfMonth{m, n}, nil
	}
	return nil, wrong
}

// The schedules that cron has no words for. Next is asked with the last day of a
// period, which may lie inside a month.
type (
	monthAfter struct{ cron.Schedule }
	lastDay    struct{}
	plusDays   int
	dayOfMonth struct{ months, day int }
)

// Next implements cron.Schedule.
func (m monthAfter) Next(end time.Time) time.Time {
	// guard: calendar: a day of the month is one of the month after
	return m.Schedule.Next(DateOf(end).LastOfMonth().Time())
}

// Next implements cron.Schedule.
func (lastDay) Next(end time.Time) time.Time {
	// guard: calendar: the last day is that of the month after
	return DateOf(end).LastOfMonth().AddDays(1).LastOfMonth().Time()
}

// Next implements cron.Schedule.
// guard: calendar: days are counted from the end of the period
func (n plusDays) Next(end time.Time) time.Time { return end.AddDate(0, 0, int(n)) }

// Next implements cron.Schedule.
func (d dayOfMonth) Next(end time.Time) time.Time {
	first := DateOf(end)
	// guard: calendar: months are counted from that of the end
	return DateOn(first.Year(), first.Month()+time.Month(d.months), d.day).Time()
}

// UsualFrequency is how often an authority usually wants returns of new registrations. It is the frequency of the state
// if the content knows it, else by quarter, as for the one-stop shop of the European Union.
func (c *Calendar) UsualFrequency(country, state string) FilingFrequency {
	if country == "US" {
		if f, ok := c.DefaultFrequency(state); ok {
			return f
		}
	}
	return FilingQuarterly
}

// New reads the rules. fault is told of each row that is wrong.
func New(holidays []HolidayRow, dues []DueRow, fault func(at fmt.Stringer, format string, args ...any)) *Calendar {
	c := &Calendar{dues: make(map[filingKey]filingDue, len(dues))}
	for _, row := range holidays {
		rule, err := row.parse()
		if err != nil {
			fault(row.At, "%v", err)
			continue
		}
		c.holidays = append(c.holidays, rule)
	}
	c.addDues(dues, fault)
	return c
}
