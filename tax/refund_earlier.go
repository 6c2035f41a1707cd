package tax

import "levy/tax/money"

// without takes off what an earlier refund took. Tax that its line does not have was taken off the others.
func (r *refund) without(e *RefundedLine) error {
	f := &r.from[e.Line]
	amount, err := money.Cents(e.Amount.Abs())
	if err != nil {
		return err
	}
	collected, err := money.Cents(e.Collected)
	if err != nil {
		return err
	}
	f.left = max(0, f.left-amount)
	alone := amount == 0 && f.net > 0
	if !alone {
		f.returnUnits(e.Quantity)
	}
	r.uncollect(f, collected)
	taxed := false
	for i := range e.Taxes {
		base, err := money.Cents(e.Taxes[i].TaxableAmount.Abs())
		if err != nil {
			return err
		}
		tax, err := money.Cents(e.Taxes[i].Amount.Abs())
		if err != nil {
			return err
		}
		taxed = taxed || tax > 0
		r.takePart(f, &e.Taxes[i], tax, base, alone)
	}
	if amount > 0 && e.Quantity.IsZero() && taxed {
		f.rebase()
	}
	return nil
}

// takePart takes tax and base off a jurisdiction of a line, then off those of other lines. alone is tax alone.
func (r *refund) takePart(f *refundable, of *RefundedTax, tax, base int64, alone bool) {
	for _, other := range r.lineAndOthers(f) {
		for i := range other.parts {
			p := &other.parts[i]
			if p.of.RuleID != of.RuleID || p.of.JurisdictionType != of.JurisdictionType ||
				p.of.JurisdictionName != of.JurisdictionName {
				continue
			}
			some, ofBase := min(tax, p.tax), min(base, p.free)
			p.tax, p.free = p.tax-some, p.free-ofBase
			tax, base = tax-some, base-ofBase
			if alone && some > 0 {
				other.exempt(some)
			}
			break
		}
		if tax == 0 && base == 0 {
			return
		}
	}
}

// uncollect takes collected tax off a line, then off the others. That of a coupon line is below zero: it is added.
func (r *refund) uncollect(f *refundable, tax int64) {
	if tax < 0 {
		f.collected -= tax
		return
	}
	for _, other := range r.lineAndOthers(f) {
		if tax == 0 {
			return
		}
		some := min(tax, max(0, other.collected))
		other.collected -= some
		tax -= some
	}
}

// lineAndOthers lists a line of the original, then the others with its sign.
func (r *refund) lineAndOthers(f *refundable) []*refundable {
	all := make([]*refundable, 1, len(r.from))
	all[0] = f
	for i := range r.from {
		if other := &r.from[i]; other != f && other.sign == f.sign {
			all = append(all, other)
		}
	}
	return all
}
