package tax

import (
	"errors"
	"math/big"

	"levy/tax/money"
)

// lowerPrice finds the tax and the base that a lower price takes off a line. They are those that are left, less those of
// the same units at the lower price. The law of the original judges limits and caps again. known is false if the original
// does not tell its input, or if no net price comes to a lower price with its tax.
func (r *refund) lowerPrice(t *taken) (known bool, err error) {
	f := t.from
	lower, err := r.priced(t, f.left-t.counts)
	switch {
	case errors.Is(err, ErrNoInput), errors.Is(err, ErrNoNetPrice):
		return false, nil
	case err != nil:
		return false, err
	case f.exempted || r.unit == TaxPerDocument:
		now, err := r.priced(t, f.left)
		if err != nil {
			return false, err
		}
		return true, t.lowerInProportion(now, lower)
	}
	return true, t.lowerTo(lower)
}

// priced calculates the units of a line that did not come back at a price.
func (r *refund) priced(t *taken, net int64) (line LineResult, err error) {
	req, err := r.req.Original.Request()
	if err != nil {
		return line, err
	}
	req.Reasons, req.Rounding = NoReasons, r.unit
	if r.unit == TaxPerDocument {
		req.Rounding = TaxPerLine
	}
	if err := r.req.Original.takeCouponsOff(&req); err != nil {
		return line, err
	}
	l := &req.Lines[t.line.Line]
	l.Amount, l.Discount, l.Quantity = money.FromCents(t.from.sign*net), money.FromCents(0), t.from.units
	result, err := r.req.Calculate(req)
	if err != nil {
		return line, err
	}
	return result.Lines[t.line.Line], nil
}

// itemOf returns the part of a line that a rule takes in a jurisdiction; without one, the zero value.
func itemOf(line *LineResult, of *ExplainedTax) TaxItem {
	for _, item := range line.TaxItems {
		if item.RuleID == of.RuleID && item.JurisdictionType == of.JurisdictionType &&
			item.JurisdictionName == of.JurisdictionName {
			return item
		}
	}
	return TaxItem{}
}

// lowerTo takes all tax and base that a line has above the tax of a lower price. If a jurisdiction takes more of the
// lower price than is left of it, the others give less back.
func (t *taken) lowerTo(lower LineResult) error {
	above := int64(0) // tax of the lower price above what is left
	back := make([]int64, len(t.parts))
	for i := range t.parts {
		item := itemOf(&lower, t.parts[i].of)
		tax, err := money.Cents(item.Amount.Abs())
		if err != nil {
			return err
		}
		base, err := money.Cents(item.TaxableAmount.Abs())
		if err != nil {
			return err
		}
		from := &t.from.parts[i]
		back[i] = from.tax - tax
		if back[i] < 0 {
			above, back[i] = above-back[i], 0
		}
		t.parts[i].base = max(0, from.free-base)
	}
	for i := range back {
		some := min(above, back[i])
		above -= some
		t.parts[i].exact.SetInt64(back[i] - some)
	}
	return nil
}

// lowerInProportion takes the part of tax and base by which the law lowers them. Thus it serves lines of which a part is
// exempt, and lines whose tax is a share of that of the whole document.
func (t *taken) lowerInProportion(now, lower LineResult) error {
	for i := range t.parts {
		from, p := &t.from.parts[i], &t.parts[i]
		before, after := itemOf(&now, p.of), itemOf(&lower, p.of)
		p.exact = lessened(from.tax, before.Unrounded.InCents(), after.Unrounded.InCents())
		wasBase, err := money.Cents(before.TaxableAmount)
		if err != nil {
			return err
		}
		isBase, err := money.Cents(after.TaxableAmount)
		if err != nil {
			return err
		}
		p.base = money.Nearest(lessened(from.free, new(big.Rat).SetInt64(wasBase), new(big.Rat).SetInt64(isBase)))
	}
	return nil
}

// lessened returns the part of an amount by which a value lessens, at least nothing.
func lessened(amount int64, before, after *big.Rat) *big.Rat {
	less := new(big.Rat).Sub(before, after)
	if before.Sign() == 0 || less.Sign() != before.Sign() {
		return new(big.Rat)
	}
	return less.Quo(less, before).Mul(less, new(big.Rat).SetInt64(amount))
}
