package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// saleRest is what refunds left of the lines of a sale: amounts before tax, and collected tax. Coupon lines are spread
// over the others. Amounts have no sign.
type saleRest struct {
	byLine          map[int]int // number of a line -> index
	nets, collected []decimal.Decimal
	free            []bool // coupons paid for the line
}

// leftOfSale returns what the refunds of a sale left of its lines. Errors: money.ErrOverflow.
func leftOfSale(a *models.CreditAccount) (left saleRest, err error) {
	items := a.Sale.Items
	collected, err := collectedByLine(&a.Sale)
	if err != nil {
		return left, err
	}
	left.byLine = make(map[int]int, len(items))
	left.free = make([]bool, len(items))
	left.nets, left.collected = make([]decimal.Decimal, len(items)), make([]decimal.Decimal, len(items))
	for i := range items {
		net, err := items[i].NetAmount()
		if err != nil {
			return left, err
		}
		taken := a.Lines[items[i].LineNo]
		left.byLine[items[i].LineNo], left.free[i] = i, net.IsZero() && items[i].Coupons.IsPos()
		if left.nets[i], err = towardsZero(net, taken.Amount); err != nil {
			return left, err
		}
		if left.collected[i], err = beyondZero(collected[i], taken.Collected); err != nil {
			return left, err
		}
	}
	net, err := money.Sub(a.Sale.Subtotal, a.Sale.TotalDiscount)
	if err != nil {
		return left, err
	}
	if left.nets, err = withoutCoupons(left.nets, net.Sign(), items); err != nil {
		return left, err
	}
	sign := a.Sale.TotalTaxAmountImported.Sign()
	if a.Coupons == nil {
		left.collected, err = withoutCoupons(left.collected, sign, items)
		return left, err
	}
	left.collected, err = collectedLeft(a, collected, sign)
	return left, err
}

// collectedLeft returns the collected tax that refunds left of the lines of a sale with coupon lines. Tax of coupon
// lines, of the sale and of its refunds, goes where the coupon line of the sale went. Errors: money.ErrOverflow.
func collectedLeft(a *models.CreditAccount, collected []decimal.Decimal, sign int) (left []decimal.Decimal, err error) {
	taken := zeros(len(collected))
	for i := range taken {
		taken[i] = a.Lines[a.Sale.Items[i].LineNo].Collected
	}
	if left, err = alongCoupons(collected, sign, a.Sale.Items, a.Coupons); err != nil {
		return nil, err
	}
	if taken, err = alongCoupons(taken, 1, a.Sale.Items, a.Coupons); err != nil {
		return nil, err
	}
	for i := range left {
		if left[i], err = money.Sub(left[i], taken[i]); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// take takes an amount of a line and returns the share of its collected tax. The amount that uses up the line takes the
// rest.
func (l *saleRest) take(at int, net decimal.Decimal) (share decimal.Decimal, err error) {
	switch {
	case !net.IsPos() || !l.collected[at].IsPos():
		share = decimal.Zero
	case net.Cmp(l.nets[at]) >= 0:
		share = l.collected[at]
	default:
		if share, err = money.ShareBetween(l.collected[at], decimal.Zero, net, l.nets[at]); err != nil {
			return share, err
		}
	}
	return share, l.remove(at, net, share)
}

// remove takes an amount and a share of the collected tax off a line. Errors: money.ErrOverflow.
func (l *saleRest) remove(at int, net, share decimal.Decimal) (err error) {
	if l.nets[at], err = towardsZero(l.nets[at], net); err != nil {
		return err
	}
	l.collected[at], err = money.Sub(l.collected[at], share)
	return err
}

// towardsZero takes a part without a sign off an amount, at most all of it.
func towardsZero(amount, part decimal.Decimal) (decimal.Decimal, error) {
	return money.Sub(amount, part.Abs().Min(amount.Abs()).CopySign(amount))
}

// beyondZero takes a part without a sign off an amount, also more than all of it.
func beyondZero(amount, part decimal.Decimal) (decimal.Decimal, error) {
	return money.Sub(amount, part.Abs().CopySign(amount))
}

// withoutCoupons returns amounts of lines without the lines against the sign of the document, such as coupons. Each of
// them is taken off the other lines of its product, then off all others, in proportion to what is left of them. The
// result has no sign. An amount that the others cannot take stays against them.
func withoutCoupons(amounts []decimal.Decimal, sign int, items []models.TransactionItem) ([]decimal.Decimal, error) {
	left := make([]decimal.Decimal, len(amounts))
	against := false
	for i, amount := range amounts {
		if sign < 0 {
			amount = amount.Neg()
		}
		left[i], against = amount, against || amount.IsNeg()
	}
	if !against {
		return left, nil
	}
	for i := range left {
		for _, all := range []bool{false, true} {
			if left[i].IsNeg() {
				if err := spreadCoupon(left, i, func(j int) bool {
					return all || sameIdentifier(items[j].ExternalProductID, items[i].ExternalProductID)
				}); err != nil {
					return nil, err
				}
			}
		}
	}
	return left, nil
}

// spreadCoupon takes the negative amount at i off the positive ones that may bear it, as far as they can.
func spreadCoupon(left []decimal.Decimal, i int, bears func(int) bool) (err error) {
	weights, room := make([]decimal.Decimal, len(left)), decimal.Zero
	for j := range left {
		if left[j].IsPos() && bears(j) {
			weights[j] = left[j]
			if room, err = money.Add(room, left[j]); err != nil {
				return err
			}
		}
	}
	part := left[i].Abs().Min(room)
	if part.IsZero() {
		return nil
	}
	shares, err := money.Allocate(part, weights)
	if err != nil {
		return err
	}
	for j := range left {
		if left[j], err = money.Sub(left[j], shares[j]); err != nil {
			return err
		}
	}
	left[i], err = money.Add(left[i], part)
	return err
}
