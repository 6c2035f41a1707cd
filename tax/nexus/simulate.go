package nexus

import (
	"maps"
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Simulation says how sales and thresholds are to be different.
type Simulation struct {
	ChangePercent    int          // of all sales; -100 takes them all away
	Additional       []DailySales // in the currency of the rule, in any order
	MarketplaceShare *int         // percent of all sales that goes through marketplaces; nil: as it is
	Amount           *decimal.Decimal
	Count            *int
}

// Sales are the days as they would be. Errors: ErrOverflow.
func (s *Simulation) Sales(days []DailySales) ([]DailySales, error) {
	byDay := map[calendar.Date]*[2]DailySales{} // direct, and through marketplaces
	add := func(d DailySales) (err error) {
		both := byDay[d.Day]
		if both == nil {
			both = &[2]DailySales{{Day: d.Day}, {Day: d.Day, Marketplace: true}}
			byDay[d.Day] = both
		}
		to := &both[0]
		if d.Marketplace {
			to = &both[1]
		}
		return to.add(d)
	}
	changed := map[bool]*portion{false: {percent: 100 + s.ChangePercent}, true: {percent: 100 + s.ChangePercent}}
	for _, d := range days {
		grown, err := changed[d.Marketplace].of(&d)
		if err == nil {
			err = add(grown)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, d := range s.Additional {
		if err := add(d); err != nil {
			return nil, err
		}
	}
	return s.spread(byDay)
}

// spread puts the days in order, with the share of marketplaces.
func (s *Simulation) spread(byDay map[calendar.Date]*[2]DailySales) ([]DailySales, error) {
	var days []DailySales
	var shared portion
	if s.MarketplaceShare != nil {
		shared.percent = *s.MarketplaceShare
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		both := byDay[day]
		if s.MarketplaceShare != nil {
			whole := both[0]
			if err := whole.add(both[1]); err != nil {
				return nil, err
			}
			through, err := shared.of(&whole)
			if err != nil {
				return nil, err
			}
			direct, err := whole.less(through)
			if err != nil {
				return nil, err
			}
			through.Marketplace = true
			both[0], both[1] = direct, through
		}
		days = append(days, both[0], both[1])
	}
	return days, nil
}

// Rule is the rule with other thresholds. A threshold that the rule does not have is
// added to it: either one then counts.
func (s *Simulation) Rule(r Rule) Rule {
	if s.Amount == nil && s.Count == nil {
		return r
	}
	had := r
	if s.Amount != nil {
		r.Amount = *s.Amount
	}
	if s.Count != nil {
		r.Count = *s.Count
	}
	amount, count := had.HasAmount() || s.Amount != nil, had.HasCount() || s.Count != nil
	switch {
	case amount && count && had.Test != TestBoth:
		r.Test = TestEither
	case amount && !count:
		r.Test = TestSales
	case count && !amount:
		r.Test = TestTransactions
	}
	r.Presence = false
	return r
}

func (d *DailySales) add(o DailySales) (err error) {
	d.Count, d.ExemptCount, d.ResaleCount = d.Count+o.Count, d.ExemptCount+o.ExemptCount, d.ResaleCount+o.ResaleCount
	if d.Amount, err = money.Add(d.Amount, o.Amount); err != nil {
		return err
	}
	if d.ExemptAmount, err = money.Add(d.ExemptAmount, o.ExemptAmount); err != nil {
		return err
	}
	d.ResaleAmount, err = money.Add(d.ResaleAmount, o.ResaleAmount)
	return err
}

func (d *DailySales) less(o DailySales) (DailySales, error) {
	rest := *d
	o.Count, o.ExemptCount, o.ResaleCount = -o.Count, -o.ExemptCount, -o.ResaleCount
	o.Amount, o.ExemptAmount, o.ResaleAmount = o.Amount.Neg(), o.ExemptAmount.Neg(), o.ResaleAmount.Neg()
	return rest, rest.add(o)
}

// portion is a percentage of the sales of days, in their order. It rounds the number of sales of all days so far, not
// that of each day. Otherwise one sale a day would stay one at 60 percent, and become two at 150.
type portion struct {
	percent               int
	count, exempt, resale int // of the days so far
}

func (p *portion) of(d *DailySales) (DailySales, error) {
	rate, err := decimal.New(int64(p.percent), 2)
	if err != nil {
		return DailySales{}, err
	}
	s := DailySales{
		Day: d.Day, Marketplace: d.Marketplace, Count: p.next(&p.count, d.Count),
		ExemptCount: p.next(&p.exempt, d.ExemptCount), ResaleCount: p.next(&p.resale, d.ResaleCount),
	}
	if s.Amount, err = money.MulRateHalfUp(d.Amount, rate, money.Scale); err != nil {
		return DailySales{}, err
	}
	if s.ExemptAmount, err = money.MulRateHalfUp(d.ExemptAmount, rate, money.Scale); err != nil {
		return DailySales{}, err
	}
	s.ResaleAmount, err = money.MulRateHalfUp(d.ResaleAmount, rate, money.Scale)
	return s, err
}

// next adds a number to a sum, and returns by how much the portion of that grows.
func (p *portion) next(sum *int, n int) int {
	rounded := func(n int) int { return (n*p.percent + 50) / 100 }
	*sum += n
	return rounded(*sum) - rounded(*sum-n)
}
