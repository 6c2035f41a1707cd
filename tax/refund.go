package tax

import (
	"errors"
	"fmt"
	"math/big"

	"levy/tax/money"
)

// ErrRefundedLine is returned for a refund of a line that the original does not have.
var ErrRefundedLine = errors.New("the original has no such line")

// Refund mirrors the tax of the original: all amounts of the result have the opposite sign. Each refunded line takes a
// share of the unrounded tax of its original line, by amount. The share is rounded by the rounding unit of the
// original. It never exceeds the remaining tax of a jurisdiction. A refund that uses up a line takes exactly the
// remainder. So a sale that is refunded in parts comes to zero in every jurisdiction.
//
// Errors: ErrRefundedLine, ErrPrecision, ErrOverflow.
func Refund(req RefundRequest) (Result, error) {
	r, err := newRefund(&req)
	if err != nil {
		return Result{}, err
	}
	if err := r.take(); err != nil {
		return Result{}, err
	}
	return r.result()
}

func newRefund(req *RefundRequest) (*refund, error) {
	r := &refund{
		req: req, unit: TaxPerLine, from: make([]refundable, len(req.Original.Items)),
		lines: make([]taken, len(req.Lines)),
	}
	for i := range r.from {
		if err := r.from[i].read(&req.Original.Items[i]); err != nil {
			return nil, fmt.Errorf("original line %d: %w", i+1, err)
		}
		r.from[i].attribute(req.Original.Jurisdictions)
		if unit := req.Original.Items[i].Rounding.Unit; unit != "" {
			r.unit = unit
		}
	}
	for i := range req.Earlier {
		e := &req.Earlier[i]
		if e.Line < 0 || e.Line >= len(r.from) {
			return nil, fmt.Errorf("earlier line %d: %w", i+1, ErrRefundedLine)
		}
		if err := r.from[e.Line].without(e); err != nil {
			return nil, fmt.Errorf("earlier line %d: %w", i+1, err)
		}
	}
	for i := range r.lines {
		l := &req.Lines[i]
		if l.Line < 0 || l.Line >= len(r.from) {
			return nil, fmt.Errorf("line %d: %w", i+1, ErrRefundedLine)
		}
		amount, err := money.Cents(l.Amount.Abs())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		r.lines[i] = taken{line: l, from: &r.from[l.Line], amount: amount}
	}
	return r, nil
}

func (f *refundable) read(item *ExplainedItem) error {
	net, err := money.Cents(item.NetAmount)
	if err != nil {
		return err
	}
	f.item, f.sign, f.whole = item, 1, new(big.Rat)
	if net < 0 {
		f.sign, net = -1, -net
	}
	f.net, f.left = net, net
	f.parts = make([]refundablePart, len(item.Lines))
	for i := range item.Lines {
		t, p := &item.Lines[i], &f.parts[i]
		tax, err := money.Cents(t.Amount.Abs())
		if err != nil {
			return err
		}
		base, err := money.Cents(t.TaxableAmount.Abs())
		if err != nil {
			return err
		}
		*p = refundablePart{whole: t.UnroundedAmount.InCents(), base: base, tax: tax, free: base}
		f.whole.Add(f.whole, p.whole)
	}
	return nil
}

// attribute finds the authority of each part, which is that of the original.
func (f *refundable) attribute(jurisdictions []JurisdictionRef) {
	f.authorities = make([]Authority, len(f.parts))
	if len(jurisdictions) == 0 {
		return
	}
	country := jurisdictions[0].Country
	for i := range f.item.Lines {
		l := &f.item.Lines[i]
		f.authorities[i] = Authority{Country: country}
		if country == "US" || country == "CA" && l.JurisdictionType != TypeCountry {
			f.authorities[i].State = l.State
		}
	}
}

// without subtracts what an earlier refund took. A jurisdiction that the original no
// longer has, because it was recalculated, has nothing to give.
func (f *refundable) without(e *RefundedLine) error {
	amount, err := money.Cents(e.Amount.Abs())
	if err != nil {
		return err
	}
	f.left = max(0, f.left-amount)
	for _, t := range e.Taxes {
		tax, err := money.Cents(t.Amount.Abs())
		if err != nil {
			return err
		}
		base, err := money.Cents(t.TaxableAmount.Abs())
		if err != nil {
			return err
		}
		for i := range f.parts {
			l := &f.item.Lines[i]
			if l.RuleID == t.RuleID && l.JurisdictionType == t.JurisdictionType &&
				l.JurisdictionName == t.JurisdictionName {
				f.parts[i].tax, f.parts[i].free = max(0, f.parts[i].tax-tax), max(0, f.parts[i].free-base)
				break
			}
		}
	}
	return nil
}

// take calculates the lines of the refund one after the other. Two lines of the refund for one original line share its
// remainder.
func (r *refund) take() error {
	carried := map[string]*big.Rat{} // remainders of the rounding of each tax on the whole document so far
	for i := range r.lines {
		t := &r.lines[i]
		if err := r.measure(t); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		from := 0
		for _, to := range r.taxes(t) {
			t.round(r.unit, from, to, carried)
			from = to
		}
		t.settle()
	}
	return nil
}

// taxes are the ends of the runs of jurisdictions that are rounded together. In the
// United States all of a line form one tax, elsewhere each is one by itself. Tax
// that is given back alone is an amount already.
func (r *refund) taxes(t *taken) []int {
	abroad := len(r.req.Original.Jurisdictions) > 0 && r.req.Original.Jurisdictions[0].Country != "US"
	if t.amount == 0 || r.unit != JurisdictionPerLine && !abroad {
		return []int{len(t.parts)}
	}
	ends := make([]int, len(t.parts))
	for i := range ends {
		ends[i] = i + 1
	}
	return ends
}

// measure finds the exact share of a line before it is rounded.
func (r *refund) measure(t *taken) error {
	f := t.from
	t.before, t.counts = f.net-f.left, min(t.amount, f.left)
	t.rest = t.amount > 0 && t.amount >= f.left
	t.parts = make([]takenPart, len(f.parts))
	share := new(big.Rat)
	switch {
	case t.amount > 0 && f.net > 0:
		share.SetFrac64(t.counts, f.net)
	case t.amount == 0 && f.whole.Sign() > 0:
		tax, err := money.Cents(t.line.Tax.Abs())
		if err != nil {
			return err
		}
		share.Quo(new(big.Rat).SetInt64(tax), f.whole)
	}
	t.exact = new(big.Rat)
	for i := range f.parts {
		p := &t.parts[i]
		p.exact = new(big.Rat).Mul(f.parts[i].whole, share)
		t.exact.Add(t.exact, p.exact)
		switch {
		case t.rest:
			p.base = f.parts[i].free
		case t.amount > 0:
			p.base = min(
				money.Nearest(new(big.Rat).Mul(new(big.Rat).SetInt64(f.parts[i].base), share)), f.parts[i].free,
			)
		}
	}
	return nil
}

// settle takes what the line took off what is left of the original.
func (t *taken) settle() {
	t.from.left -= t.counts
	for i := range t.parts {
		t.from.parts[i].tax -= t.parts[i].tax
		t.from.parts[i].free -= t.parts[i].base
		t.base = max(t.base, t.parts[i].base)
	}
}
