package rules

import (
	"encoding/json"
	"fmt"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// ReadCoupons sets what the coupon lines of the sale take off its other lines. The explanation of a calculated sale says
// so. Without one, the classes of the products say so, which the lines need. Errors: money.ErrOverflow,
// money.ErrPrecision.
func ReadCoupons(a *models.CreditAccount, stored json.RawMessage) (err error) {
	a.Coupons, a.EachAlone = nil, false
	if stored == nil {
		a.Coupons, err = couponParts(a.Sale.Items, money.UnitOf(a.Sale.Currency))
	} else {
		var sold tax.Explanation
		if err := json.Unmarshal(stored, &sold); err != nil {
			return fmt.Errorf("read the explanation of the original: %w", err)
		}
		// guard: credit note: a sale from before coupon lines were spread is refunded line by line
		if a.EachAlone = sold.Input == nil || !sold.Input.Coupons; a.EachAlone {
			return takeCoupons(a.Sale.Items, nil)
		}
		a.Coupons = explainedCoupons(&sold, a.Sale.Items)
	}
	if err != nil {
		return err
	}
	return takeCoupons(a.Sale.Items, a.Coupons)
}

// explainedCoupons returns what the coupon lines of a calculated sale take off its other lines, by the positions of items.
func explainedCoupons(sold *tax.Explanation, items []models.TransactionItem) (parts []tax.CouponPart) {
	at := make(map[string]int, len(items))
	for i := range items {
		at[items[i].ID] = i
	}
	for i := range sold.Items {
		from, ok := at[sold.Items[i].ItemID]
		for _, part := range sold.Items[i].Spread {
			if to, known := at[part.ItemID]; ok && known {
				parts = append(parts, tax.CouponPart{From: from, To: to, Amount: part.Amount})
			}
		}
	}
	return parts
}

// spreadCouponsOfRefund spreads the coupon lines of a refund over its other lines, by the same rules as those of a sale.
// Coupon lines are those against the sign of the sum. A line that is above what was sold counts with all of its amount
// here: what is left of the sale limits it afterwards. A coupon line counts with no more than refunds left of that of the
// sale. Errors: money.ErrOverflow, money.ErrPrecision.
func spreadCouponsOfRefund(a *models.CreditAccount, d *models.RefundDraft) error {
	if !HasCoupons(d.Items) {
		return nil
	}
	sign := signOfRefund(d)
	lines := linesToSpread(a, d.Items, sign)
	parts, err := tax.SpreadCoupons(lines, money.UnitOf(a.Sale.Currency))
	if err != nil {
		return err
	}
	taken := zeros(len(lines))
	for _, part := range parts {
		if taken[part.From], err = money.Sub(taken[part.From], part.Amount); err != nil {
			return err
		}
		if taken[part.To], err = money.Add(taken[part.To], part.Amount); err != nil {
			return err
		}
	}
	for i := range d.Items {
		if lines[i].Amount.IsNeg() {
			taken[i] = lines[i].Amount // also what no line has room for: a coupon line gives nothing back
		}
		if sign < 0 {
			taken[i] = taken[i].Neg()
		}
		setCoupons(&d.Items[i], taken[i])
	}
	return nil
}

// linesToSpread returns the lines of a refund as the spread of coupons sees them, with coupon lines below zero. A coupon
// line of a sale whose lines are taxed each by itself is a line like others.
func linesToSpread(a *models.CreditAccount, items []models.TransactionItem, sign int) []tax.Line {
	lines := make([]tax.Line, len(items))
	for i := range items {
		item := &items[i]
		net, err := money.Sub(item.Amount, item.TotalDiscount)
		if err != nil || item.Amount.Sign() == sign {
			net = item.Amount
		}
		if sign < 0 {
			net = net.Neg()
		}
		if net.IsNeg() && a.EachAlone && refundsCoupon(a, item) {
			net = nothing
		}
		lines[i] = tax.Line{ExternalProductID: item.ExternalProductID, Class: item.TaxClass, Amount: net}
	}
	return lines
}

// refundsCoupon reports whether a line refunds a negative line of the sale.
func refundsCoupon(a *models.CreditAccount, item *models.TransactionItem) bool {
	for i := range a.Sale.Items {
		if of := &a.Sale.Items[i]; item.OriginalLine != nil && of.LineNo == *item.OriginalLine {
			return of.IsCoupon
		}
	}
	return false
}

// signOfRefund returns the sign of the lines that give something back: that of their sum, else of the total. The others
// are coupon lines.
func signOfRefund(d *models.RefundDraft) int {
	var sum exactSum
	for i := range d.Items {
		sum.add(d.Items[i].Amount)
	}
	if sum.of.IsZero() {
		return d.TotalAmount.Sign()
	}
	return sum.of.Sign()
}

// setCoupons sets what coupon lines take off a line of a refund. The stored line of the version before stays as it is.
func setCoupons(item *models.TransactionItem, amount decimal.Decimal) {
	terms := valueOf(item.Terms())
	if terms.Coupons.IsZero() && amount.IsZero() {
		return
	}
	if item.Sent != nil {
		sent := *item.Sent
		item.Sent = &sent
	}
	terms.Coupons = amount
	item.SetTerms(terms)
}

// isFree reports whether units come back without an amount, of a line that cost nothing: coupons paid for it.
func (l *saleRest) isFree(item *models.TransactionItem, net decimal.Decimal) bool {
	return net.IsZero() && !item.Quantity.IsZero() && l.free[l.byLine[*item.OriginalLine]]
}

// couponsOfRefund returns what the coupon lines of a stored refund take off each of its lines, and where they went. That
// of a coupon line is below zero. Both are nil without coupon lines. The places are missing if the class of a product
// changed since the refund was recorded. Errors: money.ErrOverflow, money.ErrPrecision.
func couponsOfRefund(t *models.Transaction) (taken []decimal.Decimal, parts []tax.CouponPart, err error) {
	taken, any := zeros(len(t.Items)), false
	lines := make([]tax.Line, len(t.Items))
	var goods exactSum
	for i := range t.Items {
		taken[i] = t.Items[i].CouponAmount()
		any = any || !taken[i].IsZero()
		goods.add(t.Items[i].Amount)
	}
	if !any || t.Type == models.TypeTaxRefund {
		return nil, nil, nil
	}
	sign := goods.of.Sign()
	if sign == 0 {
		sign = t.TotalAmount.Sign()
	}
	sums := zeros(len(taken))
	for i := range t.Items {
		item := &t.Items[i]
		lines[i] = tax.Line{ExternalProductID: item.ExternalProductID, Class: item.TaxClass, Amount: item.Amount.Abs()}
		if taken[i] = taken[i].Abs(); item.Amount.Sign() == -sign {
			taken[i] = taken[i].Neg()
			lines[i].Amount, sums[i] = taken[i], taken[i]
		}
	}
	if parts, err = tax.SpreadCoupons(lines, money.UnitOf(t.Currency)); err != nil {
		return nil, nil, err
	}
	for _, part := range parts {
		if sums[part.To], err = money.Add(sums[part.To], part.Amount); err != nil {
			return nil, nil, err
		}
	}
	for i := range sums {
		if sums[i].Cmp(taken[i]) != 0 {
			return taken, nil, nil
		}
	}
	return taken, parts, nil
}

// alongCoupons returns amounts of lines, such as collected tax, without those of coupon lines. They are taken off the
// lines that the coupon line lowered, as far as these have some, then off the others. The result has no sign. Errors:
// money.ErrOverflow.
func alongCoupons(
	amounts []decimal.Decimal, sign int, items []models.TransactionItem, parts []tax.CouponPart,
) (left []decimal.Decimal, err error) {
	left = make([]decimal.Decimal, len(amounts))
	for i, amount := range amounts {
		left[i] = amount
		if sign < 0 {
			left[i] = amount.Neg()
		}
	}
	for i := range left {
		if !left[i].IsNeg() {
			continue
		}
		weights := zeros(len(left))
		for _, part := range parts {
			if part.From == i && left[part.To].IsPos() {
				weights[part.To] = part.Amount
			}
		}
		shares, err := money.Allocate(left[i].Neg(), weights)
		if err != nil {
			continue // it went nowhere
		}
		for j := range shares {
			some := shares[j].Min(decimal.Zero.Max(left[j]))
			if left[j], err = money.Sub(left[j], some); err != nil {
				return nil, err
			}
			if left[i], err = money.Add(left[i], some); err != nil {
				return nil, err
			}
		}
	}
	return withoutCoupons(left, 1, items)
}
