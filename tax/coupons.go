package tax

import (
	"fmt"
	"iter"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// couponPart is what a coupon line takes off another line, in cents.
type couponPart struct {
	from, to int
	cents    int64
}

// takeCouponsOff spreads the coupon lines over the others. A coupon line keeps its amount and bears no tax.
func (k *calculation) takeCouponsOff() error {
	lines := make([]spreadLine, len(k.lines))
	for i := range lines {
		if err := lines[i].read(k.lines[i].line); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	k.spread, k.coupons = true, k.coupons[:0]
	spreadCoupons(lines, k.unit, func(from, to int, cents int64) {
		k.coupons = append(k.coupons, couponPart{from, to, cents})
		w := &k.lines[to]
		w.paid -= cents
		if kind, ok := k.lines[from].line.reduction(); ok {
			w.reduced[kind] += cents
		}
	})
	for i := range k.lines {
		w := &k.lines[i]
		if w.net = w.paid; w.amount < 0 {
			w.coupon, w.net, w.paid = true, 0, -lines[i].coupon
		}
		w.item = newPerItem(w.net, w.line)
	}
	return nil
}

// reduction returns what kind of reduction a coupon line is; false for an ordinary discount of the seller.
func (l *Line) reduction() (reductionKind, bool) {
	switch terms := l.terms(); {
	case terms.TradeIn:
		return tradeIn, true
	case terms.ReimbursedBy == ReimbursedByManufacturer:
		return manufacturersDiscount, true
	case terms.ReimbursedBy == ReimbursedByThirdParty:
		return thirdPartyDiscount, true
	}
	return 0, false
}

// keepReductions adds to the price of each line the reductions that do not lower the base of its tax. Several taxes may
// differ about that. Then the price is that of the tax that keeps most of them, and baseOf lowers the base of the others.
func (k *calculation) keepReductions() error {
	for i := range k.lines {
		w := &k.lines[i]
		if w.amount <= 0 {
			continue
		}
		if err := w.readTerms(); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if w.reduced == (reductions{}) {
			continue
		}
		kept := int64(0)
		for of := range k.authorities() {
			kept = max(kept, k.keptOf(w, of))
		}
		// guard: coupons: what another party reimburses stays in the base where the law says so
		w.net = w.paid + kept
		w.item = newPerItem(w.net, w.line)
	}
	return nil
}

// readTerms adds to the reductions of a line the parts of its price that the buyer does not pay in money.
func (w *work) readTerms() error {
	terms := w.line.terms()
	for kind, amount := range [...]decimal.Decimal{
		manufacturersDiscount: terms.ByManufacturer, thirdPartyDiscount: terms.ByThirdParty, tradeIn: terms.ByTradeIn,
	} {
		cents, err := money.Cents(amount)
		if err != nil {
			return err
		}
		w.reduced[kind] += cents
	}
	return nil
}

// authorities are those whose law says what lowers the base: the state, elsewhere the authority of each tax.
func (k *calculation) authorities() iter.Seq[Authority] {
	return func(yield func(Authority) bool) {
		if k.state != nil {
			j := &k.c.jurisdictions[k.state.jurisdiction]
			yield(Authority{j.Country, j.State})
			return
		}
		for i := range k.levies {
			if !yield(k.levies[i].general.levy.authority) {
				return
			}
		}
	}
}

// baseOf returns the base of a line for the tax of one of several authorities, in cents.
func (k *calculation) baseOf(w *work, of Authority) int64 {
	if w.reduced == (reductions{}) {
		return w.item.cents
	}
	return w.paid + k.keptOf(w, of)
}

// doubtReductions notes the reductions of a taxed line of which the content does not know whether they lower its base.
func (k *calculation) doubtReductions(n int) {
	w := &k.lines[n]
	if !w.taxed {
		return
	}
	for kind, cents := range w.reduced {
		if cents == 0 {
			continue
		}
		for of := range k.authorities() {
			if k.discountLawOf(of, reductionKind(kind)) == nil {
				k.sure = max(k.sure, levelMedium)
				k.unknown[kind].add(n)
				break
			}
		}
	}
}

// lineCount counts lines. first is the first of them.
type lineCount struct{ lines, first int }

func (c *lineCount) add(n int) {
	if c.lines == 0 {
		c.first = n
	}
	c.lines++
}

// warnOfReductions warns of discounts whose effect on the base is not known, and of more discount than goods.
func (k *calculation) warnOfReductions(found *warned) {
	for kind, c := range k.unknown {
		if c.lines == 0 {
			continue
		}
		code, taken := WarningReimbursedUnknown, "; it was taken to lower it"
		if reductionKind(kind) == tradeIn {
			code, taken = WarningTradeInUnknown, "; it was taken not to lower it"
		}
		message := "Whether " + reductionNouns[kind] + " lowers the base of the tax of " + k.where() + " is not in the content" +
			taken + "."
		if c.lines == 1 {
			found.ofLine(c.first, code, message)
		} else {
			found.of(code, message)
		}
	}
	over := int64(0)
	for i := range k.lines {
		if w := &k.lines[i]; w.coupon {
			over -= w.paid
		}
	}
	if over > 0 {
		found.of(WarningNegativeTotal, "The negative lines take off "+string(money.AppendCents(nil, over))+
			" more than the other lines cost: no tax is due, and none is given back. What comes back of an earlier sale is a "+
			"credit note of that sale.")
	}
}
