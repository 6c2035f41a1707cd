package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/money"
)

// Transaction is a sale or a credit note of an organization: the permanent record on which liability and filings are
// based. Money is in Currency, rates are fractions. Fields with `<-:update` are written by processing alone.
type Transaction struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	ExternalID     string

	Type             TransactionType
	Status           TransactionStatus
	ProcessingStatus ProcessingStatus
	// ProcessingReason explains in plain words why the transaction needs attention.
	ProcessingReason *string `gorm:"<-:update"`
	// Epoch counts the versions of the content: every change raises it, and a stage only changes the epoch it was started
	// for. Revision counts PUTs.
	Epoch    int
	Revision int

	Date          time.Time
	TaxDate       time.Time `gorm:"type:date"` // selects the law and the filing period
	ShopDate      *string
	ShopDateTZ    *string `gorm:"column:shop_date_tz"`
	TaxRounding   *string // nil: an old version recorded it, and the organization's counts
	Description   *string
	RefundStatus  *string
	Currency      string
	TotalAmount   decimal.Decimal
	Subtotal      decimal.Decimal
	TotalDiscount decimal.Decimal
	// GrossAmount are the submitted lines after discounts, if their prices include tax; else nil. The other amounts are net
	// as soon as the tax is calculated: see GrossPrice.
	GrossAmount         *decimal.Decimal
	CustomerID          string
	Marketplace         bool
	ExemptSent          ExemptStatus // as submitted
	Exempt              ExemptStatus // as decided by the stages
	RelatedTo           *string
	SecondaryExternalID *string
	SecondarySource     *string
	ExternalFriendlyID  *string
	Source              string
	ConnectionID        *string
	FilingID            *string `gorm:"<-:update"`
	BatchID             *string
	TaxID               *string
	// RequiresExemption is that part of the request, as submitted.
	RequiresExemption json.RawMessage `gorm:"type:jsonb"`
	// Sent are the submitted values of fields that processing replaces.
	Sent SubmittedFields `gorm:"serializer:json"`

	TotalTaxAmountImported   decimal.Decimal
	TaxRateImported          decimal.Decimal
	TotalTaxAmountCalculated decimal.Decimal
	TaxRateCalculated        decimal.Decimal
	TotalTaxLiabilityAmount  decimal.Decimal
	TaxLiabilitySource       *TaxLiabilitySource
	TaxableAmount            decimal.Decimal
	DestinationCurrency      *string          `gorm:"<-:update"`
	ConversionRate           *decimal.Decimal `gorm:"<-:update"`

	City          *string
	County        *string
	State         *string
	PostalCode    *string
	Country       *string
	AddressStatus tax.AddressStatus
	Ambiguous     bool
	// Place is the resolved destination, stored by the address stage for later stages. Origin is the same for the place
	// from which the sale ships.
	Place          *tax.Place `gorm:"serializer:json;<-:update"`
	Origin         *tax.Place `gorm:"serializer:json;<-:update"`
	ContentVersion *string    `gorm:"<-:update"`
	// Certainty tells how reliable the calculated tax is. It is set with ContentVersion, but nil for transactions that an
	// old version calculated.
	Certainty *tax.Certainty `gorm:"serializer:json;<-:update"`
	// NexusExemptLines are the numbers of the lines that are exempt sales for nexus, as stage 3 decided.
	// It is nil before stage 3 and for transactions that an old version processed. A line that is no sale at all has its
	// complement, ^n.
	NexusExemptLines []int `gorm:"-"`
	// Resellers are the ids of the exemptions of its lines for resale, for nexus.
	Resellers []string `gorm:"-"`
	// ExemptionCategories are the categories of the exemptions of its lines by their ids, for stage 4.
	ExemptionCategories map[string]string `gorm:"-"`
	// DuplicateOf is the external id of another sale that may be the same order, for stage 4; "" for none.
	DuplicateOf string `gorm:"-"`

	CreatedAt time.Time
	UpdatedAt time.Time

	Items       []TransactionItem    `gorm:"-"`
	Addresses   []TransactionAddress `gorm:"-"`
	Customer    Customer             `gorm:"-"`
	Exemptions  []Exemption          `gorm:"-"` // those applied, or requested and not yet applied
	Original    *Original            `gorm:"-"` // of a refund, for the stages
	Refunds     []DecidedRefund      `gorm:"-"` // of a sale that is calculated again, for the last stage
	Obligations []NexusObligation    `gorm:"-"` // of the organization, for the last stage
	Overrides   []tax.Override       `gorm:"-"` // rates of the organization, for the last stage
	Home        string               `gorm:"-"` // country of the organization, for the last stage; "" if it is unknown
	Business    *Business            `gorm:"-"` // the business address, for stage 1; nil if it is unknown
}

// Original is the data of a refunded sale for the stages of the refund.
type Original struct {
	ID               string
	ProcessingStatus ProcessingStatus
	Place, Origin    *tax.Place
	Items            []TransactionItem
	NexusExemptLines []int         // see Transaction; for stage 3
	TaxDate          time.Time     // the same
	NexusRefunds     []NexusRefund // its COMMITTED ones, for refunds with collected tax; for stage 3

	// For the calculation alone.
	Explanation json.RawMessage
	TaxedAtHome bool // whether the law of the seller applies
	// Sold are the amounts of the sale itself, in its currency, and SoldTotals those in returns. Imported are its
	// imported tax lines, by item.
	Sold       ReturnAmounts
	SoldTotals []AuthorityTotal
	Imported   []TransactionItem
	Refunds    []DecidedRefund // its COMMITTED ones

	// For the calculation of one refund: what the sale and the refunds decided before it have in all. Left are the
	// amounts in the currency of the sale, Totals those of each in returns.
	Refunded []TransactionItem // the lines of these refunds; without amounts in refunds of tax
	Left     ReturnAmounts
	Totals   []AuthorityTotal
}

// NexusRefund is a COMMITTED refund of a sale, as nexus counts its collected tax.
type NexusRefund struct {
	ID        string
	Day       time.Time // its tax date
	Collected decimal.Decimal
	Counted   bool // else it contributes nothing yet
	Moving    bool // it is in processing
}

// DecidedRefund is a COMMITTED refund of a sale, as stage 4 decided it.
type DecidedRefund struct {
	ID          string
	Day         time.Time // its tax date
	CommittedAt time.Time // refunds of a sale are decided in this order, locked ones first
	Locked      bool      // in a return: it is not decided again
	Calculated  bool      // else stage 4 has not decided it yet
	ReturnAmounts
	Totals []AuthorityTotal
	Items  []TransactionItem // with their tax lines; without amounts in refunds of tax
}

// Before reports whether a refund is decided before another of the same sale.
func (r *DecidedRefund) Before(o *DecidedRefund) bool {
	if r.Locked != o.Locked {
		return r.Locked
	}
	return cmp.Or(r.CommittedAt.Compare(o.CommittedAt), cmp.Compare(r.ID, o.ID)) < 0
}

// Locked reports whether the transaction is part of a filing or archived, and so may not change.
func (t Transaction) Locked() bool {
	switch t.ProcessingStatus {
	case ProcessingFilingStarted, ProcessingFilingDone, ProcessingLocked, ProcessingArchived:
		return true
	case ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone, ProcessingExemptDone,
		ProcessingNexusDone, ProcessingProcessed, ProcessingPending, ProcessingNeedsRefetch, ProcessingExcluded:
		return false
	}
	return false
}

// PricesIncludeTax reports whether the submitted amounts and discounts of the lines include the tax.
func (t *Transaction) PricesIncludeTax() bool { return t.GrossAmount != nil }

// TransactionItem is one line. Amount is the price of the whole line before tax
// and before discounts; Quantity never multiplies it. For prices that include tax see GrossPrice.
type TransactionItem struct {
	OrganizationID string `gorm:"primaryKey"`
	TransactionID  string `gorm:"primaryKey"`
	LineNo         int    `gorm:"primaryKey;autoIncrement:false"`
	ID             string

	Date                time.Time
	ExternalProductID   string
	ProductID           string
	ExternalID          *string
	Description         *string
	Product             *string // submitted product name
	ProductName         *string
	ProductDescription  *string
	Quantity            decimal.Decimal
	Amount              decimal.Decimal
	TotalDiscount       decimal.Decimal
	TaxAmountImported   decimal.Decimal
	TaxRateImported     decimal.Decimal
	TaxAmountCalculated decimal.Decimal
	TaxRateCalculated   decimal.Decimal
	TaxableAmount       decimal.Decimal
	ExemptSent          bool    // the client exempted the line
	TaxExemptionSent    *string // with this reason
	Exempt              bool
	TaxExemption        *string
	ExemptionID         *string   `gorm:"<-:update"`
	TaxItems            []TaxItem `gorm:"serializer:json"`
	OriginalLine        *int      `gorm:"column:original_line_no"` // of a refund: the line of the original
	// Sent are the submitted values of the other fields that Levy decides; nil for none.
	Sent *SubmittedLine `gorm:"serializer:json"`

	// Fields of the product record at the time of processing.
	TaxClass         tax.TaxClass       `gorm:"-"`
	Classification   tax.Classification `gorm:"-"`
	ProductTaxExempt bool               `gorm:"-"`

	// Coupons is what coupon lines take off the line; rules.SpreadCoupons sets it. That of a coupon line is negative: what
	// it takes off the others.
	Coupons  decimal.Decimal `gorm:"-" json:"-"`
	IsCoupon bool            `gorm:"-" json:"-"`
}

// TaxItem is the tax of one line in one jurisdiction: imported from the client's system, or calculated by Levy.
type TaxItem struct {
	Type             string           `json:"type"` // IMPORTED_ORIGINAL, IMPORTED or CALCULATED
	RuleID           string           `json:"rule_id"`
	Name             string           `json:"name"`
	JurisdictionType string           `json:"jurisdiction_type,omitempty"`
	JurisdictionName string           `json:"jurisdiction_name,omitempty"`
	Rate             decimal.Decimal  `json:"rate"`
	Amount           decimal.Decimal  `json:"amount"`
	TaxableAmount    *decimal.Decimal `json:"taxable_amount,omitempty"`
	Reason           string           `json:"reason"`
	ExternalID       string           `json:"external_id,omitempty"`
	Currency         string           `json:"currency,omitempty"` // "": the transaction's
	// Source is the law or publication of a calculated tax. The explanation stores it, and reading a single transaction
	// adds it; elsewhere it is "".
	Source string `json:"-"`
}

// TaxItemCalculated marks the calculated tax lines. All others are imported.
const TaxItemCalculated = "CALCULATED"

// TransactionAddress is an address of a transaction, at most one of each type.
type TransactionAddress struct {
	OrganizationID   string      `gorm:"primaryKey"`
	TransactionID    string      `gorm:"primaryKey"`
	Type             AddressType `gorm:"primaryKey"`
	ID               string
	Street1          *string `gorm:"column:street_1"`
	Street2          *string `gorm:"column:street_2"`
	City             *string
	County           *string
	State            *string
	PostalCode       *string
	Country          *string
	FullAddress      *string
	Phone            *string
	IsUnincorporated bool
	Status           tax.AddressStatus
	ConnectionID     *string
}

// TransactionExplanation explains the tax of a revision. Body is a JSON object as in the contract,
// without the other two fields.
type TransactionExplanation struct {
	TransactionID string
	Revision      int
	Body          json.RawMessage
}

// StageRecord is an entry of a transaction's history.
type StageRecord struct {
	Stage         string
	At            time.Time
	Revision      int
	Attempt       int
	WorkflowID    *string
	WorkflowRunID *string
	RequestID     *string
	Detail        map[string]any
}

// NetAmount returns the price of a line after discounts and coupon lines, before tax. That of a coupon line is what no
// line had room for.
func (i TransactionItem) NetAmount() (decimal.Decimal, error) {
	net, err := money.Sub(i.Amount, i.TotalDiscount)
	if coupons := i.CouponAmount(); err == nil && !coupons.IsZero() {
		net, err = money.Sub(net, coupons)
	}
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("net amount of line %d: %w", i.LineNo, err)
	}
	return net, nil
}

// CouponAmount returns what coupon lines take off the line: of a sale as it was spread, of a refund as it was stored.
func (i TransactionItem) CouponAmount() decimal.Decimal {
	if terms := i.Terms(); terms != nil && !terms.Coupons.IsZero() {
		return terms.Coupons
	}
	return i.Coupons
}

// Business is the business address of an organization.
type Business struct {
	Address tax.Address
	// Fallback means that it is the destination of a sale without a usable address.
	Fallback bool
}

// Tax returns the larger of the imported and the calculated tax of the line.
func (i TransactionItem) Tax() decimal.Decimal {
	return larger(i.TaxAmountImported, i.TaxAmountCalculated)
}

// TransactionRevision is a replaced version of a transaction.
type TransactionRevision struct {
	Revision   int
	ReplacedAt time.Time
	RequestID  *string  // of the request that replaced it; nil if it is unknown
	Changed    []string // fields in which the next version differs
	// Transaction is the version at that time, with the current customer. Lists omit it.
	Transaction Transaction
}
