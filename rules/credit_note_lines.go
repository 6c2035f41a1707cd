package rules

import (
	"cmp"
	"fmt"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// matchLines finds for each line the line of the sale that it refunds. It has the same external id and product. Without
// such a line, it is the first one of the product that is not refunded in full, else the first one of the product. A
// coupon line counts with no more than refunds left of that of the sale: the rest becomes a discount.
func matchLines(a *models.CreditAccount, d *models.RefundDraft) (faults []models.Fault) {
	limited, against := takesLines(d), -signOfRefund(d)
	left := leftOfLines(a)
	fault := func(i int, field, code, message string) {
		path := fmt.Sprintf("transaction_items[%d].%s", i, field)
		faults = append(faults, models.Fault{Code: code, Path: path, Message: message})
	}
	for i := range d.Items {
		item := &d.Items[i]
		of := originalLine(a, item, left)
		if of == nil {
			fault(i, "external_product_id", models.FieldNotInOriginal, "This product is not on the original.")
			continue
		}
		if !of.Quantity.IsZero() && item.Quantity.CmpAbs(of.Quantity) > 0 {
			most := money.FormatQuantity(of.Quantity.Abs())
			fault(i, "quantity", models.FieldOutOfRange, "The original has fewer of this product: at most "+most+".")
		}
		line := of.LineNo
		item.OriginalLine = &line
		remainder, err := money.Sub(left[line], item.Amount.Abs())
		if err != nil {
			continue
		}
		item.TotalDiscount = decimal.Zero
		setCoupons(item, nothing)
		switch coupon := item.Amount.Sign() == against && against != 0; {
		case !limited:
		case coupon && !of.IsCoupon: // it lowers what comes back, and takes nothing of the line
			remainder = left[line]
		case remainder.IsNeg():
			if coupon {
				takeDiscountBack(item, item.Amount.Abs(), left[line])
			}
			remainder = decimal.Zero
		}
		left[line] = remainder
	}
	return faults
}

// limitLines spreads the coupon lines of a refund. Then each line counts with no more than what is left of the line that
// it refunds, after the coupons of the sale. The part of an amount above that becomes a discount. Errors:
// money.ErrOverflow, money.ErrPrecision.
func limitLines(a *models.CreditAccount, d *models.RefundDraft) error {
	if !takesLines(d) {
		return nil
	}
	if err := spreadCouponsOfRefund(a, d); err != nil {
		return err
	}
	left, coupons := leftOfLines(a), map[int]bool{}
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		coupons[of.LineNo] = of.IsCoupon && !a.EachAlone
	}
	against := -signOfRefund(d)
	for i := range d.Items {
		item := &d.Items[i]
		line := *item.OriginalLine
		if item.Amount.Sign() == against && against != 0 && (!a.EachAlone || !item.CouponAmount().IsZero()) {
			continue
		}
		net, err := item.NetAmount()
		if err != nil {
			return err
		}
		most := left[line]
		// guard: credit note: a coupon line of the sale gives nothing back
		if coupons[line] {
			most = decimal.Zero
		}
		remainder, err := money.Sub(most, net.Abs())
		if err != nil {
			return err
		}
		// guard: credit note: a line gives back no more than is left of the sold one
		if remainder.IsNeg() {
			takeDiscountBack(item, net.Abs(), most)
			remainder = decimal.Zero
		}
		if !coupons[line] {
			left[line] = remainder
		}
	}
	return nil
}

// takesLines reports whether a refund takes something off the lines of its sale.
func takesLines(d *models.RefundDraft) bool {
	return d.Status.Reserves() && d.Type != models.TypeTaxRefund && !d.Ended
}

// leftOfLines returns the amount of each line of the sale that is not refunded yet. Of a coupon line it is what coupon
// lines of refunds can still take.
func leftOfLines(a *models.CreditAccount) map[int]decimal.Decimal {
	left := make(map[int]decimal.Decimal, len(a.Sale.Items))
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		net, err := of.NetAmount()
		taken := a.Lines[of.LineNo]
		if of.IsCoupon {
			if net, err = money.Sub(of.Amount, of.TotalDiscount); err == nil {
				net, err = money.Sub(net.Abs(), taken.Coupons)
			}
		}
		if err == nil {
			net, err = money.Sub(net.Abs(), taken.Amount)
		}
		if err == nil {
			left[of.LineNo] = net
		}
	}
	return left
}

// takeDiscountBack reduces a line that names more than is left of the refunded line, such as the price before
// discounts. The excess becomes its discount.
func takeDiscountBack(item *models.TransactionItem, named, left decimal.Decimal) {
	if left.IsNeg() {
		left = decimal.Zero
	}
	above, err := money.Sub(named, left)
	if err == nil {
		item.TotalDiscount = above.CopySign(item.Amount)
	}
}

// leaveToSale reduces the lines of a refund that together come to more than is left of the sale before tax. A coupon
// line of the sale lowered it, but no line of the refund says so. The last lines are reduced first. Errors:
// money.ErrOverflow.
func leaveToSale(a *models.CreditAccount, d *models.RefundDraft) error {
	if !takesLines(d) {
		return nil
	}
	left, err := money.Sub(a.Sale.Subtotal, a.Sale.TotalDiscount)
	if err != nil {
		return err
	}
	if left, err = money.Sub(left.Abs(), a.Net); err != nil {
		return err
	}
	// guard: gross prices: tax that came back alone was a part of the price
	if a.Sale.PricesIncludeTax() {
		ofPrice, err := money.Sub(a.Sale.GrossAmount.Abs(), a.Total)
		if err != nil {
			return err
		}
		left = left.Min(ofPrice)
	}
	net, err := netOfRefund(d)
	if err != nil {
		return err
	}
	above, err := money.Sub(net, decimal.Zero.Max(left))
	if err != nil {
		return err
	}
	sign := signOfLines(d)
	for i := len(d.Items) - 1; i >= 0 && above.IsPos(); i-- {
		item := &d.Items[i]
		net, err := item.NetAmount()
		if err != nil {
			return err
		}
		if net.Sign() != sign {
			continue
		}
		part := net.Abs().Min(above)
		if item.TotalDiscount, err = money.Add(item.TotalDiscount, part.CopySign(net)); err != nil {
			return err
		}
		if above, err = money.Sub(above, part); err != nil {
			return err
		}
	}
	return nil
}

// signOfLines returns the sign of the sum of the lines before tax.
func signOfLines(d *models.RefundDraft) int {
	var sum exactSum
	for i := range d.Items {
		if net, err := d.Items[i].NetAmount(); err == nil {
			sum.add(net)
		}
	}
	return sum.of.Sign()
}

// addUpDiscounts sums up the discounts of the lines.
func addUpDiscounts(d *models.RefundDraft) (err error) {
	d.TotalDiscount = decimal.Zero
	for i := range d.Items {
		if d.TotalDiscount, err = money.Add(d.TotalDiscount, d.Items[i].TotalDiscount); err != nil {
			return err
		}
	}
	return nil
}

func originalLine(
	a *models.CreditAccount, item *models.TransactionItem, left map[int]decimal.Decimal,
) *models.TransactionItem {
	var sameProduct, withRemainder *models.TransactionItem
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		if !sameIdentifier(of.ExternalProductID, item.ExternalProductID) {
			continue
		}
		// guard: identifiers: a note names a line without the white space around its stored identifier
		if item.ExternalID != nil && of.ExternalID != nil && sameIdentifier(*of.ExternalID, *item.ExternalID) {
			return of
		}
		if sameProduct == nil {
			sameProduct = of
		}
		if withRemainder == nil && left[of.LineNo].IsPos() {
			withRemainder = of
		}
	}
	return cmp.Or(withRemainder, sameProduct)
}

// agreesWithTotal refuses a credit note whose lines before tax alone come to more than its total. Such a note copies
// the lines of the sale, or names list prices. A cent a line is tolerated. Errors: money.ErrOverflow.
func agreesWithTotal(a *models.CreditAccount, d *models.RefundDraft) (*models.Fault, error) {
	if !takesLines(d) {
		return nil, nil
	}
	net, err := beforeTax(a, d)
	if err != nil {
		return nil, err
	}
	most, err := money.Add(d.TotalAmount.Abs(), unitForEach(len(d.Items), d.Currency))
	// guard: credit note: its lines alone do not exceed its total
	if err != nil || net.Cmp(most) <= 0 {
		return nil, err
	}
	return &models.Fault{
		Code: models.FieldTotalMismatch, Path: "total_amount",
		Message: "The lines come to " + money.Format(net) + " before tax, but the total with tax is " +
			money.Format(d.TotalAmount.Abs()) + ". Name for each line what is given back of it, after discounts; a part " +
			"of a price is a line with quantity 0.",
		Of: []string{"transaction_items[].amount"},
	}, nil
}

// unitForEach is the tolerance of a document: for each line one cent, or the unit of a currency without cents.
func unitForEach(lines int, currency string) decimal.Decimal {
	return money.FromCents(int64(lines) * money.UnitOf(currency))
}
