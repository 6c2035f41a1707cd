package tax

import (
	"math/big"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
)

// RefundRequest gives back a part of a sale, or all of it. The tax follows from
// how the original was taxed: no law of another day, and no content, is asked.
type RefundRequest struct {
	TransactionID string        // of the original, for the explanation
	TaxDate       calendar.Date // of the refund
	Original      Explanation   // of the original
	// Collected is the collected tax of each line of the original; nil if none was collected.
	Collected []decimal.Decimal
	// Calculate is the law of the original: its content version. It judges lower prices. Without it a lower price takes
	// its share of the tax.
	Calculate func(Request) (Result, error)
	Lines     []RefundLine
	Earlier   []RefundedLine // lines of earlier refunds of the original, in their order
}

// RefundLine gives back something of a line. A line with Amount takes its share of
// the original's tax; one without gives back Tax alone. The signs of amounts do not matter.
type RefundLine struct {
	ID                string `json:"-"`
	ExternalID        string `json:"-"`
	ExternalProductID string `json:"-"`

	Line     int             `json:"line"`     // of Original.Items
	Amount   decimal.Decimal `json:"amount"`   // before tax
	Quantity decimal.Decimal `json:"quantity"` // units that come back; zero for a lower price
	Tax      decimal.Decimal `json:"tax,omitzero"`
	// Coupons is what coupon lines of the refund took off the line, before Amount. That of a coupon line is negative, and
	// Spread says off which lines of the refund it went.
	Coupons decimal.Decimal `json:"coupons,omitzero"`
	Spread  []CouponPart    `json:"-"`
	// Free means that units come back without an amount. If coupons paid for the line, their tax comes back.
	Free bool `json:"free,omitempty"`
}

// RefundedLine is what one line of an earlier refund took. Signs do not matter, but that of Collected: it is below zero
// for a coupon line that came back.
type RefundedLine struct {
	Line      int             `json:"line"` // of Original.Items
	Amount    decimal.Decimal `json:"amount"`
	Quantity  decimal.Decimal `json:"quantity"`
	Collected decimal.Decimal `json:"collected,omitzero"`
	Taxes     []RefundedTax   `json:"taxes,omitempty"`
}

// RefundedTax is the part of one jurisdiction in it.
type RefundedTax struct {
	RuleID           string           `json:"rule_id"`
	JurisdictionType JurisdictionType `json:"jurisdiction_type"`
	JurisdictionName string           `json:"jurisdiction_name"`
	TaxableAmount    decimal.Decimal  `json:"taxable_amount"`
	Amount           decimal.Decimal  `json:"amount"`
}

// refund is the state of one Refund call. Amounts are magnitudes in cents.
type refund struct {
	req   *RefundRequest
	unit  RoundingUnit
	from  []refundable // one for each line of the original
	lines []taken      // one for each line of the request
}

// refundable is the rest of a line of the original that can be refunded.
type refundable struct {
	item      *ExplainedItem
	sign      int64           // of the line and of its tax
	unit      int64           // the smallest one of the currency, in cents
	net       int64           // before any refund
	left      int64           // of net
	whole     *big.Rat        // unrounded tax before any refund, in cents
	bought    decimal.Decimal // units
	units     decimal.Decimal // that did not come back
	collected int64           // tax that is left
	exempted  bool            // a refund of tax alone took some of its tax: a part of the line is exempt
	parts     []refundablePart

	// basis is the amount that the exact taxes and the bases of the parts belong to. It is net until a lower price or a
	// refund of tax alone changes the tax of the rest.
	basis int64
}

// refundablePart is the rest of a line in one jurisdiction that can be refunded.
type refundablePart struct {
	of        *ExplainedTax
	authority Authority
	whole     *big.Rat // unrounded, in cents, of the basis
	base      int64    // of the basis
	tax, free int64    // tax and base that are left
}

// taken is a line of the refund.
type taken struct {
	line   *RefundLine
	from   *refundable
	amount int64 // as asked for
	counts int64 // of it, what the original line still had
	before int64 // of the line, what others took
	rest   bool  // it uses the line up
	price  bool  // it lowers the price of what is left

	basis  int64    // amount of which it takes a share
	shared *big.Rat // the unrounded tax of that, in cents

	exact   *big.Rat // unrounded tax, in cents
	limited bool     // by what is left
	base    int64
	tax     int64
	beyond  int64 // of tax alone, what was collected beyond the calculated tax
	parts   []takenPart
}

// takenPart is the part of one jurisdiction.
type takenPart struct {
	of        *ExplainedTax
	authority Authority
	exact     *big.Rat
	base, tax int64
	leftover  bool // received a leftover cent
}
