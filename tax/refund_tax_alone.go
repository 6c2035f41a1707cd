package tax

import (
	"fmt"
	"math/big"

	"levy/tax/money"
)

// takeTaxAlone takes the lines without an amount. Each first takes what was collected on its line beyond the calculated
// tax: that leaves calculated tax and base as they are. Only what goes beyond says that the sale was exempt to this
// extent. It takes calculated tax, with the same part of the base in each jurisdiction. Tax that a line does not have is
// taken off the others in the same way.
func (r *refund) takeTaxAlone() error {
	missing := make([]int64, len(r.lines))
	for i := range r.lines {
		t := &r.lines[i]
		if t.goods() {
			continue
		}
		t.open()
		tax, err := money.Cents(t.line.Tax.Abs())
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		missing[i] = t.fromTax(t.from, t.fromExcess(t.from, tax))
	}
	for i := range r.lines {
		t := &r.lines[i]
		if missing[i] == 0 {
			continue
		}
		others := r.lineAndOthers(t.from)[1:]
		for _, f := range others {
			missing[i] = t.fromExcess(f, missing[i])
		}
		for _, f := range others {
			missing[i] = t.fromTax(f, missing[i])
		}
		t.limited = missing[i] > 0
	}
	return nil
}

// fromExcess takes tax off what was collected on a line beyond its calculated tax. It returns what is missing.
func (t *taken) fromExcess(f *refundable, tax int64) (missing int64) {
	// guard: tax refund: the excess over the calculated tax comes first
	some := min(tax, max(0, f.collected-f.taxLeft()))
	f.collected -= some
	t.beyond += some
	return tax - some
}

func (f *refundable) taxLeft() (sum int64) {
	for i := range f.parts {
		sum += f.parts[i].tax
	}
	return sum
}

// fromTax takes tax off the calculated tax of a line, with the same part of its base in each jurisdiction. It returns
// what is missing.
func (t *taken) fromTax(f *refundable, tax int64) (missing int64) {
	left := f.taxLeft()
	some := min(tax, left)
	if some == 0 {
		return tax
	}
	part := &taken{from: f, rest: some == left, exact: new(big.Rat), parts: make([]takenPart, len(f.parts))}
	share := big.NewRat(some, left)
	for i := range f.parts {
		p := &part.parts[i]
		p.exact = new(big.Rat).Mul(new(big.Rat).SetInt64(f.parts[i].tax), share)
		// guard: tax refund: the base goes with the tax
		p.base = money.Nearest(new(big.Rat).Mul(new(big.Rat).SetInt64(f.parts[i].free), share))
	}
	part.spread(0, len(part.parts), some)
	before := f.largest()
	for i := range part.parts {
		p, of := &part.parts[i], &f.parts[i]
		of.tax, of.free = of.tax-p.tax, of.free-p.base
		own := t.partOf(of)
		own.tax, own.base, own.leftover = own.tax+p.tax, own.base+p.base, own.leftover || p.leftover
		own.exact.Add(own.exact, p.exact)
	}
	t.base += before - f.largest()
	f.collected -= min(some, max(0, f.collected))
	f.exempt(some)
	t.tax += some
	t.exact.Add(t.exact, new(big.Rat).SetInt64(some))
	return tax - some
}

// exempt notes that tax alone was given back of a line. It was a part of a price that includes tax.
func (f *refundable) exempt(tax int64) {
	f.exempted = true
	// guard: gross prices: tax that is given back alone lowers the price
	if f.item.GrossAmount != nil {
		f.left = max(0, f.left-tax)
	}
	f.rebase()
}

// partOf returns the part of a line of the refund for a jurisdiction of the original, which may be one of another line.
func (t *taken) partOf(of *refundablePart) *takenPart {
	for i := range t.parts {
		p := t.parts[i].of
		if p.RuleID == of.of.RuleID && p.JurisdictionType == of.of.JurisdictionType &&
			p.JurisdictionName == of.of.JurisdictionName {
			return &t.parts[i]
		}
	}
	t.parts = append(t.parts, takenPart{of: of.of, authority: of.authority, exact: new(big.Rat)})
	return &t.parts[len(t.parts)-1]
}
