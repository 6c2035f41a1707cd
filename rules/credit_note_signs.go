package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// WithOneSign returns a transaction for an answer. All amounts of a refund get the sign of its submitted total,
// calculated ones too. A line against the others, such as a coupon that is taken back, stays against them. A
// transaction that is no refund is returned unchanged.
func WithOneSign(t *models.Transaction) *models.Transaction {
	if !t.Type.IsCredit() || t.TotalAmount.IsZero() {
		return t
	}
	shown := *t
	shown.Items = slices.Clone(t.Items)
	sign := t.TotalAmount.Sign()
	for _, amount := range []*decimal.Decimal{
		&shown.TotalTaxAmountImported, &shown.TotalTaxAmountCalculated, &shown.TotalTaxLiabilityAmount, &shown.TaxableAmount,
	} {
		turnTo(sign, amount)
	}
	var sold, discounts, prices, priceDiscounts, imported, calculated, taxable, importedTaxes, calculatedTaxes, bases []*decimal.Decimal
	for i := range shown.Items {
		item := &shown.Items[i]
		item.TaxItems = slices.Clone(item.TaxItems)
		sold, discounts = append(sold, &item.Amount), append(discounts, &item.TotalDiscount)
		if price := item.GrossPrice(); price != nil {
			item.SetGross(*price)
			price = item.GrossPrice()
			prices, priceDiscounts = append(prices, &price.Amount), append(priceDiscounts, &price.Discount)
		}
		imported, calculated = append(imported, &item.TaxAmountImported), append(calculated, &item.TaxAmountCalculated)
		taxable = append(taxable, &item.TaxableAmount)
		for j := range item.TaxItems {
			part := &item.TaxItems[j]
			if part.Type == models.TaxItemCalculated {
				calculatedTaxes = append(calculatedTaxes, &part.Amount)
			} else {
				importedTaxes = append(importedTaxes, &part.Amount)
			}
			if part.TaxableAmount != nil {
				base := *part.TaxableAmount
				part.TaxableAmount = &base
				bases = append(bases, &base)
			}
		}
	}
	if t.GrossAmount != nil {
		gross := *t.GrossAmount
		shown.GrossAmount = &gross
		turnTo(sign, &gross)
	}
	turnTo(sign, prices...)
	turnTo(sign, priceDiscounts...)
	turnTo(sign, append(sold, &shown.Subtotal)...)
	turnTo(sign, append(discounts, &shown.TotalDiscount)...)
	for _, amounts := range [][]*decimal.Decimal{imported, calculated, taxable, importedTaxes, calculatedTaxes, bases} {
		turnTo(sign, amounts...)
	}
	return &shown
}

// turnTo negates amounts whose sum has the other sign.
func turnTo(sign int, amounts ...*decimal.Decimal) {
	sum := decimal.Zero
	for _, amount := range amounts {
		next, err := money.Add(sum, *amount)
		if err != nil {
			return // amounts of a document add up
		}
		sum = next
	}
	if sum.Sign() != -sign {
		return
	}
	for _, amount := range amounts {
		*amount = amount.Neg()
	}
}
