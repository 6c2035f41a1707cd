package tax

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"levy/tax/money"
)

// Calculate returns the tax that the law of the taxing place puts on a sale, by the content in force on the tax date.
// It is a pure function of content and request. Lines with negative amounts mirror positive ones to the cent. With the
// default rounding unit, the order of the lines changes no amount.
//
// Errors: ErrPlaceUnknown, ErrClass, ErrRounding, UnknownJurisdictionError, ErrPrecision for amounts with fractions of
// a cent, ErrOverflow for an amount or sum of more than 10 integer digits.
//
// Coupon lines lower the other lines first: see SpreadCoupons.
func (c *Content) Calculate(req Request) (Result, error) {
	k := calculations.Get().(*calculation)
	defer k.release()
	k.c, k.req = c, req
	switch req.Rounding {
	case "":
		k.req.Rounding = TaxPerLine
	case TaxPerLine, JurisdictionPerLine, TaxPerDocument:
	default:
		return Result{}, fmt.Errorf("%w: %q", ErrRounding, req.Rounding)
	}
	k.unit = cmp.Or(req.SmallestUnit, money.UnitOf(req.Currency))
	k.sure = levelHigh
	if err := k.source(); err != nil {
		return Result{}, err
	}
	if k.faultyPlace() != "" {
		k.sure = levelLow
	}
	if err := k.read(); err != nil {
		return Result{}, err
	}
	k.takeOverrides()
	k.findLevies()
	if k.terms {
		if err := k.keepReductions(); err != nil {
			return Result{}, err
		}
	}
	k.relieve()
	if err := k.assessPrices(); err != nil {
		return Result{}, err
	}
	if k.useTax != "" || k.instead != "" {
		k.noteUseTax()
	}
	if k.settled = !k.placeMatters(); !k.settled && k.taxed.Confidence != "" {
		k.sure = max(k.sure, levelOf(k.taxed.Confidence))
	}
	k.noteUnconfirmed()
	if err := k.round(); err != nil {
		return Result{}, err
	}
	if k.req.PricesIncludeTax {
		k.settleGross()
	}
	return k.result()
}

func (k *calculation) read() error {
	k.lines = slices.Grow(k.lines[:0], len(k.req.Lines))[:len(k.req.Lines)]
	positive, negative := false, false
	for i := range k.req.Lines {
		l, w := &k.req.Lines[i], &k.lines[i]
		var known bool
		var errs [2]error
		w.line = l
		w.class, known = l.Class.key()
		w.amount, errs[0] = money.Cents(l.Amount)
		w.discount, errs[1] = money.Cents(l.Discount)
		w.net = w.amount - w.discount
		w.paid = w.net
		positive, negative = positive || w.amount > 0, negative || w.amount < 0
		k.terms = k.terms || l.Terms != nil
		switch err := errors.Join(errs[:]...); {
		case err != nil:
			return fmt.Errorf("line %d: %w", i+1, err)
		case !known:
			return fmt.Errorf("line %d: %w: %q", i+1, ErrClass, l.Class)
		case money.Magnitude(w.net) > money.MaxCents:
			return fmt.Errorf("line %d: %w", i+1, money.ErrOverflow)
		}
		w.item = newPerItem(w.net, l)
	}
	// guard: coupons: a negative line beside a positive one is no line of its own
	if positive && negative && !k.req.EachAlone {
		return k.takeCouponsOff()
	}
	return nil
}

func (k *calculation) result() (Result, error) {
	r := Result{
		Lines: make([]LineResult, len(k.lines)), Sourcing: k.rule, Taxed: *k.taxed, Completeness: k.taxed.Completeness,
		Confidence: k.sure.confidence(), ContentVersion: k.c.version,
	}
	var taxable, tax, base int64
	var unrounded money.Exact
	items := make([]TaxItem, 0, len(k.shares))
	only := k.c.nexus.Only(k.taxed.Country, k.taxed.State, k.req.TaxDate)
	for i := range k.lines {
		w := &k.lines[i]
		lr := &r.Lines[i]
		*lr = LineResult{ID: w.line.ID, ExternalID: w.line.ExternalID, TaxableAmount: money.FromCents(centsOf(w.base)),
			Tax:  money.FromCents(w.tax),
			Rate: money.FromNano(w.rateOf()), Exempt: w.exempt, NexusExempt: k.nexusExempt(w),
			NexusUncounted: only != 0 && only&soldKinds[w.class] == 0,
			TaxExemption:   w.exemption,
			ExemptionID:    w.exemptionID}
		if k.req.PricesIncludeTax {
			// guard: gross prices: net and tax of a line come to its price
			price := w.amount - w.discount
			lr.Net, lr.Gross = money.FromCents(price-w.tax), money.FromCents(price)
		}
		from := len(items)
		for j := w.first; j < w.end; j++ {
			items = append(items, k.item(&k.shares[j]))
		}
		lr.TaxItems = items[from:len(items):len(items)]
		taxable += centsOf(w.base)
		tax += w.tax
		base += w.base
		unrounded = unrounded.Plus(w.unrounded)
	}
	if money.Magnitude(taxable) > money.MaxCents || money.Magnitude(tax) > money.MaxCents {
		return Result{}, money.ErrOverflow
	}
	r.TaxableAmount, r.Tax, r.Rate = money.FromCents(taxable), money.FromCents(tax),
		money.FromNano(unrounded.PerBase(base))
	if k.req.PricesIncludeTax {
		r.Rate = money.FromNano(k.rateOfGross(unrounded))
	}
	var err error
	if r.Warnings, err = k.warnings(); err != nil {
		return Result{}, err
	}
	k.explain(&r)
	return r, nil
}

func (k *calculation) item(s *share) TaxItem {
	t := TaxItem{RuleID: s.ruleID, Name: s.name, Country: k.taxed.Country, State: k.taxed.State,
		Rate: money.FromNano(s.rate), TaxableAmount: money.FromCents(centsOf(s.base)), Unrounded: s.unrounded,
		Amount: money.FromCents(s.amount),
		Reason: s.reason, Exempt: s.exempt, JurisdictionType: TypeCountry, JurisdictionName: s.name, Source: s.source}
	if s.jurisdiction != noJurisdiction {
		j := &k.c.jurisdictions[s.jurisdiction]
		t.JurisdictionID, t.JurisdictionType, t.JurisdictionName, t.State = j.ID, j.Type, j.Name, j.State
		t.Authority = Authority{j.Country, j.State}
	}
	if s.levy != nil {
		t.State, t.Authority = s.levy.state, s.levy.authority
	}
	return t
}
