package models

import (
	"encoding/json"
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
)

// StageState is the status of a transaction after a stage, whichever run has set it.
type StageState struct {
	Ref              Ref // as requested
	Epoch            int // of the record now; 0 if it was deleted
	ProcessingStatus ProcessingStatus
	Waiting          bool // this attempt found that its original is not processed
}

// AddressOutcome is the result of stage 1 for one transaction. To is ADDRESS_DONE or an end status,
// which Reason explains.
type AddressOutcome struct {
	Ref      Ref
	To       ProcessingStatus
	Reason   string
	Place    tax.Place
	Origin   *tax.Place
	Statuses map[AddressType]tax.AddressStatus
}

// ExemptionOutcome is the result of stage 2 for one transaction.
type ExemptionOutcome struct {
	Ref     Ref
	Exempt  ExemptStatus
	Lines   []LineExemption // every line
	Applied []string        // ids of the exemptions that were applied
}

// LineExemption tells whether a line is exempt and why.
type LineExemption struct {
	LineNo       int
	Exempt       bool
	TaxExemption string // empty when not exempt
	// ExemptionID is the stored exemption that applies. A line that is taxed has that of a part of the country, or a
	// certificate for resale of another state.
	ExemptionID string
}

// NexusOutcome is the contribution of one transaction to the nexus counters by stage 3, and the numbers of its exempt
// lines: see Transaction.NexusExemptLines.
type NexusOutcome struct {
	Ref           Ref
	Contributions []NexusContribution
	ExemptLines   []int
}

// NexusContribution is the contribution of one transaction in one jurisdiction on one day. Amounts are in the
// transaction's currency, before tax and after discounts. Credit notes have negative amounts and count 0.
type NexusContribution struct {
	CountryCode, StateCode string
	Currency               string
	Day                    time.Time
	Marketplace            bool
	Count                  int
	Amount                 decimal.Decimal
	ExemptCount            int // 1 if the whole transaction is exempt
	ExemptAmount           decimal.Decimal
	ResaleCount            int             // 1 if the whole transaction was sold for resale
	ResaleAmount           decimal.Decimal // part of ExemptAmount sold for resale
	CollectedTax           decimal.Decimal
	SoldAt                 time.Time
	// SoldOn is the day of the sale, if a refund on another day takes back amounts: they are converted as those of the
	// sale. nil means Day, or a refund that an old version counted.
	SoldOn *time.Time
}

// Equal reports whether two contributions are equal, whatever the scale of their decimals. It ignores SoldOn.
func (c NexusContribution) Equal(o NexusContribution) bool {
	return c.CountryCode == o.CountryCode && c.StateCode == o.StateCode && c.Currency == o.Currency &&
		c.Day.Equal(o.Day) &&
		c.Marketplace == o.Marketplace && c.Count == o.Count && c.ExemptCount == o.ExemptCount &&
		c.ResaleCount == o.ResaleCount &&
		c.Amount.Cmp(o.Amount) == 0 && c.ExemptAmount.Cmp(o.ExemptAmount) == 0 &&
		c.ResaleAmount.Cmp(o.ResaleAmount) == 0 &&
		c.CollectedTax.Cmp(o.CollectedTax) == 0 && c.SoldAt.Equal(o.SoldAt)
}

// TaxOutcome is the result of stage 4 for one transaction. To is PROCESSED or NEEDS_REFETCH, which Reason explains.
type TaxOutcome struct {
	Ref                 Ref
	To                  ProcessingStatus
	Outdated            bool // stage 2 decided by other obligations: it is queued again at once
	Reason              string
	Wants               *CurrencyPair // the missing rate, if that is the reason
	Exempt              ExemptStatus
	TaxableAmount       decimal.Decimal
	TaxAmount           decimal.Decimal
	TaxRate             decimal.Decimal
	LiabilityAmount     decimal.Decimal
	LiabilitySource     TaxLiabilitySource
	DestinationCurrency string
	ConversionRate      decimal.Decimal
	ContentVersion      string
	Certainty           *tax.Certainty // nil for a refund of a sale that an old version calculated
	Lines               []LineTax
	// Net are the sums of the lines if their prices include tax, and Nexus is what the net prices add to nexus; else nil.
	Net         *NetPrice
	Nexus       []NexusContribution
	Totals      []AuthorityTotal
	Explanation json.RawMessage // section 15.8 of the contract, without ids
	// Leaf is its leaf in the ledger, see package ledger. It is made when the outcome is stored.
	Leaf []byte
}

// Calculated reports whether there is a result. Otherwise the transaction needs attention.
func (o *TaxOutcome) Calculated() bool { return o.To == ProcessingProcessed }

// AuthorityTotal is the contribution of a transaction to the return of one authority, in the currency of the taxing
// country. Refunds are negative. CountryCode and StateCode are as in registrations. MemberCode is the taxing country,
// which differs from CountryCode for the one-stop shop.
type AuthorityTotal struct {
	CountryCode, StateCode string
	MemberCode             string
	Currency               string // of the amounts: that of the taxing country
	ReturnAmounts
	// Case is the case of the contract by which the document owes tax to the authority, section 17.6. It is 0 in totals of
	// earlier releases.
	Case int
	// OverCollected and UnderCollected tell by how much the collected tax is above and below the calculated one. They are
	// 0 without an obligation, or if no tax was collected. Refunds have the changes that they make.
	OverCollected, UnderCollected decimal.Decimal
	// FormTax is what a form computes of the tax lines, taxable x rate, with 6 decimals; nil if it is the calculated tax.
	// BeyondRounding tells whether both differ by more than roundings explain.
	FormTax        *decimal.Decimal
	BeyondRounding bool
	// Places has the liability by place. They add up to it, and none is 0. nil means that readers share the liability by
	// the calculated tax lines of the authority, with running sums in the order of levels and names. For an ordinary sale
	// the shares are these tax lines themselves.
	Places []OwedPlace
	// Figures divide the amounts by what forms ask for: gross adds up to Sales, tax to Tax, owed to Liability. nil in
	// totals of earlier releases. FigurePlace names the jurisdictions below the authority, see FilingFigure.
	Figures     []Figure
	FigurePlace string
}

// EarlierTotal is the total of a transaction that an earlier release has decided, with what the transaction says of it.
// Owed are its lines with their tax lines, if they are needed to share the liability over places.
type EarlierTotal struct {
	AuthorityTotal
	TransactionID string
	Epoch         int
	Day           time.Time
	Type          TransactionType
	Source        TaxLiabilitySource
	Marketplace   bool
	Owed          []TransactionItem
}

// OwedPlace is the part of a liability that is owed for a place, in the currency of the liability. A place without
// calculated tax is one that the imported tax lines name, or the whole state or country.
type OwedPlace struct {
	Type   string          `json:"type"` // as the jurisdiction_type of tax lines
	Name   string          `json:"name"`
	Code   string          `json:"code,omitempty"` // only of the whole state or country
	Amount decimal.Decimal `json:"amount"`
}

// ReturnAmounts are the amounts of a transaction in returns; those of refunds are negative. The calculated tax is that
// of one authority, or that of the document.
type ReturnAmounts struct {
	Sales     decimal.Decimal // net, before tax
	Taxable   decimal.Decimal
	Tax       decimal.Decimal // calculated
	Collected decimal.Decimal
	Liability decimal.Decimal
}

// LineTax is the tax of one line.
type LineTax struct {
	LineNo        int
	TaxableAmount decimal.Decimal
	TaxAmount     decimal.Decimal
	TaxRate       decimal.Decimal
	Exempt        bool
	TaxExemption  string
	TaxItems      []TaxItem // imported ones first, then the calculated ones
	// Net are the amounts of a line whose price includes tax, without it; else nil.
	Net *NetPrice
}

// NetPrice are amount and discount without tax.
type NetPrice struct{ Amount, Discount decimal.Decimal }
