package models

import (
	"encoding/json"

	"github.com/govalues/decimal"

	"levy/tax"
)

// SubmittedLine are submitted values of a line, of fields that Levy also decides or derives others from.
// An update that repeats the values of answers continues with them.
type SubmittedLine struct {
	ProductName         *string         `json:"product_name,omitempty"`
	ProductDescription  *string         `json:"product_description,omitempty"`
	TaxAmountCalculated decimal.Decimal `json:"tax_amount_calculated,omitzero"`
	TaxRateCalculated   decimal.Decimal `json:"tax_rate_calculated,omitzero"`
	TaxableAmount       decimal.Decimal `json:"taxable_amount,omitzero"`
	Discount            *Discount       `json:"discount,omitempty"`
	// Terms are about the discounts of the line. Those of a coupon line were submitted, the others follow from the
	// discounts of all lines.
	Terms *tax.DiscountTerms `json:"terms,omitempty"`
	// Gross is the price of a line that includes tax; nil for a price before tax.
	Gross *GrossPrice `json:"gross,omitempty"`
	// ExemptionCategory is why an exempt line is exempt, in the words of returns; "" for none.
	ExemptionCategory string `json:"exemption_category,omitempty"`
	// Unknown means that an old version wrote the line, which did not store these values.
	Unknown bool `json:"unknown,omitempty"`
}

// IsZero reports whether nothing was submitted.
func (s *SubmittedLine) IsZero() bool {
	return s == nil || s.ProductName == nil && s.ProductDescription == nil && s.Discount == nil && s.Terms.IsZero() &&
		s.Gross == nil && s.ExemptionCategory == "" && !s.Unknown &&
		s.TaxAmountCalculated.IsZero() && s.TaxRateCalculated.IsZero() && s.TaxableAmount.IsZero()
}

// Discount is a submitted discount of a line or of the whole transaction.
type Discount struct {
	ExternalID string          `json:"external_id,omitempty"`
	AppliedTo  string          `json:"applied_to"` // TRANSACTION or TRANSACTION_ITEM
	Amount     decimal.Decimal `json:"amount"`
	// ReimbursedBy is as submitted; empty for the seller.
	ReimbursedBy tax.Reimburser `json:"reimbursed_by,omitempty"`
}

// DiscountOfLine is a discount of one line alone.
const DiscountOfLine = "TRANSACTION_ITEM"

// SentDiscount returns the discount that the client submitted with the line; nil for none. For a line of an old
// version, it is the whole discount.
func (i TransactionItem) SentDiscount() *Discount {
	switch {
	case i.Sent == nil:
		return nil
	case i.Sent.Unknown && !i.TotalDiscount.IsZero():
		return &Discount{AppliedTo: DiscountOfLine, Amount: i.TotalDiscount}
	}
	return i.Sent.Discount
}

// Terms returns the terms of the line's discounts; nil for none.
func (i TransactionItem) Terms() *tax.DiscountTerms {
	if i.Sent == nil {
		return nil
	}
	return i.Sent.Terms
}

// ExemptionCategorySent returns the category that the client has sent for an exempt line; "" for none.
func (i TransactionItem) ExemptionCategorySent() string {
	if i.Sent == nil {
		return ""
	}
	return i.Sent.ExemptionCategory
}

// SetExemptionCategory sets the category that the client has sent.
func (i *TransactionItem) SetExemptionCategory(category string) {
	if i.Sent == nil {
		i.Sent = &SubmittedLine{}
	}
	i.Sent.ExemptionCategory = category
}

// SetTerms replaces the terms of the line's discounts.
func (i *TransactionItem) SetTerms(terms tax.DiscountTerms) {
	switch {
	case !terms.IsZero():
		if i.Sent == nil {
			i.Sent = &SubmittedLine{}
		}
		i.Sent.Terms = &terms
	case i.Sent != nil:
		i.Sent.Terms = nil
	}
}

// SubmittedFields are submitted values of fields that processing replaces or derives others from. An update without
// them continues with them.
type SubmittedFields struct {
	City       string `json:"city,omitempty"`
	County     string `json:"county,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`

	TotalTaxAmountImported   decimal.Decimal    `json:"total_tax_amount_imported,omitzero"`
	TotalTaxAmountCalculated decimal.Decimal    `json:"total_tax_amount_calculated,omitzero"`
	TaxRateCalculated        decimal.Decimal    `json:"tax_rate_calculated,omitzero"`
	TotalTaxLiabilityAmount  decimal.Decimal    `json:"total_tax_liability_amount,omitzero"`
	TaxableAmount            decimal.Decimal    `json:"taxable_amount,omitzero"`
	TaxLiabilitySource       TaxLiabilitySource `json:"tax_liability_source,omitempty"`

	// TaxFromOriginal means that no collected tax was submitted for a credit note, so it follows that of the original.
	TaxFromOriginal bool `json:"tax_from_original,omitempty"`

	// Exemptions is that part of the request. Made are the ids of the exemptions that were created for it and for
	// RequiresExemption.
	Exemptions json.RawMessage `json:"exemptions,omitempty"`
	Made       []string        `json:"made,omitempty"`
}

// IsZero reports whether nothing was submitted.
func (s SubmittedFields) IsZero() bool {
	exemptions, made := len(s.Exemptions), len(s.Made)
	return exemptions == 0 && made == 0 && !s.TaxFromOriginal && s.City == "" && s.County == "" && s.State == "" &&
		s.PostalCode == "" && s.Country == "" &&
		s.TotalTaxAmountImported.IsZero() && s.TotalTaxAmountCalculated.IsZero() && s.TaxRateCalculated.IsZero() &&
		s.TotalTaxLiabilityAmount.IsZero() && s.TaxableAmount.IsZero() && s.TaxLiabilitySource == ""
}
