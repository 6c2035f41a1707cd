package tax

import (
	"cmp"

	"levy/tax/money"
)

// delivered returns the lines that a charge for delivery belongs to. They are the goods of the sale. If only goods
// without a price exist, it is these; without goods it is all lines. A coupon line is not among them. If all goods
// are returned, the charge belongs to the returned goods.
func (k *calculation) delivered(charge *work) []*work {
	back := k.comesBack(charge)
	var lines []*work
	for _, want := range [...]struct{ goods, valued, sameSign bool }{
		{true, true, true}, {true, true, false}, {true, false, false}, {false, true, true}, {false, true, false},
	} {
		for i := range k.lines {
			w := &k.lines[i]
			if w.class.charge() || w.coupon || want.valued && w.net == 0 || want.goods && !goods[w.class] && w.class != keyRentalGoods ||
				want.sameSign && (w.net < 0) != back {
				continue
			}
			lines = append(lines, w)
		}
		if len(lines) > 0 {
			break
		}
	}
	return lines
}

// comesBack reports whether a charge belongs to returned lines. All charges of a sale belong to the same lines, because
// a charge of the opposite sign waives another one in part or in full. If charges cancel, the sum of the other lines
// decides.
func (k *calculation) comesBack(charge *work) bool {
	charges, others := int64(0), int64(0)
	for i := range k.lines {
		if w := &k.lines[i]; w.class.charge() {
			charges += w.net
		} else {
			others += w.net
		}
	}
	return cmp.Or(charges, others, charge.net) < 0
}

// follow gives a charge for delivery what a jurisdiction takes of the lines that it belongs to: the highest rate
// when they differ. Whether the law divides the charge then is not in the content.
func (k *calculation) follow(charge *work, s *share) {
	if len(charge.delivered) == 0 {
		return
	}
	highest, taxable := int64(0), false
	first, differ := int64(-1), false
	for _, w := range charge.delivered {
		rate := int64(0)
		shares := k.sharesOf(w)
		for i := range shares {
			t := &shares[i]
			if t.jurisdiction != s.jurisdiction || t.tax != s.tax || t.exempt || t.reason == ReasonNoRuleFound {
				continue
			}
			taxable = true
			limited := int64(money.Magnitude(t.base)) < w.item.cents*perCent
			differ = differ || limited && (len(charge.delivered) > 1 || !k.limitsArticle(t))
			rate = max(rate, t.rate)
		}
		if first < 0 {
			first = rate
		}
		differ = differ || rate != first
		highest = max(highest, rate)
	}
	if differ {
		charge.mixed = true
		k.sure = max(k.sure, levelMedium)
	}
	charge.likeItems = charge.likeItems || s.rate != highest
	if !taxable {
		s.free(ReasonNotTaxable)
		return
	}
	if s.rate = highest; s.rate == 0 {
		s.reason = ReasonZeroRate
	}
}

const likeDelivered = "it is taxed like what it delivers"

// freedLike is the reason of a charge that is exempt like the goods that it delivers.
func (w *work) freedLike() string {
	if first := w.delivered[0].why; first != "" {
		return likeDelivered + ": " + first
	}
	return likeDelivered
}
