package nexus

import (
	"fmt"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// DailySales are the sales of a day to one jurisdiction, in the currency of its
// rule, after discounts and before tax. Refunds lower the amounts, not the numbers.
type DailySales struct {
	Day          calendar.Date
	Marketplace  bool // sold through marketplaces; other sales of the day stand in another entry
	Count        int
	Amount       decimal.Decimal
	ExemptCount  int             // of Count: exempt as a whole
	ExemptAmount decimal.Decimal // of Amount
	ResaleCount  int             // of ExemptCount: sold to be sold on
	ResaleAmount decimal.Decimal // of ExemptAmount
}

// Measurement is what counted in a period up to the day of the evaluation.
type Measurement struct {
	calendar.Period
	Count  int
	Amount decimal.Decimal
	Met    bool
	// MetDate is the day on which the threshold was met. It is the day that crossed it, or the last day of a period for
	// rules that measure ended periods.
	MetDate calendar.Date
	// Crossing is the day whose sales crossed the threshold, with the sums after it.
	Crossing       calendar.Date
	CrossingCount  int
	CrossingAmount decimal.Decimal
	// BeforeCount and BeforeAmount are the sums of the period before that day.
	BeforeCount  int
	BeforeAmount decimal.Decimal
}

// Evaluation is the state of a jurisdiction on a day.
type Evaluation struct {
	Day      calendar.Date
	Current  Measurement
	Previous *Measurement // for the model that measures two periods
	// Quarter is the running quarter, where only its sales met the threshold: in Canada.
	Quarter *Measurement
	Met     bool
	MetDate calendar.Date // of the period that met first
	// ObligationStart is the first day on which tax must be collected; zero when the
	// threshold is not met, or the trigger is not known.
	ObligationStart calendar.Date
	// Approaching: not met, but so near that it should be watched.
	Approaching bool
}

// ApproachingPercent is the usual share of a threshold from which on it is approached.
const ApproachingPercent = 80

// Evaluate measures the sales against a rule as it stands on a day. sales are
// in order of days; what lies outside the periods, or after the day, does not count.
// presence tells whether the seller is physically present. A threshold that was
// crossed stays crossed within its period, whatever is refunded later. approaching
// is a share of the threshold in percent.
//
// Errors: ErrOverflow for sums beyond 19 digits, ErrPeriodModel.
func Evaluate(rule *Rule, day calendar.Date, sales []DailySales, presence bool, approaching int) (Evaluation, error) {
	current, previous, ok := PeriodsOn(rule.Period, day)
	if !ok {
		return Evaluation{}, fmt.Errorf("%w: %q", ErrPeriodModel, rule.Period)
	}
	e := Evaluation{Day: day}
	var err error
	if e.Current, err = rule.measure(current, day, sales, presence); err != nil {
		return Evaluation{}, err
	}
	e.Met, e.MetDate = e.Current.Met, e.Current.MetDate
	if !previous.IsZero() {
		p, err := rule.measure(previous, day, sales, presence)
		if err != nil {
			return Evaluation{}, err
		}
		e.Previous = &p
		if p.Met {
			e.Met, e.MetDate = true, p.MetDate
		}
	}
	if e.Met {
		e.MetDate = max(e.MetDate, rule.From) // sales before the law began make nexus when it begins
		e.ObligationStart, _ = rule.Trigger.Start(e.MetDate)
	}
	var quarter Measurement
	if rule.countsQuarters() {
		if quarter, err = rule.sumUp(quarterHolding(day), day, sales, presence, false); err != nil {
			return Evaluation{}, err
		}
		e.meetIn(&quarter, rule.From)
	}
	if e.Met {
		return e, nil
	}
	near, err := rule.near(approaching)
	if err != nil {
		return Evaluation{}, err
	}
	e.Approaching = near.metBy(e.Current.Amount, e.Current.Count) || e.Previous != nil &&
		near.metBy(e.Previous.Amount, e.Previous.Count) || rule.countsQuarters() && near.metBy(quarter.Amount, quarter.Count)
	return e, nil
}

// meetIn applies a quarter whose sales alone exceed the threshold. The supply that exceeds it is taxed itself, also if
// nexus was met before and obliges only later.
func (e *Evaluation) meetIn(quarter *Measurement, from calendar.Date) {
	start := max(quarter.MetDate, from)
	switch {
	case !quarter.Met:
	case !e.Met:
		e.Quarter, e.Met, e.MetDate, e.ObligationStart = quarter, true, start, start
	default:
		e.ObligationStart = min(e.ObligationStart, start)
	}
}

// measure adds up what counts in a period, day by day.
func (r *Rule) measure(period calendar.Period, until calendar.Date, sales []DailySales, presence bool) (Measurement,
	error) {
	return r.sumUp(period, until, sales, presence, r.Period.measuresWhatIsOver())
}

// sumUp does it for a period that is over, or one that may run still.
func (r *Rule) sumUp(period calendar.Period, until calendar.Date, sales []DailySales, presence, over bool,
) (Measurement, error) {
	p := Measurement{Period: period, Amount: decimal.Zero}
	for i := 0; i < len(sales) && sales[i].Day <= until; {
		day := sales[i].Day
		before, beforeCount := p.Amount, p.Count
		for ; i < len(sales) && sales[i].Day == day; i++ {
			if !period.Holds(day) || sales[i].Marketplace && !r.Marketplace {
				continue
			}
			amount, count, err := r.counted(&sales[i], presence)
			if err != nil {
				return Measurement{}, err
			}
			if p.Amount, err = money.Add(p.Amount, amount); err != nil {
				return Measurement{}, fmt.Errorf("sales of %s to %s: %w", period.Start, period.End, err)
			}
			p.Count += count
		}
		if p.Crossing == 0 && period.Holds(day) && r.metBy(p.Amount, p.Count) {
			p.Crossing, p.CrossingCount, p.CrossingAmount = day, p.Count, p.Amount
			p.BeforeCount, p.BeforeAmount = beforeCount, before
		}
	}
	if over {
		if p.Met = r.metBy(p.Amount, p.Count); p.Met {
			p.MetDate = period.End
		}
		return p, nil
	}
	p.Met, p.MetDate = p.Crossing != 0, p.Crossing
	return p, nil
}

// counted is the part of a day's sales that the rule counts.
func (r *Rule) counted(s *DailySales, presence bool) (amount decimal.Decimal, count int, err error) {
	amount, count = s.Amount, s.Count
	switch r.Exempt {
	case ExemptIncluded:
	case ExemptExcluded:
		count -= s.ExemptCount
		amount, err = money.Sub(amount, s.ExemptAmount)
	case ExemptDepends:
		count -= s.ResaleCount
		amount, err = money.Sub(amount, s.ResaleAmount)
	case ExemptIncludeIfPresence:
		if !presence {
			count -= s.ExemptCount
			amount, err = money.Sub(amount, s.ExemptAmount)
		}
	case ExemptSalesOnly:
		count -= s.ExemptCount
	}
	return amount, count, err
}

// metBy reports whether these sums meet the thresholds.
func (r *Rule) metBy(amount decimal.Decimal, count int) bool {
	if r.Presence {
		return false
	}
	byAmount := amount.Cmp(r.Amount) > 0 || !r.AmountExceeded && amount.Cmp(r.Amount) == 0
	byCount := count > r.Count || !r.CountExceeded && count == r.Count
	switch r.Test {
	case TestSales:
		return byAmount
	case TestTransactions:
		return byCount
	case TestEither:
		return byAmount || byCount
	case TestBoth:
		return byAmount && byCount
	}
	return false
}

// near is the rule with thresholds at so many percent of its own, to be reached.
func (r *Rule) near(percent int) (*Rule, error) {
	n := *r
	share, err := decimal.New(int64(percent), 2)
	if err != nil {
		return nil, fmt.Errorf("%w: %d percent", money.ErrOverflow, percent)
	}
	if n.Amount, err = money.MulRateHalfUp(r.Amount, share, 2); err != nil {
		return nil, err
	}
	n.Count = (r.Count*percent + 99) / 100
	// A threshold of zero cannot be approached: the first sale meets it.
	n.AmountExceeded, n.CountExceeded = n.Amount.IsZero(), n.Count == 0
	return &n, nil
}
