package tax

import (
	"math/big"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// RefundMethod says how the tax of a refund follows from the tax of its original.
const RefundMethod = "Units that come back take their share of the tax of the original line, a lower price the " +
	"difference to the tax of the lower price, at the rates and rules of the original on its tax date; what uses a line " +
	"up takes the rest."

// result turns magnitudes into the amounts of a refund, whose sign is the opposite
// of the original's.
func (r *refund) result() (Result, error) {
	o := &r.req.Original
	out := Result{
		Lines: make([]LineResult, len(r.lines)), Sourcing: o.Sourcing.Rule, ContentVersion: o.ContentVersion,
		Explanation: Explanation{
			ContentVersion: o.ContentVersion, TaxDate: r.req.TaxDate, Sourcing: o.Sourcing, Jurisdictions: o.Jurisdictions,
			Items:  make([]ExplainedItem, len(r.lines)),
			Refund: &ExplainedRefund{Lines: r.req.Lines, Earlier: r.req.Earlier, Collected: r.req.Collected},
		},
	}
	var taxable, tax int64
	unrounded := new(big.Rat)
	for i := range r.lines {
		t := &r.lines[i]
		out.Lines[i] = t.result()
		out.Explanation.Items[i] = r.explained(t, &out.Lines[i])
		taxable -= t.from.sign * t.base
		tax -= t.from.sign * t.tax
		if t.base > 0 {
			unrounded.Sub(unrounded, new(big.Rat).Mul(t.exact, new(big.Rat).SetInt64(t.from.sign)))
		}
	}
	if money.Magnitude(taxable) > money.MaxCents || money.Magnitude(tax) > money.MaxCents {
		return Result{}, money.ErrOverflow
	}
	rate := int64(0)
	if (taxable < 0) == (unrounded.Sign() < 0) {
		rate = money.RateOf(unrounded.Abs(unrounded), int64(money.Magnitude(taxable)))
	}
	out.TaxableAmount, out.Tax, out.Rate = money.FromCents(taxable), money.FromCents(tax), money.FromNano(rate)
	out.Explanation.Certainty = r.certainty()
	out.Explanation.Totals = ExplainedTotals{TaxableAmount: out.TaxableAmount, TaxAmount: out.Tax, TaxRate: out.Rate}
	r.writeSteps(&out.Explanation)
	r.sign(&out)
	return out, nil
}

// certainty is that of the original, with the warnings about the lines that are given back.
func (r *refund) certainty() *Certainty {
	of := r.req.Original.Certainty
	if of == nil {
		return nil
	}
	c := &Certainty{Confidence: of.Confidence, Completeness: of.Completeness, Warnings: []Warning{}}
	for _, w := range of.Warnings {
		if w.Line == nil && w.Code != WarningRoundingUnit { // that is about the document
			c.Warnings = append(c.Warnings, w)
		}
	}
	for i := range r.lines {
		for _, w := range of.Warnings {
			if w.Line != nil && *w.Line == r.lines[i].line.Line {
				w.Line = &i
				c.Warnings = append(c.Warnings, w)
			}
		}
	}
	return c
}

// mirrored gives a magnitude of the line the sign it has in the refund.
func (t *taken) mirrored(cents int64) decimal.Decimal { return money.FromCents(-t.from.sign * cents) }

func (t *taken) result() LineResult {
	item := t.from.item
	l := LineResult{
		ID: t.line.ID, ExternalID: t.line.ExternalID, TaxableAmount: t.mirrored(t.base), Tax: t.mirrored(t.tax),
		Rate: money.FromNano(money.RateOf(t.exact, t.base)), Exempt: item.Exempt, TaxExemption: item.TaxExemption,
		ExemptionID: item.ExemptionID,
		TaxItems:    make([]TaxItem, len(t.parts)),
	}
	for i := range t.parts {
		p := &t.parts[i]
		from := p.of
		l.TaxItems[i] = TaxItem{
			RuleID: from.RuleID, Name: from.TaxName, JurisdictionType: from.JurisdictionType,
			JurisdictionName: from.JurisdictionName,
			State:            from.State, Authority: p.authority, Rate: from.Rate, TaxableAmount: t.mirrored(p.base),
			Unrounded: money.ExactOf(p.exact, -t.from.sign),
			Amount:    t.mirrored(p.tax), Reason: from.Reason, Exempt: item.Exempt,
		}
	}
	return l
}

func (r *refund) explained(t *taken, l *LineResult) ExplainedItem {
	from := t.from.item
	item := ExplainedItem{
		ItemID: t.line.ID, ExternalID: t.line.ExternalID, ExternalProductID: t.line.ExternalProductID,
		TaxClass:       from.TaxClass,
		Classification: from.Classification, Amount: t.mirrored(t.amount), TotalDiscount: money.FromCents(0),
		NetAmount: t.mirrored(t.amount),
		Exempt:    l.Exempt, TaxExemption: l.TaxExemption, ExemptionID: l.ExemptionID, ExemptionCategory: from.ExemptionCategory,
		Lines: make([]ExplainedTax, len(l.TaxItems)),
		Rounding: ExplainedRounding{
			Mode: roundingMode, Unit: r.unit, UnroundedTotal: money.ExactOf(t.exact, -t.from.sign),
			RoundedTotal: l.Tax, Allocation: []string{},
		},
	}
	if from.GrossAmount != nil && t.amount > 0 {
		gross := t.mirrored(t.amount)
		item.NetAmount, item.GrossAmount = t.mirrored(max(0, t.amount-t.tax)), &gross
	}
	if !t.line.Coupons.IsZero() {
		if cents, err := money.Cents(t.line.Coupons); err == nil {
			item.Amount = t.mirrored(t.amount + cents)
		}
	}
	for _, part := range t.line.Spread {
		item.Spread = append(item.Spread, ExplainedSpread{r.lines[part.To].line.ID, part.Amount})
	}
	for i := range l.TaxItems {
		part := *t.parts[i].of // base rule and source are those of the original
		part.TaxableAmount, part.UnroundedAmount, part.Amount = l.TaxItems[i].TaxableAmount, l.TaxItems[i].Unrounded,
			l.TaxItems[i].Amount
		item.Lines[i] = part
		if t.parts[i].leftover {
			item.Rounding.Allocation = append(item.Rounding.Allocation, part.JurisdictionName)
		}
	}
	return item
}

// refundUnit is what of the refund is rounded once. The tax that was allocated to the lines of a document is not
// rounded as a document again.
func (r *refund) refundUnit() RoundingUnit {
	if r.unit == TaxPerDocument {
		return TaxPerLine
	}
	return r.unit
}

// writeSteps writes the explanation of the refund.
func (r *refund) writeSteps(e *Explanation) {
	o := &r.req.Original
	s := sentences{steps: make([]Step, 0, 3+len(r.lines))}
	s.say(
		"A refund of transaction ", r.req.TransactionID, ": taxed as that was on ", o.TaxDate.String(),
		", with content ", o.ContentVersion, ".",
	)
	s.end(StepSourcing)
	for _, step := range o.Steps {
		if step.Code == StepJurisdictions {
			s.say(step.Text)
			s.end(StepJurisdictions)
		}
	}
	for i := range r.lines {
		r.sayLine(&s, i)
	}
	s.say(
		"Rounded half away from zero, ", roundingWords[r.refundUnit()],
		", and never more than is left of the original's tax; what uses a line up takes the rest.",
	)
	s.end(StepRounding)
	e.Steps = s.cut()
}

func (r *refund) sayLine(s *sentences, i int) {
	t := &r.lines[i]
	if len(r.lines) > 1 {
		s.say("Line ")
		s.text = appendInt(s.text, int64(i+1))
		s.say(": ")
	}
	switch {
	case t.line.Coupons.IsNeg():
		t.sayCoupon(s)
	case !t.goods():
		t.sayTaxAlone(s)
	case t.from.whole.Sign() == 0:
		s.say("The original line bore no tax: there is none to give back")
	case t.price:
		t.sayPrice(s)
	default:
		t.sayShare(s)
	}
	if t.limited {
		s.say(", which is all that is left of the line's tax")
	}
	if !t.goods() && t.base > 0 {
		s.say("; with it goes ")
		s.text = money.AppendCents(s.text, t.base)
		s.say(" of the base, which was exempt to this extent")
	}
	s.say(".")
	if t.from.whole.Sign() == 0 && t.tax == 0 {
		s.end(StepExemption)
		return
	}
	s.end(StepRate)
}

// sayTaxAlone says where a refund of tax alone takes it.
func (t *taken) sayTaxAlone(s *sentences) {
	if t.tax+t.beyond == 0 {
		s.say("No amount and no tax is given back")
		return
	}
	s.say("Tax alone is given back: ")
	s.text = money.AppendCents(s.text, t.tax+t.beyond)
	if t.beyond > 0 {
		s.say(", of which ")
		s.text = money.AppendCents(s.text, t.beyond)
		s.say(" was collected beyond the calculated tax")
	}
}

// sayCoupon says where a coupon line went that comes back with the goods.
func (t *taken) sayCoupon(s *sentences) {
	s.say("A discount comes back: ")
	for i, part := range t.line.Spread {
		if i > 0 {
			s.say(", ")
		}
		s.say(part.Amount.String(), " off line ")
		s.text = appendInt(s.text, int64(part.To+1))
	}
	if t.line.Spread == nil {
		s.say(t.line.Coupons.Abs().String(), " off the other lines")
	}
}

// sayPrice says what a lower price takes.
func (t *taken) sayPrice(s *sentences) {
	left := t.from.net - t.before
	s.say("The price of ")
	s.text = money.AppendCents(s.text, left)
	s.say(" is lowered by ")
	s.text = money.AppendCents(s.text, t.counts)
	s.say(" to ")
	s.text = money.AppendCents(s.text, left-t.counts)
	s.say(": the tax is judged again at the lower price, and the difference of ")
	s.text = money.AppendCents(s.text, t.tax)
	s.say(" is given back")
}

// sayShare says which share of the tax units take that come back.
func (t *taken) sayShare(s *sentences) {
	s.text = money.AppendCents(s.text, t.amount)
	s.say(" of ")
	s.text = money.AppendCents(s.text, t.basis)
	switch before := t.before - (t.from.net - t.basis); {
	case t.basis != t.from.net || t.shared.Cmp(t.from.whole) != 0:
		s.say(" at the tax that lower prices and refunds of tax left of it, ")
	case before > 0:
		s.say(", after ")
		s.text = money.AppendCents(s.text, before)
		s.say(" before it, at the original's tax of ")
	default:
		s.say(" at the original's tax of ")
	}
	s.text = money.ExactOf(t.shared, 1).AppendTo(s.text)
	if t.shared.Cmp(t.from.whole) != 0 {
		s.say(",")
	}
	if t.rest {
		s.say(" uses the line up and takes the rest of its tax, ")
	} else {
		s.say(" gives ")
		s.text = money.ExactOf(t.exact, 1).AppendTo(s.text)
		s.say(", rounded to ")
	}
	s.text = money.AppendCents(s.text, t.tax)
}

// sign adds the hashes: an equal original, equally refunded, gives equal results.
func (r *refund) sign(out *Result) {
	var d digest
	d.text(r.req.Original.InputHash, r.req.Original.ResultHash)
	d.numbers(int64(r.req.TaxDate))
	for i := range r.lines {
		t := &r.lines[i]
		d.text(t.line.ExternalID, t.line.ExternalProductID)
		d.numbers(int64(t.line.Line), t.amount, t.before)
		back := t.line.Tax
		if back.IsZero() { // an explanation leaves it out, and with it how it was written
			back = money.FromCents(0)
		}
		d.text(back.String(), t.line.Quantity.Trim(0).String())
		if !t.line.Coupons.IsZero() {
			d.text(t.line.Coupons.String())
		}
	}
	out.Explanation.InputHash = d.sum()
	d = d[:0]
	for i := range r.lines {
		t := &r.lines[i]
		d.numbers(t.from.sign, t.base, t.tax)
		for j := range t.parts {
			d.text(t.parts[j].of.RuleID)
			d.numbers(t.parts[j].base, t.parts[j].tax)
		}
	}
	out.Explanation.ResultHash = d.sum()
}
