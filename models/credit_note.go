package models

import (
	"errors"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/tax"
)

// RefundDraft is a validated credit note or tax refund on its way into the store.
// RelatedTo names the original, which gives it its customer, its marketplace and
// what the request left open.
type RefundDraft struct {
	TransactionDraft
	OwnAddresses bool // the request has addresses; else those of the original are copied
	OwnSource    bool // the request has a source
	// Named says that the original is named in the body, not by the path.
	Named bool
	// Ended says that it is history, which is taken over as it stands: it takes nothing
	// of its original, which may have gone on since.
	Ended bool
}

// ErrOriginalIsRefund: credit notes refer to sales only.
var ErrOriginalIsRefund = errors.New("the original is a refund itself")

// OriginalNotCommittedError refuses a refund of a sale that is not COMMITTED.
type OriginalNotCommittedError struct{ Status TransactionStatus }

func (e *OriginalNotCommittedError) Error() string {
	return fmt.Sprintf("the original is %s", e.Status)
}

// CreditExceedsError refuses a refund of more than is left of the original.
type CreditExceedsError struct {
	Remaining decimal.Decimal
	Currency  string
}

func (e *CreditExceedsError) Error() string { return "more than is left of the original" }

// CreditAccount is a sale with what its refunds took, those aside that are
// cancelled and the one that is being changed.
type CreditAccount struct {
	Sale  Transaction
	Taken decimal.Decimal // of the creditable amount
	Tax   decimal.Decimal // of the tax
	Lines map[int]LineCredit
}

// LineCredit is what refunds took of one line of the sale.
type LineCredit struct{ Amount, Tax decimal.Decimal }

// Creditable is the amount of the sale that can be given back: its total, or, of a
// sale without one, its lines after discounts with the larger of the imported and
// the calculated tax.
func (t Transaction) Creditable() (decimal.Decimal, error) {
	if !t.TotalAmount.IsZero() {
		return t.TotalAmount.Abs(), nil
	}
	net, err := tax.Sub(t.Subtotal, t.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, err
	}
	sum, err := tax.Add(net, t.Tax())
	if err == nil && sum.CmpAbs(maxAmount) > 0 {
		return maxAmount, nil // no refund can be larger
	}
	return sum.Abs(), err
}

// maxAmount is the largest amount of a document.
var maxAmount = decimal.MustNew(999_999_999_999, 2)

// Tax is the larger of the imported and the calculated tax.
func (t Transaction) Tax() decimal.Decimal {
	return larger(t.TotalTaxAmountImported, t.TotalTaxAmountCalculated)
}

func larger(a, b decimal.Decimal) decimal.Decimal {
	if a.CmpAbs(b) >= 0 {
		return a
	}
	return b
}

// Reserves reports whether a refund with this status uses up something of its
// original.
func (s TransactionStatus) Reserves() bool { return s == StatusPending || s == StatusCommitted }

// Admit checks a refund against its original, in the order of the contract, and
// settles what follows from the original: the lines it refunds, its type, its
// customer and its marketplace.
//
// Errors: ErrOriginalIsRefund, *OriginalNotCommittedError, *InvalidError,
// *CreditExceedsError.
func (a *CreditAccount) Admit(d *RefundDraft) error {
	sale := &a.Sale
	switch {
	case sale.Type.IsCredit():
		return ErrOriginalIsRefund
	case d.Ended:
		a.match(d.Items)
		a.hand(d)
		return nil
	case sale.Status != StatusCommitted:
		return &OriginalNotCommittedError{Status: sale.Status}
	}
	var faults []Fault
	if d.Currency != sale.Currency {
		faults = append(faults, Fault{Code: "currency_mismatch", Location: "body.currency", Message: "Must be " + sale.Currency + ", the currency of the original."})
	}
	if faults = append(faults, a.match(d.Items)...); faults != nil {
		return &InvalidError{Faults: faults}
	}
	creditable, err := sale.Creditable()
	if err != nil {
		return err
	}
	if d.Type != TypeTaxRefund {
		d.Type = TypePartialCreditNote
		if d.TotalAmount.CmpAbs(creditable) == 0 {
			d.Type = TypeFullCreditNote
		}
	}
	a.hand(d)
	if !d.Status.Reserves() {
		return nil
	}
	return a.withinOriginal(d, creditable)
}

// hand gives a refund what it has from its original.
func (a *CreditAccount) hand(d *RefundDraft) {
	d.Customer, d.CustomerID, d.Marketplace = a.Sale.Customer, a.Sale.CustomerID, a.Sale.Marketplace
	if !d.OwnSource {
		d.Source = a.Sale.Source
	}
}

// match finds the line of the sale that each line refunds: the one with the same
// external id and product, else the first of that product of which something is
// left, else the first of that product.
func (a *CreditAccount) match(items []TransactionItem) (faults []Fault) {
	left := make(map[int]decimal.Decimal, len(a.Sale.Items))
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		net, err := of.NetAmount()
		if err == nil {
			net, err = tax.Sub(net.Abs(), a.Lines[of.LineNo].Amount)
		}
		if err == nil {
			left[of.LineNo] = net
		}
	}
	for i := range items {
		item := &items[i]
		of := a.lineFor(item, left)
		if of == nil {
			faults = append(faults, Fault{Code: "item_not_in_original", Location: fmt.Sprintf("body.transaction_items[%d].external_product_id", i),
				Message: "This product is not on the original."})
			continue
		}
		if !of.Quantity.IsZero() && item.Quantity.CmpAbs(of.Quantity) > 0 {
			faults = append(faults, Fault{Code: "out_of_range", Location: fmt.Sprintf("body.transaction_items[%d].quantity", i),
				Message: "The original has fewer of this product: at most " + tax.FormatQuantity(of.Quantity.Abs()) + "."})
		}
		line := of.LineNo
		item.OriginalLine = &line
		if rest, err := tax.Sub(left[line], item.Amount.Abs()); err == nil {
			left[line] = rest
		}
	}
	return faults
}

func (a *CreditAccount) lineFor(item *TransactionItem, left map[int]decimal.Decimal) *TransactionItem {
	var sameProduct, withRest *TransactionItem
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		if of.ExternalProductID != item.ExternalProductID {
			continue
		}
		if item.ExternalID != nil && of.ExternalID != nil && *of.ExternalID == *item.ExternalID {
			return of
		}
		if sameProduct == nil {
			sameProduct = of
		}
		if withRest == nil && left[of.LineNo].IsPos() {
			withRest = of
		}
	}
	if withRest != nil {
		return withRest
	}
	return sameProduct
}

// withinOriginal refuses more than is left: of the sale as a whole, and for a
// refund of tax alone of its tax, as a whole and of each line whose tax is known.
func (a *CreditAccount) withinOriginal(d *RefundDraft, creditable decimal.Decimal) error {
	if err := a.atMost(d.TotalAmount, creditable, a.Taken); err != nil || d.Type != TypeTaxRefund {
		return err
	}
	for _, amount := range []decimal.Decimal{d.TotalAmount, d.TotalTaxAmountImported} {
		if err := a.atMost(amount, a.Sale.Tax(), a.Tax); err != nil {
			return err
		}
	}
	imported := decimal.Zero
	wanted := map[int]decimal.Decimal{}
	for i := range a.Sale.Items {
		var err error
		if imported, err = tax.Add(imported, a.Sale.Items[i].TaxAmountImported); err != nil {
			return err
		}
	}
	if !a.Sale.ProcessingStatus.Calculated() && imported.Cmp(a.Sale.TotalTaxAmountImported) != 0 {
		return nil // not known yet which line bears how much
	}
	for i := range d.Items {
		item := &d.Items[i]
		sum, err := tax.Add(wanted[*item.OriginalLine], item.TaxAmountImported.Abs())
		if err != nil {
			return err
		}
		wanted[*item.OriginalLine] = sum
	}
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		if err := a.atMost(wanted[of.LineNo], larger(of.TaxAmountImported, of.TaxAmountCalculated), a.Lines[of.LineNo].Tax); err != nil {
			return err
		}
	}
	return nil
}

// atMost refuses an amount above what is left of a whole. Signs do not matter.
func (a *CreditAccount) atMost(amount, whole, taken decimal.Decimal) error {
	left, err := tax.Sub(whole.Abs(), taken)
	if err != nil {
		return err
	}
	if left.IsNeg() {
		left = decimal.Zero
	}
	if amount.CmpAbs(left) > 0 {
		return &CreditExceedsError{Remaining: left, Currency: a.Sale.Currency}
	}
	return nil
}

// Calculated reports whether the tax of the present content is calculated.
func (s ProcessingStatus) Calculated() bool {
	return slices.Contains(CalculatedStates, s)
}

// CalculatedStates are the states of a transaction whose tax is calculated.
var CalculatedStates = []ProcessingStatus{ProcessingProcessed, ProcessingFilingStarted, ProcessingFilingDone, ProcessingLocked}
