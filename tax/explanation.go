package tax

import (
	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Explanation tells how each cent of a result came about, in the shape in which
// it is stored and served.
type Explanation struct {
	ContentVersion string            `json:"content_version"`
	TaxDate        calendar.Date     `json:"tax_date"`
	Sourcing       ExplainedSourcing `json:"sourcing"`
	Jurisdictions  []JurisdictionRef `json:"jurisdictions"`
	Items          []ExplainedItem   `json:"items"`
	Totals         ExplainedTotals   `json:"totals"`
	*Certainty                       // nil in what was stored before it was kept
	Steps          []Step            `json:"steps"`
	Input          *ExplainedInput   `json:"input,omitempty"`
	Refund         *ExplainedRefund  `json:"refund,omitempty"`
	InputHash      string            `json:"input_hash"`
	ResultHash     string            `json:"result_hash"`
}

// ExplainedSourcing says which place taxed the sale and how well it is known.
type ExplainedSourcing struct {
	Rule         SourcingRule `json:"rule"`
	Reason       string       `json:"reason"`
	AddressType  string       `json:"address_type"`
	Resolution   Resolution   `json:"resolution"`
	Ambiguous    bool         `json:"ambiguous"`
	Alternatives [][]string   `json:"alternatives"`
}

// JurisdictionRef names a taxing authority.
type JurisdictionRef struct {
	JurisdictionType JurisdictionType `json:"jurisdiction_type"`
	JurisdictionName string           `json:"jurisdiction_name"`
	Country          string           `json:"country"`
	State            string           `json:"state"`
	Code             string           `json:"code"`
}

// ExplainedItem is one line of the request. NetAmount is what the buyer owes for it before tax: after discounts and
// coupon lines. That of a coupon line is what no line had room for.
type ExplainedItem struct {
	ItemID            string            `json:"item_id,omitempty"`
	ExternalID        string            `json:"external_id,omitempty"`
	ExternalProductID string            `json:"external_product_id,omitempty"`
	TaxClass          TaxClass          `json:"tax_class"`
	Classification    Classification    `json:"classification,omitempty"`
	Amount            decimal.Decimal   `json:"amount"`
	TotalDiscount     decimal.Decimal   `json:"total_discount"`
	NetAmount         decimal.Decimal   `json:"net_amount"`
	GrossAmount       *decimal.Decimal  `json:"gross_amount,omitempty"` // of prices that include tax
	Exempt            bool              `json:"exempt"`
	TaxExemption      TaxExemption      `json:"tax_exemption,omitempty"`
	ExemptionID       string            `json:"exemption_id,omitempty"`
	ExemptionCategory string            `json:"exemption_category,omitempty"` // Category of the exemption
	Spread            []ExplainedSpread `json:"spread,omitempty"`
	Lines             []ExplainedTax    `json:"lines"`
	Rounding          ExplainedRounding `json:"rounding"`
}

// price returns what the buyer paid for a line: its gross amount if its price includes tax, else its net amount.
func (i *ExplainedItem) price() decimal.Decimal {
	if i.GrossAmount != nil {
		return *i.GrossAmount
	}
	return i.NetAmount
}

// ExplainedSpread is what a coupon line takes off another line.
type ExplainedSpread struct {
	ItemID string          `json:"item_id,omitempty"`
	Amount decimal.Decimal `json:"amount"`
}

// ExplainedTax is the part of one jurisdiction.
type ExplainedTax struct {
	RuleID           string           `json:"rule_id"`
	JurisdictionType JurisdictionType `json:"jurisdiction_type"`
	JurisdictionName string           `json:"jurisdiction_name"`
	State            string           `json:"state"`
	TaxName          string           `json:"tax_name"`
	Rate             decimal.Decimal  `json:"rate"`
	BaseRule         string           `json:"base_rule"`
	TaxableAmount    decimal.Decimal  `json:"taxable_amount"`
	UnroundedAmount  money.Exact      `json:"unrounded_amount"`
	Amount           decimal.Decimal  `json:"amount"`
	Reason           TaxReason        `json:"reason"`
	Source           *ExplainedSource `json:"source"`
}

// ExplainedSource cites the publication a rate or rule was taken from.
// EffectiveTo is nil while the row is open.
type ExplainedSource struct {
	Document      string         `json:"document"`
	Version       string         `json:"version"`
	EffectiveFrom *calendar.Date `json:"effective_from"`
	EffectiveTo   *calendar.Date `json:"effective_to"`
}

// Citation names the document with its version or date; empty where there is none.
func (s *ExplainedSource) Citation() string {
	switch {
	case s == nil:
		return ""
	case s.Version == "":
		return s.Document
	}
	return s.Document + ", " + s.Version
}

// ExplainedRounding shows the one rounding of a line. Allocation names the
// jurisdictions that received a leftover cent.
type ExplainedRounding struct {
	Mode           string          `json:"mode"`
	Unit           RoundingUnit    `json:"unit"`
	UnroundedTotal money.Exact     `json:"unrounded_total"`
	RoundedTotal   decimal.Decimal `json:"rounded_total"`
	Allocation     []string        `json:"allocation"`
}

// ExplainedTotals are the sums of the document.
type ExplainedTotals struct {
	TaxableAmount decimal.Decimal `json:"taxable_amount"`
	TaxAmount     decimal.Decimal `json:"tax_amount"`
	TaxRate       decimal.Decimal `json:"tax_rate"`
}

// Step is one sentence of the explanation, in order.
type Step struct {
	N    int    `json:"n"`
	Code string `json:"code"`
	Text string `json:"text"`
}

// The codes of the steps the engine writes.
const (
	StepSourcing       = "SOURCING"
	StepJurisdictions  = "JURISDICTIONS"
	StepClassification = "CLASSIFICATION"
	StepExemption      = "EXEMPTION"
	StepRate           = "RATE"
	StepRounding       = "ROUNDING"
)

// ExplainedInput is the input of a calculation apart from the tax date and the
// items, so that it can be repeated. Streets are left out: the jurisdictions are
// already known.
type ExplainedInput struct {
	Currency            string                     `json:"currency"`
	Rounding            RoundingUnit               `json:"rounding"`
	SmallestUnit        int64                      `json:"smallest_unit,omitempty"` // without it: a cent
	Marketplace         bool                       `json:"marketplace"`
	PricesIncludeTax    bool                       `json:"prices_include_tax,omitempty"`
	Seller              string                     `json:"seller,omitempty"`
	Registered          []string                   `json:"registered,omitzero"`
	CustomerVAT         []string                   `json:"customer_vat,omitempty"`
	BelowUnionThreshold bool                       `json:"below_union_threshold,omitempty"`
	Overrides           []Override                 `json:"overrides,omitempty"`
	Rates               map[string]decimal.Decimal `json:"rates,omitempty"`
	Destination         ExplainedPlace             `json:"destination"`
	Origin              *ExplainedPlace            `json:"origin,omitempty"`
	Coupons             bool                       `json:"coupons,omitempty"` // coupon lines were spread
	Items               []ExplainedInputItem       `json:"items"`
}

// ExplainedPlace is a Place without its street.
type ExplainedPlace struct {
	AddressType   string       `json:"address_type,omitempty"`
	City          string       `json:"city,omitempty"`
	State         string       `json:"state,omitempty"`
	PostalCode    string       `json:"postal_code,omitempty"`
	Country       string       `json:"country,omitempty"`
	Resolution    Resolution   `json:"resolution"`
	Jurisdictions []string     `json:"jurisdictions"`
	Ambiguous     bool         `json:"ambiguous"`
	Alternatives  [][]string   `json:"alternatives,omitempty"`
	Completeness  Completeness `json:"completeness,omitempty"`
	Confidence    Confidence   `json:"confidence,omitempty"`
	Fault         string       `json:"fault,omitempty"` // why the address is invalid
}

// ExplainedInputItem is what the explained item of the same position lacks.
type ExplainedInputItem struct {
	Quantity decimal.Decimal `json:"quantity"`
	Exempt   *Exempt         `json:"exempt,omitempty"`
	Terms    *DiscountTerms  `json:"terms,omitempty"`
}
