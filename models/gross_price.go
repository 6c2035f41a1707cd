package models

import "github.com/govalues/decimal"

// GrossPrice are the submitted amount and the discount of a line whose price includes tax. The amounts of the line
// itself are the same until its tax is calculated. From then on they are net.
type GrossPrice struct {
	Amount   decimal.Decimal `json:"amount"`
	Discount decimal.Decimal `json:"discount"`
}

// GrossPrice returns the price with its tax; nil for a price before tax.
func (i *TransactionItem) GrossPrice() *GrossPrice {
	if i.Sent == nil {
		return nil
	}
	return i.Sent.Gross
}

// SetGross notes the amounts of a line, which include tax, as its price. It replaces what is stored about the line, not
// the stored values themselves, which versions share.
func (i *TransactionItem) SetGross(price GrossPrice) {
	sent := SubmittedLine{}
	if i.Sent != nil {
		sent = *i.Sent
	}
	sent.Gross = &price
	i.Sent = &sent
}

// SubmittedAmount returns the submitted amount of the line.
func (i *TransactionItem) SubmittedAmount() decimal.Decimal {
	if gross := i.GrossPrice(); gross != nil {
		return gross.Amount
	}
	return i.Amount
}

// SubmittedDiscount returns the discount of the line, with its tax if the amounts of the line include it.
func (i *TransactionItem) SubmittedDiscount() decimal.Decimal {
	if gross := i.GrossPrice(); gross != nil {
		return gross.Discount
	}
	return i.TotalDiscount
}
