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
	Lines         []RefundLine
	Earlier       []RefundedLine // lines of earlier refunds of the original
}

// RefundLine gives back something of a line. A line with Amount takes its share of
// the original's tax; one without gives back Tax alone. Signs do not matter.
type RefundLine struct {
	ID, ExternalID, ExternalProductID string

	Line   int             // of Original.Items
	Amount decimal.Decimal // before tax
	Tax    decimal.Decimal
}

// RefundedLine is what one line of an earlier refund took. Signs do not matter.
type RefundedLine struct {
	Line   int // of Original.Items
	Amount decimal.Decimal
	Taxes  []RefundedTax
}

// RefundedTax is the part of one jurisdiction in it.
type RefundedTax struct {
	RuleID                string
	JurisdictionType      JurisdictionType
	JurisdictionName      string
	TaxableAmount, Amount decimal.Decimal
}

// refund is the state of one Refund call. Amounts are magnitudes in cents.
type refund struct {
	req   *RefundRequest
	unit  RoundingUnit
	from  []refundable // one for each line of the original
	lines []taken      // one for each line of the request
}

// refundable is what is left of a line of the original.
type refundable struct {
	item  *ExplainedItem
	sign  int64    // of the line and of its tax
	net   int64    // before any refund
	left  int64    // of net
	whole *big.Rat // unrounded tax before any refund, in cents
	parts []refundablePart

	authorities []Authority // of the parts
}

// refundablePart is what is left of a line in one jurisdiction.
type refundablePart struct {
	whole     *big.Rat // unrounded, in cents
	base      int64
	tax, free int64 // tax and base that are left
}

// taken is a line of the refund.
type taken struct {
	line   *RefundLine
	from   *refundable
	amount int64 // as asked for
	counts int64 // of it, what the original line still had
	before int64 // of the line, what others took
	rest   bool  // it uses the line up

	exact   *big.Rat // unrounded tax, in cents
	limited bool     // by what is left
	base    int64
	tax     int64
	parts   []takenPart
}

// takenPart is the part of one jurisdiction.
type takenPart struct {
	exact     *big.Rat
	base, tax int64
	leftover  bool // received a leftover cent
}
