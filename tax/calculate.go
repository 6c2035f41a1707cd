package tax

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrPlaceUnknown is returned when not even the country of the destination (in
// the United States and Canada: the state) is known.
var ErrPlaceUnknown = errors.New("the destination is not known well enough to tax a sale there")

// ErrClass is wrapped when a line has a class the engine does not know.
var ErrClass = errors.New("unknown tax class")

// ErrRounding is wrapped when the unit of rounding is not one of the three.
var ErrRounding = errors.New("unknown rounding unit")

// UnknownJurisdictionError is returned for a place that names a jurisdiction
// which this content does not have.
type UnknownJurisdictionError struct{ ID string }

func (e *UnknownJurisdictionError) Error() string {
	return fmt.Sprintf("jurisdiction %q is not in the tax content", e.ID)
}

// calculation is the state of one Calculate call.
type calculation struct {
	c      *Content
	req    Request
	rule   SourcingRule
	reason string
	taxed  *Place
	state  *state   // nil outside the United States
	levies []levied // the taxes outside the United States
	relief *relief  // frees the whole sale
	set    []uint16 // the jurisdictions, by level and name
	lines  []work
	shares []share
	sure   level

	ends []int
	text []byte // of the sentence being written, then of what is hashed
}

// calculations keeps the working memory of finished calls, which is larger
// than their results, for later ones. No result refers to it.
var calculations = sync.Pool{New: func() any { return new(calculation) }}

const maxKeptLines = 256

func (k *calculation) release() {
	if cap(k.lines) > maxKeptLines {
		return
	}
	clear(k.lines)
	clear(k.shares)
	*k = calculation{lines: k.lines[:0], shares: k.shares[:0], set: k.set[:0], levies: k.levies[:0], ends: k.ends[:0], text: k.text[:0]}
	calculations.Put(k)
}

// work is a line being calculated. Amounts are cents; until the sign is put
// back, bases and shares are those of a positive line.
type work struct {
	line                  *Line
	class                 classKey
	amount, discount, net int64
	gross                 int64 // with tax, when prices include it
	item                  perItem
	first, end            int // its shares

	taxed       bool // some jurisdiction taxes it, whatever the amount
	exempt      bool
	exemption   TaxExemption
	exemptionID string
	why         string // for the explanation of an untaxed line
	conditional bool

	base      int64 // the largest base of a jurisdiction, units of 10^-4
	unrounded Exact
	tax       int64
}

// Calculate returns the tax that the law of the taxing place puts on a sale, by
// the content in force on the tax date. It is a pure function of content and
// request: lines with negative amounts mirror positive ones to the cent, and
// the order of the lines changes no amount of the default rounding unit.
//
// Errors: ErrPlaceUnknown, ErrClass, ErrRounding, ErrNoNetPrice, UnknownJurisdictionError,
// ErrPrecision for amounts with fractions of a cent, ErrOverflow for an amount
// or sum of more than 10 integer digits.
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
	if err := k.source(); err != nil {
		return Result{}, err
	}
	k.sure = levelHigh
	if k.taxed.Confidence != "" {
		k.sure = levelOf(k.taxed.Confidence)
	}
	if err := k.read(); err != nil {
		return Result{}, err
	}
	k.findLevies()
	k.relieve()
	k.assessAll()
	if k.req.PricesIncludeTax {
		if err := k.takeTaxOut(); err != nil {
			return Result{}, err
		}
	}
	if err := k.round(); err != nil {
		return Result{}, err
	}
	return k.result()
}

// sharesOf is the part of the shares that belongs to a line.
func (k *calculation) sharesOf(w *work) []share { return k.shares[w.first:w.end] }

func (k *calculation) read() error {
	k.lines = slices.Grow(k.lines[:0], len(k.req.Lines))[:len(k.req.Lines)]
	for i := range k.req.Lines {
		l, w := &k.req.Lines[i], &k.lines[i]
		var known bool
		var errs [2]error
		w.line = l
		w.class, known = l.Class.key()
		w.amount, errs[0] = toCents(l.Amount)
		w.discount, errs[1] = toCents(l.Discount)
		w.net = w.amount - w.discount
		switch err := errors.Join(errs[:]...); {
		case err != nil:
			return fmt.Errorf("line %d: %w", i+1, err)
		case !known:
			return fmt.Errorf("line %d: %w: %q", i+1, ErrClass, l.Class)
		case magnitude(w.net) > maxCents:
			return fmt.Errorf("line %d: %w", i+1, ErrOverflow)
		}
		w.item = newPerItem(w.net, l)
	}
	return nil
}

// assessAll assesses shipping last, because it can follow the other lines.
func (k *calculation) assessAll() {
	k.shares = slices.Grow(k.shares, len(k.lines)*len(k.set))
	items, itemsTaxed := false, false
	for i := range k.lines {
		w := &k.lines[i]
		if w.class == keyShipping {
			continue
		}
		k.assess(w, true)
		if w.net != 0 {
			items = true
			itemsTaxed = itemsTaxed || w.taxed
		}
	}
	for i := range k.lines {
		if w := &k.lines[i]; w.class == keyShipping {
			k.assess(w, itemsTaxed || !items)
		}
	}
}

func (k *calculation) result() (Result, error) {
	r := Result{
		Lines: make([]LineResult, len(k.lines)), Sourcing: k.rule, Taxed: *k.taxed, Completeness: k.taxed.Completeness,
		Confidence: k.sure.confidence(), ContentVersion: k.c.version,
	}
	var taxable, tax, base int64
	var unrounded Exact
	items := make([]TaxItem, 0, len(k.shares))
	for i := range k.lines {
		w := &k.lines[i]
		lr := &r.Lines[i]
		*lr = LineResult{ID: w.line.ID, ExternalID: w.line.ExternalID, TaxableAmount: fromCents(centsOf(w.base)), Tax: fromCents(w.tax),
			Rate: fromNano(w.unrounded.perBase(w.base)), Exempt: w.exempt, TaxExemption: w.exemption, ExemptionID: w.exemptionID}
		from := len(items)
		for j := w.first; j < w.end; j++ {
			items = append(items, k.item(&k.shares[j]))
		}
		lr.TaxItems = items[from:len(items):len(items)]
		taxable += centsOf(w.base)
		tax += w.tax
		base += w.base
		unrounded = unrounded.plus(w.unrounded)
	}
	if magnitude(taxable) > maxCents || magnitude(tax) > maxCents {
		return Result{}, ErrOverflow
	}
	r.TaxableAmount, r.Tax, r.Rate = fromCents(taxable), fromCents(tax), fromNano(unrounded.perBase(base))
	k.explain(&r)
	return r, nil
}

func (k *calculation) item(s *share) TaxItem {
	t := TaxItem{RuleID: s.ruleID, Name: s.name, Country: k.taxed.Country, State: k.taxed.State,
		Rate: fromNano(s.rate), TaxableAmount: fromCents(centsOf(s.base)), Unrounded: s.unrounded, Amount: fromCents(s.amount),
		Reason: s.reason, Exempt: s.exempt, JurisdictionType: TypeCountry, JurisdictionName: s.name}
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
