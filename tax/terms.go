package tax

import "github.com/govalues/decimal"

// Reimburser is the party that bears a discount: the seller, or another that reimburses it to the seller.
type Reimburser string

// The parties that bear discounts. An empty value is the seller.
const (
	ReimbursedBySeller       Reimburser = "SELLER"
	ReimbursedByManufacturer Reimburser = "MANUFACTURER"
	ReimbursedByThirdParty   Reimburser = "THIRD_PARTY"
)

// DiscountTerms say more about the discounts of a line than their amount. Most lines have none. It is stored as JSON.
type DiscountTerms struct {
	// Shared is the part of the discount that the line bears of discounts of the whole sale. They count after coupon
	// lines.
	Shared decimal.Decimal `json:"shared,omitzero"`
	// ByManufacturer and ByThirdParty are the parts of the discount that they reimburse to the seller.
	ByManufacturer decimal.Decimal `json:"by_manufacturer,omitzero"`
	ByThirdParty   decimal.Decimal `json:"by_third_party,omitzero"`
	// ReimbursedBy and TradeIn are about a coupon line.
	ReimbursedBy Reimburser `json:"reimbursed_by,omitempty"`
	TradeIn      bool       `json:"trade_in,omitempty"`
	// Coupons is what the coupon lines of a refund take off its line. The discount of a coupon line is its whole amount.
	// Lines of sales have none: the content spreads their coupon lines.
	Coupons decimal.Decimal `json:"coupons,omitzero"`
	// ByTradeIn is the part of the price that goods of the buyer pay. It is not stored: a refund sets it to calculate a
	// line without the other lines.
	ByTradeIn decimal.Decimal `json:"-"`
}

// IsZero reports whether nothing is said.
func (t *DiscountTerms) IsZero() bool {
	return t == nil || t.Shared.IsZero() && t.ByManufacturer.IsZero() && t.ByThirdParty.IsZero() &&
		t.ReimbursedBy == "" && !t.TradeIn && t.Coupons.IsZero() && t.ByTradeIn.IsZero()
}

// terms are the terms of a line, empty for none.
func (l *Line) terms() DiscountTerms {
	if l.Terms == nil {
		return DiscountTerms{}
	}
	return *l.Terms
}
