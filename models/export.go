package models

import (
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
)

// ExportLine is a line of a transaction with columns of the transaction, for exports. Money is in Currency; rates are
// fractions.
type ExportLine struct {
	TransactionID, ExternalID          string
	Type                               TransactionType
	Status                             TransactionStatus
	ProcessingStatus                   ProcessingStatus
	Date, TaxDate                      time.Time
	Currency                           string
	CustomerExternalID                 string
	CustomerName                       *string
	Country, State, County, City       *string
	PostalCode                         *string
	AddressStatus                      tax.AddressStatus
	Marketplace                        bool
	Exempt                             ExemptStatus
	RelatedTo, FilingID                *string
	ItemID                             string
	ItemExternalID                     *string
	ExternalProductID                  string
	Quantity, Amount, Discount         decimal.Decimal
	TaxableAmount                      decimal.Decimal
	TaxRateCalculated                  decimal.Decimal
	TaxAmountCalculated                decimal.Decimal
	TaxAmountImported                  decimal.Decimal
	TaxExemption                       *string
	TransactionTotal, TransactionOwing decimal.Decimal // TransactionOwing is the tax liability
	TaxLiabilitySource                 *string
	ContentVersion                     *string
	TransactionTaxImported             decimal.Decimal
	Street                             *string        // first line of the destination's
	ReimbursedBy                       tax.Reimburser // of a coupon line; empty for the seller
	TradeIn                            bool           // of a coupon line
	DiscountReimbursedBy               tax.Reimburser // bearer of the whole discount; empty for the seller or several
	PricesIncludeTax                   bool           // Amount and Discount are as submitted
	ShopDateTZ                         *string        // time zone of the shop; nil for none
	ExemptionCategory                  string         // of an exempt line, as submitted; empty for none
}
