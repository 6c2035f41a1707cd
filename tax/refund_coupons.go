package tax

import (
	"github.com/govalues/decimal"

	"levy/tax/money"
)

// takeCouponsOff turns the lines of a sale into what its coupon lines left of them. So each can be calculated at another
// price, and coupons are not spread anew. Parts that others pay, and trade-ins, stay known. Errors: money.ErrOverflow.
func (e *Explanation) takeCouponsOff(req *Request) error {
	// guard: refund: coupons are not taken off a lower price again
	if e.Input == nil || !e.Input.Coupons {
		return nil
	}
	at := make(map[string]int, len(e.Items))
	for i := range e.Items {
		at[e.Items[i].ItemID] = i
	}
	for i := range req.Lines {
		own := req.Lines[i].terms()
		req.Lines[i].Terms = &DiscountTerms{ByManufacturer: own.ByManufacturer, ByThirdParty: own.ByThirdParty}
	}
	for i := range e.Items {
		item, l := &e.Items[i], &req.Lines[i]
		l.Amount, l.Discount = item.price(), decimal.Zero
		if item.Amount.IsNeg() { // a coupon line
			l.Amount = decimal.Zero
		}
		coupon := Line{Terms: e.Input.Items[i].Terms}
		kind, reduces := coupon.reduction()
		for _, part := range item.Spread {
			if !reduces {
				break
			}
			paid := req.Lines[at[part.ItemID]].Terms.paidBy(kind)
			var err error
			if *paid, err = money.Add(*paid, part.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// paidBy returns the part of a price that is paid in a way that laws treat apart.
func (t *DiscountTerms) paidBy(kind reductionKind) *decimal.Decimal {
	switch kind {
	case manufacturersDiscount:
		return &t.ByManufacturer
	case thirdPartyDiscount:
		return &t.ByThirdParty
	case tradeIn, numReductions:
	}
	return &t.ByTradeIn
}
