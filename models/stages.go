package models

import (
	"encoding/json"
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
)

// StageState is where a transaction stands after a stage ran, whoever changed it.
type StageState struct {
	Ref              Ref // as asked for
	Epoch            int // of the record now; 0 when the record is gone
	ProcessingStatus ProcessingStatus
	Waiting          bool // this attempt found that its original is not processed
}

// AddressOutcome is what stage 1 found for one transaction. To is ADDRESS_DONE or
// an end state, which Reason then explains.
type AddressOutcome struct {
	Ref      Ref
	To       ProcessingStatus
	Reason   string
	Place    tax.Place
	Origin   *tax.Place
	Statuses map[AddressType]tax.AddressStatus
}

// ExemptionOutcome is what stage 2 decided for one transaction.
type ExemptionOutcome struct {
	Ref     Ref
	Exempt  ExemptStatus
	Lines   []LineExemption // every line
	Applied []string        // ids of the exemptions that were applied
}

// LineExemption says whether a line is exempt and why.
type LineExemption struct {
	LineNo       int
	Exempt       bool
	TaxExemption string // empty when not exempt
	ExemptionID  string // of the stored exemption that did it, or is for a part of the country, in which the line is taxed
}

// NexusOutcome is what stage 3 adds to the nexus counters for one transaction, and the numbers
// of its lines that are exempt sales there: see Transaction.NexusExemptLines.
type NexusOutcome struct {
	Ref           Ref
	Contributions []NexusContribution
	ExemptLines   []int
}

// NexusContribution is what one transaction adds in one jurisdiction on one day.
// Amounts are in the transaction's currency, before tax and after discounts;
// credit notes carry negative amounts and count 0.
type NexusContribution struct {
	CountryCode, StateCode string
	Currency               string
	Day                    time.Time
	Marketplace            bool
	Count                  int
	Amount                 decimal.Decimal
	ExemptCount            int // 1 when the whole transaction is exempt
	ExemptAmount           decimal.Decimal
	ResaleCount            int             // 1 when the whole transaction was sold for resale
	ResaleAmount           decimal.Decimal // part of ExemptAmount sold for resale
	CollectedTax           decimal.Decimal
	SoldAt                 time.Time
	// SoldOn is the day of the sale of which a refund of another day takes back amounts: they are
	// converted as those were. nil: Day; also of a refund that was counted before this was kept.
	SoldOn *time.Time
}

// Equal reports whether two contributions are the same, whatever their decimals, but for SoldOn.
func (c NexusContribution) Equal(o NexusContribution) bool {
	return c.CountryCode == o.CountryCode && c.StateCode == o.StateCode && c.Currency == o.Currency &&
		c.Day.Equal(o.Day) &&
		c.Marketplace == o.Marketplace && c.Count == o.Count && c.ExemptCount == o.ExemptCount &&
		c.ResaleCount == o.ResaleCount &&
		c.Amount.Cmp(o.Amount) == 0 && c.ExemptAmount.Cmp(o.ExemptAmount) == 0 &&
		c.ResaleAmount.Cmp(o.ResaleAmount) == 0 &&
		c.CollectedTax.Cmp(o.CollectedTax) == 0 && c.SoldAt.Equal(o.SoldAt)
}

// TaxOutcome is what stage 4 calculated for one transaction. To is PROCESSED or
// NEEDS_REFETCH, which Reason then explains.
type TaxOutcome struct {
	Ref                 Ref
	To                  ProcessingStatus
	Outdated            bool // stage 2 decided by other obligations: it is queued again at once
	Reason              string
	Wants               *CurrencyPair // the rate that was missing, when that is the reason
	Exempt              ExemptStatus
	TaxableAmount       decimal.Decimal
	TaxAmount           decimal.Decimal
	TaxRate             decimal.Decimal
	LiabilityAmount     decimal.Decimal
	LiabilitySource     TaxLiabilitySource
	DestinationCurrency string
	ConversionRate      decimal.Decimal
	ContentVersion      string
	Certainty           *tax.Certainty // nil for a refund of a sale that was calculated before it was kept
	Lines               []LineTax
	Totals              []AuthorityTotal
	Explanation         json.RawMessage // section 15.8 of the contract, without ids
}

// Calculated reports whether there is a result; else the transaction rests.
func (o *TaxOutcome) Calculated() bool { return o.To == ProcessingProcessed }

// AuthorityTotal is what a transaction adds to the return of one authority, in the
// currency of the country that taxes; refunds are negative. CountryCode and StateCode are as
// those of registrations; MemberCode is the country that taxes, which differs from
// CountryCode for the one-stop shop.
type AuthorityTotal struct {
	CountryCode, StateCode string
	MemberCode             string
	Currency               string // of the amounts: that of the country that taxes
	ReturnAmounts
}

// ReturnAmounts are what a transaction adds to returns; those of refunds are negative. The
// calculated tax is that of one authority alone, or that of the document.
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
	TaxItems      []TaxItem // imported ones first, then the calculated
}
