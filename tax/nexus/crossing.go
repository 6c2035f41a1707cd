package nexus

import (
	"github.com/govalues/decimal"

	"levy/tax/money"
)

// Crossing follows the sales of the day that crossed a threshold, one by one,
// until it is crossed.
type Crossing struct {
	rule     *Rule
	presence bool
	Count    int // that counted, up to the last sale that was added
	Amount   decimal.Decimal
}

// Crossing begins before the first sale of that day.
func (r *Rule) Crossing(p *Measurement, presence bool) *Crossing {
	return &Crossing{rule: r, presence: presence, Count: p.BeforeCount, Amount: p.BeforeAmount}
}

// Add adds one sale, and reports whether the threshold is crossed now. Errors:
// ErrOverflow.
func (c *Crossing) Add(sale DailySales) (crossed bool, err error) {
	if sale.Marketplace && !c.rule.Marketplace {
		return false, nil
	}
	amount, count, err := c.rule.counted(&sale, c.presence)
	if err != nil {
		return false, err
	}
	if c.Amount, err = money.Add(c.Amount, amount); err != nil {
		return false, err
	}
	c.Count += count
	return c.rule.metBy(c.Amount, c.Count), nil
}
