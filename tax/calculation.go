package tax

import (
	"sync"

	"levy/tax/money"
)

// calculation is the state of one Calculate call.
type calculation struct {
	c      *Content
	req    Request
	unit   int64 // the smallest unit of the currency, in cents
	rule   SourcingRule
	reason string
	taxed  *Place
	state  *state   // nil outside the United States
	levies []levied // the taxes outside the United States
	set    []uint16 // the jurisdictions, by level and name
	lines  []work
	totals totals
	// reliefs free the whole sale, or some classes of it each
	reliefs []*relief
	shares  []share
	// overrides are the rates of the seller that hold here on the day
	overrides []override
	// How sure the rows make a result that it rests on.
	sure    level
	early   []undocumented // each once
	doubted string         // the note on the first row that is not certain
	unrated bool           // a limit in another currency was compared as it stands
	// unconfirmed reports that the table of the state ended before the sale.
	unconfirmed bool
	// settled reports that no other place that the address can lie in would change the result.
	settled bool
	// useTax names the law of a local use tax that may be due in addition. instead names the tax that a seller from
	// outside the state may collect. Both are empty if there is none.
	useTax, instead string
	// spread reports whether there are coupon lines, coupons are what they take off others. terms reports whether the
	// law about discounts may matter, because one is reimbursed, or something is traded in.
	spread  bool
	coupons []couponPart
	terms   bool
	unknown [numReductions]lineCount // lines with reductions of which the content has no law

	ends []int
	text []byte // of the sentence being written, then of what is hashed
}

// calculations keeps the working memory of finished calls, which is larger
// than their results, for later ones. No result refers to it.
var calculations = sync.Pool{New: func() any { return new(calculation) }}

const maxKeptLines = 256

func (k *calculation) release() {
	if cap(k.lines) > maxKeptLines {
		return
	}
	clear(k.lines)
	clear(k.shares)
	*k = calculation{
		lines: k.lines[:0], shares: k.shares[:0], set: k.set[:0], levies: k.levies[:0], ends: k.ends[:0],
		text: k.text[:0], reliefs: k.reliefs[:0], coupons: k.coupons[:0],
	}
	calculations.Put(k)
}

// work is a line being calculated. Amounts are cents; until the sign is put
// back, bases and shares are those of a positive line.
type work struct {
	line                  *Line
	class                 classKey
	within                classKey // the class of the rule of the state: itself, or one above it
	amount, discount, net int64    // net is what the law looks at: with the discounts that do not lower the base
	item                  perItem
	first, end            int   // its shares
	paid                  int64 // price before tax, after discounts and coupon lines
	coupon                bool  // it is a coupon line, which bears no tax
	reduced               reductions

	taxed       bool // some jurisdiction taxes it, whatever the amount
	exempt      bool
	exemption   TaxExemption
	exemptionID string
	why         string // for the explanation of an untaxed line
	conditional bool
	inherited   bool   // its rule is that of the class above it, and the law may have another one
	doubt       string // a condition of the law that the sale does not answer
	// deliveredOver would free it, and does not because of its delivery.
	deliveredOver *holiday
	localsVary    bool        // its city decides for itself, and how is not known
	note          string      // the facts that a conditional rule depends on
	delivered     []*work     // of a charge that is taxed like them
	likeItems     bool        // and that differs from the general rates
	mixed         bool        // or they from each other
	law           *taxability // how the state treats its class; nil where nothing was decided by it

	included *included // how its price includes tax; nil for a net price

	base      int64 // the largest base of a jurisdiction, units of 10^-4
	unrounded money.Exact
	tax       int64
}

// takenAsFree reports whether a rule that depends on facts was taken as freeing the line.
func (w *work) takenAsFree() bool { return w.law != nil && w.law.treatment == treatExempt }

// sharesOf is the part of the shares that belongs to a line.
func (k *calculation) sharesOf(w *work) []share { return k.shares[w.first:w.end] }

// share is what one jurisdiction does with a line.
type share struct {
	jurisdiction uint16
	ruleID, name string
	rate         int64 // units of 10^-9, as applied
	base         int64 // units of 10^-4
	baseRule     string
	reason       TaxReason
	exempt       bool
	source       *ExplainedSource

	unrounded money.Exact
	amount    int64
	leftover  bool // received a leftover cent

	tax  uint8 // its tax: 0 in the United States, else the index of its levy
	levy *levy
}

const noJurisdiction = 1<<16 - 1

// The base rules that need no number.
const (
	baseFull = "FULL_AMOUNT"
	baseNone = "NONE"
)

func (k *calculation) add(s share) { k.shares = append(k.shares, s) }

func (s *share) free(reason TaxReason) {
	s.rate, s.base, s.exempt, s.reason, s.baseRule = 0, 0, true, reason, baseNone
}

// levied is a tax that applies to a sale.
type levied struct {
	jurisdiction uint16 // the country for a federal tax
	home         uint16 // where its rates stand
	general      *rate
}

// relief frees classes of a sale across a border from the tax of the destination.
type relief struct {
	reason    TaxReason
	exemption TaxExemption
	why       string
	source    *ExplainedSource
	covers    *[numClasses]bool
}

// local is a local tax in force.
type local struct {
	jurisdiction uint16
	rate         *rate
	sure         level
}

// outcome is what the law of the state says about a line.
type outcome struct {
	rate, base int64
	reason     TaxReason
	exempt     bool
	baseRule   string
	below      bool // freed by a threshold
}

var untaxedOutcome = outcome{reason: ReasonNotTaxable, exempt: true, baseRule: baseNone}

func (o outcome) localBaseRule() string {
	if o.exempt {
		return baseFull
	}
	return o.baseRule
}
