package nexus

import (
	"sort"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// bound answers at once whether sales could meet a rule in a period: from above,
// as if nothing had been refunded. Only then it adds up the days one by one.
type bound struct {
	rule    *Rule
	sales   []DailySales
	amounts []decimal.Decimal // sum of what is counted and above zero, before the sale at the index
	counts  []int
}

func (r *Rule) bound(sales []DailySales, presence bool) (*bound, error) {
	b := &bound{
		rule: r, sales: sales, amounts: make([]decimal.Decimal, len(sales)+1), counts: make([]int, len(sales)+1),
	}
	for i := range sales {
		b.amounts[i+1], b.counts[i+1] = b.amounts[i], b.counts[i]
		if sales[i].Marketplace && !r.Marketplace {
			continue
		}
		amount, count, err := r.counted(&sales[i], presence)
		if err != nil {
			return nil, err
		}
		if amount.IsPos() {
			if b.amounts[i+1], err = money.Add(b.amounts[i], amount); err != nil {
				return nil, err
			}
		}
		b.counts[i+1] += max(count, 0)
	}
	return b, nil
}

func (b *bound) possible(day calendar.Date) (bool, error) {
	current, previous, ok := PeriodsOn(b.rule.Period, day)
	if !ok {
		return true, nil // the evaluation tells why
	}
	periods := []calendar.Period{current, previous}
	if b.rule.countsQuarters() {
		periods[1] = quarterHolding(day)
	}
	for _, p := range periods {
		if p.IsZero() {
			continue
		}
		from, to := b.index(p.Start), b.index(min(p.End, day).AddDays(1))
		amount, err := money.Sub(b.amounts[to], b.amounts[from])
		if err != nil {
			return false, err
		}
		if b.rule.metBy(amount, b.counts[to]-b.counts[from]) {
			return true, nil
		}
	}
	return false, nil
}

// index is that of the first sale on a day or later.
func (b *bound) index(day calendar.Date) int {
	return sort.Search(len(b.sales), func(i int) bool { return b.sales[i].Day >= day })
}
