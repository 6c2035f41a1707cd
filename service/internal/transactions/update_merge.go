package transactions

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"
	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax/money"
)

// An update is usually made from an answer. Answers show what Levy decided in the place
// of what was asked for, so a value that the answer showed is no order: what was asked
// for before stays in force, and Levy decides again.

// merged is the request that would have created the new version, for each of its lines
// the index of the stored line that it continues, -1 for none, and for each of its
// exemptions its location in what was sent. read is the version whose answer the update was
// made from: the stored one, or one that it replaced.
func merged(
	stored, read *models.Transaction, sent *contract.TransactionUpdate,
) (b *contract.TransactionCreate, continued []int, exemptionsAt []string) {
	was := &stored.Sent
	b = &contract.TransactionCreate{
		Type: contract.TransactionTypeSALE, ExternalID: sent.ExternalID, Date: sent.Date, Addresses: sent.Addresses,
		Customer: contract.TransactionCustomerCreate(sent.Customer),
		Status: after(
			sent.Status, contract.TransactionStatus(stored.Status), contract.TransactionStatusCOMMITTED,
		),
		ShopDate:        after(sent.ShopDate, shopDate(stored.ShopDate), openapi_types.Date{}),
		TotalAmount:     cleared(sent.TotalAmount, stored.TotalAmount),
		CustomerID:      unlessShown(sent.CustomerID, read.CustomerID, "", ""),
		Marketplace:     after(sent.Marketplace, stored.Marketplace, false),
		RelatedTo:       after(sent.RelatedTo, convert.ValueOf(stored.RelatedTo), ""),
		Currency:        after(sent.Currency, stored.Currency, "USD"),
		Source:          after(sent.Source, stored.Source, "OTHER"),
		FilingID:        after(sent.FilingID, "", ""),
		TaxID:           after(sent.TaxID, convert.ValueOf(stored.TaxID), ""),
		TaxRateImported: cleared(sent.TaxRateImported, stored.TaxRateImported),

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
	keptTextsAfter(b, sent, stored)
	b.Customer.ExternalID = cmp.Or(b.Customer.ExternalID, stored.Customer.ExternalID)
	sameCustomer := b.Customer.ExternalID == stored.Customer.ExternalID
	b.RequiresExemption = requiredAfter(sent.RequiresExemption, stored, read, sameCustomer)
	b.Exemptions, exemptionsAt = exemptionsAfter(sent.Exemptions, stored, read, sameCustomer)
	b.TransactionItems, continued = itemsAfter(sent.TransactionItems, stored, read)
	return b, continued, exemptionsAt
}

// after is the value of a field after an update: the one sent, the default when
// null was sent, else the stored one.
func after[T any](sent nullable.Nullable[T], stored, byDefault T) T {
	convert.Change(&stored, sent, byDefault)
	return stored
}

// cleared is after for a field whose default is the zero value.
func cleared[T any](sent nullable.Nullable[T], stored T) T {
	var zero T
	return after(sent, stored, zero)
}

// unlessShown is after for a field that Levy decides too: shown is what the answer
// showed, asked what was asked for before.
func unlessShown[T comparable](sent nullable.Nullable[T], shown, asked, byDefault T) T {
	// guard: update: what an answer showed is no order
	if value, ok := sent[true]; ok && value == shown {
		return asked
	}
	return after(sent, asked, byDefault)
}

// amountUnlessShown is unlessShown for amounts and rates, of which 0 is the default.
func amountUnlessShown(sent nullable.Nullable[decimal.Decimal], shown, asked decimal.Decimal) decimal.Decimal {
	// guard: update: an amount that an answer showed is no order
	if value, ok := sent[true]; ok && value.Cmp(shown) == 0 {
		return asked
	}
	return cleared(sent, asked)
}

// importedAfter is the imported tax of the document, 0 for the sum of its lines. A total
// that agreed with the lines goes on following them, whoever had added them up.
func importedAfter(sent nullable.Nullable[decimal.Decimal], stored, read *models.Transaction) decimal.Decimal {
	asked := stored.Sent.TotalTaxAmountImported
	// guard: update: a total that is the sum of the lines follows them
	if rules.IsImportedTaxOf(asked, stored.Items) {
		asked = decimal.Zero
	}
	return amountUnlessShown(sent, read.TotalTaxAmountImported, asked)
}

// itemsAfter are the lines of the new version as they would have been sent on create,
// each with the index of the stored line that it continues, -1 for none. A line that is
// no longer there was asked for as in the version that was read.
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

func lineAt(t *models.Transaction, i int) *models.TransactionItem {
	if i < 0 {
		return nil
	}
	return &t.Items[i]
}

func itemCreate(i *contract.TransactionItemUpdate) contract.TransactionItemCreate {
	c := contract.TransactionItemCreate{
		Amount: i.Amount, Date: i.Date, Description: i.Description, Exempt: i.Exempt,
		ExternalID:        i.ExternalID,
		ExternalProductID: i.ExternalProductID, Product: i.Product, ProductDescription: i.ProductDescription,
		ProductName: i.ProductName,
		Quantity:    i.Quantity, TaxAmountCalculated: i.TaxAmountCalculated, TaxAmountImported: i.TaxAmountImported,
		TaxExemption: i.TaxExemption,
		TaxItems:     i.TaxItems, TaxRateCalculated: i.TaxRateCalculated, TaxRateImported: i.TaxRateImported,
		TaxableAmount: i.TaxableAmount,
	}
	if discount, ok := i.DiscountBuilder[true]; ok {
		c.DiscountBuilder = &discount
	}
	return c
}

// keepAsked gives a line what was asked for before, in every field that repeats what Levy
// decided. asked is the line that it continues, shown the same one in the version that was
// read, of which currency is that.
func keepAsked(line *contract.TransactionItemCreate, asked, shown *models.TransactionItem, currency string) {
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

// withoutDefaultCurrency takes the currency of the transaction from tax lines, which
// show it when none was sent.
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

// discountBuilder is a discount as it is sent; nil for none.
func discountBuilder(d *models.Discount) *contract.DiscountBuilder {
	if d == nil {
		return nil
	}
	return &contract.DiscountBuilder{
		ExternalID: d.ExternalID, AppliedTo: contract.DiscountTarget(d.AppliedTo), DiscountAmount: d.Amount,
	}
}

// discountDraft is a discount of a request; nil for none.
func discountDraft(d *contract.DiscountBuilder) *models.Discount {
	if d == nil {
		return nil
	}
	return &models.Discount{ExternalID: d.ExternalID, AppliedTo: string(d.AppliedTo), Amount: d.DiscountAmount}
}

// discountAnswer is a discount as it was sent. A share of one that is not known, which
// may be negative, is none.
func discountAnswer(d *models.Discount) *contract.Discount {
	if d == nil || d.Amount.IsNeg() {
		return nil
	}
	return &contract.Discount{
		ExternalID: d.ExternalID, AppliedTo: contract.DiscountTarget(d.AppliedTo),
		DiscountAmount: money.Format(d.Amount),
	}
}

// sentLine keeps what Levy will decide of a line; nil when the request says nothing of it.
func sentLine(b *contract.TransactionItemCreate) *models.SentLine {
	if b.ProductName == "" && b.ProductDescription == "" && b.DiscountBuilder == nil &&
		b.TaxAmountCalculated.IsZero() && b.TaxRateCalculated.IsZero() && b.TaxableAmount.IsZero() {
		return nil
	}
	s := &models.SentLine{
		ProductName: convert.Optional(b.ProductName), ProductDescription: convert.Optional(b.ProductDescription),
		TaxAmountCalculated: b.TaxAmountCalculated, TaxRateCalculated: b.TaxRateCalculated,
		TaxableAmount: b.TaxableAmount,
	}
	s.Discount = discountDraft(b.DiscountBuilder)
	return s
}
