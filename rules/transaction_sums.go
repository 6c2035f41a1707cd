package rules

import (
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// TooManyDigits ends the sentence of a fault about an amount that is larger than any of a document.
const TooManyDigits = "needs more than 10 digits before the point."

// amountsOfLines are the fields that sums over all lines follow from. By its id a changed line continues a stored one
// with its discount.
var amountsOfLines = []string{
	"transaction_items[].amount", "transaction_items[].discount_builder", "transaction_items[].id",
}

// exactSum adds up amounts exactly.
type exactSum struct {
	of  decimal.Decimal
	err error
}

func (s *exactSum) add(d decimal.Decimal) {
	if s.err == nil {
		s.of, s.err = money.Add(s.of, d)
	}
}

// isMoney reports whether the sum fits an amount of a document. Sums on the way may be larger, because a fee and its
// coupon cancel.
func (s *exactSum) isMoney() bool { return s.err == nil && models.IsDocumentAmount(s.of) }

// SumLines adds up the submitted amounts and discounts of the lines, and returns the faults of sums that need too many
// digits. Each line after its discount must fit an amount too, because later steps calculate with it.
func SumLines(t *models.Transaction) (faults []models.Fault) {
	faults, fits := sumLines(t)
	if fits && t.PricesIncludeTax() {
		gross := exactSum{of: t.Subtotal}
		gross.add(t.TotalDiscount.Neg())
		t.GrossAmount = &gross.of
	}
	return faults
}

// sumLines is SumLines. fits reports whether both sums are amounts.
func sumLines(t *models.Transaction) (faults []models.Fault, fits bool) {
	fault := func(path, message string) {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: path, Message: message + TooManyDigits, Of: amountsOfLines,
		})
	}
	var subtotal, discount exactSum
	for i := range t.Items {
		item := &t.Items[i]
		subtotal.add(item.Amount)
		discount.add(item.TotalDiscount)
		net := exactSum{of: item.Amount}
		// guard: sums: a line after its discount is an amount
		if net.add(item.TotalDiscount.Neg()); !net.isMoney() {
			fault(fmt.Sprintf("transaction_items[%d].amount", i), "The amount after the discount ")
		}
	}
	t.Subtotal, t.TotalDiscount = subtotal.of, discount.of
	switch {
	case !subtotal.isMoney():
		fault("transaction_items", "The sum of the amounts ")
	case !discount.isMoney():
		fault("transaction_items", "The sum of the discounts ")
	default:
		fits = true
	}
	return faults, fits
}

// SumTransaction adds up the lines, and their imported tax unless the document has it. It returns the faults of sums
// that need too many digits. The total with the tax must fit an amount too.
func SumTransaction(t *models.Transaction) []models.Fault {
	faults := SumLines(t)
	fits := faults == nil
	fault := func(path, message string, of ...string) {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: path, Message: message + TooManyDigits, Of: of,
		})
	}
	// guard: sums: a document with its tax is an amount
	if final := finalTotal(t); fits && !final.isMoney() {
		fault("total_tax_liability_amount", "The total after discounts and with the tax ",
			slices.Concat(amountsOfLines, []string{"total_amount", "type"})...)
	}
	if t.TotalTaxAmountImported.IsZero() {
		imported := importedOf(t.Items)
		t.TotalTaxAmountImported = imported.of
		if !imported.isMoney() {
			fault("total_tax_amount_imported", "The sum of the imported tax of the lines ",
				"transaction_items[].tax_amount_imported")
		}
	}
	return faults
}

// importedOf adds up the imported tax of lines.
func importedOf(items []models.TransactionItem) (imported exactSum) {
	for i := range items {
		imported.add(items[i].TaxAmountImported)
	}
	return imported
}

// DocumentTotal returns the total of a transaction as lists show it. Without a submitted total, which only a sale may lack,
// it is what the lines come to with the tax.
func DocumentTotal(t *models.Transaction) decimal.Decimal {
	if t.TotalAmount.IsZero() {
		return FinalTotal(t)
	}
	return t.TotalAmount
}

// FinalTotal returns the amount to be paid: subtotal - total_discount + total_tax_liability_amount, or the lines if their
// prices include tax. That of a refund has the sign of its total.
func FinalTotal(t *models.Transaction) decimal.Decimal { return finalTotal(t).of }

func finalTotal(t *models.Transaction) exactSum {
	t = WithOneSign(t)
	// guard: gross prices: the buyer pays them, also where nothing is owed
	if paysByLines(t) {
		return exactSum{of: *t.GrossAmount}
	}
	final := exactSum{of: t.Subtotal}
	final.add(t.TotalDiscount.Neg())
	final.add(t.TotalTaxLiabilityAmount)
	return final
}

// IsImportedTaxOf reports whether an imported tax is the sum of that of the lines: it follows them when they change.
func IsImportedTaxOf(imported decimal.Decimal, items []models.TransactionItem) bool {
	sum := importedOf(items)
	return sum.err == nil && sum.of.Cmp(imported) == 0
}

// PaidByLines returns what the customer paid by the lines of a sale without a total: their amounts less discounts, and
// the imported tax. If imported is 0, the tax is that of the lines. It returns 0 for an unknown total: without tax, or
// if no sale can have that total.
func PaidByLines(items []models.TransactionItem, imported decimal.Decimal) decimal.Decimal {
	var paid exactSum
	for i := range items {
		paid.add(items[i].Amount)
		paid.add(items[i].TotalDiscount.Neg())
	}
	if imported.IsZero() {
		imported = importedOf(items).of
	}
	paid.add(imported)
	if imported.IsZero() || !paid.isMoney() || paid.of.IsNeg() {
		return decimal.Decimal{}
	}
	return paid.of
}
