package tax

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// ErrRefundedLine is returned for a refund of a line that the original does not have.
var ErrRefundedLine = errors.New("the original has no such line")

// Refund mirrors the tax of the original: all amounts of the result have the opposite sign. Units that come back take a
// share of the tax that is left on their line, by amount. A lower price takes the difference to the tax of the lower
// price. No line takes more than the remaining tax of a jurisdiction. A refund that uses up a line takes exactly the
// remainder. So a sale that is refunded in parts comes to zero in every jurisdiction.
//
// Errors: ErrRefundedLine, ErrPrecision, ErrOverflow, those of RefundRequest.Calculate.
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
		if unit := req.Original.Items[i].Rounding.Unit; unit != "" {
			r.unit = unit
		}
	}
	for i := range r.from {
		if err := r.read(i); err != nil {
			return nil, fmt.Errorf("original line %d: %w", i+1, err)
		}
	}
	for i := range req.Earlier {
		e := &req.Earlier[i]
		if e.Line < 0 || e.Line >= len(r.from) {
			return nil, fmt.Errorf("earlier line %d: %w", i+1, ErrRefundedLine)
		}
		if err := r.without(e); err != nil {
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

// read reads a line of the original. If its tax was rounded on the whole document, the part that was allocated to the
// line counts.
func (r *refund) read(n int) error {
	item, f := &r.req.Original.Items[n], &r.from[n]
	net, err := money.Cents(item.price())
	if err != nil {
		return err
	}
	*f = refundable{item: item, sign: 1, whole: new(big.Rat), parts: make([]refundablePart, len(item.Lines))}
	if net < 0 {
		f.sign, net = -1, -net
	}
	f.net, f.left, f.basis = net, net, net
	f.unit = 1
	if in := r.req.Original.Input; in != nil && n < len(in.Items) {
		f.bought, f.unit = in.Items[n].Quantity.Abs(), cmp.Or(in.SmallestUnit, 1)
		f.units = f.bought
	}
	if n < len(r.req.Collected) {
		collected, err := money.Cents(r.req.Collected[n])
		if err != nil {
			return err
		}
		f.collected = f.sign * collected
	}
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
		*p = refundablePart{
			of: t, authority: authorityOf(t, r.req.Original.Jurisdictions), whole: t.UnroundedAmount.InCents(), base: base,
			tax: tax, free: base,
		}
		// guard: refund: a sale that was rounded as one gives back what was allocated to the line
		if r.unit == TaxPerDocument {
			p.whole = new(big.Rat).SetInt64(tax)
		}
		f.whole.Add(f.whole, p.whole)
	}
	return nil
}

// authorityOf returns the authority of a part, which is that of the original.
func authorityOf(t *ExplainedTax, jurisdictions []JurisdictionRef) (a Authority) {
	if len(jurisdictions) == 0 {
		return a
	}
	a.Country = jurisdictions[0].Country
	if a.Country == "US" || a.Country == "CA" && t.JurisdictionType != TypeCountry {
		a.State = t.State
	}
	return a
}

// take calculates the lines of the refund one after the other. Two lines of the refund for one original line share its
// remainder. Tax alone comes last.
func (r *refund) take() error {
	for i := range r.lines {
		if t := &r.lines[i]; t.goods() {
			if err := r.takeAmount(t); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return r.takeTaxAlone()
}

func (r *refund) takeAmount(t *taken) error {
	if err := r.measure(t); err != nil {
		return err
	}
	from := 0
	for _, to := range r.taxes(t) {
		t.round(from, to)
		from = to
	}
	t.settle()
	return nil
}

// taxes are the ends of the runs of jurisdictions that are rounded together. In the
// United States all of a line form one tax, elsewhere each is one by itself.
func (r *refund) taxes(t *taken) []int {
	abroad := len(r.req.Original.Jurisdictions) > 0 && r.req.Original.Jurisdictions[0].Country != "US"
	if r.unit != JurisdictionPerLine && !abroad {
		return []int{len(t.parts)}
	}
	ends := make([]int, len(t.parts))
	for i := range ends {
		ends[i] = i + 1
	}
	return ends
}

// goods reports whether a line gives back something else than tax alone.
func (t *taken) goods() bool { return t.amount > 0 || t.free() }

// free reports whether units come back for which coupons paid: the buyer gets nothing, but their tax may come back.
func (t *taken) free() bool { return t.line.Free && t.amount == 0 && t.from.net == 0 }

// open begins a line of the refund, with the parts of its original line.
func (t *taken) open() {
	f := t.from
	t.before, t.counts = f.net-f.left, min(t.amount, f.left)
	t.rest = t.amount > 0 && t.amount >= f.left || t.usesUpFree()
	t.exact, t.parts = new(big.Rat), make([]takenPart, len(f.parts))
	t.basis, t.shared = f.basis, new(big.Rat)
	for i := range f.parts {
		t.shared.Add(t.shared, f.parts[i].whole)
		t.parts[i] = takenPart{of: f.parts[i].of, authority: f.parts[i].authority, exact: new(big.Rat)}
	}
}

// measure finds the exact tax of a line before it is rounded, and its base.
func (r *refund) measure(t *taken) error {
	t.open()
	f := t.from
	t.price = !t.rest && t.line.Quantity.IsZero() && r.req.Calculate != nil && f.hasTax()
	// guard: refund: a lower price is judged by the law again
	if t.price {
		known, err := r.lowerPrice(t)
		if err != nil {
			return err
		}
		t.price = known
	}
	share := new(big.Rat)
	switch {
	case f.basis > 0:
		share.SetFrac64(t.counts, f.basis)
	case t.free() && f.bought.IsPos():
		// guard: refund: units that coupons paid for take their share of the tax
		share.Quo(ratOf(t.line.Quantity.Abs()), ratOf(f.bought))
	}
	for i := range f.parts {
		p := &t.parts[i]
		if !t.price {
			p.exact.Mul(f.parts[i].whole, share)
			p.base = min(money.Nearest(new(big.Rat).Mul(new(big.Rat).SetInt64(f.parts[i].base), share)), f.parts[i].free)
		}
		if t.rest {
			p.base = f.parts[i].free
		}
		t.exact.Add(t.exact, p.exact)
	}
	return nil
}

// usesUpFree reports whether the last units come back of a line for which coupons paid.
func (t *taken) usesUpFree() bool {
	f := t.from
	return t.free() && (!f.bought.IsPos() || t.line.Quantity.CmpAbs(f.units) >= 0)
}

func ratOf(d decimal.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String()) // a decimal is a fraction
	return r
}

// largest is the base of the line that is left: the largest one of its jurisdictions.
func (f *refundable) largest() (base int64) {
	for i := range f.parts {
		base = max(base, f.parts[i].free)
	}
	return base
}

func (f *refundable) hasTax() bool {
	for i := range f.parts {
		if f.parts[i].tax > 0 {
			return true
		}
	}
	return false
}

// settle takes what the line took off what is left of the original.
func (t *taken) settle() {
	f := t.from
	f.left -= t.counts
	before := f.largest()
	for i := range t.parts {
		f.parts[i].tax -= t.parts[i].tax
		f.parts[i].free -= t.parts[i].base
	}
	// guard: refund: its base is that by which the base of the line is less now
	t.base += before - f.largest()
	f.returnUnits(t.line.Quantity)
	if t.price {
		f.rebase()
	}
}

// returnUnits takes units off those that did not come back.
func (f *refundable) returnUnits(quantity decimal.Decimal) {
	if left, err := money.Sub(f.units, quantity.Abs()); err == nil {
		f.units = decimal.Zero.Max(left)
	}
}

// rebase lets later shares be those of the tax that is left.
func (f *refundable) rebase() {
	f.basis = f.left
	for i := range f.parts {
		p := &f.parts[i]
		p.whole, p.base = new(big.Rat).SetInt64(p.tax), p.free
	}
}
