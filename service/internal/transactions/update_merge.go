package transactions

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"
	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/money"
)

// A client usually makes an update from an answer, which contains decisions of Levy in place of requested values.
// A value that repeats the answer is therefore no request. The previously requested value applies,
// and Levy decides again.

// merged returns the request that would have created the new version. lines has for each of its lines the index
// of the stored line that it continues, -1 for none. paths has the path of each exemption in the submitted request.
// read is the version of the answer from which the client made the update: the stored one, or one that it replaced.
func merged(
	stored, read *models.Transaction, sent *contract.TransactionUpdate,
) (b *contract.TransactionCreate, continued []int, exemptionsAt []string) {
	was := &stored.Sent
	b = &contract.TransactionCreate{
		Type: contract.TransactionTypeSALE, Date: sent.Date, Addresses: sent.Addresses,
		ExternalID: convert.KeepIdentifier(sent.ExternalID, stored.ExternalID),
		Customer:   contract.TransactionCustomerCreate(sent.Customer),
		Status: after(
			sent.Status, contract.TransactionStatus(stored.Status), contract.TransactionStatusCOMMITTED,
		),
		ShopDate:         shopDateAfter(sent.ShopDate, sent.Date, stored),
		TotalAmount:      cleared(sent.TotalAmount, stored.TotalAmount),
		CustomerID:       unlessShown(sent.CustomerID, read.CustomerID, "", ""),
		PricesIncludeTax: after(sent.PricesIncludeTax, stored.PricesIncludeTax(), false),
		TaxRounding:      cleared(sent.TaxRounding, contract.RoundingUnit(convert.ValueOf(stored.TaxRounding))),
		Marketplace:      after(sent.Marketplace, stored.Marketplace, false),
		RelatedTo:        after(sent.RelatedTo, convert.ValueOf(stored.RelatedTo), ""),
		Currency:         after(sent.Currency, stored.Currency, "USD"),
		Source:           after(sent.Source, stored.Source, "OTHER"),
		FilingID:         after(sent.FilingID, "", ""),
		TaxID:            after(sent.TaxID, convert.ValueOf(stored.TaxID), ""),
		TaxRateImported:  cleared(sent.TaxRateImported, stored.TaxRateImported),

		Exempt: unlessShown(
			sent.Exempt, contract.ExemptStatus(read.Exempt), contract.ExemptStatus(stored.ExemptSent),
			contract.ExemptStatusNOTEXEMPT,
		),
		RefundStatus: unlessShown(
			sent.RefundStatus, contract.RefundStatus(convert.ValueOf(read.RefundStatus)),
			contract.RefundStatus(convert.ValueOf(stored.RefundStatus)), "",
		),
		City:       unlessShown(sent.City, convert.ValueOf(read.City), was.City, ""),
		County:     unlessShown(sent.County, convert.ValueOf(read.County), was.County, ""),
		State:      unlessShown(sent.State, convert.ValueOf(read.State), was.State, ""),
		PostalCode: unlessShown(sent.PostalCode, convert.ValueOf(read.PostalCode), was.PostalCode, ""),
		Country:    unlessShown(sent.Country, convert.ValueOf(read.Country), was.Country, ""),

		TotalTaxAmountImported: importedAfter(sent.TotalTaxAmountImported, stored, read),
		TotalTaxAmountCalculated: amountUnlessShown(
			sent.TotalTaxAmountCalculated, read.TotalTaxAmountCalculated, was.TotalTaxAmountCalculated,
		),
		TaxRateCalculated: amountUnlessShown(sent.TaxRateCalculated, read.TaxRateCalculated, was.TaxRateCalculated),
		TotalTaxLiabilityAmount: amountUnlessShown(
			sent.TotalTaxLiabilityAmount, read.TotalTaxLiabilityAmount, was.TotalTaxLiabilityAmount,
		),
		TaxLiabilitySource: unlessShown(
			sent.TaxLiabilitySource, contract.TaxLiabilitySource(convert.ValueOf(read.TaxLiabilitySource)),
			contract.TaxLiabilitySource(was.TaxLiabilitySource), "",
		),
		TaxableAmount: amountUnlessShown(sent.TaxableAmount, read.TaxableAmount, was.TaxableAmount),
	}
	passthroughAfter(b, sent, stored)
	b.Customer.ExternalID = convert.KeepIdentifier(
		cmp.Or(b.Customer.ExternalID, stored.Customer.ExternalID), stored.Customer.ExternalID,
	)
	sameCustomer := b.Customer.ExternalID == stored.Customer.ExternalID
	b.RequiresExemption = requiredAfter(sent.RequiresExemption, stored, read, sameCustomer)
	b.Exemptions, exemptionsAt = exemptionsAfter(sent.Exemptions, stored, read, sameCustomer)
	b.TransactionItems, continued = itemsAfter(sent.TransactionItems, stored, read)
	return b, continued, exemptionsAt
}

// shopDateAfter returns the day of the shop after an update. A stored one belongs to the stored instant: it falls away
// with another instant, unless it is submitted again.
func shopDateAfter(
	sent nullable.Nullable[openapi_types.Date], at time.Time, stored *models.Transaction,
) (day openapi_types.Date) {
	// guard: tax date: a stored day belongs to its instant
	if stored.Date.Equal(at) {
		day = shopDate(stored.ShopDate)
	}
	return after(sent, day, openapi_types.Date{})
}

// after returns a field after an update: the submitted value, the default for null, else the stored value.
func after[T any](sent nullable.Nullable[T], stored, byDefault T) T {
	convert.Change(&stored, sent, byDefault)
	return stored
}

// cleared is after for a field whose default is the zero value.
func cleared[T any](sent nullable.Nullable[T], stored T) T {
	var zero T
	return after(sent, stored, zero)
}

// unlessShown is after for a field that Levy also decides. shown is the value in the answer,
// asked the previously requested one.
func unlessShown[T comparable](sent nullable.Nullable[T], shown, asked, byDefault T) T {
	// guard: update: what an answer showed is no order
	if value, ok := sent[true]; ok && value == shown {
		return asked
	}
	return after(sent, asked, byDefault)
}

// amountUnlessShown is unlessShown for amounts and rates with the default 0.
func amountUnlessShown(sent nullable.Nullable[decimal.Decimal], shown, asked decimal.Decimal) decimal.Decimal {
	// guard: update: an amount that an answer showed is no order
	if value, ok := sent[true]; ok && value.Cmp(shown) == 0 {
		return asked
	}
	return cleared(sent, asked)
}

// importedAfter returns the imported tax of the document, 0 for the sum of its lines. A total that was equal
// to the sum of the lines follows them.
func importedAfter(sent nullable.Nullable[decimal.Decimal], stored, read *models.Transaction) decimal.Decimal {
	asked := stored.Sent.TotalTaxAmountImported
	// guard: update: a total that is the sum of the lines follows them
	if rules.IsImportedTaxOf(asked, stored.Items) {
		asked = decimal.Zero
	}
	return amountUnlessShown(sent, read.TotalTaxAmountImported, asked)
}

// itemsAfter returns the lines of the new version as in a request for a new transaction. It also returns the index
// of the stored line that each continues, -1 for none. The requested values of a line that the stored version lacks
// come from the version that was read.
func itemsAfter(
	sent []contract.TransactionItemUpdate, stored, read *models.Transaction,
) ([]contract.TransactionItemCreate, []int) {
	names := make([]rules.LineName, len(sent))
	for i := range sent {
		names[i] = rules.LineName{ID: sent[i].ID, ExternalID: sent[i].ExternalID}
	}
	continued := rules.ContinuedLines(stored.Items, names)
	showed := continued
	if read != stored {
		showed = rules.ContinuedLines(read.Items, names)
	}
	lines := make([]contract.TransactionItemCreate, len(sent))
	for i := range sent {
		lines[i] = itemCreate(&sent[i])
		asked, shown := lineAt(stored, continued[i]), lineAt(read, showed[i])
		// guard: update: a line that comes back was asked for as in the version that was read
		asked, shown = cmp.Or(asked, shown), cmp.Or(shown, asked)
		if asked == nil {
			continue
		}
		keepAsked(&lines[i], asked, shown, read.Currency)
		if !sent[i].DiscountBuilder.IsSpecified() {
			lines[i].DiscountBuilder = discountBuilder(asked.SentDiscount())
		}
	}
	return lines, continued
}

// lineAt returns a line of a transaction; nil for -1.
func lineAt(t *models.Transaction, i int) *models.TransactionItem {
	if i < 0 {
		return nil
	}
	return &t.Items[i]
}

// itemCreate converts a line of an update into one of a new transaction.
func itemCreate(i *contract.TransactionItemUpdate) contract.TransactionItemCreate {
	c := contract.TransactionItemCreate{
		Amount: i.Amount, Date: i.Date, Description: i.Description, Exempt: i.Exempt,
		ExternalID:        i.ExternalID,
		ExternalProductID: i.ExternalProductID, Product: i.Product, ProductDescription: i.ProductDescription,
		ProductName: i.ProductName,
		Quantity:    i.Quantity, TaxAmountCalculated: i.TaxAmountCalculated, TaxAmountImported: i.TaxAmountImported,
		TaxExemption: i.TaxExemption, ExemptionCategory: i.ExemptionCategory,
		TaxItems: i.TaxItems, TaxRateCalculated: i.TaxRateCalculated, TaxRateImported: i.TaxRateImported,
		TaxableAmount: i.TaxableAmount, ReimbursedBy: i.ReimbursedBy, TradeIn: i.TradeIn,
	}
	if discount, ok := i.DiscountBuilder[true]; ok {
		c.DiscountBuilder = &discount
	}
	return c
}

// keepAsked restores the previously requested value in each field of a line that repeats a decision of Levy.
// asked is the line that it continues, shown that line in the version that was read, currency the currency of
// that version.
func keepAsked(line *contract.TransactionItemCreate, asked, shown *models.TransactionItem, currency string) {
	keepIdentifiers(line, asked)
	// guard: update: that a line was exempt is no order
	if line.Exempt == shown.Exempt {
		line.Exempt = asked.ExemptSent
	}
	if string(line.TaxExemption) == convert.ValueOf(shown.TaxExemption) {
		line.TaxExemption = contract.TaxExemption(convert.ValueOf(asked.TaxExemptionSent))
	}
	line.TaxItems = withoutDefaultCurrency(line.TaxItems, shown.TaxItems, currency)
	was := convert.ValueOf(asked.Sent)
	if was.Unknown {
		return
	}
	if line.ProductName == convert.ValueOf(shown.ProductName) {
		line.ProductName = convert.ValueOf(was.ProductName)
	}
	if line.ProductDescription == convert.ValueOf(shown.ProductDescription) {
		line.ProductDescription = convert.ValueOf(was.ProductDescription)
	}
	for _, amount := range []struct{ field, shown, asked *decimal.Decimal }{
		{&line.TaxAmountCalculated, &shown.TaxAmountCalculated, &was.TaxAmountCalculated},
		{&line.TaxRateCalculated, &shown.TaxRateCalculated, &was.TaxRateCalculated},
		{&line.TaxableAmount, &shown.TaxableAmount, &was.TaxableAmount},
	} {
		if amount.field.Cmp(*amount.shown) == 0 {
			*amount.field = *amount.asked
		}
	}
}

// keepIdentifiers keeps the stored spelling of the identifiers of a line that differ only in white space around them.
func keepIdentifiers(line *contract.TransactionItemCreate, stored *models.TransactionItem) {
	line.ExternalID = convert.KeepIdentifier(line.ExternalID, convert.ValueOf(stored.ExternalID))
	line.ExternalProductID = convert.KeepIdentifier(line.ExternalProductID, stored.ExternalProductID)
	if was := stored.SentDiscount(); was != nil && line.DiscountBuilder != nil {
		line.DiscountBuilder.ExternalID = convert.KeepIdentifier(line.DiscountBuilder.ExternalID, was.ExternalID)
	}
}

// withoutDefaultCurrency removes the currency of the transaction from tax lines. An answer has it there
// if the client did not submit one.
func withoutDefaultCurrency(
	sent []contract.TaxItemCreate, stored []models.TaxItem, currency string,
) []contract.TaxItemCreate {
	if slices.ContainsFunc(stored, func(i models.TaxItem) bool { return i.Currency == currency }) {
		return sent
	}
	items := slices.Clone(sent)
	for i := range items {
		if items[i].Currency == currency {
			items[i].Currency = ""
		}
	}
	return items
}

// discountBuilder returns a discount in the form of a request; nil for none.
func discountBuilder(d *models.Discount) *contract.DiscountBuilder {
	if d == nil {
		return nil
	}
	return &contract.DiscountBuilder{
		ExternalID: d.ExternalID, AppliedTo: contract.DiscountTarget(d.AppliedTo), DiscountAmount: d.Amount,
		ReimbursedBy: contract.ReimbursedBy(d.ReimbursedBy),
	}
}

// discountDraft converts a discount of a request; nil for none.
func discountDraft(d *contract.DiscountBuilder) *models.Discount {
	if d == nil {
		return nil
	}
	return &models.Discount{
		ExternalID: d.ExternalID, AppliedTo: string(d.AppliedTo), Amount: d.DiscountAmount,
		ReimbursedBy: tax.Reimburser(d.ReimbursedBy),
	}
}

// discountAnswer returns a discount as submitted. An unknown share, which may be negative, counts as no discount.
func discountAnswer(d *models.Discount) *contract.Discount {
	if d == nil || d.Amount.IsNeg() {
		return nil
	}
	return &contract.Discount{
		ExternalID: d.ExternalID, AppliedTo: contract.DiscountTarget(d.AppliedTo),
		DiscountAmount: money.Format(d.Amount), ReimbursedBy: contract.ReimbursedBy(d.ReimbursedBy),
	}
}

// couponTerms returns the terms of a negative line; empty for another line.
func couponTerms(amount decimal.Decimal, by contract.ReimbursedBy, tradeIn bool) tax.DiscountTerms {
	if !amount.IsNeg() {
		return tax.DiscountTerms{}
	}
	terms := tax.DiscountTerms{ReimbursedBy: tax.Reimburser(by), TradeIn: tradeIn}
	if terms.ReimbursedBy == tax.ReimbursedBySeller {
		terms.ReimbursedBy = "" // the default
	}
	return terms
}

// tradeInFault refuses a trade-in that is no negative line; nil for none.
func tradeInFault(line int, amount decimal.Decimal, tradeIn bool) *models.Fault {
	// guard: coupons: only a negative line is a trade-in
	if !tradeIn || amount.IsNeg() {
		return nil
	}
	return &models.Fault{
		Code: models.FieldNotAllowed, Path: fmt.Sprintf("transaction_items[%d].trade_in", line),
		Message: "Only a line with a negative amount is a trade-in.",
		Of:      []string{fmt.Sprintf("transaction_items[%d].amount", line)},
	}
}

// couponTermsAnswer returns the terms of a negative line with their defaults; empty for another line.
func couponTermsAnswer(item *models.TransactionItem) (by contract.ReimbursedBy, tradeIn *bool) {
	if !item.Amount.IsNeg() {
		return "", nil
	}
	terms := convert.ValueOf(item.Terms())
	return contract.ReimbursedBy(cmp.Or(terms.ReimbursedBy, tax.ReimbursedBySeller)), &terms.TradeIn
}

// sentLine returns the submitted values that Levy will replace; nil if there are none.
func sentLine(b *contract.TransactionItemCreate) *models.SubmittedLine {
	terms := couponTerms(b.Amount, b.ReimbursedBy, b.TradeIn)
	if b.ProductName == "" && b.ProductDescription == "" && b.DiscountBuilder == nil && terms.IsZero() && b.ExemptionCategory == "" &&
		b.TaxAmountCalculated.IsZero() && b.TaxRateCalculated.IsZero() && b.TaxableAmount.IsZero() {
		return nil
	}
	s := &models.SubmittedLine{
		ProductName: convert.Optional(b.ProductName), ProductDescription: convert.Optional(b.ProductDescription),
		TaxAmountCalculated: b.TaxAmountCalculated, TaxRateCalculated: b.TaxRateCalculated,
		TaxableAmount: b.TaxableAmount, ExemptionCategory: string(b.ExemptionCategory),
	}
	s.Discount = discountDraft(b.DiscountBuilder)
	if !terms.IsZero() {
		s.Terms = &terms
	}
	return s
}
