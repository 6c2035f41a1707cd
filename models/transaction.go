package models

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/money"
)

// Transaction is a sale or a credit note of an organization: the permanent
// record from which liability and filings follow. Money is in Currency, rates
// are fractions. Fields with `<-:update` are written by processing alone.
type Transaction struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	ExternalID     string

	Type             TransactionType
	Status           TransactionStatus
	ProcessingStatus ProcessingStatus
	// ProcessingReason says in plain words why processing needs attention.
	ProcessingReason *string `gorm:"<-:update"`
	// Epoch counts the versions of the content: every change raises it, and a
	// stage only changes the epoch it was started for. Revision counts PUTs.
	Epoch    int
	Revision int

	Date                time.Time
	TaxDate             time.Time `gorm:"type:date"` // selects the law and the filing period
	ShopDate            *string
	ShopDateTZ          *string `gorm:"column:shop_date_tz"`
	Description         *string
	RefundStatus        *string
	Currency            string
	TotalAmount         decimal.Decimal
	Subtotal            decimal.Decimal
	TotalDiscount       decimal.Decimal
	CustomerID          string
	Marketplace         bool
	ExemptSent          ExemptStatus // as the client sent it
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
	// RequiresExemption is that part of the request, as it was sent.
	RequiresExemption json.RawMessage `gorm:"type:jsonb"`
	// Sent is what the client sent of the fields that processing replaces.
	Sent SentFields `gorm:"serializer:json"`

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
	// Place is the resolved destination, kept from the address stage for the
	// stages after it; Origin likewise where the sale ships from.
	Place          *tax.Place `gorm:"serializer:json;<-:update"`
	Origin         *tax.Place `gorm:"serializer:json;<-:update"`
	ContentVersion *string    `gorm:"<-:update"`
	// Certainty says how far the calculated tax can be relied on. It comes and goes with
	// ContentVersion; nil as well for what was calculated before it was kept.
	Certainty *tax.Certainty `gorm:"serializer:json;<-:update"`
	// NexusExemptLines are the numbers of the lines that are exempt sales for nexus, as stage 3
	// decided; nil before it, and for what was processed before they were kept. Of a line that is no
	// sale at all there it is the complement, ^n.
	NexusExemptLines []int `gorm:"-"`

	CreatedAt time.Time
	UpdatedAt time.Time

	Items       []TransactionItem    `gorm:"-"`
	Addresses   []TransactionAddress `gorm:"-"`
	Customer    Customer             `gorm:"-"`
	Exemptions  []Exemption          `gorm:"-"` // those applied, or asked for and not yet applied
	Original    *Original            `gorm:"-"` // of a refund, for the stages
	Obligations []NexusObligation    `gorm:"-"` // of the organization, for the last stage
	Overrides   []tax.Override       `gorm:"-"` // rates that the organization set, for the last stage
	Home        string               `gorm:"-"` // country of the organization, for the last stage; empty: not known
	Business    *Business            `gorm:"-"` // where the organization is, for stage 1; nil when it is not known
}

// Original is what the stages of a refund need of the sale that it refunds.
type Original struct {
	ID               string
	ProcessingStatus ProcessingStatus
	Place, Origin    *tax.Place
	Items            []TransactionItem
	NexusExemptLines []int     // see Transaction; for stage 3
	TaxDate          time.Time // likewise

	// For the calculation alone.
	Explanation json.RawMessage
	Refunded    []TransactionItem // the lines of its other refunds that are processed; without amounts in refunds of tax
	TaxedAtHome bool              // whether the law of the seller applies
	// Left is what the sale and its other refunds that are processed leave together, in the
	// currency of the sale. Totals are what each of them adds to returns, where several
	// authorities share it or one of them was converted.
	Left   ReturnAmounts
	Totals []AuthorityTotal
}

// Locked reports whether the transaction is part of a filing or archived, and so
// may not change.
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

// TransactionItem is one line. Amount is the price of the whole line before tax
// and before discounts; Quantity never multiplies it.
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
	Product             *string // product name as sent
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
	ExemptSent          bool    // line exempted by the client
	TaxExemptionSent    *string // with this reason
	Exempt              bool
	TaxExemption        *string
	ExemptionID         *string   `gorm:"<-:update"`
	TaxItems            []TaxItem `gorm:"serializer:json"`
	OriginalLine        *int      `gorm:"column:original_line_no"` // of a refund: the line of the original
	// Sent is what the client sent of the other fields that Levy decides too; nil for nothing.
	Sent *SentLine `gorm:"serializer:json"`

	// Of the product record, as it stands when the line is processed.
	TaxClass         tax.TaxClass       `gorm:"-"`
	Classification   tax.Classification `gorm:"-"`
	ProductTaxExempt bool               `gorm:"-"`
}

// TaxItem is the tax of one line in one jurisdiction: imported from the client's
// system, or calculated by Levy.
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
	Currency         string           `json:"currency,omitempty"` // empty: the transaction's
	// Source is the law or publication of a calculated tax. The explanation keeps it, and reading a single
	// transaction brings it along; elsewhere it is empty.
	Source string `json:"-"`
}

// TaxItemCalculated marks the tax lines that Levy owns; all others are imported.
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

// TransactionExplanation is how the tax of a revision was computed. Body is a JSON
// object in the contract's words, without the other two.
type TransactionExplanation struct {
	TransactionID string
	Revision      int
	Body          json.RawMessage
}

// StageRecord is one line of a transaction's history.
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

// NetAmount is the price of a line after discounts, before tax.
func (i TransactionItem) NetAmount() (decimal.Decimal, error) {
	net, err := money.Sub(i.Amount, i.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("net amount of line %d: %w", i.LineNo, err)
	}
	return net, nil
}

// Business is the business address of an organization.
type Business struct {
	Address tax.Address
	// Fallback says that it stands for the destination of a sale without a usable
	// address.
	Fallback bool
}

// Tax is the larger of the imported and the calculated tax of the line.
func (i TransactionItem) Tax() decimal.Decimal {
	return larger(i.TaxAmountImported, i.TaxAmountCalculated)
}

// TransactionRevision is a version of a transaction that an update replaced.
type TransactionRevision struct {
	Revision   int
	ReplacedAt time.Time
	RequestID  *string  // of the request that replaced it; nil when it is not known
	Changed    []string // fields in which the next version differs
	// Transaction is the version as it stood then, with the customer of today. Lists
	// leave it empty.
	Transaction Transaction
}
